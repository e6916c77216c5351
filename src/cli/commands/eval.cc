#include "engine/eval/eval.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "cli/background.h"
#include "cli/build_info.h"
#include "cli/command.h"
#include "cli/numbers.h"
#include "cli/progress_line.h"
#include "core/escape.h"
#include "core/files/tree.h"
#include "engine/eval/eval_memory.h"
#include "engine/eval/eval_recall_set.h"

namespace knapsack::cli {
namespace {

struct Arguments {
  EvalRequest request;
  std::string conversations;  // memories are measured instead of code
  std::string out;
  std::string format = "md";
  bool all = false;
  std::vector<std::string> constants;  // "name=value"
  Command command;                     // knows which options were given
};

Result<std::string> absolute(const std::string& path) {
  std::error_code problem;
  const auto whole = std::filesystem::absolute(path, problem);
  if (problem) return Error{ErrorCode::kIo, fmt::format("cannot find {}: {}", path, problem.message()), ""};
  return whole.lexically_normal().string();
}

// Builds of one version may answer differently.
std::string this_program() {
  std::error_code problem;
  const std::filesystem::path program = "/proc/self/exe";
  const auto size = std::filesystem::file_size(program, problem);
  const auto changed = std::filesystem::last_write_time(program, problem);
  return fmt::format("{} {} {}", build_description(), size, changed.time_since_epoch().count());
}

// Where programs keep what they can make again.
Result<std::string> default_work_folder(FileSystem& files) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::string folder;
  if (cache != nullptr && *cache == '/') {
    folder = cache;
  } else if (home != nullptr && *home == '/') {
    folder = join_path(home, ".cache");
  } else {
    return Error{ErrorCode::kUsage, "there is no cache folder: HOME is not set", "name a folder with --work"};
  }
  folder = join_path(folder, "knapsack/eval");
  KNAPSACK_CHECK(make_directories(files, folder));
  return folder;
}

Status read_constants(const std::vector<std::string>& written, std::map<std::string, double>& constants) {
  for (const std::string& one : written) {
    const size_t equals = one.find('=');
    char* end = nullptr;
    const double value = equals == std::string::npos ? 0 : std::strtod(one.c_str() + equals + 1, &end);
    if (end == nullptr || *end != '\0' || end == one.c_str() + equals + 1) {
      return Error{ErrorCode::kUsage, fmt::format("--set {} is not NAME=NUMBER", one), ""};
    }
    constants[one.substr(0, equals)] = value;
  }
  return ok_status();
}

Status complete(FileSystem& files, Arguments& arguments) {
  EvalRequest& request = arguments.request;
  const int given =
      (request.tasks_file.empty() ? 0 : 1) + (request.from_git > 0 ? 1 : 0) + (request.from_outcomes ? 1 : 0);
  if (given != 1) {
    return Error{ErrorCode::kUsage,
                 "name a file of tasks, or say --from-git N or --from-outcomes: one of them",
                 "see `knapsack eval --help`"};
  }
  KNAPSACK_CHECK(read_constants(arguments.constants, request.constants));
  if (!request.repositories.empty()) {
    KNAPSACK_TRY(request.repositories, absolute(request.repositories));
  }
  if (request.work_folder.empty()) {
    KNAPSACK_TRY(request.work_folder, default_work_folder(files));
  } else {
    KNAPSACK_TRY(request.work_folder, absolute(request.work_folder));
  }
  if (!arguments.out.empty()) {
    KNAPSACK_TRY(arguments.out, absolute(arguments.out));
    request.answers_file = arguments.out + ".answers.jsonl";
    request.program = this_program();
  }
  return ok_status();
}

int show(FileSystem& files, const Arguments& arguments, const EvalReport& report) {
  const std::string json = eval_report_json(report);
  if (!arguments.out.empty()) {
    if (const Status written = files.replace(arguments.out, json); !written.ok())
      return fail(written.error());
  }
  const Status printed =
      print(arguments.format == "json" ? json : eval_report_markdown(report, arguments.all));
  return printed.ok() ? 0 : fail(printed.error());
}

Result<EvalReport> measure_memory(FileSystem& files, Arguments& arguments, bool no_meaning) {
  const EvalRequest& given = arguments.request;
  if (!given.tasks_file.empty() || given.from_git > 0 || given.from_outcomes || !given.repositories.empty()) {
    return Error{ErrorCode::kUsage, "--memory measures conversations and nothing else",
                 "leave out TASKS, --from-git, --from-outcomes and --repos"};
  }
  MemoryEvalRequest request;
  request.conversations_file = arguments.conversations;
  if (arguments.command.count("--k") > 0) request.ks = given.ks;
  if (arguments.command.count("--budgets") > 0) request.budgets = given.budgets;
  request.methods = given.methods;
  if (!no_meaning) request.model_file = find_model_file();
  KNAPSACK_CHECK(read_constants(arguments.constants, request.constants));
  if (!arguments.out.empty()) {
    KNAPSACK_TRY(arguments.out, absolute(arguments.out));
  }
  return evaluate_memory(files, request);
}

// Memories and prompts, where the file is no list of conversations.
int measure_recall_set(FileSystem& files, Arguments& arguments) {
  const auto report = evaluate_recall_set(files, arguments.conversations, arguments.request.methods);
  if (!report.ok()) return fail(report.error());
  const std::string json = recall_set_json(*report);
  if (!arguments.out.empty()) {
    const auto path = absolute(arguments.out);
    if (!path.ok()) return fail(path.error());
    if (const Status written = files.replace(*path, json); !written.ok()) return fail(written.error());
  }
  const Status printed = print(arguments.format == "json" ? json : recall_set_markdown(*report));
  return printed.ok() ? 0 : fail(printed.error());
}

int run(const Shared& shared, Arguments& arguments) {
  const auto files = make_disk_file_system();
  if (!arguments.conversations.empty() && is_recall_set(*files, arguments.conversations))
    return measure_recall_set(*files, arguments);
  if (!arguments.conversations.empty()) {
    const auto report = measure_memory(*files, arguments, shared.no_meaning);
    return report.ok() ? show(*files, arguments, *report) : fail(report.error());
  }
  if (const Status status = complete(*files, arguments); !status.ok()) return fail(status.error());
  const auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  ProgressLine line;
  arguments.request.progress = [&](const EvalProgress& progress) {
    if (!line.due()) return;
    const double left = line.seconds() / static_cast<double>(progress.done) *
                        static_cast<double>(progress.total - progress.done);
    line.show(fmt::format("{} of {}, {:.0f} s left, {}", counted(progress.done, "task"),
                          grouped(progress.total), left, escape_control(progress.repository)));
  };
  const auto report = (*engine)->evaluate(arguments.request);
  line.clear();
  if (!report.ok()) return fail(report.error());
  return show(*files, arguments, *report);
}

std::string method_lines(const std::vector<EvalMethod>& methods) {
  std::string lines;
  for (const EvalMethod& method : methods) lines += fmt::format("\n  {:<20} {}", method.name, method.meaning);
  return lines;
}

}  // namespace

