#include "engine/sources/code_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "core/ascii.h"
#include "core/ids.h"
#include "engine/sources/search_vectors.h"
#include "understand/question_translation.h"

namespace knapsack {
namespace {

// Part of every key: another way to make texts of chunks is another number.
constexpr std::string_view kChunkTexts = "chunk 1";
// What the best chunks of a file count; more of them say nothing new.
constexpr std::array kChunkShares = {1.0, 1.0 / 2, 1.0 / 3};

// Keys of one file's chunks differ in their last digits only.
class ChunkKeys {
 public:
  explicit ChunkKeys(const code::FileRow& file) : key_(hash_parts({kChunkTexts, file.name, file.hash})) {}

  const std::string& of(uint32_t part) {
    constexpr size_t kDigits = 8;
    fmt::format_to(key_.end() - kDigits, "{:08x}", part);
    return key_;
  }

 private:
  std::string key_;
};

bool has_vectors(const code::FileRow& file) {
  return file.blob != 0;  // else it was only listed
}

// The texts of a file's chunks, in their order.
std::vector<std::string> chunk_texts(const code::FileRow& file, const std::string& bytes,
                                     const std::vector<code::ChunkRow>& chunks) {
  std::vector<std::string> texts;
  for (const code::ChunkRow& row : chunks) {
    const code::Chunk& chunk = row.chunk;
    const bool inside = chunk.start_byte <= chunk.end_byte && chunk.end_byte <= bytes.size();
    const size_t length = inside ? std::min<size_t>(chunk.end_byte - chunk.start_byte, kMaxEmbeddedBytes) : 0;
    texts.push_back(file.name + "\n" + (inside ? bytes.substr(chunk.start_byte, length) : ""));
  }
  if (texts.empty()) texts.push_back(file.name);
  return texts;
}

void start_background(const Engine::State& state, const Settings& settings) {
  const auto folder = memory_folder(*state.files, settings, state.settings_request({}));
  if (state.options.start_embedding && folder.ok())
    state.options.start_embedding(state.workspace.path, *folder);
}

}  // namespace

bool is_short_question(const TaskQuery& task) {
  size_t words = 0;
  bool inside = false;
  for (const char each : task.text) {
    const bool blank = ascii::is_space(each);
    words += !blank && !inside ? 1 : 0;
    inside = !blank;
  }
  const auto is_report = [](const TaskSegment& segment) {
    return segment.kind == SegmentKind::kTrace || segment.kind == SegmentKind::kCode;
  };
  return words <= kShortQuestionWords && task.frames.empty() &&
         std::none_of(task.segments.begin(), task.segments.end(), is_report);
}

Result<CodeVectors> CodeVectors::open(FileSystem& files, const std::string& state_folder, bool on_disk,
                                      meaning::TextEncoder& encoder, code::CodeIndex& index) {
  KNAPSACK_TRY(auto store, open_encoder_store(files, state_folder, on_disk, Source::kCode, encoder));
  return CodeVectors(encoder, index, std::move(store));
}

size_t files_with_vectors(const code::CodeIndex& index) {
  return static_cast<size_t>(std::count_if(index.files().begin(), index.files().end(), has_vectors));
}

size_t CodeVectors::missing() const {
  if (store_.size() == 0) return files_with_vectors(*index_);
  size_t missing = 0;
  for (uint32_t file = 0; file < index_->files().size(); ++file)
    missing += has_vectors(index_->file(file)) && !is_complete(file) ? 1 : 0;
  return missing;
}

bool CodeVectors::is_complete(uint32_t file) const {
  return store_.holds(ChunkKeys(index_->file(file)).of(0));
}

Result<std::vector<uint32_t>> CodeVectors::by_importance() const {
  std::vector<size_t> importance(index_->files().size());
  KNAPSACK_TRY(const code::HistoryTable* history, index_->history_table());
  for (const code::HistoryTable::Entry& commit : history->commits()) {
    for (const uint32_t file : history->files(commit)) ++importance[file];
  }
  for (uint32_t file = 0; file < importance.size(); ++file) {
    KNAPSACK_TRY(const auto importers, index_->importers_of(file));
    importance[file] += importers.size();
  }
  std::vector<uint32_t> order(importance.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return importance[a] > importance[b]; });
  return order;
}

