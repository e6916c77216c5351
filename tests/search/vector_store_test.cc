// The store of vectors: what stays, what is refused, and what a failure on the way costs.
#include "search/vectors/vector_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/files/memory_file_system.h"
#include "search/support_vectors.h"
#include "search/vectors/embed_missing.h"
#include "support/support.h"

namespace knapsack::search {
namespace {

using ::testing::ElementsAre;

constexpr char kStoreRoot[] = "/vectors";

class VectorStoreTest : public ::testing::TestWithParam<VectorEncoding> {
 protected:
  void SetUp() override { ASSERT_OK(files_.make_directory(kStoreRoot)); }

  VectorStore open(const VectorSpace& space) {
    auto store = VectorStore::open(files_, kStoreRoot, space);
    EXPECT_OK(store);
    return *std::move(store);
  }
  VectorStore open() { return open(space_of("m", GetParam())); }

  EmbedTexts embed() {
    return [this](const std::vector<std::string>& texts) -> Result<std::vector<float>> {
      ++questions_;
      if (fail_after_ > 0 && questions_ > fail_after_) return Error{ErrorCode::kIo, "the server is gone", ""};
      std::vector<float> vectors;
      for (const std::string& text : texts) {
        asked_.push_back(text);
        const auto vector = vector_of(text);
        vectors.insert(vectors.end(), vector.begin(), vector.end());
      }
      return vectors;
    };
  }
  Result<size_t> embed_all(VectorStore& store, const std::vector<VectorUnit>& units, size_t batch = 8) {
    return embed_missing(store, units,
                         [](const VectorUnit& unit) -> Result<std::string> { return text_of(unit.unit); },
                         embed(), {}, {batch, 1U << 20U});
  }
  std::vector<std::string> file_names(const VectorSpace& space) {
    std::vector<std::string> names;
    const auto entries = files_.list(join_path(kStoreRoot, VectorStore::folder_of(space)));
    EXPECT_OK(entries);
    for (const DirectoryEntry& entry : *entries) names.push_back(entry.name);
    return names;
  }

  MemoryFileSystem files_;
  int questions_ = 0, fail_after_ = 0;
  std::vector<std::string> asked_;
};

TEST_P(VectorStoreTest, FindsEachTextByItsOwnVectorAfterOpeningAgain) {
  const auto units = units_up_to(40);
  auto store = open();
  const auto done = embed_all(store, units);
  ASSERT_OK(done);
  EXPECT_EQ(*done, 40U);
  auto again = open();
  EXPECT_EQ(again.size(), 40U);
  for (const VectorUnit& unit : units) {
    const auto found = again.nearest(units, vector_of(text_of(unit.unit)), 3);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found.front().unit, unit.unit);
    EXPECT_NEAR(found.front().score, 1, 0.01);
  }
}

TEST_P(VectorStoreTest, AsksForNoTextTwice) {
  auto units = units_up_to(10);
  auto store = open();
  ASSERT_OK(embed_all(store, units));
  units = units_up_to(12);
  units.push_back({units[3].hash, 12});   // the same content in another place
  units.push_back({units[11].hash, 13});  // twice among the new ones
  asked_.clear();
  auto again = open();
  ASSERT_OK(embed_all(again, units));
  EXPECT_THAT(asked_, ElementsAre("text 10", "text 11"));
  EXPECT_EQ(again.nearest(units, vector_of("text 3"), 2).at(1).unit, 12U);
}

TEST_P(VectorStoreTest, OnlyTheUnitsThatAreGivenAreFound) {
  const auto units = units_up_to(10);
  auto store = open();
  ASSERT_OK(embed_all(store, units));
  const std::vector<VectorUnit> some(units.begin() + 5, units.end());
  for (const UnitNeighbour& each : store.nearest(some, vector_of("text 1"), 10)) EXPECT_GE(each.unit, 5U);
}

TEST_P(VectorStoreTest, WhatWasAnsweredBeforeTheServerWentAwayStays) {
  const auto units = units_up_to(40);
  auto store = open();
  fail_after_ = 3;
  const auto failed = embed_all(store, units);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().what, "the server is gone");
  EXPECT_EQ(open().size(), 24U);
  fail_after_ = 0;
  asked_.clear();
  auto again = open();
  ASSERT_OK(embed_all(again, units));
  EXPECT_EQ(asked_.size(), 16U);
  EXPECT_EQ(again.size(), 40U);
}

