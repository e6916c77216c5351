// Engine: the one owner of a workspace, and the whole public API. A method a recipe: request struct in, reply
// out.
//
// It knows no argv, JSON-RPC or HTTP; it never prints and never exits. All time comes from its clock and all
// files through its file system, so the same request on the same files at the same time gives the same bytes.
// One engine serves one request at a time.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "code/code_answers.h"
#include "code/index_report.h"
#include "core/clock.h"
#include "core/file_system.h"
#include "core/log.h"
#include "core/packet.h"
#include "core/result.h"
#include "engine/capture_requests.h"
#include "engine/eval.h"
#include "engine/graph_requests.h"
#include "engine/hook_requests.h"
#include "engine/memory_requests.h"
#include "engine/note_requests.h"
#include "engine/pack_requests.h"
#include "engine/recall_requests.h"
#include "engine/search_requests.h"
#include "engine/setup_requests.h"
#include "store/ledger.h"

namespace knapsack {

namespace model {
class EmbeddingClient;
class ModelClient;
}  // namespace model

struct EngineOptions {
  std::string folder;                              // where the program was started; absolute
  std::optional<std::string> workspace;            // instead of looking for one from `folder` upwards
  std::map<std::string, std::string> environment;  // the variables that may hold settings
  std::optional<Timestamp> now;                    // instead of the system's time
  Log log;                                         // where lines for people go; nowhere by default
  std::string model_file;                          // of the encoder; empty: everything works by words
  // Called where vectors are missing: to have Engine::embed run for these memories, beside whatever goes on.
  std::function<void(const std::string& workspace, const std::string& memory_folder)> start_embedding;
  // A program that hands over to run_parsing_process() (engine/parsing.h) when is_parsing_process() says so:
  // grammars then run in processes of it, in a sandbox. Empty: in this process.
  std::string parsing_program;
};

// The parts that tests replace. Empty ones are the real ones.
struct EngineParts {
  std::shared_ptr<FileSystem> files;
  std::shared_ptr<Clock> clock;
  std::shared_ptr<Ledger> ledger;
  std::shared_ptr<model::ModelClient> model = {};           // asked instead of the one that a request names
  std::shared_ptr<model::EmbeddingClient> embeddings = {};  // likewise
};

struct AgentRequest {
  std::map<std::string, std::string>
      settings;               // values that the caller gave, by setting key ("notes.budget")
  std::string format = "md";  // md or json
  std::string task;           // what the agent is about to do; empty: the tasks themselves say
  std::string session;        // empty: no cooldown
  bool explain = false;       // add the account of every entry to the output
  bool dry_run = false;       // the ledger does not hear of it
};

struct AgentReply {
  Packet packet;
  std::string output;                // what to print; empty during a cooldown
  bool cooling_down = false;         // the session was given a packet a moment ago
  std::optional<int64_t> run;        // its number in the ledger; nothing when the ledger could not be written
  std::vector<std::string> notices;  // one line each, for people
  std::vector<StepTime> times;
};

struct Explanation {
  StoredRun run;
  std::vector<std::string> warnings;
  std::vector<StepTime> times;
  std::vector<Decision> decisions;
  std::vector<std::string> answers;  // to --expect: a line for each candidate that was meant
};

struct NotesFile {
  std::string name;  // below the notes folder: "DECISIONS.md"
  std::string text;  // secrets replaced
};

struct WorkspaceStatus {
  std::string workspace;
  std::string found_by;  // what marked it: "--workspace", ".git"…
  std::string notes;     // in words
  std::string code;      // in words
  std::string graph;     // in words
  std::string memory;    // in words
  std::string meaning;   // in words
  std::string ledger;    // in words
  std::vector<StoredRun> last_runs;
};

struct SettingRow {
  std::string key;
  std::string value;
  std::string origin;  // "default", "knapsack.toml", "environment CTX_TOKEN_BUDGET", ".ctxrc", "--budget"
  std::string description;
};

struct MapRequest {
  uint64_t budget = 2000;
  std::string tokenizer = "o200k";
  std::string revision;  // a commit that was indexed; empty: the work tree
  bool refresh = true;   // bring the index of the work tree up to date first
  std::function<void(const code::IndexProgress&)> progress;
};
struct MapReply {
  std::string text;
  uint64_t used = 0;            // tokens
  size_t files = 0, shown = 0;  // of those that define something
};

// A file as it was indexed, without its secrets.
struct FileText {
  std::string path, language, text;
  uint64_t secrets = 0;  // that were replaced
};

struct IndexOptions {
  std::string revision;                    // a commit instead of the work tree
  unsigned jobs = 0;                       // threads; 0: one a core
  uint32_t history = 5000;                 // commits
  bool full = false;                       // learn everything anew
  std::chrono::milliseconds wait{30'000};  // for another indexer
  bool read_outside_alternates = false;    // objects that a shared clone borrows from elsewhere
  std::function<void(const code::IndexProgress&)> progress;
  std::stop_token stop;  // ends the run with kStopped; what was read is known to the next one
  // For reading files; nothing: as long as it takes. IndexReport::unread says what there was no time for.
  std::optional<std::chrono::milliseconds> deadline;
};

struct RetrieveRequest {
  std::string task;    // what is to be done, in words
  std::string stages;  // "scope,precision"
  // The budget: both numbers, or a file that holds them.
  std::optional<std::string> context_window;
  std::optional<std::string> reserved_tokens;
  std::optional<std::string> budget_config;
  // A model, or the word that there is none.
  std::string model;
  std::string base_url;
  bool no_model = false;

