#include "code/walk/tree_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "code/walk/ignore.h"
#include "code/walk/link_target.h"

namespace knapsack::code {
namespace {

// A hundred thousand rules take two megabytes or so.
constexpr uint64_t kMaxIgnoreFile = 16 << 20;

struct WalkLevel {
  const Folder* folder = nullptr;
  std::unique_ptr<Folder> held;  // all but the root's
  std::vector<FolderEntry> entries;
  size_t next = 0;
  size_t path_length = 0;  // of the folder's path with its trailing slash
  bool in_submodule = false;
  bool ignored = false;  // only what is tracked counts here
};

// A folder sorts as if its name ended in a slash, which makes the whole walk sorted by path.
bool before_in_path_order(const FolderEntry& a, const FolderEntry& b) {
  const size_t common = std::min(a.name.size(), b.name.size());
  if (const int order = a.name.compare(0, common, b.name, 0, common); order != 0) return order < 0;
  const auto next = [common](const FolderEntry& entry) -> int {
    if (entry.name.size() > common) return static_cast<unsigned char>(entry.name[common]);
    return entry.info.kind == FileKind::kDirectory ? '/' : -1;
  };
  return next(a) < next(b);
}

SkipReason reason_for(LinkEnd end) {
  switch (end) {
    case LinkEnd::kFolder:
      return SkipReason::kLinkToFolder;
    case LinkEnd::kOutside:
      return SkipReason::kLinkOutside;
    case LinkEnd::kLoop:
      return SkipReason::kLinkLoop;
    case LinkEnd::kNothing:
      return SkipReason::kLinkDangling;
    case LinkEnd::kSpecial:
    case LinkEnd::kFile:
      break;
  }
  return SkipReason::kSpecial;
}

class Walker {
 public:
  Walker(const Folder& root, const WalkOptions& options, const std::function<void(const TreeEntry&)>& visit)
      : root_(root), options_(options), visit_(visit), rules_(base_rules(options)) {}

  Result<WalkSummary> run() {
    WalkLevel top;
    top.folder = &root_;
    KNAPSACK_TRY(top.entries, root_.entries(options_.max_entries));
    levels_.reserve(options_.max_depth);  // a level keeps its place while the one below is made
    push("", std::move(top));
    while (!levels_.empty()) {
      WalkLevel& level = levels_.back();
      if (level.next == level.entries.size()) {
        levels_.pop_back();
        rules_.leave();
        continue;
      }
      if (++seen_ > options_.max_entries) return too_many();
      KNAPSACK_CHECK(take(level, level.entries[level.next++]));
    }
    return std::move(summary_);
  }

 private:
  static std::vector<std::shared_ptr<const IgnoreRules>> base_rules(const WalkOptions& options) {
    std::vector<std::shared_ptr<const IgnoreRules>> rules;
    if (options.built_in_rules) rules.push_back(std::make_shared<IgnoreRules>(built_in_ignore_rules()));
    if (!options.exclude_rules.empty()) rules.push_back(std::make_shared<IgnoreRules>(options.exclude_rules));
    return rules;
  }

  Error too_many() const {
    return {ErrorCode::kLimit, fmt::format("the work tree holds more than {} entries", options_.max_entries),
            "ignore what is not source, or choose a smaller workspace"};
  }

  void skip(SkipReason reason, std::string detail = "") {
    ++summary_.skipped_count;
    if (summary_.skipped.size() < WalkSummary::kMaxSkipped) {
      summary_.skipped.push_back({path_, reason, std::move(detail)});
    }
  }

  bool is_tracked(const std::string& path) const {
    return options_.tracked != nullptr && options_.tracked->contains(path);
  }

  // Returns an error only when the walk cannot go on at all.
  Status take(const WalkLevel& level, const FolderEntry& entry) {
    if (entry.name == ".git" || entry.name == ".knapsack") return ok_status();
    path_.resize(level.path_length);
    path_ += entry.name;
    if (entry.info.kind == FileKind::kDirectory) return enter(level, entry.name);
    if (!is_tracked(path_) && (level.ignored || rules_.is_ignored(entry.name, false))) {
      ++summary_.ignored_files;
      return ok_status();
    }
    if (entry.info.kind == FileKind::kOther) {
      skip(SkipReason::kSpecial);
      return ok_status();
    }
    if (entry.info.kind == FileKind::kSymlink) {
      const LinkEnd end = find_link_end(root_, options_.root_path, path_);
      if (end != LinkEnd::kFile) {
        skip(reason_for(end));
        return ok_status();
      }
    }
    ++summary_.files;
    visit_({path_, entry.info});
    return ok_status();
  }

