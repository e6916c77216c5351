#include "memory/tree/front_matter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "memory/tree/read_memory.h"
#include "support/support.h"

namespace knapsack::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Case {
  std::string name;
  std::string before;
  std::vector<KeyValue> keys;
  std::string after;
};

// Whatever is not the value of a key that is set stays, byte for byte.
const std::vector<Case> kCases = {
    {"a value is replaced where it stands",
     "---\nid: a\nstatus: active\ntags: [x]\n---\nBody\n",
     {{"status", "forgotten"}},
     "---\nid: a\nstatus: forgotten\ntags: [x]\n---\nBody\n"},
    {"a new key goes last",
     "---\nid: a\n---\nBody\n",
     {{"accessCount", "3"}},
     "---\nid: a\naccessCount: 3\n---\nBody\n"},
    {"comments, blank lines and order stay",
     "---\n# mine\nid: a   # the id\n\nstatus: active   # since May\n# end\nother: 1\n---\nBody",
     {{"status", "archived"}},
     "---\n# mine\nid: a   # the id\n\nstatus: archived   # since May\n# end\nother: 1\n---\nBody"},
    {"unknown keys of any shape stay",
     "---\nid: a\nx-custom:\n  nested:\n    - 1\n    - {b: 2}\nstatus: active\ny: |\n  # not a comment\n  "
     "text\n---\nBody\n",
     {{"status", "superseded"}},
     "---\nid: a\nx-custom:\n  nested:\n    - 1\n    - {b: 2}\nstatus: superseded\ny: |\n  # not a comment\n "
     " text\n---\nBody\n"},
    {"Windows line ends stay and new lines have them",
     "---\r\nid: a\r\nstatus: active\r\n---\r\nBody\r\n",
     {{"status", "forgotten"}, {"updated", "2026-11-15T08:00:00Z"}},
     "---\r\nid: a\r\nstatus: forgotten\r\nupdated: 2026-11-15T08:00:00Z\r\n---\r\nBody\r\n"},
    {"quoted values are replaced whole",
     "---\nid: 'it''s'\nsupersededBy: \"x # y\"  # why\n---\nBody\n",
     {{"supersededBy", "b"}},
     "---\nid: 'it''s'\nsupersededBy: b  # why\n---\nBody\n"},
    {"quoted keys are found",
     "---\n\"status\" : active\n---\nBody\n",
     {{"status", "forgotten"}},
     "---\n\"status\" : forgotten\n---\nBody\n"},
    {"an empty value is filled",
     "---\nstatus:\nid: a\n---\nBody\n",
     {{"status", "active"}},
     "---\nstatus: active\nid: a\n---\nBody\n"},
    {"a comment in the place of a value stays",
     "---\nstatus: # later\nid: a\n---\nBody\n",
     {{"status", "active"}},
     "---\nstatus: active # later\nid: a\n---\nBody\n"},
    {"an inline list is replaced whole",
     "---\nsupersededBy: [\"a, b\", c] # odd\n---\nBody\n",
     {{"supersededBy", "d"}},
     "---\nsupersededBy: d # odd\n---\nBody\n"},
    {"a block list is replaced whole and what follows stays",
     "---\nsupersededBy:\n  - a\n  - b\n# about the next\nid: x\n---\nBody\n",
     {{"supersededBy", "c"}},
     "---\nsupersededBy: c\n# about the next\nid: x\n---\nBody\n"},
    {"links as block maps stay",
     "---\nlinks:\n  - targetId: a\n    linkType: follows\n    strength: 0.5\nstatus: active\n---\nBody\n",
     {{"status", "archived"}},
     "---\nlinks:\n  - targetId: a\n    linkType: follows\n    strength: 0.5\nstatus: archived\n---\nBody\n"},
    {"links as inline maps stay",
     "---\nlinks: [{\"targetId\": \"a\", \"linkType\": \"causes\", \"strength\": 1}]\nstatus: "
     "active\n---\nBody\n",
     {{"status", "archived"}},
     "---\nlinks: [{\"targetId\": \"a\", \"linkType\": \"causes\", \"strength\": 1}]\nstatus: "
     "archived\n---\nBody\n"},
    {"a key that is there twice says the same twice",
     "---\nstatus: active\nid: a\nstatus: archived\n---\nBody\n",
     {{"status", "forgotten"}},
     "---\nstatus: forgotten\nid: a\nstatus: forgotten\n---\nBody\n"},
    {"a file without front matter gets one",
     "Just text\n",
     {{"status", "forgotten"}},
     "---\nstatus: forgotten\n---\n\nJust text\n"},
    {"an empty file gets one", "", {{"status", "forgotten"}}, "---\nstatus: forgotten\n---\n\n"},
    {"empty front matter is filled",
     "---\n---\nBody\n",
     {{"status", "forgotten"}},
     "---\nstatus: forgotten\n---\nBody\n"},
    {"a byte order mark stays first",
     "\xEF\xBB\xBF---\nid: a\n---\nBody\n",
     {{"status", "forgotten"}},
     "\xEF\xBB\xBF---\nid: a\nstatus: forgotten\n---\nBody\n"},
    {"indented keys stay indented",
     "---\n  id: a\n  status: active\n---\nBody\n",
     {{"status", "archived"}, {"n", "1"}},
     "---\n  id: a\n  status: archived\n  n: 1\n---\nBody\n"},
    {"a body with fences of its own stays",
     "---\nid: a\n---\nBody\n---\nid: b\n---\n",
     {{"n", "1"}},
     "---\nid: a\nn: 1\n---\nBody\n---\nid: b\n---\n"},
    {"bytes that are no UTF-8 stay in the body",
     "---\nid: a\n---\n\xFF\xFE\x00x\n",
     {{"n", "1"}},
     "---\nid: a\nn: 1\n---\n\xFF\xFE\x00x\n"},
    {"values that YAML would misread are quoted",
     "---\nid: a\n---\nBody\n",
     {{"a", "yes"}, {"b", "x: y"}, {"c", "# no"}, {"d", "кэш"}, {"e", ""}, {"f", "two\nlines"}},
     "---\nid: a\na: \"yes\"\nb: \"x: y\"\nc: \"# no\"\nd: \"кэш\"\ne: \"\"\nf: "
     "\"two\\nlines\"\n---\nBody\n"},
    {"dots end front matter too", "---\nid: a\n...\nBody\n", {{"n", "1"}}, "---\nid: a\nn: 1\n...\nBody\n"},
};

