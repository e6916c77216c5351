#include "memory/tree/read_memory.h"

#include <fmt/format.h>
#include <utf8proc.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>

#include "core/escape.h"
#include "memory/tree/front_matter.h"
#include "memory/tree/tree.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"

namespace knapsack::memory {
namespace {

// A value longer than this in a message says nothing more.
constexpr size_t kShownValueBytes = 60;

// Reads the values of one front matter into a memory, and says what it could not read.
class FieldReader {
 public:
  FieldReader(const YAML::Node& root, ReadMemory& out) : out_(out) {
    for (const auto& entry : root) {
      if (entry.first.IsScalar()) fields_.emplace_back(entry.first.Scalar(), entry.second);
    }
  }

  void text(const char* key, std::string& value) const {
    if (const YAML::Node node = find(key); node.IsDefined()) {
      if (node.IsScalar()) {
        value = cleaned(node);
      } else if (!node.IsNull()) {
        unreadable(key, "a list", "a text");
      }
    }
  }

  void time(const char* key, std::optional<Timestamp>& value) const {
    std::string written;
    text(key, written);
    if (written.empty()) return;
    const auto parsed = parse_rfc3339(written);
    if (parsed.ok()) {
      value = *parsed;
    } else {
      unreadable(key, written, "a time");
    }
  }

  template <class Value>
  void share(const char* key, Value& value) const {
    std::string written;
    text(key, written);
    if (written.empty()) return;
    double number = 0;
    const char* end = written.data() + written.size();
    const auto [stop, problem] = std::from_chars(written.data(), end, number);
    if (problem == std::errc() && stop == end && number >= 0 && number <= 1) {
      value = number;
    } else {
      unreadable(key, written, "a number from 0 to 1");
    }
  }

  void count(const char* key, uint64_t& value) const {
    std::string written;
    text(key, written);
    if (written.empty()) return;
    uint64_t number = 0;
    const char* end = written.data() + written.size();
    const auto [stop, problem] = std::from_chars(written.data(), end, number);
    if (problem == std::errc() && stop == end) {
      value = number;
    } else {
      unreadable(key, written, "a whole number");
    }
  }

  // A list of texts; one text alone is a list of one.
  void texts(const char* key, std::vector<std::string>& values) const {
    const YAML::Node node = find(key);
    if (!node.IsDefined() || node.IsNull()) return;
    const auto add = [&](const YAML::Node& each) {
      if (each.IsScalar() && !each.Scalar().empty()) values.push_back(cleaned(each));
    };
    if (node.IsScalar()) return add(node);
    if (!node.IsSequence()) return unreadable(key, "a map", "a list");
    if (node.size() > kMaxFrontMatterEntries)
      return unreadable(key, "a longer list", "a list of at most 1000");
    for (const YAML::Node& each : node) add(each);
  }

  void links(std::vector<Link>& values) const {
    const YAML::Node node = find("links");
    if (!node.IsDefined() || node.IsNull()) return;
    if (!node.IsSequence() || node.size() > kMaxFrontMatterEntries) {
      return unreadable("links", "something else", "a list of maps");
    }
    for (const YAML::Node& each : node) {
      Link link;
      if (each.IsScalar()) link.target_id = cleaned(each);
      if (each.IsMap()) {
        FieldReader own(each, out_);
        own.text("targetId", link.target_id);
        own.text("linkType", link.type);
        own.share("strength", link.strength);
      }
      if (!link.target_id.empty()) values.push_back(std::move(link));
    }
  }

  void unreadable(std::string_view key, std::string_view value, std::string_view wanted) const {
    unreadable(key, value, wanted, "the default is taken");
  }
  void unreadable(std::string_view key, std::string_view value, std::string_view wanted,
                  std::string_view outcome) const {
    out_.warnings.push_back(fmt::format("{}: {} '{}' is not {}; {}", escape_control(out_.memory.path), key,
                                        escape_control(utf8_prefix(value, kShownValueBytes)), wanted,
                                        outcome));
  }

 private:
  static std::string cleaned(const YAML::Node& scalar) {
    std::string text = sanitize_utf8(scalar.Scalar());
    redact_secrets(text);
    return text;
  }

  // The last of several values of one key: whoever appended it meant to change it.
  YAML::Node find(std::string_view key) const {
    const auto found = std::find_if(fields_.rbegin(), fields_.rend(),
                                    [key](const auto& field) { return field.first == key; });
    return found == fields_.rend() ? YAML::Node(YAML::NodeType::Undefined) : found->second;
  }

