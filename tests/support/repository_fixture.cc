#include "support/repository_fixture.h"

#include <algorithm>
#include <utility>

#include "support/repository_mixed.h"
#include "support/repository_python.h"
#include "support/repository_words.h"

namespace knapsack::testing {
namespace {

constexpr size_t kAverageBytes = 7'000;
constexpr size_t kLanguages = 21;

std::string document(Random& random, Words& words) {
  std::string text = "# " + words.phrase(2, 4) + "\n";
  for (size_t section = 2 + random.below(5); section > 0; --section) {
    text += "\n## " + words.phrase(2, 5) + "\n\n";
    for (size_t i = 2 + random.below(5); i > 0; --i) text += words.sentence(6, 14) + "\n";
    if (random.one_in(3)) text += "\n- `" + words.snake(2) + "`: " + words.phrase(4, 8) + "\n";
  }
  return text;
}

// What a build needs and a resolver reads, and documents: one file in forty.
std::vector<GeneratedFile> make_surroundings(Random& random, const RepositoryShape& shape) {
  std::vector<GeneratedFile> files = {
      {"pyproject.toml",
       "[project]\nname = \"harbor\"\nversion = \"1.0\"\n\n[tool.setuptools.packages.find]\n"
       "where = [\"src\"]\n"}};
  if (shape.mixed) {
    files.push_back({"go.mod", "module example.org/harbor\n\ngo 1.21\n"});
    files.push_back({"package.json", "{\n  \"name\": \"harbor\",\n  \"type\": \"module\"\n}\n"});
    files.push_back({"rust/Cargo.toml", "[package]\nname = \"harbor\"\nversion = \"1.0.0\"\n"});
  }
  Words words(random);
  files.push_back({"README.md", document(random, words)});
  for (size_t i = 0; i < shape.files / 40; ++i) {
    words.set_subject(i);
    files.push_back({"docs/" + words.snake(2) + "_" + std::to_string(i) + ".md", document(random, words)});
  }
  files.resize(std::min(files.size(), shape.files / 4));
  return files;
}

void append(std::vector<GeneratedFile>& files, std::vector<GeneratedFile> more) {
  std::move(more.begin(), more.end(), std::back_inserter(files));
}

}  // namespace

std::vector<GeneratedFile> make_repository(const RepositoryShape& shape) {
  Random random(shape.seed);
  size_t bytes = shape.bytes > 0 ? shape.bytes : shape.files * kAverageBytes;
  std::vector<GeneratedFile> files = make_surroundings(random, shape);
  for (const GeneratedFile& file : files) bytes -= std::min(bytes, file.bytes.size());
  const size_t sources = shape.files - files.size();
  const size_t python = shape.mixed ? sources / kLanguages : sources;
  if (python > 0) append(files, PythonPackages(random, python, bytes * python / sources).write());
  if (sources > python) {
    append(files, make_mixed_files(random, sources - python, bytes * (sources - python) / sources));
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

}  // namespace knapsack::testing
