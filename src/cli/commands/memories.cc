// `knapsack memories` and `profile`: what is remembered.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/memory_command.h"
#include "cli/numbers.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

constexpr size_t kShownWarnings = 10;
constexpr size_t kWidestId = 40;  // longer ones push their own row only
constexpr size_t kDayCharacters = 10;

struct ListOptions {
  MemoryOptions memory;
  MemoryListRequest request;
  std::string format = "md";
};

std::string list_json(const MemoryListReply& reply) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const MemoryRow& row : reply.rows) {
    nlohmann::ordered_json json = {{"id", row.id},         {"namespace", row.name_space},
                                   {"path", row.path},     {"kind", row.kind},
                                   {"status", row.status}, {"category", row.category}};
    if (!row.created.empty()) json["created"] = row.created;
    if (row.importance) json["importance"] = *row.importance;
    json["tags"] = row.tags;
    json["title"] = row.title;
    rows.push_back(std::move(json));
  }
  const nlohmann::ordered_json json = {{"folder", reply.folder},
                                       {"all", reply.all},
                                       {"matching", reply.matching},
                                       {"memories", rows},
                                       {"warnings", reply.warnings}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string list_lines(const MemoryListReply& reply) {
  std::string out;
  size_t id_width = 0;
  for (const MemoryRow& row : reply.rows) id_width = std::max(id_width, std::min(row.id.size(), kWidestId));
  for (const MemoryRow& row : reply.rows) {
    out += fmt::format(
        "{:10}  {:12} {:{}}  {}", row.created.substr(0, std::min(row.created.size(), kDayCharacters)),
        escape_control(row.category), escape_control(row.id), id_width, escape_control(row.title));
    if (row.status != "active") out += fmt::format("  [{}]", row.status);
    if (row.kind != "note") out += fmt::format("  [{}]", row.kind);
    if (row.name_space != "default") out += fmt::format("  [in {}]", escape_control(row.name_space));
    out += '\n';
  }
  out += fmt::format("{} of {} in {}\n", grouped(reply.rows.size()),
                     counted(reply.matching, "memory", "memories"), escape_control(reply.folder));
  return out;
}

int run_list(const Shared& shared, const ListOptions& options) {
  MemoryListRequest request = options.request;
  request.settings = options.memory.settings();
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto reply = (*engine)->memories(request);
  if (!reply.ok()) return fail(reply.error());
  for (size_t i = 0; i < reply->warnings.size() && i < kShownWarnings; ++i) {
    say(shared, LogLevel::kWarning, reply->warnings[i]);
  }
  if (reply->warnings.size() > kShownWarnings) {
    say(shared, LogLevel::kWarning,
        fmt::format("… and {} more", counted(reply->warnings.size() - kShownWarnings, "warning")));
  }
  const auto printed = print(options.format == "json" ? list_json(*reply) : list_lines(*reply));
  if (shared.stats) print_times(reply->times);
  return printed.ok() ? 0 : fail(printed.error());
}

void add_list(Command memories, Shared& shared) {
  auto options = std::make_shared<ListOptions>();
  Command command = add_command(memories, shared, "list", "List memories, the newest first",
                                [&shared, options] { return run_list(shared, *options); });
  MemoryListRequest& request = options->request;
  command
      .add_option("--status", request.status,
                  "active, superseded, archived, forgotten, quarantined or all (default active)")
      .type_name("NAME");
  command.add_option("--category", request.category, "Only this category").type_name("NAME");
  command.add_option("--tag", request.tag, "Only with this tag").type_name("WORD");
  command.add_flag("--copies", request.copies, "Include word-for-word copies of other memories");
  command.add_option("--limit", request.limit, "How many to show (default 50)").type_name("N");
  add_memory_options(command, options->memory);
  add_format(command, options->format, {"md", "json"});
  command.footer("Example:\n  knapsack memories list --category decision --limit 10");
}

void add_memory_show(Command memories, Shared& shared) {
  struct Options {
    MemoryOptions memory;
    std::string id;
    std::string format = "md";
  };
  auto options = std::make_shared<Options>();
  Command command = add_command(memories, shared, "show", "Show one memory", [&shared, options] {
    auto engine = open_engine(shared);
    if (!engine.ok()) return fail(engine.error());
    const auto reply = (*engine)->memory_show({options->memory.settings(), options->id});
    if (!reply.ok()) return fail(reply.error());
    const auto printed = print(options->format == "json" ? reply->json : escape_lines(reply->text));
    return printed.ok() ? 0 : fail(printed.error());
  });
  command.add_option("ID", options->id, "Its id, or its path in the memory folder").required().type_name("");
  add_memory_options(command, options->memory);
  add_format(command, options->format, {"md", "json"});
  command.footer(
      "json prints everything that was read, including secrets; md replaces them.\n\n"
      "Example:\n  knapsack memories show fact-1763200000000-4f2a91c3");
}

void add_memory_move(Command memories, Shared& shared) {
  struct Options {
    MemoryOptions memory;
    std::string from;
  };
  auto options = std::make_shared<Options>();
  Command command = add_command(
      memories, shared, "move", "Move memories from another folder into this workspace's memory folder",
      [&shared, options] {
        auto engine = open_engine(shared);
        if (!engine.ok()) return fail(engine.error());
        const auto reply = (*engine)->move_memories({options->memory.settings(), options->from});
        if (!reply.ok()) return fail(reply.error());
        for (const std::string& notice : reply->notices) say(shared, LogLevel::kWarning, notice);
        const auto printed = print(fmt::format("{} moved to {}\n", counted(reply->files, "file"), reply->to));
        return printed.ok() ? 0 : fail(printed.error());
      });
  command.add_option("FOLDER", options->from, "The memory folder to take them from").required().type_name("");
  add_memory_options(command, options->memory);
  command.footer(
      "Each file is written in its new place before it is removed from the old one. If a different file\n"
      "is already there, the moved one is kept under archive/moved/.\n\n"
      "Example:\n  knapsack memories move ~/.local/share/knapsack/memory/parcels-0123456789ab");
}

// Runs the editor that the user chose, through the shell as other programs do: its variable may hold options.
Status edit_file(const std::string& path) {
  const char* editor = std::getenv("VISUAL");
  if (editor == nullptr || *editor == '\0') editor = std::getenv("EDITOR");
  if (editor == nullptr || *editor == '\0') {
    return Error{ErrorCode::kUsage, "there is no editor: VISUAL and EDITOR are not set",
                 "set one, or give a file: `knapsack profile edit FILE`"};
  }
  const pid_t child = ::fork();
  if (child < 0) return Error{ErrorCode::kIo, "cannot start the editor", "try again"};
  if (child == 0) {
    ::execlp("sh", "sh", "-c", fmt::format("{} \"$@\"", editor).c_str(), editor, path.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return Error{ErrorCode::kIo, "cannot wait for the editor", ""};
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return ok_status();
  return Error{ErrorCode::kIo, fmt::format("the editor '{}' failed", editor), "check VISUAL and EDITOR"};
}

int run_profile_show(const Shared& shared, const MemoryOptions& options) {
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto reply = (*engine)->profile({options.settings(), std::nullopt});
  if (!reply.ok()) return fail(reply.error());
  if (!reply->exists) {
    note(fmt::format("there is no profile yet: {}", reply->path));
    return 0;
  }
  const auto printed = print(escape_lines(reply->text));
  return printed.ok() ? 0 : fail(printed.error());
}

void add_profile_show(Command profile, Shared& shared) {
  auto options = std::make_shared<MemoryOptions>();
  Command command = add_command(profile, shared, "show", "Print the profile",
                                [&shared, options] { return run_profile_show(shared, *options); });
  add_memory_options(command, *options);
  command.footer("Example:\n  knapsack profile show");
}

void add_profile_edit(Command profile, Shared& shared) {
  struct Options {
    MemoryOptions memory;
    std::string file;
  };
  auto options = std::make_shared<Options>();
  Command command = add_command(profile, shared, "edit", "Change the profile", [&shared, options] {
    auto engine = open_engine(shared);
    if (!engine.ok()) return fail(engine.error());
    ProfileRequest request{options->memory.settings(), std::nullopt};
    const auto before = (*engine)->profile(request);
    if (!before.ok()) return fail(before.error());
    if (!options->file.empty()) {
      auto text = read_input(options->file);
      if (!text.ok()) return fail(text.error());
      request.text = std::move(*text);
    } else if (!before->exists) {
      request.text = "# Profile\n\n";
    }
    if (request.text) {
      if (const auto written = (*engine)->profile(request); !written.ok()) return fail(written.error());
    }
    if (options->file.empty()) {
      if (const auto edited = edit_file(before->path); !edited.ok()) return fail(edited.error());
    }
    const auto printed = print(fmt::format("{}\n", before->path));
    return printed.ok() ? 0 : fail(printed.error());
  });
  command
      .add_option("FILE", options->file,
                  "A file with the new profile, or - for standard input (default: open an editor)")
      .type_name("");
  add_memory_options(command, options->memory);
  command.footer(
      "Examples:\n"
      "  knapsack profile edit\n"
      "  printf '# Profile\\n\\n- Likes short answers.\\n' | knapsack profile edit -");
}

}  // namespace

void add_memories(Command program, Shared& shared) {
  Command memories = program.add_subcommand("memories", "List, show, review and move memories");
  memories.require_subcommand(0, 1);
  memories.callback([&shared] {  // after that of a command below it
    if (!shared.chosen) shared.chosen = [&shared] { return run_list(shared, {}); };
  });
  add_list(memories, shared);
  add_memory_show(memories, shared);
  add_memory_move(memories, shared);
  add_review(memories, shared);
  memories.footer("`knapsack memories COMMAND --help` has examples for each.");
}

void add_profile(Command program, Shared& shared) {
  Command profile =
      program.add_subcommand("profile", "Show or change the profile that every recall includes");
  profile.require_subcommand(0, 1);
  profile.callback([&shared] {
    if (!shared.chosen) shared.chosen = [&shared] { return run_profile_show(shared, {}); };
  });
  add_profile_show(profile, shared);
  add_profile_edit(profile, shared);
  profile.footer("`knapsack profile COMMAND --help` has examples for each.");
}

}  // namespace knapsack::cli
