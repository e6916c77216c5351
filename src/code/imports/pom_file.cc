#include "code/imports/pom_file.h"

#include "code/parse/source_text.h"
#include "core/ascii.h"
#include "core/paths.h"

namespace knapsack::code {
namespace {

// Real files nest below 20.
constexpr size_t kMaxPomDepth = 64;

struct Coordinates {
  std::string group, artifact;
};

class PomReader {
 public:
  explicit PomReader(std::string_view text) : text_(text) {}

  PomFile run() {
    while (next_tag()) {
    }
    if (own_.group.empty()) own_.group = parent_.group;
    if (!own_.group.empty() && !own_.artifact.empty()) pom_.artifact = own_.group + ':' + own_.artifact;
    for (Coordinates& each : needs_) {
      if (each.group == "${project.groupId}") each.group = own_.group;
      if (!each.group.empty() && !each.artifact.empty())
        pom_.needs.push_back(each.group + ':' + each.artifact);
    }
    return std::move(pom_);
  }

 private:
  bool skip_past(std::string_view mark, size_t from) {
    const size_t end = text_.find(mark, from);
    at_ = end == std::string_view::npos ? text_.size() : end + mark.size();
    return end != std::string_view::npos;
  }

  bool next_tag() {
    const size_t open = text_.find('<', at_);
    if (open == std::string_view::npos) return false;
    const std::string_view content = ascii::trim_space(text_.substr(at_, open - at_));
    const std::string_view rest = text_.substr(open);
    if (rest.starts_with("<!--")) return skip_past("-->", open);
    if (rest.starts_with("<![CDATA[")) return skip_past("]]>", open);
    if (rest.starts_with("<?") || rest.starts_with("<!")) return skip_past(">", open);
    const size_t close = text_.find('>', open);
    if (close == std::string_view::npos) return false;
    std::string_view tag = text_.substr(open + 1, close - open - 1);
    at_ = close + 1;
    if (tag.starts_with('/')) {
      take(content);
      if (path_.empty()) return false;
      path_.resize(folder_of(path_).size());
      --depth_;
      return true;
    }
    if (tag.ends_with('/')) return true;
    tag = tag.substr(0, tag.find_first_of(" \t\r\n"));
    if (++depth_ > kMaxPomDepth) return false;
    path_ += (path_.empty() ? "" : "/") + std::string(tag);
    if (path_.ends_with("dependencies/dependency")) needs_.emplace_back();
    return true;
  }

  // The text of the element that ends.
  void take(std::string_view content) {
    const auto take_into = [&](std::string_view element, Coordinates& into) {
      if (path_ == std::string(element) + "/groupId") into.group = content;
      if (path_ == std::string(element) + "/artifactId") into.artifact = content;
    };
    take_into("project", own_);
    take_into("project/parent", parent_);
    if (!needs_.empty()) {
      take_into("project/dependencies/dependency", needs_.back());
      take_into("project/dependencyManagement/dependencies/dependency", needs_.back());
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t depth_ = 0;
  std::string path_;
  Coordinates own_, parent_;
  std::vector<Coordinates> needs_;
  PomFile pom_;
};

}  // namespace

PomFile read_pom_file(std::string_view text) {
  return PomReader(text).run();
}

}  // namespace knapsack::code
