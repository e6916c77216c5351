// The notes packet: read the folder, score its entries, assemble under the budget.
#pragma once

#include <string>

#include "engine/assemble.h"
#include "engine/settings.h"
#include "notes/folder.h"

namespace knapsack {

struct NotesRecipe {
  const Settings& settings;
  const TokenCounter& counter;
  const Renderer& renderer;
  std::string task;  // empty: keywords come from the tasks
  Timestamp now;
};

struct NotesPacket {
  Packet packet;
  std::string bytes;
};

NotesPacket make_notes_packet(const notes::NotesFolder& folder, const NotesRecipe& recipe);

// The account that `--explain` adds: every entry with its score and form, and what was left out. It is about
// the packet and not counted. Valid JSON when the packet was rendered as JSON.
std::string with_explanation(const NotesPacket& made, bool json);

}  // namespace knapsack
