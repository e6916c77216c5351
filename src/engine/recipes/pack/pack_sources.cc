#include "engine/recipes/pack/pack_sources.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/ids.h"
#include "engine/clients/set_up_files.h"
#include "engine/recipes/graph/graph_recipe.h"
#include "engine/recipes/memory/recall_gather.h"
#include "engine/recipes/memory/recall_meaning.h"
#include "engine/recipes/memory/recall_packet.h"
#include "engine/recipes/memory/recall_rerank.h"
#include "engine/recipes/notes/notes_recipe.h"
#include "engine/recipes/pack/pack_links.h"
#include "engine/run_record.h"
#include "notes/instructions.h"
#include "notes/relevance.h"
#include "notes/sections.h"
#include "packet/assembly/not_read.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

SourcePart broken(Source source, const std::string& name, const Error& error) {
  SourcePart part;
  part.source = source;
  part.degraded = true;
  part.warnings.push_back(name + " are left out: " + error.line());
  return part;
}

bool is_there(const FileSystem& files, const std::string& folder) {
  const auto info = files.info(folder);
  return info.ok() && info->kind == FileKind::kDirectory;
}

// What shares words with the task first; the order in which it is shown stays.
void put_related_first(PacketSection& section, const std::vector<std::string>& keywords) {
  const std::set<std::string> wanted(keywords.begin(), keywords.end());
  std::vector<size_t> shared(section.items.size());
  std::vector<size_t> order(section.items.size());
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = 0; i < section.items.size(); ++i) {
    for (const std::string& word : notes::keywords_of({section.items[i].candidate.forms.front().text}))
      shared[i] += wanted.count(word);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return shared[a] > shared[b]; });
  reorder_items(section, order);
}

// What the project tells agents and the task is about. Read through no link that leads out of the workspace; a file that
// cannot be read is none.
std::vector<notes::Convention> read_instructions(Engine::State& state,
                                                 const std::vector<std::string>& keywords) {
  std::vector<notes::Convention> items;
  const auto workspace = SetUpFiles::open(*state.files, state.workspace.path);
  if (!workspace.ok()) return items;
  for (const std::string& name : notes::top_instruction_files()) {
    const auto located = workspace->locate(name);
    if (!located.ok() || !located->text) continue;
    std::string text = replace_invalid_utf8(*located->text);
    redact_secrets(text);
    for (notes::Convention& item : notes::instruction_items(std::move(text), name))
      items.push_back(std::move(item));
  }
  return notes::related_instructions(std::move(items), keywords);
}

Result<SourcePart> read_notes(const PackQuestion& question, notes::NotesFolder folder,
                              const std::vector<notes::Convention>& instructions) {
  const uint64_t secrets = redact(folder);
  for (const notes::Convention& each : instructions) {
    folder.conventions.push_back(each);
    folder.fingerprint = hash_parts({folder.fingerprint, each.file, each.text});
  }
  SourcePart part;
  part.source = Source::kNotes;
  part.preambles.push_back(
      {PreambleKind::kConstitution, "Constitution (NEVER VIOLATE)", folder.constitution});
  part.preambles.push_back({PreambleKind::kReadOrder, "Read First", folder.read_order});
  const notes::SectionShares shares{question.settings.notes_task_share,
                                    question.settings.notes_convention_share};
  const std::vector<std::string> keywords = notes::keywords_of({question.task.text});
  auto entries = notes::entry_sections(folder, keywords, question.now);
  part.sections.push_back(notes::tasks_section(folder, shares));
  part.sections.push_back(notes::conventions_section(folder, shares));
  for (PacketSection& section : part.sections) put_related_first(section, keywords);
  part.sections.push_back(std::move(entries.decisions));
  part.sections.push_back(std::move(entries.learnings));
  part.warnings = folder.warnings;
  part.degraded = !folder.warnings.empty();
  std::vector<std::string> unread = folder.warnings;
  unread.insert(unread.end(), folder.unrecognised.begin(), folder.unrecognised.end());
  if (!unread.empty()) part.preambles.push_back({PreambleKind::kNotRead, "", std::move(unread)});
  if (secrets > 0) part.warnings.push_back(redacted_line(secrets, "the notes"));
  part.fingerprint = folder.fingerprint;
  return part;
}

// Sections, warnings and status as a recipe of its own would print them.
void take(SourcePart& part, Packet packet) {
  part.sections = std::move(packet.sections);
  part.warnings = std::move(packet.warnings);
  part.degraded = packet.status == RunStatus::kDegraded;
}

// Takes what `add` puts into the account of a packet back out of its sections.
template <class Add>
Result<std::vector<LeftOutItem>> left_out_by(Packet& packet, const Add& add) {
  std::vector<std::pair<size_t, size_t>> before;  // items and shown places
  for (const PacketSection& section : packet.sections)
    before.emplace_back(section.items.size(), section.display_order.size());
  KNAPSACK_CHECK(add(packet));
  std::vector<LeftOutItem> left_out;
  for (size_t s = 0; s < packet.sections.size(); ++s) {
    PacketSection& section = packet.sections[s];
    for (size_t i = before[s].first; i < section.items.size(); ++i)
      left_out.push_back({section.key, std::move(section.items[i])});
    section.items.resize(before[s].first);
    section.display_order.resize(before[s].second);
  }
  return left_out;
}

