#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/numbers.h"

namespace knapsack::cli {

ProgressLine::ProgressLine() : shown_(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const code::IndexProgress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  if (progress.total_files == 0 || progress.files == 0) {
    fmt::print(stderr, "\r\033[K{} …", progress.step);
  } else {
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    const double left = seconds / static_cast<double>(progress.files) *
                        static_cast<double>(progress.total_files - progress.files);
    fmt::print(stderr, "\r\033[K{} {} of {} files, {}/s, {:.0f} s left", progress.step,
               grouped(progress.files), grouped(progress.total_files),
               bytes_in_words(static_cast<uint64_t>(static_cast<double>(progress.bytes) / seconds)), left);
  }
  std::fflush(stderr);
}

void ProgressLine::clear() const {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

}  // namespace knapsack::cli
