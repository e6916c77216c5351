#include "understand/question_translation.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>

#include "text/unicode/utf8.h"
#include "understand/programming_terms.h"
#include "understand/task_analysis.h"

namespace knapsack {
namespace {

using TermField = std::string_view ProgrammingTerm::*;

// Lower case without accents: how both sides are compared.
std::string folded(std::string_view text) {
  utf8proc_uint8_t* made = nullptr;
  const std::string valid = replace_invalid_utf8(text);
  const auto size = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(valid.data()), static_cast<utf8proc_ssize_t>(valid.size()),
      &made, static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK | UTF8PROC_CASEFOLD));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(made, &std::free);
  if (size < 0) return valid;
  return std::string(reinterpret_cast<const char*>(made), static_cast<size_t>(size));
}

std::vector<std::string> words_between_spaces(std::string_view text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

struct ForeignWord {
  std::string folded;
  std::string_view english;
};

std::vector<ForeignWord> words_of(TermField language) {
  std::vector<ForeignWord> words;
  for (const ProgrammingTerm& term : programming_terms()) {
    for (const std::string& word : words_between_spaces(folded(term.*language)))
      words.push_back({word, term.english});
  }
  return words;
}

enum class Script { kLatin, kCyrillic, kEastAsian, kOther };

Script script_of(char32_t c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0x24F)) return Script::kLatin;
  if (c >= 0x400 && c <= 0x52F) return Script::kCyrillic;
  const bool ideograph = (c >= 0x3400 && c <= 0x9FFF) || (c >= 0x20000 && c <= 0x2FFFF);
  const bool kana = c >= 0x3041 && c <= 0x30FF;
  return ideograph || kana ? Script::kEastAsian : Script::kOther;
}

struct ScriptRun {
  Script script = Script::kOther;
  std::string text;
};

// Letters of one script side by side. What looks like a name of the code (digits, underscores) is not among them.
std::vector<ScriptRun> runs_of(std::string_view text) {
  std::vector<ScriptRun> runs;
  bool apart = true;
  while (!text.empty()) {
    const DecodedCodePoint next = decode_code_point(text);
    const Script script = next.valid ? script_of(next.value) : Script::kOther;
    if (script == Script::kOther) {
      apart = true;
    } else {
      if (apart || runs.back().script != script) runs.push_back({script, ""});
      runs.back().text += text.substr(0, next.size);
      apart = false;
    }
    text.remove_prefix(next.size);
  }
  return runs;
}

struct LittleWords {
  TermField language;  // none: English
  std::string_view words;
};
constexpr LittleWords kLittleWords[] = {
    {nullptr,
     " the is are how where what why which who does do did of in to for a an and when with by from it this "},
    {&ProgrammingTerm::spanish,
     " el la los las un una de del que se como donde cuando por para con cual quien esta es son y al no "},
    {&ProgrammingTerm::german,
     " der die das den dem ein eine einen und wie wo was warum wird werden ist sind nicht fur mit von im zu "
     "wer "},
    {&ProgrammingTerm::french,
     " le la les un une des du de ou comment pourquoi est sont dans pour avec qui que quel quelle et on par "
     "l d "},
};

// Which of the languages that are written in Latin letters it is; none for English, or where it cannot be told.
TermField latin_language(const std::vector<ScriptRun>& runs) {
  TermField best = nullptr;
  size_t most = 0;
  for (const LittleWords& language : kLittleWords) {
    size_t count = 0;
    for (const ScriptRun& run : runs) {
      if (run.script == Script::kLatin &&
          language.words.find(" " + folded(run.text) + " ") != std::string_view::npos)
        ++count;
    }
    // English comes first and stays where another has no more.
    if (count > most && (language.language == nullptr || count >= 2)) {
      most = count;
      best = language.language;
    }
  }
  return best;
}

// A beginning of three letters says little: not much may follow it.
bool begins(const std::string& word, const std::string& stem) {
  const size_t letters = count_code_points(stem);
  if (letters < 3 || !word.starts_with(stem)) return false;
  const size_t more = count_code_points(word) - letters;
  const bool latin = static_cast<unsigned char>(stem[0]) < 0x80;
  if (letters == 3) return more <= (latin ? 0U : 3U);
  return more <= 7;
}