TEST(FrontMatter, ChangesTheValueOfAKeyAndNoOtherByte) {
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    const auto changed = with_keys(each.before, each.keys);
    ASSERT_OK(changed);
    EXPECT_EQ(*changed, each.after);
  }
}

TEST(FrontMatter, SetToWhatItSaysAlreadyIsTheSameBytes) {
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    const auto again = with_keys(each.after, each.keys);
    ASSERT_OK(again);
    EXPECT_EQ(*again, each.after);
  }
}

TEST(FrontMatter, ThatCannotBeReadIsLeftToItsOwner) {
  for (const std::string file :
       {"---\nid: a\nno end\n", "---\n{id: a, status: active}\n---\nBody\n", "---\n- a\n- b\n---\nBody\n",
        "---\nid: [a\n---\nBody\n", "---\nid: a: b\n---\nBody\n", "---\n\tid: a\n---\nBody\n"}) {
    EXPECT_FALSE(with_keys(file, {{"status", "forgotten"}}).ok()) << file;
  }
}

TEST(FrontMatter, OfRandomLinesIsChangedWholeOrNotAtAll) {
  const std::vector<std::string> pieces = {"id: a\n",      "status: active\n",
                                           "- x\n",        "  - y\n",
                                           "k: [1,\n",     "  2]\n",
                                           "# c\n",        "\n",
                                           "t: |\n",       "  text\n",
                                           "q: 'it''s'\n", "q2: \"a\\\"b\"\n",
                                           "z: {a: 1}\n",  "? x\n",
                                           ": y\n",        "a: &n 1\n",
                                           "b: *n\n",      "m:\n",
                                           "  n: 1\n",     "status:   # c\n",
                                           "%TAG\n",       "!t x: 1\n",
                                           "\t\n",         "x: >-\n",
                                           "  # in\n"};
  std::mt19937 random(7);
  int changed_files = 0;
  for (int round = 0; round < 6000 / testing::cases_divisor(); ++round) {
    std::string yaml;
    for (size_t left = random() % 7; left > 0; --left) yaml += pieces[random() % pieces.size()];
    const std::string body = "Body\n---\n# x\n";
    const std::string file = "---\n" + yaml + "---\n" + body;
    const auto changed = with_keys(file, {{"status", "forgotten"}, {"n", "1"}});
    const ReadMemory before = read_memory("facts/2026-01-01/a.md", file);
    if (!changed.ok()) continue;
    ++changed_files;
    const ReadMemory after = read_memory("facts/2026-01-01/a.md", *changed);
    EXPECT_EQ(after.memory.status, Status::kForgotten) << file;
    EXPECT_EQ(after.memory.id, before.memory.id) << file;
    EXPECT_EQ(after.memory.text, before.memory.text) << file;
    EXPECT_TRUE(changed->ends_with("---\n" + body)) << file;
  }
  EXPECT_GT(changed_files, 300 / testing::cases_divisor());
}

