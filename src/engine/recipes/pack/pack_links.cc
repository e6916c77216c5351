#include "engine/recipes/pack/pack_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "stages/stage_constants.h"
#include "text/markdown/markdown_lines.h"
#include "text/words/words.h"
#include "understand/task_analysis.h"

namespace knapsack {
namespace {

constexpr size_t kMaxLinked = 5;         // files that background entries pull in
constexpr size_t kMaxEntries = 5;        // of a section, that may do so
constexpr size_t kMinRepeatedWords = 4;  // shorter texts may be alike by chance
constexpr double kBears = 0.5;

// Each source says how much an entry has to do with the task.
bool bears_on_task(const Candidate& candidate) {
  return candidate.source != Source::kCode && candidate.bearing >= kBears;
}

std::string said_by(const Candidate& candidate) {
  return fmt::format("named by {} \"{}\"", candidate.kind, candidate.title);
}

class LinkFinder {
 public:
  explicit LinkFinder(code::CodeIndex& index) : index_(index) {}

  Status add(const Candidate& candidate) {
    const TaskQuery named = find_mentions(candidate.forms.front().text);
    for (const PathHint& hint : named.paths) add_path(hint.path, said_by(candidate));
    for (const std::string& symbol : named.symbols) {
      KNAPSACK_TRY(const auto places, index_.find_symbols(symbol));
      if (places.size() > stages::kMaxPlacesOfHint) continue;
      for (const auto& place : places) {
        add_file(place.file, static_cast<int32_t>(place.row.position), said_by(candidate));
      }
    }
    return ok_status();
  }

  std::vector<stages::Requested> found;

 private:
  void add_path(const std::string& path, const std::string& reason) {
    if (const auto exact = index_.find_file(path)) return add_file(*exact, stages::kNoPosition, reason);
    const std::vector<uint32_t> fitting = index_.find_by_suffix(path);
    if (fitting.size() > stages::kMaxPlacesOfHint) return;
    for (const uint32_t file : fitting) add_file(file, stages::kNoPosition, reason);
  }

  void add_file(uint32_t file, int32_t position, const std::string& reason) {
    if (files_.size() >= kMaxLinked || !files_.insert(file).second) return;
    found.push_back({index_.file(file).name, position, reason, true});
  }

  code::CodeIndex& index_;
  std::set<uint32_t> files_;
};

// Without the "[id]" and "(kind, date)" that sources put in front.
std::string_view without_lead(std::string_view text) {
  for (const auto& [open, close] : {std::pair('[', ']'), std::pair('(', ')')}) {
    if (!text.starts_with(open)) continue;
    const size_t end = text.find(close);
    if (end == std::string_view::npos || text.find('\n') < end) continue;
    text = trim(text.substr(end + 1));
  }
  return text;
}

// The words of a text in their order, whatever stands between them.
std::string normalised(const Candidate& candidate, size_t& words) {
  std::string out;
  words = 0;
  WordReader reader(without_lead(candidate.forms.front().text));
  for (Word word; reader.next(word); ++words) out.append(word.text).append(" ");
  return out;
}

}  // namespace

Result<std::vector<stages::Requested>> named_by_background(const std::vector<PacketSection*>& sections,
                                                           code::CodeIndex& index) {
  LinkFinder finder(index);
  for (const PacketSection* section : sections) {
    size_t looked = 0;
    for (const PacketItem& item : section->items) {
      if (!item.candidate.dropped.empty() || !bears_on_task(item.candidate)) continue;
      if (looked++ == kMaxEntries) break;
      KNAPSACK_CHECK(finder.add(item.candidate));
    }
  }
  return std::move(finder.found);
}

void raise_what_names(const std::vector<PacketSection*>& sections, const std::vector<std::string>& files) {
  for (PacketSection* each : sections) {
    PacketSection& section = *each;
    std::vector<bool> raised;
    for (PacketItem& item : section.items) {
      const std::string& text = item.candidate.forms.front().text;
      const auto named = std::find_if(files.begin(), files.end(), [&](const std::string& file) {
        return text.find(file) != std::string::npos;
      });
      raised.push_back(named != files.end());
      if (raised.back())
        item.candidate.provenance.push_back(fmt::format("names {}, which the task needs", *named));
    }
    std::vector<size_t> order(section.items.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_partition(order.begin(), order.end(), [&](size_t i) { return raised[i]; });
    reorder_items(section, order);
  }
}

void reorder_items(PacketSection& section, const std::vector<size_t>& order) {
  std::vector<PacketItem> items;
  std::vector<size_t> place(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    items.push_back(std::move(section.items[order[i]]));
  }
  section.items = std::move(items);
  for (size_t& shown : section.display_order) shown = place[shown];
}

std::vector<LeftOutItem> take_repeated(const std::vector<PacketSection*>& sections) {
  std::unordered_map<std::string, std::string> said;  // normalised text → id
  std::vector<LeftOutItem> repeated;
  for (PacketSection* section : sections) {
    std::vector<PacketItem> kept;
    std::vector<size_t> place;  // of each item among the kept ones
    for (PacketItem& item : section->items) {
      size_t words = 0;
      const std::string text = normalised(item.candidate, words);
      place.push_back(kept.size());
      if (words >= kMinRepeatedWords && item.candidate.dropped.empty()) {
        const auto [known, is_new] = said.emplace(text, item.candidate.id);
        if (!is_new) {
          item.candidate.dropped = item.reason = "says the same as " + known->second;
          repeated.push_back({section->key, std::move(item)});
          place.back() = SIZE_MAX;
          continue;
        }
      }
      kept.push_back(std::move(item));
    }
    section->items = std::move(kept);
    std::vector<size_t> order;
    for (const size_t shown : section->display_order) {
      if (place[shown] != SIZE_MAX) order.push_back(place[shown]);
    }
    section->display_order = std::move(order);
  }
  return repeated;
}

void account_for(std::vector<LeftOutItem> left_out, Packet& packet) {
  for (LeftOutItem& each : left_out) {
    for (PacketSection& section : packet.sections) {
      if (section.key != each.section) continue;
      if (!section.display_order.empty()) section.display_order.push_back(section.items.size());
      packet.left_out_before -= std::min(packet.left_out_before, each.item.candidate.stands_for);
      section.items.push_back(std::move(each.item));
      break;
    }
  }
}

}  // namespace knapsack
