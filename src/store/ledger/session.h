// Session: the working state of one task, kept between stages and between runs.
//
// sessions/<task id>.db in the state folder: named values, each a text that the store does not look into.
// What put() acknowledged survives a crash and power loss; the values of one put() are all there or none is.
// A session belongs to one run at a time: a second one is told kBusy. One thread at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/file_system.h"
#include "core/result.h"
#include "store/file_lock.h"
#include "store/sqlite/sqlite.h"

namespace knapsack {

// The values of a retrieval session (docs/schema.md).
inline constexpr const char* kSessionRequest = "request";
std::string stage_output_key(const std::string& stage);  // "stage_outputs/scope": a value a stage
inline constexpr const char* kStageProgress = "stage_progress";
inline constexpr const char* kFinalContext = "final_context";
inline constexpr const char* kRefinementRequest = "refinement_request";
inline constexpr const char* kSnapshot = "snapshot";            // what the outputs are about
inline constexpr const char* kUnderstanding = "understanding";  // a model's reading of the task
inline constexpr const char* kErrorHints = "error_hints";       // error signatures of all refinements

// Letters, digits, '.', '_' and '-', at most 64, not starting with '.': it becomes a file name. kUsage
// otherwise.
Status check_task_id(std::string_view task_id);

class Session {
 public:
  // Creates the file where it is missing; `folder` is the sessions folder.
  static Result<Session> open(const std::string& folder, const std::string& task_id);
  // Nothing where there is no such session.
  static Result<std::optional<Session>> find(const FileSystem& files, const std::string& folder,
                                             const std::string& task_id);

  // The task ids of all sessions, sorted; nothing where there is no such folder.
  static Result<std::vector<std::string>> list(const FileSystem& files, const std::string& folder);
  // False for one that a run works on, which stays. Its lock file stays too: somebody may wait for it.
  static Result<bool> remove(FileSystem& files, const std::string& folder, const std::string& task_id);

  Result<std::optional<std::string>> get(const std::string& key);
  // Sets these values and leaves the others; an empty text is a value.
  Status put(const std::map<std::string, std::string>& values);

 private:
  Session(FileLock lock, sqlite::Database database)
      : lock_(std::move(lock)), database_(std::make_unique<sqlite::Database>(std::move(database))) {}

  FileLock lock_;
  std::unique_ptr<sqlite::Database> database_;
};

}  // namespace knapsack
