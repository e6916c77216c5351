// The methods of Engine that find memories by words and bring them from elsewhere.
#include <fmt/format.h>

#include <algorithm>

#include "engine/recipes/memory/memory_session.h"
#include "memory/recall/ranking.h"
#include "memory/recall/relevance_floor.h"
#include "memory/tree/move_tree.h"
#include "memory/tree/remember.h"

namespace knapsack {

Result<MemoryMatchReply> MemoryRecipes::memory_matches(const MemoryMatchRequest& request) {
  KNAPSACK_TRY(const MemorySession session, MemorySession::open(*state_, request.settings));
  state_->tell_refused(session.settings);
  KNAPSACK_TRY(const memory::Catalogue catalogue, session.catalogue());
  MemoryMatchReply reply;
  const auto known = memory::find_memory(catalogue, request.named, session.rules);
  if (known.ok()) {
    reply.exact = true;
    reply.rows.push_back(memory_row(**known));
    return reply;
  }
  if (known.error().code != ErrorCode::kNotFound) return known.error();
  // Whoever names memories by words means those that are recalled.
  std::vector<const memory::Memory*> memories;
  for (const memory::Memory& each : catalogue.memories()) {
    const bool meant = session.rules.may_read(each.name_space) && each.status == memory::Status::kActive &&
                       each.kind != memory::Kind::kArtifact;
    if (meant) memories.push_back(&each);
  }
  memory::RankingOptions by_own_words;
  by_own_words.neighbours = by_own_words.feedback = by_own_words.spread = by_own_words.drop_names = false;
  KNAPSACK_TRY(auto ranking,
               memory::MemoryRanking::open(catalogue.index(), std::move(memories), by_own_words));
  KNAPSACK_TRY(const memory::MemoryOrder order, ranking.rank(request.named));
  if (!order.matched) return known.error();
  std::vector<size_t> positions;
  for (const memory::RankedMemory& each : order.ranked) positions.push_back(each.position);
  KNAPSACK_TRY(const auto shares, ranking.coverage(request.named, positions));
  const double best = *std::max_element(shares.begin(), shares.end());
  for (size_t i = 0; i < positions.size() && reply.rows.size() < request.limit; ++i) {
    const memory::Memory& each = *ranking.memories()[positions[i]];
    if (memory::reaches_floor(each, shares[i], best, session.settings.recall.floor))
      reply.rows.push_back(memory_row(each));
  }
  if (reply.rows.empty()) return known.error();
  return reply;
}

Result<MoveMemoriesReply> MemoryRecipes::move_memories(const MoveMemoriesRequest& request) {
  KNAPSACK_TRY(const MemorySession session, MemorySession::open(*state_, request.settings));
  state_->tell_refused(session.settings);
  KNAPSACK_TRY(const std::string from,
               state_->files->resolve(join_path(state_->options.folder, request.from)));
  KNAPSACK_TRY(const FileInfo info, state_->files->info(from));
  const auto tree = memory::walk_tree(*state_->files, from);
  if (info.kind != FileKind::kDirectory || !tree.ok() || tree->files.empty()) {
    return Error{ErrorCode::kUsage, fmt::format("{} contains no memories", from), "name a memory folder"};
  }
  if (from == session.folder || session.folder.starts_with(from + "/") ||
      from.starts_with(session.folder + "/")) {
    return Error{ErrorCode::kUsage, fmt::format("memories are already read from {}", session.shown_as),
                 "name another folder"};
  }
  KNAPSACK_CHECK(ensure_memory_place(*state_->files, session.place, state_->workspace.path));
  KNAPSACK_TRY(const memory::MovedTree moved,
               memory::move_tree(*state_->files, from, session.folder, state_->on_disk));
  MoveMemoriesReply reply{session.shown_as, moved.files, {}};
  for (const std::string& path : moved.apart)
    reply.notices.push_back(
        fmt::format("a memory that was there with another text is kept as {}", session.shown(path)));
  for (const std::string& what : moved.stayed) reply.notices.push_back("not moved: " + what);
  return reply;
}

}  // namespace knapsack
