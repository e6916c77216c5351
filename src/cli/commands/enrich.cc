#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/numbers.h"
#include "cli/progress_line.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

struct EnrichArguments {
  std::string folder;
  EnrichRequest request;
  std::string provider, window, timeout;  // empty: as the settings say
  uint64_t limit = 0;
  std::string format = "md";
};

// "40 s", "12 min", "3.5 h"
std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

void show(ProgressLine& line, const EnrichProgress& progress) {
  if (!line.due()) return;
  std::string text = fmt::format("{} of {} files", grouped(progress.done), grouped(progress.total));
  if (progress.done > 0) {
    const double each = line.seconds() / static_cast<double>(progress.done);
    text += fmt::format(", {:.1f} a minute, {} left", 60 / each,
                        duration(each * static_cast<double>(progress.total - progress.done)));
  }
  if (progress.failed > 0) text += fmt::format(", {} without use", grouped(progress.failed));
  line.show(text + "  " + escape_control(progress.path));
}

std::string failures_text(const EnrichReport& report) {
  std::string list;
  for (const auto& [outcome, count] : report.failures) {
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", outcome, grouped(count));
  }
  return list;
}

std::string as_text(const EnrichReport& report, const EnrichArguments& arguments, double seconds) {
  std::string out;
  if (report.asked == 0) {
    out = fmt::format("Nothing to ask {} about: {} of {} described already\n",
                      escape_control(arguments.request.model), grouped(report.known),
                      counted(report.files, "file"));
  } else {
    out =
        fmt::format("Asked {} about {} in {}: {} described, {} tokens read and {} written\n",
                    escape_control(arguments.request.model), counted(report.asked, "file"), duration(seconds),
                    grouped(report.answered), grouped(static_cast<uint64_t>(report.prompt_tokens)),
                    grouped(static_cast<uint64_t>(report.completion_tokens)));
    out += fmt::format("  described   {} of {}\n", grouped(report.known + report.answered),
                       counted(report.files, "file"));
  }
  const auto line = [&](const char* name, uint64_t count, const std::string& text) {
    if (count > 0) out += fmt::format("  {:<11} {}\n", name, text);
  };
  line("no use", report.asked - report.answered,
       fmt::format("{} ({}), first {}; the next run asks again",
                   counted(report.asked - report.answered, "answer"), failures_text(report),
                   escape_control(report.first_failure)));
  line(
      "shortened", report.shortened,
      counted(report.shortened, "file") + " longer than the window: signatures and the beginning were shown");
  line("redacted", report.redacted, counted(report.redacted, "secret") + " taken out of what was sent");
  line("changed", report.changed,
       counted(report.changed, "file") + " passed over: not as indexed; run `knapsack index`");
  line("left", report.left, counted(report.left, "file") + " not asked about yet: run it again");
  line("promoted", report.promoted, counted(report.promoted, "description") + " in the index");
  if (!arguments.request.promote && report.known + report.answered > 0) {
    out += "  next        --promote copies the descriptions into the index\n";
  }
  return out;
}

// Before it goes into the index: what the model said, file by file.
std::string review_text(const EnrichReport& report, const EnrichArguments& arguments) {
  std::string out;
  for (const FileDescription& file : report.reviewed) {
    out += bold(escape_control(file.path)) + "\n";
    const auto line = [&](const char* name, const std::string& text) {
      if (!text.empty()) out += fmt::format("  {:<10}{}\n", name, escape_control(text));
    };
    line("purpose", file.purpose);
    line("domain", file.domain);
    line("module", file.module);
    line("API", fmt::format("{}", fmt::join(file.public_api, ", ")));
    line("concepts", fmt::format("{}", fmt::join(file.concepts, ", ")));
    line("hard", file.complexity_notes);
  }
  out += fmt::format("{} of {} described by {}", grouped(report.known), counted(report.files, "file"),
                     escape_control(arguments.request.model));
  if (report.known > report.reviewed.size())
    out += fmt::format(", {} shown (--limit)", grouped(report.reviewed.size()));
  return out + (report.known == 0 ? "; without --review it is asked\n"
                                  : "; --promote copies the descriptions into the index\n");
}

nlohmann::ordered_json reviewed_json(const EnrichReport& report) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const FileDescription& file : report.reviewed) {
    files.push_back({{"path", file.path},
                     {"purpose", file.purpose},
                     {"module", file.module},
                     {"domain", file.domain},
                     {"concepts", file.concepts},
                     {"public_api", file.public_api},
                     {"complexity_notes", file.complexity_notes}});
  }
  return files;
}

