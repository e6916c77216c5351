// A service over a copy of the example workspace, which has all four sources.
#pragma once

#include <memory>
#include <string>

#include "serve/mcp/mcp.h"
#include "serve/service.h"
#include "support/support.h"

namespace knapsack::testing {

class ServedWorkspace {
 public:
  explicit ServedWorkspace(unsigned max_running = 2, EngineParts parts = {});

  const TemporaryFolder& folder() const { return folder_; }
  serve::Service& service() { return *service_; }
  // The reply as its structured part alone, serialised.
  static std::string serialise(const serve::ToolReply& reply);
  serve::ToolReply call(const std::string& tool, const serve::Json& arguments);
  size_t runs() const;  // in the ledger

 private:
  TemporaryFolder folder_;
  std::unique_ptr<serve::Service> service_;
};

}  // namespace knapsack::testing
