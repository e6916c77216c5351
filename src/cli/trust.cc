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
  out = "the current knapsack.toml may set:\n";
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
                                      "Allow this workspace's knapsack.toml to name outside folders, send "
                                      "text to a model, read secret files or disable the sandbox",
                                      [&shared, options] { return run_trust(shared, *options); });
  command.add_flag("--list", options->list, "Show which workspaces are trusted");
  command.add_flag("--revoke", options->revoke, "Revoke trust in this workspace");
  command.footer(
      "A knapsack.toml that came with a clone can set budgets and other preferences. Some of its settings\n"
      "have no effect until you have read the file and run this command:\n\n"
      "  memory.dir, notes.context_dir, graph.dir    if they name a folder outside the workspace\n"
      "  memory.namespace                            if it chooses among memories outside the workspace\n"
      "  model.name, model.base_url, search.embed_model, search.embed_url    a model that receives text\n"
      "  index.allow_sensitive                       files meant for secrets\n"
      "  index.sandbox                               if it is false\n\n"
      "Trust applies to this folder and exactly this content; it is kept in ~/.local/state/knapsack/trust\n"
      "(XDG_STATE_HOME).\n\n"
      "Examples:\n"
      "  knapsack trust\n"
      "  knapsack trust --list\n"
      "  knapsack trust --revoke");
}

}  // namespace knapsack::cli
