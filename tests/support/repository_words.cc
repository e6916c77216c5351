#include "support/repository_words.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

namespace knapsack::testing {
namespace {

constexpr size_t kVocabulary = 20'000;
constexpr size_t kSubjectWords = 300;

// Keywords of the languages that are generated and that our syllables can spell: a word may become a
// variable.
constexpr const char* kReserved =
    "raise case base defer super final native local public done none redo resume delete pass lock data "
    "module "
    " error match type";

// The head of the vocabulary, most common first.
constexpr const char* kCommonWords =
    "value name path index item key node size count result state data line text entry user request response "
    "token buffer field record message option config file table column event time source target offset limit "
    "batch group handler cache query queue client server session worker task job step route order account "
    "payment invoice balance price product stock customer address region country currency amount rate tax "
    "discount report summary total average window frame signal channel stream packet header body footer "
    "payload schema model view template layout style color image pixel shape point edge vertex graph tree "
    "branch leaf root parent child sibling cluster shard replica leader follower vote term snapshot segment "
    "block page slot bucket hash digest secret password identity role permission policy rule filter pattern "
    "match score rank weight distance vector matrix sample label feature metric counter gauge histogram "
    "alert "
    "incident ticket comment review author commit revision version release bundle archive folder mirror "
    "registry plugin module driver device sensor clock timer deadline retry attempt failure error warning "
    "notice trace span log audit backup restore migration lock lease owner tenant domain zone host port "
    "socket address network subnet gateway proxy tunnel cookie cursor anchor margin border padding button "
    "dialog menu panel widget editor canvas brush layer palette font glyph locale phrase sentence paragraph "
    "chapter book library shelf catalog journal article subject topic keyword category tag note draft "
    "recipe meal kitchen ingredient weather storm forecast harbor vessel cargo fleet engine wheel bridge "
    "tower garden river mountain valley forest meadow winter summer morning evening pending active stale "
    "dirty fresh empty partial primary secondary remote local public hidden ready broken frozen shared";

constexpr const char* kVerbs =
    "load store parse render build make find read write send fetch update remove add merge split validate "
    "compute resolve convert format encode decode open close start stop apply check collect count create "
    "drain emit expand export flush group handle insert join limit list lookup map normalize notify "
    "order patch poll process publish queue record reduce refresh register release replace report reset "
    "schedule score select settle sort summarize sync track transform trim unpack verify visit watch";

// Where a synthetic word comes from: syllables that can be said, by the digits of its rank.
std::string synthetic_word(size_t rank) {
  constexpr std::array<const char*, 20> kOnsets = {"b", "br", "c", "d",  "dr", "f", "g",  "h", "k",  "l",
                                                   "m", "n",  "p", "pl", "r",  "s", "st", "t", "tr", "v"};
  constexpr std::array<const char*, 7> kNuclei = {"a", "e", "i", "o", "u", "ai", "ea"};
  constexpr std::array<const char*, 6> kCodas = {"", "n", "l", "r", "st", "m"};
  std::string word;
  // A multiplication that is a bijection modulo 2^32 keeps neighbouring ranks from looking alike.
  size_t digits = static_cast<uint32_t>(rank * 2654435761U);
  const size_t syllables = 2 + digits % 2;
  digits /= 2;
  for (size_t i = 0; i < syllables; ++i) {
    word += kOnsets[digits % kOnsets.size()];
    digits /= kOnsets.size();
    word += kNuclei[digits % kNuclei.size()];
    digits /= kNuclei.size();
  }
  return word + kCodas[digits % kCodas.size()];
}

std::vector<std::string> split(const char* list) {
  std::istringstream stream(list);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

struct Vocabulary {
  std::vector<std::string> words;
  // Integers, so that every machine draws the same words.
  std::vector<uint64_t> weight_until;
  std::vector<std::string> verbs = split(kVerbs);

  Vocabulary() {
    const std::vector<std::string> reserved = split(kReserved);
    std::set<std::string> seen(reserved.begin(), reserved.end());
    const auto add = [&](std::string word) {
      if (seen.insert(word).second) words.push_back(std::move(word));
    };
    for (std::string& word : split(kCommonWords)) add(std::move(word));
    for (size_t rank = 0; words.size() < kVocabulary; ++rank) add(synthetic_word(rank));
    uint64_t sum = 0;
    for (size_t rank = 0; rank < words.size(); ++rank) {
      sum += (uint64_t{1} << 32) / (rank + 3);
      weight_until.push_back(sum);
    }
  }

  size_t draw(Random& random, size_t from) const {
    const uint64_t at = random.below(weight_until[from - 1]);
    const auto found = std::upper_bound(weight_until.begin(), weight_until.end(), at);
    return static_cast<size_t>(found - weight_until.begin());
  }
};

const Vocabulary& vocabulary() {
  static const Vocabulary all;
  return all;
}

std::string joined(std::string_view snake, bool capital) {
  std::string name;
  for (const char c : snake) {
    if (c == '_') {
      capital = true;
      continue;
    }
    name += capital && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    capital = false;
  }
  return name;
}

}  // namespace

std::string pascal_case(std::string_view snake) {
  return joined(snake, true);
}
std::string camel_case(std::string_view snake) {
  return joined(snake, false);
}

std::string_view Words::word() {
  const Vocabulary& all = vocabulary();
  if (!random_.one_in(3)) return all.words[all.draw(random_, kVocabulary)];
  const size_t place = all.draw(random_, kSubjectWords);
  return all.words[(subject_ * 7919 + place * 61) % kVocabulary];
}

std::string_view Words::verb() {
  return random_.pick(vocabulary().verbs);
}

std::string Words::snake(size_t words) {
  std::string name(word());
  while (--words > 0) name.append("_").append(word());
  return name;
}
std::string Words::pascal(size_t words) {
  return pascal_case(snake(words));
}
std::string Words::camel(size_t words) {
  return camel_case(snake(words));
}
std::string Words::upper(size_t words) {
  std::string name = snake(words);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c == '_' ? c : static_cast<char>(c - 'a' + 'A'); });
  return name;
}
std::string Words::action(size_t words) {
  return std::string(verb()) + "_" + snake(words);
}

std::string Words::phrase(size_t least, size_t most) {
  // What holds the words together, as common in prose as all others are rare.
  constexpr std::array<const char*, 12> kJoints = {"the", "of", "a",    "and",  "to",   "in",
                                                   "for", "is", "when", "with", "from", "that"};
  std::string text;
  for (size_t left = least + random_.below(most - least + 1); left > 0; --left) {
    if (!text.empty()) text += ' ';
    text += random_.below(5) < 2 ? std::string_view(random_.pick(kJoints)) : word();
  }
  return text;
}
std::string Words::sentence(size_t least, size_t most) {
  std::string text = phrase(least, most) + ".";
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace knapsack::testing
