// A client's configuration as anybody may have written it: an addition to it is valid, is there, and can be
// taken back to the same bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "clients/jsonc_edit.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace knapsack::clients;
  const std::string before(reinterpret_cast<const char*>(data), size);
  const auto parsed = scan_jsonc(before, "f");
  if (!parsed.ok() || (!parsed->is_blank && parsed->root.find("k") != nullptr)) return 0;
  const auto insertions = add_member(before, "f", {"k", "x"}, {{"a", 1}});
  if (!insertions.ok()) return 0;
  const std::string after = with_insertions(before, *insertions);
  const auto document = scan_jsonc(after, "f");
  if (!document.ok() || document->root.find("k")->find("x") == nullptr) std::abort();
  std::string restored;
  if (!without_insertions(after, *insertions, restored) || restored != before) std::abort();
  return 0;
}
