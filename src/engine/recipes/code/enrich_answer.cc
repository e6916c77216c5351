#include "engine/recipes/code/enrich_answer.h"

#include <nlohmann/json.hpp>

#include "code/parse/source_text.h"
#include "code/walk/source_list.h"
#include "model/answer_text.h"

namespace knapsack {
namespace {

using nlohmann::json;

// Generous for what is asked, small enough that a row stays a row.
constexpr uint64_t kMaxSentences = 1500;
constexpr uint64_t kMaxWords = 160;
constexpr uint64_t kMaxConcepts = 32;
constexpr uint64_t kMaxNames = 128;

json text_of_at_most(uint64_t characters, const char* description) {
  return {{"type", "string"}, {"maxLength", characters}, {"description", description}};
}

json list_of_at_most(uint64_t items, const char* description) {
  return {{"type", "array"},
          {"maxItems", items},
          {"items", {{"type", "string"}, {"maxLength", kMaxWords}}},
          {"description", description}};
}

// "Cart.total(items)" is called total.
std::string_view plain_name(std::string_view name) {
  name = name.substr(0, name.find_first_of("(<[{ :="));
  const size_t last = name.find_last_of("./#");
  return last == std::string_view::npos ? name : name.substr(last + 1);
}

}  // namespace

const json& enrichment_schema() {
  static const json schema = {
      {"type", "object"},
      {"properties",
       {{"purpose", text_of_at_most(kMaxSentences, "what the file is for, in one or two sentences")},
        {"module", text_of_at_most(kMaxWords, "the part of the program that it belongs to, in a few words")},
        {"domain", text_of_at_most(kMaxWords, "its subject matter, in a few words")},
        {"concepts", list_of_at_most(kMaxConcepts, "terms that somebody would search for to find this file")},
        {"public_api", list_of_at_most(kMaxNames, "names in this file that other files use")},
        {"complexity_notes",
         text_of_at_most(kMaxSentences, "what is hard or surprising in it; may be empty")}}},
      {"required", {"purpose", "module", "domain", "concepts", "public_api", "complexity_notes"}},
      {"additionalProperties", false}};
  return schema;
}

json keep_names_of(json answer, std::string_view text) {
  json kept = json::array();
  for (const json& name : answer.at("public_api")) {
    std::string_view plain = name.get_ref<const std::string&>();
    // C++ and Rust join names by "::", which plain_name() would take for the beginning of a type.
    if (const size_t joint = plain.rfind("::"); joint != std::string_view::npos)
      plain.remove_prefix(joint + 2);
    plain = plain_name(plain);
    if (!plain.empty() && code::has_word(text, plain)) kept.push_back(name);
  }
  answer["public_api"] = std::move(kept);
  return answer;
}

std::optional<code::FileMetadata> metadata_of(const Enrichment& enrichment) {
  code::FileMetadata row;
  row.hash = code::hash_from_hex(enrichment.blob);
  const auto answer = model::read_answer(enrichment.metadata_json, enrichment_schema());
  if (enrichment.outcome != "ok" || row.hash.empty() || !answer.ok()) return std::nullopt;
  row.model = enrichment.model;
  row.at_micros = enrichment.at.micros;
  row.purpose = answer->at("purpose").get<std::string>();
  row.module = answer->at("module").get<std::string>();
  row.domain = answer->at("domain").get<std::string>();
  row.concepts = answer->at("concepts").get<std::vector<std::string>>();
  row.public_api = answer->at("public_api").get<std::vector<std::string>>();
  row.complexity_notes = answer->at("complexity_notes").get<std::string>();
  return row;
}

}  // namespace knapsack
