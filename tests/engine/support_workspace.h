// Repositories for retrieval in this process: an engine with a fixed time and a ledger in memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "support/support.h"

namespace knapsack::testing {

inline constexpr const char* kRetrievalTime = "2026-11-15T08:00:00Z";

class RetrievalWorkspace {
 public:
  RetrievalWorkspace();

  const TemporaryFolder& folder() const { return folder_; }
  // Files of this project below these folders, under the same names.
  void copy_source(const std::vector<std::string>& folders) const;
  void open();                    // the engine
  void index(unsigned jobs = 0);  // opens it too

  Engine& engine() { return *engine_; }
  std::shared_ptr<Ledger> ledger() const { return ledger_; }

  // Both stages without a model on the index as it is; the caller changes what it wants otherwise.
  static RetrieveRequest request(const std::string& task, uint64_t window, uint64_t reserved = 0);
  // Fails the test when that fails.
  RetrieveReply retrieve(const RetrieveRequest& request);
  // The packet of a budget by what is gathered for the request, once.
  RetrieveReply assemble(std::unique_ptr<GatheredRetrieval>& gathered, const RetrieveRequest& request,
                         uint64_t budget);

  // The environment of the engine, before its first use.
  std::map<std::string, std::string> environment;
  // Instead of the disk.
  std::shared_ptr<FileSystem> files;
  // The encoder's model; none as it comes.
  std::string model_file;
  std::function<void(const std::string&, const std::string&)> start_embedding;

 private:
  TemporaryFolder folder_;
  std::shared_ptr<Ledger> ledger_;
  std::unique_ptr<Engine> engine_;
};

// Whether a file is shown in a packet, by its heading.
bool shows_file(const RetrieveReply& reply, const std::string& path);
std::vector<std::string> shown_files(const RetrieveReply& reply);

}  // namespace knapsack::testing
