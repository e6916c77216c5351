#include "engine/recipes/memory/recall_gather.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ids.h"

namespace knapsack {
namespace {

constexpr size_t kMaxFilteredNamed = 100;  // memories that a filter took out, in the account
constexpr uint64_t kMaxReadProfileBytes = 1U << 20U;
constexpr size_t kMaxNamedWarnings = 5;  // of the tree, one warning each; the rest is counted

memory::RecallOptions options_of(const Settings& all, RecallMode mode) {
  const RecallSettings& settings = all.recall;
  memory::RecallOptions options;
  options.mode = mode;
  options.search = settings.search_enabled;
  options.max_results = settings.max_results;
  options.minimal_results = settings.minimal_results;
  options.verbatim_artifacts = settings.verbatim_artifacts;
  options.query_expansion = settings.query_expansion;
  options.floor = settings.floor;
  options.scoring = {settings.recency_weight, settings.intent_routing, settings.intent_boost};
  options.ranking.coverage = settings.search_rerank;
  if (const auto fusion = search::parse_fusion(all.search.fusion)) options.hybrid.fusion = *fusion;
  options.hybrid.vector_weight = all.search.vector_weight;
  return options;
}

std::vector<std::string> first_warnings(const std::vector<std::string>& warnings) {
  const size_t named = std::min(warnings.size(), kMaxNamedWarnings);
  std::vector<std::string> first(warnings.begin(), warnings.begin() + static_cast<std::ptrdiff_t>(named));
  if (warnings.size() > named)
    first.push_back(fmt::format("and {} more warnings about the memory folder", warnings.size() - named));
  return first;
}

std::string read_profile_file(const MemorySession& session, std::vector<std::string>& warnings) {
  const auto bytes =
      session.files().read(join_path(session.folder, session.profile_path()), kMaxReadProfileBytes);
  if (bytes.ok()) return *bytes;
  if (bytes.error().code != ErrorCode::kNotFound)
    warnings.push_back("the profile is left out: " + bytes.error().line());
  return "";
}

}  // namespace

std::vector<FilteredMemory> GatheredMemories::filtered() const {
  std::vector<FilteredMemory> out;
  for (const memory::Memory& each : catalogue.memories()) {
    if (out.size() >= kMaxFilteredNamed) break;
    if (!eligibility.allows(each) && eligibility.is_readable(each))
      out.push_back({&each, std::string(eligibility.verdict(each))});
  }
  return out;
}

std::string GatheredMemories::fingerprint() const {
  ContentHasher hasher;
  for (const memory::Memory& each : catalogue.memories()) {
    const uint64_t counts[] = {each.text.size(), each.access_count, each.not_useful};
    hasher.add(each.path);
    hasher.add({reinterpret_cast<const char*>(counts), sizeof counts});
    hasher.add(each.text);
  }
  hasher.add(profile);
  return hasher.hash();
}

Result<GatheredMemories> gather_memories(const MemorySession& session, const RecallQuestion& question,
                                         const RecallModels& models) {
  KNAPSACK_TRY(memory::Catalogue catalogue, session.catalogue());
  const std::vector<std::string> namespaces = session.read_namespaces();
  memory::Eligibility eligibility(catalogue.memories(),
                                  {namespaces, question.at, question.past, question.history});
  GatheredMemories gathered{std::move(catalogue), std::move(eligibility), {}, "", {}};
  gathered.warnings = first_warnings(gathered.catalogue.warnings());
  memory::RecallSource source{gathered.catalogue.memories(), gathered.catalogue.index(), gathered.eligibility,
                              namespaces};
  const memory::RecallOptions options = options_of(session.settings, question.mode);
  if (models.near && options.search) KNAPSACK_CHECK(models.near(source, gathered.warnings));
  KNAPSACK_TRY(gathered.recalled, find_memories(source, question.prompt, question.now, options));
  if (models.reorder) KNAPSACK_CHECK(models.reorder(gathered.recalled));
  choose_memories(gathered.recalled, source, options);
  gathered.profile = read_profile_file(session, gathered.warnings);
  return gathered;
}

}  // namespace knapsack