void add_eval(Command program, Shared& shared) {
  auto arguments = std::make_shared<Arguments>();
  EvalRequest& request = arguments->request;
  Command command =
      add_command(program, shared, "eval", "Measure how well the ranking does on tasks with known answers",
                  [&shared, arguments] { return run(shared, *arguments); });
  arguments->command = command;
  command.add_option("TASKS", request.tasks_file, "A file of tasks, one JSON object per line").type_name("");
  command
      .add_option("--memory", arguments->conversations,
                  "Measure memory recall instead, from conversations with questions or memories with "
                  "prompts, in JSON")
      .type_name("FILE");
  command
      .add_option("--from-git", request.from_git,
                  "Make tasks from the newest N commits instead: message → changed files")
      .between(1, 100'000)
      .type_name("N");
  command.add_flag("--from-outcomes", request.from_outcomes,
                   "Use this workspace's runs with a known outcome (see `knapsack outcome`)");
  command
      .add_option("--repos", request.repositories,
                  "The folder with the tasks' repositories (default: the workspace is the only repository)")
      .type_name("DIR");
  command.add_option("--only", request.only, "Only these repositories").delimiter(',').type_name("NAME,…");
  command
      .add_option("--k", request.ks,
                  "Values of k for acc@k and recall@k (default 1,3,5,10,20; memories 5,10,25,50)")
      .delimiter(',')
      .between(1, 1'000'000)
      .type_name("K,…");
  command
      .add_option("--budgets", request.budgets,
                  "Token budgets (default 1000,2000,4000,8000,16000; memories 512,1024,2048,4096)")
      .delimiter(',')
      .between(0, 100'000'000)
      .type_name("N,…");
  command.add_option("--method", request.methods, "Methods to compare (default full)")
      .delimiter(',')
      .type_name("NAME,…");
  command.add_option("--set", arguments->constants, "Override a constant of the ranking")
      .type_name("NAME=NUMBER");
  command
      .add_option("--out", arguments->out,
                  "Write the report as JSON; finished answers are saved beside it and reused")
      .type_name("FILE");
  command
      .add_option("--work", request.work_folder,
                  "Where indexes are kept (default: knapsack/eval in the cache)")
      .type_name("DIR");
  command.add_option("--jobs,-j", request.jobs, "Repositories to process in parallel (default: one per core)")
      .between(1, 256)
      .type_name("N");
  command.add_option("--format", arguments->format, "md or json (default md)")
      .one_of({"md", "json"})
      .type_name("FORMAT");
  command.add_flag("--all", arguments->all, "Print every figure, not just the main ones");
  command.footer(
      "Examples:\n"
      "  knapsack eval --from-git 100                     on this repository's own last commits\n"
      "  knapsack eval tasks.jsonl --repos ~/mirrors      on tasks of several repositories\n"
      "  knapsack eval tasks.jsonl --repos ~/mirrors --method lexical,no-history,full --out report.json\n"
      "  knapsack eval --from-outcomes                    on the outcomes of this workspace's own packets\n"
      "  knapsack eval --memory conversations.json --method full,lexical\n"
      "  knapsack eval --memory examples/recall/memories.json --method full,neither\n\n"
      "Methods:" +
      method_lines(eval_methods()) + "\n\nMethods of --memory:" + method_lines(memory_eval_methods()) +
      "\n\nMethods of --memory with a set of memories and prompts:" + method_lines(recall_set_methods()));
}

}  // namespace knapsack::cli
