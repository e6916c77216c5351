// How a file's language is told from its name and bytes.
#include <algorithm>
#include <array>
#include <string>

#include "code/parse/language.h"
#include "code/parse/source_text.h"
#include "core/ascii.h"
#include "core/paths.h"

namespace knapsack::code {
namespace {

bool lists(std::string_view list, std::string_view word) {
  return any_word(list, [&](std::string_view one) { return one == word; });
}

// "python3" of "#!/usr/bin/env -S python3 -u"; empty without a #! line.
std::string_view interpreter(std::string_view bytes) {
  if (!bytes.starts_with("#!")) return "";
  std::string_view line = bytes.substr(2, bytes.find_first_of("\r\n") - 2);
  while (true) {
    line = ascii::trim_space(line);
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    const std::string_view program = base_name(word);
    const bool goes_on =
        program == "env" || word.starts_with('-') || word.find('=') != std::string_view::npos;
    if (!goes_on || word.size() == line.size()) return goes_on ? "" : program;
    line.remove_prefix(word.size());
  }
}

// "python3" of "python3.11": versions do not matter.
std::string_view without_version(std::string_view program) {
  const size_t dot = program.find('.');
  return program.substr(0, dot);
}

// Skips a comment or literal that begins at `at`; returns `at` itself where none does.
size_t skip_inert(std::string_view bytes, size_t at) {
  const std::string_view rest = bytes.substr(at);
  const auto end_of = [&](std::string_view mark, size_t from) {
    const size_t found = bytes.find(mark, from);
    return found == std::string_view::npos ? bytes.size() : found + mark.size();
  };
  if (rest.starts_with("//")) return end_of("\n", at);
  if (rest.starts_with("/*")) return end_of("*/", at + 2);
  if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) return at;
  size_t i = at + 1;
  while (i < bytes.size() && bytes[i] != rest[0] && bytes[i] != '\n') i += bytes[i] == '\\' ? 2 : 1;
  return std::min(i + 1, bytes.size());
}

// The end of `#ifdef __cplusplus … #endif` that begins at `at`: what C hides from itself is no sign of C++.
size_t skip_cplusplus_block(std::string_view bytes, size_t at) {
  int depth = 0;
  while (at < bytes.size()) {
    const size_t end = std::min(bytes.find('\n', at), bytes.size());
    std::string_view line = ascii::trim_space(bytes.substr(at, end - at));
    if (line.starts_with('#')) {
      line = ascii::trim_space(line.substr(1));
      if (line.starts_with("if")) ++depth;
      if (line.starts_with("endif") && --depth == 0) return end;
      if (depth == 1 && (line.starts_with("else") || line.starts_with("elif"))) return end;
    }
    at = end + 1;
  }
  return bytes.size();
}

bool is_cplusplus_guard(std::string_view bytes, size_t at) {
  const std::string_view line = bytes.substr(at, std::min(bytes.find('\n', at), bytes.size()) - at);
  const std::string_view directive = ascii::trim_space(line.substr(1));
  // `#if __cplusplus > 201703L` stands in headers that are C++ alone, and hides nothing from C.
  return directive.starts_with("ifdef __cplusplus") || directive.starts_with("if defined(__cplusplus") ||
         directive.starts_with("if defined (__cplusplus") || directive.starts_with("if defined __cplusplus");
}

// Words and marks that valid C headers do not use as code. Words that C code uses as plain names (new,
// delete, this) are not among them.
bool looks_like_cplusplus(std::string_view bytes) {
  constexpr std::array<std::string_view, 15> kWords = {
      "class",   "namespace", "template", "typename",    "constexpr", "nullptr",          "virtual", "public",
      "private", "protected", "noexcept", "static_cast", "decltype",  "reinterpret_cast", "explicit"};
  bool at_line_start = true;
  for (size_t i = 0; i < bytes.size();) {
    if (const size_t next = skip_inert(bytes, i); next != i) {
      at_line_start = bytes[next - 1] == '\n';
      i = next;
      continue;
    }
    const char c = bytes[i];
    if (c == '#' && at_line_start && is_cplusplus_guard(bytes, i)) {
      i = skip_cplusplus_block(bytes, i);
      continue;
    }
    at_line_start = c == '\n' || (at_line_start && is_space(c));
    if (c == ':' && bytes.substr(i, 2) == "::") return true;
    if (!is_identifier(c)) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < bytes.size() && is_identifier(bytes[end])) ++end;
    if (std::find(kWords.begin(), kWords.end(), bytes.substr(i, end - i)) != kWords.end()) return true;
    i = end;
  }
  return false;
}

bool looks_like_objective_c(std::string_view bytes) {
  for (const std::string_view mark : {"#import", "#include", "@interface", "@implementation", "@protocol"})
    if (bytes.find(mark) != std::string_view::npos) return true;
  return false;
}

}  // namespace

const Language& detect_language(std::string_view path, std::string_view bytes) {
  const std::string_view name = base_name(path);
  for (const Language& language : languages()) {
    if (lists(language.file_names, name)) return language;
  }
  const size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) {
    const std::string_view written = name.substr(dot + 1);
    const std::string extension = ascii::lower(written);
    if (extension == "h") return *find_language(written == "H" || looks_like_cplusplus(bytes) ? "cpp" : "c");
    if (written == "C") return *find_language("cpp");
    if (extension == "m" && !looks_like_objective_c(bytes)) return *find_language("matlab");
    for (const Language& language : languages()) {
      if (lists(language.extensions, extension)) return language;
    }
  }
  if (const std::string_view program = without_version(interpreter(bytes)); !program.empty()) {
    for (const Language& language : languages()) {
      if (lists(language.interpreters, program)) return language;
    }
  }
  return *find_language("text");
}

}  // namespace knapsack::code