  Status enter(const WalkLevel& level, const std::string& name) {
    const bool is_submodule = options_.tracked != nullptr && options_.tracked->has_submodule(path_);
    const bool holds_tracked = options_.tracked != nullptr && options_.tracked->any_below(path_);
    const bool ignored = level.ignored || rules_.is_ignored(name, true);
    if (ignored && !holds_tracked) {
      ++summary_.ignored_folders;
      return ok_status();
    }
    if (levels_.size() == options_.max_depth) {
      skip(SkipReason::kTooDeep);
      return ok_status();
    }
    auto below = level.folder->enter(name);
    if (!below.ok()) {
      skip(SkipReason::kUnreadable, below.error().line());
      return ok_status();
    }
    WalkLevel next;
    next.held = std::move(below).value();
    next.folder = next.held.get();
    next.ignored = ignored;
    auto entries = next.folder->entries(options_.max_entries - std::min(options_.max_entries, seen_));
    if (!entries.ok()) {
      if (entries.error().code == ErrorCode::kLimit) return too_many();
      skip(SkipReason::kUnreadable, entries.error().line());
      return ok_status();
    }
    next.entries = std::move(entries).value();
    // A submodule that is checked out is read like any folder; its own submodules are marked by a file.
    const FolderEntry* git = find(next, ".git");
    next.in_submodule = level.in_submodule || is_submodule;
    if (is_submodule && git == nullptr) {
      skip(SkipReason::kSubmodule);
      return ok_status();
    }
    const bool is_part =
        is_submodule || (level.in_submodule && git != nullptr && git->info.kind == FileKind::kRegular);
    if (!is_part && !holds_tracked && is_repository(next)) {
      skip(SkipReason::kNestedRepository);
      return ok_status();
    }
    push(name, std::move(next));
    return ok_status();
  }

  void push(const std::string& name, WalkLevel level) {
    std::sort(level.entries.begin(), level.entries.end(), before_in_path_order);
    if (!name.empty()) path_ += '/';
    level.path_length = path_.size();
    rules_.enter(name, rules_of(level));
    ++summary_.folders;
    levels_.push_back(std::move(level));
  }

  std::shared_ptr<const IgnoreRules> rules_of(const WalkLevel& level) {
    if (level.ignored) return nullptr;
    const FolderEntry* file = find(level, ".gitignore");
    if (file == nullptr || file->info.kind != FileKind::kRegular) return nullptr;
    const auto bytes = level.folder->read(file->name, kMaxIgnoreFile);
    if (bytes.ok()) return std::make_shared<IgnoreRules>(*bytes);
    summary_.notes.push_back(bytes.error().line() + "; its rules are not applied");
    return nullptr;
  }

  static const FolderEntry* find(const WalkLevel& level, std::string_view name) {
    const auto found = std::find_if(level.entries.begin(), level.entries.end(),
                                    [name](const FolderEntry& entry) { return entry.name == name; });
    return found == level.entries.end() ? nullptr : &*found;
  }

  // As git tells a repository from a folder that happens to be called .git.
  static bool is_repository(const WalkLevel& level) {
    const FolderEntry* git = find(level, ".git");
    if (git == nullptr) return false;
    if (git->info.kind == FileKind::kRegular) {
      const auto bytes = level.folder->read(git->name, 64 << 10);
      return bytes.ok() && bytes->starts_with("gitdir: ");
    }
    const auto folder = level.folder->enter(git->name);
    if (!folder.ok()) return false;
    return (*folder)->info("HEAD").ok() && (*folder)->info("objects").ok() && (*folder)->info("refs").ok();
  }

  const Folder& root_;
  const WalkOptions& options_;
  const std::function<void(const TreeEntry&)>& visit_;
  IgnoreStack rules_;
  std::vector<WalkLevel> levels_;
  std::string path_;
  uint64_t seen_ = 0;
  WalkSummary summary_;
};

}  // namespace

std::string_view describe(SkipReason reason) {
  switch (reason) {
    case SkipReason::kLinkOutside:
      return "a link that leads out of the workspace";
    case SkipReason::kLinkLoop:
      return "a link that never arrives";
    case SkipReason::kLinkDangling:
      return "a link to nothing";
    case SkipReason::kLinkToFolder:
      return "a link to a folder";
    case SkipReason::kSpecial:
      return "a FIFO, socket or device";
    case SkipReason::kTooDeep:
      return "too deep";
    case SkipReason::kNestedRepository:
      return "a repository of its own";
    case SkipReason::kSubmodule:
      return "a submodule that is not checked out; `git submodule update --init` does that";
    case SkipReason::kUnreadable:
      break;
  }
  return "unreadable";
}

Result<WalkSummary> walk_work_tree(const Folder& root, const WalkOptions& options,
                                   const std::function<void(const TreeEntry&)>& visit) {
  return Walker(root, options, visit).run();
}

Result<WalkSummary> walk_workspace(const Folder& root, const std::string& root_path,
                                   const GitRepository* repository,
                                   const std::function<void(const TreeEntry&)>& visit) {
  WalkOptions options;
  options.root_path = root_path;
  options.built_in_rules = repository == nullptr;
  TrackedFiles tracked;
  std::vector<std::string> notes;
  if (repository != nullptr) {
    std::string note;
    KNAPSACK_TRY(tracked, repository->tracked_files(&note));
    if (!note.empty()) notes.push_back(std::move(note));
    options.tracked = &tracked;
    if (auto exclude = repository->info_exclude(); exclude.ok()) {
      options.exclude_rules = std::move(exclude).value();
    } else {
      notes.push_back(exclude.error().line() + "; its rules are not applied");
    }
  }
  KNAPSACK_TRY(auto summary, walk_work_tree(root, options, visit));
  summary.notes.insert(summary.notes.begin(), notes.begin(), notes.end());
  return summary;
}

}  // namespace knapsack::code
