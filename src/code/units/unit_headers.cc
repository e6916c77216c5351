#include <map>

#include "code/units/unit_signals.h"
#include "core/paths.h"
#include "text/file_kinds.h"

namespace knapsack::code {
namespace {

bool has_headers(std::string_view language) {
  return language == "c" || language == "cpp";
}

// "sink" of sink.h, sink.cc and sink-inl.h.
std::string_view stem_without_kind(std::string_view path) {
  std::string_view stem = stem_of(path);
  for (const std::string_view kind : {"-inl", "_inl", ".inl", "-impl", "_impl"})
    if (stem.ends_with(kind)) stem.remove_suffix(kind.size());
  return stem;
}

bool is_plain_header(std::string_view path) {
  return header_kind(path) == HeaderKind::kDeclarations && stem_without_kind(path) == stem_of(path);
}

}  // namespace

std::vector<size_t> files_that_lead(const UnitInput& input) {
  std::map<std::string_view, size_t> headers;  // the best of each stem
  std::vector<size_t> leading;
  for (size_t i = 0; i < input.files.size(); ++i) {
    const OpenFile& file = input.files[i];
    leading.push_back(i);
    if (!has_headers(input.index.file(file.file.file).language)) continue;
    const std::string_view stem = stem_without_kind(file.path);
    if (is_plain_header(file.path)) {
      headers.emplace(stem, i);
    } else if (const auto found = headers.find(stem); found != headers.end()) {
      leading.back() = found->second;
    }
  }
  return leading;
}

}  // namespace knapsack::code
