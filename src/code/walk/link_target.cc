#include "code/walk/link_target.h"

#include <deque>
#include <vector>

namespace knapsack::code {
namespace {

constexpr int kMaxHops = 40;              // as the kernel
constexpr size_t kMaxLinkSteps = 10'000;  // links can name each other's folders many times over

std::deque<std::string> split(std::string_view path) {
  std::deque<std::string> parts;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) parts.emplace_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

}  // namespace

LinkEnd find_link_end(const Folder& root, const std::string& root_path, const std::string& path) {
  std::deque<std::string> ahead = split(path);
  std::vector<std::unique_ptr<Folder>> inside;  // the folders from the root to where we stand
  int hops = 0;
  for (size_t steps = 0; !ahead.empty(); ++steps) {
    if (steps == kMaxLinkSteps) return LinkEnd::kLoop;
    const std::string name = std::move(ahead.front());
    ahead.pop_front();
    if (name == ".") continue;
    if (name == "..") {
      if (inside.empty()) return LinkEnd::kOutside;
      inside.pop_back();
      continue;
    }
    const Folder& here = inside.empty() ? root : *inside.back();
    const auto about = here.info(name);
    if (!about.ok()) return LinkEnd::kNothing;
    if (about->kind == FileKind::kDirectory) {
      auto below = here.enter(name);
      if (!below.ok()) return LinkEnd::kNothing;
      inside.push_back(std::move(below).value());
      continue;
    }
    if (about->kind != FileKind::kSymlink) {
      if (!ahead.empty()) return LinkEnd::kNothing;
      return about->kind == FileKind::kRegular ? LinkEnd::kFile : LinkEnd::kSpecial;
    }
    if (++hops > kMaxHops) return LinkEnd::kLoop;
    const auto target = here.link_target(name);
    if (!target.ok() || target->empty()) return LinkEnd::kNothing;
    std::string_view rest = *target;
    if (rest.starts_with('/')) {
      const bool ours = !root_path.empty() && rest.starts_with(root_path) &&
                        (rest.size() == root_path.size() || rest[root_path.size()] == '/');
      if (!ours) return LinkEnd::kOutside;
      rest.remove_prefix(root_path.size());
      inside.clear();
    }
    auto parts = split(rest);
    ahead.insert(ahead.begin(), parts.begin(), parts.end());
  }
  return LinkEnd::kFolder;
}

}  // namespace knapsack::code
