#include "stages/judge_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "code/parse/source_text.h"
#include "core/ascii.h"
#include "stages/stage_constants.h"

namespace knapsack::stages {
namespace {

constexpr size_t kShownSymbols = 12;
constexpr size_t kShownBytes = 200;
// Of a file or a part: enough to tell what it is about.
constexpr size_t kSampleLines = 6;
constexpr size_t kSampleBytes = 320;
// A file that is shown to any use takes so many tokens, and a part so many; twice as many may be asked about.
constexpr uint64_t kTokensOfShownFile = 150;
constexpr uint64_t kTokensOfShownUnit = 60;
constexpr size_t kMinAsked = 20;
constexpr size_t kMaxAsked = 400;

size_t asked_at_most(uint64_t budget, uint64_t tokens_of_each, size_t without_budget) {
  if (budget == 0) return without_budget;
  return std::clamp<size_t>(2 * budget / tokens_of_each, kMinAsked, kMaxAsked);
}

bool is_license(std::string_view line) {
  const std::string lowered = ascii::lower(line);
  for (const std::string_view word : {"copyright", "license", "licence", "all rights reserved", "spdx-"})
    if (lowered.find(word) != std::string::npos) return true;
  return false;
}

class Samples {
 public:
  explicit Samples(const StageInput& input) : input_(input) {}

  std::string of(const std::string& path, LineRange range) {
    const code::TextLines* lines = lines_of(path);
    return lines == nullptr ? std::string() : sample_of(*lines, range);
  }

 private:
  const code::TextLines* lines_of(const std::string& path) {
    const auto known = lines_.find(path);
    if (known != lines_.end()) return known->second ? &*known->second : nullptr;
    auto& lines = lines_[path];
    const auto number = input_.index.find_file(path);
    const auto text = number ? input_.texts.read(*number) : Error{ErrorCode::kNotFound, "", ""};
    if (text.ok()) lines.emplace(**text);
    return lines ? &*lines : nullptr;
  }

