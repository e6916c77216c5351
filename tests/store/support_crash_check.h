// Work on a ledger that may lose power at any operation, and what must be true of the disk that is found
// then.
//
// Violations come back as sentences instead of failed assertions, so that a test can also demand that there
// are some: a harness that cannot fail proves nothing.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "store/ledger/ledger.h"
#include "store/ledger/sqlite_ledger.h"
#include "support_crash_disk.h"
#include "support_crash_vfs.h"

namespace knapsack::testing {

inline constexpr const char* kLedgerPath = "/disk/raw.db";

// What was promised: every entry was acknowledged before the power went off.
struct Witness {
  std::map<std::string, RunKey> runs;           // by run_id
  std::map<std::string, Timestamp> deliveries;  // by session
  int64_t index_runs = 0;
  std::map<std::string, std::string> enrichments;  // answer by blob
  bool prune_tried = false;                        // "old…" runs may be gone, all or none
  bool pruned = false;                             // prune() was acknowledged: they are
};

// A disk with SQLite and the ledger on top. Ledgers and connections must go before it does.
class Machine {
 public:
  explicit Machine(CrashDisk disk);
  CrashDisk& disk() { return disk_; }
  std::unique_ptr<SqliteLedger> ledger(uint64_t longest_log = LedgerFileOptions().longest_log);
  Result<sqlite::Database> database();

 private:
  CrashDisk disk_;
  CrashVfs vfs_{disk_};
  CrashFileSystem files_{disk_};
  FixedClock clock_;
};

// Appends the run whose whole content follows from its run_id, and notes it when it is acknowledged. False
// when the power is off.
bool append_known_run(Ledger& ledger, const std::string& run_id, Witness& witness);
Timestamp start_of(const std::string& run_id);  // "old…" runs start before kPruneTime, others after
extern const Timestamp kPruneTime;

// Everything that is wrong with the ledger on this disk: it does not open, is not sound, lacks what was
// acknowledged, shows part of a run, or cannot be appended to.
std::vector<std::string> violations_on(const CrashDisk& disk, const Witness& witness);

struct Verdict {
  uint64_t crashes = 0;  // operations at which the power was cut
  uint64_t disks = 0;    // different disks looked at after that
  std::vector<std::string> violations;
};

// Runs `work` on a copy of `disk` once for every operation it makes, cutting the power at that one, and looks
// at every model of what may be left. Where few changes are unsynced, at most `tried_in_full`, every
// combination of them is tried. Stops early when there are many violations.
Verdict cut_power_everywhere(const std::function<CrashDisk()>& disk,
                             const std::function<void(Machine&, Witness&)>& work, const Witness& before = {},
                             size_t tried_in_full = 3);

}  // namespace knapsack::testing
