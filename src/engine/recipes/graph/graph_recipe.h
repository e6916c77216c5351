// The graph packet: understand the request, choose nodes, show them within the budget.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/recipes/graph/graph_session.h"
#include "graph/select/clarify.h"
#include "graph/store/commits.h"
#include "packet/assembly/assemble.h"
#include "packet/budget.h"

namespace knapsack {

// What a request turned out to be about. Its texts hold no secrets.
struct GraphAnswer {
  std::string request, goal;
  IntentChoice intent;
  graph::Entities entities;
  graph::Selection selection;
  graph::Deltas deltas;
  std::vector<std::string> critical_reasons;
  graph::Clarification clarification;
  bool suggested = false;                          // the clarification is part of the answer
  std::string applied_task_id, applied_commit_id;  // of a clarify task that was written
};

struct PriorRequest {
  int64_t seq = 0;  // 0: there was none
  std::optional<Timestamp> at;
};

struct GraphQuestion {
  std::string request;
  IntentChoice intent;
  std::optional<std::string> commit_id;
  bool suggest_clarify = true;
};
Result<GraphAnswer> answer_graph_request(const GraphSession& session, const GraphQuestion& question,
                                         const PriorRequest& prior, Timestamp now);

struct GraphPacket {
  Packet packet;
  std::string bytes;                            // by the renderer
  std::map<std::string, nlohmann::json> nodes;  // those in the packet, by id, without secrets
};
// The sections, warnings and status of the packet, for who packs them together with others.
Result<Packet> make_graph_sections(const GraphSession& session, const GraphAnswer& answer);
// Adds to the account of these sections what was not chosen.
Status add_graph_left_out(const GraphSession& session, const GraphAnswer& answer, Packet& packet);

// What packets of an answer are made of, whatever their budget: its nodes are read here.
struct GraphParts {
  std::vector<PacketSection> sections;
  std::vector<std::vector<PacketItem>> left_out;  // a list for each section: for the account alone
  std::map<std::string, nlohmann::json> nodes;    // those in the sections, by id, without secrets
  uint64_t secrets = 0;                           // that were replaced in the sections
};
Result<GraphParts> read_graph_parts(const GraphSession& session, const GraphAnswer& answer);

// kMaxBudget where there is no budget.
GraphPacket make_graph_packet(const GraphSession& session, const GraphAnswer& answer, const GraphParts& parts,
                              const Renderer& renderer, const Budget& budget, Timestamp now);

// The first line of a request, short enough for a title.
std::string goal_of(const std::string& request);

}  // namespace knapsack
