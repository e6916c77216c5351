#include "engine/settings/setting_file_cache.h"

namespace knapsack {
namespace {

constexpr uint64_t kMaxSettingsBytes = uint64_t{1024} * 1024;

Result<std::optional<std::string>> read_settings_file(const FileSystem& files, const std::string& path) {
  const auto info = files.info(path);
  if (!info.ok() && info.error().code == ErrorCode::kNotFound) return std::optional<std::string>();
  auto bytes = files.read(path, kMaxSettingsBytes);
  if (!bytes.ok()) {
    Error error = bytes.error();
    error.code = ErrorCode::kConfig;
    return error;
  }
  return std::optional<std::string>(std::move(*bytes));
}

}  // namespace

Result<std::optional<std::string>> SettingFileCache::read(const FileSystem& files, const std::string& path) {
  const std::lock_guard guard(lock_);
  if (requests_ == 0) return read_settings_file(files, path);
  if (const auto known = texts_.find(path); known != texts_.end()) return known->second;
  KNAPSACK_TRY(auto text, read_settings_file(files, path));
  return texts_.emplace(path, std::move(text)).first->second;
}

SettingFileCache::Request::Request(SettingFileCache& cache) : cache_(cache) {
  const std::lock_guard guard(cache_.lock_);
  ++cache_.requests_;
}

SettingFileCache::Request::~Request() {
  const std::lock_guard guard(cache_.lock_);
  if (--cache_.requests_ == 0) cache_.texts_.clear();
}

}  // namespace knapsack
