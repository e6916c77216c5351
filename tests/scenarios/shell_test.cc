// Completions as a shell runs them, and manual pages as groff reads them.
#include <fmt/format.h>

#include <set>
#include <sstream>

#include "support/support.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::HasSubstr;

// What bash offers for the last of these words.
std::vector<std::string> offered(const std::vector<std::string>& words) {
  TemporaryFolder folder;
  folder.write("complete.bash", run_program({"completions", "bash"}, "/").out);
  std::string script = "source complete.bash\nCOMP_WORDS=(knapsack";
  for (const std::string& word : words) script += " '" + word + "'";
  script += fmt::format(")\nCOMP_CWORD={}\n_knapsack\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n", words.size());
  const auto result = run_command({"bash", "--norc", "-c", script}, folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  std::vector<std::string> lines;
  std::istringstream stream(result.out);
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

using Words = std::vector<std::string>;

TEST(Completions, OfferCommandsAndNestedCommands) {
  const Words commands = offered({""});
  for (const char* name : {"pack", "graph", "hook", "init", "doctor", "completions"})
    EXPECT_THAT(commands, ::testing::Contains(name));
  EXPECT_EQ(offered({"doc"}), Words{"doctor"});
  EXPECT_EQ(offered({"graph", "pu"}), Words{"put"});
  EXPECT_EQ(offered({"team", "rep"}), Words{"repos"});
  EXPECT_EQ(offered({"team", "repos", "ad"}), Words{"add"});
  EXPECT_THAT(offered({"team", "repos", "list", "--"}), ::testing::Contains("--team-url"));
  EXPECT_EQ(offered({"hook", ""}).front(), "claude-code");
  EXPECT_EQ(offered({"hook", "op"}), Words{"openclaw"});
}

TEST(Completions, OfferTheOptionsOfTheCommandThatIsMeant) {
  EXPECT_EQ(offered({"pack", "--sou"}), (Words{"--sources", "--source"}));
  EXPECT_EQ(offered({"init", "--und"}), Words{"--undo"});
  EXPECT_THAT(offered({"graph", "validate", "--"}), ::testing::Contains("--graphs-dir"));
  EXPECT_EQ(offered({"pack", "--und"}), Words{});
}

TEST(Completions, OfferTheValuesOfTheOptionOfThatCommand) {
  EXPECT_EQ(offered({"pack", "x", "--format", ""}), (Words{"md", "prompt", "json"}));
  EXPECT_EQ(offered({"doctor", "--format", ""}), (Words{"md", "json"}));
  EXPECT_EQ(offered({"graph", "validate", "--format", "j"}), Words{"json"});
  EXPECT_EQ(offered({"recall", "x", "--mode", "g"}), Words{"graph_mode"});
  EXPECT_EQ(offered({"init", "--client", "cu"}), Words{"cursor"});
  EXPECT_EQ(offered({"init", "--client", "codex,vs"}), Words{"codex,vscode"});
  EXPECT_EQ(offered({"pack", "x", "--sources", "notes,gr"}), Words{"notes,graph"});
  EXPECT_EQ(offered({"pack", "--tokenizer", "o2"}), Words{"o200k"});
  EXPECT_EQ(offered({"pack", "--format", "=", "j"}), Words{"json"});
  EXPECT_EQ(offered({"completions", "f"}), Words{"fish"});
}

TEST(Completions, EveryWordThatIsOfferedForAFormatIsAccepted) {
  for (const Words& command : {Words{"doctor"}, Words{"graph", "validate"}, Words{"memories", "list"}}) {
    Words words = command;
    words.insert(words.end(), {"--format", ""});
    for (const std::string& format : offered(words)) {
      Words call = command;
      call.insert(call.end(), {"--format", format});
      TemporaryFolder folder;
      EXPECT_NE(run_program(call, folder.path()).exit_code, 2) << fmt::format("{}", fmt::join(call, " "));
    }
  }
}

TEST(Completions, ZshReadsThatOfBashAndFishHasItsOwn) {
  EXPECT_THAT(run_program({"completions", "zsh"}, "/").out, HasSubstr("bashcompinit"));
  const std::string fish = run_program({"completions", "fish"}, "/").out;
  EXPECT_THAT(fish, HasSubstr("'__fish_seen_subcommand_from graph; and __fish_seen_subcommand_from put'"));
  EXPECT_THAT(fish, HasSubstr("-l client -xa 'claude-code cursor codex vscode opencode all'"));
  EXPECT_EQ(run_program({"completions", "csh"}, "/").exit_code, 2);
}

TEST(Help, OfACommandIsItsOwnAndNamesNoTypesOfNumbers) {
  EXPECT_THAT(run_program({"--help"}, "/").out, HasSubstr("Start here:"));
  size_t seen = 0;
  for (const std::string& name : offered({""})) {
    if (name.starts_with('-')) continue;
    const auto help = run_program({name, "--help"}, "/");
    EXPECT_EQ(help.exit_code, 0) << name;
    EXPECT_THAT(help.out, ::testing::Not(HasSubstr("knapsack pack TASK")))
        << name << " ends with the program's";
    EXPECT_THAT(help.out, ::testing::Not(::testing::ContainsRegex(":U?INT in|:FLOAT in"))) << name;
    ++seen;
  }
  EXPECT_GT(seen, 35U);
  // Whoever gives a number that cannot be is still told which can.
  const auto wrong = run_program({"runs", "--limit", "0"}, "/");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("1"));
}

Words page_names() {
  Words names;
  std::istringstream stream(run_program({"man", "--list"}, "/").out);
  for (std::string line; std::getline(stream, line);) names.push_back(line);
  return names;
}

TEST(ManualPages, ThereIsOneForEveryCommandAndGroffHasNothingToSayAgainstThem) {
  const Words names = page_names();
  EXPECT_GT(names.size(), 30U);
  std::string all;
  for (const std::string& name : names) {
    const std::string page = run_program({"man", name}, "/").out;
    ASSERT_THAT(page, HasSubstr(".SH NAME\n")) << name;
    const auto formatted = run_command({"groff", "-man", "-ww", "-Tutf8"}, "/", {}, page);
    EXPECT_EQ(formatted.exit_code, 0) << name;
    EXPECT_EQ(formatted.err, "") << name;
    EXPECT_EQ(formatted.out.find("\xEF\xBF\xBD"), std::string::npos) << name;
    all += formatted.out;
  }
  EXPECT_THAT(all, HasSubstr("knapsack graph validate"));
}

TEST(ManualPages, SayWhatTheHelpSays) {
  const std::string page = run_program({"man", "graph", "put"}, "/").out;
  const auto plain = run_command({"groff", "-man", "-Tascii", "-P-cbou"}, "/", {}, page);
  EXPECT_THAT(plain.out, HasSubstr("--graphs-dir DIR"));
  EXPECT_THAT(plain.out, HasSubstr("KNAPSACK-GRAPH-PUT(1)"));
  EXPECT_THAT(plain.out, HasSubstr("EXAMPLES"));
  EXPECT_THAT(run_program({"man"}, "/").out, HasSubstr("knapsack\\-pack"));
}

TEST(ManualPages, AnUnknownCommandIsRefusedWithTheNearest) {
  const auto result = run_program({"man", "pakc"}, "/");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("the nearest page is knapsack-pack"));
}

