#include "support_reference.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "support/support.h"

namespace knapsack::testing {
namespace {

const std::string kSourceFolder = KNAPSACK_SOURCE_DIR;

void append_u32(std::string& bytes, size_t value) {
  const auto narrow = static_cast<uint32_t>(value);
  bytes.append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
}

void run_node(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "node");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawnp(&child, "node", nullptr, nullptr, argv.data(), environ) != 0) {
    throw std::runtime_error("cannot start node: run `make setup` first");
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) throw std::runtime_error("the reference implementation failed");
}

std::vector<std::vector<uint32_t>> ask(const std::string& question, const std::string& encoding,
                                       const std::vector<std::string>& texts) {
  const TemporaryFolder folder;
  std::string input;
  for (const std::string& text : texts) {
    append_u32(input, text.size());
    input += text;
  }
  folder.write("input", input);
  run_node({kSourceFolder + "/tests/text/reference.cjs", kSourceFolder + "/deps/node_modules/tiktoken",
            encoding, question, folder.file("input"), folder.file("output")});

  const std::string output = folder.read("output");
  size_t at = 0;
  const auto next = [&] {
    uint32_t value = 0;
    if (output.size() - at < sizeof value) throw std::runtime_error("the reference's answer is cut off");
    std::memcpy(&value, output.data() + at, sizeof value);
    at += sizeof value;
    return value;
  };
  std::vector<std::vector<uint32_t>> answers(texts.size());
  for (auto& of_text : answers) {
    of_text.resize(next());
    std::generate(of_text.begin(), of_text.end(), next);
  }
  return answers;
}

}  // namespace

std::vector<std::vector<uint32_t>> reference_tokens(const std::string& encoding,
                                                    const std::vector<std::string>& texts) {
  return ask("tokens", encoding, texts);
}

std::vector<std::vector<uint32_t>> reference_pieces(const std::string& encoding,
                                                    const std::vector<std::string>& texts) {
  return ask("pieces", encoding, texts);
}

std::vector<Fixture> token_fixtures() {
  std::vector<Fixture> fixtures;
  for (const auto& entry : std::filesystem::directory_iterator(kSourceFolder + "/tests/fixtures/tokens")) {
    const std::string name = entry.path().filename();
    if (name.front() == '.') continue;
    fixtures.push_back({name, read_source_file("tests/fixtures/tokens/" + name)});
  }
  std::sort(fixtures.begin(), fixtures.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return fixtures;
}

std::string random_text(std::mt19937& random, size_t max_symbols) {
  using namespace std::string_literals;
  static const std::vector<std::vector<std::string>> alphabets = {
      {"a", "b", "the", "ing", "A", "B", "THE", "Ing", " ", "'s", "'LL", "'", "X'", "ſ", "K"},
      {"'", "s", "S", "t", "r", "E", "v", "m", "l", "L", "d", "ſ", " ", "я", "1", "\n"},
      {" ", "  ", "\t", "\n", "\r", "\r\n", "\u00A0", "\u3000", "\u2028", "\u0085", "\v", "x", "!", "1"},
      {"0", "1", "23", "456", "7890", "٣", "½", "Ⅷ", "𝟘", ".", ",", " ", "a", "x'll"},
      {"/", "//", "\n", "\r\n", "#", "*", "{", "}", "(", ");", "=", "==", "->", " ", "if", "_x", "\t",
       "<|endoftext|>"},
      {"a", "A", "é", "É", "ǅ", "ʰ", "ª", "中", "文", "ا", "\u0301", "\u20DD", "न", "मा", "'s", " ", "!", "B",
       "z"},
      {"😀", "👨‍👩‍👧", "🇫🇷", "🇺", "❤️", "👍🏽", "\u200D", "\uFE0F", "\U000E0067", " ", "a",
       "'s", "1"},
      {"при", "вет", "Мир", "ё", "Ё", " ", ", ", "— ", "«", "»", "ТЬ", "中国", "的", "，", "。", "時間", "ひ",
       "カ", "한국"},
      {"\xFF", "\x80", "\xC3", "\xE4\xB8", "\xF0\x9F\x98", "\xED\xA0\x80", "\xC0\xAF", "a", "1", " ", "\n",
       "é", "\0"s},
      {"a", "aa", "aaaa", "=", "==", "-", "ab", "ba", "  ", "的", "的的"},
  };
  const auto below = [&random](size_t limit) { return static_cast<size_t>(random() % limit); };
  const auto& first = alphabets[below(alphabets.size())];
  const auto& second = alphabets[below(alphabets.size())];
  std::string text;
  for (size_t i = below(max_symbols + 1); i > 0; --i) {
    const auto& alphabet = below(4) == 0 ? second : first;
    text += alphabet[below(alphabet.size())];
  }
  return text;
}

}  // namespace knapsack::testing
