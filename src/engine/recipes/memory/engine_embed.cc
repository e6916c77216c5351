// Engine::embed: the vectors that are missing, made beside everything else.
#include <chrono>

#include "engine/recipes/memory/memory_session.h"
#include "engine/recipes/memory/memory_vectors.h"
#include "store/file_lock.h"
#include "store/state_folder.h"

namespace knapsack {
namespace {

constexpr char kEmbeddingLock[] = "embedding.lock";

}  // namespace

Result<EmbedReply> Engine::embed(const EmbedRequest& request) {
  EmbedReply reply;
  KNAPSACK_TRY(const MemorySession session, MemorySession::open(*state_, request.settings));
  KNAPSACK_TRY(const auto encoder, open_encoder(*state_, session.settings));
  if (!encoder) return reply;
  reply.model = encoder->model().name();
  KNAPSACK_TRY(const memory::Catalogue catalogue, session.catalogue());
  if (catalogue.memories().empty()) return reply;
  KNAPSACK_TRY(MemoryVectors vectors, MemoryVectors::open(*state_, *encoder, catalogue.memories()));
  reply.total = vectors.total();
  reply.memories = reply.total - vectors.missing();
  if (reply.memories == reply.total) return reply;
  std::optional<FileLock> lock;
  if (state_->on_disk) {
    // Between those who make vectors only: whoever answers never asks for it.
    const std::string folder = join_path(state_->state_folder(), "vectors");
    auto held = FileLock::acquire(join_path(folder, kEmbeddingLock), FileLock::Mode::kExclusive,
                                  std::chrono::milliseconds(0));
    if (!held.ok() && held.error().code == ErrorCode::kBusy) {
      reply.busy = true;
      return reply;
    }
    if (!held.ok()) return held.error();
    lock.emplace(*std::move(held));
  }
  const size_t known = reply.memories;
  KNAPSACK_CHECK(vectors.make(request.stop, [&](size_t done) {
    if (request.progress) request.progress(known + done, reply.total);
  }));
  reply.memories = reply.total - vectors.missing();
  return reply;
}

}  // namespace knapsack
