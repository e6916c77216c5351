// SettingFileCache: the texts of settings files, read once while a request runs, however many parts of it ask.
//
// Outside of a request every question reads: people edit these files while a server runs. Any thread.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/files/file_system.h"

namespace knapsack {

class SettingFileCache {
 public:
  // Nothing for a file that is not there.
  Result<std::optional<std::string>> read(const FileSystem& files, const std::string& path);

  // Requests may be made of others: the outermost one counts.
  class Request {
   public:
    explicit Request(SettingFileCache& cache);
    ~Request();
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

   private:
    SettingFileCache& cache_;
  };

 private:
  std::mutex lock_;
  int requests_ = 0;
  std::map<std::string, std::optional<std::string>> texts_;
};

}  // namespace knapsack
