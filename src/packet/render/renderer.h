// Renderer: a packet as bytes, and the pieces of those bytes that packing has to price.
//
// Every piece ends with a line feed and begins with neither white space nor '/', so that what the pieces cost
// adds up to what the whole costs (text/tokens/token_counter.h). Renderers hold no state: any thread may use the
// same one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "packet/packet.h"

namespace knapsack {

// One item in one form as it is printed, and what that costs once somebody has counted it.
struct Piece {
  std::string text;
  uint64_t units = 0;
};
using SectionPieces = std::vector<std::vector<Piece>>;  // by item and form

class Renderer {
 public:
  virtual ~Renderer() = default;

  // The packet as it stands, put together from the pieces of all its sections: nothing is printed anew but
  // the frames, so drafts are cheap.
  virtual std::string join(const Packet& packet, std::span<const SectionPieces> pieces) const = 0;

  // One item in one form, as it stands in its section or under "Also noted".
  virtual std::string item(const PacketSection& section, const Candidate& candidate, size_t form) const = 0;
  // What the first item of a section, and the first one under "Also noted", bring with them.
  virtual std::string section_frame(const PacketSection& section) const = 0;
  virtual std::string noted_frame() const = 0;
  // What the first shown part of a group brings with it.
  virtual std::string group_frame(const CandidateGroup& group) const = 0;
  // The line that counts what was left out.
  virtual std::string omission_line(uint64_t count) const = 0;
};

// Every item of the section in every form.
SectionPieces print_pieces(const Renderer& renderer, const PacketSection& section);
// Prints a packet that is printed only once.
std::string render(const Renderer& renderer, const Packet& packet);

// True where a form is listed under "Also noted" instead of in its section.
bool is_noted(const PacketSection& section, size_t form);

// Calls visit(item, form) for the items that are shown, in the order in which they are.
template <class Visit>
void for_each_shown(const PacketSection& section, Visit visit) {
  for (size_t i = 0; i < section.items.size(); ++i) {
    const size_t item = section.display_order.empty() ? i : section.display_order[i];
    if (section.items[item].shown) visit(item, *section.items[item].shown);
  }
}

const Renderer& markdown_renderer();
const Renderer& prompt_renderer();
const Renderer& lean_json_renderer();

// "md", "prompt" or "json" (the lean one); an unknown name is a usage error that lists these.
Result<const Renderer*> find_renderer(std::string_view format);

}  // namespace knapsack
