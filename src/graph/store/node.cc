#include "graph/store/node.h"

#include <algorithm>

#include "core/ascii.h"
#include "core/ids.h"

namespace knapsack::graph {
namespace {

constexpr std::array<std::string_view, 14> kStates = {
    "",          "backlog",    "ready",    "in_progress", "blocked",  "review",   "done",
    "cancelled", "superseded", "archived", "proposed",    "accepted", "rejected", "deprecated"};

// Crockford's alphabet: no I, L, O or U.
constexpr std::string_view kBase32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr size_t kTimeCharacters = 10;
constexpr size_t kHashCharacters = 16;

bool is_id_character(char c) {
  return ascii::is_letter_or_digit(c) || c == '.' || c == '_' || c == '-';
}

std::string hash_part(std::string_view seed) {
  // Two hexadecimal digits give one character: 16 of them need the whole hash and use five bits of each byte.
  const std::string hash = content_hash(seed);
  std::string out;
  for (size_t i = 0; i < kHashCharacters; ++i) {
    const auto digit = [&](size_t at) {
      return static_cast<size_t>(hash[at] <= '9' ? hash[at] - '0' : hash[at] - 'a' + 10);
    };
    out += kBase32[(digit(2 * i) * 16 + digit(2 * i + 1)) % kBase32.size()];
  }
  return out;
}

}  // namespace

std::string_view prefix_of(Layer layer) {
  constexpr std::array<std::string_view, 3> kPrefixes = {"KG", "RG", "TG"};
  return kPrefixes[static_cast<size_t>(layer)];
}

std::string_view file_of(Layer layer) {
  constexpr std::array<std::string_view, 3> kFiles = {"kg_nodes.jsonl", "rg_nodes.jsonl", "tg_nodes.jsonl"};
  return kFiles[static_cast<size_t>(layer)];
}

std::string_view to_string(Layer layer) {
  constexpr std::array<std::string_view, 3> kNames = {"knowledge", "reasoning", "task"};
  return kNames[static_cast<size_t>(layer)];
}

std::optional<Layer> layer_of(std::string_view id) {
  if (id.size() < 4 || id[2] != '-' || ascii::upper(id[1]) != 'G') return std::nullopt;
  for (const Layer layer : kLayers) {
    if (prefix_of(layer)[0] == ascii::upper(id[0])) return layer;
  }
  return std::nullopt;
}

bool valid_id(std::string_view id) {
  return layer_of(id) && id.size() <= kMaxIdBytes && std::all_of(id.begin(), id.end(), is_id_character);
}

State parse_state(std::string_view name) {
  const auto* found = std::find(kStates.begin() + 1, kStates.end(), name);
  return found == kStates.end() ? State::kUnknown : static_cast<State>(found - kStates.begin());
}

std::string_view to_string(State state) {
  return kStates[static_cast<size_t>(state)];
}

bool is_active(State state) {
  return state == State::kInProgress || state == State::kBlocked || state == State::kReview;
}

bool is_finished(State state) {
  switch (state) {
    case State::kDone:
    case State::kCancelled:
    case State::kSuperseded:
    case State::kArchived:
    case State::kRejected:
    case State::kDeprecated:
      return true;
    default:
      return false;
  }
}

std::string ulid(Timestamp time, std::string_view seed) {
  auto millis = static_cast<uint64_t>(std::max<int64_t>(0, time.micros / 1000));
  std::string out(kTimeCharacters, '0');
  for (size_t i = kTimeCharacters; i-- > 0; millis /= kBase32.size())
    out[i] = kBase32[millis % kBase32.size()];
  return out + hash_part(seed);
}

std::string timeless_ulid(std::string_view seed) {
  return std::string(kTimeCharacters, '0') + hash_part(seed);
}

std::string stored_time(Timestamp time) {
  return format_rfc3339(Timestamp::from_seconds(time.seconds()));
}

std::string file_time(Timestamp time) {
  std::string text = stored_time(time);
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == '-' || c == ':'; }),
             text.end());
  return text;
}

}  // namespace knapsack::graph
