#include <fmt/format.h>

#include <algorithm>

#include "core/escape.h"
#include "packet/budget.h"
#include "packet/render/group_view.h"
#include "packet/render/renderer.h"
#include "packet/render/visible.h"
#include "text/markdown/markdown_lines.h"

namespace knapsack {
namespace {

bool is_only(std::string_view line, char c) {
  return std::all_of(line.begin(), line.end(),
                     [c](char each) { return each == c || each == ' ' || each == '\t'; });
}

// Whether a line could begin a heading, a fence or an element, or make the line before it a heading.
bool may_open_a_block(std::string_view line) {
  line = trim(line);
  if (line.empty()) return false;
  constexpr std::string_view kOpeners = "#`~<=";
  return kOpeners.find(line.front()) != std::string_view::npos || is_only(line, '-');
}

template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    visit(text.substr(at, end - at));
    at = end + 1;
  }
}

// A body under one of our headings opens no section, fence or element of the packet: one that might is
// quoted, and whatever it opens ends with the quote.
std::string contained(std::string_view body) {
  bool quoted = false;
  for_each_line(body, [&](std::string_view line) { quoted = quoted || may_open_a_block(line); });
  if (!quoted) return std::string(body).append(body.ends_with('\n') ? "" : "\n");
  std::string out;
  for_each_line(body, [&](std::string_view line) {
    out.append(trim(line).empty() ? ">" : "> ").append(trim(line).empty() ? "" : line).append("\n");
  });
  return out;
}

// Follow-up lines stand under the text of their bullet, and so belong to it.
std::string bullet(std::string_view marker, std::string_view text) {
  // An item that begins with an empty line ends there; one of dashes alone is a line across the page.
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  std::string out(marker);
  out.reserve(marker.size() + text.size() + 16);
  if (text.empty()) out += "…";
  if (!text.empty() && is_only(text.substr(0, text.find_first_of("\r\n")), '-')) out += '\\';
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    out.append(text, at, end - at);
    if (end < text.size()) out += "\n  ";
    at = end + 1;
  }
  return out += '\n';
}

// A path that reads like a heading of ours, such as "Read First", is marked as what it is.
std::string path_heading(std::string_view path) {
  const bool is_plain = path.find_first_of("/.") != std::string_view::npos &&
                        std::all_of(path.begin(), path.end(), [](unsigned char c) {
                          return c > ' ' && c != '`' && c != '(' && c != '<' && c != '[' && c != '*';
                        });
  if (is_plain) return escape_control(path);
  const std::string escaped = escape_control(path);
  const std::string fence(escaped.find('`') == std::string::npos ? "`" : "``");
  return fmt::format("{0}{1}{0}", fence, escaped);
}

// A line of its own that is nothing but words.
std::string words_only(std::string_view line) {
  std::string out = escape_control(trim(line));
  return may_open_a_block(out) ? "\\" + out : out;
}

std::string entry(std::string_view text) {
  const size_t end = text.find('\n');
  std::string out = fmt::format("### {}\n\n", text.substr(0, end));
  if (end == std::string_view::npos) return out;
  const size_t body = text.find_first_not_of('\n', end);
  return body == std::string_view::npos ? out : out.append(contained(text.substr(body))).append("\n");
}

// Longer than any run of backticks inside, so that nothing in the code can close it.
std::string fence_for(std::string_view code) {
  size_t longest = 2;
  for (size_t at = code.find('`'); at != std::string_view::npos; at = code.find('`', at)) {
    const size_t end = std::min(code.find_first_not_of('`', at), code.size());
    longest = std::max(longest, end - at);
    at = end;
  }
  return std::string(longest + 1, '`');
}

// Between stretches of lines that do not follow one another, and behind what goes on.
constexpr std::string_view kGap = "…\n";

// The chosen lines of a source file in one block, with the numbers that its lines really have.
std::string code_blocks(const CandidateGroup& group, const GroupView& view) {
  std::string numbers, code;
  for (const LineRange range : view.ranges) {
    numbers += fmt::format("{}{}", numbers.empty() ? "lines " : ", ", range.first);
    if (range.last > range.first) numbers += fmt::format("-{}", range.last);
    if (!code.empty()) code += kGap;
    code += group.lines(range);
    if (!code.empty() && !code.ends_with('\n')) code += '\n';
  }
  if (view.breaks_off()) code += kGap;
  std::string out;
  if (!view.ranges.empty()) {
    const std::string fence = fence_for(code);
    out = fmt::format("{}\n{}{}\n{}{}\n", numbers, fence, group.language, code, fence);
  }
  for (const OutlineLine& line : view.outline) {
    out += fmt::format("- {}: {}\n", line.line, escape_control(line.text));
  }
  return out;
}

// A frame begins with an empty line, which an entry before it may have left already.
void append_frame(std::string& out, std::string_view frame) {
  if (out.ends_with("\n\n") && frame.starts_with('\n')) frame.remove_prefix(1);
  out += frame;
}