// "[redacted: password] …" is no YAML: what stands for a secret must not cost the keys beside it.
TEST(ReadMemory, OfASecretAmongItsKeysIsForgottenAllTheSame) {
  const std::string file =
      "---\nid: a\npassword: hunter2Secret10 x\ntags: [one]\nstatus: forgotten\naccessCount: 7\n---\nThe "
      "carrier.\n";
  const Memory memory = read_memory("facts/2026-11-15/a.md", file).memory;
  EXPECT_FALSE(memory.broken_front_matter);
  EXPECT_EQ(memory.status, Status::kForgotten);
  EXPECT_EQ(memory.access_count, 7U);
  EXPECT_EQ(memory.text, "The carrier.");
  const std::string token = "ghp_" + std::string(36, 'a').replace(5, 6, "B7xQ2z");
  const ReadMemory leaky = read_memory("facts/2026-11-15/a.md", "---\nid: " + token + "\nstatus: " + token +
                                                                    "\ntags: [" + token + "]\n---\n" + token);
  for (const std::string& warning : leaky.warnings)
    EXPECT_EQ(warning.find(token), std::string::npos) << warning;
  EXPECT_EQ(leaky.memory.id.find(token), std::string::npos);
  EXPECT_EQ(leaky.memory.text.find(token), std::string::npos);
  ASSERT_EQ(leaky.memory.tags.size(), 1U);
  EXPECT_EQ(leaky.memory.tags[0].find(token), std::string::npos);
}

