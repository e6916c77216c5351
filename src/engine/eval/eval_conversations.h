// Conversations with questions whose evidence is known: what `knapsack eval --memory` measures with.
//
// The format is that of LoCoMo, a list of {"sample_id", "conversation": {"session_1": [turn…],
// "session_1_date_time": "1:56 pm on 8 May, 2023", …}, "qa": [{"question", "evidence", "category"}…]}; a turn
// is {"speaker", "dia_id", "text", "blip_caption"?}. Each turn becomes a memory, each session one of a day.
// Values only; no thread rule.
// Private to engine/eval/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "memory/tree/memory.h"

namespace knapsack {

struct ConversationQuestion {
  std::string text;
  std::string category;          // "single-hop", "multi-hop", "temporal", "open-domain", "adversarial"
  std::vector<size_t> evidence;  // positions of memories, ascending, each once
};

struct Conversation {
  std::string id;
  std::vector<memory::Memory> memories;  // in the order in which they were said
  std::vector<ConversationQuestion> questions;
  size_t without_evidence = 0;  // questions whose evidence is in no turn; they are not among the above
};

// kUsage names `shown_as` and the first thing that is off.
Result<std::vector<Conversation>> parse_conversations(std::string_view json, const std::string& shown_as);

}  // namespace knapsack
