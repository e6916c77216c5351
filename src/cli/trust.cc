#include "cli/trust.h"

#include <fmt/format.h>

#include "core/escape.h"
#include "engine/settings/trust_workspace.h"

namespace knapsack::cli {
namespace {

struct TrustOptions {
  bool list = false;
  bool revoke = false;
};

std::string described(const TrustReply& reply, TrustAction action) {
  std::string out;
  if (action == TrustAction::kList) {
    for (const std::string& workspace : reply.workspaces) out += escape_control(workspace) + "\n";
    return out.empty() ? "no workspace is trusted\n" : out;
  }
  if (action == TrustAction::kRevoke) {
    return reply.revoked == 0 ? "this workspace was not trusted\n" : "this workspace is no longer trusted\n";
  }
  if (reply.allowed.empty()) return "knapsack.toml sets nothing that needs trust\n";
  out = "knapsack.toml, as it is now, may set:\n";
  for (const std::string& line : reply.allowed) out += "  " + escape_control(line) + "\n";
  return out + "Any change of the file is asked about again; `knapsack trust --revoke` takes it back.\n";
}

int run_trust(const Shared& shared, const TrustOptions& options) {
  if (options.list && options.revoke)
    return fail({ErrorCode::kUsage, "--list and --revoke exclude each other", "give one of them"});
  const auto opened = engine_options(shared);
  if (!opened.ok()) return fail(opened.error());
  const TrustAction action = options.list     ? TrustAction::kList
                             : options.revoke ? TrustAction::kRevoke
                                              : TrustAction::kTrust;
  const auto files = make_disk_file_system();
  const auto reply = trust_workspace(*files, *opened, action);
  if (!reply.ok()) return fail(reply.error());
  const auto printed = print(described(*reply, action));
  return printed.ok() ? 0 : fail(printed.error());
}

}  // namespace

void add_trust(Command program, Shared& shared) {
  auto options = std::make_shared<TrustOptions>();
  Command command = add_plain_command(program, shared, "trust",
                                      "Let this workspace's knapsack.toml name outside folders, send text to "
                                      "a model, read secret files or switch the sandbox off",
                                      [&shared, options] { return run_trust(shared, *options); });
  command.add_flag("--list", options->list, "Show which workspaces are trusted");
  command.add_flag("--revoke", options->revoke, "Take back what was trusted of this workspace");
  command.footer(
      "A file that came with a clone sets budgets and other preferences. Some of its settings do nothing "
      "until you\n"
      "have read the file and run this:\n\n"
      "  memory.dir, notes.context_dir, graph.dir    where they name a folder outside of the workspace\n"
      "  memory.namespace                            where it chooses among memories that are not in it\n"
      "  model.name, model.base_url, search.embed_model, search.embed_url    a model that is sent text\n"
      "  index.allow_sensitive                       files that are made to hold secrets\n"
      "  index.sandbox                               where it is false\n\n"
      "Trust is for this folder and these bytes; it is kept in ~/.local/state/knapsack/trust "
      "(XDG_STATE_HOME).\n\n"
      "Examples:\n"
      "  knapsack trust\n"
      "  knapsack trust --list\n"
      "  knapsack trust --revoke");
}

}  // namespace knapsack::cli
