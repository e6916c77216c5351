#include "code/index/snapshot_report.h"

#include <nlohmann/json.hpp>

#include "text/parse_json.h"

namespace knapsack::code {

std::string SnapshotReport::to_json() const {
  nlohmann::ordered_json json = {{"ignored", ignored}, {"skipped", skipped}};
  if (!shallow_ends.empty()) json["shallow_ends"] = shallow_ends;
  if (history_problems > 0) json["history_problems"] = history_problems;
  if (unread > 0) json["unread"] = unread;
  return json.dump();
}

Result<SnapshotReport> SnapshotReport::from_json(const std::string& text) {
  const auto json = parse_json(text);
  try {
    SnapshotReport report;
    report.ignored = json.value("ignored", uint64_t{0});
    report.skipped = json.value("skipped", uint64_t{0});
    report.shallow_ends = json.value("shallow_ends", "");
    report.history_problems = json.value("history_problems", uint64_t{0});
    report.unread = json.value("unread", uint64_t{0});
    return report;
  } catch (const nlohmann::json::exception&) {
    return Error{ErrorCode::kCorrupt, "the index's note about a snapshot cannot be read",
                 "run `knapsack index --full`"};
  }
}

}  // namespace knapsack::code
