// Engine::embed: the vectors that are missing, made beside everything else; and how far that is, for `status`.
#include <fmt/format.h>

#include <chrono>

#include "engine/recipes/memory/memory_session.h"
#include "engine/recipes/memory/memory_vectors.h"
#include "engine/sources/code_vectors.h"
#include "engine/sources/describe_meaning.h"
#include "engine/sources/search_vectors.h"
#include "store/file_lock.h"
#include "store/state_folder.h"

namespace knapsack {
namespace {

constexpr char kEmbeddingLock[] = "embedding.lock";
constexpr std::chrono::seconds kRound{60};

class Embedding {
 public:
  Embedding(Engine::State& state, const EmbedRequest& request) : state_(state), request_(request) {}

  Result<EmbedReply> run() {
    KNAPSACK_TRY(const MemorySession session, MemorySession::open(state_, request_.settings));
    KNAPSACK_TRY(encoder_, open_encoder(state_, session.settings));
    if (!encoder_) return reply_;
    encoder_->use_threads(request_.threads);
    reply_.model = encoder_->model().name();
    KNAPSACK_CHECK(embed_memories_of(session));
    if (!stopped_) KNAPSACK_CHECK(embed_code());
    return reply_;
  }

 private:
  // Between those who make vectors only: whoever answers never asks for it. False where another has it.
  Result<bool> take_lock() {
    if (lock_ || !state_.on_disk) return true;
    KNAPSACK_TRY(const std::string state_folder, ensure_state_folder(*state_.files, state_.workspace.path));
    const std::string folder = join_path(state_folder, "vectors");
    KNAPSACK_CHECK(state_.files->make_directory(folder));
    auto held = FileLock::acquire(join_path(folder, kEmbeddingLock), FileLock::Mode::kExclusive,
                                  std::chrono::milliseconds(0));
    if (!held.ok() && held.error().code == ErrorCode::kBusy) {
      reply_.busy = true;
      return false;
    }
    if (!held.ok()) return held.error();
    lock_.emplace(*std::move(held));
    return true;
  }

  StopEmbedding stop() {
    return [this] { return stopped_ = stopped_ || (request_.stop && request_.stop()); };
  }

  Status embed_memories_of(const MemorySession& session) {
    KNAPSACK_TRY(const memory::Catalogue catalogue, session.catalogue());
    if (catalogue.memories().empty()) return ok_status();
    KNAPSACK_TRY(MemoryVectors vectors, MemoryVectors::open(state_, *encoder_, catalogue.memories()));
    reply_.total = vectors.total();
    const size_t known = reply_.total - vectors.missing();
    reply_.memories = known;
    if (known == reply_.total) return ok_status();
    KNAPSACK_TRY(const bool mine, take_lock());
    if (!mine) return ok_status();
    KNAPSACK_CHECK(vectors.make(stop(), [&](size_t done) {
      if (request_.progress) request_.progress(Source::kMemory, known + done, reply_.total);
    }));
    reply_.memories = reply_.total - vectors.missing();
    return ok_status();
  }

  // In rounds, each on the index as it is then: what changes meanwhile is seen, and no view of the database is held for
  // hours. A round in which nothing could be made is the last.
  Status embed_code() {
    while (!stopped_) {
      KNAPSACK_TRY(const bool made, embed_code_for(kRound));
      if (!made) break;
    }
    return ok_status();
  }

  // Whether there is more to do.
  Result<bool> embed_code_for(std::chrono::seconds longest) {
    const auto index = state_.code_index("");
    if (!index.ok()) {
      if (index.error().code == ErrorCode::kNotFound) return false;
      return index.error();
    }
    reply_.total_files = files_with_vectors(**index);
    if (reply_.total_files == 0) return false;
    KNAPSACK_TRY(CodeVectors vectors,
                 CodeVectors::open(*state_.files, state_.state_folder(), state_.on_disk, *encoder_, **index));
    const size_t known = reply_.total_files - vectors.missing();
    reply_.files = known;
    if (known == reply_.total_files) return false;
    KNAPSACK_TRY(const bool mine, take_lock());
    if (!mine) return false;
    KNAPSACK_TRY(const std::string workspace, state_.files->resolve(state_.workspace.path));
    KNAPSACK_TRY(const auto texts, code::SnapshotTexts::open(*state_.files, workspace, (*index)->snapshot()));
    const auto end = std::chrono::steady_clock::now() + longest;
    const auto over = [&, asked = stop()] { return asked() || std::chrono::steady_clock::now() > end; };
    KNAPSACK_TRY(const size_t made, vectors.make(texts, over, [&](size_t done) {
      if (request_.progress) request_.progress(Source::kCode, known + done, reply_.total_files);
    }));
    reply_.files = reply_.total_files - vectors.missing();
    return made > 0 && reply_.files < reply_.total_files;
  }

  Engine::State& state_;
  const EmbedRequest& request_;
  EmbedReply reply_;
  std::unique_ptr<meaning::TextEncoder> encoder_;
  std::optional<FileLock> lock_;
  bool stopped_ = false;
};

// Opening vectors would create their folder: nothing where there is none.
Result<std::string> count_memories(Engine::State& state, meaning::TextEncoder& encoder) {
  if (!state.files->info(vector_folder(state.state_folder(), Source::kMemory)).ok())
    return std::string("no memory has a vector yet");
  KNAPSACK_TRY(const MemorySession session, MemorySession::open(state, {}));
  KNAPSACK_TRY(const memory::Catalogue catalogue, session.catalogue());
  KNAPSACK_TRY(MemoryVectors vectors, MemoryVectors::open(state, encoder, catalogue.memories()));
  return fmt::format("{} of {} memories have a vector", vectors.total() - vectors.missing(), vectors.total());
}

Result<std::string> count_code(const Engine::State& state, meaning::TextEncoder& encoder) {
  const auto index = state.code_index("");
  if (!index.ok()) {
    if (index.error().code == ErrorCode::kNotFound) return std::string();
    return index.error();
  }
  KNAPSACK_TRY(const auto vectors, find_code_vectors(state, encoder, **index));
  const size_t total = files_with_vectors(**index);
  const size_t missing = vectors ? vectors->missing() : total;
  return fmt::format("{} of {} files of code have vectors", total - missing, total);
}

}  // namespace

Result<EmbedReply> MemoryRecipes::embed(const EmbedRequest& request) {
  return Embedding(*state_, request).run();
}

std::string describe_meaning(Engine::State& state, const Settings& settings) {
  if (!settings.search.meaning || state.options.model_file.empty())
    return "off: everything is found by words";
  const auto encoder = open_encoder(state, settings);
  if (!encoder.ok()) return encoder.error().line();
  if (*encoder == nullptr) return "off: there is no model file";
  std::string text = fmt::format("{} by {} instructions", (*encoder)->model().name(), (*encoder)->kernels());
  for (const auto& counted : {count_memories(state, **encoder), count_code(state, **encoder)}) {
    const std::string line = counted.ok() ? *counted : counted.error().line();
    if (!line.empty()) text += "; " + line;
  }
  return text;
}

}  // namespace knapsack
