#include "engine/support_workspace.h"

#include <algorithm>
#include <filesystem>

#include "packet/render/group_view.h"
#include "support/real_ledger.h"
#include "text/tokens/token_counter.h"

namespace knapsack::testing {

namespace fs = std::filesystem;

RetrievalWorkspace::RetrievalWorkspace() : ledger_(make_real_ledger()) {
  fs::create_directory(folder_.file(".knapsack"));  // so that it is a workspace of its own
}

void RetrievalWorkspace::copy_source(const std::vector<std::string>& folders) const {
  for (const std::string& name : folders) {
    fs::create_directories(fs::path(folder_.file(name)).parent_path());
    fs::copy(fs::path(KNAPSACK_SOURCE_DIR) / name, folder_.file(name), fs::copy_options::recursive);
  }
}

void RetrievalWorkspace::open() {
  EngineParts parts;
  parts.files = files;
  parts.ledger = ledger_;
  EngineOptions options;
  options.folder = folder_.path();
  options.workspace = folder_.path();
  options.environment = environment;
  options.model_file = model_file;
  options.start_embedding = start_embedding;
  options.now = *parse_rfc3339(kRetrievalTime);
  auto engine = Engine::open(options, parts);
  ASSERT_OK(engine);
  engine_ = *std::move(engine);
}

void RetrievalWorkspace::index(unsigned jobs) {
  open();
  ASSERT_NE(engine_, nullptr);
  IndexOptions wanted;
  wanted.jobs = jobs;
  ASSERT_OK(engine_->index(wanted));
}

RetrieveRequest RetrievalWorkspace::request(const std::string& task, uint64_t window, uint64_t reserved) {
  RetrieveRequest made;
  made.task = task;
  made.stages = "scope,precision";
  made.context_window = window;
  made.reserved_tokens = reserved;
  made.no_model = true;
  made.refresh = false;
  return made;
}

RetrieveReply RetrievalWorkspace::retrieve(const RetrieveRequest& request) {
  auto reply = engine_->retrieve(request);
  EXPECT_OK(reply);
  return reply.ok() ? *std::move(reply) : RetrieveReply();
}

RetrieveReply RetrievalWorkspace::assemble(std::unique_ptr<GatheredRetrieval>& gathered,
                                           const RetrieveRequest& request, uint64_t budget) {
  if (!gathered) {
    auto made = engine_->gather_retrieval(request);
    EXPECT_OK(made);
    if (!made.ok()) return {};
    gathered = *std::move(made);
  }
  const auto named = request.settings.find("code.tokenizer");
  auto reply = gathered->assemble(
      {budget, *find_token_counter(named == request.settings.end() ? "chars4" : named->second)});
  EXPECT_OK(reply);
  return reply.ok() ? *std::move(reply) : RetrieveReply();
}

std::vector<std::string> shown_files(const RetrieveReply& reply) {
  std::vector<std::string> files;
  const auto shown = shown_groups(reply.packet);
  for (size_t g = 0; g < shown.size(); ++g) {
    if (shown[g]) files.push_back(reply.packet.groups[g]->id);
  }
  return files;
}

bool shows_file(const RetrieveReply& reply, const std::string& path) {
  const auto files = shown_files(reply);
  return std::find(files.begin(), files.end(), path) != files.end();
}

}  // namespace knapsack::testing
