#include "support_crash_disk.h"

#include <algorithm>
#include <functional>

namespace knapsack::testing {
namespace {

constexpr uint64_t kSector = 512;  // what a disk writes as a whole

// splitmix64: a good mixer in three lines, the same on every platform.
uint64_t next_random(uint64_t& state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

void write_into(std::string& bytes, uint64_t offset, std::string_view piece, char filler) {
  if (bytes.size() < offset + piece.size()) bytes.resize(offset + piece.size(), filler);
  bytes.replace(offset, piece.size(), piece);
}

}  // namespace

CrashDisk::CrashDisk(const CrashDisk& other)
    : live_(other.live_),
      durable_(other.durable_),
      log_(other.log_),
      last_number_(other.last_number_),
      operations_(other.operations_),
      cut_at_(other.cut_at_),
      fail_at_(other.fail_at_),
      off_(other.off_),
      honesty_(other.honesty_) {
  for (auto& [name, file] : live_) file = std::make_shared<File>(*file);
}

void CrashDisk::cut_power_at(uint64_t nth) {
  operations_ = 0;
  cut_at_ = nth;
}

void CrashDisk::fail_once_at(uint64_t nth) {
  operations_ = 0;
  fail_at_ = nth;
}

bool CrashDisk::begin() {
  if (off_) return false;
  if (++operations_ == cut_at_) off_ = true;
  return operations_ != fail_at_;
}

CrashDisk::FilePointer CrashDisk::find(const std::string& name) const {
  const auto found = live_.find(name);
  return found == live_.end() ? nullptr : found->second;
}

CrashDisk::FilePointer CrashDisk::create(const std::string& name) {
  if (!begin()) return nullptr;
  auto file = std::make_shared<File>(File{++last_number_, ""});
  live_[name] = file;
  log_.push_back({Kind::kCreate, file->number, 0, "", name, ""});
  return off_ ? nullptr : file;
}

bool CrashDisk::remove(const std::string& name) {
  if (!begin()) return false;
  live_.erase(name);
  log_.push_back({Kind::kRemove, 0, 0, "", name, ""});
  return !off_;
}

bool CrashDisk::rename(const std::string& from, const std::string& to) {
  if (!begin()) return false;
  const FilePointer file = live_.at(from);
  live_.erase(from);
  live_[to] = file;
  log_.push_back({Kind::kRename, file->number, 0, "", from, to});
  return !off_;
}

bool CrashDisk::write(const FilePointer& file, uint64_t offset, std::string_view bytes) {
  if (!begin()) return false;
  write_into(file->bytes, offset, bytes, '\0');
  log_.push_back({Kind::kWrite, file->number, offset, std::string(bytes), "", ""});
  return !off_;
}

bool CrashDisk::truncate(const FilePointer& file, uint64_t size) {
  if (!begin()) return false;
  file->bytes.resize(size);
  log_.push_back({Kind::kTruncate, file->number, size, "", "", ""});
  return !off_;
}

bool CrashDisk::sync(const FilePointer& file) {
  if (!begin() || off_) return false;
  if (honesty_ == Honesty::kForgetsSyncs) return true;
  std::erase_if(log_, [&](const Change& change) {
    const bool covered = change.kind <= Kind::kTruncate && change.file == file->number;
    if (covered) apply(durable_, change, '\0');
    return covered;
  });
  return true;
}

bool CrashDisk::sync_folder() {
  if (!begin() || off_) return false;
  if (honesty_ != Honesty::kHonest) return true;
  std::erase_if(log_, [&](const Change& change) {
    const bool covered = change.kind > Kind::kTruncate;
    if (covered) apply(durable_, change, '\0');
    return covered;
  });
  return true;
}

void CrashDisk::apply(State& state, const Change& change, char filler) {
  switch (change.kind) {
    case Kind::kWrite:
      write_into(state.files[change.file], change.offset, change.bytes, filler);
      break;
    case Kind::kTruncate:
      state.files[change.file].resize(change.offset, filler);
      break;
    case Kind::kCreate:
      state.folder[change.name] = change.file;
      break;
    case Kind::kRemove:
      state.folder.erase(change.name);
      break;
    case Kind::kRename:
      state.folder.erase(change.name);
      state.folder[change.target] = change.file;
      break;
  }
}

void CrashDisk::apply_sectors(State& state, const Change& change, uint64_t& random, char filler) {
  for (uint64_t at = 0; at < change.bytes.size();) {
    const uint64_t sector_end = ((change.offset + at) / kSector + 1) * kSector - change.offset;
    const uint64_t length = std::min<uint64_t>(sector_end, change.bytes.size()) - at;
    if (next_random(random) % 2 == 0) {
      write_into(state.files[change.file], change.offset + at,
                 std::string_view(change.bytes).substr(at, length), filler);
    }
    at += length;
  }
}

CrashDisk CrashDisk::after_power_loss(Loss loss, uint64_t seed) const {
  State state = durable_;
  uint64_t random = seed;
  const uint64_t prefix = next_random(random) % (log_.size() + 1);
  for (uint64_t i = 0; i < log_.size(); ++i) {
    const Change& change = log_[i];
    const bool chosen = next_random(random) % 2 == 0;
    switch (loss) {
      case Loss::kNothingKept:
        break;
      case Loss::kAllKept:
        apply(state, change, '\0');
        break;
      case Loss::kPrefixKept:
        if (i < prefix) apply(state, change, '\0');
        if (i == prefix && change.kind == Kind::kWrite) apply_sectors(state, change, random, '\0');
        break;
      case Loss::kSomeKept:
        if (i < 64 ? (seed >> i) % 2 == 1 : chosen) apply(state, change, '\0');
        break;
      case Loss::kSectorsKept:
        if (change.kind == Kind::kWrite) {
          apply_sectors(state, change, random, static_cast<char>(seed * 37));
        } else if (chosen) {
          apply(state, change, static_cast<char>(seed * 37));
        }
        break;
    }
  }
  CrashDisk found(honesty_);
  found.last_number_ = last_number_;
  for (const auto& [name, number] : state.folder) {
    const auto content = state.files.find(number);
    auto file = std::make_shared<File>(File{number, content == state.files.end() ? "" : content->second});
    found.durable_.files[number] = file->bytes;
    found.durable_.folder[name] = number;
    found.live_[name] = std::move(file);
  }
  return found;
}

size_t CrashDisk::fingerprint() const {
  size_t hash = 0;
  for (const auto& [name, file] : live_) {
    hash = hash * 31 + std::hash<std::string>()(name);
    hash = hash * 31 + std::hash<std::string>()(file->bytes);
  }
  return hash;
}

}  // namespace knapsack::testing
