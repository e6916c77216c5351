#include "memory/tree/remember.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/in_parts.h"
#include "core/nearest.h"
#include "memory/tree/infer.h"
#include "memory/tree/read_memory.h"
#include "memory/tree/write_memory.h"
#include "text/words/words.h"

namespace knapsack::memory {
namespace {

constexpr std::string_view kSource = "manual";
constexpr size_t kHashesOfThread = 1000;  // fewer are hashed before a thread has started
constexpr std::array<std::string_view, 4> kArtifactCategories = {"decision", "correction", "principle",
                                                                 "commitment"};

bool holds_word(std::string_view text) {
  Word word;
  return WordReader(text).next(word);
}

knapsack::Status check(const NewMemory& wanted) {
  const auto refused = [](std::string what, std::string next) {
    return Error{ErrorCode::kUsage, std::move(what), std::move(next)};
  };
  if (memory_text(wanted.text).empty()) return refused("there is nothing to remember", "give a text");
  // Nobody could ever ask for it.
  if (!holds_word(wanted.text))
    return refused("the text holds no word", "say in words what is to be remembered");
  if (wanted.text.size() > kMaxRememberedBytes) {
    return refused(fmt::format("the text has more than {} bytes", kMaxRememberedBytes), "shorten it");
  }
  if (!wanted.category.empty() && !is_category(wanted.category)) {
    return refused(fmt::format("unknown category '{}'", wanted.category),
                   fmt::format("choose one of {}", fmt::join(kCategories, ", ")));
  }
  const auto is_share = [](double value) { return value >= 0 && value <= 1; };
  if (!is_share(wanted.confidence) || (wanted.importance && !is_share(*wanted.importance))) {
    return refused("confidence and importance are numbers from 0 to 1", "give one of these");
  }
  if (wanted.tags.size() > kMaxTags) return refused(fmt::format("more than {} tags", kMaxTags), "give fewer");
  for (const std::string& tag : wanted.tags) {
    if (tag.empty() || tag.size() > kMaxTagBytes) {
      return refused(fmt::format("a tag has 1 to {} bytes", kMaxTagBytes), "give shorter tags");
    }
  }
  return ok_status();
}

// The memory of this namespace that says the same: artifacts repeat others by design, and what is no longer
// active may be learnt again.
const Memory* find_duplicate(const Catalogue& catalogue, const NewMemory& wanted) {
  const std::string hash = normalised_hash(wanted.text);
  const auto memories = catalogue.memories();
  const size_t parts = part_count(memories.size(), kHashesOfThread);
  std::vector<const Memory*> found(parts, nullptr);
  in_parts(memories.size(), parts, [&](size_t part, size_t begin, size_t end) {
    for (size_t i = begin; i < end && found[part] == nullptr; ++i) {
      const Memory& memory = memories[i];
      const bool counts = memory.name_space == wanted.name_space && memory.status == Status::kActive &&
                          memory.kind != Kind::kArtifact;
      if (counts && normalised_hash(memory.text) == hash) found[part] = &memory;
    }
  });
  const auto first =
      std::find_if(found.begin(), found.end(), [](const Memory* each) { return each != nullptr; });
  return first == found.end() ? nullptr : *first;
}

// Entities that others are about, or that have a page of their own.
std::vector<std::string> known_entities(const Catalogue& catalogue, const std::string& name_space) {
  std::set<std::string> known;
  for (const Memory& memory : catalogue.memories()) {
    if (memory.name_space != name_space) continue;
    if (!memory.entity.empty()) known.insert(memory.entity);
    if (memory.kind == Kind::kEntity) known.insert(memory.id);
  }
  return {known.begin(), known.end()};
}

const Memory* in_namespace(const Catalogue& catalogue, std::string_view id, std::string_view name_space) {
  for (const Memory* memory : catalogue.with_id(id)) {
    if (memory->name_space == name_space) return memory;
  }
  return nullptr;
}

bool deserves_artifact(const Memory& memory) {
  return memory.confidence >= kArtifactConfidence && memory.kind != Kind::kArtifact &&
         std::find(kArtifactCategories.begin(), kArtifactCategories.end(), memory.category) !=
             kArtifactCategories.end();
}

bool has_artifact(const Catalogue& catalogue, const Memory& memory) {
  const auto memories = catalogue.memories();
  return std::any_of(memories.begin(), memories.end(), [&](const Memory& each) {
    return each.kind == Kind::kArtifact && each.source_memory == memory.id &&
           each.name_space == memory.name_space;
  });
}

Memory artifact_of(const Memory& memory) {
  Memory artifact;
  artifact.id = "artifact-" + memory.id;
  artifact.name_space = memory.name_space;
  artifact.kind = Kind::kArtifact;
  artifact.category = memory.category;
  artifact.artifact_type = memory.category;
  artifact.source_memory = memory.id;
  artifact.text = memory.text;
  artifact.created = memory.created;
  artifact.updated = memory.created;
  artifact.confidence = memory.confidence;
  artifact.importance = memory.importance;
  artifact.tags = memory.tags;
  artifact.entity = memory.entity;
  artifact.intent = memory.intent;
  artifact.path = memory_path(artifact);
  return artifact;
}

// What follows from a memory that is written; nothing where it was done before.
knapsack::Status complete(TreeWriter& writer, const Catalogue& catalogue, Remembered& done, Timestamp now) {
  const Memory& memory = done.memory;
  if (deserves_artifact(memory) && !has_artifact(catalogue, memory)) {
    const Memory artifact = artifact_of(memory);
    KNAPSACK_CHECK(writer.replace(artifact.path, memory_file(artifact, kSource)));
    done.artifact = artifact.id;
  }
  for (const std::string& id : memory.supersedes) {
    const Memory* old = in_namespace(catalogue, id, memory.name_space);
    if (old == nullptr || old->superseded_by == memory.id) continue;
    KNAPSACK_CHECK(writer.set_keys(old->path, [&](const Memory&) -> std::vector<KeyValue> {
      return {{"status", std::string(to_string(Status::kSuperseded))},
              {"supersededBy", memory.id},
              {"updated", format_rfc3339(now)}};
    }));
    done.superseded.push_back(id);
  }
  return ok_status();
}

// Suggests only what may be read.
Error unknown_memory(const Catalogue& catalogue, const std::string& named, const ReadRules& rules) {
  std::vector<std::string> ids;
  for (const Memory& memory : catalogue.memories()) {
    if (rules.may_read(memory.name_space)) ids.push_back(memory.id);
  }
  const std::string near = nearest_name(named, ids);
  return {ErrorCode::kNotFound, fmt::format("there is no memory {}", named),
          near.empty() ? "`knapsack memories list` shows all" : fmt::format("did you mean {}?", near)};
}

}  // namespace

knapsack::Status check_new_memory(const NewMemory& wanted) {
  return check(wanted);
}

Memory describe_memory(const Catalogue& catalogue, const NewMemory& wanted) {
  Memory memory;
  memory.text = memory_text(wanted.text);
  memory.name_space = wanted.name_space;
  memory.category = wanted.category.empty() ? infer_category(memory.text) : wanted.category;
  memory.kind = memory.category == "correction" ? Kind::kCorrection : Kind::kNote;
  memory.created = memory.updated = wanted.now;
  memory.confidence = wanted.confidence;
  memory.importance = wanted.importance ? *wanted.importance : infer_importance(memory.text, memory.category);
  memory.tags = wanted.tags;
  memory.entity = infer_entity(memory.text, known_entities(catalogue, wanted.name_space));
  memory.supersedes = wanted.supersedes;
  memory.intent = infer_intent(memory.text);
  memory.id = new_memory_id(memory.category, memory.text, wanted.now);
  memory.path = memory_path(memory);
  return memory;
}

Result<Remembered> remember(TreeWriter& writer, const Catalogue& catalogue, const NewMemory& wanted) {
  KNAPSACK_CHECK(check(wanted));
  for (const std::string& id : wanted.supersedes) {
    const Memory* old = in_namespace(catalogue, id, wanted.name_space);
    if (old == nullptr) return unknown_memory(catalogue, id, {{wanted.name_space}, false});
    if (old->broken_front_matter) {
      return Error{ErrorCode::kCorrupt, fmt::format("{} has broken front matter", old->path),
                   "correct it, so that it can say what superseded it"};
    }
  }
  Remembered done;
  if (const Memory* known = find_duplicate(catalogue, wanted)) {
    done.memory = *known;
    done.duplicate = true;
    // Said again to say what it supersedes: the older ones then name it.
    for (const std::string& id : wanted.supersedes) {
      if (id != known->id) done.memory.supersedes.push_back(id);
    }
    KNAPSACK_CHECK(complete(writer, catalogue, done, wanted.now));
    return done;
  }
  done.memory = describe_memory(catalogue, wanted);
  // The same words at the same moment, once forgotten: another id.
  const std::string base = done.memory.id;
  for (int copy = 2; in_namespace(catalogue, done.memory.id, wanted.name_space) != nullptr; ++copy) {
    done.memory.id = fmt::format("{}-{}", base, copy);
    done.memory.path = memory_path(done.memory);
  }
  KNAPSACK_CHECK(writer.create(done.memory.path, memory_file(done.memory, kSource)));
  KNAPSACK_CHECK(complete(writer, catalogue, done, wanted.now));
  return done;
}

knapsack::Status forget(TreeWriter& writer, const Memory& memory, Timestamp now) {
  return writer.set_keys(memory.path, [&](const Memory& current) -> std::vector<KeyValue> {
    if (current.status == Status::kForgotten) return {};
    return {{"status", std::string(to_string(Status::kForgotten))}, {"updated", format_rfc3339(now)}};
  });
}

Result<std::vector<std::string>> purge(TreeWriter& writer, const Catalogue& catalogue, const Memory& memory) {
  std::vector<std::string> gone;
  for (const Memory& each : catalogue.memories()) {
    const bool repeats = each.kind == Kind::kArtifact && each.source_memory == memory.id &&
                         each.name_space == memory.name_space && each.path != memory.path;
    if (!repeats) continue;
    KNAPSACK_CHECK(writer.remove(each.path));
    gone.push_back(each.path);
  }
  // The memory itself last: a run that was killed before can be repeated by its id.
  KNAPSACK_CHECK(writer.remove(memory.path));
  gone.push_back(memory.path);
  return gone;
}

Result<FeedbackCounts> give_feedback(TreeWriter& writer, const Memory& memory, bool useful) {
  FeedbackCounts counts;
  KNAPSACK_CHECK(writer.set_keys(memory.path, [&](const Memory& current) -> std::vector<KeyValue> {
    counts.not_useful =
        useful ? current.not_useful - std::min<uint64_t>(current.not_useful, 1) : current.not_useful + 1;
    counts.useful = current.useful + (useful ? 1 : 0);
    // A vote changes nothing of what the memory says: it does not make it younger.
    std::vector<KeyValue> keys;
    if (counts.useful != current.useful) keys.push_back({"usefulCount", fmt::format("{}", counts.useful)});
    if (counts.not_useful != current.not_useful) {
      keys.push_back({"notUsefulCount", fmt::format("{}", counts.not_useful)});
    }
    return keys;
  }));
  return counts;
}

Result<const Memory*> find_memory(const Catalogue& catalogue, const std::string& named,
                                  const ReadRules& rules) {
  if (const Memory* memory = catalogue.find(named); memory != nullptr && rules.may_read(memory->name_space)) {
    return memory;
  }
  std::vector<const Memory*> found = catalogue.with_id(named);
  std::erase_if(found, [&](const Memory* each) { return !rules.may_read(each->name_space); });
  if (found.empty()) return unknown_memory(catalogue, named, rules);
  if (found.size() == 1) return found.front();
  return Error{ErrorCode::kUsage, fmt::format("{} memories have the id {}", found.size(), named),
               fmt::format("name it by its path, such as {}", found.front()->path)};
}

}  // namespace knapsack::memory
