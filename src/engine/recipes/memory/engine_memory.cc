// The methods of Engine that keep the memory tree: writing, judging, listing and showing memories.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/blanks.h"
#include "core/escape.h"
#include "core/files/folder.h"
#include "engine/recipes/memory/memory_session.h"
#include "engine/recipes/memory/memory_vectors.h"
#include "engine/recipes/memory/team_session.h"
#include "engine/run_record.h"
#include "memory/recall/supersession.h"
#include "memory/tree/access_journal.h"
#include "memory/tree/remember.h"
#include "memory/tree/write_memory.h"
#include "text/secrets/redact.h"

namespace knapsack {
namespace {

constexpr uint64_t kMaxProfileBytes = uint64_t{1} << 20U;

// A tree and what it holds, with nobody else writing.
struct Held {
  MemorySession session;
  memory::TreeWriter writer;
  memory::Catalogue catalogue;
};

Result<Held> hold(Engine::State& state, const std::map<std::string, std::string>& settings) {
  KNAPSACK_TRY(MemorySession session, MemorySession::open(state, settings));
  state.tell_refused(session.settings);
  KNAPSACK_TRY(memory::TreeWriter writer, session.writer());
  // Whoever waited for the lock anyway also does a little of what others left to do.
  if (const auto folded = memory::fold_accesses(writer); !folded.ok()) {
    state.options.log.write(LogLevel::kInfo, "accesses are not folded: " + folded.error().line());
  }
  KNAPSACK_TRY(memory::Catalogue catalogue, session.catalogue());
  return Held{std::move(session), std::move(writer), std::move(catalogue)};
}

// What the new memory makes out of date: superseded where that is wanted, else named.
void note_contradicted(const RememberRequest& request, const memory::Catalogue& catalogue,
                       memory::NewMemory& wanted, RememberReply& reply) {
  const memory::Memory fresh = memory::describe_memory(catalogue, wanted);
  for (const memory::Contradiction& each : memory::find_contradicted(fresh, catalogue.memories())) {
    const std::string& id = each.memory->id;
    const bool named =
        std::find(wanted.supersedes.begin(), wanted.supersedes.end(), id) != wanted.supersedes.end();
    if (named) continue;
    if (request.supersede_contradicted) {
      wanted.supersedes.push_back(id);
    } else {
      reply.contradicts.push_back({id, memory_title(*each.memory), each.because});
    }
  }
}

Status check_list_request(const MemoryListRequest& request) {
  const bool is_judged = request.status == "proposed" || request.status == "rejected";
  if (request.status != "all" && !is_judged && !memory::parse_status(request.status)) {
    return Error{
        ErrorCode::kUsage, fmt::format("unknown status '{}'", request.status),
        "choose active, superseded, archived, forgotten, quarantined or all; of a team's, proposed or "
        "rejected too"};
  }
  if (!request.category.empty() && !memory::is_category(request.category)) {
    return Error{ErrorCode::kUsage, fmt::format("unknown category '{}'", request.category),
                 fmt::format("choose one of {}", fmt::join(memory::kCategories, ", "))};
  }
  return ok_status();
}

// A copy of what a team remembers is changed by the team, on its server.
Status check_own(const memory::Memory& memory) {
  if (!memory::is_team_path(memory.path)) return ok_status();
  return Error{
      ErrorCode::kUsage,
      fmt::format("{} is a memory of {}, of which this machine has a copy", memory.id, memory.name_space),
      "remember the current fact for that team instead"};
}

// To a team: into the outbox, and from there to its server.
Result<RememberReply> remember_for_team(Engine::State& state, const RememberRequest& request,
                                        const MemorySession& session, const std::string& team) {
  KNAPSACK_TRY(const TeamSession server, TeamSession::open(state, request.settings));
  KNAPSACK_TRY(const memory::Catalogue catalogue, session.catalogue());
  if (!request.supersedes.empty() || request.supersede_contradicted) {
    return Error{ErrorCode::kUsage, "memories of a team do not supersede each other yet",
                 "leave `supersedes` and `yes` out"};
  }
  memory::NewMemory wanted;
  wanted.text = request.text;
  const uint64_t secrets = redact_secrets(wanted.text);
  wanted.category = request.category;
  wanted.importance = request.importance;
  if (request.confidence) wanted.confidence = *request.confidence;
  wanted.tags = request.tags;
  wanted.name_space = session.own_namespace();
  wanted.now = {state.clock->now().micros / 1000 * 1000};
  KNAPSACK_CHECK(memory::check_new_memory(wanted));
  const memory::Memory made = memory::describe_memory(catalogue, wanted);
  if (request.dry_run) return RememberReply();
  const std::string hash = memory::normalised_hash(made.text);
  // What waits counts as said.
  std::vector<memory::Memory> said;
  std::vector<std::string> unreadable;
  for (const team::Waiting& each : server.outbox().waiting(unreadable)) {
    if (each.memory.team == team) said.push_back(team::as_memory(each.memory));
  }
  for (const memory::Memory& each : catalogue.memories()) {
    if (each.name_space == made.name_space) said.push_back(each);
  }
  for (const memory::Memory& each : said) {
    if (memory::normalised_hash(each.text) != hash) continue;
    RememberReply known;
    known.id = each.id;
    known.path = made.name_space;
    known.category = each.category;
    known.importance = each.importance.value_or(0);
    known.confidence = each.confidence;
    known.duplicate = true;
    return known;
  }
  KNAPSACK_TRY(RememberReply reply, server.send(server.memory_of(made, team)));
  if (secrets > 0) reply.notices.push_back(redacted_line(secrets, "the text"));
  return reply;
}

Result<RememberReply> write_memory(Engine::State& state, const RememberRequest& request) {
  {
    KNAPSACK_TRY(const MemorySession session, MemorySession::open(state, request.settings));
    if (const auto team = team::team_name(session.own_namespace()))
      return remember_for_team(state, request, session, *team);
  }
  KNAPSACK_TRY(Held held, hold(state, request.settings));
  memory::NewMemory wanted;
  // Nobody would ever be shown them, and the tree may lie in the state folder.
  wanted.text = request.text;
  uint64_t secrets = redact_secrets(wanted.text);
  wanted.category = request.category;
  wanted.importance = request.importance;
  if (request.confidence) wanted.confidence = *request.confidence;
  wanted.tags = request.tags;
  for (std::string& tag : wanted.tags) secrets += redact_secrets(tag);
  wanted.supersedes = request.supersedes;
  wanted.name_space = held.session.own_namespace();
  wanted.now = {state.clock->now().micros / 1000 * 1000};  // other programs write milliseconds
  RememberReply reply;
  note_contradicted(request, held.catalogue, wanted, reply);
  if (request.dry_run) return reply;
  KNAPSACK_TRY(const memory::Remembered done, memory::remember(held.writer, held.catalogue, wanted));
  reply.id = done.memory.id;
  reply.path = held.session.shown(done.memory.path);
  reply.category = done.memory.category;
  reply.importance = done.memory.importance.value_or(0);
  reply.confidence = done.memory.confidence;
  reply.entity = done.memory.entity;
  reply.artifact = done.artifact;
  reply.superseded = done.superseded;
  reply.duplicate = done.duplicate;
  if (secrets > 0 && !done.duplicate) reply.notices.push_back(redacted_line(secrets, "the text"));
  return reply;
}

// What members of a team have proposed, or what was rejected: from the copy, as everything of a team.
Result<MemoryListReply> list_judged(Engine::State& state, const MemorySession& session,
                                    const MemoryListRequest& request, MemoryListReply reply) {
  const auto team = team::team_name(session.own_namespace());
  if (!team || session.team_root.empty()) {
    return Error{ErrorCode::kUsage, fmt::format("only memories of a team are {}", request.status),
                 "give `memory.namespace` team:NAME"};
  }
  KNAPSACK_TRY(const auto judged,
               team::CachedCopy(*state.files, session.team_root).judged(*team, request.status));
  reply.folder = session.own_namespace();
  reply.all = reply.matching = judged.size();
  for (size_t i = 0; i < std::min<size_t>(request.limit, judged.size()); ++i) {
    reply.rows.push_back(memory_row(judged[i]));
    reply.rows.back().status = request.status;
  }
  return reply;
}

}  // namespace

Result<RememberReply> MemoryRecipes::remember(const RememberRequest& request) {
  auto reply = write_memory(*state_, request);
  // Behind the writer's lock; what cannot be made now is made by the next recall.
  if (reply.ok() && !reply->duplicate && reply->delivery.empty())
    embed_few_memories(*state_, request.settings);
  return reply;
}

Result<ForgetReply> MemoryRecipes::forget(const ForgetRequest& request) {
  KNAPSACK_TRY(Held held, hold(*state_, request.settings));
  KNAPSACK_TRY(const memory::Memory* found,
               memory::find_memory(held.catalogue, request.id, held.session.rules));
  KNAPSACK_CHECK(check_own(*found));
  ForgetReply reply;
  reply.id = found->id;
  if (!request.purge) {
    KNAPSACK_CHECK(memory::forget(held.writer, *found, state_->clock->now()));
    return reply;
  }
  KNAPSACK_TRY(const auto gone, memory::purge(held.writer, held.catalogue, *found));
  for (const std::string& path : gone) reply.purged.push_back(held.session.shown(path));
  KNAPSACK_CHECK(held.session.discard_derived());
  return reply;
}

Result<FeedbackReply> MemoryRecipes::feedback(const FeedbackRequest& request) {
  KNAPSACK_TRY(Held held, hold(*state_, request.settings));
  KNAPSACK_TRY(const memory::Memory* found,
               memory::find_memory(held.catalogue, request.id, held.session.rules));
  KNAPSACK_CHECK(check_own(*found));
  KNAPSACK_TRY(const auto counts, memory::give_feedback(held.writer, *found, request.useful));
  return FeedbackReply{found->id, counts.useful, counts.not_useful};
}

Result<MemoryListReply> MemoryRecipes::memories(const MemoryListRequest& request) {
  KNAPSACK_CHECK(check_list_request(request));
  MemoryListReply reply;
  StepTimer timer(reply.times, state_->options.log);
  KNAPSACK_TRY(const MemorySession session, MemorySession::open(*state_, request.settings));
  timer.done("settings");
  state_->tell_refused(session.settings);
  KNAPSACK_TRY(const memory::Catalogue catalogue, session.catalogue());
  timer.done("read");
  reply.folder = session.shown_as;
  reply.warnings = catalogue.warnings();
  if (request.status == "proposed" || request.status == "rejected")
    return list_judged(*state_, session, request, std::move(reply));
  std::vector<const memory::Memory*> chosen;
  for (const memory::Memory& memory : catalogue.memories()) {
    if (!session.rules.may_read(memory.name_space)) continue;
    if (memory.kind == memory::Kind::kArtifact && !request.copies) continue;
    ++reply.all;
    const bool tagged = request.tag.empty() ||
                        std::find(memory.tags.begin(), memory.tags.end(), request.tag) != memory.tags.end();
    const bool wanted = (request.status == "all" || to_string(memory.status) == request.status) &&
                        (request.category.empty() || memory.category == request.category) && tagged;
    if (wanted) chosen.push_back(&memory);
  }
  reply.matching = chosen.size();
  const size_t shown = std::min<size_t>(request.limit, chosen.size());
  std::partial_sort(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(shown), chosen.end(),
                    [](const memory::Memory* a, const memory::Memory* b) {
                      return a->created != b->created ? a->created > b->created : a->path < b->path;
                    });
  for (size_t i = 0; i < shown; ++i) reply.rows.push_back(memory_row(*chosen[i]));
  return reply;
}

Result<MemoryShowReply> MemoryRecipes::memory_show(const MemoryShowRequest& request) {
  KNAPSACK_TRY(const MemorySession session, MemorySession::open(*state_, request.settings));
  state_->tell_refused(session.settings);
  KNAPSACK_TRY(const memory::Catalogue catalogue, session.catalogue());
  KNAPSACK_TRY(const memory::Memory* found, memory::find_memory(catalogue, request.id, session.rules));
  MemoryShowReply reply;
  const auto json = memory_json(*found);
  reply.json = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  for (const auto& [key, value] : json.items()) {
    if (key == "text") continue;
    // One line for each, whatever its author wrote there.
    reply.text += fmt::format(
        "{:18} {}\n", key,
        value.is_string() ? escape_control(value.get<std::string>())
                          : value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }
  reply.text +=
      fmt::format("{:18} {}\n\n{}\n", "file", escape_control(session.shown(found->path)), found->text);
  return reply;
}

Result<ProfileReply> MemoryRecipes::profile(const ProfileRequest& request) {
  KNAPSACK_TRY(const MemorySession session, MemorySession::open(*state_, request.settings));
  state_->tell_refused(session.settings);
  ProfileReply reply;
  const std::string path = session.profile_path();
  reply.path = join_path(session.folder, path);
  if (request.text && team::team_name(session.own_namespace()))
    return Error{ErrorCode::kUsage, "a team has no profile", "leave `memory.namespace` out"};
  if (request.text) {
    if (is_blank_text(*request.text)) {
      return Error{ErrorCode::kUsage, "the profile would be empty",
                   fmt::format("give its text; to have none, delete {}", reply.path)};
    }
    if (request.text->size() > kMaxProfileBytes) {
      return Error{ErrorCode::kUsage, fmt::format("the profile has more than {} bytes", kMaxProfileBytes),
                   "shorten it"};
    }
    KNAPSACK_TRY(memory::TreeWriter writer, session.writer());
    std::string text = *request.text;
    redact_secrets(text);
    KNAPSACK_CHECK(writer.replace(path, text));
  }
  if (!session.files().info(session.folder).ok()) return reply;
  KNAPSACK_TRY(const auto root, session.files().open_folder(session.folder));
  auto text = read_beneath(*root, path, kMaxProfileBytes);
  if (!text.ok() && text.error().code != ErrorCode::kNotFound) return text.error();
  reply.exists = text.ok();
  if (text.ok()) reply.text = *std::move(text);
  redact_secrets(reply.text);
  return reply;
}

}  // namespace knapsack
