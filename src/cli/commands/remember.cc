// `knapsack remember`: what writes memories.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/ask.h"
#include "cli/memory_command.h"
#include "cli/numbers.h"
#include "core/escape.h"
#include "core/split.h"

namespace knapsack::cli {
namespace {

constexpr size_t kMaxTextBytes = size_t{1} << 20U;

struct RememberOptions {
  MemoryOptions memory;
  RememberRequest request;
  std::string tags;
  std::string format = "md";
};

std::string remembered_json(const RememberReply& reply) {
  nlohmann::ordered_json json = {{"id", reply.id},
                                 {"path", reply.path},
                                 {"duplicate", reply.duplicate},
                                 {"category", reply.category},
                                 {"importance", reply.importance},
                                 {"confidence", reply.confidence}};
  if (!reply.delivery.empty()) json["delivery"] = reply.delivery;
  if (!reply.entity.empty()) json["entity"] = reply.entity;
  if (!reply.artifact.empty()) json["artifact"] = reply.artifact;
  if (!reply.superseded.empty()) json["superseded"] = reply.superseded;
  for (const ContradictedMemory& each : reply.contradicts)
    json["contradicts"].push_back({{"id", each.id}, {"title", each.title}, {"because", each.because}});
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string remembered_lines(const RememberReply& reply) {
  std::string out = fmt::format("{}\n", reply.id);
  out += fmt::format("  {}, importance {:.2f}, confidence {:.2f}{}\n  {}\n", reply.category, reply.importance,
                     reply.confidence, reply.entity.empty() ? "" : ", about " + escape_control(reply.entity),
                     reply.path);
  if (!reply.delivery.empty()) out += fmt::format("  {}\n", reply.delivery);
  if (!reply.artifact.empty()) out += fmt::format("  kept word for word as {}\n", reply.artifact);
  for (const auto& id : reply.superseded) out += fmt::format("  supersedes {}\n", escape_control(id));
  return out;
}

// What the new memory seems to contradict is superseded when somebody says so, never silently.
Status ask_about_contradicted(Engine& engine, RememberRequest& request) {
  RememberRequest first = request;
  first.dry_run = true;
  KNAPSACK_TRY(const RememberReply reply, engine.remember(first));
  for (const ContradictedMemory& each : reply.contradicts) {
    const std::string question =
        fmt::format("{}\n  {} ({})\nsupersedes {}? [y/n] ", escape_control(each.title),
                    escape_control(each.id), escape_control(each.because), escape_control(each.id));
    if (ask_yes(question)) request.supersedes.push_back(each.id);
  }
  return ok_status();
}

void tell_contradicted(const Shared& shared, const RememberReply& reply) {
  for (const ContradictedMemory& each : reply.contradicts) {
    say(shared, LogLevel::kWarning,
        fmt::format("{} may no longer hold, \"{}\" ({}): say the same again with --supersedes {} or --yes",
                    each.id, each.title, each.because, each.id));
  }
}

int run_remember(const Shared& shared, RememberOptions& options) {
  if (options.request.text == "-") {
    auto text = read_input("the text", kMaxTextBytes);
    if (!text.ok()) return fail(text.error());
    options.request.text = std::move(*text);
  }
  options.request.settings = options.memory.settings();
  options.request.tags = comma_list(options.tags);
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const bool asks = !options.request.supersede_contradicted && can_ask();
  if (asks) {
    if (const Status asked = ask_about_contradicted(**engine, options.request); !asked.ok())
      return fail(asked.error());
  }
  const auto reply = (*engine)->remember(options.request);
  if (!reply.ok()) return fail(reply.error());
  if (!asks) tell_contradicted(shared, *reply);
  for (const auto& notice : reply->notices) say(shared, LogLevel::kWarning, notice);
  if (reply->duplicate) {
    note(fmt::format("{} says the same already ({}); {}", reply->id, reply->path,
                     reply->superseded.empty()
                         ? "nothing was written"
                         : fmt::format("it supersedes {} now", fmt::join(reply->superseded, ", "))));
  }
  if (reply->duplicate && options.format != "json") return reply->superseded.empty() ? 1 : 0;
  const auto printed = print(options.format == "json" ? remembered_json(*reply) : remembered_lines(*reply));
  if (!printed.ok()) return fail(printed.error());
  return reply->duplicate && reply->superseded.empty() ? 1 : 0;
}

struct PromoteOptions {
  MemoryOptions memory;
  PromoteRequest request;
  std::string format = "md";
};

int run_promote(const Shared& shared, PromoteOptions& options) {
  options.request.settings = options.memory.settings();
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto reply = (*engine)->promote(options.request);
  if (!reply.ok()) return fail(reply.error());
  for (const auto& notice : reply->notices) say(shared, LogLevel::kWarning, notice);
  const auto printed = print(options.format == "json" ? remembered_json(*reply) : remembered_lines(*reply));
  return printed.ok() ? 0 : fail(printed.error());
}

}  // namespace

void add_remember(Command program, Shared& shared) {
  auto options = std::make_shared<RememberOptions>();
  Command command = add_command(program, shared, "remember", "Write a memory",
                                [&shared, options] { return run_remember(shared, *options); });
  RememberRequest& request = options->request;
  command.add_text("TEXT", request.text, "What to remember, or - for standard input")
      .required()
      .type_name("");
  command
      .add_option("--category", request.category,
                  "fact, preference, correction, entity, decision, relationship, principle, commitment, "
                  "moment or skill (default: inferred from the text)")
      .type_name("NAME");
  command.add_option("--importance", request.importance, "0 to 1 (default: inferred from the text)")
      .type_name("X");
  command.add_option("--confidence", request.confidence, "0 to 1 (default 0.9)").type_name("X");
  command.add_option("--tags", options->tags, "Tags, separated by commas").type_name("A,B");
  command.add_option("--supersedes", request.supersedes, "The id of a memory that this one replaces")
      .type_name("ID");
  command.add_flag("--yes,-y", request.supersede_contradicted,
                   "Supersede contradicting memories (same subject, different value) without asking");
  add_memory_options(command, options->memory);
  add_format(command, options->format, {"md", "json"});
  command.footer(
      "A memory is a Markdown file that you can edit. One with the same text as another (ignoring case,\n"
      "punctuation and white space) is refused, with the other's id. A decision, correction, principle or\n"
      "commitment with a confidence of 0.8 or more is also kept word for word under artifacts/.\n"
      "Exit codes: 0 written, 1 refused as a duplicate or failed, 2 bad usage.\n\n"
      "Examples:\n"
      "  knapsack remember \"We decided to keep the ledger in SQLite\" --tags ledger,storage\n"
      "  knapsack remember \"Анна предпочитает короткие ответы\"\n"
      "  knapsack remember \"The rate limit is 500 now\" --yes\n"
      "  knapsack remember \"Releases are cut on Tuesdays\" --namespace team:shop\n"
      "  knapsack remember \"The importer moved to Go\" --supersedes fact-1763200000000-4f2a91c3");
}

void add_promote(Command program, Shared& shared) {
  auto options = std::make_shared<PromoteOptions>();
  Command command = add_command(program, shared, "promote", "Copy one of your memories to a team",
                                [&shared, options] { return run_promote(shared, *options); });
  command.add_option("ID", options->request.id, "Its id, or its path in the memory folder")
      .required()
      .type_name("");
  command.add_option("--to", options->request.to, "The team's namespace, team:NAME")
      .required()
      .type_name("NAME");
  add_memory_options(command, options->memory);
  add_format(command, options->format, {"md", "json"});
  command.footer(
      "The team sees the memory's origin. Secrets of known formats are replaced first. Promoting it again\n"
      "changes nothing.\n\n"
      "Example:\n  knapsack promote decision-1763200000000-4f2a91c3 --to team:shop");
}

}  // namespace knapsack::cli
