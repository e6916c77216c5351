#include "notes/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/ids.h"
#include "notes/relevance.h"

namespace knapsack::notes {
namespace {

constexpr size_t kConventionTitleCharacters = 100;

// Two notes may carry the same title; the second becomes "…~2", the third "…~3".
class IdMaker {
 public:
  std::string make(const std::string& id) {
    std::string unique = id;
    // Where it went on last time: a file may say the same a million times.
    size_t& n = next_.try_emplace(id, 2).first->second;
    while (!taken_.insert(unique).second) unique = fmt::format("{}~{}", id, n++);
    return unique;
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, size_t> next_;
};

// A poorer form that is no shorter than the fuller one would be a pretence.
void add_title_form(Candidate& candidate, std::string title) {
  if (title.size() < candidate.forms.front().text.size()) {
    candidate.forms.push_back({FormKind::kTitle, std::move(title)});
  }
}

PacketItem item_of(Candidate candidate) {
  PacketItem item;
  item.candidate = std::move(candidate);
  return item;
}

std::string place_of(const std::string& file, size_t line) {
  return fmt::format("{}:{}", file, line);
}

Candidate entry_candidate(const FiledEntry& filed, const EntryScore& scored, const std::string& kind,
                          IdMaker& ids) {
  const Entry& entry = filed.entry;
  Candidate candidate;
  candidate.id =
      ids.make(entry.stamp.empty() ? fmt::format("{}:{}", kind, slug(entry.title))
                                   : fmt::format("{}:{}:{}", kind, entry.stamp, slug(entry.title)));
  candidate.source = Source::kNotes;
  candidate.kind = kind;
  candidate.title = entry.title;
  candidate.when = entry.date;
  const std::string head =
      entry.stamp.empty() ? entry.title : fmt::format("[{}] {}", entry.stamp, entry.title);
  candidate.forms.push_back({FormKind::kFull, entry.body.empty() ? head : head + "\n\n" + entry.body});
  const std::string day = entry.stamp.substr(0, 10);
  add_title_form(candidate, day.empty() ? entry.title : fmt::format("[{}] {}", day, entry.title));
  candidate.score = scored.score;
  candidate.bearing = scored.relevance;
  candidate.provenance.push_back(place_of(filed.file, entry.line));
  if (!scored.matched.empty())
    candidate.provenance.push_back(fmt::format("matches {}", fmt::join(scored.matched, ", ")));
  if (entry.superseded) candidate.dropped = "superseded";
  return candidate;
}

PacketSection entry_section(SectionKind kind, const std::string& key, const std::string& heading) {
  PacketSection section;
  section.kind = kind;
  section.key = key;
  section.heading = heading;
  section.style = ItemStyle::kEntry;
  section.tier = 4;  // decisions and learnings share what is left, in proportion to their sizes
  section.rich_share = kFullShare;
  section.notes_reduced = true;
  return section;
}

}  // namespace

PacketSection tasks_section(const NotesFolder& folder, const SectionShares& shares) {
  PacketSection section;
  section.kind = SectionKind::kTasks;
  section.key = "tasks";
  section.heading = "Current Tasks";
  section.style = ItemStyle::kTask;
  section.tier = 2;
  section.cap = shares.tasks;
  section.rich_share = kFullShare;
  section.notes_reduced = true;
  // A task without a date is as new as the dated one above it, and newer than its neighbours above.
  std::vector<std::pair<int64_t, size_t>> age;
  int64_t latest = INT64_MIN;
  for (size_t i = 0; i < folder.tasks.size(); ++i) {
    if (folder.tasks[i].added) latest = folder.tasks[i].added->micros;
    age.emplace_back(latest, i);
  }
  std::sort(age.rbegin(), age.rend());
  IdMaker ids;
  std::vector<std::string> names;
  for (const Task& task : folder.tasks) {
    const std::string stamp = task.stamp.empty() ? "" : task.stamp + ":";
    names.push_back(ids.make(fmt::format("task:{}{}", stamp, slug(task.title))));
  }
  section.display_order.resize(age.size());
  for (const auto& [unused, index] : age) {
    const Task& task = folder.tasks[index];
    Candidate candidate;
    candidate.id = names[index];
    candidate.kind = "task";
    candidate.title = task.title;
    candidate.when = task.added;
    candidate.forms.push_back({FormKind::kFull, task.text});
    add_title_form(candidate, task.title);
    candidate.provenance.push_back(place_of(task.file, task.line));
    if (task.in_progress) candidate.provenance.emplace_back("in progress");
    section.display_order[index] = section.items.size();
    section.items.push_back(item_of(std::move(candidate)));
  }
  return section;
}

PacketSection conventions_section(const NotesFolder& folder, const SectionShares& shares) {
  PacketSection section;
  section.kind = SectionKind::kConventions;
  section.key = "conventions";
  section.heading = "Key Conventions";
  section.tier = 3;
  section.cap = shares.conventions;
  section.rich_share = kFullShare;
  section.notes_reduced = true;
  IdMaker ids;
  for (const Convention& convention : folder.conventions) {
    Candidate candidate;
    candidate.title = shorten(convention.text, kConventionTitleCharacters);
    candidate.id = ids.make(fmt::format("convention:{}", slug(candidate.title)));
    candidate.kind = "convention";
    candidate.forms.push_back({FormKind::kFull, convention.text});
    add_title_form(candidate, candidate.title);
    candidate.provenance.push_back(place_of(convention.file, convention.line));
    section.items.push_back(item_of(std::move(candidate)));
  }
  return section;
}

EntrySections entry_sections(const NotesFolder& folder, const std::vector<std::string>& keywords,
                             Timestamp now) {
  std::vector<const FiledEntry*> entries;
  for (const auto& each : folder.decisions) entries.push_back(&each);
  for (const auto& each : folder.learnings) entries.push_back(&each);
  const auto scores = score_entries(entries, keywords, now);
  EntrySections sections{entry_section(SectionKind::kDecisions, "decisions", "Recent Decisions"),
                         entry_section(SectionKind::kLearnings, "learnings", "Recent Learnings")};
  IdMaker ids;
  for (const size_t i : rank_entries(entries, scores)) {
    const bool decision = i < folder.decisions.size();
    auto candidate = entry_candidate(*entries[i], scores[i], decision ? "decision" : "learning", ids);
    (decision ? sections.decisions : sections.learnings).items.push_back(item_of(std::move(candidate)));
  }
  return sections;
}

}  // namespace knapsack::notes
