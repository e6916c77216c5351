// Go: an import path is a module's path and a folder below it; a package is the folder's files without tests.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "code/imports/ecosystem.h"
#include "code/parse/source_text.h"
#include "core/ascii.h"
#include "core/paths.h"
#include "core/split.h"

namespace knapsack::code {
namespace {

// The words of a line of go.mod without its comment, quotes removed.
std::vector<std::string_view> words_of(std::string_view line) {
  line = line.substr(0, line.find("//"));
  std::vector<std::string_view> words;
  while (!(line = ascii::trim_space(line)).empty()) {
    size_t end = 0;
    while (end < line.size() && !is_space(line[end])) ++end;
    words.push_back(unquote(line.substr(0, end)));
    line.remove_prefix(end);
  }
  return words;
}

class GoEcosystem final : public Ecosystem {
 public:
  GoEcosystem(const RepositoryFiles& files, ConfigReader& configs) : Ecosystem(files) {
    for (uint32_t file = 0; file < files.size(); ++file) {
      const std::string_view name = base_name(files.path(file));
      if (name == "go.mod" || name == "go.work") read(file, configs);
    }
  }

  void resolve(uint32_t from, const Import& import, Targets& targets) const override {
    const std::string_view path = files_.path(from);
    if (import.module.starts_with("./") || import.module.starts_with("../")) {
      if (const auto folder = resolve_path(folder_of(path), import.module))
        add_folder(from, *folder, targets);
      return;
    }
    // A module that this one replaces by a folder comes before one that only has the name.
    any_ancestor(folder_of(path), [&](std::string_view folder) {
      const auto found = replaced_.find(folder);
      return found != replaced_.end() && add_below(from, found->second, import.module, targets);
    });
    if (targets.empty()) add_below(from, modules_, import.module, targets);
    if (targets.empty()) add_vendored(from, import.module, targets);
    if (targets.empty() && modules_.empty()) add_by_ending(from, import.module, targets);
  }

 private:
  using Folders = std::unordered_map<std::string, std::vector<std::string>>;  // of a module's path

  void read(uint32_t file, ConfigReader& configs) {
    const std::optional<std::string> text = configs.text(file);
    if (!text) return;
    const std::string_view folder = folder_of(files_.path(file));
    bool in_replace = false;
    for_each_part(*text, "\n", [&](std::string_view line) {
      std::vector<std::string_view> words = words_of(line);
      if (words.empty()) return;
      if (words[0] == ")") in_replace = false;
      if (words.size() > 1 && words[1] == "(") {
        in_replace = words[0] == "replace";
        return;
      }
      if (words[0] == "module" && words.size() > 1) modules_[std::string(words[1])].emplace_back(folder);
      if (words[0] == "replace") {
        words.erase(words.begin());
      } else if (!in_replace) {
        return;
      }
      const auto arrow = std::find(words.begin(), words.end(), "=>");
      if (arrow == words.begin() || words.end() - arrow < 2 || !arrow[1].starts_with('.')) return;
      if (auto to = resolve_path(folder, arrow[1])) {
        replaced_[folder][std::string(words[0])].push_back(std::move(*to));
      }
    });
  }

  // The module with the longest path that the import begins with.
  bool add_below(uint32_t from, const Folders& modules, std::string_view import, Targets& targets) const {
    std::string_view module = import;
    for (;;) {
      const auto found = modules.find(std::string(module));
      if (found != modules.end()) {
        std::string_view rest = import.substr(module.size());
        if (rest.starts_with('/')) rest.remove_prefix(1);
        // A module may be there twice, as a copy for tests: the one around the importing file.
        const std::string* best = &found->second.front();
        for (const std::string& folder : found->second) {
          const std::string_view path = files_.path(from);
          if (shared_folders(path, folder + '/') > shared_folders(path, *best + '/')) best = &folder;
        }
        if (const auto folder = resolve_path(*best, rest)) add_folder(from, *folder, targets);
        return !targets.empty();
      }
      const size_t slash = module.rfind('/');
      if (slash == std::string_view::npos) return false;
      module = module.substr(0, slash);
    }
  }

  void add_vendored(uint32_t from, std::string_view import, Targets& targets) const {
    any_ancestor(folder_of(files_.path(from)), [&](std::string_view folder) {
      add_folder(from, join_path(join_path(folder, "vendor"), import), targets);
      return !targets.empty();
    });
  }

  // Without any go.mod the repository itself lies somewhere below a workspace that is not here.
  void add_by_ending(uint32_t from, std::string_view import, Targets& targets) const {
    if (import.substr(0, import.find('/')).find('.') == std::string_view::npos) return;
    for (size_t slash = import.find('/'); slash != std::string_view::npos && targets.empty();
         slash = import.find('/', slash + 1)) {
      add_folder(from, import.substr(slash + 1), targets);
    }
  }

  void add_folder(uint32_t from, std::string_view folder, Targets& targets) const {
    std::vector<uint32_t> members;
    for (const uint32_t file : files_.in_folder(folder)) {
      const bool is_member = files_.language(file) == "go" && !files_.path(file).ends_with("_test.go");
      if (is_member && files_.package(file) != "documentation") members.push_back(file);
    }
    add_package(from, members, targets);
  }

  Folders modules_;
  std::unordered_map<std::string_view, Folders> replaced_;  // by the folder of the go.mod that says so
};

}  // namespace

std::unique_ptr<Ecosystem> make_go_ecosystem(const RepositoryFiles& files, ConfigReader& configs) {
  return std::make_unique<GoEcosystem>(files, configs);
}

}  // namespace knapsack::code
