#include "git/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/ascii.h"

namespace knapsack {
namespace {

// A value with its quotes, escapes and trailing comment taken off.
std::string plain_value(std::string_view text) {
  std::string out;
  bool quoted = false;
  size_t kept = 0;  // blanks behind this are trailing
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      quoted = !quoted;
      kept = out.size();
      continue;
    }
    if (!quoted && (c == '#' || c == ';')) break;
    const bool escaped = c == '\\' && i + 1 < text.size();
    if (escaped) {
      c = text[++i];
      if (c == 'n') c = '\n';
      if (c == 't') c = '\t';
    }
    out += c;
    if (quoted || escaped || !ascii::is_space(c)) kept = out.size();
  }
  out.resize(kept);
  return out;
}

}  // namespace

GitFormat parse_git_format(std::string_view config) {
  GitFormat format;
  std::string section;
  while (!config.empty()) {
    std::string line;
    bool continued = true;
    while (continued && !config.empty()) {
      const size_t end = std::min(config.find('\n'), config.size());
      std::string_view part = config.substr(0, end);
      config.remove_prefix(std::min(end + 1, config.size()));
      if (part.ends_with('\r')) part.remove_suffix(1);
      const size_t last = part.find_last_not_of('\\');
      const size_t backslashes = part.size() - (last == std::string_view::npos ? 0 : last + 1);
      continued = backslashes % 2 == 1;
      if (continued) part.remove_suffix(1);
      line += part;
    }
    std::string_view rest = ascii::trim_space(line);
    if (rest.starts_with('[')) {
      const size_t close = rest.find(']');
      if (close == std::string_view::npos) continue;
      section = ascii::lower(ascii::trim_space(
          rest.substr(1, close - 1)));  // a subsection keeps its quotes and so matches nothing
      rest = ascii::trim_space(rest.substr(close + 1));
    }
    if (rest.empty() || rest[0] == '#' || rest[0] == ';') continue;
    const size_t equals = std::min(rest.find('='), rest.size());
    const std::string name = ascii::lower(ascii::trim_space(rest.substr(0, equals)));
    const std::string value =
        equals < rest.size() ? plain_value(ascii::trim_space(rest.substr(equals + 1))) : "true";
    if (section == "core" && name == "repositoryformatversion") {
      std::from_chars(value.data(), value.data() + value.size(), format.version);
    } else if (section == "core" && name == "worktree") {
      format.work_tree = value;
    } else if (section == "extensions") {
      format.extensions.emplace_back(name, value);
    }
  }
  return format;
}

Status check_git_format(const GitFormat& format, const std::string& path) {
  for (const auto& [name, value] : format.extensions) {
    if (name == "objectformat" && ascii::lower(value) != "sha1") {
      return Error{ErrorCode::kConfig,
                   fmt::format("{} keeps its objects as {}, and only sha1 can be read", path, value),
                   "its files can still be indexed as a plain folder"};
    }
    if (name == "refstorage" && ascii::lower(value) != "files") {
      return Error{ErrorCode::kConfig,
                   fmt::format("{} keeps its references as {}, and only files can be read", path, value),
                   "run `git refs migrate --ref-format=files` in it"};
    }
    static constexpr std::string_view kHarmless[] = {"noop",           "preciousobjects",   "partialclone",
                                                     "worktreeconfig", "relativeworktrees", "objectformat",
                                                     "refstorage",     "compatobjectformat"};
    // As in git: extensions count from version 1 on.
    if (format.version >= 1 &&
        std::find(std::begin(kHarmless), std::end(kHarmless), name) == std::end(kHarmless)) {
      return Error{ErrorCode::kConfig, fmt::format("{} uses the unknown extension '{}'", path, name), ""};
    }
  }
  if (format.version > 1 || format.version < 0) {
    return Error{
        ErrorCode::kConfig,
        fmt::format("{} has repository format version {}, and only 0 and 1 are known", path, format.version),
        ""};
  }
  return ok_status();
}

bool is_partial_clone(const GitFormat& format) {
  return std::any_of(format.extensions.begin(), format.extensions.end(),
                     [](const auto& extension) { return extension.first == "partialclone"; });
}

}  // namespace knapsack
