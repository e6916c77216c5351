// What an Engine holds, shared by the files that implement its methods.
#pragma once

#include "code/ask/code_index.h"
#include "engine/engine.h"
#include "engine/settings/setting_file_cache.h"
#include "engine/settings/settings.h"
#include "engine/settings/workspace.h"
#include "notes/folder.h"
#include "store/ledger/ledger.h"

namespace knapsack {

struct EngineState {
  EngineOptions options;
  std::shared_ptr<FileSystem> files;
  bool on_disk = true;  // false when a test gave its files: then there is nothing to lock
  std::shared_ptr<Clock> clock;
  std::shared_ptr<Ledger> given_ledger;             // only when a test gave one
  std::shared_ptr<model::ModelClient> given_model;  // likewise
  std::shared_ptr<model::EmbeddingClient> given_embeddings;
  Workspace workspace;

  mutable SettingFileCache setting_files;

  SettingsRequest settings_request(const Flags& flags) const;
  Result<Settings> settings(const SettingsRequest& request) const {
    return load_settings(*files, request, setting_files);
  }
  Result<Settings> settings(const Flags& flags) const { return settings(settings_request(flags)); }
  // Says what the workspace's file may not set, where a command has no other way to.
  void tell_refused(const Settings& settings) const;
  // Where the notes are and how messages name the place.
  Result<notes::FolderRequest> folder_request(const Settings& settings, const SettingsRequest& request) const;

  std::string state_folder() const;
  // The index of the work tree, or of the commit that `revision` names.
  Result<std::unique_ptr<code::CodeIndex>> code_index(const std::string& revision) const;
  enum class Told { kAll, kChangesOnly };
  Result<code::IndexReport> bring_index_up_to_date(const IndexOptions& wanted, Told told = Told::kAll) const;
  // The same for who can do with what is there; only the very first index cannot be done without.
  struct Refreshed {
    std::string problem;  // why it could not be done; empty where it could
    int64_t snapshot =
        0;  // the number of the one that holds: what was found in another has to be found again
  };
  Result<Refreshed> refresh_index(const IndexOptions& wanted) const;
  // The model at that address; the one that a test gave, whatever the address.
  Result<std::shared_ptr<model::ModelClient>> model_client(const Settings& settings, const std::string& model,
                                                           const std::string& base_url,
                                                           uint64_t window) const;
  // In words, for `status`: what is indexed, or why nothing can be said.
  std::string describe_code_index() const;
  // The file that somebody in the current folder means; kNotFound with a suggestion, kUsage when several fit.
  Result<uint32_t> find_file(const code::CodeIndex& index, const std::string& named) const;
  Result<FileText> file_text(const std::string& named) const;
  // Opened for each request, so that a long-lived program does not keep others from pruning. Creates nothing.
  Result<std::shared_ptr<Ledger>> ledger() const;
  // Keeps the account of a run with what it handed out, and gives its number. Where it cannot be kept the
  // packet is still worth printing: nothing then, and a notice. Creates the state folder.
  Result<std::optional<int64_t>> record(const RunRecord& run, const std::vector<Decision>& decisions,
                                        const std::vector<ModelCall>& calls, std::string_view output,
                                        std::vector<std::string>& notices);
  Status record_index_run(const IndexRun& run) const;
  Result<RunKey> append(const RunRecord& run, const std::vector<Decision>& decisions,
                        const std::vector<ModelCall>& calls, std::string_view output);
  Result<bool> cooling_down(const std::string& session_key, Timestamp now, const Settings& settings) const;
};

}  // namespace knapsack