// So many are looked at by several threads; which of them met a unit must not show.
TEST_P(VectorStoreTest, OfVeryManyTheNearestAreTheSameAsOfTheirParts) {
  const auto texts = units_up_to(40);
  auto store = open();
  ASSERT_OK(embed_all(store, texts));
  std::vector<VectorUnit> units;
  for (uint32_t unit = 0; unit < 100'000; ++unit) units.push_back({texts[unit % texts.size()].hash, unit});
  constexpr size_t kNearest = 5'000;
  const auto probe = vector_of("a text of nobody");
  const auto found = store.nearest(units, probe, kNearest);
  std::vector<UnitNeighbour> expected;
  for (size_t begin = 0; begin < units.size(); begin += 10'000) {
    const std::vector<VectorUnit> some(units.begin() + static_cast<long>(begin),
                                       units.begin() + static_cast<long>(begin + 10'000));
    const auto part = store.nearest(some, probe, kNearest);
    expected.insert(expected.end(), part.begin(), part.end());
  }
  std::sort(expected.begin(), expected.end(), [](const UnitNeighbour& a, const UnitNeighbour& b) {
    return a.score != b.score ? a.score > b.score : a.unit < b.unit;
  });
  expected.resize(kNearest);
  EXPECT_EQ(found, expected);
}

TEST_P(VectorStoreTest, EveryDamagedByteIsFoundAndTheFileMadeAnew) {
  const auto units = units_up_to(3);
  const VectorSpace space = space_of("m", GetParam());
  {
    auto store = open();
    ASSERT_OK(embed_all(store, units));
  }
  const auto names = file_names(space);
  ASSERT_EQ(names.size(), 1U);
  const std::string path = join_path(join_path(kStoreRoot, VectorStore::folder_of(space)), names.front());
  const auto whole = files_.read(path, 1U << 20U);
  ASSERT_OK(whole);
  for (size_t at = 0; at < whole->size(); at += 7) {
    std::string damaged = *whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    ASSERT_OK(files_.replace(path, damaged));
    auto store = open();
    EXPECT_EQ(store.size(), 0U) << at;
    EXPECT_EQ(store.removed(), 1U) << at;
  }
  for (size_t size = 0; size < whole->size(); size += 13) {
    ASSERT_OK(files_.replace(path, whole->substr(0, size)));
    EXPECT_EQ(open().size(), 0U) << size;
  }
  ASSERT_OK(files_.replace(path, *whole));
  EXPECT_EQ(open().size(), 3U);
}

TEST_P(VectorStoreTest, AFileWithTheRightChecksumAndWrongContentIsRefused) {
  const VectorSpace space = space_of("m", GetParam());
  open();
  for (const std::string& bytes : {std::string(), std::string("knapvect"), std::string(200, '\xff')}) {
    const std::string name = content_hash(bytes) + std::string(kVectorFileEnding);
    ASSERT_OK(files_.replace(join_path(join_path(kStoreRoot, VectorStore::folder_of(space)), name), bytes));
    EXPECT_EQ(open().removed(), 1U);
  }
}

TEST_P(VectorStoreTest, ManyFilesBecomeOneWithTheSameAnswers) {
  const auto units = units_up_to(60);
  auto store = open();
  for (uint32_t i = 0; i < 60; i += 3) {
    std::vector<float> vectors;
    std::vector<std::string_view> hashes;
    for (uint32_t unit = i; unit < i + 3; ++unit) {
      const auto vector = vector_of(text_of(unit));
      vectors.insert(vectors.end(), vector.begin(), vector.end());
      hashes.push_back(units[unit].hash);
    }
    ASSERT_OK(store.add(hashes, vectors));
  }
  const VectorSpace space = space_of("m", GetParam());
  EXPECT_EQ(file_names(space).size(), 20U);
  const auto before = store.nearest(units, vector_of("anything"), 60);
  ASSERT_OK(store.tidy(hashes_of(units)));
  EXPECT_EQ(file_names(space).size(), 1U);
  EXPECT_EQ(store.nearest(units, vector_of("anything"), 60), before);
  EXPECT_EQ(open().nearest(units, vector_of("anything"), 60), before);
}

TEST_P(VectorStoreTest, VectorsOfTextsThatAreGoneAreLeftOutWhenTheyAreMost) {
  const auto units = units_up_to(1'200);
  auto store = open();
  ASSERT_OK(embed_all(store, units, 64));
  const std::vector<VectorUnit> few(units.begin(), units.begin() + 100);
  ASSERT_OK(store.tidy(hashes_of(few)));
  EXPECT_EQ(open().size(), 100U);
  ASSERT_OK(store.tidy({}));
  EXPECT_EQ(open().size(), 100U) << "a few dead ones are not worth a new file";
}

TEST_P(VectorStoreTest, ATextThatCannotBeReadIsPassedOver) {
  auto store = open();
  const auto units = units_up_to(3);
  const auto done = embed_missing(store, units,
                                  [](const VectorUnit& unit) -> Result<std::string> {
                                    if (unit.unit == 1) return Error{ErrorCode::kBusy, "changed", ""};
                                    return text_of(unit.unit);
                                  },
                                  embed(), {}, {});
  ASSERT_OK(done);
  EXPECT_EQ(*done, 2U);
  EXPECT_FALSE(store.holds(units[1].hash));
}

INSTANTIATE_TEST_SUITE_P(Encodings, VectorStoreTest,
                         ::testing::Values(VectorEncoding::kFloat32, VectorEncoding::kInt8),
                         [](const auto& row) { return std::string(to_string(row.param)); });

using VectorSpaceTest = VectorStoreTest;
INSTANTIATE_TEST_SUITE_P(Spaces, VectorSpaceTest, ::testing::Values(VectorEncoding::kFloat32));

TEST_P(VectorSpaceTest, AnotherModelSizeOrEncodingHasAFolderOfItsOwn) {
  std::set<std::string> folders;
  for (const std::string model : {"m", "M", "m!", "n"}) {
    for (const uint32_t size : {16U, 32U}) {
      for (const auto encoding : {VectorEncoding::kFloat32, VectorEncoding::kInt8})
        folders.insert(VectorStore::folder_of(space_of(model, encoding, size)));
    }
  }
  EXPECT_EQ(folders.size(), 16U);
}

TEST_P(VectorSpaceTest, AModelThatChangedUnderItsNameStartsAnew) {
  const auto units = units_up_to(5);
  VectorSpace space = space_of("m");
  {
    auto store = open(space);
    ASSERT_OK(embed_all(store, units));
  }
  // The last digits differ from run to run; that is the same model.
  space.probe[0] += 1e-4F;
  ASSERT_OK(normalise_vector(space.probe));
  EXPECT_EQ(open(space).size(), 5U);
  space.probe = vector_of("what the new model makes of it");
  const auto changed = open(space);
  EXPECT_EQ(changed.size(), 0U);
  EXPECT_EQ(changed.removed(), 1U);
}

TEST_P(VectorSpaceTest, TextsGoToTheModelInBatchesOfBoundedNumberAndSize) {
  auto store = open(space_of("m"));
  const auto units = units_up_to(10);
  std::vector<size_t> batches;
  const auto embed = [&](const std::vector<std::string>& texts) -> Result<std::vector<float>> {
    batches.push_back(texts.size());
    std::vector<float> vectors;
    for (const std::string& text : texts) {
      const auto vector = vector_of(text);
      vectors.insert(vectors.end(), vector.begin(), vector.end());
    }
    return vectors;
  };
  std::vector<size_t> told;
  ASSERT_OK(embed_missing(
      store, units,
      [](const VectorUnit& unit) -> Result<std::string> {
        return std::string(unit.unit == 4 ? 500 : 30, 'x');
      },
      embed, [&](const EmbedProgress& progress) { told.push_back(progress.done); }, {4, 100}));
  EXPECT_THAT(batches, ElementsAre(3, 1, 1, 3, 2));
  EXPECT_THAT(told, ElementsAre(3, 4, 5, 8, 10));
}

}  // namespace
}  // namespace knapsack::search
