// Which files a test is about, and which tests a file has: by names, by imports and by what the tests call.
//
// Three kinds of evidence, each weak alone; they add up like independent witnesses: 1 - (1-a)(1-b)(1-c).
// Pure functions over names and edges. A TestLinker is immutable once built; any thread may ask.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "code/imports/import_resolver.h"
#include "code/imports/name_index.h"

namespace knapsack::code {

// What each kind of evidence is worth at its best.
namespace test_confidence {
inline constexpr float kSameName = 0.8F;    // test_cart.py and cart.py, the only one or the nearest
inline constexpr float kPartOfName = 0.4F;  // test_cart_totals.py and cart.py
inline constexpr float kImported = 0.6F;    // the only file of the repository that the test imports
inline constexpr float kReferenced = 0.6F;  // everything that the test uses is defined there
inline constexpr float kMin = 0.1F;         // weaker links are left out
}  // namespace test_confidence

struct TestLink {
  uint32_t file = 0;
  float confidence = 0;  // in (0, 1]
  float by_name = 0;     // what each kind of evidence contributed
  float by_import = 0;
  float by_reference = 0;
};

// A use of something in another file, by a test: weight is the confidence of the reference times its count.
struct TestUse {
  uint32_t file = 0;
  float weight = 0;
};

class TestLinker {
 public:
  // All files of a snapshot, sorted by path. Keeps copies.
  explicit TestLinker(std::span<const ResolverFile> files);
  TestLinker(TestLinker&&) = default;
  TestLinker& operator=(TestLinker&&) = default;

  bool is_test(uint32_t file) const { return files_[file].is_test; }

  // The likely subjects of a test file, best first, then by file number. Files that are tests themselves and
  // files of other languages are none. `imports` are the targets of all imports of the file, `uses` its
  // references into other files, or those of one test function for a link of that test alone.
  std::vector<TestLink> subjects(uint32_t test, std::span<const ImportTarget> imports,
                                 std::span<const TestUse> uses) const;

  // How much the two names alone say that `test` is about `subject`: 0 for nothing, up to kSameName. Counts
  // no other candidates, so a name that several files share says less than this.
  float name_match(uint32_t test, uint32_t subject) const;

 private:
  struct File {
    std::string path;
    std::string_view language;
    std::string stem;               // what it is named after, without marks of tests, case and separators
    std::vector<uint32_t> folders;  // those that count, numbered
    uint8_t family = 0;
    bool is_test = false;
  };

  void add_by_name(uint32_t test, std::vector<TestLink>& links) const;

  std::vector<File> files_;
  NameIndex subjects_;  // stem → files that are no tests
};

// What a test's file name says that it is about, as words without test marks: "test_cart_totals.py",
// "CartTotalsTest.java" and "cart-totals.spec.ts" all give "cart", "totals".
std::vector<std::string> subject_words(std::string_view path);

// How alike the folders of a test and a subject are, in [0, 1]; folders that only say "test" or "sources" do
// not count: tests/x/y and src/x/y are the same.
float folder_likeness(std::string_view test_path, std::string_view subject_path);

// How well the name of a test fits the name of a function or type that it uses, in [0, 1]: all words of
// `symbol` in `test` ("testTransferMovesMoney" and "transfer") is 1.
float test_name_fit(std::string_view test, std::string_view symbol);

}  // namespace knapsack::code
