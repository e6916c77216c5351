#include "engine/shown_content.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/line_ranges.h"
#include "git/repository.h"
#include "packet/render/group_view.h"
#include "text/json_members.h"
#include "text/parse_json.h"
#include "understand/task_paths.h"

namespace knapsack {
namespace {

using nlohmann::ordered_json;

constexpr size_t kMaxNamedPaths = 100;  // of one entry

void add_named(const PacketItem& item, std::vector<std::string>& named) {
  const Form& form = item.candidate.forms[*item.shown];
  for (const std::string_view text : {std::string_view(item.candidate.title), std::string_view(form.text)}) {
    for (const PathMention& mention : find_paths(text, SegmentKind::kProse, kMaxNamedPaths)) {
      if (std::find(named.begin(), named.end(), mention.hint.path) == named.end())
        named.push_back(mention.hint.path);
    }
  }
}

}  // namespace

bool ShownContent::names(const std::string& source, std::string_view path) const {
  const auto found = named.find(source);
  if (found == named.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](const std::string& written) {
    if (!path.ends_with(written)) return false;
    return path.size() == written.size() || path[path.size() - written.size() - 1] == '/';
  });
}

ShownContent shown_content(const Packet& packet) {
  ShownContent shown;
  const auto views = view_groups(packet);
  for (size_t g = 0; g < views.size(); ++g) {
    if (!views[g].shown) continue;
    const CandidateGroup& group = *packet.groups[g];
    shown.files[group.id] = {git_blob_id(group.text), views[g].ranges};
  }
  for (const PacketSection& section : packet.sections) {
    for (const PacketItem& item : section.items) {
      const bool is_code = item.candidate.source == Source::kCode;  // shows files rather than naming them
      if (!item.shown || item.candidate.group || is_code) continue;
      add_named(item, shown.named[std::string(to_string(item.candidate.source))]);
    }
  }
  return shown;
}

std::string shown_json(const ShownContent& shown) {
  ordered_json json = ordered_json::object();
  for (const auto& [path, file] : shown.files)
    json["files"][path] = {{"id", file.id}, {"lines", ranges_json(file.lines)}};
  for (const auto& [source, paths] : shown.named) json["named"][source] = paths;
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

ShownContent parse_shown(std::string_view text) {
  ShownContent shown;
  const auto json = parse_ordered_json(text);
  if (!json.is_object()) return shown;
  if (const auto files = json.find("files"); files != json.end() && files->is_object()) {
    for (const auto& [path, file] : files->items()) {
      if (!file.is_object()) continue;
      shown.files[path] = {text_member(file, "id"), parse_ranges(file.value("lines", ordered_json::array()))};
    }
  }
  if (const auto named = json.find("named"); named != json.end() && named->is_object()) {
    for (const auto& [source, paths] : named->items()) {
      for (const auto& path : paths)
        if (path.is_string()) shown.named[source].push_back(path.get<std::string>());
    }
  }
  return shown;
}

}  // namespace knapsack
