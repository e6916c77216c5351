#include "code/imports/repository_files.h"

#include <algorithm>

#include "core/paths.h"

namespace knapsack::code {
namespace {

// Longer endings than any import writes; a tree thousands of folders deep must not cost its square.
constexpr size_t kMaxEndingParts = 12;
// How far the search for the least deep of equally near candidates goes, each way.
constexpr size_t kNearestWindow = 16;

size_t depth_of(std::string_view path) {
  return static_cast<size_t>(std::count(path.begin(), path.end(), '/'));
}

}  // namespace

RepositoryFiles::RepositoryFiles(std::span<const ResolverFile> files) {
  size_t bytes = 0;
  for (const ResolverFile& file : files) {
    bytes += file.path.size() + file.package.size() + file.declares.size();
  }
  text_.reserve(bytes);  // views into it must stay
  const auto keep = [&](std::string_view text) {
    const size_t start = text_.size();
    text_ += text;
    return std::string_view(text_).substr(start);
  };
  files_.reserve(files.size());
  by_path_.reserve(files.size());
  for (const ResolverFile& file : files) {
    const auto number = static_cast<uint32_t>(files_.size());
    const bool has_symbols = file.language != nullptr && file.language->has_symbols();
    files_.push_back({keep(file.path), keep(file.package), has_symbols ? file.language->name : ""});
    const std::string_view path = files_.back().path;
    by_path_.emplace(path, number);
    in_folder_.add(folder_of(path), number);
    any_word(keep(file.declares), [&](std::string_view name) {
      declares_.add(name, number);
      return false;
    });
    if (!file.package.empty()) packages_.add(files_.back().package, number);
    // A header may have no ending at all, or only be there as the template that the build fills in.
    const bool may_be_header = path.ends_with(".in") || base_name(path).find('.') == std::string_view::npos;
    if (!has_symbols && !may_be_header) continue;
    size_t start = path.size();
    for (size_t parts = 0; parts < kMaxEndingParts && start != 0; ++parts) {
      const size_t slash = path.rfind('/', start - 1);
      start = slash == std::string_view::npos ? 0 : slash;
      endings_.add(path.substr(slash == std::string_view::npos ? 0 : slash + 1), number);
    }
  }
  in_folder_.seal();
  endings_.seal();
  packages_.seal();
  declares_.seal();
}

std::optional<uint32_t> RepositoryFiles::find(std::string_view path) const {
  const auto found = by_path_.find(path);
  if (found == by_path_.end()) return std::nullopt;
  return found->second;
}

bool RepositoryFiles::has_folder(std::string_view folder) const {
  if (folder.empty()) return !files_.empty();
  const std::string prefix = std::string(folder) + '/';
  const auto at = std::partition_point(files_.begin(), files_.end(),
                                       [&](const File& file) { return file.path < prefix; });
  return at != files_.end() && at->path.starts_with(prefix);
}

// Paths are in order, so the longest common beginning is with a neighbour of where `from` would stand.
uint32_t RepositoryFiles::nearest(uint32_t from, std::span<const uint32_t> candidates) const {
  const auto middle = std::lower_bound(candidates.begin(), candidates.end(), from);
  const auto at = static_cast<size_t>(middle - candidates.begin());
  const size_t begin = at < kNearestWindow ? 0 : at - kNearestWindow;
  const size_t end = std::min(candidates.size(), at + kNearestWindow);
  uint32_t best = candidates[begin];
  size_t best_shared = 0;
  size_t best_depth = 0;
  for (size_t i = begin; i < end; ++i) {
    const std::string_view candidate = path(candidates[i]);
    const size_t shared = shared_folders(path(from), candidate);
    const size_t depth = depth_of(candidate);
    if (i == begin || shared > best_shared || (shared == best_shared && depth < best_depth)) {
      best = candidates[i];
      best_shared = shared;
      best_depth = depth;
    }
  }
  return best;
}

std::vector<uint32_t> RepositoryFiles::nearest_several(uint32_t from, std::span<const uint32_t> candidates,
                                                       size_t limit) const {
  if (candidates.size() > limit) {
    const auto middle = std::lower_bound(candidates.begin(), candidates.end(), from);
    const auto at = static_cast<size_t>(middle - candidates.begin());
    const size_t begin = std::min(at < limit / 2 ? 0 : at - limit / 2, candidates.size() - limit);
    candidates = candidates.subspan(begin, limit);
  }
  std::vector<uint32_t> several(candidates.begin(), candidates.end());
  return several;
}

}  // namespace knapsack::code
