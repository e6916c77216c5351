// make_rank_table ENCODER.json OUTPUT: turns the published ranks of a BPE encoding into the table that
// src/text/rank_table.h reads. Runs at build time, on the machine that builds.
//
// Input: the member "bpe_ranks" is a run of words; "!" begins a section, the number after it is the rank of
// the section's first token, and every further word is the base64 of one token, ranks counting up.
#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "text/rank_table.h"

namespace {

using knapsack::RankKey;
using knapsack::RankSlot;
using knapsack::RankTableHeader;

// Slots per token: at 1.6 a lookup looks at 1.4 slots on average and the tables stay below 8 MB together.
constexpr double kSlotsPerToken = 1.6;

struct Token {
  std::string bytes;
  uint32_t rank = 0;
};

std::string decode_base64(std::string_view text) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t buffer = 0;
  int bits = 0;
  for (const char c : text.substr(0, text.find('='))) {
    const size_t digit = kAlphabet.find(c);
    if (digit == std::string_view::npos) throw std::runtime_error("not base64: " + std::string(text));
    buffer = buffer << 6 | static_cast<uint32_t>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push_back(static_cast<char>(buffer >> bits & 0xFF));
    }
  }
  return bytes;
}

std::vector<Token> read_tokens(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::istringstream words(nlohmann::json::parse(file).at("bpe_ranks").get<std::string>());
  std::vector<Token> tokens;
  uint32_t rank = 0;
  for (std::string word; words >> word;) {
    if (word == "!") {
      if (!(words >> rank)) throw std::runtime_error(path + ": a section without its first rank");
      continue;
    }
    tokens.push_back({decode_base64(word), rank++});
  }
  return tokens;
}

// What the run-time code relies on without checking.
void check(const std::vector<Token>& tokens) {
  std::array<bool, 256> single{};
  for (const Token& token : tokens) {
    if (token.bytes.empty() || token.bytes.size() >= 1U << (32 - RankSlot::kRankBits)) {
      throw std::runtime_error("a token of " + std::to_string(token.bytes.size()) + " bytes");
    }
    if (token.rank >= 1U << RankSlot::kRankBits) throw std::runtime_error("a rank beyond 24 bits");
    if (token.bytes.size() == 1) single[static_cast<uint8_t>(token.bytes[0])] = true;
  }
  if (std::count(single.begin(), single.end(), true) != 256) {
    throw std::runtime_error("not every single byte is a token: some texts could not be encoded");
  }
}

void write_table(const std::vector<Token>& tokens, const std::string& path) {
  RankTableHeader header;
  header.bucket_count = static_cast<uint32_t>(static_cast<double>(tokens.size()) * kSlotsPerToken);
  std::vector<RankSlot> slots(header.bucket_count);
  std::string long_tails;
  // By rank, and low ranks are the frequent tokens: those are found at the first probe.
  for (const Token& token : tokens) {
    const size_t size = token.bytes.size();
    header.longest_token = std::max(header.longest_token, static_cast<uint32_t>(size));
    const RankKey key(token.bytes);
    RankSlot filled{key.head, 0, static_cast<uint32_t>(size) << RankSlot::kRankBits | token.rank};
    if (size > RankKey::kInlineBytes) {
      filled.rest = static_cast<uint32_t>(long_tails.size());
      long_tails.append(token.bytes, RankKey::kHeadBytes);
    } else if (size > RankKey::kHeadBytes) {
      filled.rest = key.last_four();
    }
    size_t at = key.bucket(size, header.bucket_count);
    while (at < slots.size() && slots[at].length_and_rank != 0) ++at;
    if (at == slots.size()) slots.emplace_back();
    slots[at] = filled;
  }
  slots.emplace_back();  // ends the probe that reaches the last slot
  header.slot_count = static_cast<uint32_t>(slots.size());

  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(&header), sizeof header);
  out.write(reinterpret_cast<const char*>(slots.data()),
            static_cast<std::streamsize>(slots.size() * sizeof(RankSlot)));
  out.write(long_tails.data(), static_cast<std::streamsize>(long_tails.size()));
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: make_rank_table ENCODER.json OUTPUT\n");
    return 2;
  }
  try {
    std::vector<Token> tokens = read_tokens(argv[1]);
    check(tokens);
    std::sort(tokens.begin(), tokens.end(), [](const Token& a, const Token& b) { return a.rank < b.rank; });
    write_table(tokens, argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_rank_table: %s\n", error.what());
    return 1;
  }
  return 0;
}
