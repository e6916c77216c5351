#include "text/tokens/bpe_table.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <unordered_map>

#include "support/support.h"

namespace knapsack {
namespace {

using Ranks = std::unordered_map<std::string, uint32_t>;

std::string decode_base64(const std::string& text) {
  static const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  for (size_t i = 0; i + 3 < text.size(); i += 4) {
    uint32_t group = 0;
    for (size_t k = 0; k < 4; ++k) group = group << 6 | (alphabet.find(text[i + k]) & 63);
    for (const int shift : {16, 8, 0}) bytes.push_back(static_cast<char>(group >> shift));
  }
  bytes.resize(bytes.size() - static_cast<size_t>(std::count(text.begin(), text.end(), '=')));
  return bytes;
}

Ranks published_ranks(const std::string& encoding) {
  const auto file = nlohmann::json::parse(
      testing::read_source_file("deps/node_modules/tiktoken/encoders/" + encoding + ".json"));
  std::istringstream words(file.at("bpe_ranks").get<std::string>());
  std::string word;
  uint32_t rank = 0;
  words >> word >> rank;  // "! 0": both files have a single section
  Ranks ranks;
  while (words >> word) ranks.emplace(decode_base64(word), rank++);
  return ranks;
}

struct Vocabulary {
  const char* name;
  const uint8_t* table;
  size_t size;
};

class BpeTableOf : public ::testing::TestWithParam<Vocabulary> {
 protected:
  const Ranks ranks_ = published_ranks(GetParam().name);
  const BpeTable table_{GetParam().table};

  uint32_t published(const std::string& bytes) const {
    const auto found = ranks_.find(bytes);
    return found == ranks_.end() ? kNoToken : found->second;
  }
};

INSTANTIATE_TEST_SUITE_P(Vocabularies, BpeTableOf,
                         ::testing::Values(Vocabulary{"cl100k_base", knapsack_cl100k_table, 100256},
                                           Vocabulary{"o200k_base", knapsack_o200k_table, 199998}),
                         [](const auto& vocabulary) { return std::string(vocabulary.param.name); });

TEST_P(BpeTableOf, FindsEveryTokenAndNothingElse) {
  ASSERT_EQ(ranks_.size(), GetParam().size);
  for (const auto& [token, rank] : ranks_) {
    ASSERT_EQ(table_.find(token), rank) << ::testing::PrintToString(token);
    // What differs from a token in one place, at its beginning, in the middle or at its end.
    for (const std::string& other : {token.substr(1), token.substr(0, token.size() - 1), token + "e",
                                     " " + token, token + token, token + std::string(1, '\0')}) {
      if (other.empty()) continue;
      ASSERT_EQ(table_.find(other), published(other)) << ::testing::PrintToString(other);
    }
    std::string changed = token;
    changed[token.size() / 2] = static_cast<char>(changed[token.size() / 2] ^ 1);
    ASSERT_EQ(table_.find(changed), published(changed)) << ::testing::PrintToString(changed);
  }
  EXPECT_EQ(table_.find(std::string(129, ' ')), kNoToken);
  EXPECT_EQ(table_.find(std::string(100000, ' ')), kNoToken);
}

// A slot holds one token, and texts that are none fall into slots too: only comparing every byte tells them
// apart.
TEST_P(BpeTableOf, ComparesEveryByteOfWhatSharesASlot) {
  for (const char* token : {" environment", "                ", "Controller", "undefined"}) {
    ASSERT_NE(published(token), kNoToken) << token;
    std::string text = token;
    for (uint32_t i = 0; i < 2000000; ++i) {
      std::memcpy(text.data() + text.size() - sizeof i, &i, sizeof i);
      const uint32_t found = table_.find(text);
      if (found != kNoToken) {
        ASSERT_EQ(found, published(text)) << ::testing::PrintToString(text);
      }
    }
  }
}

TEST_P(BpeTableOf, MergesExactlyOnePairIntoEachTokenOfSeveralBytes) {
  for (const auto& [token, rank] : ranks_) {
    size_t ways = 0;
    for (size_t cut = 1; cut < token.size(); ++cut) {
      const uint32_t left = published(token.substr(0, cut));
      const uint32_t right = published(token.substr(cut));
      if (left == kNoToken || right == kNoToken) continue;
      const uint32_t merged = table_.merge(left, right);
      if (merged == kNoToken) continue;
      ASSERT_EQ(merged, rank) << ::testing::PrintToString(token);
      ++ways;
    }
    if (token.size() == 1) {
      ASSERT_EQ(table_.of_byte(token[0]), rank);
    } else {
      ASSERT_EQ(ways, 1U) << ::testing::PrintToString(token);
    }
    ASSERT_EQ(table_.merge(rank, kNoToken), kNoToken);
    ASSERT_EQ(table_.merge(kNoToken, rank), kNoToken);
  }
  EXPECT_EQ(table_.merge(kNoToken, kNoToken), kNoToken);
}

}  // namespace
}  // namespace knapsack
