#include "serve/support_service.h"

#include <filesystem>

namespace knapsack::testing {

namespace fs = std::filesystem;

ServedWorkspace::ServedWorkspace(unsigned max_running, EngineParts parts) {
  fs::copy(fs::path(KNAPSACK_SOURCE_DIR) / "examples/workspace", folder_.path(), fs::copy_options::recursive);
  fs::remove_all(fs::path(folder_.path()) / ".knapsack");  // of whoever has tried the example
  serve::ServiceOptions options;
  options.engine.folder = folder_.path();
  options.engine.workspace = folder_.path();
  options.engine.environment["HOME"] = folder_.path();
  options.parts = std::move(parts);
  options.max_running = max_running;
  auto opened = serve::Service::open(options);
  EXPECT_OK(opened);
  if (opened.ok()) service_ = *std::move(opened);
}

std::string ServedWorkspace::serialise(const serve::ToolReply& reply) {
  const serve::Json whole = {
      {"text", reply.text}, {"structured", reply.structured}, {"error", reply.is_error}};
  return whole.dump(-1, ' ', false, serve::Json::error_handler_t::replace);
}

serve::ToolReply ServedWorkspace::call(const std::string& tool, const serve::Json& arguments) {
  auto reply = service_->call(tool, arguments, {}, serialise);
  EXPECT_OK(reply);
  return reply.ok() ? *std::move(reply) : serve::ToolReply{};
}

size_t ServedWorkspace::runs() const {
  const auto engine = service_->engine();
  EXPECT_OK(engine);
  constexpr int64_t kAll = 1'000'000;
  const auto listed = (*engine)->runs(kAll);
  EXPECT_OK(listed);
  return listed->size();
}

}  // namespace knapsack::testing
