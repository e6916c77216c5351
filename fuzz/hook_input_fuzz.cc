// Any bytes on a hook's standard input: understood or not, and what is written for it is one JSON object.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/hook_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace knapsack::cli;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const HookClient* client : {&claude_code_hook(), &openclaw_hook()}) {
    HookInput input;
    if (!client->read(bytes, input).ok()) continue;
    const std::string written = client->write(input, "what \x01 is \xff told");
    if (!written.empty() && !nlohmann::json::accept(written)) std::abort();
  }
  return 0;
}
