#include "code/walk/source_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "code/walk/own_output.h"
#include "git/library.h"
#include "text/secrets/redact.h"

namespace knapsack::code {
namespace {

// A path cannot be told without its secret, and a file without its path is none.
void list_file(SourceList& list, SourceFile file) {
  if (holds_secret(file.path)) {
    redact_secrets(file.path);
    list.notes.push_back(file.path + ": its path holds a secret");
    ++list.skipped_count;
    return;
  }
  list.files.push_back(std::move(file));
}

}  // namespace

std::string hash_to_hex(std::string_view hash) {
  git_oid id{};
  std::memcpy(id.id, hash.data(), std::min(hash.size(), sizeof id.id));
  return git_hex(id);
}

std::string hash_from_hex(const std::string& hex) {
  const auto id = parse_git_hex(hex);
  return id.ok() ? std::string(reinterpret_cast<const char*>(id->id), sizeof id->id) : std::string();
}

Result<SourceList> list_work_tree(const Folder& root, const std::string& workspace,
                                  const GitRepository* repository) {
  SourceList list;
  list.walked_nanos = std::chrono::duration_cast<std::chrono::nanoseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
  KNAPSACK_TRY(const WalkSummary walked,
               walk_workspace(root, workspace, repository, [&](const TreeEntry& entry) {
                 if (is_own_output(entry.path)) {
                   ++list.ignored;
                   return;
                 }
                 list_file(list, {entry.path, entry.info.kind == FileKind::kSymlink, entry.info, ""});
               }));
  list.ignored += walked.ignored_files + walked.ignored_folders;
  list.skipped_count += walked.skipped_count;
  list.notes.insert(list.notes.end(), walked.notes.begin(), walked.notes.end());
  for (const SkippedEntry& skipped : walked.skipped) {
    // What it holds is not known: it is listed as what cannot be read, so that packets name it.
    if (skipped.reason == SkipReason::kUnreadable) {
      list_file(list, {skipped.path, false, {}, ""});
      --list.skipped_count;
      continue;
    }
    list.notes.push_back(fmt::format("{}: {}{}{}", skipped.path, describe(skipped.reason),
                                     skipped.detail.empty() ? "" : ": ", skipped.detail));
  }
  std::sort(list.files.begin(), list.files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  if (repository != nullptr) {
    for (const std::string& note : repository->location().notes) list.notes.push_back(note);
    KNAPSACK_TRY(const auto head, repository->head());
    list.commit_id = head.value_or("");
  }
  return list;
}

Result<SourceList> list_commit(const GitRepository& repository, const std::string& commit) {
  SourceList list;
  list.commit_id = commit;
  KNAPSACK_TRY(const TreeListing listing, repository.list_tree(commit, [&](const TreeItem& item) {
    if (item.kind == TreeItemKind::kSubmodule) {
      list.notes.push_back(fmt::format("{}: a submodule", item.path));
      ++list.skipped_count;
      return true;
    }
    if (is_own_output(item.path)) {
      ++list.ignored;
      return true;
    }
    list_file(list,
              {std::string(item.path), item.kind == TreeItemKind::kSymlink, {}, hash_from_hex(item.id)});
    return true;
  }));
  list.skipped_count += listing.left_out_count;
  for (const auto& left_out : listing.left_out) {
    list.notes.push_back(fmt::format("{}: {}", left_out.path, left_out.reason));
  }
  return list;
}

uint64_t SourceReader::size(const SourceFile& file) const {
  if (root_ != nullptr) return file.info.size;
  const auto size = repository_->blob_size(hash_to_hex(file.hash));
  return size.ok() ? *size : 0;
}

Result<std::string> SourceReader::read(const SourceFile& file, uint64_t max_bytes) const {
  if (root_ != nullptr) return read_beneath(*root_, file.path, max_bytes);
  return repository_->read_blob(hash_to_hex(file.hash), max_bytes);
}

}  // namespace knapsack::code
