#include "engine/settings/setting_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/ascii.h"
#include "core/clock.h"
#include "core/split.h"
#include "memory/tree/tree.h"
#include "packet/budget.h"
#include "text/tokens/token_counter.h"

namespace knapsack {
namespace {

constexpr int64_t kMaxModelSeconds = int64_t{24} * 3600;
constexpr int64_t kMaxHookMillis = 60'000;  // clients give up on a hook after a minute themselves
// How many of something a packet may hold; more than this is a slip of the finger.
constexpr size_t kMaxCap = 10'000;

template <class Number>
bool is_all_of(const std::string& text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc() && stop == end && !text.empty();
}

Result<size_t> parse_cap(const SettingValue& from, std::string_view of_what) {
  size_t number = 0;
  if (is_all_of(from.value, number) && number <= kMaxCap) return number;
  return Error{from.code, fmt::format("{} '{}' is not a number of {}", from.named(), from.value, of_what),
               fmt::format("give a whole number from 0 to {}", kMaxCap)};
}

Result<std::string> parse_word(const SettingValue& from, std::initializer_list<std::string_view> known) {
  if (std::find(known.begin(), known.end(), from.value) != known.end()) return from.value;
  return Error{from.code, fmt::format("{} '{}' is not known", from.named(), from.value),
               fmt::format("choose one of {}", fmt::join(known, ", "))};
}

}  // namespace

std::string SettingValue::named() const {
  return is_from_flag() ? origin : fmt::format("{} from {}:", key, origin);
}

Result<uint64_t> parse_tokens(const SettingValue& from) {
  return parse_budget(from.value, from.named(), from.code);
}

Result<std::string> parse_tokenizer(const SettingValue& from) {
  const auto counter = find_token_counter(from.value);
  if (counter.ok()) return std::string((*counter)->name());
  if (from.is_from_flag()) return counter.error();
  return Error{from.code, fmt::format("{} {}", from.named(), counter.error().what), counter.error().next};
}

Result<double> parse_share(const SettingValue& from) {
  double share = 0;
  if (is_all_of(from.value, share) && share >= 0 && share <= 1) return share;
  return Error{from.code, fmt::format("{} from {}: '{}' is not a share", from.key, from.origin, from.value),
               "give a number from 0 to 1"};
}

Result<bool> parse_switch(const SettingValue& from) {
  if (from.value == "true" || from.value == "false") return from.value == "true";
  return Error{from.code, fmt::format("{} '{}' is neither true nor false", from.named(), from.value),
               "give true or false"};
}

Result<size_t> parse_nodes(const SettingValue& from) {
  return parse_cap(from, "nodes");
}

Result<size_t> parse_memories(const SettingValue& from) {
  return parse_cap(from, "memories");
}

Result<int64_t> parse_seconds(const SettingValue& from) {
  auto seconds = parse_duration(from.value);
  if (!seconds.ok()) return Error{from.code, from.named() + " " + seconds.error().what, seconds.error().next};
  return seconds;
}

Result<int64_t> parse_model_timeout(const SettingValue& from) {
  KNAPSACK_TRY(const int64_t seconds, parse_seconds(from));
  if (seconds >= 1 && seconds <= kMaxModelSeconds) return seconds;
  return Error{from.code, fmt::format("{} '{}' is too short or too long", from.named(), from.value),
               "give 1s to 1d"};
}

Result<std::chrono::milliseconds> parse_model_seconds(const SettingValue& from) {
  KNAPSACK_TRY(const int64_t seconds, parse_model_timeout(from));
  return std::chrono::milliseconds(std::chrono::seconds(seconds));
}

Result<std::chrono::milliseconds> parse_hook_deadline(const SettingValue& from) {
  int64_t millis = 0;
  if (is_all_of(from.value, millis) && millis >= 1 && millis <= kMaxHookMillis)
    return std::chrono::milliseconds(millis);
  return Error{from.code, fmt::format("{} '{}' is not a number of milliseconds", from.named(), from.value),
               fmt::format("give a whole number from 1 to {}", kMaxHookMillis)};
}

Result<std::string> parse_provider(const SettingValue& from) {
  return parse_word(from, {"auto", "ollama", "openai"});
}

Result<std::string> parse_vectors(const SettingValue& from) {
  return parse_word(from, {"none", "auto", "ollama", "openai"});
}

Result<std::string> parse_encoding(const SettingValue& from) {
  return parse_word(from, {"int8", "float32"});
}

Result<std::string> parse_fusion(const SettingValue& from) {
  return parse_word(from, {"sum", "rrf"});
}

Result<std::string> parse_text(const SettingValue& from) {
  return from.value;
}

Result<std::string> parse_folder(const SettingValue& from) {
  if (!from.value.empty()) return from.value;
  return Error{from.code, fmt::format("{} from {} is empty", from.key, from.origin), "name a folder"};
}

Result<std::vector<std::string>> parse_names(const SettingValue& from) {
  return comma_list(from.value);
}

Result<std::vector<std::string>> parse_namespaces(const SettingValue& from) {
  std::vector<std::string> names;
  std::optional<Error> wrong;
  for_each_part(from.value, ",", [&](std::string_view part) {
    std::string name(trim(part));
    const bool is_team = name.starts_with(memory::kTeamNamespace);
    const auto plain = std::string_view(name).substr(is_team ? memory::kTeamNamespace.size() : 0);
    if (!memory::is_namespace_name(plain) && !wrong) {
      wrong = Error{from.code, fmt::format("{} '{}' is not a valid namespace", from.named(), name),
                    "give lower-case letters, digits, '-', '_' and '.', at most 64; write team: before a "
                    "team's name"};
    }
    if (name == memory::kDefaultNamespace) name.clear();
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  });
  if (wrong) return *std::move(wrong);
  return names;
}

}  // namespace knapsack
