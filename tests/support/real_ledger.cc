#include "support/real_ledger.h"

#include "core/clock.h"
#include "core/files/file_system.h"
#include "store/ledger/sqlite_ledger.h"
#include "support/support.h"

namespace knapsack::testing {
namespace {

struct LedgerInFolder {
  TemporaryFolder folder;
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
