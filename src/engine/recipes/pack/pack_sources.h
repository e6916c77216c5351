// The sources of a pack: whether each is there, and what it has for the task, as sections ready to be packed.
//
// A source that is absent costs nothing; one that is broken gives what it can and a warning. Private to
// engine/recipes/pack/. One object serves one request.
#pragma once

#include <future>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "code/ask/file_texts.h"
#include "code/walk/path_choice.h"
#include "engine/api/pack_requests.h"
#include "engine/engine_state.h"
#include "engine/linked/linked_code.h"
#include "engine/sources/code_vectors.h"
#include "stages/judge.h"
#include "stages/stage_context.h"
#include "understand/task_query.h"

namespace knapsack {

// An item that takes no part in packing and is in the account all the same.
struct LeftOutItem {
  std::string section;  // its key
  PacketItem item;
};

struct SourcePart {
  Source source = Source::kCode;
  std::vector<PacketPreamble> preambles;
  std::vector<PacketSection> sections;
  std::vector<std::shared_ptr<const CandidateGroup>> groups;
  std::vector<LeftOutItem> left_out;
  std::vector<Decision> decisions;  // of steps before packing
  std::vector<ModelCall> calls;     // of a model that put things in order
  std::vector<std::string> said;    // about the task, shown with it
  std::vector<std::string> warnings;
  bool degraded = false;             // something is missing that should be here
  std::string fingerprint;           // of everything that was read
  uint64_t behind_stop = 0;          // units of code that are not offered
  std::vector<Candidate> unoffered;  // Packet::unoffered
};

struct PackQuestion {
  const TaskQuery& task;
  const Settings& settings;
  uint64_t budget = 0;
  bool fill = false;
  Timestamp now;
  stages::Judge* judge = nullptr;              // null: rules decide alone
  std::vector<stages::Requested> places = {};  // that are asked about, whatever the words say
};

// Nothing where the source is not there.
std::optional<SourcePart> gather_notes(Engine::State& state, const PackQuestion& question,
                                       const SettingsRequest& request);
std::optional<SourcePart> gather_memory(Engine::State& state, const PackQuestion& question,
                                        const std::map<std::string, std::string>& flags);
std::optional<SourcePart> gather_graph(Engine::State& state, const PackQuestion& question,
                                       const std::map<std::string, std::string>& flags);

// The code, with what the other sources name in it.
//
// The index is brought up to date on a thread of its own, from the construction on: beside the other sources,
// and beside a first look at the index as it is. Mostly nothing has changed, and that look is what is needed.
class CodeSource {
 public:
  CodeSource(Engine::State& state, const PackQuestion& question, const PackRequest& request, bool refresh);

  // Opens the index as it is; for who has to wait for another source.
  void begin();
  // Finds what the task needs, with what the sections of the other sources name. False where there is no
  // code.
  bool find(const std::vector<PacketSection*>& background, SourcePart& part);
  // The sections of what was found; entries of the background that name what the task needs are raised.
  void gather(const std::vector<PacketSection*>& background, const std::vector<std::string>& own_folders,
              SourcePart& part);
  // Files; not those that only another source names.
  const std::set<std::string>& named_by_task() const { return named_; }
  // The folders of linked repositories, for the account of the run.
  std::vector<std::string> linked_folders() const { return linked_.folders(); }
  // AGENTS.md and CLAUDE.md, nearest to the files that the task needs first.
  std::vector<std::string> instruction_files() const;

 private:
  // What a look at the index found.
  struct Found {
    std::unique_ptr<code::CodeIndex> index;
    std::unique_ptr<code::FileTexts> texts;
    stages::StageContext context;
    NearCode near;
  };
  Result<Found> look(const std::vector<PacketSection*>& background);
  // The file that somebody means, in the workspace or in a linked repository, as it is shown.
  Result<std::string> shown_file(const code::CodeIndex& index, const std::string& named);
  Status finish_refresh(SourcePart& part);
  static void say_missing(const std::string& line, SourcePart& part);
  bool chooses_any() const;
  std::string no_chosen_file() const;
  Status find_or_fail(const std::vector<PacketSection*>& background, SourcePart& part);
  Status gather_or_fail(const std::vector<PacketSection*>& background,
                        const std::vector<std::string>& own_folders, SourcePart& part);

  // The files that are wanted whole; a problem for each that is not there.
  std::vector<stages::Requested> wanted_whole(const code::CodeIndex& index);

  Engine::State& state_;
  const PackQuestion& question_;
  const PackRequest& request_;
  LinkedCode linked_;
  std::set<std::string> whole_;                            // paths
  std::vector<std::string> unknown_;                       // a line each
  std::optional<code::PathChoice> choice_;                 // nothing: all files
  std::future<Result<Engine::State::Refreshed>> refresh_;  // waits for its thread at the end
  std::unique_ptr<code::CodeIndex> opened_;                // before it was brought up to date
  std::optional<Found> found_;
  std::vector<std::string> needed_;  // paths, in the order of the scope
  std::set<std::string> named_;      // by the task
};

}  // namespace knapsack
