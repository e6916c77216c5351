#include "code/ask/change_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "code/walk/clean_source.h"
#include "code/walk/source_list.h"
#include "git/line_diff.h"

namespace knapsack::code {
namespace {

constexpr uint64_t kMaxDiffedBytes = uint64_t{8} << 20;

using Tree = std::map<std::string, std::string, std::less<>>;  // path → the blob's id

class Comparison {
 public:
  Comparison(CodeIndex& index, FileTexts& texts, const GitRepository& repository)
      : index_(index), texts_(texts), repository_(repository) {}

  Result<ChangeSet> run(const ChangeQuestion& question) {
    KNAPSACK_TRY(set_.against, commit(question.revision));
    KNAPSACK_CHECK(repository_.list_tree(set_.against, [&](const TreeItem& item) {
      if (item.kind == TreeItemKind::kSubmodule) {
        submodules_.push_back(fmt::format("{}/", item.path));
      } else {
        before_.emplace(item.path, item.id);
      }
      return true;
    }));
    if (question.staged) KNAPSACK_CHECK(keep_staged());
    for (uint32_t file = 0; file < index_.files().size(); ++file) KNAPSACK_CHECK(compare(file));
    for (const auto& [path, id] : before_) {
      const bool gone = !seen_.contains(path) && !(question.exists && question.exists(path));
      if (gone && is_asked(path)) set_.files.push_back({path, ChangeKind::kRemoved, {}});
    }
    std::sort(set_.files.begin(), set_.files.end(),
              [](const ChangedFile& a, const ChangedFile& b) { return a.path < b.path; });
    return std::move(set_);
  }

 private:
  Result<std::string> commit(const std::string& revision) const {
    if (!revision.empty()) return repository_.resolve(revision);
    KNAPSACK_TRY(const auto head, repository_.head());
    if (!head) {
      return Error{ErrorCode::kUsage, "there is no commit to compare the work tree with",
                   "commit once, or pack without `diff`"};
    }
    return *head;
  }

  // What is staged is what the next commit changes; lines are those of the work tree all the same.
  Status keep_staged() {
    KNAPSACK_TRY(const auto entries, repository_.staged_files());
    staged_.emplace();
    std::set<std::string> present;
    for (const IndexEntry& entry : entries) {
      if (entry.is_submodule) continue;
      present.insert(entry.path);
      const auto old = before_.find(entry.path);
      if (old == before_.end() || old->second != entry.id) staged_->emplace(entry.path, entry.id);
    }
    for (const auto& [path, id] : before_)
      if (!present.contains(path)) staged_->emplace(path, "");
    return ok_status();
  }

  // Its files are of another repository.
  bool is_in_submodule(const std::string& path) const {
    return std::any_of(submodules_.begin(), submodules_.end(),
                       [&](const std::string& folder) { return path.starts_with(folder); });
  }

  bool is_asked(const std::string& path) const { return !staged_ || staged_->contains(path); }

  Status compare(uint32_t number) {
    const FileRow& file = index_.file(number);
    seen_.insert(file.name);
    if (!is_asked(file.name) || is_in_submodule(file.name)) return ok_status();
    const auto old = before_.find(file.name);
    const std::string id = file.hash.empty() ? "" : hash_to_hex(file.hash);
    if (old != before_.end() && (id.empty() || old->second == id)) return ok_status();
    if (staged_ && !id.empty() && staged_->at(file.name) != id)
      set_.notes.push_back(fmt::format("{} has changes that are not staged: they count too", file.name));
    ChangedFile changed{file.name, old == before_.end() ? ChangeKind::kAdded : ChangeKind::kChanged, {}};
    const auto text = texts_.read(number);
    if (!text.ok()) {
      set_.files.push_back(std::move(changed));
      return ok_status();
    }
    std::string before;
    if (old != before_.end()) {
      auto read = repository_.read_blob(old->second, kMaxDiffedBytes);
      if (read.ok()) before = *std::move(read);
      clean_source(before, file.language);  // as the other side is
    }
    KNAPSACK_TRY(changed.lines, changed_lines(**text, before));
    set_.files.push_back(std::move(changed));
    return ok_status();
  }

  CodeIndex& index_;
  FileTexts& texts_;
  const GitRepository& repository_;
  ChangeSet set_;
  Tree before_;
  std::vector<std::string> submodules_;  // of the commit, with a slash behind
  std::optional<Tree> staged_;  // what the index holds otherwise than the commit; "" for what it removed
  std::set<std::string> seen_;
};

}  // namespace

Result<ChangeSet> changes_since(CodeIndex& index, FileTexts& texts, const GitRepository& repository,
                                const ChangeQuestion& question) {
  return Comparison(index, texts, repository).run(question);
}

}  // namespace knapsack::code
