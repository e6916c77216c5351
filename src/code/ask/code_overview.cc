#include <algorithm>

#include "code/ask/code_views.h"
#include "code/walk/file_class.h"

namespace knapsack::code {
namespace {

constexpr uint32_t kMinCoChanges = 2;
constexpr size_t kRecentCommits = 10;
constexpr size_t kDescribedFiles = 10;

CommitLine commit_line(const Commit& commit) {
  return {commit.id, commit.commit_time, commit.author, commit.subject, ""};
}

std::vector<CountedFile> ranked(const std::map<std::string, uint64_t>& counts) {
  std::vector<CountedFile> files;
  for (const auto& [path, count] : counts) files.push_back({path, count});
  std::stable_sort(files.begin(), files.end(),
                   [](const CountedFile& a, const CountedFile& b) { return a.count > b.count; });
  return files;
}

std::string first_folder(const std::string& path) {
  const size_t slash = path.find('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

Status add_files(CodeIndex& index, OverviewView& view) {
  std::map<std::string, LanguageLine> languages;
  std::map<std::string, FolderLine> folders;
  for (uint32_t file = 0; file < index.files().size(); ++file) {
    const FileRow& row = index.file(file);
    ++view.files;
    KNAPSACK_TRY(const BlobRow* blob, index.blob(file));
    if (blob == nullptr) {
      ++view.listed[row.file_class];
      continue;
    }
    ++view.sources;
    view.test_files += is_test_path(row.name) ? 1 : 0;
    LanguageLine& language = languages[row.language];
    language.language = row.language;
    ++language.files;
    language.lines += blob->lines;
    language.bytes += blob->bytes;
    language.tokens += blob->tokens.o200k;
    FolderLine& folder = folders[first_folder(row.name)];
    folder.path = first_folder(row.name);
    ++folder.files;
    folder.lines += blob->lines;
  }
  for (auto& [name, line] : languages) view.languages.push_back(line);
  for (auto& [name, line] : folders) view.folders.push_back(line);
  const auto by_lines = [](const auto& a, const auto& b) { return a.lines > b.lines; };
  std::stable_sort(view.languages.begin(), view.languages.end(), by_lines);
  std::stable_sort(view.folders.begin(), view.folders.end(), by_lines);
  return ok_status();
}

Status add_descriptions(CodeIndex& index, const std::map<std::string, uint64_t>& importers,
                        OverviewView& view) {
  KNAPSACK_TRY(const size_t described, index.files_with_metadata());
  if (described == 0) return ok_status();
  std::map<std::string, uint64_t> domains;
  std::vector<std::pair<uint64_t, DescribedFile>> files;
  for (uint32_t file = 0; file < index.files().size(); ++file) {
    KNAPSACK_TRY(const FileMetadata* said, index.file_metadata(file));
    if (said == nullptr) continue;
    ++view.described_files;
    if (!said->domain.empty()) ++domains[said->domain];
    const std::string& path = index.file(file).name;
    const auto used = importers.find(path);
    files.push_back(
        {used == importers.end() ? 0 : used->second, {path, said->purpose, said->domain, said->public_api}});
  }
  view.domains.assign(domains.begin(), domains.end());
  std::stable_sort(view.domains.begin(), view.domains.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::stable_sort(files.begin(), files.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (size_t i = 0; i < std::min(files.size(), kDescribedFiles); ++i)
    view.described.push_back(std::move(files[i].second));
  return ok_status();
}

Status add_history(CodeIndex& index, OverviewView& view) {
  KNAPSACK_TRY(const auto numbers, commit_numbers(index));
  KNAPSACK_TRY(const auto commits, index.rows().commits(numbers, true));
  std::map<std::string, uint64_t> changes;
  for (const CommitRow& row : commits) {
    if (view.recent.size() < kRecentCommits) view.recent.push_back(commit_line(row.commit));
    if (row.commit.is_merge) continue;
    for (const FileChange& change : row.commit.files) {
      if (index.find_file(change.path)) ++changes[change.path];
    }
  }
  view.most_changed = ranked(changes);
  return ok_status();
}

}  // namespace

Result<std::vector<CoChangeLine>> co_change_lines(CodeIndex& index, uint32_t file) {
  KNAPSACK_TRY(const CoChangeTable* table, index.co_changes());
  std::vector<CoChangeLine> lines;
  for (const CoChangeNeighbour& near : table->neighbours(index.file(file).name, kMinCoChanges)) {
    lines.push_back({std::string(near.path), near.count,
                     static_cast<double>(near.weight) / static_cast<double>(kCoChangeUnit)});
  }
  return lines;
}

Result<HistoryView> view_history(CodeIndex& index, uint32_t file) {
  HistoryView view;
  view.path = index.file(file).name;
  KNAPSACK_TRY(const auto numbers, commit_numbers(index));
  view.searched = numbers.size();
  KNAPSACK_TRY(const auto commits, index.rows().commits(numbers, true));
  std::string name = view.path;  // what it is called at this point of the history
  for (const CommitRow& row : commits) {
    for (const FileChange& change : row.commit.files) {
      if (change.path != name) continue;
      if (!row.commit.is_merge) {
        CommitLine& line = view.commits.emplace_back(commit_line(row.commit));
        if (name != view.path) line.path = name;
      }
      if (change.kind == FileChangeKind::kRenamed && !row.commit.is_merge) name = change.old_path;
      break;
    }
  }
  KNAPSACK_TRY(view.co_changes, co_change_lines(index, file));
  return view;
}

Result<OverviewView> view_overview(CodeIndex& index) {
  OverviewView view;
  view.snapshot = index.snapshot();
  KNAPSACK_CHECK(add_files(index, view));
  std::map<std::string, uint64_t> importers;
  for (uint32_t file = 0; file < index.files().size(); ++file) {
    KNAPSACK_TRY(const auto links, index.importers_of(file));
    if (!links.empty()) importers[index.file(file).name] = links.size();
  }
  view.most_imported = ranked(importers);
  KNAPSACK_CHECK(add_descriptions(index, importers, view));
  KNAPSACK_CHECK(add_history(index, view));
  return view;
}

}  // namespace knapsack::code
