#include "cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/background.h"
#include "cli/field_flags.h"
#include "cli/progress_line.h"
#include "core/escape.h"
#include "engine/published/published_repositories.h"
#include "packet/assembly/not_read.h"

extern char** environ;  // NOLINT: the system's own name

namespace knapsack::cli {
namespace {

// The engine answers from what a team has published, wherever the program was started.
Result<EngineOptions> published_options(const Shared& shared, EngineOptions options) {
  const size_t at = std::min(shared.repository.find('@'), shared.repository.size());
  const std::string revision = at < shared.repository.size() ? shared.repository.substr(at + 1) : "";
  KNAPSACK_TRY(const auto published, PublishedRepositories::open(std::move(options), kDefaultCacheBytes));
  KNAPSACK_TRY(PublishedWorkspace found, published->find(shared.repository.substr(0, at), revision));
  if (!found.notice.empty()) say(shared, LogLevel::kWarning, found.notice);
  found.options.holding = found.holding;
  return found.options;
}

// Only what may hold a setting or the key of a model, and where the user's own files are: the rest of the
// environment is nobody's business here.
std::map<std::string, std::string> settings_environment() {
  std::map<std::string, std::string> variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text(*each);
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = text.substr(0, equals);
    if (name.starts_with("KNAPSACK_") || name == "CTX_TOKEN_BUDGET" || name == "OPENAI_API_KEY" ||
        name == "HOME" || name == "XDG_CONFIG_HOME" || name == "XDG_DATA_HOME" || name == "XDG_STATE_HOME") {
      variables[std::string(name)] = std::string(text.substr(equals + 1));
    }
  }
  return variables;
}

}  // namespace

Command add_command(Command program, Shared& shared, const std::string& name, const std::string& description,
                    std::function<int()> run) {
  Command command = add_plain_command(program, shared, name, description, std::move(run));
  command.add_flag("--strict", shared.strict,
                   "Exit with 1 if the answer is degraded or something was not read");
  command.add_flag("--no-meaning", shared.no_meaning, "Search by words only, without the built-in encoder");
  return command;
}

Command add_plain_command(Command program, Shared& shared, const std::string& name,
                          const std::string& description, std::function<int()> run) {
  Command command = program.add_subcommand(name, description);
  command
      .add_option("--workspace", shared.workspace,
                  "The workspace folder (default: the nearest parent with knapsack.toml, .knapsack or .git)")
      .type_name("DIR");
  command.add_option("--now", shared.now, "Use this as the current time, for reproducible output")
      .type_name("TIME");
  command.add_flag("--stats", shared.stats, "Print how long each step took to standard error");
  command
      .add_option("--log-level", shared.log_level,
                  "Log level on standard error: debug, info, warning, error or off (default warning)")
      .type_name("LEVEL");
  command.callback([&shared, run = std::move(run)] { shared.chosen = run; });
  return command;
}

void add_also(Command command, Shared& shared) {
  command
      .add_option("--also", shared.also,
                  "Also use the code of this repository, shown as name:path; repeatable")
      .type_name("DIR");
}

void add_repository(Command command, Shared& shared) {
  command
      .add_option("--repository", shared.repository,
                  "Use a repository that your team has published (docs/team.md), at its newest commit or at "
                  "the one after the @")
      .type_name("NAME[@COMMIT]");
}

Result<EngineOptions> engine_options(const Shared& shared, const std::string& folder) {
  if (!folder.empty() && !shared.workspace.empty()) {
    return Error{ErrorCode::kUsage, "the folder is given twice, as an argument and with --workspace",
                 "give one"};
  }
  EngineOptions options;
  std::error_code problem;
  options.folder = std::filesystem::current_path(problem).string();
  if (problem) return Error{ErrorCode::kIo, "cannot find the current folder: " + problem.message(), ""};
  const std::string& workspace = folder.empty() ? shared.workspace : folder;
  if (!workspace.empty()) options.workspace = workspace;
  options.also = shared.also;
  options.environment = settings_environment();
  if (!shared.no_meaning) {
    options.model_file = find_model_file();
    options.start_embedding = start_embedding;
  }
  options.start_team_sync = start_team_sync;
  options.parsing_program = "/proc/self/exe";
  KNAPSACK_TRY(options.log, open_log(shared));
  if (!shared.now.empty()) {
    KNAPSACK_TRY(options.now, parse_rfc3339(shared.now));
  }
  return shared.repository.empty() ? Result(std::move(options))
                                   : published_options(shared, std::move(options));
}

Result<std::unique_ptr<Engine>> open_engine(const Shared& shared, const std::string& folder) {
  KNAPSACK_TRY(auto options, engine_options(shared, folder));
  return Engine::open(std::move(options));
}

Status print(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0)
    return ok_status();
  // Whoever read it has seen enough, as `| head` has.
  if (errno == EPIPE) return Error{ErrorCode::kStopped, "", ""};
  return Error{ErrorCode::kIo, fmt::format("cannot write to standard output: {}", std::strerror(errno)), ""};
}

Result<std::string> read_input(std::string_view what, size_t max_bytes) {
  std::string text;
  std::array<char, 65536> buffer;
  while (const size_t count = std::fread(buffer.data(), 1, buffer.size(), stdin)) {
    text.append(buffer.data(), count);
    if (text.size() > max_bytes) {
      return Error{ErrorCode::kUsage,
                   fmt::format("{} on standard input has more than {} bytes", what, max_bytes), "shorten it"};
    }
  }
  if (std::ferror(stdin) != 0) {
    return Error{ErrorCode::kIo,
                 fmt::format("cannot read {} from standard input: {}", what, std::strerror(errno)), ""};
  }
  return text;
}

void note(std::string_view line) {
  ProgressLine::clear();
  fmt::print(stderr, "knapsack: {}\n", escape_control(with_flags(line)));
}

int fail(const Error& error) {
  if (error.code == ErrorCode::kStopped && error.what.empty()) return 0;
  note(error.line());
  return exit_code(error.code);
}

void print_times(const std::vector<StepTime>& times) {
  int64_t total = 0;
  for (const auto& step : times) {
    fmt::print(stderr, "{:>10.2f} ms  {}\n", static_cast<double>(step.micros) / 1000, step.step);
    total += step.micros;
  }
  fmt::print(stderr, "{:>10.2f} ms  in all\n", static_cast<double>(total) / 1000);
}

bool is_dumb_terminal() {
  const char* kind = std::getenv("TERM");
  return kind != nullptr && std::string_view(kind) == "dumb";
}

bool wants_colour(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  return ::isatty(descriptor) == 1 && !is_dumb_terminal() && (no_color == nullptr || *no_color == '\0');
}

std::string bold(std::string_view text) {
  return wants_colour(STDOUT_FILENO) ? fmt::format("\033[1m{}\033[0m", text) : std::string(text);
}

bool fails_strict(const Shared& shared, const Packet& packet) {
  if (!shared.strict) return false;
  return packet.status == RunStatus::kDegraded ||
         std::any_of(packet.preambles.begin(), packet.preambles.end(), [](const PacketPreamble& each) {
           return each.kind == PreambleKind::kNotRead && !each.lines.empty();
         });
}

}  // namespace knapsack::cli
