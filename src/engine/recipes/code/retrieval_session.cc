#include "engine/recipes/code/retrieval_session.h"

#include <fmt/format.h>

#include <algorithm>

namespace knapsack {
namespace {

// In a session: by how many vectors of which model its stages compared.
constexpr const char* kMeaningThen = "meaning";

}  // namespace

Result<std::string> descriptions_mark(code::CodeIndex& index) {
  KNAPSACK_TRY(const size_t described, index.files_with_metadata());
  if (described == 0) return std::string();
  int64_t newest = 0;
  for (uint32_t file = 0; file < index.files().size(); ++file) {
    KNAPSACK_TRY(const code::FileMetadata* metadata, index.file_metadata(file));
    if (metadata != nullptr) newest = std::max(newest, metadata->at_micros);
  }
  return fmt::format(" {} descriptions of {}", described, newest);
}

Status forget_other_meaning(Session& session, const NearCode& near) {
  const std::string now =
      near.model.empty() ? "" : fmt::format("{} {} of {}", near.model, near.total - near.missing, near.total);
  KNAPSACK_TRY(const auto before, session.get(kMeaningThen));
  if (before.value_or("") == now) return ok_status();
  return session.put({{kMeaningThen, now}, {kStageProgress, "[]"}});
}

}  // namespace knapsack
