// What of published indexes needs no server: packing, manifests, and what may be written where.
#include "team/published.h"

#include <gmock/gmock.h>

#include "engine/published/own_files.h"
#include "support/support.h"
#include "team/jobs.h"
#include "team/manifest.h"
#include "team/packed_bytes.h"

namespace knapsack::team {
namespace {

using ::testing::HasSubstr;

std::string noise(size_t size, unsigned seed) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i) {
    seed = seed * 1664525U + 1013904223U;
    bytes += static_cast<char>(seed >> 24U);
  }
  return bytes;
}

TEST(PackedBytes, ComeBackAndAreSmallWhereMostIsKnown) {
  for (const std::string& bytes : {std::string(), std::string("a"), noise(3'000'000, 1)}) {
    const std::string packed = *pack_bytes(bytes);
    EXPECT_EQ(*unpack_bytes(packed, bytes.size()), bytes);
  }
  const std::string before = noise(2'000'000, 7);
  std::string after = before;
  after.insert(1'000'000, "a line that was inserted");
  after.replace(10, 5, "other");
  const std::string packed = *pack_bytes(after, before);
  EXPECT_LT(packed.size(), 2'000U);
  EXPECT_EQ(*unpack_bytes(packed, after.size(), before), after);
  EXPECT_GT(pack_bytes(after)->size(), 1'900'000U);
}

TEST(PackedBytes, DamagedOnesAreRefused) {
  const std::string bytes = noise(10'000, 3), packed = *pack_bytes(bytes);
  EXPECT_EQ(unpack_bytes(packed, bytes.size() - 1).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(unpack_bytes("", 5).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(unpack_bytes("no frame at all", 5).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(unpack_bytes(std::string_view(packed).substr(0, packed.size() / 2), bytes.size()).error().code,
            ErrorCode::kCorrupt);
  for (size_t at = 0; at < packed.size(); at += 97) {
    std::string changed = packed;
    changed[at] = static_cast<char>(changed[at] ^ 0x20);
    const auto unpacked = unpack_bytes(changed, bytes.size());
    EXPECT_TRUE(!unpacked.ok() || *unpacked == bytes) << at;
  }
  // From something else than it was packed from.
  const std::string before = noise(50'000, 5);
  const std::string patch = *pack_bytes(before + "x", before);
  const auto wrong = unpack_bytes(patch, before.size() + 1, noise(50'000, 6));
  EXPECT_TRUE(!wrong.ok() || *wrong != before + "x");
}

TEST(PackedBytes, NamesAreSha256) {
  EXPECT_EQ(content_name("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

Manifest manifest_of(const std::string& path) {
  Manifest manifest;
  manifest.commit = std::string(40, 'a');
  manifest.files.push_back(
      {path, {{5, content_name("hello"), kMaxObjectBytes + 7, {content_name("x"), content_name("y")}}}});
  return manifest;
}

TEST(Manifests, GoToJsonAndBack) {
  for (const char* path : {"curated.db", "texts.db", "segments/0123456789abcdef.segment"}) {
    const auto read = manifest_from_json(to_json(manifest_of(path)));
    ASSERT_TRUE(read.ok()) << path;
    EXPECT_EQ(to_json(*read), to_json(manifest_of(path)));
    EXPECT_EQ(read->find(path)->name(), content_name("hello"));
    EXPECT_EQ(read->find("other"), nullptr);
  }
}

TEST(Manifests, LeadNowhereElse) {
  for (const char* path : {"../curated.db", "/etc/passwd", "segments/../../x.segment", "segments/a/b.segment",
                           "raw.db", "segments/.segment", "", "index.lock"}) {
    EXPECT_FALSE(manifest_from_json(to_json(manifest_of(path))).ok()) << path;
  }
  for (const char* json :
       {"", "[]", "{}", "{\"format\":1}", "null", "{\"format\":1,\"commit\":\"x\",\"files\":[]}",
        "{\"format\":1,\"commit\":5,\"files\":7}"}) {
    EXPECT_FALSE(manifest_from_json(json).ok()) << json;
  }
  Manifest huge = manifest_of("texts.db");
  huge.files[0].parts[0].size = uint64_t{1} << 60U;
  EXPECT_FALSE(manifest_from_json(to_json(huge)).ok());
  Manifest unnamed = manifest_of("texts.db");
  unnamed.files[0].parts[0].objects[0] = "../../secret";
  EXPECT_FALSE(manifest_from_json(to_json(unnamed)).ok());
  const auto newer = manifest_from_json("{\"format\":2,\"commit\":\"x\",\"files\":[]}");
  EXPECT_EQ(newer.error().code, ErrorCode::kConfig);
  EXPECT_THAT(newer.error().next, HasSubstr("update"));
}

TEST(Manifests, PromiseNoMoreThanTheirObjectsCanHold) {
  const auto reads = [](uint64_t size, uint64_t packed) {
    Manifest manifest = manifest_of("texts.db");
    manifest.files[0].parts[0].size = size;
    manifest.files[0].parts[0].packed = packed;
    return manifest_from_json(to_json(manifest)).ok();
  };
  constexpr uint64_t kPacked = 2 * kMaxObjectBytes;
  EXPECT_TRUE(reads(100 * kPacked, kPacked));
  EXPECT_FALSE(reads(uint64_t{8} << 30U, kPacked));
  EXPECT_FALSE(reads(5, kMaxObjectBytes)) << "one object would do";
  EXPECT_FALSE(reads(5, kPacked + 1)) << "two do not do";
  Manifest many = manifest_of("texts.db");
  many.files[0].parts.resize(kMaxFileParts, many.files[0].parts[0]);
  EXPECT_TRUE(manifest_from_json(to_json(many)).ok());
  many.files[0].parts.push_back(many.files[0].parts[0]);
  EXPECT_FALSE(manifest_from_json(to_json(many)).ok());
}

TEST(Snapshots, AreNamedByCommitsOnly) {
  const std::string commit(40, 'a'), manifest(64, 'b');
  EXPECT_TRUE(is_snapshot_name({commit, manifest}));
  for (const std::string& other : {std::string(), std::string("../../x"), std::string(40, 'A'), commit + "a"})
    EXPECT_FALSE(is_snapshot_name({other, manifest})) << other;
  EXPECT_FALSE(is_snapshot_name({commit, "x"}));
}

TEST(Jobs, OfAServerThatIsNoneOfOursAreNotDone) {
  const Job sound{"7", "0d5c9a2e-0000-4000-8000-00000000000f", "shop", std::string(40, 'a'), 1};
  EXPECT_TRUE(is_sound_job(sound));
  Job job = sound;
  job.commit = "HEAD";
  EXPECT_TRUE(is_sound_job(job));
  for (std::string Job::*member : {&Job::id, &Job::lease, &Job::repository, &Job::commit}) {
    for (const char* text : {"", "../../victim", "/etc"}) {
      job = sound;
      job.*member = text;
      EXPECT_FALSE(is_sound_job(job)) << text;
    }
  }
}

TEST(PublishedFiles, AreWrittenIntoTheirWorkspaceOnly) {
  for (const char* path : {"knapsack.toml", ".context/DECISIONS.md", "a/b/AGENTS.md", "graphs/..x/y",
                           ".github/copilot-instructions.md"})
    EXPECT_TRUE(is_own_path(path)) << path;
  for (const char* path : {"", "/etc/passwd", "../x", "a/../../x", "a//b", "a/", "./a", ".git/config",
                           "a/.git/hooks/x", ".knapsack/curated.db", ".used"})
    EXPECT_FALSE(is_own_path(path)) << path;
  EXPECT_FALSE(is_own_path(std::string_view("a\0b", 3)));
}

TEST(RepositoryNames, AreNoPaths) {
  for (const char* name : {"shop", "Shop.Web-2_x", "a"}) EXPECT_TRUE(is_repository_name(name)) << name;
  for (const char* name : {"", ".", "..", ".shop", "a/b", "-a", "a b", "shöp"})
    EXPECT_FALSE(is_repository_name(name)) << name;
  EXPECT_FALSE(is_repository_name(std::string(101, 'a')));
}

}  // namespace
}  // namespace knapsack::team
