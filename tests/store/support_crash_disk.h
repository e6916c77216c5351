// A disk in memory that can lose power: it knows which bytes and which names have been synced and which have
// not.
//
// Changes go to the live state at once and into a log; a sync moves what it covers from the log into the
// durable state. Power loss keeps the durable state and whatever part of the log the chosen model lets
// through. One flat folder; not safe to share between threads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack::testing {

// Which of the unsynced changes reach the disk.
enum class Loss {
  kNothingKept,  // only what was synced
  kAllKept,      // as after a crash of the program alone
  kPrefixKept,   // in order up to some point, the last write torn there
  kSomeKept,     // each change or not, in any combination
  kSectorsKept,  // each 512-byte sector of each write or not; holes hold garbage
};

// What the disk does when it is told to sync. Only an honest one can keep a promise; the others exist to show
// that a broken promise is noticed.
enum class Honesty { kHonest, kForgetsSyncs, kForgetsFolderSyncs };

class CrashDisk {
 public:
  struct File {
    uint64_t number = 0;  // as an inode has
    std::string bytes;
  };
  using FilePointer = std::shared_ptr<File>;

  explicit CrashDisk(Honesty honesty = Honesty::kHonest) : honesty_(honesty) {}
  // A copy is another disk: its files are copied too.
  CrashDisk(const CrashDisk& other);
  CrashDisk(CrashDisk&&) = default;
  CrashDisk& operator=(const CrashDisk&) = delete;

  // Power goes off in the middle of the nth operation from now, the next one being 1. An operation is
  // anything that changes or syncs; from then on each returns false and changes nothing.
  void cut_power_at(uint64_t nth);
  // The nth operation from now fails and changes nothing; all others work.
  void fail_once_at(uint64_t nth);
  bool off() const { return off_; }
  uint64_t operations() const { return operations_; }

  FilePointer find(const std::string& name) const;  // null where there is none
  FilePointer create(const std::string& name);      // null when the power is off
  bool remove(const std::string& name);
  bool rename(const std::string& from, const std::string& to);
  bool write(const FilePointer& file, uint64_t offset, std::string_view bytes);
  bool truncate(const FilePointer& file, uint64_t size);
  bool sync(const FilePointer& file);
  bool sync_folder();

  // How many changes have not been synced.
  size_t unsynced() const { return log_.size(); }
  // The disk as it is found after the power is back. The same seed gives the same disk. With kSomeKept the
  // bits of a seed below 2^unsynced() say which changes are kept, so that all combinations can be tried.
  CrashDisk after_power_loss(Loss loss, uint64_t seed) const;
  // Equal for disks that hold the same.
  size_t fingerprint() const;

 private:
  enum class Kind { kWrite, kTruncate, kCreate, kRemove, kRename };
  struct Change {
    Kind kind;
    uint64_t file = 0;
    uint64_t offset = 0;  // or the new size
    std::string bytes;
    std::string name, target;
  };
  struct State {
    std::map<uint64_t, std::string> files;
    std::map<std::string, uint64_t> folder;
  };

  // Counts an operation; false when it fails or the power is off, true with off_ set when it goes off during
  // this one.
  bool begin();
  static void apply(State& state, const Change& change, char filler);
  static void apply_sectors(State& state, const Change& change, uint64_t& random, char filler);

  std::map<std::string, FilePointer> live_;
  State durable_;
  std::vector<Change> log_;
  uint64_t last_number_ = 0;
  uint64_t operations_ = 0;
  uint64_t cut_at_ = 0, fail_at_ = 0;
  bool off_ = false;
  Honesty honesty_;
};

}  // namespace knapsack::testing