TEST(Help, IsACommandAsWell) {
  EXPECT_EQ(run_program({"help"}, "/").out, run_program({"--help"}, "/").out);
  EXPECT_EQ(run_program({"help", "graph", "put"}, "/").out, run_program({"graph", "put", "--help"}, "/").out);
  EXPECT_THAT(run_program({"help", "runs"}, "/").out, HasSubstr("Usage: knapsack runs"));
}

TEST(Help, NamesOptionsAsPeopleTypeThemAndNoneThatDoesNothing) {
  const std::string search = run_program({"search", "--help"}, "/").out;
  EXPECT_THAT(search, HasSubstr("--rerank,--no-rerank "));
  EXPECT_THAT(search, HasSubstr("--format FORMAT "));
  EXPECT_THAT(run_program({"eval", "--help"}, "/").out, HasSubstr("--only NAME,… "));
  for (const std::string& name : offered({""})) {
    if (name.starts_with('-')) continue;
    EXPECT_THAT(run_program({name, "--help"}, "/").out,
                ::testing::Not(::testing::AnyOf(HasSubstr("{false}"), HasSubstr(":{md"), HasSubstr(":{text"),
                                                HasSubstr("… ..."))))
        << name;
  }
  for (const Words& command : {Words{"trust"}, Words{"prune"}, Words{"note", "add"}}) {
    Words words = command;
    words.emplace_back("--");
    const Words options = offered(words);
    EXPECT_THAT(options, ::testing::Contains("--workspace")) << command.front();
    EXPECT_THAT(options, ::testing::Not(::testing::AnyOf(::testing::Contains("--strict"),
                                                         ::testing::Contains("--no-meaning"))))
        << command.front();
  }
}

