#include "engine/eval/eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>

#include "code/units/unit_constants.h"
#include "core/files/tree.h"
#include "core/helper_threads.h"
#include "core/ids.h"
#include "core/paths.h"
#include "engine/engine.h"
#include "engine/eval/eval_answers.h"
#include "engine/eval/eval_code.h"
#include "engine/eval/eval_repositories.h"

namespace knapsack {
namespace {

constexpr uint64_t kMaxTaskBytes = uint64_t{256} << 20;

// The tasks of one repository, by their positions, and where it is.
struct RepositoryTasks {
  std::string name;
  std::string path;
  std::vector<size_t> tasks;
};

class Evaluation {
 public:
  Evaluation(FileSystem& files, const EvalRequest& request) : files_(files), request_(request) {}

  Result<EvalReport> run() {
    const auto began = std::chrono::steady_clock::now();
    KNAPSACK_CHECK(check_request());
    KNAPSACK_CHECK(gather_tasks());
    KNAPSACK_TRY(answers_, AnswerStore::open(files_, request_.answers_file));
    results_.resize(tasks_.size());
    KNAPSACK_CHECK(answer_all());
    if (missing_ && report_.count_set_aside() == report_.tasks) return *missing_;
    summarise();
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::move(report_);
  }

 private:
  Status check_request() const {
    for (const std::string& method : request_.methods) {
      if (ranking_of_method(method)) continue;
      std::string known;
      for (const EvalMethod& each : eval_methods()) known += fmt::format(" {}", each.name);
      return Error{ErrorCode::kUsage, fmt::format("unknown method '{}'", method), "choose one of" + known};
    }
    std::set<std::string> known;
    for (const auto& row : code::ranking_constant_rows())
      known.insert(fmt::format("code.ranking.{}", row.name));
    for (const auto& row : code::unit_constant_rows()) known.insert(fmt::format("code.units.{}", row.name));
    for (const auto& constant : request_.constants) {
      if (!known.contains(constant.first)) {
        return Error{ErrorCode::kUsage, fmt::format("the ranking has no constant '{}'", constant.first),
                     "`knapsack config --all` lists them"};
      }
    }
    return ok_status();
  }

  Result<std::string> repository_path(const std::string& name) const {
    return request_.repositories.empty() ? files_.resolve(request_.workspace)
                                         : find_repository(files_, request_.repositories, name);
  }

  Status gather_tasks() {
    if (!request_.tasks.empty()) {
      tasks_ = request_.tasks;
      return group_tasks();
    }
    if (request_.from_git > 0) return gather_from_history();
    KNAPSACK_TRY(const std::string bytes, files_.read(request_.tasks_file, kMaxTaskBytes));
    KNAPSACK_TRY(tasks_, parse_eval_tasks(bytes, request_.tasks_file));
    return group_tasks();
  }

  Status gather_from_history() {
    std::vector<std::string> names = {std::string(base_name(request_.workspace))};
    if (!request_.repositories.empty()) {
      KNAPSACK_TRY(names, list_repositories(files_, request_.repositories));
    }
    for (const std::string& name : names) {
      if (!is_wanted(name)) continue;
      KNAPSACK_TRY(const std::string path, repository_path(name));
      KNAPSACK_TRY(auto made, tasks_from_history(path, name, request_.from_git));
      std::move(made.begin(), made.end(), std::back_inserter(tasks_));
    }
    if (tasks_.empty()) {
      return Error{ErrorCode::kNotFound,
                   "no commit makes a task: none has a message and changes source files",
                   "name a file of tasks instead"};
    }
    return group_tasks();
  }

  bool is_wanted(const std::string& repository) const {
    return request_.only.empty() ||
           std::find(request_.only.begin(), request_.only.end(), repository) != request_.only.end();
  }

  // By repository: those with the most tasks first, so that no thread is left with a long one at the end.
  Status group_tasks() {
    std::map<std::string, RepositoryTasks> by_name;
    for (size_t i = 0; i < tasks_.size(); ++i) {
      if (!is_wanted(tasks_[i].repository)) continue;
      RepositoryTasks& group = by_name[tasks_[i].repository];
      group.name = tasks_[i].repository;
      group.tasks.push_back(i);
      ++report_.tasks;
    }
    for (auto& [name, group] : by_name) {
      auto path = repository_path(name);
      if (!path.ok() && path.error().code != ErrorCode::kNotFound) return path.error();
      if (!path.ok()) {
        set_aside(group.tasks.size(), path.error());
        continue;
      }
      group.path = *std::move(path);
      groups_.push_back(std::move(group));
    }
    if (groups_.empty() && missing_) return *missing_;
    std::stable_sort(groups_.begin(), groups_.end(), [](const RepositoryTasks& a, const RepositoryTasks& b) {
      return a.tasks.size() > b.tasks.size();
    });
    return ok_status();
  }

  // What is missing costs its tasks; a run of an hour goes on.
  void set_aside(size_t tasks, const Error& why) {
    const std::lock_guard lock(mutex_);
    report_.set_aside[why.what] += tasks;
    if (!missing_) missing_ = why;
  }

