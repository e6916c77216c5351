// What a client asks for: the arguments of tools, paths, headers, refinements, files of tasks. Checked
// arguments keep the schema; everything else is one error. The first byte chooses.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/eval/eval_tasks.h"
#include "engine/recipes/code/retrieval_request.h"
#include "serve/arguments.h"
#include "serve/call.h"
#include "serve/http/http_mcp_headers.h"
#include "serve/http/rest_routes.h"
#include "store/ledger/session.h"

namespace {

using namespace knapsack;
using namespace knapsack::serve;

void check(bool holds) {
  if (!holds) std::abort();
}

void read_arguments(uint8_t which, const std::string& text) {
  static const std::vector<Tool> tools = [] {
    std::vector<Tool> all;
    for (const auto& family : {pack_tools(), memory_tools(), search_tools(), code_tools(), account_tools()})
      for (const ToolEntry& entry : family) all.push_back(entry.tool);
    return all;
  }();
  const Json arguments = Json::parse(text, nullptr, false);
  if (arguments.is_discarded()) return;
  const auto checked = check_arguments(tools[which % tools.size()], arguments);
  if (!checked.ok()) {
    check(checked.error().line().find('\n') == std::string::npos);
    return;
  }
  // What was completed needs no completing.
  const auto again = check_arguments(tools[which % tools.size()], *checked);
  check(again.ok() && *again == *checked);
}

void read_path(const std::string& text) {
  HttpRequest request;
  const size_t blank = std::min(text.find(' '), text.size());
  request.method = text.substr(0, blank);
  request.path = "/" + text.substr(std::min(blank + 1, text.size()));
  const RouteMatch match = find_route(request);
  check((match.route != nullptr) != match.refusal.has_value());
  (void)decode_header_value(text).has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
  switch (data[0] % 4) {
    case 0:
      read_arguments(data[1], text);
      break;
    case 1:
      read_path(text);
      break;
    case 2:
      if (const auto refinement = parse_refinement(text); !refinement.ok())
        check(refinement.error().line().find('\n') == std::string::npos);
      (void)check_task_id(text).ok();
      break;
    default:
      (void)parse_eval_tasks(text, "tasks").ok();
  }
  return 0;
}