class MarkdownRenderer final : public Renderer {
 public:
  std::string item(const PacketSection& section, const Candidate& candidate, size_t form) const override {
    if (candidate.group)
      return code_blocks(*candidate.group, view_form(*candidate.group, candidate.forms[form]));
    const std::string& text = candidate.forms[form].text;
    if (is_noted(section, form)) return bullet("- ", fmt::format("{}: {}", candidate.kind, text));
    switch (section.style) {
      case ItemStyle::kTask:
        return bullet("- [ ] ", text);
      case ItemStyle::kEntry:
        return entry(text);
      case ItemStyle::kBullet:
        break;
    }
    return bullet("- ", text);
  }

  std::string section_frame(const PacketSection& section) const override {
    return fmt::format("\n## {}\n\n", section.heading);
  }

  std::string noted_frame() const override { return "\n## Also noted\n\n"; }

  std::string group_frame(const CandidateGroup& group) const override {
    return fmt::format("\n## {}\n{}\n", path_heading(group.id),
                       group.about.empty() ? "" : words_only(group.about) + "\n");
  }

  std::string omission_line(uint64_t count) const override { return fmt::format("- … and {} more\n", count); }

  std::string join(const Packet& packet, std::span<const SectionPieces> pieces) const override {
    std::string out = fmt::format("# {}\n\n{}\n", packet.title, header(packet));
    for (const auto& preamble : packet.preambles) {
      if (preamble.lines.empty()) continue;
      out += fmt::format("\n## {}\n\n", preamble.heading);
      for (const auto& line : preamble.lines) out += bullet("- ", line);
    }
    append_groups(out, packet);
    std::string noted;
    for (size_t s = 0; s < packet.sections.size(); ++s) {
      const PacketSection& section = packet.sections[s];
      bool framed = false;
      for_each_shown(section, [&](size_t item, size_t form) {
        if (section.items[item].candidate.group) return;
        const std::string& text = pieces[s][item][form].text;
        if (is_noted(section, form)) {
          noted += text;
          return;
        }
        if (!framed) append_frame(out, section_frame(section));
        framed = true;
        out += text;
      });
    }
    const std::string counted = packet.omission_shown ? omission_line(packet.omitted_count()) : "";
    if (!noted.empty() || !counted.empty()) {
      append_frame(out, noted_frame());
      out += noted + counted;
    }
    if (packet.behind_stop > 0) append_frame(out, end_line(packet));
    if (!packet.instruction.empty()) append_frame(out, fmt::format("\n{}\n", packet.instruction));
    return out;
  }

 private:
  static std::string end_line(const Packet& packet) {
    if (packet.is_full) {
      return fmt::format(
          "\nEnds at {} tokens because the budget is full: {} further parts score well below these.\n",
          packet.used, packet.behind_stop);
    }
    return fmt::format(
        "\nEnds at {} tokens: {} further parts score well below these; fill adds what has room.\n",
        packet.used, packet.behind_stop);
  }

  // A heading with nothing below it would look like a mistake: files of which only the path has room are a list.
  void append_groups(std::string& out, const Packet& packet) const {
    const auto views = view_groups(packet);
    std::vector<std::string> paths;
    for (size_t g = 0; g < views.size(); ++g) {
      const CandidateGroup& group = *packet.groups[g];
      if (!views[g].shown) continue;
      if (views[g].by_title_alone) {
        // "huge.py is listed only (large)" names it already.
        const bool names_it = group.about.starts_with(group.id + " ");
        paths.push_back(
            words_only(names_it ? group.about : group.id + (group.about.empty() ? "" : ": " + group.about)));
        continue;
      }
      append_frame(out, group_frame(group));
      out += code_blocks(group, views[g]);
    }
    if (paths.empty()) return;
    std::string list = "\nNot shown:";
    if (paths.size() == 1) {
      list += ' ' + paths.front() + '\n';
    } else {
      list += '\n';
      for (const std::string& path : paths) list += bullet("- ", path);
    }
    append_frame(out, list);
  }

  static std::string header(const Packet& packet) {
    std::vector<std::string> parts;
    if (packet.dated) parts.push_back("Generated " + format_rfc3339(packet.generated));
    if (packet.budget < kMaxBudget) parts.push_back(fmt::format("Budget {}", packet.budget));
    parts.push_back(fmt::format("Used {}", packet.used));
    if (packet.omitted_count() > 0) parts.push_back(fmt::format("Left out {}", packet.omitted_count()));
    if (packet.over_budget)
      parts.push_back("OVER BUDGET: what must always be shown needs more than the budget");
    return fmt::format("{}", fmt::join(parts, " | "));
  }
};

}  // namespace

const Renderer& markdown_renderer() {
  static const MarkdownRenderer printer;
  static const VisibleRenderer renderer(printer);
  return renderer;
}

}  // namespace knapsack
