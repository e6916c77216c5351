// The memory tree: which files are memories, and what their places say of them.
//
//   profile.md                              not a memory: `recall` prints it as it is
//   facts/2026-11-15/<id>.md  corrections/<id>.md  artifacts/2026-11-15/<id>.md  boxes/2026-11-15/<id>.md
//   entities/<type>-<name>.md  archive/…
//   state/                                  the journal of accesses
//   namespaces/<ns>/                        the same again
//   team/<name>/                            the same again, of another folder: a copy of what a team remembers
//
// Walking follows no symbolic link and opens no file. Safe from any thread.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/file_system.h"
#include "core/files/folder.h"
#include "memory/tree/memory.h"

namespace knapsack::memory {

inline constexpr std::string_view kProfileFile = "profile.md";
inline constexpr std::string_view kStateFolder = "state";
inline constexpr std::string_view kNamespacesFolder = "namespaces";
// Before the name of a team's namespace, and the folder that its paths begin with.
inline constexpr std::string_view kTeamNamespace = "team:";
inline constexpr std::string_view kTeamFolder = "team";
inline constexpr std::string_view kSharedNamespace = "shared";    // everybody's
inline constexpr std::string_view kDefaultNamespace = "default";  // how the root of the tree is called
inline constexpr std::array<std::string_view, 6> kMemoryFolders = {"archive",     "artifacts", "boxes",
                                                                   "corrections", "entities",  "facts"};

inline constexpr uint64_t kMaxMemoryBytes = uint64_t{1} << 20U;  // a memory is a note, not a document
inline constexpr uint64_t kMaxEntriesOfFolder = 1'000'000;
inline constexpr int kMaxTreeDepth = 8;  // below one of the folders above
inline constexpr size_t kMaxNamespaces = 10'000;

struct TreeFile {
  std::string path;        // from the memory folder
  std::string name_space;  // "" for the default one
  FileInfo info;
};

struct Tree {
  std::vector<TreeFile> files;        // sorted by path as bytes
  std::vector<std::string> warnings;  // what was passed over, a line each
};

enum class TreeThreads { kOne, kSeveral };  // whatever they are, the tree is the same
// No memory folder is an empty tree. `team_dir`: a folder with a tree for each team, read beside it; may be empty.
Result<Tree> walk_tree(const FileSystem& files, const std::string& memory_dir,
                       const std::string& team_dir = "", TreeThreads threads = TreeThreads::kOne);
// Whether a path is one of a team's copy, which nobody changes here.
bool is_team_path(std::string_view path);

// 2026-11-15
bool is_day(std::string_view name);

// What a path alone tells: namespace, kind, session (its day folder), the id that its name gives.
struct Place {
  std::string name_space;
  std::string id;
  std::string session;
  Kind kind = Kind::kNote;
  bool archived = false;
};
Place place_of(std::string_view path);

// Whose memories a reader sees: the namespaces it was given, and everybody's unless it does without.
struct ReadRules {
  std::vector<std::string> namespaces = {""};
  bool shared = true;

  bool may_read(std::string_view name_space) const;
};

// Lower-case letters, digits, '-', '_' and '.', at most 64, beginning with a letter or a digit.
bool is_namespace_name(std::string_view name);
// The folder of a namespace from the memory folder: "" for the default one.
std::string namespace_folder(std::string_view name_space);

}  // namespace knapsack::memory
