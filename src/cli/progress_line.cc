#include "cli/progress_line.h"

#include <algorithm>

#include "cli/numbers.h"

namespace knapsack::cli {
namespace {

constexpr size_t kBarCells = 20;

// "[#####...............]"
std::string progress_bar(uint64_t done, uint64_t total) {
  const size_t full = total == 0 ? 0 : std::min<size_t>(kBarCells, done * kBarCells / total);
  return fmt::format("[{}{}]", std::string(full, '#'), std::string(kBarCells - full, '.'));
}

}  // namespace

void show_index_progress(ProgressLine& line, const code::IndexProgress& progress) {
  if (!line.due()) return;
  if (progress.total_files == 0) return line.show(fmt::format("{} …", progress.step));
  std::string text =
      fmt::format("{} {} {} of {} files", progress.step, progress_bar(progress.files, progress.total_files),
                  grouped(progress.files), grouped(progress.total_files));
  if (progress.files > 0) {
    const double seconds = line.seconds();
    const double left = seconds / static_cast<double>(progress.files) *
                        static_cast<double>(progress.total_files - progress.files);
    text += fmt::format(", {}/s, about {:.0f} s left",
                        bytes_in_words(static_cast<uint64_t>(static_cast<double>(progress.bytes) / seconds)),
                        left);
  }
  line.show(text);
}

}  // namespace knapsack::cli
