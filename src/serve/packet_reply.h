// Packets as replies of tools: the same fields for every tool that answers with one. Internal to serve/.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/gathered.h"
#include "packet/packet.h"
#include "serve/call.h"
#include "serve/reply_fit.h"
#include "text/tokens/token_counter.h"

namespace knapsack::serve {

// What max_tokens counts by, and so the counter of the packets inside.
inline constexpr const char* kReplyCounter = "o200k";

// The output schema of such a tool.
Json packet_schema(bool with_task_id = false);

Draft make_packet_draft(const Call& call, const Packet& packet, const std::string& output,
                        const std::vector<std::string>& notices, const Json& more);

// Of any reply of the engine that holds a packet. `more` goes beside the usual fields.
template <class EngineReply>
Draft packet_draft(const Call& call, const EngineReply& reply, const Json& more = Json::object()) {
  return make_packet_draft(call, reply.packet, reply.output, reply.notices, more);
}

// The reply with as much of what was gathered as fits. Budgets are tried until it does; only the packet is made again.
template <class EngineReply>
Result<ToolReply> fit_gathered(const Call& call, Gathered<EngineReply>& gathered,
                               const std::function<Json(const EngineReply&)>& more = {}) {
  KNAPSACK_TRY(const TokenCounter* counter, find_token_counter(kReplyCounter));
  EngineReply last;
  std::optional<uint64_t> last_budget;
  return fit_budget(call, [&](uint64_t budget, bool for_real) -> Result<Draft> {
    if (last_budget != budget) {
      KNAPSACK_TRY(last, gathered.assemble({budget, counter}));
      last_budget = budget;
    }
    if (for_real) KNAPSACK_CHECK(gathered.keep(last));
    return packet_draft(call, last, more ? more(last) : Json::object());
  });
}

}  // namespace knapsack::serve
