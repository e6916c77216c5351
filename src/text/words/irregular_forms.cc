#include "text/words/irregular_forms.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace knapsack {
namespace {

// A family a line. Words that are a common word of their own in another sense are left out of the family
// where that sense is the usual one: "saw" is a tool less often than a verb, but "lay" and "lie" mix two
// verbs and stay apart.
constexpr std::string_view kFamilies =
    "go goes went gone\n"
    "buy bought\n"
    "bring brought\n"
    "think thought\n"
    "teach taught\n"
    "catch caught\n"
    "fight fought\n"
    "seek sought\n"
    "see saw seen\n"
    "run ran\n"
    "take took taken\n"
    "give gave given\n"
    "get got gotten\n"
    "make made\n"
    "find found\n"
    "lose lost\n"
    "win won\n"
    "meet met\n"
    "feel felt\n"
    "leave left\n"
    "keep kept\n"
    "tell told\n"
    "say said\n"
    "write wrote written\n"
    "begin began begun\n"
    "drive drove driven\n"
    "ride rode ridden\n"
    "fly flew flown\n"
    "eat ate eaten\n"
    "drink drank drunk\n"
    "sing sang sung\n"
    "swim swam swum\n"
    "speak spoke spoken\n"
    "break broke broken\n"
    "choose chose chosen\n"
    "grow grew grown\n"
    "know knew known\n"
    "show shown\n"
    "draw drew drawn\n"
    "throw threw thrown\n"
    "build built\n"
    "send sent\n"
    "spend spent\n"
    "lend lent\n"
    "sell sold\n"
    "hold held\n"
    "stand stood\n"
    "understand understood\n"
    "sit sat\n"
    "sleep slept\n"
    "wear wore worn\n"
    "tear tore torn\n"
    "become became\n"
    "come came\n"
    "fall fell fallen\n"
    "forget forgot forgotten\n"
    "hear heard\n"
    "lead led\n"
    "pay paid\n"
    "wake woke woken\n"
    "feed fed\n"
    "hide hid hidden\n"
    "shoot shot\n"
    "shine shone\n"
    "steal stole stolen\n"
    "child children\n"
    "person people\n"
    "man men\n"
    "woman women\n"
    "foot feet\n"
    "tooth teeth\n"
    "mouse mice\n"
    "life lives\n"
    "wife wives\n"
    "knife knives\n"
    "leaf leaves\n"
    "half halves\n"
    "shelf shelves\n"
    "good better best\n"
    "bad worse worst\n"
    "идти иду идет идёт шел шёл шла шли\n"
    "пойти пойду пошел пошёл пошла пошли\n"
    "прийти приду пришел пришёл пришла пришли\n"
    "найти найду нашел нашёл нашла нашли\n"
    "человек люди людей людям\n"
    "ребенок ребёнок дети детей\n"
    "год года лет\n"
    "хороший лучше лучший\n"
    "плохой хуже худший\n";

using Family = std::vector<std::string_view>;

std::vector<Family> read_families() {
  std::vector<Family> families;
  for (std::string_view rest = kFamilies; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    Family& family = families.emplace_back();
    while (!line.empty()) {
      family.push_back(line.substr(0, line.find(' ')));
      line.remove_prefix(std::min(family.back().size() + 1, line.size()));
    }
  }
  return families;
}

}  // namespace

std::span<const std::string_view> irregular_forms(std::string_view word) {
  static const std::vector<Family> families = read_families();
  static const std::unordered_map<std::string_view, const Family*> by_word = [] {
    std::unordered_map<std::string_view, const Family*> map;
    for (const Family& family : families) {
      for (const std::string_view form : family) map.emplace(form, &family);
    }
    return map;
  }();
  const auto found = by_word.find(word);
  return found == by_word.end() ? std::span<const std::string_view>() : *found->second;
}

}  // namespace knapsack
