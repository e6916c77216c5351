#include "support/repository_history.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "support/repository_python_body.h"
#include "support/repository_words.h"

namespace knapsack::testing {
namespace {

constexpr int64_t kFirstCommit = 1'600'000'000;
constexpr int64_t kBetweenCommits = 3 * 3600 + 17;
constexpr size_t kMaxChanged = 5;

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

std::string_view folder_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "" : path.substr(0, slash);
}

std::string data(const std::string& bytes) {
  return "data " + std::to_string(bytes.size()) + "\n" + bytes + "\n";
}

class History {
 public:
  History(const std::vector<GeneratedFile>& files, size_t commits, uint64_t seed)
      : random_(seed), words_(random_), left_(commits) {
    for (const GeneratedFile& file : files) {
      files_[file.path] = file.bytes;
      if (file.path.find('/') != std::string::npos) paths_.push_back(file.path);
    }
    if (paths_.empty()) {
      for (const GeneratedFile& file : files) paths_.push_back(file.path);
    }
  }

  GeneratedHistory make() {
    begin_commit("main", "Begin with what there is\n", 0);
    for (const auto& [path, bytes] : files_) put(path, bytes);
    tip_ = mark_;
    while (left_ > 0) {
      if (left_ >= 4 && random_.one_in(12)) {
        add_merged_branch();
      } else if (random_.one_in(25)) {
        add_rename();
      } else {
        add_changes("main", tip_, {});
        tip_ = mark_;
      }
    }
    GeneratedHistory history{std::move(stream_), {}};
    for (auto& [path, bytes] : files_) history.files.push_back({path, std::move(bytes)});
    return history;
  }

 private:
  void begin_commit(const std::string& branch, const std::string& message, size_t from) {
    --left_;
    ++mark_;
    const std::string name = pascal_case(authors_[random_.below(authors_.size())]);
    const std::string who = name + " <" + name + "@example.org> " +
                            std::to_string(kFirstCommit + kBetweenCommits * static_cast<int64_t>(mark_)) +
                            " +0000\n";
    stream_ += "commit refs/heads/" + branch + "\nmark :" + std::to_string(mark_) + "\nauthor " + who +
               "committer " + who + data(message);
    if (from > 0) stream_ += "from :" + std::to_string(from) + "\n";
  }

  void put(const std::string& path, const std::string& bytes) {
    stream_ += "M 100644 inline " + path + "\n" + data(bytes);
  }

  std::string message() {
    constexpr std::array<const char*, 6> kWhat = {"Fix ",      "Add ",  "Speed up ",
                                                  "Refactor ", "Test ", "Document "};
    std::string text = random_.pick(kWhat) + words_.phrase(3, 6);
    if (random_.one_in(3)) text += " (#" + std::to_string(1 + random_.below(4000)) + ")";
    text += "\n";
    if (random_.one_in(2)) text += "\n" + words_.sentence(8, 16) + "\n";
    if (random_.one_in(5)) text += "\nFixes #" + std::to_string(1 + random_.below(4000)) + ".\n";
    return text;
  }

  // A file and those beside it, or its test: what changes together.
  std::set<std::string> related(const std::set<std::string>& not_these) {
    std::set<std::string> chosen;
    const size_t anchor = random_.below(paths_.size());
    const std::string& path = paths_[anchor];
    const size_t wanted = 1 + random_.below(kMaxChanged);
    if (wanted > 1 && path.compare(0, 4, "src/") == 0) {
      const size_t name = path.rfind('/') + 1;
      const std::string test = "tests/" + path.substr(4, name - 4) + "test_" + path.substr(name);
      if (files_.count(test) > 0) chosen.insert(test);
    }
    for (size_t i = 0; i < kMaxChanged && chosen.size() < wanted; ++i) {
      const std::string& beside = paths_[(anchor + i * i) % paths_.size()];
      if (folder_of(beside) == folder_of(path)) chosen.insert(beside);
    }
    for (const std::string& other : not_these) chosen.erase(other);
    return chosen;
  }

  // Digits change, never to a zero that would begin a number; a Python file may get a function more.
  void edit(const std::string& path, std::string& bytes) {
    if (ends_with(path, ".md")) {
      bytes += "\n" + words_.sentence(6, 14) + "\n";
      return;
    }
    if (ends_with(path, ".py") && random_.one_in(2)) {
      bytes += "\n\n";
      PythonBody(random_, words_, {})
          .write_function(bytes, {words_.action(2) + "_" + std::to_string(mark_), {words_.snake(2)}}, 0,
                          bytes.size() + 300);
      return;
    }
    for (size_t changes = 1 + random_.below(4); changes > 0; --changes) {
      const size_t at = bytes.find_first_of("123456789", random_.below(bytes.size() + 1));
      if (at != std::string::npos) bytes[at] = static_cast<char>('1' + random_.below(9));
    }
  }

  std::set<std::string> add_changes(const std::string& branch, size_t from,
                                    const std::set<std::string>& not_these) {
    begin_commit(branch, message(), from);
    std::set<std::string> changed = related(not_these);
    for (const std::string& path : changed) {
      edit(path, files_[path]);
      put(path, files_[path]);
    }
    return changed;
  }

  // Of what nothing imports, so that every name keeps its meaning.
  void add_rename() {
    const size_t at = random_.below(paths_.size());
    const std::string old_path = paths_[at];
    const bool test = old_path.compare(0, 6, "tests/") == 0;
    if (!test && !ends_with(old_path, ".md")) return;
    const size_t dot = old_path.rfind('.');
    const std::string new_path =
        old_path.substr(0, dot) + "_" + words_.snake(1) + std::to_string(mark_) + old_path.substr(dot);
    begin_commit("main", "Rename " + old_path + "\n", tip_);
    stream_ += "R " + old_path + " " + new_path + "\n";
    files_[new_path] = std::move(files_[old_path]);
    files_.erase(old_path);
    edit(new_path, files_[new_path]);
    put(new_path, files_[new_path]);
    paths_[at] = new_path;
    tip_ = mark_;
  }

  // One or two commits aside, one on the branch itself, and the merge of both. They change different files,
  // so that the merge is what git would have made of them.
  void add_merged_branch() {
    const size_t start = tip_;
    const std::string branch = "topic-" + std::to_string(mark_);
    std::set<std::string> aside = add_changes(branch, start, {});
    if (left_ >= 3 && random_.one_in(2)) aside.merge(add_changes(branch, mark_, {}));
    const size_t side = mark_;
    add_changes("main", start, aside);
    const size_t main = mark_;
    begin_commit("main", "Merge branch '" + branch + "'\n", main);
    stream_ += "merge :" + std::to_string(side) + "\n";
    for (const std::string& path : aside) put(path, files_[path]);
    stream_ += "\nreset refs/heads/" + branch + "\nfrom 0000000000000000000000000000000000000000\n\n";
    tip_ = mark_;
  }

  Random random_;
  Words words_;
  const std::vector<std::string> authors_ = [this] {
    std::vector<std::string> names;
    for (int i = 0; i < 12; ++i) names.push_back(words_.snake(2));
    return names;
  }();
  std::map<std::string, std::string> files_;
  std::vector<std::string> paths_;
  std::string stream_;
  size_t left_;
  size_t mark_ = 0;
  size_t tip_ = 0;
};

}  // namespace

GeneratedHistory make_history(const std::vector<GeneratedFile>& files, size_t commits, uint64_t seed) {
  return History(files, commits, seed).make();
}

}  // namespace knapsack::testing
