#include "engine/eval/eval_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "code/ask/snapshot_texts.h"
#include "code/index/indexer.h"
#include "code/parse/language.h"
#include "code/rank/task_terms.h"
#include "engine/eval/eval_packet.h"
#include "engine/sources/code_vectors.h"
#include "store/sqlite/fts_ranking.h"
#include "understand/understand.h"

namespace knapsack {
namespace {

using std::chrono::steady_clock;

// What a report names of each ranking, so that a miss can be looked at.
constexpr size_t kNamedFiles = 20;

int64_t micros_since(steady_clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - begin).count();
}

// The expected files that can be found at all: sources of a program that were there.
std::vector<uint32_t> findable(const code::CodeIndex& index, const std::vector<std::string>& paths) {
  std::vector<uint32_t> files;
  for (const std::string& path : paths) {
    const auto file = index.find_file(path);
    if (file && code::detect_language(path, "").is_code()) files.push_back(*file);
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

std::string language_of(const code::CodeIndex& index, const std::vector<uint32_t>& gold) {
  return std::string(code::detect_language(index.file(gold.front()).name, "").name);
}

double share_of(const code::CodeIndex& index, const std::vector<uint32_t>& gold,
                const std::vector<std::string>& paths) {
  const auto there = std::count_if(gold.begin(), gold.end(), [&](uint32_t file) {
    return std::find(paths.begin(), paths.end(), index.file(file).name) != paths.end();
  });
  return static_cast<double>(there) / static_cast<double>(gold.size());
}

using R = code::RankingOptions;

struct MethodRow {
  std::string_view name;
  std::string_view meaning;
  std::array<bool R::*, 10> without;  // null at the end
};
constexpr std::string_view kFtsMethod = "fts5";
constexpr MethodRow kMethods[] = {
    {"full", "every signal", {}},
    {"lexical",
     "only BM25 over file name and body",
     {&R::definitions, &R::messages, &R::references, &R::traces, &R::paths, &R::demotion, &R::co_changes,
      &R::test_co_changes, &R::imports, &R::meaning}},
    {kFtsMethod, "SQLite's own full-text search over file name and body, for comparison", {}},
    {"no-graph", "without import edges", {&R::imports}},
    {"no-history",
     "without commits and co-changes",
     {&R::messages, &R::references, &R::co_changes, &R::test_co_changes}},
    {"no-second-stage",
     "without signals from the best files",
     {&R::co_changes, &R::test_co_changes, &R::imports}},
    {"no-demotion", "tests and documentation count as much as sources", {&R::demotion}},
    {"no-file-names", "without words in file names", {&R::file_names}},
    {"no-definitions", "without words in names of definitions", {&R::definitions}},
    {"no-messages", "without commit messages", {&R::messages}},
    {"no-references", "without issues and commits that the task names", {&R::references}},
    {"no-traces", "without stack traces", {&R::traces}},
    {"no-paths", "without named files", {&R::paths}},
    {"no-co-changes", "without what changes with the best files", {&R::co_changes}},
    {"no-meaning", "without the encoder, which affects only short questions", {&R::meaning}},
    {"no-test-co-changes", "without what changes with the best tests", {&R::test_co_changes}},
};

}  // namespace

std::vector<EvalMethod> eval_methods() {
  std::vector<EvalMethod> methods;
  for (const MethodRow& row : kMethods) methods.push_back({row.name, row.meaning});
  return methods;
}

std::optional<code::RankingOptions> ranking_of_method(std::string_view name) {
  for (const MethodRow& row : kMethods) {
    if (row.name != name) continue;
    code::RankingOptions options;
    for (bool code::RankingOptions::*part : row.without) {
      if (part != nullptr) options.*part = false;
    }
    return options;
  }
  return std::nullopt;
}

RepositoryEvaluation::RepositoryEvaluation(FileSystem& files, Options options)
    : files_(files), options_(std::move(options)) {}

Status RepositoryEvaluation::index(const std::string& commit) {
  const auto began = steady_clock::now();
  code::IndexRequest request;
  request.workspace = options_.repository;
  request.state_folder = options_.state_folder;
  request.revision = commit;
  request.now = options_.now;
  request.wait = std::chrono::hours(1);
  const auto report = code::index_repository(files_, request);
  index_seconds_ += static_cast<double>(micros_since(began)) / 1e6;
  return report.ok() ? ok_status() : Status(report.error());
}

Result<std::vector<EvalAnswer>> RepositoryEvaluation::answer(const EvalTask& task) {
  if (!std::exchange(rules_checked_, true) && code::is_outdated(files_, options_.state_folder))
    KNAPSACK_CHECK(index(task.base_commit));
  const auto open = [&] { return code::CodeIndex::open(files_, options_.state_folder, task.base_commit); };
  auto opened = open();
  if (!opened.ok()) {
    KNAPSACK_CHECK(index(task.base_commit));
    opened = open();
    if (!opened.ok()) return opened.error();
  }
  code::CodeIndex& index = **opened;
  std::vector<EvalAnswer> answers;
  const std::vector<uint32_t> gold = findable(index, task.gold_files);
  if (gold.empty()) return answers;
  const TaskQuery query = understand(task.query);
  KNAPSACK_TRY(const auto near, compare(index, query));
  const Question question{query, task, gold, near ? &*near : nullptr};
  for (const std::string& method : options_.methods) {
    KNAPSACK_TRY(auto answer, ask(index, question, method, answers.empty()));
    answers.push_back(std::move(answer));
  }
  return answers;
}

Result<std::optional<code::FileMeaning>> RepositoryEvaluation::compare(code::CodeIndex& index,
                                                                       const TaskQuery& query) {
  std::optional<code::FileMeaning> near;
  const bool asked = std::any_of(
      options_.methods.begin(), options_.methods.end(),
      [](const std::string& method) { return ranking_of_method(method)->meaning && method != kFtsMethod; });
  if (!asked || options_.model_file.empty() || !is_short_question(query)) return near;
  if (!encoder_) {
    KNAPSACK_TRY(encoder_, meaning::TextEncoder::open(files_, options_.model_file));
  }
  KNAPSACK_TRY(auto vectors, CodeVectors::open(files_, options_.state_folder, true, *encoder_, index));
  if (vectors.missing() > 0) {
    KNAPSACK_TRY(const auto texts, code::SnapshotTexts::open(files_, options_.repository, index.snapshot()));
    KNAPSACK_CHECK(vectors.make(texts));
  }
  KNAPSACK_TRY(near, vectors.compare(query.text));
  return near;
}

Result<EvalAnswer> RepositoryEvaluation::ask(code::CodeIndex& index, const Question& question,
                                             const std::string& method, bool first) {
  const auto& [query, task, gold, near] = question;
  code::RankingOptions ranking = *ranking_of_method(method);
  ranking.near = near;
  for (const code::RankingConstantRow& row : code::ranking_constant_rows()) {
    const auto value = options_.constants.find(fmt::format("code.ranking.{}", row.name));
    if (value != options_.constants.end()) ranking.constants.*row.value = value->second;
  }
  EvalAnswer answer;
  answer.id = task.id;
  answer.groups = {{"repository", task.repository}, {"language", language_of(index, gold)}};
  const auto rank = [&, &asked = question.query] {
    return method == kFtsMethod ? rank_by_fts(index, asked) : rank_files(index, asked, ranking);
  };
  auto began = steady_clock::now();
  if (first) {
    KNAPSACK_CHECK(rank());
    answer.first_micros = micros_since(began);
    began = steady_clock::now();
  }
  KNAPSACK_TRY(const auto ranked, rank());
  answer.micros = micros_since(began);
  for (const uint32_t file : gold) {
    const auto found = std::find_if(ranked.begin(), ranked.end(),
                                    [&](const code::RankedFile& each) { return each.file == file; });
    answer.ranks.push_back(found == ranked.end() ? 0 : static_cast<uint32_t>(found - ranked.begin()) + 1);
  }
  for (size_t i = 0; i < std::min(ranked.size(), kNamedFiles); ++i) {
    answer.best.push_back(index.file(ranked[i].file).name);
  }
  KNAPSACK_CHECK(add_budgets(index, query, ranked, gold, task, answer));
  return answer;
}

Result<std::vector<code::RankedFile>> RepositoryEvaluation::rank_by_fts(code::CodeIndex& index,
                                                                        const TaskQuery& query) const {
  KNAPSACK_TRY(const auto texts, code::SnapshotTexts::open(files_, options_.repository, index.snapshot()));
  KNAPSACK_TRY(FtsRanking fts, FtsRanking::create());
  for (size_t file = 0; file < index.files().size(); ++file) {
    const code::FileRow& row = index.files()[file];
    if (row.blob == 0) continue;  // only listed: too large, or no text
    KNAPSACK_TRY(const std::string text, texts.read(row));
    KNAPSACK_CHECK(fts.add(static_cast<uint32_t>(file), row.name, text));
  }
  std::vector<std::string> words;
  for (const code::TaskTerm& term : code::task_terms(query, {}).body) words.push_back(term.text);
  KNAPSACK_TRY(const auto best, fts.best(words));
  std::vector<code::RankedFile> ranked(best.size());
  for (size_t i = 0; i < best.size(); ++i) ranked[i].file = best[i];
  return ranked;
}

// Where every changed file was: which functions its changed lines stand in.
Result<GoldLines> RepositoryEvaluation::gold_lines(code::CodeIndex& index, const EvalTask& task) const {
  GoldLines gold;
  for (const auto& [path, lines] : task.gold_lines) {
    const auto file = index.find_file(path);
    if (!file || lines.empty()) continue;
    KNAPSACK_TRY(const code::BlobRow* blob, index.blob(*file));
    if (blob == nullptr) continue;
    KNAPSACK_TRY(const auto symbols, index.symbols(*file));
    gold.add(path, lines, symbols, blob->lines);
  }
  return gold;
}

Status RepositoryEvaluation::add_budgets(code::CodeIndex& index, const TaskQuery& query,
                                         const std::vector<code::RankedFile>& ranked,
                                         const std::vector<uint32_t>& gold, const EvalTask& task,
                                         EvalAnswer& answer) const {
  if (options_.budgets.empty()) return ok_status();
  code::UnitConstants units;
  for (const code::UnitConstantRow& row : code::unit_constant_rows()) {
    const auto value = options_.constants.find(fmt::format("code.units.{}", row.name));
    if (value != options_.constants.end()) units.*row.value = value->second;
  }
  KNAPSACK_TRY(const PacketTrial trial,
               PacketTrial::prepare(files_, options_.repository, index, query, ranked, units));
  KNAPSACK_TRY(const GoldLines lines, gold_lines(index, task));
  if (!lines.functions.empty()) {
    const auto ranks = function_ranks(lines, trial.ranking());
    for (const uint32_t k : {1U, 5U, 10U}) {
      const auto within = [&](uint32_t rank) { return rank != 0 && rank <= k; };
      answer.packet[fmt::format("function acc@{}", k)] =
          std::all_of(ranks.begin(), ranks.end(), within) ? 1 : 0;
      answer.packet[fmt::format("function hit@{}", k)] =
          std::any_of(ranks.begin(), ranks.end(), within) ? 1 : 0;
    }
  }
  for (const bool fill : {false, true}) {
    for (const size_t budget : options_.budgets) {
      KNAPSACK_TRY(const PackedFiles packed, trial.pack(budget, fill));
      const std::string at = fmt::format("@{}{}", budget, fill ? " filled" : "");
      answer.packet["recall" + at] = share_of(index, gold, packed.any_form);
      answer.amounts["tokens" + at] = static_cast<double>(packed.used);
      answer.amounts["files" + at] = static_cast<double>(packed.lines.size());
      if (lines.empty()) continue;
      const LineFigures figures = measure_lines(lines, packed.lines);
      answer.packet["lines" + at] = figures.lines;
      answer.packet["whole" + at] = figures.whole;
      answer.packet["any" + at] = figures.any;
      answer.packet["code" + at] = figures.code;
      answer.packet["precision" + at] = figures.precision;
      answer.packet["f1" + at] = figures.f1;
    }
  }
  return ok_status();
}

}  // namespace knapsack
