// Settings: every value a user can set, where it comes from, and the constants that nobody sets but anybody
// may see.
//
// Precedence: flag, then environment, then knapsack.toml, then (for notes) the rc file beside the notes
// folder, then the user's own file (engine/settings/trust.h), then the default. An unknown key in a file is an error
// that names the nearest known one. What comes with the workspace names no place outside of it unless the
// user trusts its file: such a value does nothing, and `refused` says so.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "engine/api/account_requests.h"

namespace knapsack {

class SettingFileCache;

using Environment = std::map<std::string, std::string>;
using Flags = std::map<std::string, std::string>;  // by setting key, for what the command line says

// What `recall` finds and shows. docs/recall.md says what each is for.
struct RecallSettings {
  uint64_t max_tokens = 0;
  std::string tokenizer;
  bool planner_enabled = true;
  bool search_enabled = true;
  size_t max_results = 0;
  size_t minimal_results = 0;
  double floor = 0;
  double recency_weight = 0;
  bool intent_routing = false;
  double intent_boost = 0;
  bool verbatim_artifacts = false;
  bool query_expansion = false;
  bool search_rerank = false;
  bool rerank = false;
};

// How `search` puts its results in order. docs/search.md says what each is for.
struct SearchSettings {
  std::string embed_model, embed_url;  // of the user alone; empty: none is named
  std::string vectors;                 // none, auto, ollama or openai
  std::string vector_encoding;         // float32 or int8
  std::string fusion;                  // sum or rrf
  double vector_weight = 0;            // of the scores by meaning against those by words, 0 to 1
  bool rerank = false;
  bool mmr = false;
  bool meaning = true;  // whether the encoder of our own is asked
};

struct Settings {
  uint64_t notes_budget = 0;
  std::string notes_context_dir;
  bool context_dir_from_flag = false;  // then it is relative to where the program was started
  std::string notes_tokenizer;
  double notes_task_share = 0;
  double notes_convention_share = 0;
  int64_t notes_cooldown_seconds = 0;
  std::vector<std::string> notes_priority_order;
  uint64_t pack_budget = 0;
  std::string pack_tokenizer;
  std::string code_tokenizer;
  double code_safety_margin = 0;  // share of the budget that is left free when the counter only estimates
  std::vector<std::string> index_allow_sensitive;  // files that would only be listed, by name or path
  bool index_sandbox = true;                       // whether grammars run in processes of their own
  std::vector<std::string> also;  // folders of linked repositories, of the user's own settings
  std::string graph_dir;
  bool graph_dir_from_flag = false;  // then it is relative to where the program was started
  std::string graph_tokenizer;
  size_t graph_max_tasks = 0;
  size_t graph_max_kg = 0;
  size_t graph_max_rg = 0;
  size_t graph_max_deltas = 0;
  std::chrono::milliseconds model_deadline{0};
  std::string model_name, model_url;  // of the user alone; empty: none is named
  std::string model_provider;
  uint64_t model_window = 0;
  int64_t model_timeout_seconds = 0;
  std::string memory_dir;
  bool memory_dir_from_flag = false;           // then it is relative to where the program was started
  bool memory_dir_from_file = false;           // of the workspace: then it must not be a link
  std::vector<std::string> memory_namespaces;  // "" is the default one; at least one
  bool memory_shared = true;
  std::string team_url;  // may hold a password: not to be shown
  std::chrono::milliseconds hook_deadline{0};
  RecallSettings recall;
  SearchSettings search;
  std::vector<SettingRow> rows;  // all of the above as text
  // Values of the workspace's own file that do nothing, and why: a line each.
  std::vector<std::string> refused;
};

// `workspace` holds knapsack.toml; relative folders of flags start at `started_in`.
struct SettingsRequest {
  std::string workspace;
  std::string started_in;
  Environment environment;
  Flags flags;
};
Result<Settings> load_settings(const FileSystem& files, const SettingsRequest& request);
// The same with files that a request has read already.
Result<Settings> load_settings(const FileSystem& files, const SettingsRequest& request,
                               SettingFileCache& cache);

// The option of the command line that gives a setting; "" where none does or there is no such setting.
std::string_view setting_flag(std::string_view key);

// Where the notes folder is on disk.
std::string context_folder(const Settings& settings, const SettingsRequest& request);

// Where the graph is on disk.
std::string graph_folder(const Settings& settings, const SettingsRequest& request);

// Where the memories are on disk.
Result<std::string> memory_folder(const FileSystem& files, const Settings& settings,
                                  const SettingsRequest& request);

// Ranking and packing constants, with where each comes from: `knapsack config --all`.
std::vector<SettingRow> constants();

}  // namespace knapsack