TEST(ReadMemory, ReadsEveryKeyInBlockAndInlineForm) {
  const std::string inline_form =
      "---\nid: d1\ncategory: decision\ncreated: 2026-11-15T08:00:00.000Z\nupdated: 2026-11-16\nsource: "
      "Anna\n"
      "confidence: 0.95\ntags: [\"a, b\", c]\nentityRef: person-anna\nsupersedes: [x, y]\nsupersededBy: z\n"
      "status: superseded\nexpiresAt: 2027-01-01\nvalid_at: 2026-01-01\ninvalid_at: 2026-12-31\naccessCount: "
      "7\n"
      "lastAccessed: 2026-11-14\nimportanceScore: 0.7\nlinks: [{targetId: t, linkType: causes, strength: "
      "0.25}]\n"
      "intentGoal: debug\nintentActionType: fix\nintentEntityTypes: [person]\nartifactType: decision\n"
      "sourceMemoryId: s\nmemoryKind: episode\nnotUsefulCount: 2\n---\n\nText.\n\nMore.\n";
  const std::string block_form =
      "---\nid: \"d1\"\ncategory: 'decision'\ncreated: 2026-11-15T08:00:00.000Z\nupdated: "
      "2026-11-16\nsource: Anna\n"
      "confidence: 0.95\ntags:\n  - a, b\n  - c\nentityRef: person-anna\nsupersedes:\n- x\n- "
      "y\nsupersededBy: z\n"
      "status: superseded\nexpiresAt: 2027-01-01\nvalid_at: 2026-01-01\ninvalid_at: 2026-12-31\naccessCount: "
      "7\n"
      "lastAccessed: 2026-11-14\nimportanceScore: 0.7\nlinks:\n  - targetId: t\n    linkType: causes\n"
      "    strength: 0.25\nintentGoal: debug\nintentActionType: fix\nintentEntityTypes: [person]\n"
      "artifactType: decision\nsourceMemoryId: s\nmemoryKind: episode\nnotUsefulCount: "
      "2\n---\nText.\n\nMore.";
  for (const std::string& file : {inline_form, block_form}) {
    const ReadMemory read = read_memory("namespaces/work/facts/2026-11-15/d1.md", file);
    EXPECT_THAT(read.warnings, IsEmpty());
    const Memory& memory = read.memory;
    EXPECT_EQ(memory.id, "d1");
    EXPECT_EQ(memory.name_space, "work");
    EXPECT_EQ(memory.session, "2026-11-15");
    EXPECT_EQ(memory.kind, Kind::kEpisode);
    EXPECT_EQ(memory.status, Status::kSuperseded);
    EXPECT_EQ(memory.category, "decision");
    EXPECT_EQ(memory.speaker, "Anna");
    EXPECT_EQ(memory.text, "Text.\n\nMore.");
    EXPECT_EQ(format_rfc3339(memory.created.value()), "2026-11-15T08:00:00Z");
    EXPECT_EQ(format_rfc3339(memory.updated.value()), "2026-11-16T00:00:00Z");
    EXPECT_TRUE(memory.expires && memory.valid_from && memory.valid_until && memory.last_accessed);
    EXPECT_EQ(memory.confidence, 0.95);
    EXPECT_EQ(memory.importance, 0.7);
    EXPECT_EQ(memory.access_count, 7U);
    EXPECT_EQ(memory.not_useful, 2U);
    EXPECT_THAT(memory.tags, ElementsAre("a, b", "c"));
    EXPECT_EQ(memory.entity, "person-anna");
    EXPECT_THAT(memory.supersedes, ElementsAre("x", "y"));
    EXPECT_EQ(memory.superseded_by, "z");
    EXPECT_THAT(memory.links, ElementsAre(Link{"t", "causes", 0.25}));
    EXPECT_EQ(memory.intent, (Intent{"debug", "fix", {"person"}}));
    EXPECT_EQ(memory.artifact_type, "decision");
    EXPECT_EQ(memory.source_memory, "s");
  }
}

TEST(ReadMemory, TakesBrokenFrontMatterAsTextAndSaysSo) {
  const std::string file = "---\nid: a: b\nstatus: active\n---\nThe body.\n";
  const ReadMemory read = read_memory("facts/2026-11-15/odd.md", file);
  EXPECT_TRUE(read.memory.broken_front_matter);
  EXPECT_EQ(read.memory.id, "odd");
  EXPECT_THAT(read.memory.text, HasSubstr("The body."));
  EXPECT_THAT(read.memory.text, HasSubstr("id: a: b"));
  ASSERT_THAT(read.warnings, SizeIs(1));
  EXPECT_THAT(read.warnings.front(),
              HasSubstr("facts/2026-11-15/odd.md: the front matter is broken in line 2"));
}

