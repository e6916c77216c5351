// Any bytes as knapsack.toml and as an rc file: settings, or an error of one line; and no place outside of
// the workspace.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/files/memory_file_system.h"
#include "engine/settings/places.h"
#include "engine/settings/settings.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const size_t half = text.find('\0') == std::string::npos ? text.size() : text.find('\0');
  knapsack::MemoryFileSystem files;
  files.put("/w/knapsack.toml", text.substr(0, half));
  files.put("/w/.ctxrc", half < text.size() ? text.substr(half + 1) : "token_budget: 5000\n");
  files.put("/etc/passwd", "x");
  const knapsack::SettingsRequest request{"/w", "/w", {{"HOME", "/home/you"}}, {}};
  const auto settings = knapsack::load_settings(files, request);
  if (!settings.ok()) return 0;
  for (const std::string& folder :
       {knapsack::context_folder(*settings, request), knapsack::graph_folder(*settings, request)}) {
    if (!knapsack::check_place_inside(files, "/w", folder).ok()) std::abort();
  }
  return 0;
}
