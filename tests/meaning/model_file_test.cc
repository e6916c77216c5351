// A model file that is not what it should be costs meaning, never more.
#include "meaning/model_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <random>

#include "core/files/memory_file_system.h"
#include "core/ids.h"
#include "meaning/support_model.h"
#include "meaning/text_encoder.h"
#include "support/support.h"

namespace knapsack::meaning {
namespace {

constexpr char kPath[] = "/model";

std::string whole_model() {
  const auto files = make_disk_file_system();
  auto bytes = files->read(model_path(), 100'000'000);
  EXPECT_OK(bytes);
  return *std::move(bytes);
}

Result<std::shared_ptr<const ModelFile>> open_bytes(std::string_view bytes) {
  MemoryFileSystem files;
  EXPECT_OK(files.replace(kPath, bytes));
  return ModelFile::open(files, kPath);
}

// With a header that says so and is right in itself.
std::string with_header(std::string bytes, const std::function<void(ModelHeader&)>& change) {
  ModelHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  change(header);
  const auto* start = reinterpret_cast<const char*>(&header);
  const std::string hash = content_hash({start, offsetof(ModelHeader, header_hash)});
  std::memcpy(header.header_hash, hash.data(), hash.size());
  bytes.replace(0, sizeof header, start, sizeof header);
  return bytes;
}

TEST(ModelFileTest, SaysWhatItIs) {
  const auto model = open_model();
  EXPECT_EQ(model->name(), "e5-small-v2");
  EXPECT_EQ(model->query_prefix(), "query: ");
  EXPECT_EQ(model->passage_prefix(), "passage: ");
  EXPECT_EQ(model->header().layers, 12U);
  EXPECT_EQ(model->header().width, 384U);
  EXPECT_EQ(model->space().substr(0, 12), "e5-small-v2@");
  EXPECT_OK(model->check_weights());
}

TEST(ModelFileTest, IsRefusedWhereItIsCutAnywhere) {
  const std::string whole = whole_model();
  for (const size_t size : {size_t{0}, size_t{7}, size_t{100}, sizeof(ModelHeader) - 1, sizeof(ModelHeader),
                            size_t{4'096}, whole.size() / 2, whole.size() - 1}) {
    const auto model = open_bytes(std::string_view(whole).substr(0, size));
    ASSERT_FALSE(model.ok()) << size;
    EXPECT_EQ(model.error().code, ErrorCode::kCorrupt);
  }
  EXPECT_FALSE(open_bytes(whole + "x").ok());
}

TEST(ModelFileTest, IsRefusedWhereItIsOfAnotherVersionOrCannotBeRun) {
  const std::string head = whole_model().substr(0, 1'000);
  const auto why = [&](const std::function<void(ModelHeader&)>& change) {
    const auto model = open_bytes(with_header(head, change));
    return model.ok() ? "" : model.error().what;
  };
  EXPECT_THAT(why([](ModelHeader& header) { header.version = kModelVersion + 1; }),
              ::testing::HasSubstr("another version"));
  EXPECT_THAT(why([](ModelHeader& header) { header.layers = 4'000'000'000; }),
              ::testing::HasSubstr("cannot be run"));
  EXPECT_THAT(why([](ModelHeader& header) { header.word_slots = 65'535; }),
              ::testing::HasSubstr("cannot be run"));
  EXPECT_THAT(why([](ModelHeader& header) { header.end_token = header.vocabulary; }),
              ::testing::HasSubstr("cannot be run"));
  EXPECT_THAT(why([](ModelHeader&) {}), ::testing::HasSubstr("cut short"));
}

TEST(ModelFileTest, NoBitOfTheHeaderMayChange) {
  std::string head = whole_model().substr(0, 1'000);
  for (size_t at = 0; at < sizeof(ModelHeader); ++at) {
    head[at] = static_cast<char>(head[at] ^ 1);
    const auto model = open_bytes(head);
    ASSERT_FALSE(model.ok());
    EXPECT_THAT(model.error().what, ::testing::Not(::testing::HasSubstr("cut short"))) << at;
    head[at] = static_cast<char>(head[at] ^ 1);
  }
}

TEST(ModelFileTest, DamagedWeightsAreFoundOutAndNeverCrash) {
  std::string bytes = whole_model();
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i)
    bytes[sizeof(ModelHeader) + random() % (bytes.size() - sizeof(ModelHeader))] =
        static_cast<char>(random());
  // The vocabulary, too, which is at the end.
  for (size_t at = bytes.size() - 600'000; at < bytes.size(); at += 3)
    bytes[at] = static_cast<char>(random());
  MemoryFileSystem files;
  ASSERT_OK(files.replace(kPath, bytes));
  auto encoder = TextEncoder::open(files, kPath);
  ASSERT_OK(encoder);
  EXPECT_FALSE((*encoder)->model().check_weights().ok());
  const auto vectors = (*encoder)->embed({"what is damaged gives numbers or an error"}, TextRole::kQuestion);
  EXPECT_TRUE(!vectors.ok() || vectors->size() == 384U);
}

TEST(TextEncoderTest, StopsWhenItsFileIsWrittenTo) {
  testing::TemporaryFolder folder;
  folder.write("a.model", whole_model());
  const auto files = make_disk_file_system();
  auto encoder = TextEncoder::open(*files, folder.file("a.model"));
  ASSERT_OK(encoder);
  ASSERT_OK((*encoder)->embed({"text"}, TextRole::kQuestion));
  ASSERT_EQ(::truncate(folder.file("a.model").c_str(), 5'000), 0);
  const auto vectors = (*encoder)->embed({"text"}, TextRole::kQuestion);
  ASSERT_FALSE(vectors.ok());
  EXPECT_THAT(vectors.error().line(), ::testing::HasSubstr("changed while it was in use"));
}

// The look at the file comes first, and somebody cuts it right after that.
TEST(ModelFileTest, IsKnownToBeCutWhenThatHappensWhileItIsRead) {
  testing::TemporaryFolder folder;
  folder.write("a.model", whole_model());
  const auto files = make_disk_file_system();
  const auto model = ModelFile::open(*files, folder.file("a.model"));
  ASSERT_OK(model);
  Encoder encoder(*model);
  const std::vector<int32_t> tokens = {101, 2023, 102};
  ASSERT_EQ(::truncate(folder.file("a.model").c_str(), 5'000), 0);
  EXPECT_EQ(encoder.encode({&tokens, 1}).size(), 384U) << "of zeros, and of no use";
  EXPECT_FALSE((*model)->intact());
  EXPECT_FALSE((*model)->unchanged(*files));
}

TEST(TextEncoderTest, GoesOnWhenAnotherFileTakesTheName) {
  testing::TemporaryFolder folder;
  folder.write("a.model", whole_model());
  const auto files = make_disk_file_system();
  auto encoder = TextEncoder::open(*files, folder.file("a.model"));
  ASSERT_OK(encoder);
  const auto before = (*encoder)->embed({"text"}, TextRole::kQuestion);
  folder.write("b.model", "something else");
  ASSERT_OK(files->rename(folder.file("b.model"), folder.file("a.model")));
  const auto after = (*encoder)->embed({"text"}, TextRole::kQuestion);
  ASSERT_OK(after);
  EXPECT_EQ(*before, *after);
}

TEST(TextEncoderTest, SeveralThreadsMakeTheSameVectorsInTheSameOrder) {
  const auto files = make_disk_file_system();
  auto encoder = TextEncoder::open(*files, model_path());
  ASSERT_OK(encoder);
  std::vector<std::string> texts;
  for (int i = 0; i < 40; ++i) {
    texts.push_back(fmt::format("Text {} says", i));
    for (int word = 0; word < i * 7 % 60; ++word) texts.back() += fmt::format(" word{}", word * i);
  }
  const auto alone = (*encoder)->embed(texts, TextRole::kPassage);
  ASSERT_OK(alone);
  for (const size_t threads : {2U, 5U, 1U}) {
    (*encoder)->use_threads(threads);
    const auto together = (*encoder)->embed(texts, TextRole::kPassage);
    ASSERT_OK(together);
    EXPECT_EQ(*together, *alone) << threads;
  }
}

TEST(TextEncoderTest, AQuestionIsNearerToItsAnswerThanToAnythingElse) {
  const auto files = make_disk_file_system();
  auto encoder = TextEncoder::open(*files, model_path());
  ASSERT_OK(encoder);
  const auto question = (*encoder)->embed({"Which instrument does he play?"}, TextRole::kQuestion);
  const auto passages =
      (*encoder)->embed({"He practises the cello every evening.", "The train to the coast was late.",
                         "The database is backed up at night."},
                        TextRole::kPassage);
  ASSERT_OK(question);
  ASSERT_OK(passages);
  std::vector<double> near(3);
  for (size_t i = 0; i < 3 * 384; ++i) near[i / 384] += double{(*question)[i % 384]} * (*passages)[i];
  EXPECT_GT(near[0], near[1]);
  EXPECT_GT(near[0], near[2]);
}

}  // namespace
}  // namespace knapsack::meaning
