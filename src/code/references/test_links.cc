#include "code/references/test_links.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "code/references/reference_bindings.h"
#include "code/walk/file_class.h"
#include "core/paths.h"
#include "core/split.h"
#include "text/words/words.h"

namespace knapsack::code {
namespace {

// Nearer by folders than all others, but there are others.
constexpr float kChosen = 0.9F;
// A name that more files share, all equally near, says nothing.
constexpr size_t kMaxSameName = 4;

template <size_t N>
bool is_listed(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_test_word(std::string_view word) {
  static constexpr std::array<std::string_view, 8> kWords = {"test",  "tests",    "testing",  "spec",
                                                             "specs", "unittest", "testcase", "unittests"};
  return is_listed(kWords, word);
}

// Folders that say what kind of file lies there, not what it is about.
bool is_layout_folder(std::string_view folder) {
  static constexpr std::array<std::string_view, 22> kFolders = {
      "__tests__", "unit", "integration", "e2e",    "functional", "src",    "source", "sources",
      "lib",       "main", "java",        "kotlin", "scala",      "groovy", "python", "include",
      "inc",       "app",  "packages",    "js",     "ts",         "php"};
  return is_test_word(folder) || is_listed(kFolders, folder);
}

std::vector<std::string> plain_words(std::string_view text) {
  WordOptions options;
  options.emit_whole = false;
  options.min_part_length = 1;
  return words_of(text, options);
}

std::vector<std::string> without_test_words(std::vector<std::string> words) {
  while (!words.empty() && is_test_word(words.front())) words.erase(words.begin());
  while (!words.empty()) {
    const bool is_case = words.back() == "case" && words.size() > 1 && words[words.size() - 2] == "test";
    if (!is_case && !is_test_word(words.back()) && words.back() != "it") break;
    words.pop_back();
  }
  return words;
}

std::string joined(std::span<const std::string> words) {
  std::string key;
  for (const std::string& word : words) key += word;
  return key;
}

// What a folder tells about the files below, empty for one that only says what kind they are. "cart-tests"
// and "Cart.Tests" are about the cart.
std::string told_by(std::string_view folder) {
  if (folder == "__tests__" || is_layout_folder(joined(plain_words(folder)))) return "";
  return joined(without_test_words(plain_words(folder)));
}

std::vector<std::string> telling_folders(std::string_view path) {
  std::vector<std::string> folders;
  const std::string_view folder = folder_of(path);
  if (folder.empty()) return folders;
  for_each_part(folder, "/", [&](std::string_view part) {
    if (std::string told = told_by(part); !told.empty()) folders.push_back(std::move(told));
  });
  return folders;
}

template <class Folder>
float likeness(std::span<const Folder> a, std::span<const Folder> b) {
  const size_t shorter = std::min(a.size(), b.size());
  const size_t longer = std::max(a.size(), b.size());
  if (longer == 0) return 1;
  size_t front = 0;
  while (front < shorter && a[front] == b[front]) ++front;
  size_t back = 0;
  while (back < shorter - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  return static_cast<float>(front + back) / static_cast<float>(longer);
}

// Gives each telling folder name a number, once: comparing paths is what linking spends its time on.
class FolderNumbers {
 public:
  std::vector<uint32_t> of(std::string_view path) {
    std::vector<uint32_t> numbers;
    const std::string_view folder = folder_of(path);
    if (folder.empty()) return numbers;
    for_each_part(folder, "/", [&](std::string_view part) {
      auto found = by_part_.find(part);
      if (found == by_part_.end()) found = by_part_.emplace(part, number(told_by(part))).first;
      if (found->second != 0) numbers.push_back(found->second);
    });
    return numbers;
  }

 private:
  uint32_t number(const std::string& told) {
    if (told.empty()) return 0;
    return by_name_.emplace(told, static_cast<uint32_t>(by_name_.size() + 1)).first->second;
  }
  std::unordered_map<std::string_view, uint32_t> by_part_;  // as the paths write it
  std::unordered_map<std::string, uint32_t> by_name_;
};

// A file that stands for its folder is named after it, or after the first folder above that says something.
std::vector<std::string> words_in_name(std::string_view path) {
  static constexpr std::array<std::string_view, 5> kFolderFiles = {"__init__", "index", "mod", "init", "lib"};
  const std::string_view stem = stem_of(path);
  if (is_listed(kFolderFiles, stem)) {
    const std::vector<std::string> folders = telling_folders(path);
    if (!folders.empty()) return {folders.back()};
  }
  return plain_words(stem);
}

}  // namespace

std::vector<std::string> subject_words(std::string_view path) {
  std::vector<std::string> words = without_test_words(words_in_name(path));
  // `cart/tests.py` is about the cart.
  if (!words.empty()) return words;
  const std::vector<std::string> folders = telling_folders(path);
  if (!folders.empty()) words.push_back(folders.back());
  return words;
}

float folder_likeness(std::string_view test_path, std::string_view subject_path) {
  const std::vector<std::string> test = telling_folders(test_path);
  const std::vector<std::string> subject = telling_folders(subject_path);
  return likeness<std::string>(test, subject);
}

float test_name_fit(std::string_view test, std::string_view symbol) {
  const std::vector<std::string> told = plain_words(test);
  const std::vector<std::string> wanted = plain_words(symbol);
  if (wanted.empty()) return 0;
  const auto found = std::count_if(wanted.begin(), wanted.end(), [&](const std::string& word) {
    return std::any_of(told.begin(), told.end(), [&](const std::string& other) {
      // "transfers" tells of `transfer`; words of one or two letters must be equal.
      return other == word || (word.size() > 2 && other.starts_with(word));
    });
  });
  return static_cast<float>(found) / static_cast<float>(wanted.size());
}

TestLinker::TestLinker(std::span<const ResolverFile> files) {
  FolderNumbers folders;
  files_.reserve(files.size());
  for (const ResolverFile& file : files) {
    File kept;
    kept.path = file.path;
    const bool has_symbols = file.language != nullptr && file.language->has_symbols();
    kept.language = has_symbols ? file.language->name : "";
    kept.family = has_symbols ? reference_rules(kept.language).family : uint8_t{0};
    kept.is_test = is_test_path(file.path);
    if (has_symbols) {
      kept.stem = joined(kept.is_test ? subject_words(file.path) : words_in_name(file.path));
      kept.folders = folders.of(file.path);
    }
    files_.push_back(std::move(kept));
  }
  for (uint32_t file = 0; file < files_.size(); ++file) {
    if (!files_[file].is_test && !files_[file].stem.empty()) subjects_.add(files_[file].stem, file);
  }
  subjects_.seal();
}

void TestLinker::add_by_name(uint32_t test, std::vector<TestLink>& links) const {
  std::vector<std::string> words = subject_words(files_[test].path);
  float sureness = test_confidence::kSameName;
  for (; !words.empty(); words.pop_back(), sureness = test_confidence::kPartOfName) {
    std::vector<uint32_t> best;
    float best_likeness = -1;
    size_t count = 0;
    for (const uint32_t file : subjects_.find(joined(words))) {
      if (files_[file].family != files_[test].family) continue;
      ++count;
      const float alike = likeness<uint32_t>(files_[test].folders, files_[file].folders);
      if (alike > best_likeness) best.clear();
      best_likeness = std::max(best_likeness, alike);
      if (alike == best_likeness) best.push_back(file);
    }
    if (best.empty()) continue;
    if (best.size() > kMaxSameName) return;
    // A header and its source share a name and are one subject.
    const bool are_one = files_[test].language == "c" || files_[test].language == "cpp";
    const float share = are_one ? 1 : static_cast<float>(best.size());
    for (const uint32_t file : best) {
      links.push_back({file, 0, sureness * (count == best.size() ? 1 : kChosen) / share, 0, 0});
    }
    return;
  }
}

std::vector<TestLink> TestLinker::subjects(uint32_t test, std::span<const ImportTarget> imports,
                                           std::span<const TestUse> uses) const {
  std::vector<TestLink> named;
  add_by_name(test, named);
  std::map<uint32_t, TestLink> links;
  for (const TestLink& link : named) links[link.file] = link;
  const auto is_subject = [&](uint32_t file) {
    return file != test && !files_[file].is_test && files_[file].family == files_[test].family &&
           files_[file].family != 0;
  };
  std::map<uint32_t, float> imported;
  for (const ImportTarget& target : imports) {
    if (is_subject(target.file)) imported[target.file] = std::max(imported[target.file], target.confidence);
  }
  std::map<uint32_t, float> used;
  float all_uses = 0;
  for (const TestUse& use : uses) {
    if (!is_subject(use.file)) continue;
    used[use.file] += use.weight;
    all_uses += use.weight;
  }
  // One of many imports is more often a helper than the subject, but less quickly so than their number grows.
  const auto spread = std::sqrt(static_cast<float>(std::max<size_t>(imported.size(), 1)));
  for (const auto& [file, confidence] : imported) {
    links[file].by_import = test_confidence::kImported * confidence / spread;
  }
  for (const auto& [file, weight] : used) {
    if (all_uses > 0) links[file].by_reference = test_confidence::kReferenced * weight / all_uses;
  }
  std::vector<TestLink> result;
  for (auto& [file, link] : links) {
    link.file = file;
    link.confidence = 1 - (1 - link.by_name) * (1 - link.by_import) * (1 - link.by_reference);
    if (link.confidence >= test_confidence::kMin) result.push_back(link);
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const TestLink& a, const TestLink& b) { return a.confidence > b.confidence; });
  return result;
}

float TestLinker::name_match(uint32_t test, uint32_t subject) const {
  const File& about = files_[subject];
  if (!files_[test].is_test || about.is_test || about.stem.empty() || about.family != files_[test].family)
    return 0;
  const float alike = likeness<uint32_t>(files_[test].folders, about.folders);
  std::vector<std::string> words = subject_words(files_[test].path);
  float sureness = test_confidence::kSameName;
  for (; !words.empty(); words.pop_back(), sureness = test_confidence::kPartOfName) {
    if (joined(words) == about.stem) return sureness * (1 + alike) / 2;
  }
  return 0;
}

}  // namespace knapsack::code
