#include "code/index/examine_files.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "core/helper_threads.h"

namespace knapsack::code {
namespace {

// Finished files on their way to the caller. Examiners wait when it is far behind, so that memory stays
// bounded.
class Belt {
 public:
  explicit Belt(size_t workers) : working_(workers) {}

  // False when the caller wants no more.
  bool put(Result<ExaminedFile> file) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return files_.size() < kMaxWaiting || stopped_; });
    if (stopped_) return false;
    files_.push_back(std::move(file));
    ready_.notify_one();
    return true;
  }
  void worker_done() {
    const std::lock_guard lock(mutex_);
    --working_;
    ready_.notify_one();
  }
  // Nothing when all workers are done.
  std::optional<Result<ExaminedFile>> take() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return !files_.empty() || working_ == 0; });
    if (files_.empty()) return std::nullopt;
    auto file = std::move(files_.front());
    files_.pop_front();
    room_.notify_one();
    return file;
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    room_.notify_all();
  }

 private:
  static constexpr size_t kMaxWaiting = 256;
  std::mutex mutex_;
  std::condition_variable ready_, room_;
  std::deque<Result<ExaminedFile>> files_;
  size_t working_;
  bool stopped_ = false;
};

}  // namespace

Status examine_files(const SourceList& list, std::span<const size_t> positions,
                     std::span<const std::unique_ptr<FileExaminer>> examiners,
                     const std::function<Status(ExaminedFile&&)>& consume,
                     const std::function<bool()>& enough) {
  std::atomic<size_t> next = 0;
  Belt belt(examiners.size());
  HelperThreads threads;
  const auto examine = [&](FileExaminer& worker, size_t at) {
    auto examined = worker.examine(list.files[positions[at]]);
    if (examined.ok()) examined->position = positions[at];
    return examined;
  };
  size_t started = 0;
  for (const auto& examiner : examiners) {
    const bool runs = threads.start([&, worker = examiner.get()] {
      for (size_t at = next++; at < positions.size() && !enough(); at = next++) {
        if (!belt.put(examine(*worker, at))) break;
      }
      belt.worker_done();
    });
    started += runs ? 1 : 0;
    if (!runs) belt.worker_done();  // the others do its share
  }
  Status status = ok_status();
  if (started == 0) {
    for (size_t at = 0; at < positions.size() && !enough() && status.ok(); ++at) {
      auto examined = examine(*examiners.front(), at);
      status = examined.ok() ? consume(*std::move(examined)) : Status(examined.error());
    }
    return status;
  }
  while (auto examined = belt.take()) {
    if (!status.ok()) continue;
    status = examined->ok() ? consume(std::move(**examined)) : Status(examined->error());
    if (!status.ok()) belt.stop();
  }
  threads.join();
  return status;
}

Result<std::vector<std::string>> write_documents(FileSystem& files, const std::string& folder,
                                                 std::span<const std::unique_ptr<FileExaminer>> examiners) {
  std::vector<Result<std::string>> written(examiners.size(), std::string());
  HelperThreads threads;
  for (size_t i = 0; i < examiners.size(); ++i) {
    if (examiners[i]->documents().documents() == 0) continue;
    threads.run([&, i] { written[i] = examiners[i]->documents().write(files, folder); });
  }
  threads.join();
  std::vector<std::string> names;
  for (auto& name : written) {
    if (!name.ok()) return name.error();
    if (!name->empty()) names.push_back(*std::move(name));
  }
  return names;
}

}  // namespace knapsack::code
