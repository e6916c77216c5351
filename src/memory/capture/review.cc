#include "memory/capture/review.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "core/escape.h"
#include "core/files/folder.h"
#include "memory/tree/infer.h"
#include "memory/tree/read_memory.h"
#include "memory/tree/tree.h"
#include "memory/tree/write_memory.h"
#include "text/markdown/markdown_lines.h"
#include "text/unicode/utf8.h"

namespace knapsack::memory {
namespace {

constexpr std::string_view kCaptureSource = "capture";
constexpr double kUserConfidence = 0.85;
constexpr double kAgentConfidence = 0.7;
constexpr double kEpisodeLink = 0.8;
constexpr uint64_t kMaxRefusedBytes = uint64_t{4} << 20U;
constexpr size_t kEpisodeTitle = 160;

std::string review_path(const Memory& memory) {
  return fmt::format("{}{}/{}.md", namespace_folder(memory.name_space), kReviewFolder, memory.id);
}

std::string read_refused(const TreeWriter& writer) {
  auto bytes = writer.files().read(writer.full_path(kRefusedFile), kMaxRefusedBytes);
  return bytes.ok() ? *std::move(bytes) : std::string();
}

// What need not be proposed any more, by what its words hash to.
std::unordered_set<std::string> known_hashes(const TreeWriter& writer, const Catalogue& catalogue,
                                             const std::string& name_space,
                                             const std::vector<Memory>& waiting) {
  std::unordered_set<std::string> hashes;
  for (const Memory& memory : catalogue.memories()) {
    const bool counts = memory.name_space == name_space && memory.kind != Kind::kArtifact;
    if (counts) hashes.insert(normalised_hash(memory.text));
  }
  for (const Memory& memory : waiting) hashes.insert(normalised_hash(memory.text));
  const std::string refused = read_refused(writer);
  for (std::string_view rest = refused; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    hashes.emplace(line);
  }
  return hashes;
}

Memory proposed_memory(const Proposal& proposal, const std::string& name_space, Timestamp now) {
  Memory memory;
  memory.text = memory_text(proposal.text);
  memory.name_space = name_space;
  memory.category = proposal.category;
  memory.kind = memory.category == "correction" ? Kind::kCorrection : Kind::kNote;
  memory.created = memory.updated = now;
  memory.confidence = proposal.user ? kUserConfidence : kAgentConfidence;
  memory.importance = infer_importance(memory.text, memory.category);
  memory.intent = infer_intent(memory.text);
  memory.id = new_memory_id(memory.category, memory.text, now);
  return memory;
}

Memory episode_of(const CapturedSession& session, const std::string& name_space) {
  Memory memory;
  memory.text = std::string(first_code_points(session.title, kEpisodeTitle));
  memory.name_space = name_space;
  memory.category = "moment";
  memory.kind = Kind::kEpisode;
  memory.created = memory.updated = session.now;
  memory.confidence = kAgentConfidence;
  memory.importance = infer_importance(memory.text, memory.category);
  memory.id = new_memory_id("episode", memory.text, session.now);
  return memory;
}

}  // namespace

Result<std::vector<Memory>> read_review(const FileSystem& files, const std::string& memory_dir,
                                        const std::string& name_space, std::vector<std::string>* warnings) {
  std::vector<Memory> waiting;
  const std::string below = namespace_folder(name_space) + std::string(kReviewFolder);
  const auto entries = files.list(join_path(memory_dir, below));
  if (!entries.ok()) {
    if (entries.error().code == ErrorCode::kNotFound) return waiting;
    return entries.error();
  }
  for (const DirectoryEntry& entry : *entries) {
    if (entry.kind != FileKind::kRegular || !entry.name.ends_with(".md") || waiting.size() == kMaxInReview)
      continue;
    const std::string path = below + "/" + entry.name;
    const auto bytes = files.read(join_path(memory_dir, path), kMaxMemoryBytes);
    if (!bytes.ok()) {
      if (warnings != nullptr)
        warnings->push_back(
            fmt::format("{} is passed over: {}", escape_control(path), escape_control(bytes.error().what)));
      continue;
    }
    Memory memory = read_memory(path, *bytes).memory;
    memory.name_space = name_space;
    if (memory.kind == Kind::kNote && memory.category == "correction") memory.kind = Kind::kCorrection;
    waiting.push_back(std::move(memory));
  }
  return waiting;
}

Result<Queued> queue_proposals(TreeWriter& writer, const Catalogue& catalogue, const std::string& name_space,
                               const std::vector<Proposal>& proposals, const CapturedSession& session) {
  Queued queued;
  KNAPSACK_TRY(const auto waiting,
               read_review(writer.files(), writer.memory_dir(), name_space, &queued.warnings));
  auto hashes = known_hashes(writer, catalogue, name_space, waiting);
  std::optional<Memory> episode;
  if (!session.title.empty()) episode = episode_of(session, name_space);
  for (const Proposal& proposal : proposals) {
    Memory memory = proposed_memory(proposal, name_space, session.now);
    const bool full = waiting.size() + queued.added.size() >= kMaxInReview;
    if (full || !hashes.insert(normalised_hash(memory.text)).second) {
      ++queued.known;
      continue;
    }
    if (episode) memory.links = {{episode->id, "part_of", kEpisodeLink}};
    KNAPSACK_CHECK(writer.replace(review_path(memory), memory_file(memory, kCaptureSource)));
    queued.added.push_back(std::move(memory));
  }
  if (episode && !queued.added.empty() && hashes.insert(normalised_hash(episode->text)).second) {
    for (const Memory& memory : queued.added) episode->links.push_back({memory.id, "has_part", kEpisodeLink});
    KNAPSACK_CHECK(writer.replace(review_path(*episode), memory_file(*episode, kCaptureSource)));
    queued.episode = episode->id;
  }
  return queued;
}

Result<std::string> accept_proposal(TreeWriter& writer, const Catalogue& catalogue, const Memory& proposal,
                                    Timestamp now) {
  const std::string hash = normalised_hash(proposal.text);
  std::string path;
  for (const Memory& memory : catalogue.memories()) {
    const bool same = memory.name_space == proposal.name_space && memory.status == Status::kActive &&
                      memory.kind != Kind::kArtifact && normalised_hash(memory.text) == hash;
    if (same) path = memory.path;
  }
  if (path.empty()) {
    Memory memory = proposal;
    memory.updated = now;
    path = memory_path(memory);
    KNAPSACK_CHECK(writer.replace(path, memory_file(memory, kCaptureSource)));
  }
  KNAPSACK_CHECK(writer.remove(proposal.path));
  return path;
}

knapsack::Status refuse_proposal(TreeWriter& writer, const Memory& proposal) {
  std::string refused = read_refused(writer);
  refused += normalised_hash(proposal.text) + "\n";
  if (refused.size() < kMaxRefusedBytes) KNAPSACK_CHECK(writer.replace(std::string(kRefusedFile), refused));
  return writer.remove(proposal.path);
}

}  // namespace knapsack::memory
