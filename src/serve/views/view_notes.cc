// The view of the notes: every entry, and how often the last packets showed it.
#include <fmt/format.h>

#include <map>
#include <string>

#include "serve/schema.h"
#include "serve/views/views.h"

namespace knapsack::serve {
namespace {

constexpr int64_t kLookedAtPackets = 20;
// Every entry in full.
constexpr uint64_t kEverything = 100'000'000;

struct Used {
  uint64_t full = 0, reduced = 0, left_out = 0;
  std::string last;  // when it was shown last
};

struct Usage {
  size_t packets = 0;
  std::map<std::string, Used> entries;  // by candidate
};

bool has_notes(const StoredRun& run) {
  const std::string& command = run.record.command;
  return command == "pack" || command == "agent" || command.starts_with("hook");
}

Result<Usage> usage_of(Engine& engine) {
  Usage usage;
  KNAPSACK_TRY(const auto runs, engine.runs(kLookedAtPackets * 5));
  for (const StoredRun& run : runs) {
    if (!has_notes(run)) continue;
    if (usage.packets == static_cast<size_t>(kLookedAtPackets)) break;
    ++usage.packets;
    KNAPSACK_TRY(const Explanation account, engine.explain(std::to_string(run.key.sequence)));
    for (const Decision& row : account.decisions) {
      if (row.source != "notes") continue;
      Used& used = usage.entries[row.candidate_id];
      ++(!row.included ? used.left_out : row.form == "full" ? used.full : used.reduced);
      if (row.included && used.last.empty()) used.last = format_rfc3339(run.record.started);
    }
  }
  return usage;
}

Result<Json> show_notes(const ViewCall& call) {
  AgentRequest request;
  request.dry_run = true;
  request.settings["notes.budget"] = std::to_string(kEverything);
  KNAPSACK_TRY(const AgentReply reply, call.engine.agent(request));
  KNAPSACK_TRY(const Usage usage, usage_of(call.engine));
  Json sections = Json::array();
  for (const PacketPreamble& preamble : reply.packet.preambles) {
    Json entries = Json::array();
    for (const std::string& line : preamble.lines)
      entries.push_back({{"id", ""},
                         {"title", line},
                         {"text", ""},
                         {"tokens", 0},
                         {"full", usage.packets},
                         {"reduced", 0},
                         {"left_out", 0},
                         {"last", ""}});
    sections.push_back({{"heading", preamble.heading}, {"always", true}, {"entries", std::move(entries)}});
  }
  for (const PacketSection& section : reply.packet.sections) {
    Json entries = Json::array();
    for (const PacketItem& item : section.items) {
      const auto found = usage.entries.find(item.candidate.id);
      const Used used = found == usage.entries.end() ? Used() : found->second;
      entries.push_back({{"id", item.candidate.id},
                         {"title", item.candidate.title},
                         {"text", item.candidate.forms.front().text},
                         {"tokens", item.full_tokens},
                         {"full", used.full},
                         {"reduced", used.reduced},
                         {"left_out", used.left_out},
                         {"last", used.last}});
    }
    sections.push_back({{"heading", section.heading.empty() ? section.key : section.heading},
                        {"always", false},
                        {"entries", std::move(entries)}});
  }
  return Json{{"packets", usage.packets}, {"sections", std::move(sections)}, {"notices", reply.notices}};
}

}  // namespace

std::vector<ViewEntry> notes_views() {
  using namespace schema;
  return {
      {{"notes", "The project notes, and what the last packets used of them", "", object({}),
        object({{"packets!", any_whole()},
                {"sections!", rows(object({{"heading!", any_text()},
                                           {"always!", any_flag()},
                                           {"entries!", rows(object({{"id!", any_text()},
                                                                     {"title!", any_text()},
                                                                     {"text!", any_text()},
                                                                     {"tokens!", any_whole()},
                                                                     {"full!", any_whole()},
                                                                     {"reduced!", any_whole()},
                                                                     {"left_out!", any_whole()},
                                                                     {"last!", any_text()}}))}}))},
                {"notices!", texts()}})},
       show_notes},
  };
}

}  // namespace knapsack::serve
