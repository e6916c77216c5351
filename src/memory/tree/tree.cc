#include "memory/tree/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "core/ascii.h"
#include "core/escape.h"
#include "core/in_parts.h"

namespace knapsack::memory {
namespace {

constexpr size_t kMaxNamespaceBytes = 64;

// Some keep the default namespace in a folder of its own beside the others.
std::string_view namespace_of_folder(std::string_view name) {
  return name == kDefaultNamespace ? std::string_view() : name;
}

bool is_memory_file(std::string_view name) {
  return name.ends_with(".md") && !name.starts_with('.');
}

// So few folders of days are not worth a thread.
constexpr size_t kFoldersOfThread = 50;

class Walker {
 public:
  Walker(Tree& tree, TreeThreads threads, std::string name_space = "")
      : tree_(tree), threads_(threads), name_space_(std::move(name_space)) {}

  // The folders of one namespace.
  void walk_namespace(const Folder& root, const std::string& prefix, const std::string& name_space) {
    name_space_ = name_space;
    for (const std::string_view name : kMemoryFolders) {
      const std::string path = prefix + std::string(name);
      const auto info = root.info(std::string(name));
      if (!info.ok()) {
        if (info.error().code != ErrorCode::kNotFound) pass_over(path, info.error().what);
        continue;
      }
      enter(root, std::string(name), path, info->kind, 0);
    }
  }

  void pass_over(const std::string& path, std::string_view why) {
    tree_.warnings.push_back(fmt::format("{} is passed over: {}", escape_control(path), escape_control(why)));
  }

  void enter(const Folder& parent, const std::string& name, const std::string& path, FileKind kind,
             int depth) {
    if (kind != FileKind::kDirectory) {
      return pass_over(path, fmt::format("it is {}, not a folder", describe(kind)));
    }
    if (depth > kMaxTreeDepth) {
      return pass_over(path, fmt::format("it lies more than {} folders deep", kMaxTreeDepth));
    }
    const auto folder = parent.enter(name);
    if (!folder.ok()) return pass_over(path, folder.error().what);
    const auto entries = (*folder)->entries(kMaxEntriesOfFolder);
    if (!entries.ok()) return pass_over(path, entries.error().what);
    if (depth == 0 && threads_ == TreeThreads::kSeveral) return take_in_parts(**folder, *entries, path);
    for (const FolderEntry& entry : *entries) take(**folder, entry, path + "/" + entry.name, depth);
  }

 private:
  // Most of a walk is waiting for what the system says of each file; folders of days are many.
  void take_in_parts(const Folder& folder, std::span<const FolderEntry> entries, const std::string& path) {
    std::vector<Tree> trees(part_count(entries.size(), kFoldersOfThread));
    in_parts(entries.size(), trees.size(), [&](size_t part, size_t begin, size_t end) {
      Walker walker(trees[part], TreeThreads::kOne, name_space_);
      for (const FolderEntry& entry : entries.subspan(begin, end - begin))
        walker.take(folder, entry, path + "/" + entry.name, 0);
    });
    for (Tree& tree : trees) {
      std::move(tree.files.begin(), tree.files.end(), std::back_inserter(tree_.files));
      std::move(tree.warnings.begin(), tree.warnings.end(), std::back_inserter(tree_.warnings));
    }
  }

  void take(const Folder& folder, const FolderEntry& entry, std::string path, int depth) {
    switch (entry.info.kind) {
      case FileKind::kDirectory:
        if (!entry.name.starts_with('.')) enter(folder, entry.name, path, entry.info.kind, depth + 1);
        return;
      case FileKind::kRegular:
        if (is_memory_file(entry.name)) tree_.files.push_back({std::move(path), name_space_, entry.info});
        return;
      case FileKind::kSymlink:
        return pass_over(path, "it is a symbolic link, which is not followed");
      case FileKind::kOther:
        return pass_over(path, "it is neither a file nor a folder");
    }
  }

