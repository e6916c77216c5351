#include "team/outbox.h"

#include <fmt/format.h>

#include "core/ids.h"

namespace knapsack::team {
namespace {

constexpr std::string_view kWaitingEnding = ".json";
constexpr uint64_t kMaxWaitingBytes = uint64_t{2} << 20U;
constexpr size_t kWaitingName = 32;

bool is_waiting(const DirectoryEntry& entry) {
  return entry.kind == FileKind::kRegular && entry.name.size() == kWaitingName + kWaitingEnding.size() &&
         entry.name.ends_with(kWaitingEnding);
}

}  // namespace

Status Outbox::put(const TeamMemory& memory) {
  KNAPSACK_CHECK(files_.make_directory(folder_));
  const std::string name = hash_parts({memory.team, memory.id}).substr(0, kWaitingName);
  return files_.replace(join_path(folder_, name + std::string(kWaitingEnding)), to_json(memory) + "\n");
}

std::vector<Waiting> Outbox::waiting(std::vector<std::string>& warnings) const {
  std::vector<Waiting> found;
  const auto entries = files_.list(folder_);
  if (!entries.ok()) {
    if (entries.error().code != ErrorCode::kNotFound)
      warnings.push_back("the outbox cannot be read: " + entries.error().line());
    return found;
  }
  for (const DirectoryEntry& entry : *entries) {
    if (!is_waiting(entry)) continue;
    const auto bytes = files_.read(join_path(folder_, entry.name), kMaxWaitingBytes);
    auto memory = bytes.ok() ? memory_from_json(*bytes) : Result<TeamMemory>(bytes.error());
    if (memory.ok()) {
      found.push_back({entry.name, *std::move(memory)});
    } else if (memory.error().code != ErrorCode::kNotFound) {  // else another process delivered it
      warnings.push_back(fmt::format("{} of the outbox stays there: {}", entry.name, memory.error().line()));
    }
  }
  return found;
}

size_t Outbox::count() const {
  const auto entries = files_.list(folder_);
  if (!entries.ok()) return 0;
  size_t count = 0;
  for (const DirectoryEntry& entry : *entries) count += is_waiting(entry) ? 1 : 0;
  return count;
}

Status Outbox::remove(const Waiting& delivered) {
  const Status removed = files_.remove(join_path(folder_, delivered.file));
  return !removed.ok() && removed.error().code == ErrorCode::kNotFound ? ok_status() : removed;
}

}  // namespace knapsack::team