  std::string revision;       // a commit instead of the work tree; it must have been indexed
  std::string task_id;        // empty: derived from the request
  std::string format = "md";  // md, prompt or json
  bool fill = false;          // use the budget up: go on where the code stops being close to the task
  bool refresh = true;        // bring the index of the work tree up to date first
  bool dry_run = false;       // keep nothing: no session to refine, no row in the ledger
  std::map<std::string, std::string> settings;
  std::function<void(const code::IndexProgress&)> progress;  // of that
  std::stop_token stop;                                      // the answer is not wanted any more
};

struct RetrieveReply {
  Packet packet;
  std::string output;
  std::optional<int64_t> run;
  std::vector<std::string> notices;  // one line each, for people
  std::vector<std::string> details;  // what each stage did, for who asks (-v)
  std::vector<StepTime> times;
};

// What was missing in the packet of a task. Every name that can be resolved is in the next packet.
struct RefineRequest {
  std::string task_id;
  std::string
      request_json;  // {"reason", "missing_files", "missing_symbols", "missing_tests", "error_signatures"}
  std::string format = "md";
  std::optional<uint64_t> budget;  // of the next packet; nothing: that of the retrieval
  bool refresh = true;
  bool dry_run = false;  // keep nothing: the session stays as it is, no row in the ledger
  std::map<std::string, std::string> settings;
  std::function<void(const code::IndexProgress&)> progress;
  std::stop_token stop;
};

struct EmbedRequest {
  std::map<std::string, std::string> settings;
  std::function<bool()> stop;  // asked often; what was made by then stays
  std::function<void(Source source, size_t done, size_t total)> progress;  // memories, then files of code
};

struct EmbedReply {
  std::string model;       // empty: there is none, or it is switched off
  size_t memories = 0;     // that have a vector now, …
  size_t total = 0;        // … of so many
  size_t files = 0;        // of code, all of whose parts have one, …
  size_t total_files = 0;  // … of so many
  bool busy = false;       // another process makes them
};

struct EnrichProgress {
  uint64_t done = 0;  // of those to be asked about
  uint64_t total = 0;
  uint64_t failed = 0;
  std::string path;  // the file that the model is asked about next
};

struct EnrichRequest {
  std::string model;
  std::string base_url;
  std::map<std::string, std::string> settings;  // "model.provider", "model.context_window", "model.timeout"
  bool promote = false;
  std::optional<uint64_t> limit;  // files to ask about in this run; nothing: all
  std::function<void(const EnrichProgress&)> progress;
};

// Files with the same content count once.
struct EnrichReport {
  uint64_t files = 0;                        // source files that a model can describe
  uint64_t known = 0;                        // that this model had described before
  uint64_t asked = 0;                        // in this run
  uint64_t answered = 0;                     // of these, with an answer that passed validation
  uint64_t shortened = 0;                    // asked, but too long to be shown to the model whole
  uint64_t redacted = 0;                     // secrets that were taken out of prompts
  uint64_t left = 0;                         // not asked yet: over the limit, or the run was stopped
  uint64_t changed = 0;                      // passed over: not as they were when they were indexed
  uint64_t promoted = 0;                     // rows that file_metadata has from this model now
  std::map<std::string, uint64_t> failures;  // asked without use, by outcome
  std::string first_failure;                 // "path: what happened"
  std::string stopped;                       // why the run ended before its time; empty otherwise
  int64_t prompt_tokens = 0;
  int64_t completion_tokens = 0;
};

class Engine {
 public:
  // Finds the workspace. Creates nothing.
  static Result<std::unique_ptr<Engine>> open(EngineOptions options, EngineParts parts = {});
  ~Engine();

  // The budgeted notes packet.
  Result<AgentReply> agent(const AgentRequest& request);
  // Call when the output has reached its reader: the cooldown of its session starts here.
  Status delivered(const AgentReply& reply, const std::string& session);

  // Adds to the notes, ticks a task off, or archives what is over; every other byte of them stays.
  Result<NoteReply> note(const NoteRequest& request);