TEST(ReadMemory, LeavesTheDefaultForAValueThatItCannotRead) {
  const ReadMemory read = read_memory(
      "facts/a.md",
      "---\nconfidence: high\nimportanceScore: 7\ncreated: soon\naccessCount: -1\ntags: {a: 1}\n---\nX");
  EXPECT_FALSE(read.memory.broken_front_matter);
  EXPECT_EQ(read.memory.confidence, 0.8);
  EXPECT_EQ(read.memory.importance, std::nullopt);
  EXPECT_EQ(read.memory.created, std::nullopt);
  EXPECT_EQ(read.memory.access_count, 0U);
  EXPECT_THAT(read.memory.tags, IsEmpty());
  EXPECT_THAT(read.warnings, SizeIs(5));
}

TEST(ReadMemory, OfAnUnknownStatusIsNeverRecalled) {
  const ReadMemory read = read_memory("facts/a.md", "---\nstatus: embargoed\n---\nX");
  EXPECT_EQ(read.memory.status, Status::kQuarantined);
  EXPECT_THAT(read.warnings, ElementsAre(HasSubstr("'embargoed' is not a status; it is not recalled")));
}

TEST(ReadMemory, LearnsKindAndStatusFromItsPlace) {
  EXPECT_EQ(read_memory("corrections/c.md", "X").memory.kind, Kind::kCorrection);
  EXPECT_EQ(read_memory("corrections/c.md", "X").memory.category, "correction");
  EXPECT_EQ(read_memory("artifacts/2026-01-01/c.md", "X").memory.kind, Kind::kArtifact);
  EXPECT_EQ(read_memory("boxes/2026-01-01/c.md", "X").memory.kind, Kind::kBox);
  EXPECT_EQ(read_memory("entities/person-anna.md", "X").memory.kind, Kind::kEntity);
  EXPECT_EQ(read_memory("archive/2026-01-01/c.md", "X").memory.status, Status::kArchived);
  EXPECT_EQ(read_memory("archive/c.md", "---\nstatus: forgotten\n---\nX").memory.status, Status::kForgotten);
  EXPECT_EQ(read_memory("namespaces/default/facts/c.md", "X").memory.name_space, "");
  EXPECT_EQ(read_memory("facts/c.md", "---\nsource: extraction\n---\nX").memory.speaker, "");
  EXPECT_EQ(read_memory("facts/c.md", "---\nsource: Анна\n---\nX").memory.speaker, "Анна");
}

TEST(ReadMemory, OfAnyBytesEndsAndKeepsTheText) {
  std::mt19937 random(11);
  const std::string alphabet = "-:[]{}#\n \"'&*|>%@!?,ab\xFF\x80\t\\";
  for (int round = 0; round < 6000 / testing::cases_divisor(); ++round) {
    std::string inside;
    for (size_t left = random() % 40; left > 0; --left) inside += alphabet[random() % alphabet.size()];
    const ReadMemory read = read_memory("facts/a.md", "---\n" + inside + "\n---\nThe body stays\n");
    EXPECT_THAT(read.memory.text, HasSubstr("The body stays")) << inside;
  }
}

TEST(ReadMemory, MarksOfByteOrderAreNoTextWhereverTheyStand) {
  const std::string mark = "\xEF\xBB\xBF", file = mark + mark + " \n" + mark + "carriers are polled hourly\n";
  const std::string path = "facts/2026-11-15/a.md";
  EXPECT_EQ(read_memory(path, file).memory.text, "carriers are polled hourly");
  const auto changed = with_keys(file, {{"status", "forgotten"}});
  ASSERT_OK(changed);
  EXPECT_EQ(read_memory(path, *changed).memory.text, "carriers are polled hourly");
}

TEST(ReadMemory, OfDeepNestingIsBrokenFrontMatter) {
  const ReadMemory read = read_memory("facts/a.md", "---\nid: " + std::string(30000, '[') + "\n---\nText\n");
  EXPECT_TRUE(read.memory.broken_front_matter);
}

}  // namespace
}  // namespace knapsack::memory
