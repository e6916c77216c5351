// The store on disk: graphs/ with its append-only files, and one view of them at one moment.
//
// Readers take no lock. A view is what the files held at one moment: a change that is being written, or that
// a crash interrupted, is in none of it (graph/store/change.h). Plain data; any thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "core/result.h"
#include "graph/store/node.h"

namespace knapsack::graph {

inline constexpr std::string_view kCommitsFile = "post_response_commits.jsonl";
inline constexpr std::string_view kLatestPackFile = "context_pack.latest.json";
inline constexpr std::string_view kPacksFolder = "context_packs";
inline constexpr std::string_view kLatestRequestFile = "request_context.latest.json";
inline constexpr std::string_view kRequestsFolder = "request_context_packs";
inline constexpr std::string_view kPendingFile = "pending.json";

inline constexpr uint64_t kMaxPackBytes = 256U << 20U;   // of a pack or a pending change
inline constexpr uint64_t kMaxStoreBytes = 4ULL << 30U;  // of one file of the store

struct StoredFile {
  std::string path;
  uint64_t size = 0;  // as much of it as the view holds; 0 where there is none
  int64_t mtime_nanos = 0;
  uint64_t inode = 0;
};

struct StoreView {
  std::string folder;
  std::array<StoredFile, kLayers.size()> nodes;  // by layer
  StoredFile commits;
  std::optional<std::string> pending;  // the commit id of a change that is not finished

  const StoredFile& file(Layer layer) const { return nodes[static_cast<size_t>(layer)]; }
};

// kNotFound when there is no store; a link, a FIFO or a folder in the place of a file is an error that names
// it.
Result<StoreView> open_store(const FileSystem& files, const std::string& folder);

// Creates what is missing of an empty store: the folder, its files and the folders for packs. True when there
// was none before.
Result<bool> create_store(FileSystem& files, const std::string& folder);

// A folder of the store, created where it is missing; a link in its place is refused.
Status ensure_folder(FileSystem& files, const std::string& path);

// What the view holds of a file.
Result<std::string> read_all(const FileSystem& files, const StoredFile& file);

}  // namespace knapsack::graph
