#include "graph/store/store.h"

#include <fmt/format.h>

#include "graph/store/change.h"

namespace knapsack::graph {
namespace {

// Writers hold a change open for a few syncs; a reader that meets this many changes in a row takes what it
// saw last, which lacks only what nobody acknowledged yet.
constexpr int kViewAttempts = 50;

Result<StoredFile> look_at(const FileSystem& files, const std::string& path) {
  StoredFile file;
  file.path = path;
  const auto info = files.info(path);
  if (!info.ok()) {
    if (info.error().code == ErrorCode::kNotFound) return file;
    return info.error();
  }
  if (info->kind != FileKind::kRegular) {
    return Error{ErrorCode::kIo, fmt::format("{} is {}, not a regular file", path, describe(info->kind)),
                 "replace it with a plain file or remove it"};
  }
  if (info->size > kMaxStoreBytes) {
    return Error{ErrorCode::kLimit, fmt::format("{} is larger than {} bytes", path, kMaxStoreBytes),
                 "split the graph"};
  }
  file.size = info->size;
  file.mtime_nanos = info->mtime_nanos;
  file.inode = info->inode;
  return file;
}

Result<StoreView> look(const FileSystem& files, const std::string& folder) {
  StoreView view;
  view.folder = folder;
  KNAPSACK_TRY(const auto pending, read_pending(files, folder));
  for (const Layer layer : kLayers) {
    KNAPSACK_TRY(view.nodes[static_cast<size_t>(layer)],
                 look_at(files, join_path(folder, std::string(file_of(layer)))));
  }
  KNAPSACK_TRY(view.commits, look_at(files, join_path(folder, std::string(kCommitsFile))));
  if (!pending) return view;
  view.pending = pending->commit_id;
  const auto cut = [&](StoredFile& file, const Append& append) {
    if (file.path == join_path(folder, append.file)) file.size = std::min(file.size, append.at);
  };
  for (const Append& append : pending->nodes) {
    for (StoredFile& file : view.nodes) cut(file, append);
  }
  cut(view.commits, pending->commit);
  return view;
}

bool same(const StoreView& a, const StoreView& b) {
  const auto alike = [](const StoredFile& x, const StoredFile& y) {
    return x.size == y.size && x.mtime_nanos == y.mtime_nanos && x.inode == y.inode;
  };
  return a.pending == b.pending && alike(a.commits, b.commits) && alike(a.nodes[0], b.nodes[0]) &&
         alike(a.nodes[1], b.nodes[1]) && alike(a.nodes[2], b.nodes[2]);
}

}  // namespace

Result<StoreView> open_store(const FileSystem& files, const std::string& folder) {
  const auto info = files.info(folder);
  if (!info.ok()) {
    if (info.error().code != ErrorCode::kNotFound) return info.error();
    return Error{ErrorCode::kNotFound, fmt::format("there is no graph at {}", folder),
                 "create one with `knapsack graph init`"};
  }
  if (info->kind != FileKind::kDirectory) {
    return Error{ErrorCode::kIo, fmt::format("{} is {}, not a folder", folder, describe(info->kind)),
                 "name the folder itself with `graph.dir`"};
  }
  KNAPSACK_TRY(StoreView view, look(files, folder));
  for (int attempt = 0; attempt < kViewAttempts; ++attempt) {
    KNAPSACK_TRY(StoreView again, look(files, folder));
    if (same(view, again)) break;
    view = std::move(again);
  }
  return view;
}

Status ensure_folder(FileSystem& files, const std::string& path) {
  const auto there = files.info(path);
  if (!there.ok()) {
    if (there.error().code != ErrorCode::kNotFound) return there.error();
    return files.make_directory(path);
  }
  if (there->kind == FileKind::kDirectory) return ok_status();
  return Error{ErrorCode::kIo, fmt::format("{} is {}, not a folder", path, describe(there->kind)),
               "remove it"};
}

Result<bool> create_store(FileSystem& files, const std::string& folder) {
  const bool created = !files.info(folder).ok();
  KNAPSACK_CHECK(ensure_folder(files, folder));
  for (const std::string_view name : {kPacksFolder, kRequestsFolder}) {
    KNAPSACK_CHECK(ensure_folder(files, join_path(folder, name)));
  }
  bool any = created;
  for (const std::string_view name :
       {file_of(Layer::kKnowledge), file_of(Layer::kReasoning), file_of(Layer::kTask), kCommitsFile}) {
    const std::string path = join_path(folder, name);
    KNAPSACK_TRY(const StoredFile file, look_at(files, path));
    if (file.size > 0 || files.info(path).ok()) continue;
    KNAPSACK_CHECK(files.append(path, 0, ""));
    any = true;
  }
  return any;
}

Result<std::string> read_all(const FileSystem& files, const StoredFile& file) {
  if (file.size == 0) return std::string();
  return files.read_part(file.path, 0, file.size);
}

}  // namespace knapsack::graph
