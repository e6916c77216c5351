// Ignore rules: which paths git would leave out (gitignore(5)), decided without git.
//
// Rules come from the .gitignore files of the folders on the way down, then .git/info/exclude, then, outside
// a repository, a built-in list. The user's own global excludes and core.ignoreCase are deliberately not
// read: the same tree gives the same files on every machine. A .gitignore that is a link, or is absent
// from disk because of a sparse checkout, counts as empty. IgnoreRules is immutable and safe to share between
// threads; IgnoreStack belongs to one walk.
// Private to code/walk/.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "code/walk/glob.h"
#include "core/string_hash.h"

namespace knapsack::code {

enum class IgnoreVerdict { kNoRule, kIgnored, kIncluded };

// The rules of one file. The last rule that matches decides, as in git. Literal names, `*.suffix` and
// `prefix*` are found by hash and other patterns by their literal ends, so that a file of a hundred thousand
// rules costs hardly more to ask than one of ten.
class IgnoreRules {
 public:
  explicit IgnoreRules(std::string_view bytes);

  // `path` is relative to the folder of the file, without slashes at its ends.
  IgnoreVerdict match(std::string_view path, bool is_folder) const;
  size_t size() const { return negated_.size(); }

 private:
  using Position = uint32_t;  // of a rule, counted from 1 so that 0 is "none"
  template <class Value>
  using TextMap = std::unordered_map<std::string, Value, StringHash, std::equal_to<>>;

  struct Last {  // of several rules with one key only the last of each kind can ever decide
    Position any = 0;
    Position folder_only = 0;
    Position get(bool is_folder) const { return is_folder ? std::max(any, folder_only) : any; }
  };
  // Patterns in file order. What rejects nearly all of them is kept apart and small, so that a long list is
  // passed over at the speed of memory.
  struct Patterns {
    struct Filter {
      uint64_t needed_bytes;
      Position position;
      bool folder_only;
    };
    std::vector<Filter> filters;
    std::vector<Glob> globs;
  };
  // Rules filed under a literal start or end, looked up once for every length in use.
  template <class Value>
  struct ByAffix {
    TextMap<Value> entries;
    std::vector<uint32_t> lengths;  // ascending
    Value& at(std::string_view affix);
  };
  // The rules that look at one kind of text: a name, or a path.
  struct Index {
    TextMap<Last> literal;
    ByAffix<Last> prefix_star, star_suffix;  // `lib*`, `*.o`; for names only
    ByAffix<Patterns> by_prefix, by_suffix;
    Patterns others;
    Position best(std::string_view text, bool is_folder, Position best) const;
  };

  void add(std::string_view line);
  static Position try_patterns(const Patterns& patterns, std::string_view text, bool is_folder,
                               Position best);

  Index names_, paths_;
  std::vector<bool> negated_;  // by position - 1
};

// The rules in force at one point of a walk down a tree.
class IgnoreStack {
 public:
  // `base`, lowest precedence first, applies to the whole tree; its paths are relative to the root.
  explicit IgnoreStack(std::vector<std::shared_ptr<const IgnoreRules>> base = {}) : base_(std::move(base)) {}

  // Steps into a folder whose own ignore file holds `rules` (null: none). "" for the root.
  void enter(std::string_view name, std::shared_ptr<const IgnoreRules> rules);
  void leave();
  // For an entry of the current folder. Says nothing of the folders above: git never looks inside an ignored
  // one, and a walk must not either.
  bool is_ignored(std::string_view name, bool is_folder) const;

 private:
  struct Level {
    size_t path_length;  // of the folder's path with its trailing slash
    std::shared_ptr<const IgnoreRules> rules;
  };
  std::vector<std::shared_ptr<const IgnoreRules>> base_;
  std::vector<Level> levels_;
  std::string path_;  // of the current folder, with a trailing slash; empty at the root
};

// What a workspace without git leaves out: installed packages, build outputs, caches, other version control.
std::string_view built_in_ignore_rules();

}  // namespace knapsack::code
