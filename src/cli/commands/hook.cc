// `knapsack hook CLIENT`: never in the way of an agent. Whatever happens, the exit code is 0 and nothing but
// a whole answer is printed: to some clients exit code 2 means that a prompt is to be refused.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>

#include "cli/command.h"
#include "cli/hook_input.h"
#include "cli/supervise.h"

namespace knapsack::cli {
namespace {

// Until the settings of the workspace say otherwise.
constexpr std::chrono::milliseconds kDefaultDeadline{5000};
constexpr int64_t kMaxDeadlineMillis = 60'000;
// Longest that noting a failure may take on top.
constexpr unsigned kSecondsToRecord = 1;
constexpr uint64_t kMaxHookTranscriptBytes = uint64_t{32} << 20U;

// The variable counts before the input has been read, which says where the settings are.
std::chrono::milliseconds first_deadline() {
  const char* text = std::getenv("KNAPSACK_HOOK_DEADLINE_MS");
  if (text == nullptr) return kDefaultDeadline;
  int64_t millis = 0;
  const std::string_view value(text);
  const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), millis);
  const bool usable = problem == std::errc() && end == value.data() + value.size() && millis >= 1;
  return usable ? std::chrono::milliseconds(std::min(millis, kMaxDeadlineMillis)) : kDefaultDeadline;
}

void tell_deadline(Engine& engine, const Report& report) {
  const auto rows = engine.config(false);
  if (!rows.ok()) return;
  for (const SettingRow& row : *rows) {
    if (row.key == "hook.deadline_ms") report.say("deadline_ms", row.value);
  }
}

// In a process of its own. What it says is printed by the other one.
class HookWork {
 public:
  HookWork(const Shared& shared, const HookClient& client, const Report& report)
      : shared_(shared), client_(client), report_(report) {
    input_.request.client = client.name;
  }

  void run() {
    const Status read = read_and_enter();
    auto engine = open_engine(shared_);
    if (!engine.ok()) return log(engine.error().line());
    report_.say("workspace", (*engine)->workspace());
    const Status answered = read.ok() ? answer(**engine) : read;
    if (answered.ok()) return;
    log(answered.error().line());
    if (const Status kept = (*engine)->record_hook_failure(input_.request, answered.error()); !kept.ok())
      log(kept.error().line());
  }

 private:
  Status read_and_enter() {
    KNAPSACK_TRY(const std::string text, read_input("the hook's input", kMaxHookInputBytes));
    Status read = client_.read(text, input_);
    if (!input_.folder.empty() && ::chdir(input_.folder.c_str()) != 0) {
      return Error{ErrorCode::kNotFound,
                   fmt::format("the client's folder {} cannot be entered", input_.folder), ""};
    }
    return read;
  }

  // Nothing is said to the client: what came of its packets is kept, what is worth remembering waits for a review.
  Status end_session(Engine& engine) {
    if (const Status kept = keep_outcome(engine); !kept.ok()) log(kept.error().line());
    return capture(engine);
  }

  Status keep_outcome(Engine& engine) {
    if (input_.request.session.empty()) return ok_status();
    OutcomeRequest request;
    request.session = input_.request.session;
    KNAPSACK_TRY(const OutcomeReply reply, engine.outcome(request));
    log(fmt::format("{} files changed since {} packets", reply.files.size(), reply.runs.size()));
    return ok_status();
  }

  Status capture(Engine& engine) {
    const auto files = make_disk_file_system();
    KNAPSACK_TRY(std::string text, files->read(input_.transcript, kMaxHookTranscriptBytes));
    CaptureRequest request;
    request.transcript = std::move(text);
    request.settings = {{"model.name", ""},
                        {"model.base_url", ""}};  // a session that ends waits for no model
    KNAPSACK_TRY(const CaptureReply reply, engine.capture(request));
    log(fmt::format("{} of {} turns wait for `knapsack memories review`", reply.proposals.size(),
                    reply.turns));
    return ok_status();
  }

