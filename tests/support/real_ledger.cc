#include "support/real_ledger.h"

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>

#include "core/clock.h"
#include "core/files/file_system.h"
#include "store/ledger/sqlite_ledger.h"

namespace knapsack::testing {
namespace {

namespace fs = std::filesystem;

// Thousands of these are made: in memory, where there is a file system for it, syncing costs nothing.
class QuickFolder {
 public:
  QuickFolder() {
    std::string pattern = fs::is_directory("/dev/shm")
                              ? "/dev/shm/knapsack-test-XXXXXX"
                              : (fs::temp_directory_path() / "knapsack-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  ~QuickFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  QuickFolder(const QuickFolder&) = delete;
  QuickFolder& operator=(const QuickFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

struct LedgerInFolder {
  QuickFolder folder;
  std::unique_ptr<FileSystem> files = make_disk_file_system();
  SystemClock clock;
  SqliteLedger ledger{folder.file("raw.db"), *files, clock};
};

}  // namespace

std::shared_ptr<Ledger> make_real_ledger() {
  auto made = std::make_shared<LedgerInFolder>();
  return {made, &made->ledger};
}

}  // namespace knapsack::testing