  std::vector<std::pair<std::string, YAML::Node>> fields_;
  ReadMemory& out_;
};

// "Anna" is a person, "extraction" is a program's word for how it came to know.
std::string speaker_of(const std::string& source) {
  for (const std::string_view mark : {"person:", "person-"}) {
    if (source.starts_with(mark)) return source.substr(mark.size());
  }
  if (source.empty()) return "";
  const auto first = static_cast<utf8proc_int32_t>(decode_code_point(source).value);
  return utf8proc_category(first) == UTF8PROC_CATEGORY_LU ? source : "";
}

void read_status(const FieldReader& fields, const Place& place, Memory& memory) {
  std::string written;
  fields.text("status", written);
  if (!written.empty()) {
    if (const auto status = parse_status(written)) {
      memory.status = *status;
    } else {
      // A word that we do not know may mean that it must not be used: that is the safe reading.
      fields.unreadable("status", written, "a status", "it is not recalled");
      memory.status = Status::kQuarantined;
    }
  }
  if (place.archived && memory.status == Status::kActive) memory.status = Status::kArchived;
}

void read_kind(const FieldReader& fields, Memory& memory) {
  std::string written;
  fields.text("memoryKind", written);
  const bool open = memory.kind == Kind::kNote || memory.kind == Kind::kBox;
  if (!open || written.empty()) return;
  if (written == "episode") memory.kind = Kind::kEpisode;
  if (written == "box") memory.kind = Kind::kBox;
}

void read_fields(const FieldReader& fields, const Place& place, Memory& memory) {
  fields.text("id", memory.id);
  if (memory.id.empty()) memory.id = place.id;
  read_status(fields, place, memory);
  read_kind(fields, memory);
  fields.text("category", memory.category);
  std::string source;
  fields.text("source", source);
  memory.speaker = speaker_of(source);
  fields.text("speaker", memory.speaker);
  fields.text("session", memory.session);
  fields.text("boxId", memory.session);
  fields.time("created", memory.created);
  fields.time("updated", memory.updated);
  fields.time("expiresAt", memory.expires);
  fields.time("valid_at", memory.valid_from);
  fields.time("invalid_at", memory.valid_until);
  fields.time("lastAccessed", memory.last_accessed);
  fields.share("confidence", memory.confidence);
  fields.share("importanceScore", memory.importance);
  fields.count("accessCount", memory.access_count);
  fields.count("usefulCount", memory.useful);
  fields.count("notUsefulCount", memory.not_useful);
  fields.texts("tags", memory.tags);
  fields.text("entityRef", memory.entity);
  fields.texts("supersedes", memory.supersedes);
  fields.text("supersededBy", memory.superseded_by);
  fields.links(memory.links);
  fields.text("intentGoal", memory.intent.goal);
  fields.text("intentActionType", memory.intent.action_type);
  fields.texts("intentEntityTypes", memory.intent.entity_types);
  fields.text("artifactType", memory.artifact_type);
  fields.text("sourceMemoryId", memory.source_memory);
}

}  // namespace

std::string memory_text(std::string_view bytes) {
  // Marks of byte order and blanks in any order: the text is the same wherever front matter puts it.
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  while (!bytes.empty() && (bytes.starts_with(kMark) ||
                            std::string_view(" \t\r\n").find(bytes.front()) != std::string_view::npos))
    bytes.remove_prefix(bytes.starts_with(kMark) ? kMark.size() : 1);
  std::string text = sanitize_utf8(std::string(bytes));
  text.erase(text.find_last_not_of(" \t\r\n") + 1);  // npos + 1 is 0
  return text;
}

ReadMemory read_memory(const std::string& path, std::string_view file) {
  ReadMemory out;
  Memory& memory = out.memory;
  std::string bytes(file);
  memory.secrets = redact_secrets(bytes);
  const Place place = place_of(path);
  memory.path = path;
  memory.name_space = place.name_space;
  memory.id = replace_invalid_utf8(place.id);
  memory.session = place.session;
  memory.kind = place.kind;
  if (place.archived) memory.status = Status::kArchived;
  if (place.kind == Kind::kCorrection) memory.category = "correction";
  if (place.kind == Kind::kEntity) memory.category = "entity";

  // What stands for a secret may be no YAML: keys are read as they were written, and each value is cleaned for itself.
  const FilePlan plan = split_file(file);
  const FilePlan shown = split_file(bytes);
  const auto broken = [&](std::string_view why) {
    out.warnings.push_back(
        fmt::format("{}: {}; all of it is taken as text", escape_control(path), escape_control(why)));
    memory.broken_front_matter = true;
    memory.text = memory_text(bytes);
  };
  if (plan.has_front_matter && plan.closing.empty()) {
    broken("the front matter has no closing --- line");
    return out;
  }
  const auto yaml = load_yaml(plan.yaml);
  if (!yaml.ok()) {
    broken(yaml.error().what);
    return out;
  }
  const Memory by_place = memory;
  // A secret that reaches across the closing line takes it along.
  const bool is_split_alike =
      plan.has_front_matter == shown.has_front_matter && plan.closing == shown.closing;
  memory.text = memory_text(is_split_alike ? shown.body : std::string_view(bytes));
  if (yaml->IsMap()) {
    try {
      read_fields(FieldReader(*yaml, out), place, memory);
    } catch (const YAML::Exception& error) {
      memory = by_place;
      broken(fmt::format("the front matter cannot be read: {}", error.what()));
    }
  }
  return out;
}

}  // namespace knapsack::memory
