// C and C++: an include is relative to its file, or below one of the include folders, which the header's own
// path tells: whatever is left of it before the text of the include.
#include <array>
#include <string>
#include <unordered_set>

#include "code/imports/ecosystem.h"
#include "code/parse/language.h"
#include "core/paths.h"

namespace knapsack::code {
namespace {

// Headers of the C library and of systems, by their first part. A repository that has a file of such a name
// rarely means it when it writes <…>.
constexpr std::string_view kSystemHeaders =
    "assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h "
    "signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h "
    "string.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h unistd.h fcntl.h pthread.h dirent.h dlfcn.h "
    "poll.h sched.h semaphore.h strings.h syslog.h termios.h utime.h glob.h grp.h pwd.h netdb.h regex.h "
    "getopt.h malloc.h alloca.h endian.h byteswap.h features.h langinfo.h libgen.h search.h spawn.h wait.h "
    "windows.h winsock2.h process.h io.h direct.h sys linux asm bits net netinet arpa mach";

bool is_system(std::string_view include) {
  static const std::unordered_set<std::string_view> kNames = [] {
    std::unordered_set<std::string_view> names;
    any_word(kSystemHeaders, [&](std::string_view name) {
      names.insert(name);
      return false;
    });
    return names;
  }();
  return kNames.find(include.substr(0, include.find('/'))) != kNames.end();
}

bool is_include_folder(std::string_view folder) {
  static constexpr std::array<std::string_view, 6> kFolders = {"include", "inc",    "includes",
                                                               "src",     "source", "lib"};
  const std::string_view name = base_name(folder);
  return folder.empty() || std::find(kFolders.begin(), kFolders.end(), name) != kFolders.end();
}

class CEcosystem final : public Ecosystem {
 public:
  explicit CEcosystem(const RepositoryFiles& files) : Ecosystem(files) {}

  void resolve(uint32_t from, const Import& import, Targets& targets) const override {
    if (import.kind != ImportKind::kInclude) return;  // `using` names what an include brought in
    const std::string_view folder = folder_of(files_.path(from));
    if (import.is_relative) {
      if (const auto path = resolve_path(folder, import.module)) {
        if (const auto file = files_.find(*path)) {
          targets.add(*file, confidence::kExact);
          return;
        }
      }
    }
    // What is left of "../x/y.h" without a file at that place says at least how the path ends.
    std::string_view ending = import.module;
    while (ending.starts_with("../") || ending.starts_with("./") || ending.starts_with('/')) {
      ending.remove_prefix(ending.find('/') + 1);
    }
    auto normal = resolve_path("", ending);
    if (!normal) return;
    std::span<const uint32_t> candidates = files_.ending_with(*normal);
    if (candidates.empty()) {
      *normal += ".in";  // "config.h" that the build makes of config.h.in
      candidates = files_.ending_with(*normal);
    }
    if (candidates.empty()) return;
    std::vector<uint32_t> at_roots;  // below a folder that is usually on the include path, or above this file
    for (const uint32_t file : files_.nearest_several(from, candidates, kMaxPackageFiles)) {
      const std::string_view path = files_.path(file);
      const std::string_view root = path.size() == normal->size()
                                        ? std::string_view()
                                        : path.substr(0, path.size() - normal->size() - 1);
      if (is_include_folder(root) || is_below(folder, root)) at_roots.push_back(file);
    }
    if (!import.is_relative && is_system(*normal)) {
      if (!at_roots.empty()) targets.add(files_.nearest(from, at_roots), confidence::kGuess);
      return;
    }
    const bool is_path = normal->find('/') != std::string::npos;
    if (!at_roots.empty()) {
      add_nearest(from, at_roots, confidence::kMapped, targets);
    } else {
      add_nearest(from, candidates,
                  import.is_relative || is_path ? confidence::kLikely : confidence::kConvention, targets);
    }
  }
};

}  // namespace

std::unique_ptr<Ecosystem> make_c_ecosystem(const RepositoryFiles& files) {
  return std::make_unique<CEcosystem>(files);
}

}  // namespace knapsack::code
