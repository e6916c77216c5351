// `knapsack capture` and `memories review`: memories that a conversation proposes, and who decides about them.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/ask.h"
#include "cli/memory_command.h"
#include "cli/numbers.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

struct CaptureOptions {
  MemoryOptions memory;
  std::string file = "-";
  bool remember = false;
  bool dry_run = false;
  std::string model, base_url, model_deadline;
  bool no_model = false;
  std::string format = "md";
};

std::string captured_json(const CaptureReply& reply) {
  nlohmann::ordered_json proposals = nlohmann::ordered_json::array();
  for (const ProposedMemory& each : reply.proposals) {
    nlohmann::ordered_json one = {
        {"category", each.category}, {"text", each.text}, {"because", each.because}};
    if (!each.id.empty()) one["id"] = each.id;
    proposals.push_back(std::move(one));
  }
  nlohmann::ordered_json json = {{"folder", reply.folder},           {"turns", reply.turns},
                                 {"passed_over", reply.passed_over}, {"known", reply.known},
                                 {"proposals", proposals},           {"warnings", reply.warnings}};
  if (!reply.episode.empty()) json["episode"] = reply.episode;
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string captured_lines(const CaptureReply& reply, const CaptureOptions& options) {
  std::string out;
  for (const ProposedMemory& each : reply.proposals)
    out += fmt::format("{:12} {}{}\n", each.category, escape_control(each.text),
                       each.id.empty() ? "" : "  [" + each.id + "]");
  out += fmt::format("{} of {}", counted(reply.proposals.size(), "proposal"), counted(reply.turns, "turn"));
  if (reply.known > 0) out += fmt::format("; {} known or refused before", grouped(reply.known));
  const bool waits = !reply.proposals.empty() && !options.remember && !options.dry_run;
  return out + (waits ? "; `knapsack memories review` decides\n" : "\n");
}

int run_capture(const Shared& shared, const CaptureOptions& options) {
  auto text = read_input(options.file);
  if (!text.ok()) return fail(text.error());
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  CaptureRequest request;
  request.settings = options.memory.settings();
  for (const auto& [key, value] : {std::pair{"model.name", &options.model},
                                   {"model.base_url", &options.base_url},
                                   {"model.deadline", &options.model_deadline}})
    if (!value->empty()) request.settings[key] = *value;
  if (options.no_model) request.settings["model.name"] = request.settings["model.base_url"] = "";
  request.transcript = *std::move(text);
  request.remember = options.remember;
  request.dry_run = options.dry_run;
  const auto reply = (*engine)->capture(request);
  if (!reply.ok()) return fail(reply.error());
  const auto printed =
      print(options.format == "json" ? captured_json(*reply) : captured_lines(*reply, options));
  if (!printed.ok()) return fail(printed.error());
  return shared.strict && !reply->warnings.empty() ? 1 : 0;
}

struct ReviewOptions {
  MemoryOptions memory;
  ReviewRequest request;
  std::string format = "md";
};

std::string review_json(const ReviewReply& reply) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const MemoryRow& row : reply.waiting)
    rows.push_back({{"id", row.id},
                    {"kind", row.kind},
                    {"category", row.category},
                    {"created", row.created},
                    {"title", row.title}});
  const nlohmann::ordered_json json = {
      {"folder", reply.folder}, {"accepted", reply.accepted}, {"refused", reply.refused}, {"waiting", rows}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string review_lines(const ReviewReply& reply) {
  std::string out;
  for (const std::string& id : reply.accepted) out += fmt::format("{} is remembered\n", escape_control(id));
  for (const std::string& id : reply.refused) out += fmt::format("{} is refused\n", escape_control(id));
  for (const MemoryRow& row : reply.waiting)
    out += fmt::format("{:12} {}  {}\n", row.kind == "episode" ? row.kind : escape_control(row.category),
                       escape_control(row.id), escape_control(row.title));
  return out + fmt::format("{} wait in {}\n", counted(reply.waiting.size(), "proposal"), reply.folder);
}

// One by one, where somebody sits at the terminal.
Status ask_each(Engine& engine, ReviewRequest& request) {
  KNAPSACK_TRY(const ReviewReply reply, engine.review_memories(request));
  for (const MemoryRow& row : reply.waiting) {
    const auto answer = ask(fmt::format("{:12} {}\nremember this? [y/n/later] ", escape_control(row.category),
                                        escape_control(row.title)));
    if (!answer) break;
    if (*answer == "y" || *answer == "д") request.accept.push_back(row.id);
    if (*answer == "n" || *answer == "н") request.refuse.push_back(row.id);
  }
  return ok_status();
}

int run_review(const Shared& shared, ReviewOptions& options) {
  ReviewRequest& request = options.request;
  request.settings = options.memory.settings();
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  if (request.accept.empty() && request.refuse.empty() && options.format != "json" && can_ask()) {
    if (const Status asked = ask_each(**engine, request); !asked.ok()) return fail(asked.error());
  }
  const auto reply = (*engine)->review_memories(request);
  if (!reply.ok()) return fail(reply.error());
  const auto printed = print(options.format == "json" ? review_json(*reply) : review_lines(*reply));
  return printed.ok() ? 0 : fail(printed.error());
}

}  // namespace