  const StageInput& input_;
  std::unordered_map<std::string, std::optional<code::TextLines>> lines_;
};

// Empty for a file without a line to judge it by.
std::string summary(const StageInput& input, const ScopedFile& file, Samples& samples) {
  const std::string sample = samples.of(file.path, {1, 60});
  if (sample.empty()) return "";
  std::string text = fmt::format("{} ({})", file.path, fmt::join(file.relations, "; "));
  const auto number = input.index.find_file(file.path);
  if (!number) return "";
  const auto metadata = input.index.file_metadata(*number);
  if (metadata.ok() && *metadata != nullptr) text += fmt::format(" {}", (*metadata)->purpose);
  const auto symbols = input.index.symbols(*number);
  std::string names;
  size_t shown = 0;
  for (const code::SymbolRow& row : symbols.ok() ? *symbols : std::vector<code::SymbolRow>()) {
    if (row.symbol.parent != code::kNoSymbol || shown++ >= kShownSymbols) continue;
    names += (names.empty() ? "" : ", ") + row.symbol.name;
  }
  if (!names.empty()) text += " defines " + names;
  return text + " | begins: " + sample;
}

// Likewise.
std::string described(const StageInput& input, const SelectedSymbol& symbol, Samples& samples) {
  const std::string sample = samples.of(symbol.path, symbol.lines);
  if (sample.empty()) return "";
  std::string text =
      fmt::format("{} in {} lines {}-{}: {} ({})", symbol.name, symbol.path, symbol.lines.first,
                  symbol.lines.last, code::cut_utf8(symbol.signature, kShownBytes), symbol.reason);
  const auto number = symbol.position == kNoPosition ? std::nullopt : input.index.find_file(symbol.path);
  if (number) {
    const auto symbols = input.index.symbols(*number);
    if (symbols.ok() && static_cast<size_t>(symbol.position) < symbols->size()) {
      const std::string& doc = (*symbols)[static_cast<size_t>(symbol.position)].symbol.docstring;
      if (!doc.empty()) text += fmt::format(" | says: {}", code::cut_utf8(doc, kShownBytes));
    }
  }
  return text + " | begins: " + sample;
}

std::string told(const std::string& word, const std::string& reason) {
  return fmt::format("model: {}{}{}", word, reason.empty() ? "" : ", ", reason);
}

}  // namespace

std::string sample_of(const code::TextLines& text, LineRange range) {
  std::string sample;
  size_t lines = 0;
  for (uint32_t line = range.first; line <= std::min(range.last, text.count()) && lines < kSampleLines;
       ++line) {
    const std::string_view shown = ascii::trim_space(text.line(line));
    const bool says_something =
        std::any_of(shown.begin(), shown.end(), [](char c) { return ascii::is_word(c); });
    if (!says_something || (code::is_remark(shown) && is_license(shown))) continue;
    sample += fmt::format("{}{}", sample.empty() ? "" : " / ", shown);
    ++lines;
    if (sample.size() >= kSampleBytes) break;
  }
  return std::string(code::cut_utf8(sample, kSampleBytes));
}

void judge_files(Judge& judge, const StageInput& input, StageContext& context) {
  const Question question{
      "scope",
      "You decide which files of a repository are needed for a programming task: "
      "\"relevant\" files must be read or changed to do it, \"irrelevant\" ones need not be "
      "looked at.",
      {"relevant", "irrelevant"}};
  const size_t most = asked_at_most(input.budget, kTokensOfShownFile, context.files.size());
  Samples samples(input);
  std::vector<ScopedFile*> asked;
  std::vector<std::string> candidates;
  for (ScopedFile& file : context.files) {
    if (!file.kept) continue;
    if (asked.size() == most) {
      context.infos.push_back(fmt::format("scope: the model is asked about the first {} files", most));
      break;
    }
    std::string shown = summary(input, file, samples);
    if (shown.empty()) continue;
    asked.push_back(&file);
    candidates.push_back(std::move(shown));
  }
  const Opinions opinions = judge.classify(question, input.task, candidates);
  context.problems.insert(context.problems.end(), opinions.problems.begin(), opinions.problems.end());
  for (size_t i = 0; i < asked.size(); ++i) {
    if (!opinions.opinions[i]) continue;
    ScopedFile& file = *asked[i];
    file.verdict = told(question.choices[opinions.opinions[i]->choice], opinions.opinions[i]->reason);
    // The task itself points to seeds; no opinion takes them away.
    if (opinions.opinions[i]->choice != 0 && file.tier != ScopeTier::kSeed) file.kept = false;
  }
}

void judge_units(Judge& judge, const StageInput& input, StageContext& context) {
  const Question question{"precision",
                          "You decide how much of each part of the source code a programming task needs: "
                          "\"primary\" must be read "
                          "in full or changed, \"supporting\" helps to do it right, \"type_context\" is a "
                          "type whose shape matters, "
                          "\"excluded\" need not be seen.",
                          {"primary", "supporting", "type_context", "excluded"}};
  const size_t most = asked_at_most(input.budget, kTokensOfShownUnit, kJudgedUnits);
  Samples samples(input);
  std::vector<SelectedSymbol*> asked;
  std::vector<std::string> candidates;
  std::vector<bool> points_at;  // what the task itself names or points at stays, whatever the model says
  for (SelectedSymbol& symbol : context.symbols) {
    if (symbol.tier == SymbolTier::kExcluded || symbol.kind == code::UnitKind::kImports) continue;
    if (asked.size() == most) {
      context.infos.push_back(fmt::format("precision: the model is asked about the first {} parts", most));
      break;
    }
    std::string shown = described(input, symbol, samples);
    if (shown.empty()) continue;
    asked.push_back(&symbol);
    points_at.push_back(symbol.tier == SymbolTier::kPrimary && symbol.reason != kHasWords);
    candidates.push_back(std::move(shown));
  }
  const Opinions opinions = judge.classify(question, input.task, candidates);
  context.problems.insert(context.problems.end(), opinions.problems.begin(), opinions.problems.end());
  for (size_t i = 0; i < asked.size(); ++i) {
    if (!opinions.opinions[i]) continue;
    const auto tier = static_cast<SymbolTier>(opinions.opinions[i]->choice);
    asked[i]->reason += "; " + told(std::string(to_string(tier)), opinions.opinions[i]->reason);
    if (asked[i]->named || points_at[i]) continue;
    asked[i]->tier = tier;
    asked[i]->judged = true;
  }
}

}  // namespace knapsack::stages
