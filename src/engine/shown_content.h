// ShownContent: which lines of which files a packet shows, and which files its other entries name; kept with the run, so
// that it can be compared later with what was changed.
//
// Pure functions over a packet; no thread rule.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "packet/packet.h"

namespace knapsack {

struct ShownFile {
  std::string id;                // git's id of the text that the lines are of
  std::vector<LineRange> lines;  // none where only signatures are shown
};

struct ShownContent {
  std::map<std::string, ShownFile> files;                 // by path
  std::map<std::string, std::vector<std::string>> named;  // by source: paths as they are written there

  // Of `source`, whether an entry names this path, by its end or whole.
  bool names(const std::string& source, std::string_view path) const;
};

ShownContent shown_content(const Packet& packet);
std::string shown_json(const ShownContent& shown);
// What does not parse shows nothing.
ShownContent parse_shown(std::string_view json);

}  // namespace knapsack
