// Packets as replies of tools: the same fields for every tool that answers with one. Internal to serve/.
#pragma once

#include <string>
#include <vector>

#include "packet/packet.h"
#include "serve/call.h"
#include "serve/reply_fit.h"

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

}  // namespace knapsack::serve
