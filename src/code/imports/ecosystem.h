// Ecosystem: how the imports of one family of languages find files. One implementation a family.
//
// Each is built from the snapshot's files and its configurations, and then only read; any thread may resolve.
// Private to code/imports/.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "code/imports/import_resolver.h"
#include "code/imports/repository_files.h"
#include "code/imports/resolver_config.h"
#include "code/parse/parsed_file.h"

namespace knapsack::code {

// How sure a rule is. One scale for all languages, so that edges of different languages compare.
namespace confidence {
inline constexpr float kExact = 1.0F;       // the path or name that the language itself would take
inline constexpr float kMapped = 0.95F;     // through a configuration that tools read the same way
inline constexpr float kLikely = 0.8F;      // the usual layout; something unseen could override it
inline constexpr float kPartOf = 0.6F;      // one of the several files of the package that was named
inline constexpr float kOnly = 0.65F;       // the only file of the repository that fits, by several names
inline constexpr float kConvention = 0.5F;  // a habit of the ecosystem that no configuration confirms
inline constexpr float kGuess = 0.3F;       // only the ending fits, or it may mean this very file
}  // namespace confidence

// What was found for one import so far: each file and name once, with the best confidence.
class Targets {
 public:
  explicit Targets(uint32_t from) : from_(from) {}

  void add(uint32_t file, float confidence, int32_t name = kWholeModule);
  bool empty() const { return targets_.empty(); }
  std::vector<ImportTarget> take();  // in the order that ImportResolver promises

 private:
  uint32_t from_;
  std::vector<ImportTarget> targets_;
};

class Ecosystem {
 public:
  virtual ~Ecosystem() = default;
  virtual void resolve(uint32_t from, const Import& import, Targets& targets) const = 0;

 protected:
  explicit Ecosystem(const RepositoryFiles& files) : files_(files) {}
  Ecosystem(const Ecosystem&) = delete;
  Ecosystem& operator=(const Ecosystem&) = delete;

  // The nearest of several, for an import that means one file; less sure where there was a choice.
  void add_nearest(uint32_t from, std::span<const uint32_t> candidates, float sureness, Targets& targets,
                   int32_t name = kWholeModule) const;
  // A package's files, for an import that means all of them.
  void add_package(uint32_t from, std::span<const uint32_t> members, Targets& targets,
                   int32_t name = kWholeModule) const;

  const RepositoryFiles& files_;
};

std::unique_ptr<Ecosystem> make_c_ecosystem(const RepositoryFiles& files);
std::unique_ptr<Ecosystem> make_declared_ecosystem(const RepositoryFiles& files);  // Java and its kin, C#, …
std::unique_ptr<Ecosystem> make_ecmascript_ecosystem(const RepositoryFiles& files, ConfigReader& configs);
std::unique_ptr<Ecosystem> make_go_ecosystem(const RepositoryFiles& files, ConfigReader& configs);
std::unique_ptr<Ecosystem> make_php_ecosystem(const RepositoryFiles& files, ConfigReader& configs);
std::unique_ptr<Ecosystem> make_python_ecosystem(const RepositoryFiles& files, ConfigReader& configs);
std::unique_ptr<Ecosystem> make_ruby_ecosystem(const RepositoryFiles& files);
std::unique_ptr<Ecosystem> make_rust_ecosystem(const RepositoryFiles& files, ConfigReader& configs);
std::unique_ptr<Ecosystem> make_script_ecosystem(const RepositoryFiles& files);  // Bash, Lua, Zig
std::unique_ptr<Ecosystem> make_swift_ecosystem(const RepositoryFiles& files, ConfigReader& configs);

}  // namespace knapsack::code
