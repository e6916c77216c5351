#include "engine/eval/eval_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include "core/files/memory_file_system.h"
#include "engine/engine.h"
#include "engine/eval/eval_conversations.h"
#include "engine/eval/eval_stages.h"
#include "engine/recipes/memory/memory_vectors.h"
#include "memory/recall/passages.h"
#include "memory/recall/ranking.h"
#include "memory/recall/relevance_floor.h"
#include "memory/tree/documents.h"
#include "search/query/parse_query.h"
#include "search/segments/segment_set.h"
#include "search/vectors/dot_product.h"
#include "text/tokens/token_counter.h"

namespace knapsack {
namespace {

using std::chrono::steady_clock;

constexpr uint64_t kMaxConversationBytes = uint64_t{256} << 20;
constexpr size_t kNamedMemories = 20;  // memories that a report names of each ranking
constexpr size_t kLexicalDepth = 300;  // as deep as any k or budget reaches
constexpr size_t kShown = 8;           // memories that a recall shows, by default
constexpr size_t kDepth = 50;          // … of as many that it looks at
constexpr char kSegments[] = "/segments";

using MemorySwitches = memory::RankingOptions;

struct MemoryMethodRow {
  std::string_view name;
  std::string_view meaning;
  bool MemorySwitches::*switched = nullptr;  // to what it is not by default
};
constexpr MemoryMethodRow kMemoryMethods[] = {
    {"full", "every step", nullptr},
    {"lexical", "only BM25 of each memory, by the search engine", nullptr},
    {"no-meaning", "by words alone", &MemorySwitches::meaning},
    {"no-neighbours", "words count only in their own memory", &MemorySwitches::neighbours},
    {"no-hand-on", "questions do not pass their words to the answer", &MemorySwitches::hand_on},
    {"no-feedback", "without words taken from the best memories", &MemorySwitches::feedback},
    {"no-speaker", "without preferring the named speaker", &MemorySwitches::speaker},
    {"no-question-penalty", "questions count like statements", &MemorySwitches::question_penalty},
    {"no-time-words", "without preferring times if the question asks for one", &MemorySwitches::time_words},
    {"no-dates", "dates in the question count as plain words", &MemorySwitches::dates},
    {"no-spread", "neighbours of a chosen memory are not held back", &MemorySwitches::spread},
    {"no-irregular-forms", "\"went\" does not find \"go\"", &MemorySwitches::irregular_forms},
    {"coverage", "prefers memories in which all words of the question are close together",
     &MemorySwitches::coverage},
    {"keep-names", "speakers' names count as search words", &MemorySwitches::drop_names},
    {"no-floor", "shows every memory that shares a word", nullptr},
};

// Those of the ranking, then the stages of `search`.
const std::vector<MemoryMethodRow>& all_methods() {
  static const std::vector<MemoryMethodRow> methods = [] {
    std::vector<MemoryMethodRow> rows(std::begin(kMemoryMethods), std::end(kMemoryMethods));
    for (const SearchStageRow& stage : search_stages()) rows.push_back({stage.name, stage.meaning, nullptr});
    return rows;
  }();
  return methods;
}

const MemoryMethodRow* find_method(std::string_view name) {
  const auto row = std::find_if(all_methods().begin(), all_methods().end(),
                                [&](const MemoryMethodRow& each) { return each.name == name; });
  return row == all_methods().end() ? nullptr : &*row;
}

Result<search::Index> index_of(const std::vector<memory::Memory>& memories) {
  MemoryFileSystem files;
  search::SegmentBuilder builder;
  for (const memory::Memory& each : memories) memory::add_document(builder, each);
  KNAPSACK_CHECK(files.make_directory(kSegments));
  KNAPSACK_TRY(const std::string name, builder.write(files, kSegments));
  KNAPSACK_TRY(auto segment, search::open_segment(files, kSegments, name));
  const auto live = search::LiveSet::all(segment->documents());
  return search::Index::open({{std::move(segment), live}});
}

// What a conversation's memories mean, worked out once for all methods.
class ConversationMeaning {
 public:
  static Result<ConversationMeaning> make(meaning::TextEncoder& encoder, const Conversation& conversation) {
    ConversationMeaning made(encoder, conversation);
    const auto passages = memory::passages_of(conversation.memories);
    std::vector<memory::PassageTexts> texts;
    for (size_t i = 0; i < passages.size(); ++i)
      texts.push_back(memory::texts_of(conversation.memories, i, passages[i]));
    KNAPSACK_TRY(made.vectors_, embed_memories(encoder, texts));
    return made;
  }

