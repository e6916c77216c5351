// Changing front matter line by line.
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>

#include "core/ascii.h"
#include "memory/tree/front_matter.h"

namespace knapsack::memory {
namespace {

Error unchangeable(std::string_view why) {
  return {ErrorCode::kCorrupt, fmt::format("the front matter cannot be changed: {}", why),
          "write it with one key a line"};
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const size_t size = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

std::string_view line_end_of(std::string_view line) {
  if (line.ends_with("\r\n")) return "\r\n";
  return "\n";
}

// After the quote that begins at `at`.
size_t end_of_quoted(std::string_view text, size_t at) {
  const char quote = text[at];
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 >= text.size() || text[i + 1] != '\'') return i + 1;
      ++i;  // '' is a quote inside single quotes
    }
  }
  return text.size();
}

// After the value that begins at `at`, without the comment behind it.
size_t end_of_value(std::string_view line, size_t at) {
  const size_t stop = line.find_last_not_of(" \t\r\n") + 1;  // npos + 1 is 0
  if (at >= stop) return at;
  int depth = 0;
  size_t end = at;
  for (size_t i = at; i < stop;) {
    const char c = line[i];
    const bool begins = i == at || depth > 0;
    if (c == '#' && i > 0 && ascii::is_blank(line[i - 1])) break;
    if ((c == '"' || c == '\'') && begins) {
      i = std::min(end_of_quoted(line, i), stop);
    } else {
      if (begins && (c == '[' || c == '{')) ++depth;
      if (depth > 0 && (c == ']' || c == '}')) --depth;
      ++i;
    }
    if (!ascii::is_blank(c)) end = i;
  }
  return end;
}

// Where a key stands among the lines of the front matter.
struct KeyPlace {
  size_t line = 0;
  size_t column = 0;
  std::string key;
};

class Editor {
 public:
  explicit Editor(std::string_view yaml, std::string_view line_end) : line_end_(line_end) {
    for (const std::string_view line : lines_of(yaml)) lines_.emplace_back(line);
  }

  knapsack::Status find_keys(const YAML::Node& root) {
    for (const auto& entry : root) {
      const YAML::Mark mark = entry.first.Mark();
      if (!entry.first.IsScalar() || mark.is_null()) return unchangeable("a key is not a plain word");
      KeyPlace place{static_cast<size_t>(mark.line), static_cast<size_t>(mark.column), entry.first.Scalar()};
      if (place.line >= lines_.size() || place.column >= lines_[place.line].size()) {
        return unchangeable("a key is not where it should be");
      }
      const std::string_view before = std::string_view(lines_[place.line]).substr(0, place.column);
      if (before.find_first_not_of(' ') != std::string_view::npos) {
        return unchangeable("it is not written with one key a line");
      }
      places_.push_back(std::move(place));
    }
    std::sort(places_.begin(), places_.end(),
              [](const KeyPlace& a, const KeyPlace& b) { return a.line < b.line; });
    return ok_status();
  }

  knapsack::Status set(const KeyValue& wanted) {
    bool found = false;
    for (size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].key != wanted.key) continue;
      KNAPSACK_CHECK(replace(i, yaml_scalar(wanted.value)));
      found = true;
    }
    if (!found) {
      const size_t indent = places_.empty() ? 0 : places_.front().column;
      added_ += fmt::format("{}{}: {}{}", std::string(indent, ' '), wanted.key, yaml_scalar(wanted.value),
                            line_end_);
    }
    return ok_status();
  }

  std::string text() const {
    std::string all;
    for (const std::string& line : lines_) all += line;
    return all + added_;
  }

 private:
  knapsack::Status replace(size_t which, const std::string& value) {
    const KeyPlace& place = places_[which];
    std::string& line = lines_[place.line];
    const size_t stop = which + 1 < places_.size() ? places_[which + 1].line : lines_.size();
    const bool quoted = line[place.column] == '"' || line[place.column] == '\'';
    const size_t key_end = quoted ? end_of_quoted(line, place.column) : place.column + place.key.size();
    const size_t colon = key_end <= line.size() ? line.find_first_not_of(" \t", key_end) : std::string::npos;
    if (colon == std::string::npos || line[colon] != ':') return unchangeable("a key has no colon");
    // The value ends with the last line that is neither empty nor a comment of the top level: a line that is
    // indented belongs to the value, whatever it begins with.
    size_t last = place.line;
    for (size_t i = place.line + 1; i < stop; ++i) {
      const size_t first = lines_[i].find_first_not_of(" \t\r\n");
      if (first == std::string::npos || (lines_[i][first] == '#' && first <= place.column)) continue;
      last = i;
    }
    std::string rest;
    if (last == place.line) {
      const size_t value_begin = std::min(line.find_first_not_of(" \t", colon + 1), line.size());
      rest = line.substr(end_of_value(line, value_begin));
      if (rest.starts_with('#')) rest.insert(0, " ");  // `key: # why` has no value before its comment
    } else {
      rest = line_end_of(line);
    }
    line = line.substr(0, colon + 1) + " " + value + rest;
    for (size_t i = place.line + 1; i <= last; ++i) lines_[i].clear();
    return ok_status();
  }

  std::vector<std::string> lines_;
  std::string_view line_end_;
  std::vector<KeyPlace> places_;
  std::string added_;
};

// Every key but those that were set says what it said, and those say what they should.
bool as_wanted(const YAML::Node& before, const YAML::Node& after, const std::vector<KeyValue>& keys) {
  const auto values = [](const YAML::Node& root) {
    std::multimap<std::string, std::string> all;
    for (const auto& entry : root) all.emplace(entry.first.Scalar(), YAML::Dump(entry.second));
    return all;
  };
  auto old_values = values(before);
  auto new_values = values(after);
  for (const KeyValue& each : keys) {
    const YAML::Node now = after[each.key];
    if (!now.IsDefined() || !now.IsScalar() || now.Scalar() != each.value) return false;
    old_values.erase(each.key);
    new_values.erase(each.key);
  }
  return old_values == new_values;
}

}  // namespace

Result<std::string> with_keys(std::string_view file, const std::vector<KeyValue>& keys) {
  const FilePlan plan = split_file(file);
  if (plan.has_front_matter && plan.closing.empty()) return unchangeable("it has no closing --- line");
  KNAPSACK_TRY(const YAML::Node before, load_yaml(plan.yaml));
  const std::string_view line_end =
      plan.has_front_matter ? line_end_of(plan.opening) : line_end_of(file.substr(0, file.find('\n') + 1));
  Editor editor(plan.yaml, line_end);
  KNAPSACK_CHECK(editor.find_keys(before));
  for (const KeyValue& each : keys) KNAPSACK_CHECK(editor.set(each));
  const std::string yaml = editor.text();
  KNAPSACK_TRY(const YAML::Node after, load_yaml(yaml));
  if (!as_wanted(before, after, keys)) return unchangeable("changing a line would change more than its key");
  const std::string fence = fmt::format("---{}", line_end);
  std::string all(plan.mark);
  all += plan.has_front_matter ? plan.opening : std::string_view(fence);
  all += yaml;
  if (plan.has_front_matter) {
    all += plan.closing;
  } else {
    all += fence;
    all += line_end;
  }
  all += plan.body;
  return all;
}

}  // namespace knapsack::memory
