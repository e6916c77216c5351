#include "memory/capture/capture.h"

#include <algorithm>
#include <span>
#include <unordered_set>

#include "core/ascii.h"
#include "memory/recall/query_dates.h"
#include "memory/recall/recall_query.h"
#include "memory/tree/infer.h"
#include "memory/tree/write_memory.h"
#include "text/markdown/markdown_lines.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"
#include "text/words/lexicon.h"
#include "text/words/phrase_lexicon.h"
#include "text/words/words.h"

namespace knapsack::memory {
namespace {

constexpr std::string_view kDecisions =
    "we decided, we have decided, i decided, decided to, we agreed, agreed to use, let us go with, let s "
    "go with, we go with, going with, we will use, we ll use, we settled on, settled on, we chose, i "
    "chose, the decision is, final decision, we are keeping, we keep, we stay with, we are moving to, we "
    "switch to, we are dropping, мы решили, решили, решено, договорились, выбрали, выбираем, остановились "
    "на, останавливаемся на, переходим на, остаемся на, остаёмся на, отказываемся от, будем использовать";
constexpr std::string_view kPreferences =
    "i prefer, i d prefer, i would prefer, i like, i don t like, i dislike, i hate, i always, i never, "
    "from now on, in future, always use, never use, always write, never write, always run, never run, "
    "never commit, always ask, never push, always answer, never touch, do not ever, don t ever, please "
    "always, please never, my favourite, my favorite, we prefer, we always, we never, я предпочитаю, "
    "предпочитаю, мне нравится, мне не нравится, я люблю, я не люблю, впредь, всегда пиши, всегда "
    "используй, никогда не, всегда запускай, всегда, мы никогда, отвечай всегда";
constexpr std::string_view kCorrections =
    "that is wrong, that s wrong, that is not right, that s not right, that is incorrect, no it is, no it "
    "s, no we, no the, actually it, actually the, actually we, correction, i was wrong, not true, это "
    "неверно, это не так, это неправильно, на самом деле, поправка, нет это, нет мы, я ошибся, я ошиблась";
constexpr std::string_view kFailures =
    "we tried, i tried, did not work, didn t work, does not work because, doesn t work because, failed "
    "because, fails because, gave up, without success, root cause was, root cause is, the cause was, was "
    "caused by, turned out, мы пробовали, пробовали, я пробовал, не сработало, не помогло, не получилось, "
    "не работает потому, причина была, причина в том, оказалось, сломалось из за, упало из за";
// What says that something holds.
constexpr std::string_view kFacts =
    "owns, is owned by, is the owner, is responsible for, is in charge, leads, deadline is, is due, the "
    "release is, release is on, is scheduled, starts on, ends on, expires on, expire after, expires "
    "after, lives in, runs on, listens on, is limited to, limit is, is called, is kept for, are kept for, "
    "costs, is on vacation, moved to, my name is, our office, the password policy, is stored in, are "
    "stored in, отвечает, владелец, ответственный за, дедлайн, релиз, срок, истекает, начинается, "
    "заканчивается, живет в, живёт в, работает на, лимит, называется, хранится, хранятся, стоит, "
    "переехал, меня зовут, в отпуске, действует до";
// What takes the weight off a sentence: a guess, a wish for the moment, talk about talking.
constexpr std::string_view kGuesses =
    "maybe, perhaps, might, if we, if you, if i, should we, shall we, could you, can you, would you, what "
    "if, i think, i guess, not sure, let me, i will, i ll, i am going to, i m going to, i have, i ve, for "
    "example, such as, we could, you could, it seems, probably, можешь, может быть, возможно, если, "
    "наверное, думаю, кажется, давай посмотрим, не уверен, не уверена, сейчас я, я сейчас, например, "
    "можно ли, could be, would be";

// What stands between the commas of a list.
PhraseLexicon lexicon_of(std::string_view list) {
  std::vector<std::string_view> phrases;
  while (!list.empty()) {
    const size_t comma = list.find(", ");
    phrases.push_back(list.substr(0, comma));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 2);
  }
  return PhraseLexicon(phrases);
}

struct Cue {
  std::string_view category;
  std::string_view phrases;
  bool of_agent;  // also where the agent says it
};

const std::vector<std::pair<Cue, PhraseLexicon>>& cues() {
  static const std::vector<std::pair<Cue, PhraseLexicon>> made = [] {
    const Cue rows[] = {{"correction", kCorrections, false},
                        {"decision", kDecisions, true},
                        {"moment", kFailures, true},
                        {"preference", kPreferences, false},
                        {"fact", kFacts, false}};
    std::vector<std::pair<Cue, PhraseLexicon>> all;
    for (const Cue& row : rows) all.emplace_back(row, lexicon_of(row.phrases));
    return all;
  }();
  return made;
}

// The sentences of a turn, without code, quotations, headings and tables.
std::vector<std::string> sentences_of(std::string_view text) {
  std::vector<std::string> sentences;
  bool fenced = false;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with("```") || line.starts_with("~~~")) {
      fenced = !fenced;
      continue;
    }
    if (fenced || line.starts_with('>') || line.starts_with('|') || line.starts_with('#') ||
        line.starts_with('$'))
      continue;
    if (line.starts_with("- ") || line.starts_with("* ")) line = trim(line.substr(2));
    size_t begin = 0;
    for (size_t at = 0; at < line.size(); ++at) {
      const bool stop = line[at] == '.' || line[at] == '!' || line[at] == '?' || line[at] == ';';
      if (!stop || (at + 1 < line.size() && line[at + 1] != ' ')) continue;
      sentences.emplace_back(trim(line.substr(begin, at + 1 - begin)));
      begin = at + 1;
    }
    if (begin < line.size()) sentences.emplace_back(trim(line.substr(begin)));
  }
  return sentences;
}

