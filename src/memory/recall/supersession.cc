#include "memory/recall/supersession.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/ascii.h"
#include "core/in_parts.h"
#include "memory/recall/query_dates.h"
#include "memory/recall/recall_query.h"
#include "memory/tree/documents.h"
#include "memory/tree/infer.h"
#include "text/unicode/utf8.h"
#include "text/words/irregular_forms.h"
#include "text/words/lexicon.h"

namespace knapsack::memory {
namespace {

constexpr size_t kClaimsOfThread = 500;  // fewer are compared before a thread has started
constexpr size_t kMinInCommon = 2;       // words
constexpr double kMinOfShorter = 0.66;
constexpr double kMinOfReplaced = 0.49;  // … where its own words are what it puts in the other's place
constexpr size_t kMaxOther = 2;  // plain words that one of the two may have alone where the new one corrects

const Lexicon& claim_words() {
  static const Lexicon lexicon(
      "change: now new newly currently nowadays since anymore longer instead changed change moved move "
      "switched switch "
      "raised raise lowered increased increase reduced replaced updated became becomes correction actually "
      "теперь "
      "новый новая новое новые сейчас отныне больше вместо изменил* измени* перенес* перенёс* переш* переех* "
      "увелич* "
      "уменьш* повыс* сниз* замени* обнови* стал стала стало стали поправка уже\n"
      "strong: instead anymore longer switched replaced вместо перешл* отказал* замени*\n"
      "holder: own owner lead leads leader responsible maintain maintainer manage manager head chair "
      "отвечает отвечают "
      "ответственный владеет владелец руководит ведет ведёт разбирает занимается возглавляет\n"
      "event: fail failed failure crash crashed broke broken outage incident caused happened met launched "
      "tried failed "
      "сломал* упал* произош* случил* авария встретил* запустил* попробовал*\n"
      "unit: second minute hour day week month year percent ms mb gb kb tb time times requests секунд* "
      "минут* час часа "
      "часов дней день дня недел* месяц* год года лет процент* мб гб кб мс руб рубл* раз раза число числа\n"
      "place: take takes place happen happens go goes each every all per only also just is have has get один "
      "каждый "
      "каждую каждое каждые раз проходит бывает есть\n"
      "when: monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays "
      "fridays "
      "january february march april may june july august september october november december понедельник* "
      "вторник* "
      "среда среду среды средам четверг* пятниц* суббот* воскресен* январ* феврал* март* апрел* мая июн* "
      "июл* август* "
      "сентябр* октябр* ноябр* декабр*\n"
      "number: one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty "
      "hundred thousand "
      "один два две три четыре пять шесть семь восемь девять десять двадцать тридцать сорок пятьдесят сто "
      "тысяч*\n");
  return lexicon;
}

enum class WordRole : uint8_t { kPlain, kName, kNumber, kWhen };

struct ClaimWord {
  std::string written;
  WordRole role = WordRole::kPlain;
};

// What a short text says: its words without those that say nothing of the subject, by stem.
struct Claim {
  std::map<std::string, ClaimWord> words;
  bool corrects = false;
  bool replaces = false;  // says what it puts in whose place
  bool holder = false;    // of what has one holder at a time
  bool event = false;
  int64_t day = 0;  // from which on it holds
};

bool starts_with_digit(std::string_view word) {
  return !word.empty() && ascii::is_digit(word.front());
}

// "owner" and "owns" are one word here.
std::string claim_stem(const MemoryWord& word) {
  if (const auto derived = derived_stems(word.written); !derived.empty()) return derived.front();
  const auto forms = irregular_forms(word.written);
  return forms.empty() ? word.indexed : std::string(stem(memory_words().stemming, forms.front()));
}

WordRole role_of(const MemoryWord& word, std::string_view text, bool in_date) {
  const Lexicon& lexicon = claim_words();
  if (in_date || lexicon.holds(word.written, "when")) return WordRole::kWhen;
  if (starts_with_digit(word.written) || lexicon.holds(word.written, "number")) return WordRole::kNumber;
  return is_capitalised(text.substr(word.begin)) ? WordRole::kName : WordRole::kPlain;
}

Claim read_claim(const Memory& memory) {
  const Lexicon& lexicon = claim_words();
  const std::string_view text = memory.text;
  Claim claim;
  claim.day = memory.valid_from ? memory.valid_from->days() : memory.created ? memory.created->days() : 0;
  claim.event = memory.category == "moment";
  const FoundDates dates = find_dates(text, {});
  const int64_t said = claim.day;
  bool says_new = false;
  std::string_view before;
  for (const MemoryWord& word : read_memory_words(text)) {
    const bool in_date = dates.covers(word.begin, word.end);
    const bool since = before == "since" || before == "from" || before == "с";
    if (in_date && since && !dates.ranges.empty()) {
      claim.day = dates.ranges.front().first_day;
      claim.corrects = true;
    }
    if (!in_date) before = text.substr(word.begin, word.end - word.begin);
    if (lexicon.holds(word.written, "change")) {
      claim.corrects = true;
      says_new = says_new || word.written != "since";
    }
    if (lexicon.holds(word.written, "strong")) claim.replaces = true;
    if (lexicon.holds(word.written, "holder")) claim.holder = true;
    if (lexicon.holds(word.written, "event")) claim.event = true;
    const bool says_nothing = is_filler_word(word.written) || lexicon.holds(word.written, "change") ||
                              lexicon.holds(word.written, "unit") || lexicon.holds(word.written, "place");
    if (says_nothing && !in_date) continue;
    claim.words.try_emplace(
        claim_stem(word),
        ClaimWord{std::string(text.substr(word.begin, word.end - word.begin)), role_of(word, text, in_date)});
  }
  // "The new owner since March" was said of now, whatever it says of March.
  if (says_new) claim.day = std::max(claim.day, said);
  return claim;
}

// What one of two claims says and the other does not.
struct Difference {
  std::map<WordRole, std::vector<std::string>> words;
  size_t plain() const {
    const auto found = words.find(WordRole::kPlain);
    return found == words.end() ? 0 : found->second.size();
  }
  const std::string* first(WordRole role) const {
    const auto found = words.find(role);
    return found == words.end() ? nullptr : &found->second.front();
  }
};

Difference difference(const Claim& from, const Claim& other) {
  Difference made;
  for (const auto& [root, word] : from.words) {
    if (!other.words.contains(root)) made.words[word.role].push_back(word.written);
  }
  return made;
}

struct Opposed {
  std::string told;
  bool plain = false;  // plain words stand against each other
};

// The values that stand against each other; nothing where there are none.
std::optional<Opposed> opposed(const Claim& old, const Claim& fresh, const Difference& there,
                               const Difference& here) {
  const auto pair = [&](WordRole role) -> std::optional<Opposed> {
    const std::string *a = there.first(role), *b = here.first(role);
    if (a == nullptr || b == nullptr) return std::nullopt;
    return Opposed{fmt::format("{} there, {} here", *a, *b), role == WordRole::kPlain};
  };
  const bool name_counts = (old.holder && fresh.holder) || fresh.corrects;
  // Two names that are not what changed are two things.
  if (auto names = pair(WordRole::kName)) return name_counts ? names : std::nullopt;
  if (auto numbers = pair(WordRole::kNumber)) return numbers;
  if (auto days = pair(WordRole::kWhen)) return days;
  if (fresh.replaces && (here.plain() > 0 || here.first(WordRole::kName) != nullptr))
    return Opposed{"it says what it puts in whose place", true};
  if (fresh.corrects && there.plain() > 0 && here.plain() > 0 && there.plain() <= kMaxOther &&
      here.plain() <= kMaxOther)
    return pair(WordRole::kPlain);
  return std::nullopt;
}

std::optional<Contradiction> compare(const Claim& fresh, const Memory& memory) {
  const Claim old = read_claim(memory);
  if (old.event && !fresh.replaces) return std::nullopt;
  if (fresh.day < old.day) return std::nullopt;
  std::vector<std::string> common;
  size_t common_plain = 0;
  for (const auto& [root, word] : fresh.words) {
    const auto known = old.words.find(root);
    if (known == old.words.end() || word.role == WordRole::kNumber || word.role == WordRole::kWhen) continue;
    common.push_back(word.written);
    ++common_plain;
  }
  if (common.size() < kMinInCommon) return std::nullopt;
  const Difference there = difference(old, fresh), here = difference(fresh, old);
  const auto values = opposed(old, fresh, there, here);
  if (!values) return std::nullopt;
  const size_t fewest = std::min(there.plain(), here.plain()), most = std::max(there.plain(), here.plain());
  // Words of their own on both sides: two things of one kind, "production" and "staging".
  if (fewest > 0 && !values->plain) return std::nullopt;
  const auto shared = static_cast<double>(common_plain);
  if (shared / (shared + static_cast<double>(fewest)) < (values->plain ? kMinOfReplaced : kMinOfShorter))
    return std::nullopt;
  std::sort(common.begin(), common.end());
  return Contradiction{&memory, fmt::format("both speak of {}: {}", fmt::join(common, ", "), values->told),
                       shared / (shared + static_cast<double>(most))};
}

bool may_claim(const Memory& memory) {
  return memory.text.size() <= kLongestClaim && !is_question(memory.text) && !memory.broken_front_matter;
}

}  // namespace

std::vector<Contradiction> find_contradicted(const Memory& fresh, std::span<const Memory> memories) {
  std::vector<Contradiction> all;
  const Claim claim = read_claim(fresh);
  if (!may_claim(fresh) || claim.words.empty() || (claim.event && !claim.replaces)) return all;
  const size_t parts = part_count(memories.size(), kClaimsOfThread);
  std::vector<std::vector<Contradiction>> found(parts);
  in_parts(memories.size(), parts, [&](size_t part, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Memory& memory = memories[i];
      const bool counts = memory.name_space == fresh.name_space && memory.status == Status::kActive &&
                          memory.superseded_by.empty() && memory.kind != Kind::kArtifact &&
                          memory.kind != Kind::kEntity && memory.id != fresh.id && may_claim(memory);
      if (!counts) continue;
      if (auto contradiction = compare(claim, memory)) found[part].push_back(std::move(*contradiction));
    }
  });
  for (auto& each : found) all.insert(all.end(), each.begin(), each.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const Contradiction& a, const Contradiction& b) { return a.fit > b.fit; });
  if (all.size() > kMaxContradicted) all.resize(kMaxContradicted);
  return all;
}

}  // namespace knapsack::memory
