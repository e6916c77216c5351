#include "engine/linked/linked_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "code/ask/snapshot_texts.h"
#include "core/ids.h"
#include "engine/linked/linked_ranking.h"
#include "stages/joined_context.h"

namespace knapsack {
namespace {

std::string left_out(const LinkedRepository& repository, const Error& error) {
  return fmt::format("{} is left out: {}", repository.name, error.line());
}

}  // namespace

LinkedCode::LinkedCode(const Engine::State& state, bool refresh, IndexOptions options,
                       const std::vector<std::string>& folders)
    : linked_(linked_repositories(state, folders)), warnings_(linked_.warnings) {
  if (!refresh || linked_.list.empty()) return;
  options.revision.clear();    // of the workspace
  options.progress = nullptr;  // the workspace's own speaks
  // Where no thread can be had, it runs when it is waited for.
  refresh_ = std::async([this, options] {
    std::vector<std::string> problems;
    for (const LinkedRepository& each : linked_.list) {
      const auto refreshed = each.state->refresh_index(options);
      // One that cannot be made at all is said when it is opened.
      if (refreshed.ok() && !refreshed->problem.empty())
        problems.push_back(fmt::format("{}: {}", each.name, refreshed->problem));
      if (!refreshed.ok() && refreshed.error().code != ErrorCode::kNotFound)
        problems.push_back(fmt::format("{}: {}", each.name, refreshed.error().line()));
    }
    return problems;
  });
}

Result<LinkedCode::Member> LinkedCode::open_member(const LinkedRepository& repository) const {
  Member member;
  member.name = repository.name;
  KNAPSACK_TRY(member.index, repository.state->code_index(""));
  KNAPSACK_TRY(auto texts,
               code::SnapshotTexts::open(*repository.state->files, repository.state->workspace.path,
                                         member.index->snapshot()));
  member.texts = std::make_unique<code::FileTexts>(*member.index, std::move(texts));
  return member;
}

void LinkedCode::open() {
  if (is_open_) return;
  is_open_ = true;
  if (refresh_.valid()) {
    for (std::string& problem : refresh_.get()) warnings_.push_back(std::move(problem));
  }
  for (const LinkedRepository& each : linked_.list) {
    auto member = open_member(each);
    if (!member.ok()) {
      warnings_.push_back(left_out(each, member.error()));
      continue;
    }
    if (const std::string lacking = member->index->incomplete(); !lacking.empty())
      warnings_.push_back(fmt::format("{}: {}", each.name, lacking));
    members_.push_back(*std::move(member));
  }
}

std::vector<std::string> LinkedCode::folders() const {
  std::vector<std::string> folders;
  for (const LinkedRepository& each : linked_.list) folders.push_back(each.state->workspace.path);
  return folders;
}

std::string LinkedCode::fingerprint(const std::string& own) const {
  if (members_.empty()) return own;
  ContentHasher hasher;
  hasher.add(own);
  for (const Member& member : members_) {
    hasher.add(member.name);
    hasher.add(member.index->snapshot().fingerprint);
  }
  return hasher.hash();
}

Status LinkedCode::find_links(const stages::StageInput& own) {
  const auto reader = [](code::CodeIndex& index, code::FileTexts& texts) {
    return code::CrossMember{&index, [&texts](uint32_t file) -> std::optional<std::string> {
                               const auto text = texts.read(file);
                               if (!text.ok()) return std::nullopt;
                               return **text;
                             }};
  };
  std::vector<code::CrossMember> all = {reader(own.index, own.texts)};
  for (const Member& member : members_) all.push_back(reader(*member.index, *member.texts));
  KNAPSACK_TRY(links_, code::CrossImports::find(all));
  return ok_status();
}

size_t LinkedCode::member_of(const stages::StageInput& own, std::string& path) const {
  if (own.index.find_file(path)) return 0;
  for (size_t i = 0; i < members_.size(); ++i) {
    const std::string prefix = members_[i].name + ":";
    if (!path.starts_with(prefix)) continue;
    path.erase(0, prefix.size());
    return i + 1;
  }
  return 0;
}

Result<stages::RunnerResult> LinkedCode::run(const std::vector<const stages::Stage*>& stages,
                                             const stages::StageInput& own, stages::StageContext start,
                                             Session* session,
                                             const std::function<void(std::string_view stage)>& kept) {
  open();
  if (members_.empty()) return run_stages(stages, own, std::move(start), session, kept);
  KNAPSACK_CHECK(find_links(own));
  std::vector<stages::StageInput> inputs = {own};
  for (const Member& member : members_)
    inputs.push_back(
        {*member.index, own.task, *member.texts, own.judge, nullptr, own.units, own.choice, own.budget});
  KNAPSACK_TRY(const auto rankings, rank_together(inputs, *links_));
  std::vector<stages::StageContext> starts(inputs.size());
  for (stages::Requested& each : start.requested) {
    const size_t to = member_of(own, each.path);
    starts[to].requested.push_back(std::move(each));
  }
  for (stages::Earlier& each : start.earlier) {
    const size_t to = member_of(own, each.path);
    starts[to].earlier.push_back(std::move(each));
  }
  stages::RunnerResult result;
  std::vector<stages::RepositoryContext> contexts;
  for (size_t i = 0; i < inputs.size(); ++i) {
    stages::StageInput input{inputs[i].index,  inputs[i].task,     inputs[i].texts,
                             inputs[i].judge,  &rankings[i].files, inputs[i].units,
                             inputs[i].choice, inputs[i].budget,   inputs[i].near};
    KNAPSACK_TRY(stages::RunnerResult found, run_stages(stages, input, std::move(starts[i]),
                                                        i == 0 ? session : nullptr, i == 0 ? kept : nullptr));
    if (i == 0) result.resumed = std::move(found.resumed);
    contexts.push_back({i == 0 ? "" : members_[i - 1].name, rankings[i].strength, std::move(found.context)});
  }
  result.context = join_contexts(std::move(contexts), own.units);
  if (session != nullptr) {
    // What was asked for of linked repositories is still asked for in the next refinement.
    stages::StageContext final_context;
    final_context.requested = result.context.requested;
    KNAPSACK_CHECK(session->put({{kFinalContext, to_json(final_context)}}));
  }
  return result;
}

CodePlaces LinkedCode::places(code::CodeIndex& index, code::FileTexts& texts) {
  CodePlaces places(index, texts);
  for (const Member& member : members_) places.add(member.name, *member.index, *member.texts);
  if (links_) places.link(*links_);
  return places;
}

}  // namespace knapsack
