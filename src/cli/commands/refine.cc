#include "cli/retrieval_command.h"

namespace knapsack::cli {
namespace {

constexpr uint64_t kMaxRequestBytes = 1 << 20;

struct RefineOptions {
  RefineRequest request;
  std::string file;
  RetrievalFlags flags;
};

Result<std::string> read_request(const std::string& file) {
  if (file == "-") return read_input("the refinement request", kMaxRequestBytes);
  auto bytes = make_disk_file_system()->read(file, kMaxRequestBytes);
  if (!bytes.ok()) {
    return Error{ErrorCode::kUsage, "--request " + bytes.error().what,
                 "name a file, or - for standard input"};
  }
  return bytes;
}

int run_refine(const Shared& shared, RefineOptions& options) {
  auto text = read_request(options.file);
  if (!text.ok()) return fail(text.error());
  options.request.request_json = *std::move(text);
  return run_retrieval(shared, options.request, options.flags, &Engine::refine);
}

}  // namespace

void add_refine(Command program, Shared& shared) {
  auto options = std::make_shared<RefineOptions>();
  Command command =
      add_command(program, shared, "refine", "Print the packet of a task again, with what it lacked",
                  [&shared, options] { return run_refine(shared, *options); });
  command.add_option("--task-id", options->request.task_id, "The task, as `retrieve` named it")
      .required()
      .type_name("ID");
  command.add_option("--request", options->file, "JSON that says what was missing; - reads standard input")
      .required()
      .type_name("FILE");
  add_retrieval_options(command, options->request.format, options->flags);
  command.footer(
      "The request is a JSON object with any of: reason (a text), missing_files, missing_symbols,\n"
      "missing_tests, error_signatures (lists of texts). Stages, budget and model are those of the "
      "retrieval.\n"
      "What can be found is in the new packet; what cannot is named on standard error.\n\n"
      "Example:\n"
      "  echo '{\"reason\": \"where is it stored?\", \"missing_symbols\": [\"Session.save\"]}' |\n"
      "      knapsack refine --task-id login --request -\n\n"
      "Exit codes: 0 answered, 1 failed, 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
