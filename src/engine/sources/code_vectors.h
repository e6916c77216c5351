// CodeVectors: the vectors of a snapshot's chunks by the encoder of our own, and how near each file is to a question.
//
// A chunk is embedded behind its path; its vector is kept under the path, the content and its place there, so snapshots
// share what they have in common. The chunks of a file are made last first: a file whose first chunk has a vector has
// all of them, which costs no look into the database. A file without chunks has one vector, of its path. Internal to
// engine/. One request, one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "code/ask/snapshot_texts.h"
#include "code/rank/file_ranking.h"
#include "engine/sources/encoder_vectors.h"

namespace knapsack {

// What asks briefly, without a trace: the questions that meaning helps with. Reports are better found by words.
inline constexpr size_t kShortQuestionWords = 20;
bool is_short_question(const TaskQuery& task);

// Files of a snapshot that shall have vectors.
size_t files_with_vectors(const code::CodeIndex& index);

class CodeVectors {
 public:
  // `encoder` and `index` must outlive this. Makes the folders.
  static Result<CodeVectors> open(FileSystem& files, const std::string& state_folder, bool on_disk,
                                  meaning::TextEncoder& encoder, code::CodeIndex& index);

  // Files that lack vectors.
  size_t missing() const;

  // Makes what is missing, until `stop` says so: files that many import and that change often first. What was made
  // stays. A file that has changed since it was indexed is passed over. How many chunks were embedded.
  Result<size_t> make(const code::SnapshotTexts& texts, const StopEmbedding& stop = {},
                      const std::function<void(size_t files)>& progress = {});

  // Of every file that has vectors; empty where none has.
  Result<code::FileMeaning> compare(const std::string& question);

 private:
  CodeVectors(meaning::TextEncoder& encoder, code::CodeIndex& index, search::VectorStore store)
      : encoder_(&encoder), index_(&index), store_(std::move(store)) {}
  bool is_complete(uint32_t file) const;
  Status tidy();
  Result<std::vector<uint32_t>> by_importance() const;
  class ChunkSteps;
  // False where `stop` said so. What it leaves to the next step is in `steps`.
  Result<bool> make_file(uint32_t file, const code::SnapshotTexts& texts, const StopEmbedding& stop,
                         ChunkSteps& steps);

  meaning::TextEncoder* encoder_;
  code::CodeIndex* index_;
  search::VectorStore store_;
};

// Nothing where the folder of vectors was never made: whoever only asks makes none.
Result<std::optional<CodeVectors>> find_code_vectors(const Engine::State& state,
                                                     meaning::TextEncoder& encoder, code::CodeIndex& index);

// What an answer hears of meaning. What goes wrong costs meaning and is left in `problem`.
struct NearCode {
  code::FileMeaning files;  // empty: words alone
  std::string model;        // that compared; empty: none did
  std::string problem;
  size_t missing = 0;  // files that have no vectors yet, of …
  size_t total = 0;

  const code::FileMeaning* ranking() const { return model.empty() ? nullptr : &files; }
  // For people; empty where nothing was missing that could have been there.
  std::string missing_line() const;
};

// By the encoder of our own, where it is there and switched on. Never waits for a vector of code: what is missing is left
// to the background, which this starts.
NearCode compare_code(const Engine::State& state, const Settings& settings, code::CodeIndex& index,
                      const std::string& question);

// Starts the background where files of the work tree lack vectors; for who has just indexed it.
void start_code_vectors(const Engine::State& state);

}  // namespace knapsack
