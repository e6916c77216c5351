// What `doctor` says of notes that have grown, repeat or contradict each other, or speak of files that are gone.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/ascii.h"
#include "core/paths.h"
#include "engine/clients/doctor.h"
#include "memory/recall/supersession.h"
#include "memory/tree/infer.h"
#include "memory/tree/write_memory.h"

namespace knapsack {
namespace {

// Past this a page costs more than it tells: some 8,000 tokens.
constexpr uint64_t kLargePageBytes = uint64_t{32} << 10U;
constexpr size_t kMaxNudges = 5;  // of one kind

struct NoteText {
  std::string where, text;
  std::optional<Timestamp> date;
};

std::vector<NoteText> texts_of(const notes::NotesFolder& folder) {
  std::vector<NoteText> texts;
  for (const notes::Convention& each : folder.conventions)
    texts.push_back({fmt::format("{} line {}", each.file, each.line), each.text, std::nullopt});
  for (const auto* list : {&folder.decisions, &folder.learnings}) {
    for (const notes::FiledEntry& each : *list) {
      if (!each.entry.superseded)
        texts.push_back(
            {fmt::format("{} line {}", each.file, each.entry.line), each.entry.title, each.entry.date});
    }
  }
  return texts;
}

// Paths between backticks: with a slash, and an ending.
std::set<std::string> named_files(std::string_view text) {
  std::set<std::string> files;
  for (size_t at = text.find('`'); at != std::string_view::npos;) {
    const size_t end = text.find('`', at + 1);
    if (end == std::string_view::npos) break;
    const std::string_view name = text.substr(at + 1, end - at - 1);
    const size_t slash = name.rfind('/'), dot = name.rfind('.');
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
      return ascii::is_identifier(c) || c == '/' || c == '.' || c == '-';
    });
    const bool path = plain && slash != std::string_view::npos && slash > 0 &&
                      dot != std::string_view::npos && dot > slash + 1 && dot + 1 < name.size() &&
                      !name.starts_with('/') && name.find("..") == std::string_view::npos;
    if (path) files.emplace(name);
    at = text.find('`', end + 1);
  }
  return files;
}

void tell(Findings& findings, const std::vector<std::string>& lines, const std::string& what,
          const std::string& fix) {
  if (lines.empty()) return;
  const size_t shown = std::min(lines.size(), kMaxNudges);
  std::string text = fmt::format(
      "{}: {}", what, fmt::join(lines.begin(), lines.begin() + static_cast<ptrdiff_t>(shown), "; "));
  if (lines.size() > shown) text += fmt::format("; … and {} more", lines.size() - shown);
  findings.add("notes", Health::kNote, std::move(text), fix);
}

}  // namespace

void nudge_notes(Engine::State& state, const notes::FolderRequest& request, const notes::NotesFolder& folder,
                 Findings& findings) {
  std::vector<std::string> large, repeated, contradicting, gone;
  for (const std::string& page : folder.read_order) {
    const auto info = state.files->info(join_path(request.path, base_name(page)));
    if (info.ok() && info->size > kLargePageBytes)
      large.push_back(fmt::format("{} has {} kB", page, info->size >> 10U));
  }
  const std::vector<NoteText> texts = texts_of(folder);
  std::map<std::string, std::string> known;
  std::vector<memory::Memory> claims;
  for (const NoteText& each : texts) {
    const auto [first, is_new] = known.try_emplace(memory::normalised_hash(each.text), each.where);
    if (!is_new) repeated.push_back(fmt::format("{} says what {} says", each.where, first->second));
    memory::Memory claim;
    claim.id = each.where;
    claim.text = each.text;
    claim.created = each.date;
    claim.category = memory::infer_category(each.text);
    for (const memory::Contradiction& found : memory::find_contradicted(claim, claims))
      contradicting.push_back(fmt::format("{} and {} ({})", found.memory->id, each.where, found.because));
    claims.push_back(std::move(claim));
  }
  for (const notes::FiledEntry& each : folder.decisions) {
    if (each.entry.superseded) continue;
    for (const std::string& file : named_files(each.entry.title + "\n" + each.entry.body)) {
      const auto info = state.files->info(join_path(state.workspace.path, file));
      if (!info.ok() && info.error().code == ErrorCode::kNotFound)
        gone.push_back(fmt::format("{} line {} speaks of {}", each.file, each.entry.line, file));
    }
  }
  tell(findings, large, "large pages",
       "`knapsack note archive` moves finished entries; split the rest into decisions/ or learnings/");
  tell(findings, repeated, "said twice", "keep one of them");
  tell(findings, contradicting, "contradict each other",
       "mark the older one as superseded, or say what differs");
  tell(findings, gone, "decisions about files that are gone",
       "say what became of them, or mark the decision as superseded");
}

}  // namespace knapsack
