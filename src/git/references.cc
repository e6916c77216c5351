#include "git/references.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ascii.h"

namespace knapsack {
namespace {

constexpr uint64_t kMaxReferenceBytes = 4096;
constexpr uint64_t kMaxPackedBytes = uint64_t{1} << 28U;
constexpr int kMaxHops = 5;  // as in git: references to references
constexpr size_t kIdDigits = 40;
constexpr std::string_view kSymbolic = "ref:";

bool is_object_id(std::string_view text) {
  return ascii::is_lower_hex(text, kIdDigits);
}

// Git's rules for names, as far as they keep a name inside the folder and out of git's own files.
bool is_reference_name(std::string_view name) {
  const bool own = !name.empty() && name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == name.npos;
  if (own) return true;  // HEAD, ORIG_HEAD
  if (!name.starts_with("refs/") || name.ends_with('/') || name.ends_with('.') || name.ends_with(".lock"))
    return false;
  for (const std::string_view part : {"..", "//", "/.", "@{", "\\"}) {
    if (name.find(part) != name.npos) return false;
  }
  return std::none_of(name.begin(), name.end(),
                      [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; }) &&
         name.find_first_of("~^:?*[") == name.npos;
}

// These belong to one work tree; all others are shared.
bool is_of_work_tree(std::string_view name) {
  return !name.starts_with("refs/") || name.starts_with("refs/bisect/") ||
         name.starts_with("refs/worktree/") || name.starts_with("refs/rewritten/");
}

Error no_reference(const std::string& name) {
  return {ErrorCode::kNotFound, fmt::format("there is no reference '{}'", name), ""};
}

}  // namespace

References::References(const GitLocation& location) : location_(location), files_(make_disk_file_system()) {}

Result<std::string> References::packed(const std::string& name) {
  if (!packed_) {
    auto bytes = files_->read(location_.common_dir + "/packed-refs", kMaxPackedBytes);
    if (!bytes.ok() && bytes.error().code != ErrorCode::kNotFound) return bytes.error();
    packed_ = bytes.ok() ? *std::move(bytes) : "";
  }
  // One reference a line: its id, a space and its name.
  for (size_t at = packed_->find(name); at != std::string::npos; at = packed_->find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool whole = end == packed_->size() || (*packed_)[end] == '\n' || (*packed_)[end] == '\r';
    if (!whole || at <= kIdDigits || (*packed_)[at - 1] != ' ') continue;
    const size_t begin = at - 1 - kIdDigits;
    if (begin > 0 && (*packed_)[begin - 1] != '\n') continue;
    const std::string id = packed_->substr(begin, kIdDigits);
    if (is_object_id(id)) return id;
  }
  return no_reference(name);
}

Result<std::string> References::line_of(const std::string& name) {
  const std::string& folder = is_of_work_tree(name) ? location_.git_dir : location_.common_dir;
  const std::string path = folder + "/" + name;
  const auto info = files_->info(path);
  // A folder of that name holds other references; one of its own may be packed.
  if (!info.ok() || info->kind == FileKind::kDirectory) return packed(name);
  KNAPSACK_TRY(const std::string bytes, files_->read(path, kMaxReferenceBytes));
  const std::string_view text = ascii::trim_space(bytes);
  const std::string_view id = text.substr(0, kIdDigits);
  if (is_object_id(id) && (text.size() == id.size() || ascii::is_space(text[id.size()])))
    return std::string(id);
  if (text.starts_with(kSymbolic)) return std::string(text);
  return Error{ErrorCode::kCorrupt, fmt::format("{} holds neither an id nor the name of a reference", path),
               "run `git fsck` in the repository"};
}

Result<std::string> References::read(const std::string& name) {
  std::string at = name;
  for (int hops = 0; hops <= kMaxHops; ++hops) {
    if (hops == 0 && !is_reference_name(at)) return no_reference(name);
    if (!is_reference_name(at)) break;
    KNAPSACK_TRY(const std::string line, line_of(at));
    if (!line.starts_with(kSymbolic)) return line;
    at = ascii::trim_space(std::string_view(line).substr(kSymbolic.size()));
  }
  return Error{ErrorCode::kCorrupt, fmt::format("the reference '{}' leads nowhere", name),
               "run `git fsck` in the repository"};
}

Result<std::string> References::find(const std::string& name) {
  for (const std::string& full : {name, "refs/" + name, "refs/tags/" + name, "refs/heads/" + name,
                                  "refs/remotes/" + name, "refs/remotes/" + name + "/HEAD"}) {
    auto id = read(full);
    if (id.ok() || id.error().code != ErrorCode::kNotFound) return id;
  }
  return no_reference(name);
}

}  // namespace knapsack
