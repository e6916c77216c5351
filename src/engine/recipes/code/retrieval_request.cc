#include "engine/recipes/code/retrieval_request.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/escape.h"
#include "core/nearest.h"
#include "engine/run_record.h"
#include "packet/budget.h"
#include "text/markdown/markdown_lines.h"
#include "text/parse_json.h"
#include "text/secrets/redact.h"
#include "text/tokens/token_counter.h"
#include "text/toml_depth.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMaxBudgetFileBytes = 64 << 10;
constexpr size_t kMaxAskedBytes = 4 << 20;
constexpr size_t kMaxTitleBytes = 120;
constexpr const char* kTokenizerSetting = "code.tokenizer";
// A refinement names what one task lacks, not a repository.
constexpr size_t kMaxRefinementNames = 200;

Error usage(std::string what, std::string next) {
  return {ErrorCode::kUsage, std::move(what), std::move(next)};
}

Error unreadable_request(std::string_view why) {
  return {ErrorCode::kCorrupt, fmt::format("the request of this session cannot be read: {}", why),
          "retrieve again with another `task_id`"};
}

Result<BudgetConfig> check_numbers(uint64_t window, uint64_t reserved, const std::string& window_name,
                                   const std::string& reserved_name) {
  BudgetConfig budget;
  budget.context_window = window;
  budget.reserved_tokens = reserved;
  if (budget.context_window == 0) {
    return usage(fmt::format("{} must be above 0", window_name),
                 "give the number of tokens that the model sees");
  }
  if (budget.reserved_tokens >= budget.context_window) {
    return usage(fmt::format("{} ({}) must be below {} ({})", reserved_name, budget.reserved_tokens,
                             window_name, budget.context_window),
                 "reserve less, or nothing would be left for the context");
  }
  return budget;
}

// Whole numbers by name, from TOML or JSON.
Result<std::map<std::string, std::string>> read_numbers(const std::string& bytes, const std::string& path) {
  std::map<std::string, std::string> numbers;
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && bytes[first] == '{') {
    const Json json = parse_ordered_json(bytes);
    if (!json.is_object()) return usage(fmt::format("{} is not a JSON object", path), "correct it");
    for (const auto& [key, value] : json.items()) {
      if (!value.is_number_integer()) {
        return usage(fmt::format("{}: {} must be a whole number", path, key), "");
      }
      numbers[key] = value.dump();
    }
    return numbers;
  }
  if (const std::string why = toml_refusal(bytes, kMaxTomlDepth); !why.empty())
    return usage(fmt::format("{}: {}", path, why), "write it as TOML or JSON");
  try {
    const toml::table table = toml::parse(bytes);
    for (const auto& [key, node] : table) {
      const auto value = node.value_exact<int64_t>();
      if (!value)
        return usage(fmt::format("{}: {} must be a whole number", path, std::string(key.str())), "");
      numbers[std::string(key.str())] = fmt::format("{}", *value);
    }
  } catch (const toml::parse_error& error) {
    return usage(fmt::format("{} line {}: {}", path, error.source().begin.line, error.description()),
                 "write it as TOML or JSON");
  }
  return numbers;
}

// Read as UTF-8 it would be words of noise: no text in UTF-8 begins with the mark of UTF-16, and in UTF-16 every other
// byte of most languages is a NUL. A stray one stands in what is pasted from a terminal.
bool is_no_utf8_text(std::string_view text) {
  constexpr size_t kLeastBytesPerNul = 4;
  const auto nuls = static_cast<size_t>(std::count(text.begin(), text.end(), '\0'));
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ||
         nuls * kLeastBytesPerNul > text.size();
}

Result<BudgetConfig> read_budget_file(const FileSystem& files, const std::string& folder,
                                      const std::string& named) {
  const std::string path = join_path(folder, named);
  auto bytes = files.read(path, kMaxBudgetFileBytes);
  if (!bytes.ok()) {
    return usage(fmt::format("`budget_config` {}: {}", named, bytes.error().what), bytes.error().next);
  }
  KNAPSACK_TRY(const auto numbers, read_numbers(*bytes, named));
  const std::vector<std::string> known = {"context_window", "reserved_tokens"};
  for (const auto& [key, value] : numbers) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    return usage(fmt::format("{}: unknown key '{}'", named, key),
                 fmt::format("did you mean '{}'?", nearest_name(key, known)));
  }
  for (const std::string& key : known) {
    if (!numbers.contains(key)) return usage(fmt::format("{} does not say {}", named, key), "add it");
  }
  const std::string window_name = named + ": context_window", reserved_name = named + ": reserved_tokens";
  KNAPSACK_TRY(const uint64_t window, parse_budget(numbers.at("context_window"), window_name));
  KNAPSACK_TRY(const uint64_t reserved, parse_budget(numbers.at("reserved_tokens"), reserved_name));
  return check_numbers(window, reserved, window_name, reserved_name);
}

}  // namespace

