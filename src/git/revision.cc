// GitRepository::resolve, written out. libgit2's own parser reads whole objects of any size, creates the reflogs it
// consults and runs regular expressions over messages; what people type needs little of it.
#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "git/objects.h"
#include "git/references.h"
#include "git/repository.h"

namespace knapsack {
namespace {

constexpr size_t kMaxRevisionBytes = 4096;
constexpr uint64_t kMaxSteps = 1'000'000;  // commits that one revision may step over

// One of the steps behind a name: `~3` is three times the first parent, `^2` once the second.
struct Step {
  uint64_t times = 0;
  unsigned parent = 0;
};

// Reads "~", "~3", "^", "^2", "^{}" or "^{commit}" off the front.
std::optional<Step> take_step(std::string_view& text) {
  const bool generations = text[0] == '~';
  text.remove_prefix(1);
  if (!generations && text.starts_with('{')) {
    for (const std::string_view peel : {"{}", "{commit}"}) {
      if (!text.starts_with(peel)) continue;
      text.remove_prefix(peel.size());
      return Step{};
    }
    return std::nullopt;
  }
  unsigned number = 1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  if (generations) return Step{number, 1};
  return Step{number == 0 ? 0U : 1U, number};
}

// What `git describe` prints: NAME-COMMITS-gDIGITS.
std::string digits_of_description(const std::string& name) {
  const size_t mark = name.rfind("-g");
  return mark == std::string::npos ? "" : name.substr(mark + 2);
}

// An id for a name without steps; kNotFound or kUsage when there is none, kCorrupt when the repository is to
// blame.
Result<git_oid> find_name(const GitLocation& location, const GitObjects& objects, const std::string& name) {
  if (auto id = parse_git_hex(name); id.ok()) return id;
  const auto reference = References(location).find(name);
  if (reference.ok()) return parse_git_hex(*reference);
  if (reference.error().code != ErrorCode::kNotFound) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("cannot read the reference '{}': {}", name, reference.error().what),
                 reference.error().next};
  }
  auto found = objects.find_by_prefix(name);
  if (found.ok() || found.error().code != ErrorCode::kNotFound) return found;
  return objects.find_by_prefix(digits_of_description(name));
}

}  // namespace

Result<std::string> GitRepository::resolve(const std::string& revision) const {
  const auto refuse = [&](std::string_view why, std::string next) {
    return Error{ErrorCode::kUsage, fmt::format("revision '{}' {}", revision, why), std::move(next)};
  };
  const Error other_form = refuse("is not of a form that is read", "name a branch, a tag or a commit id");
  if (revision.empty() || revision.size() > kMaxRevisionBytes || revision.find('\0') != std::string::npos ||
      revision.find("@{") != std::string::npos) {
    return other_form;
  }
  const size_t name_end = std::min(revision.find_first_of("~^"), revision.size());
  std::string name = revision.substr(0, name_end);
  if (name == "@") name = "HEAD";
  if (name.empty() || name.find(':') != std::string::npos) return other_form;

  const auto unknown = [&] {
    return refuse(fmt::format("is not known in {}", location_.common_dir),
                  is_shallow() ? "it may lie beyond the end of this shallow clone" : "");
  };
  KNAPSACK_TRY(const GitObjects* objects, this->objects());
  const auto named = find_name(location_, *objects, name);
  if (!named.ok()) {
    if (named.error().code == ErrorCode::kCorrupt) return named.error();
    if (named.error().code == ErrorCode::kUsage)
      return refuse("matches several objects", "give more digits of the id");
    if (name == "HEAD") return refuse("names nothing yet", "make a first commit");
    return unknown();
  }
  auto commit = objects->commit_named_by(*named);
  if (!commit.ok()) {
    if (commit.error().code == ErrorCode::kUsage)
      return refuse("is not a commit", "name a branch, a tag or a commit id");
    // An id that was typed is unknown; one that a reference holds is missing.
    if (commit.error().code == ErrorCode::kNotFound && parse_git_hex(name).ok()) return unknown();
    return commit.error();
  }
  git_oid at = *commit;
  uint64_t stepped = 0;
  for (std::string_view rest = std::string_view(revision).substr(name_end); !rest.empty();) {
    if (rest[0] != '~' && rest[0] != '^') return other_form;
    const auto step = take_step(rest);
    if (!step) return other_form;
    for (uint64_t i = 0; i < step->times; ++i) {
      if (++stepped > kMaxSteps) return unknown();
      KNAPSACK_TRY(const auto stored, objects->read_commit(at));
      if (is_shallow_boundary(git_hex(at)) || git_commit_parentcount(stored.get()) < step->parent)
        return unknown();
      at = *git_commit_parent_id(stored.get(), step->parent - 1);
    }
  }
  KNAPSACK_CHECK(objects->read_commit(at));
  return git_hex(at);
}

}  // namespace knapsack