  // Brings the code index up to date with the work tree, or adds a commit to it.
  Result<code::IndexReport> index(const IndexOptions& options);
  // Asks a model about each source file of the work tree's index, most imported first, and keeps prompt and
  // answer in the ledger; what a model has answered already is not asked again. Promoting copies its valid
  // answers into the index. Answers that cannot be used are counted; a server that is not there stops the
  // run.
  Result<EnrichReport> enrich(const EnrichRequest& request);
  // What the index knows, of the work tree as it was last indexed or of the commit that `revision` names. A
  // file is named by its path, or by as many of its last components as it takes.
  Result<code::SymbolsView> symbols(const std::string& name, const std::string& revision = "");
  Result<code::OutlineView> outline(const std::string& file, const std::string& revision = "");
  Result<FileText> file_text(const std::string& file);
  Result<code::RefsView> refs(const std::string& name, const std::string& revision = "");
  // One name with everything around it: its source, its callers and callees, its tests.
  Result<code::SymbolCard> symbol_card(const std::string& name, const std::string& revision = "");
  Result<code::DepsView> deps(const std::string& file, uint32_t depth = 1, const std::string& revision = "");
  Result<code::HistoryView> history(const std::string& file, const std::string& revision = "");
  Result<code::OverviewView> overview(const std::string& revision = "");
  // Who is affected when a definition changes, over so many uses.
  Result<code::ImpactView> impact(const std::string& name, uint32_t depth, const std::string& revision = "");
  // What the repository is made of, without a task, within a budget.
  Result<MapReply> map(const MapRequest& request);

  // What a task needs of everything that is there, under one budget: code, notes, memories, graph.
  Result<PackReply> pack(const PackRequest& request);
  // The code that a task needs, within a budget.
  Result<RetrieveReply> retrieve(const RetrieveRequest& request);
  // The packet of an earlier retrieval with what it lacked.
  Result<RetrieveReply> refine(const RefineRequest& request);

  // The graph of knowledge, decisions and tasks in graphs/.
  Result<GraphInitReply> graph_init(const GraphRequest& request);
  // Appends revisions of nodes with a commit: all of them or none.
  Result<GraphPutReply> graph_put(const GraphPutRequest& request);
  Result<GraphShowReply> graph_show(const GraphShowRequest& request);
  Result<GraphValidateReply> graph_validate(const GraphRequest& request);
  // The nodes that a request needs, with what changed lately.
  Result<GraphPackReply> graph_pack(const GraphPackRequest& request);

  // How well the ranking finds what tasks with known answers need; on this workspace where the request names
  // no other repositories.
  Result<EvalReport> evaluate(EvalRequest request);

  // The memory tree. What `remember` answered for is on disk.
  Result<RememberReply> remember(const RememberRequest& request);
  Result<ForgetReply> forget(const ForgetRequest& request);
  Result<FeedbackReply> feedback(const FeedbackRequest& request);
  Result<MemoryListReply> memories(const MemoryListRequest& request);
  // Brings the memories of another folder into the one that is read here.
  Result<MoveMemoriesReply> move_memories(const MoveMemoriesRequest& request);
  Result<MemoryMatchReply> memory_matches(const MemoryMatchRequest& request);
  // Proposes memories from what was said in a session of an agent; they wait for a review unless the user says otherwise.
  Result<CaptureReply> capture(const CaptureRequest& request);
  // What waits, after accepting and refusing what is named.
  Result<ReviewReply> review_memories(const ReviewRequest& request);
  Result<MemoryShowReply> memory_show(const MemoryShowRequest& request);
  // Reads the profile, or replaces it.
  Result<ProfileReply> profile(const ProfileRequest& request);
  // The memories that a prompt needs, and the profile, within a budget.
  Result<RecallReply> recall(const RecallRequest& request);

  // Makes the vectors that are missing, one process at a time. Holds nothing that an answer waits for.
  Result<EmbedReply> embed(const EmbedRequest& request);

  // What matches a query, in all sources that are there, in one list.
  Result<SearchReply> search(const SearchRequest& request);

  // What a client's hook puts before its model: notes at the start of a session; memories, or everything that
  // a task for the code needs, with a prompt. Never more than the client shows, whole entries only.
  Result<HookReply> hook(const HookRequest& request);
  // Call when the context has reached its reader: the same is not given to that session again for a while.
  Status delivered(const HookReply& reply);
  // Keeps a hook that failed in the ledger, where there is one already.
  Status record_hook_failure(const HookRequest& request, const Error& error);

  // Writes knapsack.toml and the entries that make clients start this program, or takes them back. All files
  // are checked before the first is written.
  Result<SetUpReply> set_up(const SetUpRequest& request);
  // What of this workspace works, what does not, and what to do about it.
  DoctorReport doctor(const DoctorRequest& request);

  Result<std::vector<StoredRun>> runs(int64_t limit);
  // What became of every candidate of a run; `expect` asks why one is (not) there. `run`: an id, a prefix,
  // a number or "latest".
  Result<Explanation> explain(const std::string& run, const std::string& expect = "");
  // What a run handed out, byte for byte; kNotFound where the ledger does not have it.
  struct RunOutput {
    StoredRun run;
    std::string output;
  };
  Result<RunOutput> run_output(const std::string& run);
  // The files of the notes folder, as the packet lists them to read.
  Result<std::vector<NotesFile>> notes_files();
  Result<PruneReport> prune(Timestamp before);
  Result<WorkspaceStatus> status();
  // The effective settings and where each comes from; with the constants of ranking and packing on request.
  Result<std::vector<SettingRow>> config(bool with_constants);

  const std::string& workspace() const;
  static std::string version();

  struct State;  // what an engine holds; known inside engine/ only

 private:
  explicit Engine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace knapsack
