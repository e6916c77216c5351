#include "cli/retrieval_command.h"

namespace knapsack::cli {
namespace {

constexpr uint64_t kMaxRequestBytes = 1 << 20;
constexpr uint64_t kMaxTestOutputBytes = 64 << 20;

struct RefineOptions {
  RefineRequest request;
  std::string file, test_output;
  RetrievalFlags flags;
};

Result<std::string> read_named(const std::string& option, const std::string& file, const char* what,
                               uint64_t max_bytes) {
  if (file == "-") return read_input(what, max_bytes);
  auto bytes = make_disk_file_system()->read(file, max_bytes);
  if (!bytes.ok()) {
    return Error{ErrorCode::kUsage, option + " " + bytes.error().what,
                 "name a file, or - for standard input"};
  }
  return bytes;
}

Status read_refinement(RefineOptions& options) {
  if (options.file.empty() && options.test_output.empty()) {
    return Error{ErrorCode::kUsage, "--request or --from-test-output is required",
                 "see `knapsack refine --help`"};
  }
  if (options.file == "-" && options.test_output == "-") {
    return Error{ErrorCode::kUsage, "--request and --from-test-output both read standard input",
                 "name a file for one of them"};
  }
  if (!options.file.empty()) {
    KNAPSACK_TRY(options.request.request_json,
                 read_named("--request", options.file, "the refinement request", kMaxRequestBytes));
  }
  if (!options.test_output.empty()) {
    KNAPSACK_TRY(options.request.test_output, read_named("--from-test-output", options.test_output,
                                                         "the test output", kMaxTestOutputBytes));
    if (options.request.test_output.empty())
      return Error{ErrorCode::kUsage, "the test output is empty", "pipe what the tests printed into it"};
  }
  return ok_status();
}

int run_refine(const Shared& shared, RefineOptions& options) {
  if (const Status read = read_refinement(options); !read.ok()) return fail(read.error());
  return run_retrieval(shared, options.request, options.flags, &Engine::refine);
}

}  // namespace

void add_refine(Command program, Shared& shared) {
  auto options = std::make_shared<RefineOptions>();
  Command command = add_command(program, shared, "refine", "Repeat a task's packet and add what was missing",
                                [&shared, options] { return run_refine(shared, *options); });
  command
      .add_option("--task-id", options->request.task_id, "The task id that `retrieve` was given or printed")
      .required()
      .type_name("ID");
  command.add_option("--request", options->file, "JSON that says what was missing; - reads standard input")
      .type_name("FILE");
  command
      .add_option(
          "--from-test-output", options->test_output,
          "Output of a test run: requests the failed tests and what they name; - reads standard input")
      .type_name("FILE");
  add_model_deadline(command, options->flags);
  add_retrieval_options(command, options->request.format, options->flags);
  command.footer(
      "The request is a JSON object with any of: reason (a text), missing_files, missing_symbols,\n"
      "missing_tests, error_signatures (lists of texts). Stages, budget and model are taken from the\n"
      "retrieval. The new packet continues from the last one: requested symbols come first, at least as\n"
      "signatures. Anything that cannot be found or does not fit is named on standard error.\n\n"
      "Test output may come from pytest, unittest, go test, cargo test, jest, vitest, googletest,\n"
      "ctest --output-on-failure or a JUnit XML file.\n\n"
      "Examples:\n"
      "  echo '{\"reason\": \"where is it stored?\", \"missing_symbols\": [\"Session.save\"]}' |\n"
      "      knapsack refine --task-id login --request -\n"
      "  pytest 2>&1 | knapsack refine --task-id login --from-test-output -\n\n"
      "Exit codes: 0 answered, 1 failed, 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
