// The methods of Engine that propose memories from a conversation and let somebody decide about them.
#include <fmt/format.h>

#include <algorithm>

#include "engine/recipes/memory/capture_model.h"
#include "engine/recipes/memory/memory_session.h"
#include "engine/recipes/memory/team_session.h"
#include "memory/capture/capture.h"
#include "memory/capture/review.h"
#include "team/database.h"
#include "text/markdown/markdown_lines.h"
#include "text/secrets/redact.h"

namespace knapsack {
namespace {

constexpr size_t kMaxTranscriptBytes = size_t{64} << 20U;

// The first thing that was asked says what a session was about.
std::string session_title(const memory::Transcript& transcript) {
  for (const memory::Turn& turn : transcript.turns) {
    if (!turn.user) continue;
    std::string title(trim(std::string_view(turn.text).substr(0, turn.text.find('\n'))));
    redact_secrets(title);
    return title;
  }
  return "";
}

bool is_chosen(const std::vector<std::string>& ids, const std::string& id) {
  return std::any_of(ids.begin(), ids.end(),
                     [&](const std::string& each) { return each == id || each == "all"; });
}

// The server decides who may judge what; the copy follows it.
Result<ReviewReply> review_for_team(Engine::State& state, const ReviewRequest& request,
                                    const std::string& team);

Status check_review_ids(const ReviewRequest& request, const std::vector<memory::Memory>& waiting) {
  for (const auto* ids : {&request.accept, &request.refuse}) {
    for (const std::string& id : *ids) {
      const bool known =
          id == "all" || std::any_of(waiting.begin(), waiting.end(),
                                     [&](const memory::Memory& each) { return each.id == id; });
      if (!known) {
        return Error{ErrorCode::kNotFound, fmt::format("{} does not wait for a review", id),
                     "`knapsack memories review` shows what does"};
      }
    }
  }
  return ok_status();
}

// Adds what a model takes for worth remembering beside the rules, where one is named; gives a line for what it did
// not do.
Result<std::vector<std::string>> ask_model(const Engine::State& state, const Settings& settings,
                                           const memory::Transcript& transcript,
                                           std::vector<memory::Proposal>& proposals) {
  const std::string &model = settings.model_name, &url = settings.model_url;
  if (!state.given_model && model.empty() && url.empty()) return std::vector<std::string>();
  if (!state.given_model && (model.empty() || url.empty())) {
    return Error{
        ErrorCode::kUsage,
        model.empty() ? "`model.base_url` needs `model.name`" : "`model.name` needs `model.base_url`",
        "name both, or neither for rules alone"};
  }
  KNAPSACK_TRY(const auto client, state.model_client(settings, model, url, settings.model_window));
  return add_model_proposals(transcript, *client, settings.model_deadline, proposals);
}

constexpr std::chrono::seconds kReviewTime{20};

Result<ReviewReply> review_for_team(Engine::State& state, const ReviewRequest& request,
                                    const std::string& team) {
  KNAPSACK_TRY(const TeamSession session, TeamSession::open(state, request.settings));
  ReviewReply reply;
  reply.folder = std::string(team::kTeamPrefix) + team;
  KNAPSACK_TRY(auto report, session.sync(kReviewTime));
  if (!request.accept.empty() || !request.refuse.empty()) {
    if (!report.problem.empty())
      return Error{ErrorCode::kIo, report.problem, "a review needs the team's server"};
    KNAPSACK_TRY(const auto waiting, session.copy().judged(team, "proposed"));
    KNAPSACK_CHECK(check_review_ids(request, waiting));
    const team::Deadline deadline = team::deadline_in(kReviewTime);
    KNAPSACK_TRY(team::Connection connection, team::Connection::open(session.address, deadline));
    for (const memory::Memory& each : waiting) {
      const bool refuses = is_chosen(request.refuse, each.id);
      if (!refuses && !is_chosen(request.accept, each.id)) continue;
      KNAPSACK_CHECK(team::review_memory(connection, team, each.id, !refuses, deadline));
      (refuses ? reply.refused : reply.accepted).push_back(each.id);
    }
    KNAPSACK_TRY(report, session.sync(kReviewTime));
  }
  KNAPSACK_TRY(const auto waiting, session.copy().judged(team, "proposed"));
  for (const memory::Memory& each : waiting) reply.waiting.push_back(memory_row(each));
  return reply;
}

}  // namespace

Result<CaptureReply> MemoryRecipes::capture(const CaptureRequest& request) {
  if (request.transcript.size() > kMaxTranscriptBytes) {
    return Error{ErrorCode::kUsage, fmt::format("the transcript has more than {} bytes", kMaxTranscriptBytes),
                 "give a part of it"};
  }
  const memory::Transcript transcript = memory::read_transcript(request.transcript);
  if (transcript.turns.empty()) {
    return Error{ErrorCode::kUsage, "the input contains no turn of a conversation",
                 "give the JSON lines of Claude Code or Codex, or text with \"User:\" and \"Assistant:\""};
  }
  KNAPSACK_TRY(const MemorySession session, MemorySession::open(*state_, request.settings));
  state_->tell_refused(session.settings);
  if (team::team_name(session.own_namespace()))
    return Error{ErrorCode::kUsage, "a conversation proposes memories of your own",
                 "leave `memory.namespace` out; `knapsack promote` shares one"};
  auto proposals = memory::propose_memories(transcript);
  CaptureReply reply;
  KNAPSACK_TRY(reply.warnings, ask_model(*state_, session.settings, transcript, proposals));
  for (const std::string& each : reply.warnings) state_->options.log.write(LogLevel::kWarning, each);
  reply.turns = transcript.turns.size();
  reply.passed_over = transcript.passed_over;
  reply.folder = session.shown_as;
  if (request.dry_run || proposals.empty()) {
    for (const memory::Proposal& each : proposals)
      reply.proposals.push_back({"", each.category, each.text, each.because});
    return reply;
  }
  KNAPSACK_TRY(memory::TreeWriter writer, session.writer());
  KNAPSACK_TRY(const memory::Catalogue catalogue, session.catalogue());
  const Timestamp now{state_->clock->now().micros / 1000 * 1000};
  KNAPSACK_TRY(const memory::Queued queued,
               memory::queue_proposals(writer, catalogue, session.own_namespace(), proposals,
                                       {session_title(transcript), now}));
  for (const std::string& each : queued.warnings) state_->options.log.write(LogLevel::kWarning, each);
  reply.known = queued.known;
  reply.episode = queued.episode;
  for (const memory::Memory& each : queued.added) {
    const auto told = std::find_if(proposals.begin(), proposals.end(), [&](const memory::Proposal& proposal) {
      return proposal.text == each.text;
    });
    reply.proposals.push_back(
        {each.id, each.category, each.text, told == proposals.end() ? "" : told->because});
  }
  if (!request.remember) return reply;
  KNAPSACK_TRY(const auto waiting,
               memory::read_review(session.files(), session.folder, session.own_namespace()));
  for (const memory::Memory& each : waiting) {
    const bool of_this = each.id == queued.episode ||
                         std::any_of(queued.added.begin(), queued.added.end(),
                                     [&](const memory::Memory& added) { return added.id == each.id; });
    if (of_this) KNAPSACK_CHECK(memory::accept_proposal(writer, catalogue, each, now));
  }
  return reply;
}

Result<ReviewReply> MemoryRecipes::review_memories(const ReviewRequest& request) {
  KNAPSACK_TRY(const MemorySession session, MemorySession::open(*state_, request.settings));
  state_->tell_refused(session.settings);
  if (const auto team = team::team_name(session.own_namespace()))
    return review_for_team(*state_, request, *team);
  ReviewReply reply;
  reply.folder = session.shown_as;
  std::vector<std::string> warnings;  // of the last reading
  const auto read = [&] {
    warnings.clear();
    return memory::read_review(session.files(), session.folder, session.own_namespace(), &warnings);
  };
  if (!request.accept.empty() || !request.refuse.empty()) {
    KNAPSACK_TRY(memory::TreeWriter writer, session.writer());
    KNAPSACK_TRY(const memory::Catalogue catalogue, session.catalogue());
    KNAPSACK_TRY(const auto waiting, read());
    KNAPSACK_CHECK(check_review_ids(request, waiting));
    for (const memory::Memory& each : waiting) {
      if (is_chosen(request.refuse, each.id)) {
        KNAPSACK_CHECK(memory::refuse_proposal(writer, each));
        reply.refused.push_back(each.id);
      } else if (is_chosen(request.accept, each.id)) {
        KNAPSACK_CHECK(memory::accept_proposal(writer, catalogue, each, state_->clock->now()));
        reply.accepted.push_back(each.id);
      }
    }
  }
  KNAPSACK_TRY(const auto waiting, read());
  for (const std::string& each : warnings) state_->options.log.write(LogLevel::kWarning, each);
  for (const memory::Memory& each : waiting) reply.waiting.push_back(memory_row(each));
  return reply;
}

}  // namespace knapsack