// A fact needs something to hold on to: a number, a day, or a name behind its first word.
bool is_concrete(std::string_view sentence) {
  if (!find_dates(sentence, {}).ranges.empty()) return true;
  bool first = true;
  WordReader reader(sentence);
  for (Word word; reader.next(word); first = false) {
    const std::string_view written = sentence.substr(word.begin, word.end - word.begin);
    if (written.find_first_of("0123456789") != std::string_view::npos) return true;
    if (is_time_word(word.text) && word.text != "next" && word.text != "last") return true;
    if (!first && is_capitalised(written)) return true;
  }
  return false;
}

// Who has what: its subject is a name, wherever it stands.
bool tells_holder(std::string_view because) {
  constexpr std::string_view kHolders[] = {
      "owns",     "is owned by",      "is the owner", "is responsible for", "is in charge", "leads",
      "отвечает", "ответственный за", "владелец"};
  return std::find(std::begin(kHolders), std::end(kHolders), because) != std::end(kHolders);
}

// Behind "ok," or "no," the sentence itself begins.
std::string without_lead(std::string_view sentence) {
  constexpr std::string_view kLeads[] = {"ok, ", "okay, ",   "yes, ",   "no, ",         "right, ", "well, ",
                                         "so ",  "and ",     "also, ",  "by the way, ", "да, ",    "нет, ",
                                         "ок, ", "хорошо, ", "ладно, ", "кстати, ",     "итак, ",  "и "};
  for (const std::string_view lead : kLeads) {
    const std::string_view begin = sentence.substr(0, lead.size());
    const auto words = words_of(begin), wanted = words_of(lead);
    if (begin.size() == lead.size() && words == wanted && begin.ends_with(lead.back())) {
      std::string rest(trim(sentence.substr(lead.size())));
      if (!rest.empty() && ascii::is_lower(rest.front()))
        rest.front() = static_cast<char>(rest.front() - 'a' + 'A');
      return rest;
    }
  }
  return std::string(sentence);
}

bool could_be_memory(std::string_view sentence) {
  const size_t characters = count_code_points(sentence);
  return characters >= kShortestProposal && characters <= kLongestProposal && !sentence.ends_with('?') &&
         !sentence.ends_with(':');
}

bool holds_secret(std::string text) {
  return redact_secrets(text) > 0;
}

}  // namespace

std::vector<Proposal> capture_candidates(const Transcript& transcript) {
  std::vector<Proposal> candidates;
  std::unordered_set<std::string> known;
  for (size_t t = 0; t < transcript.turns.size(); ++t) {
    const Turn& turn = transcript.turns[t];
    for (const std::string& sentence : sentences_of(turn.text)) {
      if (!could_be_memory(sentence)) continue;
      std::string text = without_lead(sentence);
      if (!holds_secret(text) && known.insert(normalised_hash(text)).second)
        candidates.push_back({std::move(text), "", "", t, turn.user});
    }
  }
  return candidates;
}

std::vector<Proposal> propose_memories(const Transcript& transcript) {
  static const PhraseLexicon guesses = lexicon_of(kGuesses);
  std::vector<Proposal> proposals;
  std::unordered_set<std::string> known;
  for (size_t t = 0; t < transcript.turns.size(); ++t) {
    const Turn& turn = transcript.turns[t];
    for (const std::string& sentence : sentences_of(turn.text)) {
      if (proposals.size() == kMaxProposals) return proposals;
      if (!could_be_memory(sentence)) continue;
      const auto words = spoken_words(sentence);
      if (!guesses.find(words).empty()) continue;
      for (const auto& [cue, lexicon] : cues()) {
        if (!turn.user && !cue.of_agent) continue;
        std::string because = lexicon.find(words);
        if (because.empty() || (cue.category == "fact" && !tells_holder(because) && !is_concrete(sentence)))
          continue;
        std::string text = without_lead(sentence);
        if (!holds_secret(text) && known.insert(normalised_hash(text)).second)
          proposals.push_back({std::move(text), std::string(cue.category), std::move(because), t, turn.user});
        break;
      }
    }
  }
  return proposals;
}

}  // namespace knapsack::memory
