#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/ask.h"
#include "cli/command.h"
#include "core/escape.h"
#include "core/files/file_system.h"
#include "core/split.h"
#include "serve/http/token.h"

namespace knapsack::cli {
namespace {

std::string_view verb(SetUpAction action, bool dry_run) {
  switch (action) {
    case SetUpAction::kCreate:
      return dry_run ? "would create" : "created";
    case SetUpAction::kChange:
      return dry_run ? "would change" : "changed";
    case SetUpAction::kRemove:
      return dry_run ? "would remove" : "removed";
    case SetUpAction::kLeftAlone:
      return "left alone";
    case SetUpAction::kNothing:
      break;
  }
  return "nothing to change in";
}

// As `git diff` colours it.
std::string coloured(const std::string& diff) {
  if (!wants_colour(STDOUT_FILENO)) return escape_lines(diff);
  std::string out;
  for (size_t at = 0; at < diff.size();) {
    const size_t end = std::min(diff.find('\n', at), diff.size() - 1) + 1;
    const std::string line = escape_control(diff.substr(at, end - 1 - at));
    const char* colour = line.starts_with("+") ? "\033[32m" : line.starts_with("-") ? "\033[31m" : "";
    out += *colour == '\0' ? line + "\n" : colour + line + "\033[0m\n";
    at = end;
  }
  return out;
}

// The token of this machine's servers, for an entry that names one; what is only shown needs none.
Status add_token(const Shared& shared, const std::string& workspace, SetUpRequest& request) {
  if (request.url.empty() && !request.undo) return ok_status();
  KNAPSACK_TRY(const EngineOptions options, engine_options(shared));
  const auto files = make_disk_file_system();
  if (request.undo || request.dry_run) {
    request.token = serve::known_token(*files, options.environment, workspace);
    return ok_status();
  }
  KNAPSACK_TRY(const serve::OwnToken own, serve::own_token(*files, options.environment, workspace));
  if (own.file.empty()) {
    return Error{ErrorCode::kConfig, "there is no place for a token that servers and clients share",
                 "set HOME or XDG_STATE_HOME"};
  }
  request.token = own.value;
  return ok_status();
}

bool has_notes(Engine& engine) {
  const auto files = engine.notes_files();
  return files.ok() && !files->empty();
}

// Whoever sits at the terminal and named nothing is asked: for which clients, and whether notes are wanted.
Status ask_what(Engine& engine, SetUpRequest& request) {
  if (!request.clients.empty() || request.undo || request.notes || request.dry_run || !can_ask())
    return ok_status();
  SetUpRequest trial = request;
  trial.dry_run = true;
  const auto found = engine.set_up(trial);
  const std::string suggested = found.ok() ? fmt::format("{}", fmt::join(found->clients, ",")) : "";
  const auto answer = ask(fmt::format("For which clients? (claude-code, cursor, codex, vscode, opencode) {} ",
                                      suggested.empty() ? "" : fmt::format("[{}]", suggested)));
  std::string names = answer && !answer->empty() ? *answer : suggested;
  std::replace(names.begin(), names.end(), ' ', ',');
  for (std::string& name : comma_list(names)) request.clients.push_back(std::move(name));
  if (request.clients.empty() && !found.ok()) return found.error();
  if (!request.user && !has_notes(engine))
    request.notes = ask_yes("Create a notes folder .context from README, CONTRIBUTING and AGENTS.md? [y/N] ");
  return ok_status();
}

std::string described(const SetUpReply& reply, const SetUpRequest& request) {
  std::string out;
  for (const SetUpFile& file : reply.files) {
    out += fmt::format("{} {}{}{}\n", verb(file.action, request.dry_run), bold(escape_control(file.path)),
                       file.note.empty() ? "" : ": ", escape_control(file.note));
    if (!file.diff.empty()) out += coloured(file.diff);
  }
  if (!reply.changes) out += "nothing to change\n";
  if (reply.changes && !request.undo && !request.dry_run) {
    for (const std::string& notice : reply.notices) out += "next, " + notice + "\n";
    out +=
        "next, `knapsack doctor` says whether everything is in place, `knapsack init --undo` takes this "
        "back\n";
  } else if (request.undo) {
    for (const std::string& notice : reply.notices) out += notice + "\n";
  }
  return out;
}

}  // namespace

void add_set_up(Command program, Shared& shared) {
  auto request = std::make_shared<SetUpRequest>();
  Command command =
      add_command(program, shared, "init", "Set up a client to use this workspace", [&shared, request] {
        auto engine = open_engine(shared);
        if (engine.ok()) {
          const auto token = add_token(shared, (*engine)->workspace(), *request);
          if (!token.ok()) return fail(token.error());
        }
        if (!engine.ok()) return fail(engine.error());
        if (const char* path = std::getenv("PATH"); path != nullptr) request->search_path = path;
        if (const Status asked = ask_what(**engine, *request); !asked.ok()) return fail(asked.error());
        const auto reply = (*engine)->set_up(*request);
        if (!reply.ok()) return fail(reply.error());
        const auto printed = print(described(*reply, *request));
        return printed.ok() ? 0 : fail(printed.error());
      });
  command
      .add_option("--client", request->clients,
                  "claude-code, cursor, codex, vscode, opencode or all (default: those used here, else those "
                  "installed)")
      .type_name("CLIENT")
      .delimiter(',');
  command.add_flag(
      "--notes", request->notes,
      "Create a notes folder (.context) from README, CONTRIBUTING and the agents' instruction files");
  command.add_flag("--user", request->user,
                   "Write the client's file in your home folder instead of the project's");
  command
      .add_option(
          "--url", request->url,
          "Make the client use `knapsack serve` at this address instead of starting a server; needs --user")
      .type_name("URL");
  command.add_flag("--dry-run", request->dry_run, "Show what would be written, write nothing");
  command.add_flag("--undo", request->undo, "Revert what an earlier init wrote");
  command.footer(
      "Writes knapsack.toml if there is none, and the configuration that makes the client start `knapsack "
      "mcp`:\n"
      "  claude-code   .mcp.json, and hooks in .claude/settings.json\n"
      "  cursor        .cursor/mcp.json\n"
      "  codex         .codex/config.toml (with --user ~/.codex/config.toml)\n"
      "  vscode        .vscode/mcp.json\n"
      "  opencode      opencode.json or opencode.jsonc\n"
      "Existing files are extended; every other byte in them stays, including comments and unusual\n"
      "layout. With --url and --user, the client's file in your home folder gets the address and token of\n"
      "a server running on this machine; from then on only you can read that file.\n"
      "An entry that you edited is left alone. A file that cannot be read is named, and then nothing is "
      "written.\n\n"
      "Examples:\n"
      "  knapsack init --client claude-code --dry-run\n"
      "  knapsack init --client claude-code,vscode\n"
      "  knapsack init --notes                       create .context from what the project says elsewhere\n"
      "  knapsack init --client cursor --user --url http://127.0.0.1:7077/mcp\n"
      "  knapsack init --undo");
}

}  // namespace knapsack::cli
