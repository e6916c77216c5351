#include "engine/clients/set_up_files.h"

#include <fmt/format.h>

#include "core/files/folder.h"
#include "core/files/shared_files.h"
#include "core/paths.h"

namespace knapsack {

Result<SetUpFiles> SetUpFiles::open(FileSystem& files, const std::string& root) {
  KNAPSACK_TRY(std::string resolved, files.resolve(root));
  return SetUpFiles(files, std::move(resolved));
}

bool SetUpFiles::is_inside(const std::string& path) const {
  return path == root_ || root_ == "/" || path.starts_with(root_ + "/");
}

Result<LocatedFile> SetUpFiles::locate(const std::string& name) const {
  const auto refused = [&](std::string_view why) {
    return Error{ErrorCode::kConfig, fmt::format("{} {}", name, why), "nothing was written"};
  };
  KNAPSACK_TRY(const auto parts, relative_components(name));
  LocatedFile located;
  std::string folder = root_, below;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    below = below.empty() ? parts[i] : join_path(below, parts[i]);
    const std::string next = join_path(folder, parts[i]);
    if (!located.missing_folders.empty() || !files_->info(next).ok()) {
      located.missing_folders.push_back(below);
      folder = next;
      continue;
    }
    const auto resolved = files_->resolve(next);
    if (!resolved.ok() || !is_inside(*resolved))
      return refused("is reached through a link that leads elsewhere");
    const auto info = files_->info(*resolved);
    if (!info.ok() || info->kind != FileKind::kDirectory)
      return refused("lies in something that is not a folder");
    folder = *resolved;
  }
  located.path = join_path(folder, parts.back());
  auto info = files_->info(located.path);
  if (!info.ok()) return located;
  if (info->kind == FileKind::kSymlink) {
    const auto resolved = files_->resolve(located.path);
    if (!resolved.ok() || !is_inside(*resolved)) return refused("is a link that leads elsewhere");
    located.path = *resolved;
    info = files_->info(located.path);
  }
  if (!info.ok() || info->kind != FileKind::kRegular) return refused("is not a file");
  KNAPSACK_TRY(located.text, files_->read(located.path, kMaxClientFileBytes));
  return located;
}

bool SetUpFiles::exists(const std::string& name) const {
  return files_->info(join_path(root_, name)).ok();
}

Status SetUpFiles::check_unchanged(const std::string& name, const std::optional<std::string>& before,
                                   LocatedFile& located) const {
  KNAPSACK_TRY(located, locate(name));
  if (located.text == before) return ok_status();
  return Error{ErrorCode::kBusy, fmt::format("{} was changed a moment ago", name), "run it again"};
}

Status SetUpFiles::write(const std::string& name, const std::optional<std::string>& before,
                         const std::string& after, Content content) const {
  LocatedFile located;
  KNAPSACK_CHECK(check_unchanged(name, before, located));
  for (const std::string& folder : located.missing_folders)
    KNAPSACK_CHECK(make_shared_folder(join_path(root_, folder)));
  sweep_beside(located.path);
  return content == Content::kSecret ? files_->replace(located.path, after)
                                     : rewrite_shared_file(located.path, after);
}

void SetUpFiles::sweep_beside(const std::string& path) const {
  const std::string folder = parent_path(path);
  const std::string left_behind = std::string(base_name(path)) + std::string(kBesideSharedFile);
  const auto entries = files_->list(folder);
  if (!entries.ok()) return;
  for (const DirectoryEntry& entry : *entries) {
    if (entry.kind == FileKind::kRegular && entry.name.starts_with(left_behind) &&
        entry.name.size() == left_behind.size() + kBesideRandomCharacters) {
      (void)files_->remove(join_path(folder, entry.name)).ok();  // the next one sweeps what is left
    }
  }
}

Status SetUpFiles::remove(const std::string& name, const std::string& before) const {
  LocatedFile located;
  KNAPSACK_CHECK(check_unchanged(name, before, located));
  sweep_beside(located.path);
  return files_->remove(located.path);
}

void SetUpFiles::remove_folder(const std::string& name) const {
  const std::string path = join_path(root_, name);
  const auto info = files_->info(path);
  if (!info.ok() || info->kind != FileKind::kDirectory) return;
  if (const auto entries = files_->list(path); entries.ok() && entries->empty()) (void)files_->remove(path);
}

namespace {

bool is_file(const FileSystem& files, const std::string& path) {
  const auto resolved = files.resolve(path);
  const auto info = resolved.ok() ? files.info(*resolved) : Result<FileInfo>(resolved.error());
  return info.ok() && info->kind == FileKind::kRegular;
}

}  // namespace

bool can_be_started(const FileSystem& files, const std::string& program, const std::string& search_path) {
  if (program.find('/') != std::string::npos) return is_file(files, program);
  for (size_t at = 0; at <= search_path.size();) {
    const size_t end = std::min(search_path.find(':', at), search_path.size());
    const std::string folder = search_path.substr(at, end - at);
    if (!folder.empty() && is_file(files, join_path(folder, program))) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace knapsack