TEST(Help, EveryCommandHasAnExampleOrSaysWhereTheyAre) {
  for (const std::string& name : offered({""})) {
    if (name.starts_with('-')) continue;
    EXPECT_THAT(run_program({name, "--help"}, "/").out,
                ::testing::AnyOf(HasSubstr("\n  knapsack "), HasSubstr("| knapsack "),
                                 HasSubstr("-- knapsack "), HasSubstr("--help` ")))
        << name;
  }
}

TEST(Help, ThatCannotBeWrittenIsAFailure) {
  const auto full =
      run_command({"sh", "-c", fmt::format("exec {} pack --help >/dev/full", KNAPSACK_PROGRAM)}, "/");
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_THAT(full.err, HasSubstr("cannot write to standard output"));
}

TEST(Usage, WhatCannotBeReadIsSaidInWordsOfTheProgram) {
  const TemporaryFolder folder;
  const std::vector<std::pair<Words, std::string>> cases = {
      {{"serve", "--port", "abc"}, "--port: 'abc' is not a number from 0 to 65535"},
      {{"pack", "x", "--budget"}, "--budget needs a value; see `knapsack pack --help`"},
      {{"pack", "x", "--budget", "1", "--budget", "2"}, "--budget is given 2 times; give it once"},
      {{"report", "--by", "year"}, "'year' is not one of day, week, month"},
      {{"help", "nope"}, "unknown command nope; did you mean note? See `knapsack --help`"},
      {{"help", "pakc"}, "unknown command pakc; did you mean pack? See `knapsack --help`"},
      {{"pack", "x", "--index-deadline", "abc"}, "--index-deadline: 'abc' is not a number from 0 to 86400"},
      {{"runs", "--limit", "0"}, "--limit: '0' is not a whole number from 1 to 1000000"},
      {{"pack", "x", "--stats=some"}, "--stats takes no value"},
      {{"--workspace", ".", "status"}, "put options after the command: knapsack status --workspace …"},
      {{"nonsense", "status"}, "unknown command nonsense"},
      {{"status", "first", "second"}, "status takes no argument first second"}};
  for (const auto& [words, says] : cases) {
    const auto result = run_program(words, folder.path());
    EXPECT_EQ(result.exit_code, 2) << words.front();
    EXPECT_THAT(result.err, HasSubstr(says)) << words.front();
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

TEST(Usage, SourcesAreNamedByEitherSpelling) {
  const TemporaryFolder folder;
  folder.write(".context/TASKS.md", "- [ ] Weigh the parcels\n");
  for (const char* option : {"--source", "--sources"}) {
    EXPECT_THAT(run_program({"pack", "parcels", option, "notes"}, folder.path()).out,
                HasSubstr("Weigh the parcels"));
    EXPECT_THAT(run_program({"search", "parcels", option, "notes"}, folder.path()).out,
                HasSubstr("Weigh the parcels"));
  }
}

}  // namespace
}  // namespace knapsack