  Tree& tree_;
  TreeThreads threads_;
  std::string name_space_;
};

void walk_namespaces(const Folder& root, Walker& walker) {
  const std::string top(kNamespacesFolder);
  const auto info = root.info(top);
  if (!info.ok()) return;
  if (info->kind != FileKind::kDirectory) {
    return walker.pass_over(top, fmt::format("it is {}, not a folder", describe(info->kind)));
  }
  const auto folder = root.enter(top);
  if (!folder.ok()) return walker.pass_over(top, folder.error().what);
  const auto entries = (*folder)->entries(kMaxNamespaces);
  if (!entries.ok()) return walker.pass_over(top, entries.error().what);
  for (const FolderEntry& entry : *entries) {
    const std::string path = top + "/" + entry.name;
    if (entry.info.kind == FileKind::kRegular || entry.name.starts_with('.')) continue;
    if (!is_namespace_name(entry.name)) {
      walker.pass_over(path, "its name is not a valid namespace");
      continue;
    }
    const auto own = (*folder)->enter(entry.name);
    if (!own.ok()) {
      walker.pass_over(path, own.error().what);
      continue;
    }
    walker.walk_namespace(**own, path + "/", std::string(namespace_of_folder(entry.name)));
  }
}

// What cannot be read of a copy is left out: it comes again.
void walk_teams(const FileSystem& files, const std::string& team_dir, Walker& walker) {
  if (!files.info(team_dir).ok()) return;
  const auto root = files.open_folder(team_dir);
  if (!root.ok()) return;
  const auto entries = (*root)->entries(kMaxNamespaces);
  if (!entries.ok()) return;
  for (const FolderEntry& entry : *entries) {
    if (entry.info.kind != FileKind::kDirectory || !is_namespace_name(entry.name)) continue;
    if (const auto team = (*root)->enter(entry.name); team.ok())
      walker.walk_namespace(**team, fmt::format("{}/{}/", kTeamFolder, entry.name),
                            std::string(kTeamNamespace) + entry.name);
  }
}

}  // namespace

bool is_day(std::string_view name) {
  return name.size() == 10 && name[4] == '-' && name[7] == '-' && ascii::leading_digits(name).size() == 4;
}

Result<Tree> walk_tree(const FileSystem& files, const std::string& memory_dir, const std::string& team_dir,
                       TreeThreads threads) {
  Tree tree;
  Walker walker(tree, threads);
  const auto info = files.info(memory_dir);
  if (!info.ok() && info.error().code != ErrorCode::kNotFound) return info.error();
  if (info.ok()) {
    KNAPSACK_TRY(const auto root, files.open_folder(memory_dir));
    walker.walk_namespace(*root, "", "");
    walk_namespaces(*root, walker);
  }
  if (!team_dir.empty()) walk_teams(files, team_dir, walker);
  const auto by_path = [](const TreeFile& a, const TreeFile& b) { return a.path < b.path; };
  // Folders are told in the order of names, which is nearly always that of whole paths.
  if (!std::is_sorted(tree.files.begin(), tree.files.end(), by_path))
    std::sort(tree.files.begin(), tree.files.end(), by_path);
  return tree;
}

bool is_team_path(std::string_view path) {
  return path.starts_with(kTeamFolder) && path.size() > kTeamFolder.size() && path[kTeamFolder.size()] == '/';
}

bool ReadRules::may_read(std::string_view name_space) const {
  return (shared && name_space == kSharedNamespace) ||
         std::find(namespaces.begin(), namespaces.end(), name_space) != namespaces.end();
}

bool is_namespace_name(std::string_view name) {
  const auto fits = [](char c) {
    return ascii::is_lower(c) || ascii::is_digit(c) || c == '-' || c == '_' || c == '.';
  };
  return !name.empty() && name.size() <= kMaxNamespaceBytes &&
         (ascii::is_lower(name.front()) || ascii::is_digit(name.front())) &&
         std::all_of(name.begin(), name.end(), fits);
}

std::string namespace_folder(std::string_view name_space) {
  return name_space.empty() ? std::string() : fmt::format("{}/{}/", kNamespacesFolder, name_space);
}

Place place_of(std::string_view path) {
  Place place;
  const auto next = [&path] {
    const size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    return part;
  };
  std::string_view part = next();
  if (part == kNamespacesFolder) {
    place.name_space = namespace_of_folder(next());
    part = next();
  } else if (part == kTeamFolder) {
    place.name_space = std::string(kTeamNamespace) + std::string(next());
    part = next();
  }
  for (; !path.empty(); part = next()) {
    if (part == "archive") place.archived = true;
    if (part == "corrections") place.kind = Kind::kCorrection;
    if (part == "artifacts") place.kind = Kind::kArtifact;
    if (part == "boxes") place.kind = Kind::kBox;
    if (part == "entities") place.kind = Kind::kEntity;
    if (is_day(part)) place.session = part;
  }
  place.id = part.ends_with(".md") ? part.substr(0, part.size() - 3) : part;
  return place;
}

}  // namespace knapsack::memory
