// Messages of the engine in the words of the command line.
#include "cli/field_flags.h"

#include "support/support.h"

namespace knapsack::cli {
namespace {

TEST(FieldFlags, AFieldIsCalledAsItsOption) {
  EXPECT_EQ(with_flags("give `context_window` 8000"), "give --context-window 8000");
  EXPECT_EQ(with_flags("`dry_run`"), "--dry-run");
  EXPECT_EQ(with_flags("leave `diff` out, or `staged` and `limit`"),
            "leave --diff out, or --staged and --limit");
}

TEST(FieldFlags, SomeOptionsHaveAnotherName) {
  EXPECT_EQ(with_flags("`revision` and `no_model`"), "--rev and --no-llm");
}

TEST(FieldFlags, ASettingIsCalledAsTheOptionThatGivesIt) {
  EXPECT_EQ(with_flags("set `graph.dir` or `memory.namespace`"), "set --graphs-dir or --namespace");
}

TEST(FieldFlags, WhatNoOptionGivesStaysAsItIs) {
  for (const char* line : {"", "plain words", "run `knapsack index`", "`recall.floor` of 0.35", "`no.such`",
                           "`latest`", "``", "it's `", "a `b", "`knapsack trust` allows it"})
    EXPECT_EQ(with_flags(line), line);
}

TEST(FieldFlags, WhatStandsAroundThemStays) {
  EXPECT_EQ(with_flags("`budget``budget`"), "--budget--budget");
  EXPECT_EQ(with_flags("`knapsack pack` takes `budget` and `"), "`knapsack pack` takes --budget and `");
}

}  // namespace
}  // namespace knapsack::cli
