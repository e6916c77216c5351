// The notes packet: read the folder, score its entries, assemble under the budget.
#pragma once

#include <string>

#include "engine/settings/settings.h"
#include "notes/folder.h"
#include "packet/assembly/assemble.h"

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

// Replaces the secrets in everything that was read, before anything is made of it: no title, id, keyword or
// row of the ledger then holds one, whole or cut. How many there were.
uint64_t redact(notes::NotesFolder& folder);

NotesPacket make_notes_packet(const notes::NotesFolder& folder, const NotesRecipe& recipe);

// The account that `--explain` adds: every entry with its score and form, and what was left out. It is about
// the packet and not counted. Valid JSON when the packet was rendered as JSON.
std::string with_explanation(const NotesPacket& made, bool json);

}  // namespace knapsack
