// How fast history is told and a work tree walked, on repositories made for the purpose.
#include <benchmark/benchmark.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>

#include "code/walk/ignore.h"
#include "code/walk/tree_walk.h"
#include "git/co_change.h"
#include "git/history.h"
#include "git/repository.h"

namespace {

using namespace knapsack;

// A repository of 3,000 files and 5,000 commits, a tenth of them merges, with edits, additions and moves; and
// its work tree checked out. Made once and removed at the end.
class Generated {
 public:
  static const Generated& get() {
    static const Generated generated;
    return generated;
  }
  ~Generated() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }
  const GitRepository& repository() const { return *repository_; }
  const std::string& head() const { return head_; }

 private:
  Generated() {
    std::string pattern = std::filesystem::temp_directory_path() / "knapsack-bench-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = std::filesystem::canonical(pattern);
    const std::string git = "git -C " + path_ + " -c core.fsync=none ";
    if (std::system((git + "init -q -b main").c_str()) != 0) throw std::runtime_error("git init failed");
    FILE* import = ::popen((git + "fast-import --quiet").c_str(), "w");
    if (import == nullptr) throw std::runtime_error("git fast-import failed");
    write_history(import);
    if (::pclose(import) != 0 || std::system((git + "repack -q -a -d").c_str()) != 0 ||
        std::system((git + "checkout -q -f main").c_str()) != 0) {
      throw std::runtime_error("git failed");
    }
    auto opened = GitRepository::open(path_);
    if (!opened.ok() || !*opened) throw std::runtime_error("cannot open the generated repository");
    repository_ = std::move(*opened);
    head_ = *repository_->resolve("HEAD");
  }

  static std::string name(int file) {
    return "src/area" + std::to_string(file / 200) + "/module" + std::to_string(file / 20) + "/file" +
           std::to_string(file) + ".c";
  }

  static void write_history(FILE* out) {
    std::mt19937 random(11);
    const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    const auto body = [&](int file) {
      std::string text;
      for (int line = 0; line < 60; ++line)
        text += "int value_" + std::to_string(file) + "_" + std::to_string(line) + " = " +
                std::to_string(pick(4)) + ";\n";
      return text;
    };
    for (int commit = 1; commit <= 5000; ++commit) {
      std::fprintf(
          out, "commit refs/heads/main\nmark :%d\ncommitter A <a@b> %d +0000\ndata 17\nfix #%05d, maybe\n",
          commit, 1'600'000'000 + commit * 3600, commit);
      if (commit > 1) std::fprintf(out, "from :%d\n", commit - (commit % 10 == 0 ? 2 : 1));
      if (commit > 2 && commit % 10 == 0) std::fprintf(out, "merge :%d\n", commit - 1);
      for (int edit = commit == 1 ? 3000 : 1 + pick(4); edit > 0; --edit) {
        const int file = commit == 1 ? edit - 1 : pick(3000);
        const std::string text = body(file);
        std::fprintf(out, "M 100644 inline %s\ndata %zu\n%s\n", name(file).c_str(), text.size(),
                     text.c_str());
      }
    }
  }

  std::string path_, head_;
  std::optional<GitRepository> repository_;
};

void tell_history(benchmark::State& state) {
  const auto& made = Generated::get();
  HistoryOptions options;
  options.follow_renames = state.range(0) != 0;
  size_t commits = 0;
  for (auto _ : state) {
    const auto summary = walk_history(made.repository(), made.head(), options, [&](Commit&& commit) {
      benchmark::DoNotOptimize(commit);
      ++commits;
      return true;
    });
    if (!summary.ok()) state.SkipWithError(summary.error().line().c_str());
  }
  state.counters["commits/s"] = benchmark::Counter(static_cast<double>(commits), benchmark::Counter::kIsRate);
}
BENCHMARK(tell_history)->ArgName("renames")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void count_co_changes(benchmark::State& state) {
  const auto& made = Generated::get();
  std::vector<Commit> commits;
  (void)walk_history(made.repository(), made.head(), {}, [&](Commit&& commit) {
    commits.push_back(std::move(commit));
    return true;
  });
  for (auto _ : state) {
    CoChangeOptions options;
    options.now = commits.front().commit_time;
    CoChangeCounter counter(options);
    for (const auto& commit : commits) counter.add(commit);
    benchmark::DoNotOptimize(counter.finish());
  }
}
BENCHMARK(count_co_changes)->Unit(benchmark::kMillisecond);

void list_a_commit(benchmark::State& state) {
  const auto& made = Generated::get();
  size_t files = 0;
  for (auto _ : state) {
    (void)made.repository().list_tree(made.head(), [&](const TreeItem&) {
      ++files;
      return true;
    });
  }
  state.counters["files/s"] = benchmark::Counter(static_cast<double>(files), benchmark::Counter::kIsRate);
}
BENCHMARK(list_a_commit)->Unit(benchmark::kMillisecond);

// Opening included: what a run pays that finds nothing changed.
void walk_the_work_tree(benchmark::State& state) {
  const auto& made = Generated::get();
  size_t files = 0;
  for (auto _ : state) {
    const auto repository = GitRepository::open(made.path());
    const auto root = open_disk_folder(made.path());
    const auto summary =
        code::walk_workspace(**root, made.path(), &**repository, [&](const code::TreeEntry&) { ++files; });
    if (!summary.ok()) state.SkipWithError(summary.error().line().c_str());
  }
  state.counters["files/s"] = benchmark::Counter(static_cast<double>(files), benchmark::Counter::kIsRate);
}
BENCHMARK(walk_the_work_tree)->Unit(benchmark::kMillisecond);

void ask_ignore_rules(benchmark::State& state) {
  std::string text;
  for (int64_t i = 0; i < state.range(0); ++i)
    text += (i % 3 == 0 ? "*.x" : i % 3 == 1 ? "/gen" : "out*") + std::to_string(i) + "\n";
  const code::IgnoreRules rules(text);
  for (auto _ : state) {
    for (int i = 0; i < 10'000; ++i) benchmark::DoNotOptimize(rules.match("src/module7/some_file.c", false));
  }
  state.counters["paths/s"] =
      benchmark::Counter(1e4 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(ask_ignore_rules)
    ->ArgName("rules")
    ->Arg(10)
    ->Arg(1000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

void parse_ignore_rules(benchmark::State& state) {
  std::string text;
  for (int i = 0; i < 100'000; ++i)
    text += (i % 3 == 0 ? "*.x" : i % 3 == 1 ? "/gen" : "out*") + std::to_string(i) + "\n";
  for (auto _ : state) benchmark::DoNotOptimize(code::IgnoreRules(text));
}
BENCHMARK(parse_ignore_rules)->Unit(benchmark::kMillisecond);

}  // namespace
