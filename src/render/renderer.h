// Renderer: a packet as bytes, and the pieces of those bytes that packing has to price.
//
// Every piece ends with a line feed and begins with neither white space nor '/', so that what the pieces cost
// adds up to what the whole costs (text/token_counter.h). Renderers hold no state: any thread may use the
// same one.
#pragma once

#include <string>
#include <string_view>

#include "core/packet.h"
#include "core/result.h"

namespace knapsack {

class Renderer {
 public:
  virtual ~Renderer() = default;

  virtual std::string render(const Packet& packet) const = 0;

  // One item in one form, as it stands in its section or under "Also noted".
  virtual std::string item(const PacketSection& section, const Candidate& candidate, size_t form) const = 0;
  // What the first item of a section, and the first one under "Also noted", bring with them.
  virtual std::string section_frame(const PacketSection& section) const = 0;
  virtual std::string noted_frame() const = 0;
  // The line that counts what was left out.
  virtual std::string omission_line(uint64_t count) const = 0;
};

// True where a form is listed under "Also noted" instead of in its section.
bool is_noted(const PacketSection& section, size_t form);

const Renderer& markdown_renderer();
const Renderer& lean_json_renderer();

// "md" or "json"; an unknown name is a usage error that lists these.
Result<const Renderer*> find_renderer(std::string_view format);

}  // namespace knapsack
