#include "memory/capture/transcript.h"

#include <array>
#include <nlohmann/json.hpp>

#include "text/markdown/markdown_lines.h"
#include "text/parse_json.h"
#include "text/unicode/utf8.h"
#include "text/words/words.h"

namespace knapsack::memory {
namespace {

using nlohmann::json;

constexpr size_t kMaxLineBytes = size_t{8} << 20U;
constexpr int kMaxLineDepth = 32;

struct SpeakerMark {
  std::string_view mark;
  bool user;
};
constexpr std::array<SpeakerMark, 12> kSpeakerMarks = {{{"user:", true},
                                                        {"human:", true},
                                                        {"me:", true},
                                                        {"you:", true},
                                                        {"пользователь:", true},
                                                        {"я:", true},
                                                        {"assistant:", false},
                                                        {"agent:", false},
                                                        {"ai:", false},
                                                        {"ассистент:", false},
                                                        {"агент:", false},
                                                        {"claude:", false}}};

std::string_view next_line(std::string_view& rest) {
  const size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

// Deep nesting is nobody's turn, and would cost the parser its stack.
bool is_shallow(std::string_view line) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && (line[i] == '{' || line[i] == '[')) {
      if (++depth > kMaxLineDepth) return false;
    } else if (!quoted && (line[i] == '}' || line[i] == ']')) {
      --depth;
    }
  }
  return true;
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// A text, or a list of parts of which the texts count.
std::string content_of(const json& message) {
  const auto content = message.find("content");
  if (content == message.end()) return "";
  if (content->is_string()) return content->get<std::string>();
  std::string text;
  if (!content->is_array()) return text;
  for (const json& part : *content) {
    if (!part.is_object()) continue;
    const std::string type = text_of(part, "type");
    if (type != "text" && type != "input_text" && type != "output_text") continue;
    if (!text.empty()) text += "\n";
    text += text_of(part, "text");
  }
  return text;
}

// What clients put between what people say: "<system-reminder>…", "<environment_context>…".
bool is_of_client(std::string_view text) {
  return trim(text).starts_with('<');
}

class TranscriptReader {
 public:
  Transcript run(std::string_view bytes) {
    const bool lines = trim(bytes.substr(0, bytes.find('\n'))).starts_with('{');
    while (!bytes.empty() && made_.turns.size() < kMaxTurns) {
      const std::string_view line = next_line(bytes);
      lines ? read_json(trim(line)) : read_plain(line);
    }
    for (Turn& turn : made_.turns) turn.text = sanitize_utf8(std::string(trim(turn.text)));
    std::erase_if(made_.turns, [](const Turn& turn) { return turn.text.empty(); });
    return std::move(made_);
  }

 private:
  void read_json(std::string_view line) {
    if (line.empty()) return;
    const bool readable = line.size() <= kMaxLineBytes && is_shallow(line);
    const json entry = readable ? parse_json(line) : json();
    if (!entry.is_object()) {
      ++made_.passed_over;
      return;
    }
    const json* message = nullptr;
    for (const char* key : {"message", "payload"}) {
      const auto found = entry.find(key);
      if (found != entry.end() && found->is_object()) message = &*found;
    }
    const json& from = message == nullptr ? entry : *message;
    const std::string role = text_of(from, "role");
    std::string text = content_of(from);
    const auto meta = entry.find("isMeta");
    const bool of_client = is_of_client(text) || (meta != entry.end() && *meta == true);
    const bool said = (role == "user" || role == "assistant") && !text.empty() && !of_client;
    if (!said) {
      ++made_.passed_over;
      return;
    }
    const auto at = parse_rfc3339(text_of(entry, "timestamp"));
    made_.turns.push_back({role == "user", std::move(text), at.ok() ? std::optional(*at) : std::nullopt});
  }

  void read_plain(std::string_view line) {
    const std::string_view text = trim(line);
    for (const SpeakerMark& each : kSpeakerMarks) {
      if (lower(text.substr(0, each.mark.size())) != each.mark) continue;
      made_.turns.push_back({each.user, std::string(text.substr(each.mark.size())), std::nullopt});
      return;
    }
    if (made_.turns.empty()) {
      if (!text.empty()) ++made_.passed_over;
      return;
    }
    made_.turns.back().text.append("\n").append(line);
  }

  // "User:" as "user:", in any script; what is more than one word stays as it is.
  static std::string lower(std::string_view text) {
    const auto words = words_of(text);
    return words.size() == 1 && text.ends_with(':') ? words.front() + ":" : std::string(text);
  }

  Transcript made_;
};

}  // namespace

Transcript read_transcript(std::string_view bytes) {
  return TranscriptReader().run(bytes);
}

}  // namespace knapsack::memory
