// Repositories with parts missing, cut off or made up: every failure is a value that names the thing, in
// bounded time, and the rest stays readable.
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "git/history.h"
#include "git/repository.h"
#include "support/repository_git.h"

namespace knapsack {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::now_seconds;
using testing::TemporaryFolder;
using testing::TestRepository;

template <class T>
std::string failure_of(const Result<T>& result) {
  return result.ok() ? "no failure" : result.error().line();
}

// Opens, resolves and reads everything; every failure must be a value that names a thing, in one line.
std::vector<std::string> failures(const std::string& path) {
  std::vector<std::string> lines;
  const auto note = [&](const Error& error) { lines.push_back(error.line()); };
  const auto opened = GitRepository::open(path);
  if (!opened.ok()) return {opened.error().line()};
  const auto head = (*opened)->resolve("HEAD");
  if (!head.ok()) {
    note(head.error());
  } else {
    std::vector<std::string> blobs;
    const auto listing = (*opened)->list_tree(*head, [&](const TreeItem& item) {
      blobs.push_back(item.id);
      return true;
    });
    if (!listing.ok()) note(listing.error());
    for (const auto& blob : blobs) {
      const auto bytes = (*opened)->read_blob(blob, 1 << 20);
      if (!bytes.ok()) note(bytes.error());
    }
    const auto history = walk_history(**opened, *head, {}, [](Commit&&) { return true; });
    if (!history.ok()) note(history.error());
    if (history.ok()) lines.insert(lines.end(), history->problems.begin(), history->problems.end());
  }
  for (const auto& line : lines) EXPECT_EQ(line.find('\n'), std::string::npos);
  return lines;
}

void make_history(const TestRepository& made) {
  for (int i = 0; i < 5; ++i) {
    for (int f = 0; f < 20; ++f) {
      made.write("d" + std::to_string(f % 3) + "/f" + std::to_string(f),
                 std::string(2000, static_cast<char>('a' + i)) + std::to_string(f * i));
    }
    made.commit("commit " + std::to_string(i));
  }
}

std::string only_file(const std::string& folder, const std::string& extension) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == extension) return entry.path();
  }
  return "";
}

TEST(GitDamage, TruncatedAndDamagedPacksAreErrorsNeverCrashes) {
  const TestRepository made;
  make_history(made);
  made.git({"gc", "-q"});
  for (const std::string extension : {".pack", ".idx"}) {
    for (const double share : {0.0, 0.02, 0.5, 0.9, 0.999}) {
      for (const bool truncate : {true, false}) {
        const TemporaryFolder copy;
        std::filesystem::copy(made.path(), copy.path(), std::filesystem::copy_options::recursive);
        const std::string file = only_file(copy.file(".git/objects/pack"), extension);
        ASSERT_FALSE(file.empty());
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        const auto size = std::filesystem::file_size(file);
        const auto at = static_cast<uintmax_t>(static_cast<double>(size) * share);
        if (truncate) {
          std::filesystem::resize_file(file, at);
        } else {
          std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
          bytes.seekp(static_cast<std::streamoff>(at));
          for (uintmax_t i = at; i < std::min(size, at + 200); ++i) bytes.put('\x5a');
        }
        const double start = now_seconds();
        const auto lines = failures(copy.path());
        EXPECT_LT(now_seconds() - start, 20);
        // Damage may lie where nobody looks; a cut never does.
        if (truncate) {
          EXPECT_THAT(lines, Not(IsEmpty())) << extension << " cut at " << share;
        }
      }
    }
  }
}

TEST(GitDamage, MissingAndDamagedObjectsAreNamed) {
  const TestRepository made;
  make_history(made);
  for (const std::string what : {"HEAD", "HEAD^{tree}", "HEAD:d1", "HEAD:d1/f1", "HEAD~2", "HEAD~2^{tree}"}) {
    for (const bool missing : {true, false}) {
      const TemporaryFolder copy;
      std::filesystem::copy(made.path(), copy.path(), std::filesystem::copy_options::recursive);
      const std::string id = made.id(what);
      const std::string file = copy.file(".git/objects/" + id.substr(0, 2) + "/" + id.substr(2));
      std::filesystem::permissions(file, std::filesystem::perms::owner_all);
      if (missing) {
        std::filesystem::remove(file);
      } else {
        std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
      }
      EXPECT_THAT(failures(copy.path()), Contains(HasSubstr(id))) << what << missing;
    }
  }
}