std::string as_json(const EnrichReport& report, bool is_review) {
  nlohmann::ordered_json json = {{"files", report.files},
                                 {"known", report.known},
                                 {"asked", report.asked},
                                 {"answered", report.answered},
                                 {"failures", report.failures},
                                 {"first_failure", report.first_failure},
                                 {"shortened", report.shortened},
                                 {"redacted", report.redacted},
                                 {"changed", report.changed},
                                 {"left", report.left},
                                 {"promoted", report.promoted},
                                 {"stopped", report.stopped},
                                 {"prompt_tokens", report.prompt_tokens},
                                 {"completion_tokens", report.completion_tokens}};
  if (is_review) json["reviewed"] = reviewed_json(report);
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int run_enrich(Shared& shared, EnrichArguments& arguments) {
  if (!arguments.request.review && arguments.request.base_url.empty())
    return fail({ErrorCode::kUsage, "--base-url is required", "see `knapsack enrich --help`"});
  auto engine = open_engine(shared, arguments.folder);
  if (!engine.ok()) return fail(engine.error());
  for (const auto& [key, value] :
       {std::pair{"model.provider", arguments.provider}, std::pair{"model.context_window", arguments.window},
        std::pair{"model.timeout", arguments.timeout}}) {
    if (!value.empty()) arguments.request.settings[key] = value;
  }
  if (arguments.limit > 0) arguments.request.limit = arguments.limit;
  const auto began = std::chrono::steady_clock::now();
  const auto report = [&] {
    ProgressLine line;
    arguments.request.progress = [&](const EnrichProgress& progress) { show(line, progress); };
    return (*engine)->enrich(arguments.request);
  }();
  if (!report.ok()) return fail(report.error());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  // A run_enrich that got nowhere has nothing to report but why.
  const bool nothing = report->answered == 0 && report->promoted == 0 && !report->stopped.empty();
  if (!nothing) {
    const auto printed = print(arguments.format == "json" ? as_json(*report, arguments.request.review)
                               : arguments.request.review ? review_text(*report, arguments)
                                                          : as_text(*report, arguments, seconds));
    if (!printed.ok()) return fail(printed.error());
  }
  if (!report->stopped.empty()) {
    return fail({ErrorCode::kIo, "the model could not be asked: " + report->stopped,
                 "run it again when it can; nothing that was answered is lost"});
  }
  // Each answer was passed over, and what was described before is no work of this run.
  if (report->asked > 0 && report->answered == 0) {
    return fail({ErrorCode::kIo,
                 fmt::format("none of {} could be described: {}", counted(report->asked, "file"),
                             report->first_failure),
                 "try another model, or a longer --timeout"});
  }
  return shared.strict && report->answered < report->asked ? 1 : 0;
}

}  // namespace

void add_enrich(Command program, Shared& shared) {
  auto arguments = std::make_shared<EnrichArguments>();
  Command command = add_command(program, shared, "enrich", "Have a model describe the indexed source files",
                                [&shared, arguments] { return run_enrich(shared, *arguments); });
  command.add_option("DIR", arguments->folder, "The repository (default: the workspace)").type_name("");
  command.add_option("--model", arguments->request.model, "The model's name on its server")
      .required()
      .type_name("M");
  command
      .add_option("--base-url", arguments->request.base_url,
                  "Its server: http://localhost:11434 for Ollama, https://host/v1 for OpenAI's protocol; not "
                  "needed for --review")
      .type_name("URL");
  command.add_flag("--promote", arguments->request.promote,
                   "Copy this model's valid descriptions into the index, where retrieval finds them");
  command.add_flag("--review", arguments->request.review,
                   "Show the purpose, domain and API that this model has described, without asking it; use "
                   "before --promote");
  command
      .add_option("--limit", arguments->limit, "Describe at most this many files in this run (default: all)")
      .between(1, 1'000'000'000)
      .type_name("N");
  command
      .add_option("--provider", arguments->provider,
                  "ollama, openai or auto (default): openai where the URL ends in /v1, ollama otherwise")
      .type_name("P");
  command
      .add_option("--context-window", arguments->window,
                  "The model's context window in tokens (default 8192); longer files are sent in part")
      .type_name("N");
  command.add_option("--timeout", arguments->timeout, "Time limit for one answer (default 120s)")
      .type_name("TIME");
  command.add_option("--format", arguments->format, "md or json (default md)")
      .one_of({"md", "json"})
      .type_name("FORMAT");
  command.footer(
      "The model is asked once about each file: its purpose, module and domain, concepts to find it by,\n"
      "its public API, and its difficult parts. The most imported files come first. Prompts and answers\n"
      "stay in the ledger; an interrupted run resumes where it stopped, and answered files are not asked\n"
      "about again. Secrets of known formats are removed before anything is sent.\n\n"
      "A key goes into KNAPSACK_MODEL_KEY (or OPENAI_API_KEY, which is sent over https or to this machine "
      "only).\n\n"
      "Examples:\n"
      "  knapsack enrich --model qwen2.5-coder --base-url http://localhost:11434 --limit 20\n"
      "  knapsack enrich --model qwen2.5-coder --review\n"
      "  knapsack enrich --model qwen2.5-coder --base-url http://localhost:11434 --promote\n"
      "  knapsack enrich --model gpt-4o-mini --base-url https://api.openai.com/v1 --context-window 128000");
}

}  // namespace knapsack::cli
