#include "stages/scope_metadata.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "text/words/words.h"

namespace knapsack::stages {
namespace {

constexpr size_t kMetadataFiles = 40;

}  // namespace

// Shared concepts count, and so does a module or domain that the task's words name.
Result<std::optional<std::vector<MetadataMatch>>> metadata_matches(code::CodeIndex& index,
                                                                   const TaskQuery& task) {
  KNAPSACK_TRY(const size_t described, index.files_with_metadata());
  if (described == 0) return std::optional<std::vector<MetadataMatch>>();
  WordOptions stemmed;
  stemmed.stemming = Stemming::kByScript;
  std::unordered_set<std::string> wanted;
  for (const auto* list : {&task.concepts, &task.keywords}) {
    for (const std::string& term : *list) {
      for (std::string& word : words_of(term, stemmed)) wanted.insert(std::move(word));
    }
  }
  std::vector<MetadataMatch> found;
  for (uint32_t file = 0; file < index.files().size(); ++file) {
    KNAPSACK_TRY(const code::FileMetadata* metadata, index.file_metadata(file));
    if (metadata == nullptr) continue;
    uint32_t shared = 0;
    std::vector<std::string> terms = metadata->concepts;
    terms.push_back(metadata->module);
    terms.push_back(metadata->domain);
    for (const std::string& term : terms) {
      const auto words = words_of(term, stemmed);
      const bool all =
          !words.empty() && std::all_of(words.begin(), words.end(),
                                        [&](const std::string& word) { return wanted.contains(word); });
      shared += all ? 1 : 0;
    }
    if (shared > 0) found.push_back({file, shared});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const MetadataMatch& a, const MetadataMatch& b) { return a.shared > b.shared; });
  if (found.size() > kMetadataFiles) found.resize(kMetadataFiles);
  return std::optional(std::move(found));
}

}  // namespace knapsack::stages