TEST(GitDamage, ADamagedObjectDoesNotPassForWhatItsIdSays) {
  const TestRepository made;
  made.write("a", "honest");
  made.write("b", "forged");
  made.commit("one");
  const auto object = [&](const std::string& revision) {
    const std::string id = made.id(revision);
    return made.file(".git/objects/" + id.substr(0, 2) + "/" + id.substr(2));
  };
  const std::string id = made.id("HEAD:a");
  std::filesystem::remove(object("HEAD:a"));
  std::filesystem::copy_file(object("HEAD:b"),
                             made.file(".git/objects/" + id.substr(0, 2) + "/" + id.substr(2)));
  const auto bytes = (*GitRepository::open(made.path()))->read_blob(id, 100);
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(bytes.error().line(), HasSubstr(id));
}

TEST(GitDamage, ADamagedIndexCostsTheIndexOnly) {
  // A cached-tree section that nests without end, which recursive readers do not survive.
  std::string section;
  for (int i = 0; i < 400'000; ++i) section += std::string(i == 0 ? "" : "a") + '\0' + "-1 1\n";
  std::string nested = std::string("DIRC\0\0\0\2\0\0\0\0TREE", 16);
  for (int shift = 24; shift >= 0; shift -= 8) nested += static_cast<char>(section.size() >> shift);
  nested += section + std::string(20, '\0');

  const TestRepository made;
  made.write("a", "1");
  made.write("dir/b", "2");
  made.commit("one");
  const std::string whole = made.folder().read(".git/index");
  std::vector<std::string> damaged = {"",
                                      "DIRC",
                                      nested,
                                      whole.substr(0, 40),
                                      whole.substr(0, 100),
                                      std::string("DIRC\0\0\0\2\xff\xff\xff\xff", 12) + whole.substr(12)};
  for (size_t i = 0; i < whole.size(); i += 7) {
    damaged.push_back(whole);
    damaged.back()[i] = '\xff';
  }
  for (const auto& bytes : damaged) {
    made.write(".git/index", bytes);
    const auto opened = GitRepository::open(made.path());
    ASSERT_OK(opened);
    EXPECT_OK((*opened)->tracked_files());
  }
  made.write(".git/index", whole.substr(0, 100));
  std::string note;
  const auto tracked = (*GitRepository::open(made.path()))->tracked_files(&note);
  ASSERT_OK(tracked);
  EXPECT_THAT(tracked->files(), ElementsAre("a", "dir/b"));
  EXPECT_THAT(note, HasSubstr("index is damaged at byte"));
}

std::string raw_id(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string make_object(const TestRepository& made, const std::string& type, const std::string& bytes) {
  return made.git({"hash-object", "-t", type, "--literally", "-w", "--stdin"}, bytes).substr(0, 40);
}

std::string make_commit(const TestRepository& made, const std::string& tree, const std::string& parent = "") {
  return make_object(made, "commit",
                     "tree " + tree + "\n" + (parent.empty() ? "" : "parent " + parent + "\n") +
                         "author A <a@b> 1700000000 +0000\ncommitter A <a@b> 1700000000 +0000\n\nx\n");
}

TEST(GitDamage, NamesThatAreNoFileNamesAreLeftOutOfAListing) {
  const TestRepository made;
  const std::string blob = make_object(made, "blob", "x");
  const auto entry = [&](const std::string& mode, const std::string& name) {
    return mode + " " + name + '\0' + raw_id(blob);
  };
  const std::string tree = make_object(
      made, "tree",
      entry("100644", ".") + entry("100644", "..") + entry("100644", ".git") +
          entry("100644", "../../etc/passwd") + entry("100644", "a") + entry("100644", "a") +
          entry("100644", "z") + entry("100644", "b") + entry("170000", "zz") + entry("100644", "zzz"));
  const std::string commit = make_commit(made, tree);
  const auto opened = GitRepository::open(made.path());
  std::vector<std::string> paths;
  const auto listing = (*opened)->list_tree(commit, [&](const TreeItem& item) {
    paths.emplace_back(item.path);
    return true;
  });
  ASSERT_OK(listing);
  EXPECT_THAT(paths, ElementsAre("a", "z", "zzz"));
  EXPECT_EQ(listing->left_out_count, 7u);
  EXPECT_EQ(listing->left_out.size(), 7u);
}

TEST(GitDamage, AFewTreesThatStandForABillionFilesEndAtALimit) {
  const TestRepository made;
  std::string below = make_object(made, "blob", "boom");
  for (int level = 0; level < 9; ++level) {
    std::string bytes;
    for (char name = 'a'; name < 'k'; ++name) {
      bytes += std::string(level == 0 ? "100644" : "40000") + " " + name + '\0' + raw_id(below);
    }
    below = make_object(made, "tree", bytes);
  }
  const std::string empty = make_object(made, "tree", "");
  const std::string first = make_commit(made, empty);
  const std::string commit = make_commit(made, below, first);
  const auto opened = GitRepository::open(made.path());
  double start = now_seconds();
  const auto listing = (*opened)->list_tree(commit, [](const TreeItem&) { return true; });
  ASSERT_FALSE(listing.ok());
  EXPECT_EQ(listing.error().code, ErrorCode::kLimit);
  EXPECT_THAT(listing.error().line(), HasSubstr("more than 2000000 files"));
  EXPECT_LT(now_seconds() - start, 30);

  start = now_seconds();
  std::vector<Commit> commits;
  ASSERT_OK(walk_history(**opened, commit, {}, [&](Commit&& found) {
    commits.push_back(std::move(found));
    return true;
  }));
  EXPECT_LT(now_seconds() - start, 30);
  ASSERT_EQ(commits.size(), 2u);
  EXPECT_TRUE(commits[0].files_truncated);
  EXPECT_EQ(commits[0].files.size(), HistoryOptions().max_files);
}

TEST(GitDamage, AHugeObjectIsRefusedBeforeItIsInflated) {
  const TestRepository made;
  // 64 MB of one letter pack into 64 KB.
  const std::string huge = make_object(made, "tree", std::string(64 << 20, 'a'));
  const std::string commit = make_commit(made, huge);
  const auto listing =
      (*GitRepository::open(made.path()))->list_tree(commit, [](const TreeItem&) { return true; });
  ASSERT_FALSE(listing.ok());
  EXPECT_EQ(listing.error().code, ErrorCode::kLimit);
  EXPECT_THAT(listing.error().line(), HasSubstr(huge));
}

TEST(GitDamage, ATreeOfThreeThousandLevelsIsListedAsFarAsItIsSane) {
  const TestRepository made;
  std::string path;
  for (int i = 0; i < 3000; ++i) path += "d/";
  std::string stream = "blob\nmark :1\ndata 1\nx\n";
  stream += "commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 1\nm\nM 100644 :1 top\n";
  stream +=
      "commit refs/heads/main\ncommitter A <a@b> 1700000001 +0000\ndata 1\nn\nM 100644 :1 " + path + "f\n";
  made.git({"fast-import", "--quiet"}, stream);
  const auto opened = GitRepository::open(made.path());
  const double start = now_seconds();
  std::vector<std::string> paths;
  const auto commit = (*opened)->resolve("main");
  ASSERT_OK(commit);
  const auto listing = (*opened)->list_tree(*commit, [&](const TreeItem& item) {
    paths.emplace_back(item.path);
    return true;
  });
  ASSERT_OK(listing);
  EXPECT_THAT(paths, ElementsAre("top"));
  ASSERT_EQ(listing->left_out_count, 1u);
  EXPECT_EQ(listing->left_out[0].reason, "too deep");
  std::vector<Commit> commits;
  ASSERT_OK(walk_history(**opened, *commit, {}, [&](Commit&& found) {
    commits.push_back(std::move(found));
    return true;
  }));
  ASSERT_EQ(commits.size(), 2u);
  EXPECT_TRUE(commits[0].files_truncated);
  EXPECT_THAT(commits[0].files, IsEmpty());
  EXPECT_LT(now_seconds() - start, 30);
}

// Packs as no fetch would let in: entries are (id, bytes of the entry), ids in ascending order.
class PackMaker {
 public:
  static std::string big_endian(uint32_t value) {
    std::string out;
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
    return out;
  }
  static std::string deflated(const std::string& bytes) {
    uLongf size = ::compressBound(bytes.size());
    std::string out(size, '\0');
    ::compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
               bytes.size());
    out.resize(size);
    return out;
  }
  static std::string head(int type, size_t size) {
    std::string out;
    auto c = static_cast<unsigned>(type << 4 | static_cast<int>(size & 15));
    for (size >>= 4; size > 0; size >>= 7) {
      out += static_cast<char>(c | 128);
      c = size & 127;
    }
    return out + static_cast<char>(c);
  }
  static std::string size_bytes(uint64_t size) {
    std::string out;
    for (; size > 127; size >>= 7) out += static_cast<char>(size | 128);
    return out + static_cast<char>(size);
  }
  static std::string object(const std::string& bytes) { return head(3, bytes.size()) + deflated(bytes); }
  static std::string delta(const std::string& base_id, const std::string& delta) {
    return head(7, delta.size()) + raw_id(base_id) + deflated(delta);
  }

  void add(const std::string& id, const std::string& entry) {
    ids_.push_back(id);
    offsets_.push_back(pack_.size());
    pack_ += entry;
  }

  void write(const TestRepository& made) {
    std::string pack =
        "PACK" + big_endian(2) + big_endian(static_cast<uint32_t>(ids_.size())) + pack_.substr(12);
    const std::string checksum(20, 'c');
    std::string index = std::string("\377tOc") + big_endian(2);
    for (int first = 0; first < 256; ++first) {
      uint32_t count = 0;
      for (const auto& id : ids_) count += std::stoi(id.substr(0, 2), nullptr, 16) <= first ? 1U : 0U;
      index += big_endian(count);
    }
    for (const auto& id : ids_) index += raw_id(id);
    for (size_t i = 0; i < ids_.size(); ++i) index += big_endian(0);
    for (const uint64_t offset : offsets_) index += big_endian(static_cast<uint32_t>(offset));
    made.write(".git/objects/pack/pack-" + std::string(40, '0') + ".pack", pack + checksum);
    made.write(".git/objects/pack/pack-" + std::string(40, '0') + ".idx", index + checksum + checksum);
  }

 private:
  std::vector<std::string> ids_;
  std::vector<uint64_t> offsets_;
  std::string pack_ = std::string(12, '\0');
};

TEST(GitDamage, DeltasInACircleAreRefused) {
  const TestRepository made;
  const std::string a(40, 'a'), b(40, 'b'), c(40, 'c');
  const std::string copy_ten = std::string("\x0a\x0a\x90\x0a", 4);
  PackMaker pack;
  pack.add(a, PackMaker::delta(b, copy_ten));
  pack.add(b, PackMaker::delta(a, copy_ten));
  pack.add(c, PackMaker::delta(c, copy_ten));
  pack.write(made);
  const auto opened = GitRepository::open(made.path());
  ASSERT_OK(opened);
  for (const auto& id : {a, b, c}) {
    const double start = now_seconds();
    const auto bytes = (*opened)->read_blob(id, 1000);
    ASSERT_FALSE(bytes.ok());
    EXPECT_EQ(bytes.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(bytes.error().line(), HasSubstr(id));
    EXPECT_THAT(bytes.error().line(), HasSubstr("deltas have no end"));
    EXPECT_THAT(failure_of((*opened)->resolve(id.substr(0, 8))), HasSubstr("deltas have no end"));
    EXPECT_LT(now_seconds() - start, 30);
  }
}

TEST(GitDamage, ADeltaThatUnfoldsToMoreThanAGigabyteOnTheWayIsRefused) {
  const TestRepository made;
  const std::string base(40, 'a'), huge(40, 'b'), small(40, 'c');
  const size_t step = 0xffffff;  // 90 of them are less than libgit2 takes by itself, and more than 1 GiB
  std::string unfold = PackMaker::size_bytes(step) + PackMaker::size_bytes(step * 90);
  for (int i = 0; i < 90; ++i) unfold += "\xf0\xff\xff\xff";  // copy all of the base
  const std::string fold = PackMaker::size_bytes(step * 90) + PackMaker::size_bytes(1) + "\x90\x01";
  PackMaker pack;
  pack.add(base, PackMaker::object(std::string(step, 'x')));
  pack.add(huge, PackMaker::delta(base, unfold));
  pack.add(small, PackMaker::delta(huge, fold));
  pack.write(made);
  const auto opened = GitRepository::open(made.path());
  ASSERT_OK(opened);
  EXPECT_THAT(failure_of((*opened)->read_blob(huge, 1000)),
              HasSubstr("holds 1509949350 bytes, more than 1000"));
  EXPECT_THAT(failure_of((*opened)->read_blob(small, 1000)), HasSubstr("overly large object"));
}

TEST(GitDamage, PacksOfBothKindsOfDeltaAreReadWhenTheyAreSound) {
  const TestRepository made;
  make_history(made);
  std::map<std::string, std::string> contents;
  const auto opened_loose = GitRepository::open(made.path());
  const std::string head = made.id("HEAD");
  ASSERT_OK((*opened_loose)->list_tree(head, [&](const TreeItem& item) {
    contents[item.id] = *(*opened_loose)->read_blob(item.id, 1 << 20);
    return true;
  }));
  ASSERT_EQ(contents.size(), 20u);
  for (const char* by_offset : {"true", "false"}) {
    made.git({"-c", std::string("repack.useDeltaBaseOffset=") + by_offset, "repack", "-q", "-a", "-d", "-f"});
    made.git({"prune-packed"});
    const auto opened = GitRepository::open(made.path());
    for (const auto& [id, bytes] : contents) EXPECT_EQ(*(*opened)->read_blob(id, 1 << 20), bytes);
    EXPECT_THAT(failures(made.path()), IsEmpty());
  }
}

TEST(GitDamage, ObjectsThatArePackedAfterOpeningAreStillFound) {
  const TestRepository made;
  make_history(made);
  const auto opened = GitRepository::open(made.path());
  const std::string head = made.id("HEAD"), blob = made.id("HEAD:d1/f1");
  made.git({"gc", "-q", "--prune=now"});
  EXPECT_OK((*opened)->read_blob(blob, 1 << 20));
  EXPECT_OK((*opened)->list_tree(head, [](const TreeItem&) { return true; }));
}

}  // namespace
}  // namespace knapsack
