#include "serve/views/views.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/helper_threads.h"
#include "serve/arguments.h"
#include "serve/packet_reply.h"
#include "text/unicode/visible_text.h"

namespace knapsack::serve {
namespace {

// Gives its turn back, whichever way the call ends.
class TakenTurn {
 public:
  explicit TakenTurn(std::counting_semaphore<>& turns) : turns_(turns) { turns_.acquire(); }
  ~TakenTurn() { turns_.release(); }
  TakenTurn(const TakenTurn&) = delete;
  TakenTurn& operator=(const TakenTurn&) = delete;

 private:
  std::counting_semaphore<>& turns_;
};

}  // namespace

std::vector<ViewEntry> all_views() {
  std::vector<ViewEntry> views;
  for (const auto& family : {packet_views(), run_views(), memory_views(), code_views(), graph_views(),
                             notes_views(), workspace_views()}) {
    views.insert(views.end(), family.begin(), family.end());
  }
  return views;
}

Views::Views(EngineOptions options)
    : options_(std::move(options)),
      entries_(all_views()),
      turns_(static_cast<std::ptrdiff_t>(core_count())) {}

Result<Json> Views::ask(std::string_view name, const Json& arguments, const Caller& caller) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const ViewEntry& entry) { return entry.about.name == name; });
  if (found == entries_.end())
    return Error{ErrorCode::kNotFound, fmt::format("there is no view '{}'", name), ""};
  KNAPSACK_TRY(const Json checked, check_arguments(found->about, arguments));
  const TakenTurn turn(turns_);
  KNAPSACK_TRY(const auto engine, Engine::open(options_));
  KNAPSACK_TRY(const auto inspection, Inspection::open(options_));
  KNAPSACK_TRY(const TokenCounter* counter, find_token_counter(kReplyCounter));
  const Serialise none;
  const std::string workspace = engine->workspace();
  auto shown = found->run(ViewCall{{*engine, checked, caller, none, *counter, workspace}, *inspection});
  if (shown.ok()) make_visible(*shown);
  return shown;
}

}  // namespace knapsack::serve