constexpr const char* kCyrillicLetters[] = {"a", "b",  "v",  "g",   "d", "e", "zh", "z", "i",  "y", "k",
                                            "l", "m",  "n",  "o",   "p", "r", "s",  "t", "u",  "f", "h",
                                            "c", "ch", "sh", "sch", "",  "y", "",   "e", "yu", "ya"};

// "парсер" is "parser"; empty for letters that Russian has not.
std::string in_latin_letters(std::string_view word) {
  constexpr char32_t kFirst = 0x430;  // а, of 32 letters
  std::string latin;
  while (!word.empty()) {
    const DecodedCodePoint next = decode_code_point(word);
    word.remove_prefix(next.size);
    if (next.value < kFirst || next.value >= kFirst + std::size(kCyrillicLetters)) return "";
    latin += kCyrillicLetters[next.value - kFirst];
  }
  return latin;
}

class Translation {
 public:
  void add(std::string_view english) {
    for (const std::string& word : words_between_spaces(english)) {
      if (words_.size() < kMaxTranslations && std::find(words_.begin(), words_.end(), word) == words_.end())
        words_.push_back(word);
    }
  }

  // Whether the dictionary has it; of several beginnings the longest counts.
  bool look_up(const std::string& word, const std::vector<ForeignWord>& dictionary) {
    size_t longest = 0;
    for (const ForeignWord& entry : dictionary) {
      if (begins(word, entry.folded)) longest = std::max(longest, entry.folded.size());
    }
    for (const ForeignWord& entry : dictionary) {
      if (entry.folded.size() == longest && begins(word, entry.folded)) add(entry.english);
    }
    return longest > 0;
  }

  // Nothing stands between the words: the longest one at each place counts.
  void look_along(std::string_view text, const std::vector<ForeignWord>& dictionary) {
    while (!text.empty()) {
      size_t longest = 0;
      for (const ForeignWord& entry : dictionary) {
        if (text.starts_with(entry.folded)) longest = std::max(longest, entry.folded.size());
      }
      for (const ForeignWord& entry : dictionary) {
        if (longest > 0 && entry.folded.size() == longest && text.starts_with(entry.folded))
          add(entry.english);
      }
      text.remove_prefix(longest > 0 ? longest : decode_code_point(text).size);
    }
  }

  std::vector<std::string> take() { return std::move(words_); }

 private:
  std::vector<std::string> words_;
};

}  // namespace

std::vector<std::string> translate_question(std::string_view question) {
  const std::vector<ScriptRun> runs = runs_of(utf8_prefix(question, kMaxTranslatedBytes));
  const auto has = [&](Script script) {
    return std::any_of(runs.begin(), runs.end(), [&](const ScriptRun& run) { return run.script == script; });
  };
  std::vector<ForeignWord> russian, east, latin;
  if (has(Script::kCyrillic)) russian = words_of(&ProgrammingTerm::russian);
  if (has(Script::kEastAsian)) {
    east = words_of(&ProgrammingTerm::chinese);
    const auto japanese = words_of(&ProgrammingTerm::japanese);
    east.insert(east.end(), japanese.begin(), japanese.end());
  }
  if (const TermField language = latin_language(runs)) latin = words_of(language);
  Translation translation;
  for (const ScriptRun& run : runs) {
    const std::string word = folded(run.text);
    if (run.script == Script::kEastAsian) translation.look_along(word, east);
    if (run.script == Script::kLatin && !latin.empty()) translation.look_up(word, latin);
    if (run.script != Script::kCyrillic || translation.look_up(word, russian)) continue;
    if (count_code_points(word) >= 4) translation.add(in_latin_letters(word));
  }
  return translation.take();
}

std::string with_translation(std::string_view question) {
  std::string both(question);
  char before = '\n';
  for (const std::string& word : translate_question(question)) {
    both += before + word;
    before = ' ';
  }
  return both;
}

TaskQuery analyze_question(std::string_view question) {
  TaskQuery task = analyze_task(with_translation(question));
  task.text = question;
  return task;
}

}  // namespace knapsack
