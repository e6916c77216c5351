#include "code/parse/packed_grammar.h"

#include <gmock/gmock.h>
#include <parser.h>  // tree-sitter's own: what is in a TSLanguage

#include <cstddef>
#include <cstring>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "code/parse/language.h"
#include "code/parse/parsed_file_bytes.h"
#include "code/parse/parser.h"
#include "support/support.h"

extern "C" {
const TSLanguage* tree_sitter_cpp();
}

namespace knapsack::code {
namespace {

const char* const kSource = "namespace a { struct B { int c(int d) { return d + 1; } }; }\n";

// A grammar that no other test of this process has asked for, though it is one that exists.
const TSLanguage* cpp_for_threads() {
  return tree_sitter_cpp();
}

std::string parse_with(const TSLanguage* (*grammar)()) {
  Language language = *find_language("cpp");
  language.grammar = grammar;
  Parser parser;
  auto file = parser.parse(language, kSource, {});
  return file.ok() ? encode_parsed_file(*file) : file.error().line();
}

TEST(PackedGrammar, IsTheSameForThreadsThatAskForItAtOnce) {
  constexpr size_t kThreads = 8;
  std::latch start(kThreads);
  std::vector<const TSLanguage*> languages(kThreads);
  std::vector<std::string> files(kThreads);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      languages[i] = unpacked<cpp_for_threads>();
      files[i] = parse_with(unpacked<cpp_for_threads>);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string expected = parse_with(find_language("cpp")->grammar);
  EXPECT_THAT(expected, ::testing::HasSubstr("B"));
  ASSERT_NE(languages[0], nullptr);
  EXPECT_THAT(languages, ::testing::Each(languages[0]));
  EXPECT_THAT(files, ::testing::Each(expected));
}

TEST(PackedGrammar, IsSmallInTheProgramAndWholeWhenItIsUsed) {
  const TSLanguage& packed = *tree_sitter_cpp();
  PackedTable header{};
  std::memcpy(&header, packed.parse_table, sizeof header);
  EXPECT_EQ(header.size, uint64_t{packed.large_state_count} * packed.symbol_count * sizeof(uint16_t));
  EXPECT_LT(header.packed_size, header.size / 10);
  const TSLanguage* whole = find_language("cpp")->grammar();
  EXPECT_EQ(whole->abi_version, packed.abi_version);
  EXPECT_EQ(whole->primary_state_ids, packed.primary_state_ids);
  if (packed.abi_version < 15) {  // a language of that version has no name; what lies behind it is not read
    EXPECT_EQ(whole->name, nullptr);
  }
}

std::string damaged_table;
const TSLanguage* damaged_cpp() {
  static TSLanguage language = [] {
    TSLanguage copy = {};
    std::memcpy(&copy, tree_sitter_cpp(), offsetof(TSLanguage, name));
    PackedTable header{};
    std::memcpy(&header, copy.parse_table, sizeof header);
    damaged_table.assign(reinterpret_cast<const char*>(copy.parse_table), sizeof header + header.packed_size);
    damaged_table[damaged_table.size() / 2] ^= 0x10;
    copy.parse_table = reinterpret_cast<const uint16_t*>(damaged_table.data());
    return copy;
  }();
  return &language;
}

TEST(PackedGrammar, IsNotUsedWhereItIsDamaged) {
  EXPECT_EQ(unpacked<damaged_cpp>(), nullptr);
  EXPECT_EQ(parse_with(unpacked<damaged_cpp>),
            "the grammar of cpp in this program is damaged; install knapsack again");
}

}  // namespace
}  // namespace knapsack::code
