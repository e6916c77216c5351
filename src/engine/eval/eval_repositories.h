// Where the repositories of an evaluation are, and tasks that are made of their own history.
// Private to engine/eval/.
#pragma once

#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "core/result.h"
#include "engine/eval/eval_tasks.h"

namespace knapsack {

// `folder` holds "owner+name", "owner/name" or "name", each a work tree, a bare repository, or a folder with
// one of these in `repo`. The path of the one that is meant; kNotFound names the places that were looked at.
Result<std::string> find_repository(const FileSystem& files, const std::string& folder,
                                    const std::string& name);
// The names of all repositories of a folder, sorted.
Result<std::vector<std::string>> list_repositories(const FileSystem& files, const std::string& folder);

// A task a commit, newest first: its message is the question, the source files that it changed are the
// answer, the state before it is the base. Left out: merges, reverts, commits by bots, releases, commits of
// more than kMaxTaskFiles files and those that change no source file that was there before. Tests count only
// where a commit changes nothing else.
inline constexpr size_t kMaxTaskFiles = 20;
Result<std::vector<EvalTask>> tasks_from_history(const std::string& repository, const std::string& name,
                                                 size_t count);

// For the above; told from the words alone.
bool is_release_subject(std::string_view subject);
bool is_revert_subject(std::string_view subject);
bool is_bot_name(std::string_view author);
// Without the lines that tools add: "Signed-off-by: …", "Co-authored-by: …".
std::string without_trailers(std::string_view message);

}  // namespace knapsack
