#include "memory/tree/write_memory.h"

#include <fmt/format.h>

#include "core/ids.h"
#include "memory/tree/front_matter.h"
#include "memory/tree/infer.h"
#include "memory/tree/tree.h"
#include "text/words/words.h"

namespace knapsack::memory {
namespace {

constexpr size_t kHashDigitsOfId = 8;

class FileText {
 public:
  void add(std::string_view key, std::string_view value) {
    if (!value.empty()) lines_ += fmt::format("{}: {}\n", key, yaml_scalar(value));
  }
  void add(std::string_view key, const std::optional<Timestamp>& time) {
    if (time) add(key, format_rfc3339(*time));
  }
  // Two decimals: what a share is known to.
  void add_share(std::string_view key, double share) { lines_ += fmt::format("{}: {:.2f}\n", key, share); }
  void add_list(std::string_view key, const std::vector<std::string>& values) {
    if (values.empty()) return;
    std::vector<std::string> written;
    for (const std::string& value : values) written.push_back(yaml_scalar(value));
    lines_ += fmt::format("{}: [{}]\n", key, fmt::join(written, ", "));
  }
  void add_links(const std::vector<Link>& links) {
    if (links.empty()) return;
    lines_ += "links:\n";
    for (const Link& link : links) {
      lines_ += fmt::format("  - targetId: {}\n    linkType: {}\n    strength: {:.2f}\n",
                            yaml_scalar(link.target_id), yaml_scalar(link.type), link.strength);
    }
  }
  std::string with_body(std::string_view body) const {
    return fmt::format("---\n{}---\n\n{}\n", lines_, body);
  }

 private:
  std::string lines_;
};

}  // namespace

std::string memory_file(const Memory& memory, std::string_view source) {
  FileText file;
  file.add("id", memory.id);
  file.add("category", memory.category);
  file.add("created", memory.created);
  file.add("updated", memory.updated);
  file.add("source", source);
  file.add_share("confidence", memory.confidence);
  file.add("confidenceTier", confidence_tier(memory.confidence));
  file.add_list("tags", memory.tags);
  file.add("entityRef", memory.entity);
  file.add_list("supersedes", memory.supersedes);
  file.add("status", to_string(memory.status));
  file.add("expiresAt", memory.expires);
  file.add("valid_at", memory.valid_from);
  file.add("invalid_at", memory.valid_until);
  if (memory.importance) {
    file.add_share("importanceScore", *memory.importance);
    file.add("importanceLevel", importance_level(*memory.importance));
  }
  file.add_links(memory.links);
  file.add("intentGoal", memory.intent.goal);
  file.add("intentActionType", memory.intent.action_type);
  file.add_list("intentEntityTypes", memory.intent.entity_types);
  file.add("artifactType", memory.artifact_type);
  file.add("sourceMemoryId", memory.source_memory);
  file.add("memoryKind",
           memory.kind == Kind::kEpisode || memory.kind == Kind::kBox ? to_string(memory.kind) : "note");
  return file.with_body(memory.text);
}

std::string memory_path(const Memory& memory) {
  const std::string folder = namespace_folder(memory.name_space);
  const std::string day = format_rfc3339(memory.created.value_or(Timestamp{})).substr(0, 10);
  switch (memory.kind) {
    case Kind::kCorrection:
      return fmt::format("{}corrections/{}.md", folder, memory.id);
    case Kind::kEntity:
      return fmt::format("{}entities/{}.md", folder, memory.id);
    case Kind::kArtifact:
      return fmt::format("{}artifacts/{}/{}.md", folder, day, memory.id);
    case Kind::kBox:
    case Kind::kEpisode:
      return fmt::format("{}boxes/{}/{}.md", folder, day, memory.id);
    case Kind::kNote:
      break;
  }
  return fmt::format("{}facts/{}/{}.md", folder, day, memory.id);
}

std::string new_memory_id(std::string_view category, std::string_view text, Timestamp now) {
  return fmt::format("{}-{}-{}", category, now.micros / 1000,
                     normalised_hash(text).substr(0, kHashDigitsOfId));
}

std::string normalised_hash(std::string_view text) {
  WordOptions options;
  options.emit_parts = false;
  WordReader reader(text, options);
  ContentHasher hasher;
  bool any = false;
  for (Word word; reader.next(word); any = true) {
    hasher.add(word.text);
    hasher.add(" ");
  }
  return any ? hasher.hash() : content_hash(text);
}

}  // namespace knapsack::memory