Result<BudgetConfig> read_budget(const FileSystem& files, const std::string& folder,
                                 const RetrieveRequest& request) {
  const bool window = request.context_window.has_value();
  const bool reserved = request.reserved_tokens.has_value();
  if (request.budget_config && (window || reserved)) {
    return usage(fmt::format("`budget_config` and {} exclude each other",
                             window ? "`context_window`" : "`reserved_tokens`"),
                 "give the file or the two numbers");
  }
  if (request.budget_config) return read_budget_file(files, folder, *request.budget_config);
  if (!window && !reserved) {
    return usage("there is no budget",
                 "give `context_window` N and `reserved_tokens` N, or `budget_config` FILE");
  }
  if (!reserved) {
    return usage("`context_window` needs `reserved_tokens`",
                 "say how many tokens the rest of the prompt takes");
  }
  if (!window) {
    return usage("`reserved_tokens` needs `context_window`", "say how many tokens the model sees");
  }
  return check_numbers(*request.context_window, *request.reserved_tokens, "`context_window`",
                       "`reserved_tokens`");
}

std::string task_title(const std::string& task) {
  const std::string_view body = trim(task);
  const std::string_view line = trim(body.substr(0, body.find_first_of("\r\n")));
  const std::string_view shown = utf8_prefix(line, kMaxTitleBytes);
  return escape_control(shown) + (shown.size() < line.size() ? "…" : "");
}

Packet packet_for_task(const std::string& task, const Budget& budget, Timestamp now) {
  Packet packet;
  packet.title = "Context for: " + task_title(task);
  packet.generated = Timestamp::from_seconds(now.seconds());
  packet.dated = false;
  packet.tokenizer = budget.counter->name();
  packet.budget = budget.tokens;
  return packet;
}

Status check_task(const std::string& task) {
  if (task.find_first_not_of(" \t\r\n") == std::string::npos) {
    return usage("the task is empty", "describe the task in words");
  }
  if (task.size() > kMaxAskedBytes) {
    return usage(fmt::format("the task has {} bytes", task.size()),
                 fmt::format("shorten it to at most {}", kMaxAskedBytes));
  }
  if (is_no_utf8_text(task)) {
    return usage("the task is UTF-16 or binary data, and not text in UTF-8",
                 "convert it first, as with `iconv -f UTF-16 -t UTF-8`");
  }
  return ok_status();
}

Status check_model(const RetrieveRequest& request) {
  const bool any = !request.model.empty() || !request.base_url.empty();
  if (request.no_model && any) {
    return usage(
        fmt::format("`no_model` and {} exclude each other", request.model.empty() ? "`base_url`" : "`model`"),
        "leave one of them out");
  }
  if (request.no_model) return ok_status();
  if (!any) {
    return usage("there is no model", "give `model` NAME and `base_url` URL, or `no_model` for rules alone");
  }
  if (request.model.empty()) return usage("`base_url` needs `model`", "name the model; it is never guessed");
  if (request.base_url.empty()) return usage("`model` needs `base_url`", "say where the model answers");
  return ok_status();
}