  Status answer(Engine& engine) {
    tell_deadline(engine, report_);
    if (input_.request.event == HookEvent::kSessionEnd) return end_session(engine);
    KNAPSACK_TRY(const HookReply reply, engine.hook(input_.request));
    log(reply.reason);
    if (reply.context.empty()) return ok_status();
    report_.say("output", client_.write(input_, reply.context));
    return engine.delivered(reply);
  }

  void log(std::string_view line) const { say(shared_, LogLevel::kInfo, line); }

  const Shared& shared_;
  const HookClient& client_;
  const Report& report_;
  HookInput input_;
};

// The child could not: keep at least that it was so.
void record(Shared& shared, const HookClient& client, const Supervised& result) {
  const auto workspace = result.said.find("workspace");
  if (workspace == result.said.end()) return;
  std::signal(SIGALRM, [](int) { ::_exit(0); });
  ::alarm(kSecondsToRecord);
  shared.workspace = workspace->second;
  auto engine = open_engine(shared);
  if (!engine.ok()) return;
  HookRequest request;
  request.client = client.name;
  (void)(*engine)->record_hook_failure(request, {ErrorCode::kBusy, "the hook was " + result.problem, ""});
}

int run_hook(Shared& shared, const HookClient& client) {
  // What a client shows of standard error disturbs its user: it is for who asks for it.
  const char* wanted = std::getenv("KNAPSACK_LOG");
  shared.log_level = wanted == nullptr || *wanted == '\0' ? "off" : wanted;
  if (!parse_log_level(shared.log_level).ok()) shared.log_level = "info";
  const Supervised result = supervise(
      first_deadline(), [&](const Report& report) { HookWork(shared, client, report).run(); },
      [](const std::string& key, const std::string& value) {
        if (key == "output") (void)print(value);
      });
  if (result.problem.empty()) return 0;
  say(shared, LogLevel::kWarning, "the hook was " + result.problem);
  record(shared, client, result);
  return 0;
}

void add_client(Command hook, Shared& shared, const HookClient& client, const char* description,
                const char* footer) {
  Command command = add_command(hook, shared, std::string(client.name), description,
                                [&shared, &client] { return run_hook(shared, client); });
  command.allow_extras();  // what a newer configuration says must not stop an older program
  command.footer(footer);
}

}  // namespace

void add_hook(Command program, Shared& shared) {
  Command hook = program.add_subcommand("hook", "Answer a client's hook with context for its model");
  hook.require_subcommand(1, 1);
  add_client(
      hook, shared, claude_code_hook(),
      "For Claude Code's SessionStart, UserPromptSubmit and SessionEnd hooks",
      "Reads the hook's JSON on standard input and prints what to add to the conversation:\n"
      "  SessionStart       the project notes\n"
      "  UserPromptSubmit   nothing for \"thanks\"; if there is an index, what a task needs from code,\n"
      "                     notes, memories and graph; otherwise memories\n"
      "  SessionEnd         nothing; statements worth remembering wait for `knapsack memories review`, and\n"
      "                     the changes since are recorded as the outcome of the session's packets\n\n"
      "Prints at most 9500 characters, whole entries only, and nothing twice within notes.cooldown. Always\n"
      "exits with 0; if anything fails or takes longer than hook.deadline_ms, it prints nothing.\n"
      "KNAPSACK_LOG=info gives the reason on standard error. `knapsack init --client claude-code` writes\n"
      "the configuration.\n\n"
      "Example:\n"
      "  echo '{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"which port do we use?\"}' | knapsack "
      "hook claude-code");
  add_client(
      hook, shared, openclaw_hook(), "For before_agent_start in an OpenClaw plugin",
      "Reads {\"event\":{\"prompt\":…},\"ctx\":{\"sessionKey\":…,\"workspaceDir\":…}} on standard input and "
      "prints\n"
      "{\"prependContext\":…}, or nothing. The rules are those of `knapsack hook claude-code` for a "
      "prompt;\n"
      "docs/clients.md has the plugin.\n\n"
      "Example:\n"
      "  echo '{\"event\":{\"prompt\":\"what did we decide?\"}}' | knapsack hook openclaw");
  hook.footer("`knapsack hook CLIENT --help` says what each prints and when.");
}

}  // namespace knapsack::cli
