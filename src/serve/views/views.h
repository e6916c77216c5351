// Views: questions whose answer is shown to people, not put before a model. JSON in, JSON out, all of it.
//
// A tool answers in words within max_tokens; a view gives every row with its numbers, so that a page can draw
// it. Views leave no trace in the ledger. The same table as the tools': arguments are checked against a
// schema, replies keep one. Safe to share between threads.
#pragma once

#include <semaphore>
#include <span>
#include <string_view>
#include <vector>

#include "engine/account/inspection.h"
#include "packet/packet.h"
#include "serve/call.h"

namespace knapsack::serve {

struct ViewCall : Call {
  const Inspection& inspection;  // of this call alone, as the engine is
};

struct ViewEntry {
  Tool about;  // its name, its schemas, whether it changes anything
  Result<Json> (*run)(const ViewCall& call) = nullptr;
};

// The table, and asking it. Each call has an engine of its own; at most one a core runs, the others wait.
class Views {
 public:
  explicit Views(EngineOptions options);

  std::span<const ViewEntry> entries() const { return entries_; }
  // kNotFound for a view that is not there, kUsage for arguments that do not keep its schema.
  Result<Json> ask(std::string_view name, const Json& arguments, const Caller& caller) const;

 private:
  const EngineOptions options_;
  const std::vector<ViewEntry> entries_;
  mutable std::counting_semaphore<> turns_;
};

// The families of views, each in a file of its own.
std::vector<ViewEntry> packet_views();
std::vector<ViewEntry> run_views();
std::vector<ViewEntry> memory_views();
std::vector<ViewEntry> code_views();
std::vector<ViewEntry> graph_views();
std::vector<ViewEntry> notes_views();
std::vector<ViewEntry> workspace_views();
std::vector<ViewEntry> all_views();

// A packet with every part that was considered for it: what a page draws. At most kMaxParts of them.
inline constexpr size_t kMaxParts = 5000;
Json packet_account(const Packet& packet, const std::string& output, const std::vector<StepTime>& times);
Json packet_account_schema();
// The parts of a score, by name.
Json components_of(const Score& score);

}  // namespace knapsack::serve
