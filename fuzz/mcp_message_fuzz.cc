// What any peer may send: a message is read or refused, and every answer to it is one line of JSON.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "serve/mcp/json_rpc.h"
#include "serve/mcp/line_reader.h"

namespace {

using namespace knapsack::serve;

void check(const rpc::Message& message) {
  std::string answer;
  if (const auto* malformed = std::get_if<rpc::Malformed>(&message)) {
    answer = rpc::failure_text(malformed->id, malformed->failure);
  } else if (const auto* request = std::get_if<rpc::Request>(&message)) {
    if (!request->id.is_string() && !request->id.is_number_integer()) std::abort();
    if (!request->params.is_object()) std::abort();
    answer = rpc::result_text(request->id, request->params);
  } else {
    return;
  }
  if (answer.find('\n') != std::string::npos || !Json::accept(answer)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr size_t kMaxLine = 200;
  LineReader lines(
      kMaxLine,
      [](std::string_view line) {
        if (line.size() > kMaxLine) std::abort();
        const rpc::Parsed parsed = rpc::parse(line);
        if (parsed.messages.empty()) std::abort();
        for (const rpc::Message& message : parsed.messages) check(message);
      },
      [] {});
  lines.feed(bytes.substr(0, size / 3));
  lines.feed(bytes.substr(size / 3));
  lines.finish();
  return 0;
}
