// PackAssembly: the packet of all sources under its budget, with what gives way when it is small.
//
// Private to engine/recipes/pack/. Keeps what was printed and priced once; one thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "packet/assembly/assemble.h"
#include "packet/budget.h"
#include "packet/packet.h"
#include "packet/render/renderer.h"
#include "text/tokens/unit_memory.h"

namespace knapsack {

class PackAssembly {
 public:
  // `named`: the files that the task itself names. The packets that are assembled later have these sections and no
  // larger budget.
  PackAssembly(const std::vector<PacketSection>& sections, const Renderer& renderer, const Budget& largest,
               const std::set<std::string>& named);

  // Chooses the forms; gives the bytes, which never exceed the budget. The rules of the constitution are worth more than
  // the files that the task names, these more than what to read, and that more than what is known anyway.
  std::string assemble_within(Packet& packet);
  // The first budget from which on something of the packet would be shown; 0 where there is nothing to show.
  uint64_t least_budget(const Packet& packet);

 private:
  bool shows_named_files(const Packet& packet) const;

  const Renderer& renderer_;
  UnitMemory memory_;
  std::vector<SectionPieces> pieces_;
  const std::set<std::string>& named_;
};

// Whether a reader gets anything but headings.
bool shows_something(const Packet& packet, const std::string& bytes);

}  // namespace knapsack
