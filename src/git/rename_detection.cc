#include "git/rename_detection.h"

#include <git2/sys/hashsig.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "core/paths.h"

namespace knapsack {
namespace {

constexpr int kAlike = 50;  // percent
constexpr uint32_t kRenameTypeMask = 0170000, kRegular = 0100000;
using Signature = std::unique_ptr<git_hashsig, GitRelease<git_hashsig_free>>;

struct Side {
  Side(const TreeChange& the_change, const git_oid& the_id) : change(&the_change), id(&the_id) {}
  const TreeChange* change;
  const git_oid* id;
  bool taken = false;
  std::optional<uint64_t> size;  // loaded with the signature
  Signature signature;
};

// A size and a signature for a blob; neither for one that is too large or cannot be read.
void load(const GitObjects& objects, Side& side, uint64_t max_bytes) {
  const auto blob = objects.read_blob(*side.id, max_bytes);
  if (!blob.ok()) return;
  side.size = git_odb_object_size(blob->get());
  git_hashsig* signature = nullptr;
  const auto* data = static_cast<const char*>(git_odb_object_data(blob->get()));
  const auto options =
      static_cast<git_hashsig_option_t>(GIT_HASHSIG_SMART_WHITESPACE | GIT_HASHSIG_ALLOW_SMALL_FILES);
  if (*side.size > 0 && git_hashsig_create(&signature, data, *side.size, options) == 0) {
    side.signature.reset(signature);
  } else {
    git_error_clear();
  }
}

class Matcher {
 public:
  Matcher(const GitObjects& objects, const std::vector<TreeChange>& changes) : objects_(objects) {
    for (const auto& change : changes) {
      if (change.kind == TreeChange::kDeleted && (change.old_mode & kRenameTypeMask) == kRegular) {
        deleted_.emplace_back(change, change.old_id);
      }
      if (change.kind == TreeChange::kAdded && (change.new_mode & kRenameTypeMask) == kRegular) {
        added_.emplace_back(change, change.new_id);
      }
    }
  }

  // Added path → deleted path.
  std::map<std::string_view, std::string_view> match(const RenameLimits& limits) {
    match_identical();
    const auto free = [](const Side& side) { return !side.taken; };
    const auto pairs = static_cast<size_t>(std::count_if(added_.begin(), added_.end(), free) *
                                           std::count_if(deleted_.begin(), deleted_.end(), free));
    if (pairs > 0 && pairs <= limits.max_pairs) match_alike(limits);
    return std::move(renames_);
  }

 private:
  void take(Side& before, Side& after) {
    before.taken = after.taken = true;
    renames_[after.change->path] = before.change->path;
  }

  void match_identical() {
    std::multimap<std::string_view, Side*> by_id;
    const auto key = [](const Side& side) {
      return std::string_view(reinterpret_cast<const char*>(side.id->id), GIT_OID_RAWSZ);
    };
    git_oid empty;
    git_oid_fromstr(&empty, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
    for (auto& side : deleted_) by_id.emplace(key(side), &side);
    for (const bool same_name : {true, false}) {
      for (auto& after : added_) {
        if (after.taken || git_oid_equal(after.id, &empty)) continue;
        const auto [first, last] = by_id.equal_range(key(after));
        for (auto it = first; it != last; ++it) {
          Side& before = *it->second;
          if (before.taken) continue;
          if (same_name && base_name(before.change->path) != base_name(after.change->path)) continue;
          take(before, after);
          break;
        }
      }
    }
  }

  void match_alike(const RenameLimits& limits) {
    for (auto* sides : {&deleted_, &added_}) {
      for (auto& side : *sides) {
        if (!side.taken) load(objects_, side, limits.max_blob_bytes);
      }
    }
    // (likeness, same name) falling, then the paths rising.
    std::vector<std::tuple<int, bool, size_t, size_t>> scored;
    for (size_t a = 0; a < added_.size(); ++a) {
      for (size_t d = 0; d < deleted_.size(); ++d) {
        const Side &after = added_[a], &before = deleted_[d];
        if (after.taken || before.taken || !after.signature || !before.signature) continue;
        // Files whose sizes differ by more than half cannot be half alike.
        if (2 * std::min(*after.size, *before.size) < std::max(*after.size, *before.size)) continue;
        const int alike = git_hashsig_compare(before.signature.get(), after.signature.get());
        if (alike < kAlike) continue;
        scored.emplace_back(-alike, base_name(after.change->path) != base_name(before.change->path), a, d);
      }
    }
    std::sort(scored.begin(), scored.end());
    for (const auto& [alike, other_name, a, d] : scored) {
      if (!added_[a].taken && !deleted_[d].taken) take(deleted_[d], added_[a]);
    }
  }

  const GitObjects& objects_;
  std::vector<Side> deleted_, added_;
  std::map<std::string_view, std::string_view> renames_;
};

}  // namespace

std::vector<FileChange> follow_renames(const GitObjects& objects, const std::vector<TreeChange>& changes,
                                       const RenameLimits& limits) {
  std::map<std::string_view, std::string_view> renames;
  if (limits.enabled) renames = Matcher(objects, changes).match(limits);
  std::vector<std::string_view> moved;
  moved.reserve(renames.size());
  for (const auto& [path, old_path] : renames) moved.push_back(old_path);
  std::sort(moved.begin(), moved.end());
  std::vector<FileChange> files;
  for (const auto& change : changes) {
    if (const auto renamed = renames.find(change.path); renamed != renames.end()) {
      files.push_back({change.path, std::string(renamed->second), FileChangeKind::kRenamed});
    } else if (change.kind == TreeChange::kDeleted) {
      if (std::binary_search(moved.begin(), moved.end(), change.path)) continue;
      files.push_back({change.path, "", FileChangeKind::kDeleted});
    } else {
      files.push_back(
          {change.path, "",
           change.kind == TreeChange::kAdded ? FileChangeKind::kAdded : FileChangeKind::kModified});
    }
  }
  return files;
}

}  // namespace knapsack
