// make_bpe_table ENCODER.json OUTPUT: turns the published ranks of a BPE encoding into the table that
// src/text/tokens/bpe_table.h reads. Runs at build time, on the machine that builds.
//
// Input: the member "bpe_ranks" is a run of words; "!" begins a section, the number after it is the rank of
// the section's first token, and every further word is the base64 of one token, ranks counting up.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "build_perfect_hash.h"
#include "text/tokens/bpe_table.h"

namespace {

using namespace knapsack;
using Ranks = std::unordered_map<std::string, uint32_t>;

struct Token {
  std::string bytes;
  uint32_t rank;
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
  if (!file) throw std::runtime_error("cannot read it");
  std::istringstream words(nlohmann::json::parse(file).at("bpe_ranks").get<std::string>());
  std::vector<Token> tokens;
  uint32_t rank = 0;
  for (std::string word; words >> word;) {
    if (word == "!") {
      if (!(words >> rank)) throw std::runtime_error("a section without its first rank");
      continue;
    }
    tokens.push_back({decode_base64(word), rank++});
  }
  return tokens;
}

// By its bytes, and what the code that reads the table takes for granted.
Ranks index_tokens(const std::vector<Token>& tokens) {
  Ranks ranks;
  for (const auto& [bytes, rank] : tokens) {
    if (bytes.empty() || bytes.size() > 255) throw std::runtime_error("a token that is empty or too long");
    if (rank >= kNoToken) throw std::runtime_error("a rank that does not fit");
    if (!ranks.emplace(bytes, rank).second) throw std::runtime_error("a token twice");
  }
  for (int byte = 0; byte < 256; ++byte) {
    if (ranks.count(std::string(1, static_cast<char>(byte))) == 0) {
      throw std::runtime_error("a byte that is no token: some texts could not be encoded");
    }
  }
  return ranks;
}

// How merging makes this token of its bytes: the last two parts. Both empty if merging never makes it.
//
// This is the only way it is ever made, also inside a longer piece: as long as no merge crosses the borders
// of these bytes, those within happen in the same order as here. So one pair a token is all that merging has
// to know.
std::pair<std::string, std::string> last_merge(const Ranks& ranks, const std::string& token) {
  std::vector<std::string> parts;
  for (const char c : token) parts.emplace_back(1, c);
  while (parts.size() > 2) {
    size_t best = 0;
    uint32_t best_rank = kNoToken;
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto found = ranks.find(parts[i] + parts[i + 1]);
      if (found != ranks.end() && found->second < best_rank) {
        best = i;
        best_rank = found->second;
      }
    }
    if (best_rank == kNoToken) return {};
    parts[best] += parts[best + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
  return {parts[0], parts[1]};
}

class Output {
 public:
  // Appends an array on a cache line of its own; where it begins.
  template <class T>
  uint32_t append(const std::vector<T>& values) {
    bytes_.resize((bytes_.size() + 63) / 64 * 64);
    const auto offset = static_cast<uint32_t>(bytes_.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return offset;
  }
  void write(const BpeTableHeader& header, const std::string& path) {
    std::memcpy(bytes_.data(), &header, sizeof header);
    std::ofstream file(path, std::ios::binary);
    if (!file.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size())).flush()) {
      throw std::runtime_error("cannot write " + path);
    }
  }

 private:
  std::string bytes_ = std::string(sizeof(BpeTableHeader), '\0');
};

void add_tokens(const std::vector<Token>& tokens, BpeTableHeader& header, Output& output) {
  std::vector<uint64_t> hashes;
  hashes.reserve(tokens.size());
  for (const auto& [bytes, rank] : tokens) hashes.push_back(TokenKey(bytes).hash(bytes));
  const auto built = tools::build_perfect_hash(hashes);
  std::vector<TokenSlot> slots(built.slot_count, TokenSlot{});
  std::vector<char> long_tails;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const auto& [bytes, rank] = tokens[i];
    const TokenKey key(bytes);
    const auto size = static_cast<uint32_t>(bytes.size());
    header.longest_token = std::max(header.longest_token, size);
    TokenSlot& slot = slots[built.slots[i]];
    slot = {key.head, 0, size << kTokenBits | rank};
    if (size > TokenSlot::kInlineBytes) {
      slot.rest = static_cast<uint32_t>(long_tails.size());
      long_tails.insert(long_tails.end(), bytes.begin() + TokenSlot::kHeadBytes, bytes.end());
    } else if (size > TokenSlot::kHeadBytes) {
      slot.rest = key.last_four();
    }
  }
  header.token_slot_count = built.slot_count;
  header.token_slots = output.append(slots);
  header.token_pilot_count = static_cast<uint32_t>(built.pilots.size());
  header.token_pilots = output.append(built.pilots);
  header.long_tails = output.append(long_tails);
}

void add_merges(const std::vector<Token>& tokens, BpeTableHeader& header, Output& output) {
  const Ranks ranks = index_tokens(tokens);
  std::vector<uint32_t> byte_tokens(256);
  std::vector<MergeSlot> merges;
  std::vector<uint64_t> hashes;
  for (const auto& [bytes, rank] : tokens) {
    if (bytes.size() == 1) {
      byte_tokens[static_cast<uint8_t>(bytes[0])] = rank;
      continue;
    }
    const auto [left, right] = last_merge(ranks, bytes);
    if (left.empty()) continue;  // found as a whole piece only
    const uint64_t key = merge_key(ranks.at(left), ranks.at(right));
    merges.push_back(key << kTokenBits | rank);
    hashes.push_back(merge_hash(key));
  }
  const auto built = tools::build_perfect_hash(hashes);
  std::vector<MergeSlot> slots(built.slot_count, ~MergeSlot{0});
  for (size_t i = 0; i < merges.size(); ++i) slots[built.slots[i]] = merges[i];
  header.merge_slot_count = built.slot_count;
  header.merge_slots = output.append(slots);
  header.merge_pilot_count = static_cast<uint32_t>(built.pilots.size());
  header.merge_pilots = output.append(built.pilots);
  header.byte_tokens = output.append(byte_tokens);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: make_bpe_table ENCODER.json OUTPUT\n");
    return 2;
  }
  try {
    const std::vector<Token> tokens = read_tokens(argv[1]);
    BpeTableHeader header{};
    Output output;
    add_tokens(tokens, header, output);
    add_merges(tokens, header, output);
    output.write(header, argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_bpe_table: %s: %s\n", argv[1], error.what());
    return 1;
  }
  return 0;
}