// The model that the user's settings name puts the best memories in order; whatever goes wrong is a line.
Status rerank_by_settings(const MemorySession& session, const PackQuestion& question,
                          memory::Recalled& recalled, SourcePart& part) {
  const Settings& settings = session.settings;
  Engine::State& state = session.state();
  if (!state.given_model && (settings.model_name.empty() || settings.model_url.empty())) {
    part.warnings.emplace_back(kNoRerankModel);
    return ok_status();
  }
  KNAPSACK_TRY(const auto client,
               state.model_client(settings, settings.model_name, settings.model_url, settings.model_window));
  RerankResult result = rerank_memories(recalled.memories, question.task.text, *client,
                                        {state.files.get(), state.state_folder()}, question.now);
  if (!result.problem.empty()) part.warnings.push_back(std::move(result.problem));
  for (const model::CallRecord& call : result.calls) part.calls.push_back(ledger_row(call));
  return ok_status();
}

Result<SourcePart> read_memory(const MemorySession& session, const PackQuestion& question) {
  const RecallPlan& plan = question.task.recall;
  // Who packs for a task has one, however short it is.
  const RecallMode mode = plan.mode == RecallMode::kGraph ? plan.mode : RecallMode::kFull;
  RecallModels models;
  models.near = [&](memory::RecallSource& source, std::vector<std::string>& warnings) -> Status {
    KNAPSACK_TRY(NearPrompt near, find_near(session.state(), session.settings, {"", "", kMeaningTime},
                                            question.task.text, source));
    source.near = std::move(near.memories);
    source.similarities = std::move(near.similarities);
    if (!near.problem.empty()) warnings.push_back("memories are found by words only: " + near.problem);
    return ok_status();
  };
  SourcePart reranked;
  models.reorder = [&](memory::Recalled& recalled) {
    return session.settings.recall.rerank ? rerank_by_settings(session, question, recalled, reranked)
                                          : ok_status();
  };
  KNAPSACK_TRY(
      const GatheredMemories gathered,
      gather_memories(session, {question.task.text, mode, question.now, false, question.now}, models));
  SourcePart part;
  part.source = Source::kMemory;
  Packet packet = make_recall_sections({gathered.recalled,
                                        gathered.profile,
                                        gathered.warnings,
                                        question.budget,
                                        question.now,
                                        {},
                                        session.team_line});
  KNAPSACK_TRY(part.left_out, left_out_by(packet, [&](Packet& account) {
                 add_left_out(account, gathered.recalled);
                 add_filtered(account, gathered.filtered());
                 return ok_status();
               }));
  for (PacketPreamble& preamble : packet.preambles)
    if (preamble.kind == PreambleKind::kTeams) part.preambles.push_back(std::move(preamble));
  take(part, std::move(packet));
  part.degraded = part.degraded || !reranked.warnings.empty();
  std::move(reranked.warnings.begin(), reranked.warnings.end(), std::back_inserter(part.warnings));
  part.calls = std::move(reranked.calls);
  part.fingerprint = gathered.fingerprint();
  return part;
}

Result<SourcePart> read_graph(GraphSession& session, const PackQuestion& question) {
  KNAPSACK_CHECK(session.read(GraphSession::Access::kWrite));
  GraphQuestion asked;
  asked.request = question.task.text;
  asked.intent = question.task.matched;
  asked.suggest_clarify = false;
  KNAPSACK_TRY(const GraphAnswer answer, answer_graph_request(session, asked, {}, question.now));
  SourcePart part;
  part.source = Source::kGraph;
  KNAPSACK_TRY(Packet packet, make_graph_sections(session, answer));
  KNAPSACK_TRY(part.left_out, left_out_by(packet, [&](Packet& account) {
                 return add_graph_left_out(session, answer, account);
               }));
  take(part, std::move(packet));
  for (LeftOutItem& each : part.left_out) each.section = "graph_" + each.section;
  for (PacketSection& section : part.sections) {
    section.key = "graph_" + section.key;
    section.heading = "Graph: " + section.heading;
  }
  part.fingerprint = graph::fingerprint(session.index);
  return part;
}

}  // namespace

std::optional<SourcePart> gather_notes(Engine::State& state, const PackQuestion& question,
                                       const SettingsRequest& request) {
  const auto wanted = state.folder_request(question.settings, request);
  if (!wanted.ok()) return broken(Source::kNotes, "the notes", wanted.error());
  const auto instructions = read_instructions(state, notes::keywords_of({question.task.text}));
  const bool there = is_there(*state.files, wanted->path);
  if (!there && instructions.empty()) return std::nullopt;
  auto folder = there ? notes::read_folder(*state.files, *wanted) : Result(notes::NotesFolder());
  if (!folder.ok()) return broken(Source::kNotes, "the notes", folder.error());
  auto part = read_notes(question, *std::move(folder), instructions);
  return part.ok() ? *std::move(part) : broken(Source::kNotes, "the notes", part.error());
}

std::optional<SourcePart> gather_memory(Engine::State& state, const PackQuestion& question,
                                        const std::map<std::string, std::string>& flags) {
  const auto session = MemorySession::open(state, flags);
  if (!session.ok()) return broken(Source::kMemory, "the memories", session.error());
  if (!is_there(*state.files, session->folder) && session->team_line.empty()) return std::nullopt;
  auto part = read_memory(*session, question);
  return part.ok() ? *std::move(part) : broken(Source::kMemory, "the memories", part.error());
}

std::optional<SourcePart> gather_graph(Engine::State& state, const PackQuestion& question,
                                       const std::map<std::string, std::string>& flags) {
  auto session = GraphSession::open(state, flags);
  if (!session.ok()) return broken(Source::kGraph, "the graph's nodes", session.error());
  if (!is_there(*state.files, session->folder)) return std::nullopt;
  auto part = read_graph(*session, question);
  return part.ok() ? *std::move(part) : broken(Source::kGraph, "the graph's nodes", part.error());
}

}  // namespace knapsack
