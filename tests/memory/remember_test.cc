#include "memory/tree/remember.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/files/memory_file_system.h"
#include "memory/tree/infer.h"
#include "memory/tree/write_memory.h"
#include "support/support.h"

namespace knapsack::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Timestamp kNow{1'763'193'600'000'000};  // 2025-11-15T08:00:00Z

class Remember : public ::testing::Test {
 protected:
  Catalogue catalogue() {
    auto opened = Catalogue::open(files_, {"/memory", "/state", true, false});
    EXPECT_TRUE(opened.ok());
    return std::move(*opened);
  }
  TreeWriter writer() { return std::move(*TreeWriter::open(files_, "/memory", false)); }
  Result<Remembered> keep(NewMemory wanted) {
    wanted.now = kNow;
    TreeWriter tree = writer();
    return remember(tree, catalogue(), wanted);
  }
  Result<Remembered> keep(const std::string& text) {
    NewMemory wanted;
    wanted.text = text;
    return keep(wanted);
  }
  std::string bytes_of(const std::string& path) {
    auto bytes = files_.read("/memory/" + path, 1 << 20);
    return bytes.ok() ? *bytes : bytes.error().line();
  }

  MemoryFileSystem files_;
};

TEST_F(Remember, WritesAFileThatIsReadBackAsItWasMeant) {
  NewMemory wanted;
  wanted.text = "  The importer reads \"manifests\": one a line.\n\n- first\n- второй\n\n";
  wanted.tags = {"importer", "two words", "кэш", "a,b"};
  wanted.importance = 0.35;
  wanted.confidence = 0.65;
  const auto kept = keep(wanted);
  ASSERT_OK(kept);
  EXPECT_THAT(kept->memory.path, ::testing::StartsWith("facts/2025-11-15/fact-1763193600000-"));
  const Catalogue all = catalogue();
  ASSERT_EQ(all.memories().size(), 1U);
  EXPECT_THAT(all.warnings(), IsEmpty());
  const Memory& memory = all.memories()[0];
  EXPECT_EQ(memory.id, kept->memory.id);
  EXPECT_EQ(memory.text, "The importer reads \"manifests\": one a line.\n\n- first\n- второй");
  EXPECT_EQ(memory.tags, wanted.tags);
  EXPECT_EQ(memory.importance, 0.35);
  EXPECT_EQ(memory.confidence, 0.65);
  EXPECT_EQ(memory.created, kNow);
  EXPECT_EQ(memory.status, Status::kActive);
}

TEST_F(Remember, RefusesWhatIsKnownButForCasePunctuationAndSpace) {
  const auto first = keep("The build needs Ninja.");
  ASSERT_OK(first);
  for (const char* same : {"the build needs ninja", "The   build,\nneeds: NINJA!"}) {
    const auto again = keep(same);
    ASSERT_OK(again);
    EXPECT_TRUE(again->duplicate) << same;
    EXPECT_EQ(again->memory.id, first->memory.id);
  }
  EXPECT_EQ(catalogue().memories().size(), 1U);
  EXPECT_FALSE(keep("The build needs Ninja 2")->duplicate);
  EXPECT_FALSE(keep("Сборке нужен ниндзя")->duplicate);
  EXPECT_TRUE(keep("сборке НУЖЕН ниндзя")->duplicate);
}

TEST_F(Remember, TakesWhatWasForgottenOrBelongsToAnotherNamespace) {
  const auto first = keep("The build needs Ninja.");
  TreeWriter tree = writer();
  ASSERT_OK(forget(tree, first->memory, kNow));
  const auto again = keep("The build needs Ninja.");
  ASSERT_OK(again);
  EXPECT_FALSE(again->duplicate);
  EXPECT_NE(again->memory.id, first->memory.id);
  NewMemory elsewhere;
  elsewhere.text = "The build needs Ninja.";
  elsewhere.name_space = "work";
  const auto other = keep(elsewhere);
  ASSERT_OK(other);
  EXPECT_FALSE(other->duplicate);
  EXPECT_THAT(other->memory.path, ::testing::StartsWith("namespaces/work/facts/"));
}

TEST_F(Remember, KeepsWeightyMemoriesWordForWord) {
  NewMemory wanted;
  wanted.text = "We decided to store times in UTC.";
  wanted.confidence = 0.8;
  const auto kept = keep(wanted);
  ASSERT_OK(kept);
  EXPECT_EQ(kept->memory.category, "decision");
  EXPECT_EQ(kept->artifact, "artifact-" + kept->memory.id);
  const Catalogue all = catalogue();
  const auto artifacts = all.with_id(kept->artifact);
  ASSERT_EQ(artifacts.size(), 1U);
  EXPECT_EQ(artifacts[0]->kind, Kind::kArtifact);
  EXPECT_EQ(artifacts[0]->text, wanted.text);
  EXPECT_EQ(artifacts[0]->source_memory, kept->memory.id);
  EXPECT_EQ(artifacts[0]->artifact_type, "decision");
  wanted.text = "We decided to store names in ASCII.";
  wanted.confidence = 0.79;
  EXPECT_EQ(keep(wanted)->artifact, "");
  EXPECT_EQ(keep("The sky is blue.")->artifact, "");
}

TEST_F(Remember, SupersedingIsSaidByBothSides) {
  const auto old = keep("The importer is written in Python.");
  NewMemory wanted;
  wanted.text = "The importer is written in Go.";
  wanted.supersedes = {old->memory.id};
  const auto kept = keep(wanted);
  ASSERT_OK(kept);
  EXPECT_THAT(kept->superseded, ElementsAre(old->memory.id));
  const Catalogue all = catalogue();
  const Memory* before = all.find(old->memory.path);
  EXPECT_EQ(before->status, Status::kSuperseded);
  EXPECT_EQ(before->superseded_by, kept->memory.id);
  EXPECT_THAT(all.find(kept->memory.path)->supersedes, ElementsAre(old->memory.id));
  wanted.text = "The importer is written in Rust.";
  wanted.supersedes = {"fact-0-nowhere"};
  const auto refused = keep(wanted);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(catalogue().memories().size(), 2U);
}

TEST_F(Remember, KilledAtAnyCallIsFinishedByTheNextAttempt) {
  for (uint64_t call = 1; call < 300; ++call) {
    files_ = MemoryFileSystem();
    const auto old = keep("We use Jenkins for builds.");
    ASSERT_OK(old);
    NewMemory wanted;
    wanted.text = "We decided to use Buildbot for builds.";
    wanted.supersedes = {old->memory.id};
    files_.crash_at(call, {ErrorCode::kIo, "killed", ""});
    // Opening needs the disk as well, so it may be what was killed.
    auto tree = TreeWriter::open(files_, "/memory", false);
    auto all = Catalogue::open(files_, {"/memory", "/state", true, false});
    wanted.now = kNow;
    const bool acknowledged = tree.ok() && all.ok() && remember(*tree, *all, wanted).ok();
    const bool reached = files_.calls() >= call;
    files_.fail_at(UINT64_MAX, {});
    if (acknowledged) {
      EXPECT_EQ(catalogue().memories().size(), 3U) << call;
    }
    const auto again = keep(wanted);
    ASSERT_OK(again);
    const Catalogue after = catalogue();
    EXPECT_THAT(after.warnings(), IsEmpty()) << call;
    EXPECT_EQ(after.memories().size(), 3U) << "the old one, the new one and its artifact, call " << call;
    EXPECT_EQ(after.find(old->memory.path)->status, Status::kSuperseded) << call;
    if (!reached) return;
  }
  FAIL() << "remembering took more calls than expected";
}

TEST_F(Remember, RefusesWhatMakesNoSense) {
  NewMemory wanted;
  wanted.text = " \n";
  EXPECT_EQ(keep(wanted).error().code, ErrorCode::kUsage);
  for (const std::string& wordless : {std::string("?!."), std::string(1, '\0'), std::string("— … —")}) {
    wanted.text = wordless;
    EXPECT_THAT(keep(wanted).error().line(),
                ::testing::AnyOf(HasSubstr("no word"), HasSubstr("nothing to remember")));
  }
  wanted.text = "x";
  wanted.category = "opinion";
  EXPECT_THAT(keep(wanted).error().line(), HasSubstr("unknown category 'opinion'"));
  wanted.category = "";
  wanted.confidence = 1.5;
  EXPECT_EQ(keep(wanted).error().code, ErrorCode::kUsage);
  wanted.confidence = 1;
  wanted.text = std::string(kMaxRememberedBytes + 1, 'x');
  EXPECT_EQ(keep(wanted).error().code, ErrorCode::kUsage);
  EXPECT_THAT(catalogue().memories(), IsEmpty());
}

TEST_F(Remember, WritesNothingThroughALinkOfTheTree) {
  files_.put_kind("/memory", FileKind::kDirectory);
  files_.put_kind("/outside", FileKind::kDirectory);
  files_.put_link("/memory/facts", "/outside");
  const auto kept = keep("The sky is blue.");
  ASSERT_FALSE(kept.ok());
  EXPECT_THAT(kept.error().line(), HasSubstr("/memory/facts is a symbolic link"));
}

TEST_F(Remember, ForgettingKeepsTheFileAndPurgingDoesNot) {
  const auto kept = keep("We decided to store times in UTC.");
  TreeWriter tree = writer();
  ASSERT_OK(forget(tree, kept->memory, kNow));
  EXPECT_EQ(catalogue().find(kept->memory.path)->status, Status::kForgotten);
  EXPECT_THAT(bytes_of(kept->memory.path), HasSubstr("We decided to store times in UTC."));
  const auto gone = purge(tree, catalogue(), kept->memory);
  ASSERT_OK(gone);
  EXPECT_EQ(gone->size(), 2U) << "its artifact too";
  EXPECT_THAT(catalogue().memories(), IsEmpty());
}

TEST_F(Remember, FeedbackIsCountedInTheFile) {
  const auto kept = keep("The sky is blue.");
  TreeWriter tree = writer();
  ASSERT_OK(give_feedback(tree, kept->memory, false));
  ASSERT_OK(give_feedback(tree, kept->memory, false));
  const auto counts = give_feedback(tree, kept->memory, true);
  ASSERT_OK(counts);
  EXPECT_EQ(counts->useful, 1U);
  EXPECT_EQ(counts->not_useful, 1U);
  EXPECT_EQ(catalogue().find(kept->memory.path)->not_useful, 1U);
  EXPECT_EQ(catalogue().find(kept->memory.path)->useful, 1U);
  EXPECT_EQ(catalogue().find(kept->memory.path)->updated, kept->memory.updated)
      << "a vote makes nothing younger";
}

TEST_F(Remember, SaidAgainItMaySayWhatItSupersedes) {
  const auto old = keep("The rate limit is 100");
  const auto fresh = keep("The rate limit is 500");
  NewMemory again;
  again.text = "the rate limit is 500.";
  again.supersedes = {old->memory.id};
  const auto done = keep(again);
  ASSERT_OK(done);
  EXPECT_TRUE(done->duplicate);
  EXPECT_THAT(done->superseded, ElementsAre(old->memory.id));
  EXPECT_EQ(catalogue().find(old->memory.path)->status, Status::kSuperseded);
  EXPECT_EQ(catalogue().find(old->memory.path)->superseded_by, fresh->memory.id);
}

TEST_F(Remember, NamesAreFoundWhereTheReaderMayLook) {
  NewMemory wanted;
  wanted.text = "The sky is blue.";
  const auto own = keep(wanted);
  wanted.name_space = "work";
  const auto work = keep(wanted);
  ASSERT_EQ(own->memory.id, work->memory.id);
  const Catalogue all = catalogue();
  const auto find = [&](const std::string& named, const ReadRules& rules) {
    return find_memory(all, named, rules);
  };
  EXPECT_EQ((*find(own->memory.id, {{""}, true}))->path, own->memory.path);
  EXPECT_EQ((*find(own->memory.id, {{"work"}, true}))->path, work->memory.path);
  EXPECT_EQ(find(own->memory.id, {{"", "work"}, true}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(find(own->memory.id, {{"other"}, true}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(find(work->memory.path, {{""}, true}).error().code, ErrorCode::kNotFound);
  EXPECT_THAT(find("sky", {{"other"}, true}).error().next, Not(HasSubstr("fact-")));
}

TEST(TreeWriter, ReadsAgainWhatAnEditorSavedMeanwhile) {
  testing::TemporaryFolder folder;
  folder.write("memory/facts/a.md", "---\nstatus: active\n---\nOld text\n");
  const auto files = make_disk_file_system();
  auto tree = TreeWriter::open(*files, folder.file("memory"), true);
  ASSERT_OK(tree);
  int asked = 0;
  ASSERT_OK(tree->set_keys("facts/a.md", [&](const Memory&) -> std::vector<KeyValue> {
    if (++asked == 1) folder.write("memory/facts/a.md", "---\nstatus: active\n---\nNew and longer text\n");
    return {{"status", "archived"}};
  }));
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(folder.read("memory/facts/a.md"), "---\nstatus: archived\n---\nNew and longer text\n");
}

TEST(TreeWriter, SweepsWhatAKilledOneLeftAndNothingElse) {
  testing::TemporaryFolder folder;
  folder.write("memory/facts/.new.AbCdEf", "half a memo");
  folder.write("memory/facts/new.memory.notes", "somebody's");
  folder.write("memory/facts/new.api.md", "The new API answers in JSON.\n");
  folder.write("memory/facts/new.readme", "somebody's");
  const auto files = make_disk_file_system();
  auto tree = TreeWriter::open(*files, folder.file("memory"), true);
  ASSERT_OK(tree);
  ASSERT_OK(tree->create("facts/a.md", "Text\n"));
  EXPECT_FALSE(folder.exists("memory/facts/.new.AbCdEf"));
  EXPECT_TRUE(folder.exists("memory/facts/new.memory.notes"));
  EXPECT_TRUE(folder.exists("memory/facts/new.api.md")) << "a memory like any other";
  EXPECT_TRUE(folder.exists("memory/facts/new.readme"));
  EXPECT_FALSE(tree->create("facts/a.md", "Other\n").ok());
  EXPECT_EQ(folder.read("memory/facts/a.md"), "Text\n");
}

TEST(TreeWriter, LeavesItToTheUserWhoMayReadAMemory) {
  testing::TemporaryFolder folder;
  folder.write("memory/facts/a.md", "---\nstatus: active\n---\nText\n");
  const std::string file = folder.file("memory/facts/a.md");
  std::filesystem::permissions(file, std::filesystem::perms{0644});
  const auto files = make_disk_file_system();
  auto tree = TreeWriter::open(*files, folder.file("memory"), true);
  ASSERT_OK(tree);
  ASSERT_OK(tree->set_keys("facts/a.md", [](const Memory&) -> std::vector<KeyValue> {
    return {{"status", "archived"}};
  }));
  EXPECT_THAT(folder.read("memory/facts/a.md"), HasSubstr("status: archived"));
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms{0644});
}

TEST(InferCategory, FollowsTheWordsInBothLanguages) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"We decided to keep the ledger in SQLite", "decision"},
      {"Решили хранить журнал в SQLite", "decision"},
      {"Anna prefers tea", "preference"},
      {"Анна предпочитает чай", "preference"},
      {"Never deploy on Fridays", "principle"},
      {"Никогда не выкатывай в пятницу", "principle"},
      {"The port in the last note was wrong", "correction"},
      {"Boris promised the report by Monday", "commitment"},
      {"Борис обещал отчёт к понедельнику", "commitment"},
      {"Carla is Boris's manager", "relationship"},
      {"Dmitri is fluent in Rust", "skill"},
      {"The server moved yesterday", "moment"},
      {"The server has 64 cores", "fact"},
      {"A prefix tree holds the names", "fact"},
  };
  for (const auto& [text, category] : cases) EXPECT_EQ(infer_category(text), category) << text;
}

TEST(InferImportance, GrowsWithWeightAndShrinksWithDoubt) {
  EXPECT_DOUBLE_EQ(infer_importance("The server has 64 cores", "fact"), 0.4);
  EXPECT_DOUBLE_EQ(infer_importance("Important: the server has 64 cores", "fact"), 0.6);
  EXPECT_DOUBLE_EQ(infer_importance("Важно: у сервера 64 ядра", "fact"), 0.6);
  EXPECT_DOUBLE_EQ(infer_importance("Perhaps the server has 64 cores", "fact"), 0.25);
  EXPECT_DOUBLE_EQ(infer_importance("Critical: never share keys", "decision"), 1.0);
  EXPECT_EQ(importance_level(0.95), "critical");
  EXPECT_EQ(importance_level(0.4), "normal");
  EXPECT_EQ(importance_level(0.1), "trivial");
  EXPECT_EQ(confidence_tier(0.9), "implied");
}

TEST(InferEntity, FindsKnownOnesAndPeopleWhoDoSomething) {
  const std::vector<std::string> known = {"person-anna", "project-billing-service", "project-billing"};
  EXPECT_EQ(infer_entity("Yesterday the billing service failed for Anna", known), "project-billing-service");
  EXPECT_EQ(infer_entity("Joanna and anna met", known), "person-anna");
  EXPECT_EQ(infer_entity("Boris prefers tea", known), "person-boris");
  EXPECT_EQ(infer_entity("Анна Петрова любит чай", {}), "person-анна-петрова");
  EXPECT_EQ(infer_entity("We like tea", known), "");
  EXPECT_EQ(infer_entity("The tea is good", known), "");
}

TEST(InferIntent, TellsGoalActionAndWhatItIsAbout) {
  const Intent english = infer_intent("Fix the crash of the import server before the release");
  EXPECT_EQ(english.goal, "debug");
  EXPECT_EQ(english.action_type, "fix");
  EXPECT_THAT(english.entity_types, ElementsAre("service", "event"));
  const Intent russian = infer_intent("Исправить ошибку сервера");
  EXPECT_EQ(russian.goal, "debug");
  EXPECT_EQ(russian.action_type, "fix");
  EXPECT_THAT(russian.entity_types, ElementsAre("service"));
  EXPECT_EQ(infer_intent("ok"), Intent());
}

}  // namespace
}  // namespace knapsack::memory
