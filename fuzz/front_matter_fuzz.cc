// A memory as anybody may have written it: it is read whatever it holds, and what can be changed keeps its
// text and its other keys.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "memory/tree/front_matter.h"
#include "memory/tree/read_memory.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace knapsack::memory;
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  const std::string path = "facts/2026-11-15/a.md";
  const Memory before = read_memory(path, file).memory;
  const auto changed = with_keys(file, {{"status", "forgotten"}, {"accessCount", "7"}});
  if (!changed.ok()) return 0;
  const Memory after = read_memory(path, *changed).memory;
  if (after.broken_front_matter || after.status != Status::kForgotten || after.access_count != 7)
    std::abort();
  if (after.text != before.text || after.id != before.id || after.tags != before.tags) std::abort();
  if (!changed->ends_with(split_file(file).body)) std::abort();
  return 0;
}
