#include "team/sync.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "store/file_lock.h"
#include "team/cached_copy.h"
#include "team/database.h"
#include "team/migrations.h"
#include "team/outbox.h"

namespace knapsack::team {
namespace {

constexpr std::chrono::seconds kConnectTime{10};

class Syncing {
 public:
  Syncing(FileSystem& files, const SyncRequest& request)
      : request_(request), outbox_(files, join_path(request.root, "outbox")), copy_(files, request.root) {}

  Result<SyncReport> run() {
    const Status done = deliver_and_fetch();
    report_.waiting = outbox_.count();
    if (!done.ok()) {
      if (done.error().code != ErrorCode::kIo && done.error().code != ErrorCode::kBusy) return done.error();
      report_.problem = done.error().what;
    }
    return std::move(report_);
  }

 private:
  Status deliver_and_fetch() {
    // A server that is there answers soon; what takes long is a first copy.
    const Deadline connected = std::min(request_.deadline, deadline_in(kConnectTime));
    KNAPSACK_TRY(Connection connection, Connection::open(request_.address, connected));
    KNAPSACK_CHECK(check_schema(connection, request_.deadline));
    KNAPSACK_CHECK(deliver(connection));
    return fetch(connection);
  }

  Status deliver(Connection& connection) {
    for (const Waiting& each : outbox_.waiting(report_.warnings)) {
      const Status put = put_memory(connection, each.memory, request_.deadline);
      if (!put.ok() && put.error().code != ErrorCode::kUsage) return put;
      if (!put.ok()) {
        report_.refused.push_back(
            fmt::format("{} for team:{} waits on: {}", each.memory.id, each.memory.team, put.error().what));
        continue;
      }
      KNAPSACK_CHECK(outbox_.remove(each));
      ++report_.delivered;
    }
    return ok_status();
  }

  Status fetch(Connection& connection) {
    std::optional<FileLock> lock;
    if (request_.on_disk) {
      auto taken = FileLock::acquire(join_path(request_.root, "lock"), FileLock::Mode::kExclusive,
                                     std::chrono::milliseconds(0));
      if (!taken.ok()) return taken.error().code == ErrorCode::kBusy ? ok_status() : Status(taken.error());
      lock.emplace(*std::move(taken));
    }
    const auto before = copy_.state();
    KNAPSACK_TRY(const std::string role, my_role(connection, request_.deadline));
    // What another role was shown is not this one's.
    const bool is_new = !before || before->role != role;
    KNAPSACK_TRY(Changes changes, read_changes(connection, is_new ? "" : before->since, request_.deadline));
    KNAPSACK_CHECK(copy_.apply(changes, is_new, request_.now, role));
    report_.changed = changes.memories.size();
    const auto after = copy_.state();
    if (is_new || (after && after->known == changes.count)) return ok_status();
    // Something was missed or is gone: a right that came or went, a server that was restored.
    KNAPSACK_TRY(const Changes all, read_changes(connection, "", request_.deadline));
    KNAPSACK_CHECK(copy_.apply(all, true, request_.now, role));
    report_.changed = all.memories.size();
    return ok_status();
  }

  const SyncRequest& request_;
  Outbox outbox_;
  CachedCopy copy_;
  SyncReport report_;
};

}  // namespace

Result<SyncReport> sync(FileSystem& files, const SyncRequest& request) {
  return Syncing(files, request).run();
}

}  // namespace knapsack::team
