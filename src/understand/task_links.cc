#include "understand/task_links.h"

#include <algorithm>
#include <array>

#include "core/ascii.h"
#include "understand/traces/stack_frames.h"

namespace knapsack {
namespace {

using ascii::kNone;
using std::string_view;
constexpr size_t kMaxLinkedPathBytes = 400;

// How long what begins a link here is; 0 when nothing does.
size_t opening_at(string_view text, size_t at) {
  const string_view rest = text.substr(at);
  for (const string_view opening : {"https://", "http://", "ftp://", "www."})
    if (ascii::starts_with_ignoring_case(rest, opening)) return opening.size();
  return 0;
}

size_t end_of_link(string_view text, size_t at) {
  size_t depth = 0;
  size_t end = at;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    if (static_cast<unsigned char>(c) <= ' ' || string_view("<>\"`|\\^{}").find(c) != kNone) break;
    if (c == '(') ++depth;
    if (c == ')' && depth-- == 0) break;
    if (c == ']') break;
  }
  while (end > at && string_view(".,;:!?'*_").find(text[end - 1]) != kNone) --end;
  return end;
}

}  // namespace

std::vector<Link> find_links(string_view text) {
  std::vector<Link> links;
  for (size_t at = 0; at < text.size();) {
    const char c = ascii::lower(text[at]);
    const bool may_begin = (c == 'h' || c == 'f' || c == 'w') && (at == 0 || !ascii::is_word(text[at - 1]));
    const size_t opening = may_begin ? opening_at(text, at) : 0;
    if (opening == 0) {
      ++at;
      continue;
    }
    const size_t end = end_of_link(text, at + opening);
    if (end > at + opening) links.push_back({at, end});
    at = std::max(end, at + opening);
  }
  return links;
}

std::string drop_links(string_view text) {
  const std::vector<Link> links = find_links(text);
  if (links.empty()) return std::string(text);
  std::string kept;
  size_t at = 0;
  for (const Link& link : links) {
    kept.append(text.substr(at, link.begin - at));
    at = link.end;
    if (kept.ends_with("](") && text.substr(at).starts_with(')')) {
      kept.pop_back();
      ++at;
    } else if (kept.ends_with('<') && text.substr(at).starts_with('>')) {
      kept.pop_back();
      ++at;
    }
  }
  return kept.append(text.substr(at));
}

PathHint linked_file(string_view link) {
  // What stands between the repository and the revision, by host.
  constexpr std::array<string_view, 4> kViews = {"/blob/", "/tree/", "/blame/", "/src/"};
  size_t ref = kNone;
  for (const string_view view : kViews) {
    const size_t at = link.find(view);
    if (at != kNone && at < ref) ref = at + view.size();
  }
  const string_view host_and_path = link.substr(std::min(link.find("://") + 3, link.size()));
  const bool in_repository =
      std::count(host_and_path.begin(), host_and_path.end(), '/') >= 4;  // owner, name, view
  const size_t slash = ref == kNone || !in_repository ? kNone : link.find('/', ref);
  if (slash == kNone) return {};
  string_view path = link.substr(slash + 1);
  const size_t fragment = path.find('#');
  uint32_t line = 0, last = 0;
  if (fragment != kNone) {
    string_view place = path.substr(fragment + 1);
    for (const string_view prefix : {"L", "lines-"}) {
      if (!place.starts_with(prefix)) continue;
      const string_view digits = ascii::leading_digits(place.substr(prefix.size()));
      line = line_number(digits);
      string_view behind = place.substr(prefix.size() + digits.size());
      while (!behind.empty() && !ascii::is_digit(behind.front()) && behind.size() < kMaxLinkedPathBytes)
        behind.remove_prefix(1);  // "-L20", ":20", "C3-L20C9"
      last = line_number(ascii::leading_digits(behind));
      if (last < line) last = 0;
    }
    path = path.substr(0, fragment);
  }
  path = path.substr(0, path.find('?'));
  if (path.empty() || path.size() > kMaxLinkedPathBytes) return {};
  return {std::string(path), line, last};
}

}  // namespace knapsack