std::string refinement_to_json(const Refinement& refinement) {
  std::vector<std::string> failed;
  for (const FailedTest& test : refinement.failed_tests) failed.push_back(test.name);
  const nlohmann::ordered_json json = {{"reason", refinement.reason},
                                       {"missing_files", refinement.missing_files},
                                       {"missing_symbols", refinement.missing_symbols},
                                       {"missing_tests", refinement.missing_tests},
                                       {"error_signatures", refinement.error_signatures},
                                       {"failed_tests", failed}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Result<Refinement> parse_refinement(const std::string& text) {
  const Json json = parse_ordered_json(text);
  if (!json.is_object()) {
    return usage("the refinement request is not a JSON object",
                 R"(write {"reason": "…", "missing_files": […], "missing_symbols": […]})");
  }
  Refinement refinement;
  const std::pair<const char*, std::vector<std::string>*> lists[] = {
      {"missing_files", &refinement.missing_files},
      {"missing_symbols", &refinement.missing_symbols},
      {"missing_tests", &refinement.missing_tests},
      {"error_signatures", &refinement.error_signatures}};
  std::vector<std::string> known = {"reason"};
  for (const auto& [name, list] : lists) known.emplace_back(name);
  size_t names = 0;
  for (const auto& [key, value] : json.items()) {
    if (key == "reason") {
      if (!value.is_string()) return usage("refinement request: reason must be a text", "");
      refinement.reason = value.get<std::string>();
      redact_secrets(refinement.reason);
      continue;
    }
    const auto* place = std::find_if(std::begin(lists), std::end(lists),
                                     [&wanted = key](const auto& entry) { return wanted == entry.first; });
    if (place == std::end(lists)) {
      return usage(fmt::format("refinement request: unknown key '{}'", key),
                   fmt::format("did you mean '{}'?", nearest_name(key, known)));
    }
    const bool texts = value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& entry) {
                         return entry.is_string() && !entry.get_ref<const std::string&>().empty();
                       });
    if (!texts) return usage(fmt::format("refinement request: {} must be a list of texts", key), "");
    *place->second = value.get<std::vector<std::string>>();
    for (std::string& name : *place->second) redact_secrets(name);
    names += value.size();
  }
  if (names == 0 && refinement.reason.empty())
    return usage("the refinement request asks for nothing", "name what is missing");
  if (names > kMaxRefinementNames) {
    return usage(fmt::format("the refinement request names {} things", names),
                 fmt::format("name at most {}", kMaxRefinementNames));
  }
  return refinement;
}

Result<Refinement> refinement_of_tests(std::string output) {
  redact_secrets(output);
  TestOutput read = read_test_output(replace_invalid_utf8(output));
  if (read.failed.empty() && read.errors.empty()) {
    return usage("the test output names no failed test",
                 "give what pytest, unittest, go test, cargo test, jest, vitest, googletest or "
                 "`ctest --output-on-failure` printed, or JUnit XML");
  }
  Refinement refinement;
  refinement.reason = fmt::format("{} failed", read.failed.size() + read.more == 1
                                                   ? "1 test"
                                                   : fmt::format("{} tests", read.failed.size() + read.more));
  refinement.failed_tests = std::move(read.failed);
  refinement.error_signatures = std::move(read.errors);
  return refinement;
}

Refinement joined(Refinement first, Refinement second) {
  const auto append = [](auto& to, auto& from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  };
  if (first.reason.empty()) first.reason = std::move(second.reason);
  append(first.missing_files, second.missing_files);
  append(first.missing_symbols, second.missing_symbols);
  append(first.missing_tests, second.missing_tests);
  append(first.error_signatures, second.error_signatures);
  append(first.failed_tests, second.failed_tests);
  return first;
}

std::string request_to_json(const RetrieveRequest& request, const BudgetConfig& budget,
                            const std::vector<std::string>& linked) {
  const auto tokenizer = request.settings.find(kTokenizerSetting);
  Json json = {{"task", request.task},
               {"stages", request.stages},
               {"context_window", budget.context_window},
               {"reserved_tokens", budget.reserved_tokens},
               {"model", request.model},
               {"base_url", request.base_url},
               {"no_model", request.no_model},
               {"fill", request.fill},
               {"revision", request.revision},
               {"tokenizer", tokenizer == request.settings.end() ? "" : tokenizer->second}};
  // Only where there are any: what was asked without them stays what it was.
  if (!linked.empty()) json["also"] = linked;
  return json_line(json);
}

Result<RetrieveRequest> request_from_json(const std::string& text) {
  const Json json = parse_ordered_json(text);
  if (json.is_discarded()) return unreadable_request("it is not JSON");
  try {
    RetrieveRequest request;
    request.task = json.at("task");
    request.stages = json.at("stages");
    request.context_window = json.at("context_window").get<uint64_t>();
    request.reserved_tokens = json.at("reserved_tokens").get<uint64_t>();
    request.model = json.at("model");
    request.base_url = json.at("base_url");
    request.no_model = json.at("no_model");
    request.revision = json.at("revision");
    if (json.contains("also")) request.also = json.at("also").get<std::vector<std::string>>();
    if (const std::string tokenizer = json.at("tokenizer"); !tokenizer.empty()) {
      request.settings[kTokenizerSetting] = tokenizer;
    }
    return request;
  } catch (const std::exception& thrown) {
    return unreadable_request(thrown.what());
  }
}

}  // namespace knapsack