void add_capture(Command program, Shared& shared) {
  auto options = std::make_shared<CaptureOptions>();
  Command command =
      add_command(program, shared, "capture", "Propose memories from a conversation with an agent",
                  [&shared, options] { return run_capture(shared, *options); });
  command.add_option("--from", options->file, "The transcript, or - for standard input (default)")
      .type_name("FILE");
  command.add_flag("--remember", options->remember, "Remember the proposals at once, without a review");
  command.add_flag("--dry-run", options->dry_run, "Only show what would be proposed");
  command.add_option("--model", options->model, "A model that chooses sentences in addition to the rules")
      .type_name("NAME");
  command
      .add_option("--base-url", options->base_url,
                  "The address of its server (Ollama, or an OpenAI-compatible one ending in /v1)")
      .type_name("URL");
  command
      .add_option("--model-deadline", options->model_deadline,
                  "Time limit for all questions to the model together, such as 30s (default 60s)")
      .type_name("TIME");
  command.add_flag("--no-llm", options->no_model, "Use only the rules, even if a model is configured");
  add_memory_options(command, options->memory);
  add_format(command, options->format, {"md", "json"});
  command.footer(
      "Reads the JSON lines of Claude Code or Codex, or text with \"User:\" and \"Assistant:\". Decisions, "
      "preferences,\n"
      "corrections, facts with a date, a number or an owner, and attempts that failed are proposed, by their "
      "words\n"
      "(English and Russian). A sentence with a secret is never proposed. Proposals are not recalled\n"
      "until someone accepts them.\n\n"
      "A model named here, in your configuration or in the environment can choose more sentences from the\n"
      "conversation; the conversation is sent to it without secrets.\n\n"
      "Examples:\n"
      "  knapsack capture --from session.jsonl\n"
      "  printf 'User: We decided to keep the ledger in SQLite.\\n' | knapsack capture --dry-run\n"
      "  knapsack memories review --accept all");
}

void add_review(Command memories, Shared& shared) {
  auto options = std::make_shared<ReviewOptions>();
  Command command = add_command(memories, shared, "review", "Accept or refuse proposed memories",
                                [&shared, options] { return run_review(shared, *options); });
  command.add_option("--accept", options->request.accept, "Ids to remember, or all")
      .delimiter(',')
      .type_name("ID,…");
  command.add_option("--refuse", options->request.refuse, "Ids never to propose again, or all")
      .delimiter(',')
      .type_name("ID,…");
  add_memory_options(command, options->memory);
  add_format(command, options->format, {"md", "json"});
  command.footer(
      "Without options it lists the pending proposals; on a terminal it asks about each.\n\nExample:\n  "
      "knapsack memories "
      "review --accept all");
}

}  // namespace knapsack::cli
