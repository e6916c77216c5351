#include "understand/task_paths.h"

#include <algorithm>
#include <unordered_set>

#include "core/ascii.h"
#include "text/file_kinds.h"
#include "text/unicode/characters.h"
#include "understand/name_endings.h"
#include "understand/traces/stack_frames.h"

namespace knapsack {
namespace {

using std::string_view;
using Set = std::unordered_set<string_view>;
using ascii::kNone;

// Products and hosts that are called like a file.
bool is_product(string_view name) {
  static const Set known = {"node.js",     "vue.js",     "next.js",    "nuxt.js",  "react.js",  "three.js",
                            "d3.js",       "express.js", "discord.js", "chart.js", "moment.js", "ember.js",
                            "backbone.js", "angular.js", "require.js", "docs.rs",  "lib.rs",    "bun.sh",
                            "asp.net",     "alpine.js",  "nest.js"};
  return known.count(ascii::lower(name)) > 0;
}

bool is_root_folder(string_view name) {
  static const Set known = {
      "src",     "lib",        "libs",   "app",      "apps",       "pkg",       "packages", "tests",
      "test",    "docs",       "doc",    "internal", "cmd",        "include",   "examples", "scripts",
      "tools",   "config",     "crates", "modules",  "components", "public",    "spec",     "vendor",
      ".github", "benchmarks", "bench",  "fixtures", "migrations", "templates", "static",   "assets"};
  return known.count(name) > 0;
}

// What stands before a slash in things that are no paths: media types, platforms, revisions.
bool is_other_prefix(string_view name) {
  static const Set known = {"application", "text",   "image",   "audio",  "video",    "multipart", "font",
                            "linux",       "darwin", "windows", "origin", "upstream", "refs"};
  return known.count(name) > 0;
}

bool is_top_level_domain(string_view name) {
  static const Set known = {"com", "org", "net", "io", "dev", "ru", "edu",
                            "gov", "co",  "uk",  "de", "app", "ai"};
  return known.count(name) > 0;
}

string_view extension_of(string_view name) {
  const size_t dot = name.rfind('.');
  return dot == kNone || dot == 0 ? string_view() : name.substr(dot + 1);
}

string_view last_component(string_view path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

// Endings that are more often the last part of "node.text" than that of a file.
bool is_field_name(string_view extension) {
  static const Set known = {"text", "make", "inc", "lex", "sc", "ll", "dml", "ddl"};
  return known.count(extension) > 0;
}

// "NOTICE" and "README" are mostly words.
bool is_all_capitals(string_view name) {
  return std::all_of(name.begin(), name.end(), ascii::is_upper);
}

bool only_digits_and_dots(string_view text) {
  return text.find_first_not_of("0123456789.") == kNone;
}

// `cast/4`, `Repo.preload/3`: a function with its arity. `behind` follows what is written.
bool is_function(string_view written, string_view behind) {
  const size_t slash = written.find('/');
  if (slash == kNone || slash == 0) return false;
  const string_view name = written.substr(0, slash);
  const auto in_name = [](char c) { return ascii::is_identifier(c) || c == '.'; };
  const bool is_name = (ascii::is_letter(name[0]) || name[0] == '_') && name.back() != '.' &&
                       name.find("..") == kNone && std::all_of(name.begin(), name.end(), in_name);
  // What follows decides whether the digits are all of it.
  const string_view rest(written.data() + slash, written.size() - slash + behind.size());
  return is_name && arity_size(rest) == written.size() - slash;
}

// How many bytes of a path character stand here; 0 for anything else.
size_t path_character(string_view text, size_t at) {
  const char c = text[at];
  if (ascii::is_identifier(c) || string_view("-./\\@+~").find(c) != kNone) return 1;
  if (!ascii::is_above(c)) return 0;
  const Character character = character_at(text, at);
  return character.kind == CharacterKind::kSeparator ? 0 : character.bytes;
}

struct PathCandidate {
  string_view written;  // of path characters alone, punctuation at the end cut
  bool rooted = false;  // began with "./", "../", ".../" or "~/"
  bool has_line = false;
  bool called = false;  // "(" follows
  bool coded = false;   // stands in inline code
  SegmentKind kind = SegmentKind::kProse;
};

bool is_folder(const PathCandidate& candidate, string_view path) {
  const bool slash_behind = path.ends_with('/');
  if (slash_behind) path.remove_suffix(1);
  if (path.empty() || path[0] == '/' || path.find('\\') != kNone || path.find("//") != kNone) return false;
  const string_view first = path.substr(0, path.find('/'));
  const bool several = first.size() < path.size();
  if (is_other_prefix(first) || only_digits_and_dots(first)) return false;
  if (!several) return slash_behind && (is_root_folder(first) || candidate.coded);
  if (candidate.kind == SegmentKind::kCode) return false;
  if (is_top_level_domain(extension_of(first)) || first.find('@') != kNone) return false;
  return slash_behind || candidate.rooted || candidate.coded || is_root_folder(first) ||
         path.find('_') != kNone;
}

bool is_file(const PathCandidate& candidate, string_view path) {
  const string_view name = last_component(path);
  const bool several = name.size() < path.size();
  const bool placed = several || candidate.has_line || candidate.coded;
  if (is_known_file_name(name)) return placed || !is_all_capitals(name);
  const string_view extension = extension_of(name);
  const ExtensionKind kind = extension_kind(extension);
  if (kind == ExtensionKind::kUnknown) return false;
  const bool source = kind == ExtensionKind::kSource;
  if (only_digits_and_dots(name.substr(0, name.size() - extension.size()))) return false;
  if (path.find('@') != kNone && path[0] != '@') return false;
  if (candidate.called) return false;
  if (several || candidate.has_line) return true;
  if (is_field_name(extension) && !candidate.coded) return false;
  // A host, unless it stands where files do.
  if (is_product(name) || (is_top_level_domain(extension) && !candidate.coded)) return false;
  // "a.b.c" is a chain of fields, "a.m." a time of day.
  if (extension.size() == 1 && (name.size() < 4 || name.find('.') + 2 < name.size())) return candidate.coded;
  return source || candidate.kind != SegmentKind::kCode;
}

struct LineSuffix {
  uint32_t line = 0;
  size_t size = 0;
};

// ":12", ":12:5", ":12-20", "#L12", "#L12-L20", "(12,5)", ", line 12", " line 12", " строка 12"
LineSuffix read_line_suffix(string_view behind) {
  for (const string_view opening :
       {":", "#L", "(", ", line ", " line ", " on line ", ", строка ", " строка "}) {
    if (!behind.starts_with(opening)) continue;
    size_t end = opening.size();
    const string_view digits = ascii::leading_digits(behind.substr(end));
    if (digits.empty()) continue;
    end += digits.size();
    if (opening == "(") {
      constexpr size_t kMaxPosition = 24;  // "(12345678, 12345678)"
      const size_t close = behind.substr(0, kMaxPosition).find(')');
      if (close == kNone || behind.substr(end, close - end).find_first_not_of(",0123456789 ") != kNone)
        continue;
      return {line_number(digits), close + 1};
    }
    // A column or the end of a range goes with it.
    for (const string_view more : {":", "-L", "-"}) {
      const size_t size = behind.substr(end).starts_with(more)
                              ? ascii::leading_digits(behind.substr(end + more.size())).size()
                              : 0;
      if (size > 0) {
        end += more.size() + size;
        break;
      }
    }
    return {line_number(digits), end};
  }
  return {};
}

class PathFinder {
 public:
  PathFinder(string_view text, SegmentKind kind) : text_(text), kind_(kind) {}

  std::vector<PathMention> run(size_t max_paths) {
    size_t at = 0;
    bool coded = kind_ == SegmentKind::kInline;
    while (at < text_.size() && found_.size() < max_paths) {
      if (text_[at] == '`') coded = !coded || kind_ == SegmentKind::kInline;
      const size_t size = path_character(text_, at);
      if (size == 0) {
        ++at;
        continue;
      }
      size_t end = at;
      for (size_t more = size; more > 0 && end < text_.size();) {
        end += more;
        more = end < text_.size() ? path_character(text_, end) : 0;
      }
      at = std::max(examine(at, end, coded), end);
    }
    std::stable_sort(found_.begin(), found_.end(),
                     [](const PathMention& a, const PathMention& b) { return a.begin < b.begin; });
    return std::move(found_);
  }

 private:
  // Takes the run from `begin` to `end` if it is a path; gives where to go on.
  size_t examine(size_t begin, size_t end, bool coded) {
    if (end - begin > kMaxPathBytes || end - begin < 2) return end;
    PathCandidate candidate;
    candidate.kind = kind_;
    candidate.coded = coded;
    const auto ends_in_plus = [&] {
      const string_view run = text_.substr(begin, end - begin);
      return run.ends_with(".c++") || run.ends_with(".h++");
    };
    while (end > begin && string_view(".-+@~").find(text_[end - 1]) != kNone && !ends_in_plus()) --end;
    string_view written = text_.substr(begin, end - begin);
    if (written.find_first_of("./\\") == kNone && !is_known_file_name(written)) return end;
    // A drive before it belongs to it: "C:\src\cart.py".
    const bool drive = written.starts_with('\\') && begin >= 2 && text_[begin - 1] == ':' &&
                       ascii::is_letter(text_[begin - 2]);
    if (drive) {
      begin -= 2;
      written = text_.substr(begin, end - begin);
    }
    if (!drive && is_function(written, text_.substr(end))) return end;
    candidate.rooted = strip_root(written);
    const size_t behind_begin = static_cast<size_t>(written.data() + written.size() - text_.data());
    const string_view behind = text_.substr(behind_begin);
    LineSuffix suffix = read_line_suffix(behind);
    candidate.has_line = suffix.size > 0;
    candidate.called = suffix.size == 0 && behind.starts_with('(');
    const bool issue = behind.size() > 1 && behind[0] == '#' && ascii::is_digit(behind[1]);  // owner/name#12
    if (written.empty() || issue) return end;
    if (kind_ == SegmentKind::kCode && (written.starts_with("a/") || written.starts_with("b/")) &&
        diff_header(begin))
      written.remove_prefix(2);
    if (!is_file(candidate, written)) {
      if (!is_folder(candidate, written)) return end;
      suffix = {};
      while (written.ends_with('/')) written.remove_suffix(1);
    }
    found_.push_back({begin, behind_begin + suffix.size, {plain_path(written), suffix.line}});
    if (suffix.size == 0) read_report(begin, behind_begin);
    return behind_begin + suffix.size;
  }

  // ESLint prints a path alone and below it what it says of its lines: `  1905:7  error  'a' is never reassigned`.
  void read_report(size_t begin, size_t end) {
    const std::string path = found_.back().hint.path;
    while (begin > 0 && ascii::is_blank(text_[begin - 1])) --begin;
    size_t at = std::min(text_.find_first_not_of(" \t", end), text_.size());
    if ((begin > 0 && text_[begin - 1] != '\n') || at == text_.size() || text_[at] != '\n') return;
    constexpr size_t kMaxReports = 50;
    for (size_t n = 0; n < kMaxReports && at < text_.size(); ++n) {
      const size_t first = text_.find_first_not_of(" \t", at + 1);
      if (first == kNone || !ascii::is_digit(text_[first])) return;
      const size_t next = std::min(text_.find('\n', first), text_.size());
      const string_view report = text_.substr(first, next - first);
      const string_view digits = ascii::leading_digits(report);
      if (digits.empty() || !report.substr(digits.size()).starts_with(':')) return;
      const size_t column = ascii::leading_digits(report.substr(digits.size() + 1)).size();
      const size_t size = digits.size() + 1 + column;
      const string_view said = trim(report.substr(size));
      if (column == 0 || !(said.starts_with("error") || said.starts_with("warning"))) return;
      found_.push_back({first, first + size, {path, line_number(digits)}});
      at = next;
    }
  }

  static bool strip_root(string_view& written) {
    const size_t start = written.find_first_not_of(".~");
    const bool rooted = start != kNone && start > 0 && (written[start] == '/' || written[start] == '\\');
    if (rooted) written.remove_prefix(start + 1);
    return rooted;
  }

  bool diff_header(size_t begin) const {
    for (const string_view opening : {"--- ", "+++ ", "diff --git "}) {
      if (begin >= opening.size() && text_.substr(begin - opening.size(), opening.size()) == opening)
        return true;
    }
    constexpr size_t kMaxHeader = 2 * kMaxPathBytes;
    const string_view before = text_.substr(begin - std::min(begin, kMaxHeader), std::min(begin, kMaxHeader));
    return before.substr(before.rfind('\n') + 1).starts_with("diff --git ");
  }

  string_view text_;
  SegmentKind kind_;
  std::vector<PathMention> found_;
};

}  // namespace

std::vector<PathMention> find_paths(string_view text, SegmentKind kind, size_t max_paths) {
  return PathFinder(text, kind).run(max_paths);
}

}  // namespace knapsack
