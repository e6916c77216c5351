#include "serve/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <set>

#include "core/clock.h"
#include "core/helper_threads.h"
#include "serve/arguments.h"
#include "serve/call.h"
#include "serve/packet_reply.h"
#include "serve/reply_fit.h"
#include "text/json_members.h"
#include "text/secrets/redact.h"
#include "text/unicode/visible_text.h"

namespace knapsack::serve {
namespace {

std::vector<ToolEntry> all_tools() {
  std::vector<ToolEntry> tools;
  for (const auto& family : {pack_tools(), graph_tools(), search_tools(), code_tools(), memory_tools(),
                             note_tools(), account_tools(), outcome_tools()}) {
    tools.insert(tools.end(), family.begin(), family.end());
  }
  return tools;
}

// What can be answered from a published index alone, by any of several servers: nothing that is kept from call to call.
bool is_for_published(const ToolEntry& entry) {
  static const std::set<std::string_view> kNames = {"pack",          "retrieve_code", "search",
                                                    "project_notes", "graph_pack",    "graph_show"};
  if (kNames.contains(entry.tool.name)) return true;
  const auto code = code_tools();
  return std::any_of(code.begin(), code.end(),
                     [&](const ToolEntry& each) { return each.tool.name == entry.tool.name; });
}

// The same tool, asked about a repository.
ToolEntry for_repository(ToolEntry entry) {
  Json& schema = entry.tool.input_schema;
  schema["properties"]["repository"] = {{"type", "string"},
                                        {"description", "The repository, as the team calls it"},
                                        {"maxLength", kMaxNameCharacters}};
  schema["properties"]["revision"] = {
      {"type", "string"},
      {"description", "A published commit by its id or the first digits of that; left out: the newest"},
      {"maxLength", kMaxNameCharacters}};
  if (!schema.contains("required")) schema["required"] = Json::array();
  schema["required"].push_back("repository");
  return entry;
}

std::string short_name(const PublishedWorkspace& place) {
  constexpr size_t kShownDigits = 12;
  return fmt::format("{}@{}", place.repository, place.commit.substr(0, kShownDigits));
}

// At most so many calls at once; the others wait, for as long as somebody waits for them.
class Turns {
 public:
  explicit Turns(unsigned most) : free_(most) {}

  class Turn {
   public:
    explicit Turn(Turns* turns) : turns_(turns) {}
    Turn(Turn&& other) noexcept : turns_(std::exchange(other.turns_, nullptr)) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (turns_ != nullptr) turns_->give_back();
    }

   private:
    Turns* turns_;
  };

  Result<Turn> take(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [this] { return free_ > 0; }))
      return Error{ErrorCode::kStopped, "the call was cancelled", ""};
    --free_;
    return Turn(this);
  }

 private:
  void give_back() {
    {
      const std::lock_guard lock(mutex_);
      ++free_;
    }
    changed_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  unsigned free_;
};

unsigned turns_for(unsigned wanted) {
  return wanted > 0 ? wanted : core_count();
}

// Every reply names its workspace, errors too. What they quote of a call may hold a secret.
Error told_of(Error error, const std::string& workspace) {
  redact_secrets(error.what);
  redact_secrets(error.next);
  error.what = visible_text(error.what);
  error.next = visible_text(error.next);
  (error.next.empty() ? error.what : error.next) += fmt::format(" (workspace {})", workspace);
  return error;
}

// What max_tokens is where the arguments were too wrong to say.
uint64_t reply_limit(const Tool& tool, const Json& arguments) {
  const Json& properties = tool.input_schema.at("properties");
  if (!properties.contains("max_tokens")) return kMaxTokens;
  if (arguments.is_object()) {
    const auto given = arguments.find("max_tokens");
    if (given != arguments.end() && given->is_number_unsigned())
      return std::max(given->get<uint64_t>(), kMinTokens);
  }
  return properties.at("max_tokens").at("default").get<uint64_t>();
}

}  // namespace

struct Service::State {
  ServiceOptions options;
  std::string workspace;
  const TokenCounter* counter = nullptr;
  std::vector<ToolEntry> entries = all_tools();
  std::vector<Tool> tools;
  Turns turns;