  Result<memory::Similarities> similarities(const std::string& question) {
    KNAPSACK_TRY(const std::vector<float> asked, encoder_->embed({question}, meaning::TextRole::kQuestion));
    memory::Similarities similarities;
    for (size_t i = 0; i < conversation_->memories.size(); ++i) {
      const float product =
          search::dot_product(asked.data(), vectors_.data() + i * asked.size(), asked.size());
      similarities.emplace(&conversation_->memories[i], product / kPassagesOfMemory);
    }
    return similarities;
  }

 private:
  ConversationMeaning(meaning::TextEncoder& encoder, const Conversation& conversation)
      : encoder_(&encoder), conversation_(&conversation) {}

  meaning::TextEncoder* encoder_;
  const Conversation* conversation_;
  std::vector<float> vectors_;
};

// As `knapsack config --all` lists it.
std::string constant_name(const memory::RankingConstantRow& row) {
  return fmt::format("memory.ranking.{}", row.name);
}

// One conversation, asked by one method.
class Recaller {
 public:
  static Result<Recaller> open(const Conversation& conversation, const search::Index& index,
                               ConversationMeaning* meaning, const MemoryMethodRow& method,
                               const std::map<std::string, double>& constants) {
    memory::RankingOptions options;
    if (method.switched != nullptr) options.*method.switched = !(options.*method.switched);
    for (const memory::RankingConstantRow& row : memory::ranking_constant_rows()) {
      const auto value = constants.find(constant_name(row));
      if (value != constants.end()) options.constants.*row.value = value->second;
    }
    std::vector<const memory::Memory*> memories;
    for (const memory::Memory& each : conversation.memories) memories.push_back(&each);
    KNAPSACK_TRY(auto ranking, memory::MemoryRanking::open(index, std::move(memories), options));
    const bool without = method.switched == &MemorySwitches::meaning;
    return Recaller(index, conversation, without ? nullptr : meaning, std::move(ranking), method.name);
  }

  // What of a ranking a recall would show: the first of it that reach the floor.
  Result<std::vector<size_t>> shown(const std::string& question, const std::vector<size_t>& ranked) {
    std::vector<size_t> first(ranked.begin(),
                              ranked.begin() + static_cast<std::ptrdiff_t>(std::min(ranked.size(), kDepth)));
    KNAPSACK_TRY(const auto shares, ranking_.coverage(question, first));
    const double best = shares.empty() ? 0 : *std::max_element(shares.begin(), shares.end());
    std::vector<size_t> kept;
    for (size_t i = 0; i < first.size() && kept.size() < kShown; ++i) {
      const bool reaches = memory::reaches_floor(conversation_->memories[first[i]], shares[i], best,
                                                 method_ == "no-floor" ? 0 : memory::kDefaultFloor);
      if (reaches) kept.push_back(first[i]);
    }
    return kept;
  }

  // Positions, best first.
  Result<std::vector<size_t>> rank(const std::string& question) {
    std::vector<size_t> positions;
    memory::MemoryOrder order;
    if (method_ != "lexical") {
      memory::Similarities similarities;
      if (meaning_ != nullptr) {
        KNAPSACK_TRY(similarities, meaning_->similarities(question));
      }
      KNAPSACK_TRY(order, ranking_.rank(question, similarities));
      for (const memory::RankedMemory& each : order.ranked) positions.push_back(each.position);
      if (!is_search_stage(method_)) return positions;
    }
    KNAPSACK_TRY(const auto alone, rank_alone(question));
    if (method_ != "lexical")
      return apply_search_stage(method_, question, conversation_->memories, order.ranked, alone);
    for (const memory::RankedMemory& each : alone) positions.push_back(each.position);
    return positions;
  }

