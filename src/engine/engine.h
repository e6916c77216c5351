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

#include "code/ask/code_answers.h"
#include "code/index/index_report.h"
#include "core/clock.h"
#include "core/files/file_system.h"
#include "core/log.h"
#include "core/result.h"
#include "engine/api/account_requests.h"
#include "engine/api/agent_requests.h"
#include "engine/api/capture_requests.h"
#include "engine/api/code_requests.h"
#include "engine/api/engine_options.h"
#include "engine/api/graph_requests.h"
#include "engine/api/hook_requests.h"
#include "engine/api/memory_requests.h"
#include "engine/api/note_requests.h"
#include "engine/api/outcome_requests.h"
#include "engine/api/pack_requests.h"
#include "engine/api/recall_requests.h"
#include "engine/api/retrieve_requests.h"
#include "engine/api/search_requests.h"
#include "engine/api/setup_requests.h"
#include "engine/api/team_requests.h"
#include "packet/packet.h"
#include "store/ledger/ledger.h"

namespace knapsack {

struct EvalReport;
struct EvalRequest;

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
  // The first half of pack(), for who has to try several budgets.
  Result<std::unique_ptr<GatheredPack>> gather_pack(const PackRequest& request);
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

  // Memories that a team shares on a PostgreSQL server. Without the server everything else works: team_sync() and
  // team_status() say so, and what is remembered for a team waits on disk.
  Result<TeamInitReply> team_init(const TeamRequest& request);
  Result<TeamGrantReply> team_grant(const TeamGrantRequest& request);
  Result<TeamStatusReply> team_status(const TeamRequest& request);
  Result<TeamSyncReply> team_sync(const TeamRequest& request);
  // Copies a memory of one's own to a team, with where it comes from.
  Result<RememberReply> promote(const PromoteRequest& request);

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
  // Keeps what came of a run's packet: which of its files and lines were then changed, what was changed that it had
  // left out, what somebody said of it.
  Result<OutcomeReply> outcome(const OutcomeRequest& request);
  // How often packets held what was then changed, by period and source.
  Result<ReportReply> report(const ReportRequest& request);
  // Runs with their outcomes, one JSON object a line.
  Result<ExportReply> export_runs(const ReportRequest& request);
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