  explicit State(ServiceOptions wanted) : options(std::move(wanted)), turns(turns_for(options.max_running)) {
    if (options.published) {
      std::erase_if(entries, [](const ToolEntry& entry) { return !is_for_published(entry); });
      for (ToolEntry& entry : entries) entry = for_repository(std::move(entry));
    }
    for (const ToolEntry& entry : entries) tools.push_back(entry.tool);
  }

  Result<ToolReply> run(const ToolEntry& entry, const Json& arguments, const Caller& caller,
                        const Serialise& serialise) {
    KNAPSACK_TRY(const Json checked, check_arguments(entry.tool, arguments));
    KNAPSACK_TRY(const auto turn, turns.take(caller.stop));
    if (options.published) return run_published(entry, checked, caller, serialise);
    EngineOptions wanted = options.engine;
    // One time for all that a call does: trying a packet and making it must give the same bytes.
    if (!wanted.now) wanted.now = SystemClock().now();
    KNAPSACK_TRY(const auto engine, Engine::open(std::move(wanted), options.parts));
    return entry.run(Call{*engine, checked, caller, serialise, *counter, workspace});
  }

  Result<ToolReply> run_published(const ToolEntry& entry, Json checked, const Caller& caller,
                                  const Serialise& serialise) {
    const auto began = std::chrono::steady_clock::now();
    KNAPSACK_TRY(PublishedWorkspace place, options.published->find(text_member(checked, "repository"),
                                                                   text_member(checked, "revision")));
    checked.erase("repository");
    checked.erase("revision");
    EngineOptions wanted = place.options;
    if (!wanted.now) wanted.now = SystemClock().now();
    KNAPSACK_TRY(const auto engine, Engine::open(std::move(wanted), options.parts));
    const std::string shown = short_name(place);
    auto reply = entry.run(Call{*engine, checked, caller, serialise, *counter, shown});
    std::string asked = checked.dump(-1, ' ', false, Json::error_handler_t::replace);
    redact_secrets(asked);
    options.published->record(
        place,
        {entry.tool.name, Json::accept(asked) ? asked : "{}", reply.ok() ? "ok" : "failed",
         std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began)});
    return reply;
  }
};

Service::Service(std::unique_ptr<State> state) : state_(std::move(state)) {}
Service::~Service() = default;

Result<std::unique_ptr<Service>> Service::open(ServiceOptions options) {
  auto state = std::make_unique<State>(std::move(options));
  if (state->options.published) {
    state->workspace = "the team's repositories";
  } else {
    KNAPSACK_TRY(const auto engine, Engine::open(state->options.engine, state->options.parts));
    state->workspace = engine->workspace();
  }
  KNAPSACK_TRY(state->counter, find_token_counter(kReplyCounter));
  return std::unique_ptr<Service>(new Service(std::move(state)));
}

std::span<const Tool> Service::tools() const {
  return state_->tools;
}

Result<ToolReply> Service::call(std::string_view tool, const Json& arguments, const Caller& caller,
                                const Serialise& serialise) {
  const auto found = std::find_if(state_->entries.begin(), state_->entries.end(),
                                  [&](const ToolEntry& entry) { return entry.tool.name == tool; });
  if (found == state_->entries.end())
    return Error{ErrorCode::kNotFound, fmt::format("there is no tool '{}'", tool), "list the tools"};
  auto reply = state_->run(*found, arguments, caller, serialise);
  if (reply.ok()) return reply;
  return error_reply(told_of(reply.error(), state_->workspace), serialise, *state_->counter,
                     reply_limit(found->tool, arguments));
}

bool Service::has_workspace() const {
  return state_->options.published == nullptr;
}

Result<std::unique_ptr<Engine>> Service::engine() const {
  if (!has_workspace())
    return Error{ErrorCode::kNotFound, "this server answers for a team's repositories and has no workspace",
                 "call a tool and name a repository"};
  return Engine::open(state_->options.engine, state_->options.parts);
}

const std::string& Service::workspace() const {
  return state_->workspace;
}

}  // namespace knapsack::serve
