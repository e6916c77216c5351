// The code index's database: what is written comes back, damage is noticed, one writer at a time.
#include <filesystem>
#include <functional>

#include "code/index/curated_writer.h"
#include "code/index/packing.h"
#include "support/support.h"

namespace knapsack {
namespace {

using namespace testing;
using ::testing::HasSubstr;

code::BlobFacts sample_facts(const std::string& hash) {
  code::BlobFacts facts;
  facts.hash = hash;
  facts.language = "python";
  facts.bytes = 120;
  facts.characters = 110;
  facts.tokens = {30, 29};
  facts.declares = "shop.cart";
  code::ParsedFile& parsed = facts.parsed;
  parsed.status = code::ParseStatus::kParsedWithErrors;
  parsed.error_nodes = 2;
  parsed.line_count = 9;
  parsed.package = "shop";
  code::Symbol cart;
  cart.kind = code::SymbolKind::kClass;
  cart.name = "Cart";
  cart.qualified_name = "Cart";
  cart.signature = "class Cart:";
  cart.docstring = std::string("keeps\0items", 11);  // any bytes come back
  cart.start_line = 1;
  cart.end_line = 8;
  cart.end_byte = 100;
  cart.is_exported = true;
  code::Symbol total = cart;
  total.kind = code::SymbolKind::kMethod;
  total.name = "total";
  total.qualified_name = "Cart.total";
  total.parent = 0;
  total.is_test = true;
  total.is_declaration = true;
  parsed.symbols = {cart, total};
  facts.symbol_tokens = {{20, 19}, {7, 8}};
  parsed.names = {"", "sum", "self"};
  parsed.references = {{1, 2, 5, 3, 1, code::ReferenceKind::kName}, {1, 0, 9, 1, code::kNoSymbol, {}}};
  code::Import import;
  import.kind = code::ImportKind::kUse;
  import.module = "shop.items";
  import.names = {{"Item", "Thing"}, { "other", "" }};
  import.line = 2;
  import.is_relative = true;
  parsed.imports = {import};
  parsed.comments = {{code::CommentKind::kTodo, 3, 4, 1, "round half up", {12, 70000}}};
  parsed.tests = {{1, {"assert a", ""}}};
  parsed.chunks = {{1, 9, 0, 120, 0, "Cart class Cart:"}};
  facts.chunk_tokens = {{31, 32}};
  return facts;
}

class CuratedTest : public ::testing::Test {
 protected:
  code::CuratedWriter writer() {
    auto opened = code::CuratedWriter::open(*files_, folder_.path(), {});
    EXPECT_OK(opened);
    return *std::move(opened);
  }

  TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
};

TEST_F(CuratedTest, GivesBackEverythingOfABlob) {
  const code::BlobFacts facts = sample_facts(std::string(20, 'h'));
  auto writing = writer();
  int64_t blob = 0;
  ASSERT_OK(writing.transaction([&]() -> Status {
    KNAPSACK_TRY(blob, writing.add_blob(sample_facts(std::string(20, 'a'))));  // a neighbour on each side
    KNAPSACK_TRY(blob, writing.add_blob(facts));
    KNAPSACK_CHECK(writing.add_blob(sample_facts(std::string(20, 'z'))));
    return ok_status();
  }));
  code::Curated& rows = writing.rows();
  const auto blobs = rows.blobs();
  ASSERT_OK(blobs);
  ASSERT_EQ(blobs->size(), 3u);
  const code::BlobRow& row = blobs->at(1);
  EXPECT_EQ(row.hash, facts.hash);
  EXPECT_EQ(row.language, "python");
  EXPECT_EQ(row.bytes, 120u);
  EXPECT_EQ(row.characters, 110u);
  EXPECT_EQ(row.lines, 9u);
  EXPECT_EQ(row.tokens, facts.tokens);
  EXPECT_EQ(row.status, code::ParseStatus::kParsedWithErrors);
  EXPECT_EQ(row.error_nodes, 2u);
  EXPECT_EQ(row.package, "shop");
  EXPECT_EQ(row.declares, "shop.cart");
  const auto symbols = rows.symbols(blob);
  ASSERT_OK(symbols);
  ASSERT_EQ(symbols->size(), 2u);
  EXPECT_EQ(symbols->at(0).symbol.docstring, facts.parsed.symbols[0].docstring);
  EXPECT_EQ(symbols->at(1).symbol.qualified_name, "Cart.total");
  EXPECT_EQ(symbols->at(1).symbol.parent, 0);
  EXPECT_TRUE(symbols->at(1).symbol.is_test && symbols->at(1).symbol.is_declaration);
  EXPECT_FALSE(symbols->at(0).symbol.is_test || symbols->at(0).symbol.is_declaration);
  EXPECT_EQ(symbols->at(1).tokens, facts.symbol_tokens[1]);
  EXPECT_EQ(rows.symbols_named("total")->size(), 3u);
  const auto references = rows.references(blob);
  ASSERT_OK(references);
  EXPECT_EQ(references->names, facts.parsed.names);
  ASSERT_EQ(references->references.size(), 2u);
  EXPECT_EQ(references->references[0].line, 5u);
  EXPECT_EQ(references->references[0].kind, code::ReferenceKind::kName);
  EXPECT_EQ(references->references[1].enclosing, code::kNoSymbol);
  const auto imports = rows.imports(blob);
  ASSERT_OK(imports);
  ASSERT_EQ(imports->size(), 1u);
  EXPECT_EQ(imports->at(0).names[0].alias, "Thing");
  EXPECT_TRUE(imports->at(0).is_relative);
  EXPECT_EQ(imports->at(0).kind, code::ImportKind::kUse);
  const auto comments = rows.comments(blob);
  ASSERT_OK(comments);
  EXPECT_EQ(comments->at(0).issues, (std::vector<uint32_t>{12, 70000}));
  EXPECT_EQ(rows.tests(blob)->at(0).assertions, (std::vector<std::string>{"assert a", ""}));
  EXPECT_EQ(rows.chunks(blob)->at(0).chunk.header, "Cart class Cart:");
  EXPECT_EQ(rows.chunks(blob)->at(0).tokens, facts.chunk_tokens[0]);
}

TEST_F(CuratedTest, ReplacesABlobInPlaceAndRemovesItWithAllThatBelongsToIt) {
  auto writing = writer();
  ASSERT_OK(writing.transaction([&]() -> Status {
    KNAPSACK_TRY(const int64_t blob, writing.add_blob(sample_facts(std::string(20, 'a'))));
    code::BlobFacts other = sample_facts(std::string(20, 'a'));
    other.parsed.package = "anew";
    KNAPSACK_TRY(const int64_t again, writing.add_blob(other, blob));
    EXPECT_EQ(again, blob);
    return ok_status();
  }));
  ASSERT_EQ(writing.rows().blobs()->size(), 1u);
  EXPECT_EQ(writing.rows().blobs()->at(0).package, "anew");
  EXPECT_EQ(writing.rows().symbols_named("total")->size(), 1u);
  const int64_t blob = writing.rows().blobs()->at(0).blob;
  ASSERT_OK(writing.transaction([&] { return writing.remove_blob(blob); }));
  EXPECT_TRUE(writing.rows().blobs()->empty());
  EXPECT_TRUE(writing.rows().symbol_names()->empty());
  EXPECT_TRUE(writing.rows().references(blob)->references.empty());
}

TEST_F(CuratedTest, ShowsAReaderOneStateForAsLongAsItLooks) {
  auto writing = writer();
  const auto publish = [&](const std::string& commit) {
    code::SnapshotRow snapshot;
    snapshot.name = code::kWorkTree;
    snapshot.commit_id = commit;
    return writing.transaction([&]() -> Status {
      KNAPSACK_CHECK(writing.put_snapshot(snapshot, "edges of " + commit, "co"));
      return ok_status();
    });
  };
  ASSERT_OK(publish("first"));
  auto reading = code::Curated::open(*files_, folder_.path());
  ASSERT_OK(reading);
  ASSERT_OK(publish("second"));
  EXPECT_EQ((*reading->find_snapshot(code::kWorkTree))->commit_id, "first");
  auto later = code::Curated::open(*files_, folder_.path());
  ASSERT_OK(later);
  const auto snapshot = later->find_snapshot(code::kWorkTree);
  ASSERT_OK(snapshot);
  EXPECT_EQ((*snapshot)->commit_id, "second");
  EXPECT_EQ(*later->edges((*snapshot)->snapshot), "edges of second");
  EXPECT_EQ(later->snapshots()->size(), 1u) << "a new one replaces that of its name";
}

TEST_F(CuratedTest, KeepsCommitsWithTheirChangesAndTheirNumbers) {
  Commit commit;
  commit.id = std::string(40, 'c');
  commit.parents = {std::string(40, 'p')};
  commit.author = "Ann";
  commit.message = "Round totals\r\n\nbecause of #12";
  commit.commit_time = 1'700'000'000;
  commit.files_unknown = true;
  auto writing = writer();
  int64_t number = 0;
  ASSERT_OK(writing.transaction([&]() -> Status {
    KNAPSACK_TRY(number, writing.add_commit(commit));
    return ok_status();
  }));
  EXPECT_EQ(writing.rows().commit_numbers(true)->size(), 0u) << "its changes are not known yet";
  commit.files_unknown = false;
  commit.files = {{"b.py", "a.py", FileChangeKind::kRenamed}, {"c\xff.py", "", FileChangeKind::kAdded}};
  ASSERT_OK(writing.transaction([&]() -> Status {
    KNAPSACK_TRY(const int64_t again, writing.add_commit(commit, number));
    EXPECT_EQ(again, number);
    return ok_status();
  }));
  EXPECT_EQ(writing.rows().commit_numbers(true)->at(commit.id), number);
  const auto rows = writing.rows().commits({number}, true);
  ASSERT_OK(rows);
  const Commit& read = rows->at(0).commit;
  EXPECT_EQ(read.subject, "Round totals");
  EXPECT_EQ(read.message, commit.message);
  EXPECT_EQ(read.parents, commit.parents);
  ASSERT_EQ(read.files.size(), 2u);
  EXPECT_EQ(read.files[0].old_path, "a.py");
  EXPECT_EQ(read.files[0].kind, FileChangeKind::kRenamed);
  EXPECT_EQ(read.files[1].path, "c\xff.py");
  const auto missing = writing.rows().commits({number + 1}, true);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kCorrupt);
}

TEST_F(CuratedTest, KnowsAFileByPathAndContent) {
  auto writing = writer();
  ASSERT_OK(writing.transaction([&]() -> Status {
    code::FileRow first{0, 0, "a.py", std::string(20, 'h'), 5, "source", "python", 1};
    code::FileRow same = first, other = first;
    other.hash = std::string(20, 'i');
    KNAPSACK_CHECK(writing.add_file(first));
    KNAPSACK_CHECK(writing.add_file(same));
    KNAPSACK_CHECK(writing.add_file(other));
    EXPECT_EQ(first.file, same.file);
    EXPECT_NE(first.file, other.file);
    EXPECT_EQ(first.path, other.path);
    return ok_status();
  }));
  EXPECT_EQ(writing.rows().files()->size(), 2u);
}

TEST_F(CuratedTest, LeavesNothingOfATransactionThatFailed) {
  auto writing = writer();
  const auto failed = writing.transaction([&]() -> Status {
    KNAPSACK_CHECK(writing.add_blob(sample_facts(std::string(20, 'a'))));
    code::FileRow file{0, 0, "a.py", std::string(20, 'a'), 5, "source", "python", 1};
    KNAPSACK_CHECK(writing.add_file(file));
    return Error{ErrorCode::kIo, "stop here", ""};
  });
  EXPECT_FALSE(failed.ok());
  EXPECT_TRUE(writing.rows().blobs()->empty());
  ASSERT_OK(writing.transaction([&]() -> Status {
    code::FileRow file{0, 0, "a.py", std::string(20, 'a'), 5, "source", "python", 1};
    return writing.add_file(file);
  }));
  EXPECT_EQ(writing.rows().files()->size(), 1u) << "the path was rolled back and is numbered again";
}

TEST_F(CuratedTest, HasOneWriterAndSaysWhoItIs) {
  const auto first = writer();
  code::CuratedWriterOptions impatient;
  impatient.wait = std::chrono::milliseconds(50);
  const auto second = code::CuratedWriter::open(*files_, folder_.path(), impatient);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
  EXPECT_THAT(second.error().line(), HasSubstr("process " + std::to_string(::getpid())));
}

TEST_F(CuratedTest, IsBegunAnewWhenItIsDamaged) {
  { auto writing = writer(); }
  folder_.write("curated.db", std::string(8192, 'x'));
  const auto refused = code::Curated::open(*files_, folder_.path());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  auto repaired = code::CuratedWriter::open(*files_, folder_.path(), {});
  ASSERT_OK(repaired);
  EXPECT_THAT(repaired->notice(), HasSubstr("rebuilt"));
  EXPECT_TRUE(repaired->rows().blobs()->empty());
}

TEST_F(CuratedTest, RefusesSymbolsThatLeadOutOfTheirFile) {
  using Damage = std::function<void(code::Symbol&)>;
  const std::vector<std::pair<std::string, Damage>> damages = {
      {"a parent that is not there", [](code::Symbol& symbol) { symbol.parent = 1'000'000; }},
      {"its own parent", [](code::Symbol& symbol) { symbol.parent = 1; }},
      {"a parent below none", [](code::Symbol& symbol) { symbol.parent = -2; }},
      {"no line", [](code::Symbol& symbol) { symbol.start_line = 0; }},
      {"an end before its start", [](code::Symbol& symbol) { symbol.start_line = symbol.end_line + 1; }},
      {"an end behind all files", [](code::Symbol& symbol) { symbol.end_line = UINT32_MAX; }},
      {"bytes that end before they start", [](code::Symbol& symbol) { symbol.start_byte = 101; }}};
  auto writing = writer();
  for (const auto& [what, damage] : damages) {
    SCOPED_TRACE(what);
    code::BlobFacts facts = sample_facts(std::string(20, 'h'));
    facts.parsed.symbols[1].name = what;
    damage(facts.parsed.symbols[1]);
    int64_t blob = 0;
    ASSERT_OK(writing.transaction([&]() -> Status {
      KNAPSACK_TRY(blob, writing.add_blob(facts));
      return ok_status();
    }));
    const auto symbols = writing.rows().symbols(blob);
    ASSERT_FALSE(symbols.ok());
    EXPECT_EQ(symbols.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(symbols.error().line(), HasSubstr("knapsack index --full"));
    EXPECT_FALSE(writing.rows().symbols_named(what).ok());
    ASSERT_OK(writing.transaction([&] { return writing.remove_blob(blob); }));
  }
}

TEST_F(CuratedTest, RefusesReferencesInsideOfSymbolsThatAreNotThere) {
  code::BlobFacts facts = sample_facts(std::string(20, 'h'));
  auto writing = writer();
  int64_t blob = 0;
  const auto put = [&]() -> Status {
    KNAPSACK_TRY(blob, writing.add_blob(facts, blob));
    return ok_status();
  };
  ASSERT_OK(writing.transaction(put));
  const auto sound = writing.rows().facts(blob);
  ASSERT_OK(sound);
  EXPECT_EQ(sound->symbols.size(), 2u);
  EXPECT_EQ(sound->references.size(), 2u);
  EXPECT_EQ(sound->imports.size(), 1u);
  facts.parsed.references[0].enclosing = 2;
  ASSERT_OK(writing.transaction(put));
  const auto damaged = writing.rows().facts(blob);
  ASSERT_FALSE(damaged.ok());
  EXPECT_EQ(damaged.error().code, ErrorCode::kCorrupt);
}

TEST_F(CuratedTest, SaysWhatToDoWhenThereIsNone) {
  const auto none = code::Curated::open(*files_, folder_.path());
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(none.error().line(), HasSubstr("knapsack index"));
}

TEST(Packing, NoticesListsThatAreCutOrChanged) {
  const code::BlobFacts facts = sample_facts(std::string(20, 'h'));
  const std::string references = code::pack_references(facts.parsed);
  for (size_t length = 0; length < references.size(); ++length) {
    code::ParsedFile file;
    EXPECT_FALSE(code::unpack_references(references.substr(0, length), file).ok()) << length;
  }
  const std::string names = code::pack_imported_names(facts.parsed.imports[0].names);
  for (size_t length = 0; length < names.size(); ++length) {
    EXPECT_FALSE(code::unpack_imported_names(names.substr(0, length)).ok()) << length;
  }
  // A count that promises more than there is asks for no memory.
  EXPECT_FALSE(code::unpack_strings("\xff\xff\xff\xff\x0f").ok());
  EXPECT_FALSE(code::unpack_numbers("\xff").ok());
}

}  // namespace
}  // namespace knapsack