 private:
  // By the words of each memory alone.
  Result<std::vector<memory::RankedMemory>> rank_alone(const std::string& question) const {
    const auto query =
        search::parse_query(question, memory::memory_words(), search::field_bit(memory::kTextField));
    KNAPSACK_TRY(const auto hits, search::top_k(*index_, query.terms, {}, kLexicalDepth));
    // Keys are numbered in the order of the conversation, and so are documents.
    std::vector<memory::RankedMemory> ranked;
    for (const search::Hit& hit : hits) ranked.push_back({hit.document.document, hit.score});
    return ranked;
  }

  Recaller(const search::Index& index, const Conversation& conversation, ConversationMeaning* meaning,
           memory::MemoryRanking ranking, std::string_view method)
      : index_(&index),
        conversation_(&conversation),
        meaning_(meaning),
        ranking_(std::move(ranking)),
        method_(method) {}

  const search::Index* index_;
  const Conversation* conversation_;
  ConversationMeaning* meaning_;  // none: words alone
  memory::MemoryRanking ranking_;
  std::string_view method_;
};

// What each memory costs as it is shown: its line, and once for each session a heading with the day.
class Prices {
 public:
  Prices(const Conversation& conversation, const TokenCounter& counter)
      : conversation_(conversation), counter_(counter) {
    for (const memory::Memory& each : conversation.memories)
      lines_.push_back(counter.units(fmt::format("{}: {}\n", each.speaker, each.text)));
    heading_ = counter.units("## 2023-05-08\n");
  }

  // What is there of the evidence when memories are shown by rank, those that do not fit left out.
  double recall(const std::vector<size_t>& ranked, const std::vector<size_t>& evidence, size_t budget) const {
    const uint64_t limit = budget * counter_.units_per_token();
    uint64_t used = 0, found = 0;
    std::set<std::string_view> sessions;
    for (const size_t position : ranked) {
      const std::string& session = conversation_.memories[position].session;
      const uint64_t cost = lines_[position] + (sessions.contains(session) ? 0 : heading_);
      if (used + cost > limit) continue;
      used += cost;
      sessions.insert(session);
      if (std::binary_search(evidence.begin(), evidence.end(), position)) ++found;
    }
    return static_cast<double>(found) / static_cast<double>(evidence.size());
  }

  std::string name(size_t budget) const {
    return fmt::format("recall@{} {}", budget, counter_.is_exact() ? "tokens" : counter_.name());
  }

 private:
  const Conversation& conversation_;
  const TokenCounter& counter_;
  std::vector<uint64_t> lines_;
  uint64_t heading_ = 0;
};

EvalAnswer answer_of(const Conversation& conversation, const ConversationQuestion& question,
                     const std::vector<size_t>& ranked) {
  EvalAnswer answer;
  answer.groups = {{"category", question.category}, {"conversation", conversation.id}};
  for (const size_t position : question.evidence) {
    const auto found = std::find(ranked.begin(), ranked.end(), position);
    answer.ranks.push_back(found == ranked.end() ? 0 : static_cast<uint32_t>(found - ranked.begin()) + 1);
  }
  for (size_t i = 0; i < std::min(ranked.size(), kNamedMemories); ++i)
    answer.best.push_back(conversation.memories[ranked[i]].id);
  return answer;
}

// What a recall of so many memories would show: how much of the evidence, and how much of it is evidence.
void note_shown(const std::vector<size_t>& shown, const std::vector<size_t>& evidence, EvalAnswer& answer) {
  const auto right = static_cast<double>(std::count_if(shown.begin(), shown.end(), [&](size_t position) {
    return std::binary_search(evidence.begin(), evidence.end(), position);
  }));
  answer.shares["shown recall"] = right / static_cast<double>(evidence.size());
  if (!shown.empty()) answer.shares["shown precision"] = right / static_cast<double>(shown.size());
}

Status check_request(const MemoryEvalRequest& request) {
  for (const std::string& method : request.methods) {
    if (find_method(method) != nullptr) continue;
    std::string known;
    for (const MemoryMethodRow& row : all_methods()) known += fmt::format(" {}", row.name);
    return Error{ErrorCode::kUsage, fmt::format("unknown method '{}' for memories", method),
                 "choose one of" + known};
  }
  const auto rows = memory::ranking_constant_rows();
  for (const auto& constant : request.constants) {
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const auto& row) { return constant_name(row) == constant.first; }))
      continue;
    return Error{ErrorCode::kUsage,
                 fmt::format("the ranking of memories has no constant '{}'", constant.first),
                 "`knapsack config --all` lists them"};
  }
  return ok_status();
}

}  // namespace

