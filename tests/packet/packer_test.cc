#include "packet/packer.h"

#include <algorithm>
#include <random>

#include "support/support.h"

namespace knapsack {
namespace {

const int kCases = 20'000 / testing::cases_divisor();

struct Shape {
  bool caps = true;
  int max_items = 12;
};

// Random sections: several tiers, shared tiers, caps, floors, pinned items, frames, forms that cost less and
// less.
PackProblem random_problem(std::mt19937& random, const Shape& shape) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  PackProblem problem;
  problem.base = static_cast<uint64_t>(pick(0, 30));
  const int sections = pick(1, 4);
  problem.frames.push_back(
      static_cast<uint64_t>(pick(0, 6)));  // the one that poor forms of all sections share
  for (int s = 0; s < sections; ++s) {
    PackSection section;
    section.tier = pick(1, 3);
    if (shape.caps) {
      if (pick(0, 2) == 0) section.cap = pick(0, 10) / 10.0;
      if (pick(0, 3) == 0) section.floor = pick(0, 3) / 10.0;
      if (pick(0, 2) == 0) section.rich_share = 0.8;
    }
    problem.frames.push_back(static_cast<uint64_t>(pick(0, 6)));
    const int items = pick(0, shape.max_items);
    for (int i = 0; i < items; ++i) {
      PackItem item;
      item.pinned = pick(0, 5) == 0;
      const int forms = pick(1, 3);
      auto cost = static_cast<uint64_t>(pick(1, pick(0, 9) == 0 ? 200 : 40));
      for (int f = 0; f < forms; ++f) {
        const bool shared = f + 1 == forms && forms > 1;
        item.forms.push_back({cost, shared ? size_t{0} : problem.frames.size() - 1});
        if (cost <= 1) break;
        cost = static_cast<uint64_t>(pick(1, static_cast<int>(cost) - 1));
      }
      section.items.push_back(item);
    }
    problem.sections.push_back(section);
  }
  problem.limit = static_cast<uint64_t>(pick(0, pick(0, 1) == 0 ? 60 : 600));
  return problem;
}

using Forms = std::vector<std::vector<std::optional<size_t>>>;

// The cost by the definition, computed apart from the packer.
uint64_t cost_of(const PackProblem& problem, const Forms& forms) {
  uint64_t total = problem.base;
  std::vector<bool> paid(problem.frames.size(), false);
  for (size_t s = 0; s < forms.size(); ++s) {
    for (size_t i = 0; i < forms[s].size(); ++i) {
      if (!forms[s][i]) continue;
      const FormCost& form = problem.sections[s].items[i].forms[*forms[s][i]];
      total += form.cost;
      if (form.frame && !paid[*form.frame]) {
        paid[*form.frame] = true;
        total += problem.frames[*form.frame];
      }
    }
  }
  return total;
}

// Every item in the order of service.
std::vector<std::pair<size_t, size_t>> service_order(const PackProblem& problem) {
  std::vector<std::pair<size_t, size_t>> order;
  std::vector<std::pair<int, size_t>> tiers;
  for (size_t s = 0; s < problem.sections.size(); ++s) tiers.emplace_back(problem.sections[s].tier, s);
  std::sort(tiers.begin(), tiers.end());
  for (const auto& [tier, s] : tiers) {
    for (const bool pinned : {true, false}) {
      for (size_t i = 0; i < problem.sections[s].items.size(); ++i) {
        if (problem.sections[s].items[i].pinned == pinned) order.emplace_back(s, i);
      }
    }
  }
  return order;
}

// How poor a choice is: 0 richest, the number of forms when omitted.
size_t poorness(const PackProblem& problem, const Forms& forms, std::pair<size_t, size_t> place) {
  const auto& chosen = forms[place.first][place.second];
  return chosen ? *chosen : problem.sections[place.first].items[place.second].forms.size();
}

Forms all_richest(const PackProblem& problem) {
  Forms forms;
  for (const auto& section : problem.sections) forms.emplace_back(section.items.size(), size_t{0});
  return forms;
}

TEST(Packer, NeverExceedsTheLimitAndAccountsForWhatItSpends) {
  std::mt19937 random(1);
  for (int n = 0; n < kCases; ++n) {
    const PackProblem problem = random_problem(random, {});
    const PackSolution solution = pack(problem);
    EXPECT_EQ(solution.used, cost_of(problem, solution.forms)) << n;
    EXPECT_LE(solution.used, std::max(problem.limit, problem.base)) << n;
  }
}

TEST(Packer, ShowsEverythingInFullWhenEverythingFits) {
  std::mt19937 random(2);
  int fitting = 0;
  for (int n = 0; n < kCases; ++n) {
    PackProblem problem = random_problem(random, {});
    const uint64_t full = cost_of(problem, all_richest(problem));
    if (n % 2 == 0) problem.limit = full + static_cast<uint64_t>(n % 3);
    if (full > problem.limit) continue;
    ++fitting;
    EXPECT_EQ(pack(problem).forms, all_richest(problem)) << n;
  }
  EXPECT_GT(fitting, kCases / 3);
}

TEST(Packer, WastesNothingWhileAnOmittedFormWouldFit) {
  std::mt19937 random(3);
  int omitting = 0;
  for (int n = 0; n < kCases; ++n) {
    const PackProblem problem = random_problem(random, {});
    if (problem.base > problem.limit) continue;
    const PackSolution solution = pack(problem);
    for (const auto& place : service_order(problem)) {
      if (solution.forms[place.first][place.second]) continue;
      ++omitting;
      const size_t count = problem.sections[place.first].items[place.second].forms.size();
      for (size_t form = 0; form < count; ++form) {
        Forms more = solution.forms;
        more[place.first][place.second] = form;
        EXPECT_GT(cost_of(problem, more), problem.limit) << n;
      }
    }
  }
  EXPECT_GT(omitting, kCases);
}

TEST(Packer, NeverShowsTheTopItemPoorerWithALargerLimit) {
  std::mt19937 random(4);
  for (int n = 0; n < kCases; ++n) {
    PackProblem problem = random_problem(random, {});
    const auto order = service_order(problem);
    if (order.empty()) continue;
    size_t before = SIZE_MAX;
    for (problem.limit = 0; problem.limit < 400; problem.limit += 1 + problem.limit / 16) {
      const size_t now = poorness(problem, pack(problem).forms, order.front());
      EXPECT_LE(now, before) << "case " << n << " limit " << problem.limit;
      before = now;
    }
  }
}

TEST(Packer, NeverReducesAHigherTierSoThatALowerOneShows) {
  std::mt19937 random(6);
  for (int n = 0; n < kCases; ++n) {
    PackProblem problem = random_problem(random, {.caps = false, .max_items = 6});
    for (size_t s = 0; s < problem.sections.size(); ++s) problem.sections[s].tier = static_cast<int>(s);
    const Forms chosen = pack(problem).forms;
    PackProblem first_only = problem;
    for (size_t s = 1; s < first_only.sections.size(); ++s) first_only.sections[s].items.clear();
    EXPECT_EQ(chosen[0], pack(first_only).forms[0]) << n;
  }
}

// Without caps the greedy answer is the best one: no assignment within the limit is richer for an earlier
// item without being poorer for one before it. Checked against all assignments.
TEST(Packer, AgreesWithBruteForceOnSmallInputs) {
  std::mt19937 random(7);
  int compared = 0;
  for (int n = 0; n < 3'000 / testing::cases_divisor(); ++n) {
    PackProblem problem = random_problem(random, {.caps = false, .max_items = 3});
    for (size_t s = 0; s < problem.sections.size(); ++s) problem.sections[s].tier = static_cast<int>(s);
    problem.limit %= 120;
    const auto order = service_order(problem);
    if (order.size() > 7 || problem.base > problem.limit) continue;
    ++compared;
    std::vector<size_t> best, current;
    Forms forms;
    for (const auto& section : problem.sections) forms.emplace_back(section.items.size());
    const auto visit = [&](auto&& self, size_t at) -> void {
      if (at == order.size()) {
        if (cost_of(problem, forms) <= problem.limit && (best.empty() || current < best)) best = current;
        return;
      }
      const auto [s, i] = order[at];
      const size_t count = problem.sections[s].items[i].forms.size();
      for (size_t form = 0; form <= count; ++form) {
        forms[s][i] = form < count ? std::optional<size_t>(form) : std::nullopt;
        current.push_back(form);
        self(self, at + 1);
        current.pop_back();
      }
    };
    visit(visit, 0);
    const Forms chosen = pack(problem).forms;
    std::vector<size_t> ours;
    for (const auto& place : order) ours.push_back(poorness(problem, chosen, place));
    EXPECT_EQ(ours, best) << n;
  }
  EXPECT_GT(compared, 1'000 / testing::cases_divisor());
}

TEST(Packer, GivesTheSameAnswerTwice) {
  std::mt19937 random(8);
  for (int n = 0; n < 2'000; ++n) {
    const PackProblem problem = random_problem(random, {});
    EXPECT_EQ(pack(problem).forms, pack(problem).forms);
  }
}

TEST(Packer, HandsOutWhatItemsThatShareSomethingLeave) {
  std::mt19937 random(9);
  int richer = 0;
  for (int n = 0; n < 2000; ++n) {
    const PackProblem problem = random_problem(random, {});
    const PackSolution first = pack(problem);
    EXPECT_EQ(hand_out(problem, first).forms, first.forms) << "nothing was left";
    if (first.used <= problem.base || first.used > problem.limit) continue;
    PackSolution cheaper = first;
    cheaper.used = problem.base + (first.used - problem.base) / 2;
    const PackSolution more = hand_out(problem, cheaper);
    EXPECT_LE(more.used, problem.limit);
    EXPECT_GE(more.used, cheaper.used);
    richer += more.forms == first.forms ? 0 : 1;
  }
  EXPECT_GT(richer, 0);
}

TEST(Packer, KeepsACapWhileLaterTiersCanUseTheRest) {
  PackProblem problem;
  problem.limit = 100;
  problem.sections.resize(2);
  problem.sections[0] = {.tier = 1, .cap = 0.4, .floor = 0, .rich_share = 1, .items = {}};
  problem.sections[1] = {.tier = 2, .cap = 1.0, .floor = 0, .rich_share = 1, .items = {}};
  for (auto& section : problem.sections) {
    for (int i = 0; i < 20; ++i) section.items.push_back({{{10, std::nullopt}}, false});
  }
  const PackSolution solution = pack(problem);
  const auto shown = [&](size_t s) {
    return 20 - std::count(solution.forms[s].begin(), solution.forms[s].end(), std::nullopt);
  };
  EXPECT_EQ(shown(0), 4);
  EXPECT_EQ(shown(1), 6);
}

TEST(Packer, KeepsAFloorFreeForALaterTier) {
  PackProblem problem;
  problem.limit = 100;
  problem.sections.resize(2);
  problem.sections[0].tier = 1;
  problem.sections[1].tier = 2;
  problem.sections[1].floor = 0.4;
  for (auto& section : problem.sections) {
    for (int i = 0; i < 20; ++i) section.items.push_back({{{10, std::nullopt}}, false});
  }
  const PackSolution solution = pack(problem);
  EXPECT_EQ(20 - std::count(solution.forms[1].begin(), solution.forms[1].end(), std::nullopt), 4);
}

TEST(Packer, KeepsTheHeadingOfAFloorFreeToo) {
  PackProblem problem;
  problem.limit = 100;
  problem.frames = {7};
  problem.sections.resize(2);
  problem.sections[0].tier = 1;
  problem.sections[0].in_order = true;
  for (int i = 0; i < 100; ++i) problem.sections[0].items.push_back({{{3, std::nullopt}}, false});
  problem.sections[1].tier = 2;
  problem.sections[1].floor = 0.4;
  problem.sections[1].items.push_back({{{20, 0}}, false});
  EXPECT_EQ(pack(problem).forms[1][0], 0U);
}

TEST(Packer, WhatGoesOnWithAnotherIsNotShownBehindWhatHadNoRoom) {
  PackProblem problem;
  problem.limit = 100;
  problem.sections.resize(1);
  problem.sections[0].in_order = true;
  PackItem goes_on{{{60, std::nullopt}, {30, std::nullopt}}, false, true};
  problem.sections[0].items = {
      {{{40, std::nullopt}}, false}, goes_on, goes_on, {{{90, std::nullopt}, {5, std::nullopt}}, false}};
  const auto forms = pack(problem).forms[0];
  EXPECT_EQ(forms, (std::vector<std::optional<size_t>>{0, 0, std::nullopt, std::nullopt}));
  problem.limit = 80;
  EXPECT_EQ(pack(problem).forms[0], (std::vector<std::optional<size_t>>{0, 1, std::nullopt, 1}))
      << "the first that has no room takes a poorer form, what goes on behind it none, others their poorest";
}

TEST(Packer, WhatLeadsHasRoomForAPartBeforeWhatWouldFollow) {
  PackProblem problem;
  problem.limit = 100;
  problem.sections.resize(1);
  problem.sections[0].in_order = true;
  const PackItem part{{{90, std::nullopt}, {30, std::nullopt}, {5, std::nullopt}}};
  PackItem leads = part;
  leads.leads = true;
  problem.sections[0].items = {{{{60, std::nullopt}}}, part, part, leads};
  EXPECT_EQ(pack(problem).forms[0], (std::vector<std::optional<size_t>>{0, 2, 2, 1}));
  problem.sections[0].items.back().leads = false;
  EXPECT_EQ(pack(problem).forms[0], (std::vector<std::optional<size_t>>{0, 1, 2, 2}));
}

TEST(Packer, RoomIsKeptForAPartOfWhatLeads) {
  PackProblem problem;
  problem.limit = 100;
  problem.sections.resize(1);
  problem.sections[0].in_order = true;
  PackItem leads{{{900, std::nullopt}, {30, std::nullopt}, {5, std::nullopt}}};
  leads.leads = true;
  for (int i = 0; i < 10; ++i) problem.sections[0].items.push_back({{{20, std::nullopt}}});
  problem.sections[0].items.push_back(leads);
  const auto forms = pack(problem).forms[0];
  EXPECT_EQ(std::count(forms.begin(), forms.end(), size_t{0}), 3);
  EXPECT_EQ(forms.back(), 1U);
}

TEST(Packer, WhatIsWholeInOrderStaysWholeWithALargerLimit) {
  std::mt19937 random(21);
  const auto pick = [&](uint64_t low, uint64_t high) {
    return std::uniform_int_distribution<uint64_t>(low, high)(random);
  };
  int kept = 0;
  for (int n = 0; n < kCases; ++n) {
    PackProblem problem;
    problem.base = pick(0, 20);
    problem.sections.resize(1);
    problem.sections[0].in_order = true;
    for (uint64_t i = pick(1, 12); i > 0; --i) {
      PackItem item;
      const uint64_t cost = pick(1, pick(0, 3) == 0 ? 200 : 40);
      item.forms = {{cost, std::nullopt}, {std::max<uint64_t>(cost / 3, 1), std::nullopt}, {1, std::nullopt}};
      item.leads = pick(0, 3) == 0;
      problem.sections[0].items.push_back(item);
    }
    problem.limit = pick(0, 300);
    const auto before = pack(problem).forms[0];
    problem.limit += pick(1, 60);
    const auto after = pack(problem).forms[0];
    for (size_t i = 0; i < before.size(); ++i) {
      if (before[i] != 0U) continue;
      EXPECT_EQ(after[i], 0U) << n;
      ++kept;
    }
  }
  EXPECT_GT(kept, kCases);
}

TEST(Packer, SharesATierInProportionToFullSizes) {
  PackProblem problem;
  problem.limit = 120;
  problem.sections.resize(2);
  for (int i = 0; i < 30; ++i) problem.sections[0].items.push_back({{{10, std::nullopt}}, false});
  for (int i = 0; i < 10; ++i) problem.sections[1].items.push_back({{{10, std::nullopt}}, false});
  const PackSolution solution = pack(problem);
  EXPECT_EQ(30 - std::count(solution.forms[0].begin(), solution.forms[0].end(), std::nullopt), 9);
  EXPECT_EQ(10 - std::count(solution.forms[1].begin(), solution.forms[1].end(), std::nullopt), 3);
}

}  // namespace
}  // namespace knapsack