// Chunks on their way through the encoder, of several files where those are small.
class CodeVectors::ChunkSteps {
 public:
  ChunkSteps(meaning::TextEncoder& encoder, search::VectorStore& store) : encoder_(encoder), writer_(store) {}

  bool is_full() const { return bytes_ >= bytes_per_step(encoder_); }
  void add(const std::string& key, const std::string& text) {
    keys_.push_back(key);
    texts_.push_back(text);
    bytes_ += text.size();
  }
  Status embed() {
    KNAPSACK_TRY(const auto vectors, encoder_.embed(texts_, meaning::TextRole::kPassage));
    KNAPSACK_CHECK(writer_.add(keys_, vectors));
    made_ += keys_.size();
    keys_.clear();
    texts_.clear();
    bytes_ = 0;
    return ok_status();
  }
  Status save() { return writer_.save(); }
  size_t made() const { return made_; }

 private:
  meaning::TextEncoder& encoder_;
  VectorWriter writer_;
  std::vector<std::string> keys_, texts_;
  size_t bytes_ = 0, made_ = 0;
};

Result<size_t> CodeVectors::make(const code::SnapshotTexts& texts, const StopEmbedding& stop,
                                 const std::function<void(size_t files)>& progress) {
  KNAPSACK_TRY(const auto order, by_importance());
  ChunkSteps steps(*encoder_, store_);
  size_t done = 0;
  for (const uint32_t file : order) {
    if (!has_vectors(index_->file(file)) || is_complete(file)) continue;
    const auto finished = make_file(file, texts, stop, steps);
    if (!finished.ok() || !*finished) {
      KNAPSACK_CHECK(steps.save());
      if (!finished.ok()) return finished.error();
      return steps.made();
    }
    if (progress) progress(++done);
  }
  if (!stop || !stop()) KNAPSACK_CHECK(steps.embed());
  KNAPSACK_CHECK(steps.save());
  KNAPSACK_CHECK(tidy());
  return steps.made();
}

Status CodeVectors::tidy() {
  std::vector<std::string> live;
  for (const code::FileRow& file : index_->files()) {
    ChunkKeys keys(file);
    for (uint32_t part = 0; store_.holds(keys.of(part)); ++part) live.push_back(keys.of(part));
  }
  return store_.tidy({live.begin(), live.end()});
}

Result<bool> CodeVectors::make_file(uint32_t file, const code::SnapshotTexts& texts,
                                    const StopEmbedding& stop, ChunkSteps& steps) {
  const code::FileRow& row = index_->file(file);
  const auto bytes = texts.read(row);
  if (!bytes.ok()) {
    const bool changed = bytes.error().code == ErrorCode::kBusy || bytes.error().code == ErrorCode::kNotFound;
    if (changed) return true;
    return bytes.error();
  }
  KNAPSACK_TRY(const auto chunks, index_->chunks(file));
  const std::vector<std::string> all = chunk_texts(row, *bytes, chunks);
  ChunkKeys keys(row);
  for (size_t left = all.size(); left > 0; --left) {
    const std::string& key = keys.of(static_cast<uint32_t>(left - 1));
    if (store_.holds(key)) continue;
    if (steps.is_full()) {
      if (stop && stop()) return false;
      KNAPSACK_CHECK(steps.embed());
    }
    steps.add(key, all[left - 1]);
  }
  return true;
}

