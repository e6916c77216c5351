// Many random packets: every recipe, by every counter, in every format. None exceeds its budget, none differs
// when it is made again, none takes long.
//
// KNAPSACK_RANDOM_PACKETS says how many; `make check-deep` makes 100,000.
#include <fmt/format.h>
#include <time.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "engine/support_workspace.h"
#include "regress/support_hostile.h"
#include "support/notes_fixture.h"
#include "support/real_ledger.h"
#include "text/tokens/token_counter.h"

namespace knapsack {
namespace {

using testing::Hostile;
using testing::RetrievalWorkspace;

constexpr int kUsualPackets = 1500;
// Of the processor, so that a busy machine cannot fail a test. All threads of this process together.
constexpr double kMaxSeconds = 10;

int packets_wanted() {
  const char* text = std::getenv("KNAPSACK_RANDOM_PACKETS");
  return (text == nullptr ? kUsualPackets : std::max(1, std::atoi(text))) / testing::cases_divisor();
}

double process_seconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Counted apart from what packing uses, as far as there is another way.
uint64_t tokens_of(const std::string& text, const std::string& counter) {
  if (counter == "bytes4") return (text.size() + 3) / 4;
  if (counter != "chars4") return (*find_token_counter(counter))->count(text);
  uint64_t characters = 0;
  for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xC0) == 0x80 ? 0 : 1;
  return (characters + 3) / 4;
}

struct Made {
  std::string output;
  uint64_t used = 0;
  bool over = false;  // said to be: only the inviolable part of the notes may be
};

// One packet that is asked for; the same answer each time.
struct Wanted {
  size_t recipe = 0;
  std::string task, counter, format;
  uint64_t budget = 0;
  bool fill = false;
};

const std::vector<std::string> kRecipes = {"agent", "recall", "graph pack", "retrieve", "pack"};

Wanted random_wish(Hostile& random) {
  static const std::vector<std::string> kCounters = {"chars4", "bytes4", "cl100k", "o200k"};
  static const std::vector<std::string> kFormats = {"md", "prompt", "json"};
  static const std::vector<std::string> kWishes = {
      "make the importer resume at its offset",
      "fix src/importer1.py and `Importer2`",
      "why does resume fail?\nTraceback:\n  File \"src/importer0.py\", line 3, in resume\nKeyError: 'offset'",
      "Исправить импорт после перезапуска",
      "TG-TASK-1 and what it waits for",
      "zzz qqq"};
  Wanted wanted;
  wanted.recipe = random.number(kRecipes.size());
  wanted.task = random.any_of(kWishes);
  if (random.number(4) == 0) wanted.task += " " + random.line();
  wanted.counter = random.any_of(kCounters);
  // The notes packet has two formats.
  wanted.format = wanted.recipe == 0 ? (random.number(2) == 0 ? "md" : "json") : random.any_of(kFormats);
  // A third tiny, a third as people give them, a third up to where everything fits.
  const size_t size = random.number(3);
  wanted.budget = size == 0   ? random.number(300)
                  : size == 1 ? 200 + random.number(4000)
                              : random.number(60'000);
  if (wanted.recipe == 3) wanted.budget = std::max<uint64_t>(wanted.budget, 1);
  wanted.fill = random.number(3) == 0;
  return wanted;
}

template <class Reply>
Result<Made> made_of(const Result<Reply>& reply) {
  if (!reply.ok()) return reply.error();
  return Made{reply->output, reply->packet.used, reply->packet.over_budget};
}

Result<Made> make_packet(Engine& engine, const Wanted& wanted) {
  const std::string budget = std::to_string(wanted.budget);
  if (wanted.recipe == 0) {
    AgentRequest request;
    request.format = wanted.format;
    request.task = wanted.task;
    request.dry_run = true;
    request.settings = {{"notes.budget", budget}, {"notes.tokenizer", wanted.counter}};
    return made_of(engine.agent(request));
  }
  if (wanted.recipe == 1) {
    RecallRequest request;
    request.prompt = wanted.task;
    request.mode = "full";
    request.format = wanted.format;
    request.dry_run = true;
    request.settings = {{"recall.max_tokens", budget}, {"recall.tokenizer", wanted.counter}};
    return made_of(engine.recall(request));
  }
  if (wanted.recipe == 2) {
    GraphPackRequest request;
    request.request = wanted.task;
    request.format = wanted.format;
    request.budget = wanted.budget;
    request.dry_run = true;
    request.settings = {{"graph.tokenizer", wanted.counter}};
    return made_of(engine.graph_pack(request));
  }
  if (wanted.recipe == 3) {
    RetrieveRequest request = RetrievalWorkspace::request(wanted.task, wanted.budget);
    request.format = wanted.format;
    request.dry_run = true;
    request.fill = wanted.fill;
    request.settings["code.tokenizer"] = wanted.counter;
    return made_of(engine.retrieve(request));
  }
  PackRequest request;
  request.task = wanted.task;
  request.format = wanted.format;
  request.fill = wanted.fill;
  request.refresh = false;
  request.dry_run = true;
  request.settings = {{"pack.budget", budget}, {"pack.tokenizer", wanted.counter}};
  return made_of(engine.pack(request));
}

// What people keep, with hostile files beside it in every second workspace.
void write_workspace(const RetrievalWorkspace& workspace, Hostile& random, int number) {
  write_hostile(workspace.folder(), random);
  if (number % 2 == 0) return;
  std::mt19937 seed(static_cast<uint32_t>(number));
  for (const auto& [name, bytes] : testing::make_notes(seed, {}).files)
    workspace.folder().write(".context/" + name, bytes);
  workspace.copy_source({"src/packet"});
}

TEST(RandomPackets, KeepTheirBudgetsAreTheSameAgainAndTakeNotLong) {
  const int wanted_packets = packets_wanted();
  constexpr int kOfOneWorkspace = 250;
  std::vector<size_t> filled(kRecipes.size());
  double longest = 0;
  for (int made = 0, number = 0; made < wanted_packets; ++number) {
    Hostile random(static_cast<uint32_t>(7000 + number));
    RetrievalWorkspace workspace;
    write_workspace(workspace, random, number);
    workspace.index();
    EngineOptions options;
    options.folder = workspace.folder().path();
    options.now = *parse_rfc3339(testing::kRetrievalTime);
    const auto other = Engine::open(options, {nullptr, nullptr, testing::make_real_ledger()});
    ASSERT_OK(other);
    for (int i = 0; i < kOfOneWorkspace && made < wanted_packets; ++i, ++made) {
      const Wanted wanted = random_wish(random);
      SCOPED_TRACE(fmt::format("workspace {} packet {}: {} of {} {} as {}{}: {}", number, i,
                               kRecipes[wanted.recipe], wanted.budget, wanted.counter, wanted.format,
                               wanted.fill ? ", filled" : "", wanted.task));
      const double began = process_seconds();
      const auto packet = make_packet(workspace.engine(), wanted);
      const double took = process_seconds() - began;
      longest = std::max(longest, took);
      ASSERT_LT(took, kMaxSeconds);
      ASSERT_OK(packet);
      // Most JSON is the account of a packet: the budget is that of the text which the account is about.
      const bool account = wanted.format == "json" && wanted.recipe != 0;
      const uint64_t tokens = account ? packet->used : tokens_of(packet->output, wanted.counter);
      ASSERT_EQ(tokens, packet->used) << packet->output;
      ASSERT_TRUE(wanted.format != "json" || packet->output.empty() || nlohmann::json::accept(packet->output))
          << packet->output;
      ASSERT_TRUE(tokens <= wanted.budget || (packet->over && wanted.recipe % 4 == 0)) << packet->output;
      const auto again = make_packet(**other, wanted);
      ASSERT_OK(again);
      ASSERT_EQ(again->output, packet->output);
      filled[wanted.recipe] += packet->output.size() > 200 ? 1 : 0;
    }
  }
  for (size_t i = 0; i < kRecipes.size(); ++i)
    EXPECT_GT(filled[i], static_cast<size_t>(wanted_packets) / 50) << kRecipes[i] << " must say something";
  std::printf("%d packets, each twice; the longest took %.2f s\n", wanted_packets, longest);
}

}  // namespace
}  // namespace knapsack