std::vector<EvalMethod> memory_eval_methods() {
  std::vector<EvalMethod> methods;
  for (const MemoryMethodRow& row : all_methods()) methods.push_back({row.name, row.meaning});
  return methods;
}

Result<EvalReport> evaluate_memory(const FileSystem& files, const MemoryEvalRequest& request) {
  const auto began = steady_clock::now();
  const auto since = [](steady_clock::time_point start) { return steady_clock::now() - start; };
  KNAPSACK_CHECK(check_request(request));
  KNAPSACK_TRY(const std::string bytes, files.read(request.conversations_file, kMaxConversationBytes));
  KNAPSACK_TRY(const auto conversations, parse_conversations(bytes, request.conversations_file));
  std::vector<const TokenCounter*> counters;
  for (const char* name : {"chars4", "o200k"}) {
    KNAPSACK_TRY(const TokenCounter* counter, find_token_counter(name));
    counters.push_back(counter);
  }

  std::unique_ptr<meaning::TextEncoder> encoder;
  if (!request.model_file.empty()) {
    KNAPSACK_TRY(encoder, meaning::TextEncoder::open(files, request.model_file));
  }
  EvalReport report;
  report.version = Engine::version();
  std::vector<std::vector<EvalAnswer>> answers(request.methods.size());
  for (const Conversation& conversation : conversations) {
    report.tasks += conversation.questions.size() + conversation.without_evidence;
    if (conversation.without_evidence > 0)
      report.set_aside["none of their evidence is a turn of the conversation"] +=
          conversation.without_evidence;
    const auto indexing = steady_clock::now();
    KNAPSACK_TRY(const search::Index index, index_of(conversation.memories));
    report.index_seconds += std::chrono::duration<double>(since(indexing)).count();
    std::optional<ConversationMeaning> known;
    if (encoder) {
      KNAPSACK_TRY(known, ConversationMeaning::make(*encoder, conversation));
    }
    std::vector<Prices> prices;
    for (const TokenCounter* counter : counters) prices.emplace_back(conversation, *counter);
    for (size_t m = 0; m < request.methods.size(); ++m) {
      KNAPSACK_TRY(Recaller recaller, Recaller::open(conversation, index, known ? &*known : nullptr,
                                                     *find_method(request.methods[m]), request.constants));
      for (size_t q = 0; q < conversation.questions.size(); ++q) {
        const ConversationQuestion& question = conversation.questions[q];
        const auto asked = steady_clock::now();
        KNAPSACK_TRY(const auto ranked, recaller.rank(question.text));
        const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(since(asked)).count();
        EvalAnswer answer = answer_of(conversation, question, ranked);
        answer.id = fmt::format("{}/{}", conversation.id, q + 1);
        (q == 0 ? answer.first_micros : answer.micros) = micros;
        answer.micros = micros;
        KNAPSACK_TRY(const auto shown, recaller.shown(question.text, ranked));
        note_shown(shown, question.evidence, answer);
        for (const Prices& each : prices) {
          for (const size_t budget : request.budgets)
            answer.shares[each.name(budget)] = each.recall(ranked, question.evidence, budget);
        }
        answers[m].push_back(std::move(answer));
      }
    }
  }
  for (size_t m = 0; m < request.methods.size(); ++m) {
    report.methods.push_back(summarise_method(request.methods[m], std::move(answers[m]), request.ks));
  }
  report.seconds = std::chrono::duration<double>(since(began)).count();
  return report;
}

}  // namespace knapsack
