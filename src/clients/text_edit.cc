#include "clients/text_edit.h"

namespace knapsack::clients {

std::string with_insertions(std::string_view before, const std::vector<Insertion>& insertions) {
  std::string after;
  size_t copied = 0;
  for (const Insertion& insertion : insertions) {
    after.append(before.substr(copied, insertion.at - copied)).append(insertion.text);
    copied = insertion.at;
  }
  return after.append(before.substr(copied));
}

bool without_insertions(std::string_view after, const std::vector<Insertion>& insertions,
                        std::string& before) {
  before.clear();
  size_t at = 0;
  for (const Insertion& insertion : insertions) {
    if (insertion.at < before.size() || insertion.at - before.size() > after.size() - at) return false;
    const size_t gap = insertion.at - before.size();
    before.append(after.substr(at, gap));
    at += gap;
    if (after.substr(at, insertion.text.size()) != insertion.text) return false;
    at += insertion.text.size();
  }
  before.append(after.substr(at));
  return true;
}

std::string_view line_break_of(std::string_view text) {
  const size_t end = text.find('\n');
  return end != std::string_view::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

}  // namespace knapsack::clients