Result<code::FileMeaning> CodeVectors::compare(const std::string& question) {
  struct Chunk {
    uint32_t file = 0;
    uint32_t part = 0;
  };
  std::vector<Chunk> chunks;
  std::vector<search::VectorUnit> units;
  code::FileMeaning near;
  if (store_.size() == 0) return near;
  const size_t files = index_->files().size();
  std::vector<double> scores(files, code::kUnknownMeaning);
  for (uint32_t file = 0; file < files; ++file) {
    if (!has_vectors(index_->file(file))) continue;
    ChunkKeys keys(index_->file(file));
    for (uint32_t part = 0; store_.holds(keys.of(part)); ++part) {
      units.push_back({keys.of(part), static_cast<uint32_t>(chunks.size())});
      chunks.push_back({file, part});
      scores[file] = 0;
    }
  }
  if (units.empty()) return near;
  KNAPSACK_TRY(const auto asked, encoder_->embed({with_translation(question)}, meaning::TextRole::kQuestion));
  const auto nearest = store_.nearest(units, asked, units.size());
  double base = 0;
  for (const search::UnitNeighbour& each : nearest) base += each.score;
  base /= static_cast<double>(nearest.size());
  std::vector<size_t> counted(files);
  near.chunks.resize(files);
  double best = 0;
  for (const search::UnitNeighbour& each : nearest) {
    const Chunk& chunk = chunks[each.unit];
    size_t& place = counted[chunk.file];
    if (place == 0) near.chunks[chunk.file] = chunk.part;
    if (place < kChunkShares.size())
      scores[chunk.file] += kChunkShares[place++] * std::max(0.0, each.score - base);
    best = std::max(best, scores[chunk.file]);
  }
  if (best > 0) {
    for (double& score : scores) score = score > 0 ? score / best : score;
  }
  near.scores = std::move(scores);
  return near;
}

std::string NearCode::missing_line() const {
  if (missing == 0 || missing * 2 < total) return "";
  return fmt::format(
      "{} of {} files of code are found by words only: their vectors are being made, or `knapsack embed` "
      "makes "
      "them",
      missing, total);
}

Result<std::optional<CodeVectors>> find_code_vectors(const Engine::State& state,
                                                     meaning::TextEncoder& encoder, code::CodeIndex& index) {
  std::optional<CodeVectors> found;
  if (!state.files->info(vector_folder(state.state_folder(), Source::kCode)).ok()) return found;
  KNAPSACK_TRY(CodeVectors opened,
               CodeVectors::open(*state.files, state.state_folder(), state.on_disk, encoder, index));
  found.emplace(std::move(opened));
  return found;
}

NearCode compare_code(const Engine::State& state, const Settings& settings, code::CodeIndex& index,
                      const std::string& question) {
  NearCode near;
  const auto compare = [&]() -> Status {
    KNAPSACK_TRY(const auto encoder, open_encoder(state, settings));
    if (!encoder) return ok_status();
    KNAPSACK_TRY(auto vectors, find_code_vectors(state, *encoder, index));
    near.total = files_with_vectors(index);
    near.missing = vectors ? vectors->missing() : near.total;
    if (near.missing == near.total) return ok_status();
    KNAPSACK_TRY(near.files, vectors->compare(question));
    if (!near.files.scores.empty()) near.model = encoder->model().name();
    return ok_status();
  };
  if (const Status compared = compare(); !compared.ok()) near.problem = compared.error().line();
  if (near.missing > 0) start_background(state, settings);
  return near;
}

void start_code_vectors(const Engine::State& state) {
  if (!state.options.start_embedding) return;
  const auto start = [&]() -> Status {
    KNAPSACK_TRY(const Settings settings, state.settings(Flags()));
    KNAPSACK_TRY(const auto encoder, open_encoder(state, settings));
    if (!encoder) return ok_status();
    KNAPSACK_TRY(const auto index, state.code_index(""));
    KNAPSACK_TRY(const auto vectors, find_code_vectors(state, *encoder, *index));
    if ((vectors ? vectors->missing() : files_with_vectors(*index)) > 0) start_background(state, settings);
    return ok_status();
  };
  if (const Status started = start(); !started.ok())
    state.options.log.write(LogLevel::kInfo, "the code has no vectors yet: " + started.error().line());
}

}  // namespace knapsack
