#include "cli/progress_line.h"

#include "cli/numbers.h"

namespace knapsack::cli {

void show_index_progress(ProgressLine& line, const code::IndexProgress& progress) {
  if (!line.due()) return;
  if (progress.total_files == 0 || progress.files == 0) return line.show(fmt::format("{} …", progress.step));
  const double seconds = line.seconds();
  const double left = seconds / static_cast<double>(progress.files) *
                      static_cast<double>(progress.total_files - progress.files);
  line.show(fmt::format("{} {} of {} files, {}/s, {:.0f} s left", progress.step, grouped(progress.files),
                        grouped(progress.total_files),
                        bytes_in_words(static_cast<uint64_t>(static_cast<double>(progress.bytes) / seconds)),
                        left));
}

}  // namespace knapsack::cli