  Status answer_all() {
    const size_t wanted = request_.jobs != 0 ? request_.jobs : core_count();
    std::atomic<size_t> next = 0;
    std::optional<Error> failure;
    const auto work = [&] {
      for (size_t i = next++; i < groups_.size(); i = next++) {
        const Status status = answer_group(groups_[i]);
        const std::lock_guard lock(mutex_);
        if (!status.ok() && !failure) failure = status.error();
        if (failure) return;
      }
    };
    HelperThreads threads;
    for (size_t i = 1; i < std::min(wanted, groups_.size()); ++i) {
      if (!threads.start(work)) break;
    }
    work();
    threads.join();
    return failure ? Status(*failure) : ok_status();
  }

  std::string key_of(const EvalTask& task, const std::string& method) const {
    std::string options = method + (request_.model_file.empty() ? " by words" : "");
    for (const auto& [name, value] : request_.constants) options += fmt::format(" {}={}", name, value);
    for (const size_t budget : request_.budgets) options += fmt::format(" {}", budget);
    return hash_parts({Engine::version(), request_.program, fingerprint(task), options});
  }

  Status answer_group(const RepositoryTasks& group) {
    KNAPSACK_TRY(const std::string state, make_state_folder(group));
    RepositoryEvaluation evaluation(files_, {group.path, state, request_.methods, request_.constants,
                                             request_.budgets, request_.now, request_.model_file});
    for (const size_t position : group.tasks) {
      KNAPSACK_CHECK(answer_task(evaluation, position));
      const std::lock_guard lock(mutex_);
      ++done_;
      if (request_.progress) request_.progress({done_, report_.tasks, group.name});
    }
    const std::lock_guard lock(mutex_);
    report_.index_seconds += evaluation.index_seconds();
    return ok_status();
  }

  Status answer_task(RepositoryEvaluation& evaluation, size_t position) {
    const EvalTask& task = tasks_[position];
    std::vector<EvalAnswer> answers;
    for (const std::string& method : request_.methods) {
      auto known = answers_->find(key_of(task, method));
      if (!known) break;
      answers.push_back(*std::move(known));
    }
    if (answers.size() == request_.methods.size()) {
      const std::lock_guard lock(mutex_);
      ++report_.reused;
    } else {
      auto found = evaluation.answer(task);
      const bool lacking = !found.ok() && (found.error().code == ErrorCode::kNotFound ||
                                           found.error().code == ErrorCode::kUsage);  // no such revision
      if (lacking) {
        set_aside(1, {ErrorCode::kNotFound,
                      fmt::format("{} lacks the commit that the task starts from", task.repository),
                      "fetch the whole history of the repository"});
        return ok_status();
      }
      if (!found.ok()) {
        return Error{found.error().code, fmt::format("task {}: {}", task.id, found.error().what),
                     found.error().next};
      }
      answers = *std::move(found);
      if (answers.empty()) {
        set_aside(1, {ErrorCode::kNotFound, "no expected file is a program's source at the base commit", ""});
        return ok_status();
      }
      std::vector<std::pair<std::string, EvalAnswer>> kept;
      for (size_t i = 0; i < answers.size(); ++i)
        kept.emplace_back(key_of(task, request_.methods[i]), answers[i]);
      KNAPSACK_CHECK(answers_->add(kept));
    }
    results_[position] = std::move(answers);
    return ok_status();
  }

  Result<std::string> make_state_folder(const RepositoryTasks& group) {
    KNAPSACK_CHECK(make_directories(files_, request_.work_folder));
    const std::string folder = join_path(
        request_.work_folder, fmt::format("{}-{}", slug(group.name), content_hash(group.path).substr(0, 12)));
    KNAPSACK_CHECK(files_.make_directory(folder));
    return folder;
  }

  void summarise() {
    report_.version = Engine::version();
    report_.budgets = request_.budgets;
    for (size_t m = 0; m < request_.methods.size(); ++m) {
      std::vector<EvalAnswer> answers;
      for (auto& of_task : results_) {
        if (m < of_task.size()) answers.push_back(std::move(of_task[m]));
      }
      report_.methods.push_back(summarise_method(request_.methods[m], std::move(answers), request_.ks));
    }
  }

  FileSystem& files_;
  const EvalRequest& request_;
  EvalReport report_;
  std::vector<EvalTask> tasks_;
  std::vector<RepositoryTasks> groups_;
  std::unique_ptr<AnswerStore> answers_;
  std::vector<std::vector<EvalAnswer>> results_;  // by task, then by method
  std::mutex mutex_;
  size_t done_ = 0;
  std::optional<Error> missing_;  // why the first tasks were set aside
};

}  // namespace

size_t EvalReport::count_set_aside() const {
  size_t sum = 0;
  for (const auto& reason : set_aside) sum += reason.second;
  return sum;
}

Result<EvalReport> evaluate(FileSystem& files, const EvalRequest& request) {
  return Evaluation(files, request).run();
}

}  // namespace knapsack
