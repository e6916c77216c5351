#include "graph/store/digest.h"

#include <fmt/format.h>
#include <simdjson.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "core/ascii.h"
#include "text/secrets/redact.h"

namespace knapsack::graph {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

// Of one node at most this much text is read for words: a pasted log says no more in its second hundred
// kilobytes.
constexpr size_t kMaxWordText = 64U << 10U;

std::string_view text_of(const element& value) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? text : std::string_view();
}

std::string_view text_at(const object& node, std::string_view key) {
  element value;
  return node[key].get(value) == simdjson::SUCCESS ? text_of(value) : std::string_view();
}

int64_t time_at(const object& node, std::string_view key) {
  const std::string_view text = text_at(node, key);
  if (text.empty()) return kNoTime;
  const auto time = parse_rfc3339(text);
  return time.ok() ? time->micros : kNoTime;
}

bool is_weighty(std::string_view text) {
  constexpr std::string_view kWords[] = {"constraint", "risk"};
  return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) {
    return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                      [](char a, char b) { return (ascii::lower(a)) == b; });
  });
}

std::string reason_of(simdjson::error_code error) {
  switch (error) {
    case simdjson::UTF8_ERROR:
      return "is not valid UTF-8";
    case simdjson::DEPTH_ERROR:
      return fmt::format("is nested deeper than {} levels", kMaxDepth);
    default:
      return fmt::format("is not JSON: {}", simdjson::error_message(error));
  }
}

}  // namespace

// Reads one parsed node into the batch.
struct Digester::Parser {
  simdjson::dom::parser json;
  std::string padded;  // a copy of a line at the very end, where the parser could not read on past it
  TermReader terms;
  size_t words_left = 0;

  void read_words(std::string_view text, bool prominent, DigestBatch& batch) {
    // Whole, before it is cut; most texts hold no secret and are not copied.
    std::string clean;
    if (holds_secret(text)) {
      clean = text;
      redact_secrets(clean);
      text = clean;
    }
    text = text.substr(0, words_left);
    words_left -= text.size();
    terms.read(text, prominent, batch.terms);
  }

  static void add_reference(std::string_view target, ReferenceKind kind, DigestBatch& batch) {
    if (!layer_of(target) || target.size() > kMaxIdBytes || holds_secret(target)) return;
    batch.references.push_back({hash_of_id(target), static_cast<uint32_t>(batch.text.size()),
                                static_cast<uint32_t>(target.size()), kind});
    batch.text += target;
  }

  // A list of ids, or of objects that name one; anything else says nothing.
  static void add_references(const object& node, std::string_view key, ReferenceKind kind,
                             DigestBatch& batch) {
    simdjson::dom::array list;
    if (node[key].get(list) != simdjson::SUCCESS) return;
    for (const element item : list) {
      object named;
      if (item.get(named) != simdjson::SUCCESS) {
        add_reference(text_of(item), kind, batch);
        continue;
      }
      for (const char* field : {"target_id", "source_id", "id"}) {
        add_reference(text_at(named, field), kind, batch);
      }
    }
  }

  static void add_references_in(const object& node, std::string_view key, ReferenceKind kind,
                                std::initializer_list<const char*> lists, DigestBatch& batch) {
    object inner;
    if (node[key].get(inner) != simdjson::SUCCESS) return;
    for (const char* list : lists) add_references(inner, list, kind, batch);
  }

  void read_references(const object& node, Layer layer, DigestBatch& batch) const {
    add_references(node, "links", ReferenceKind::kLink, batch);
    switch (layer) {
      case Layer::kKnowledge:
        add_references(node, "relationships", ReferenceKind::kLink, batch);
        add_references(node, "evidence", ReferenceKind::kLink, batch);
        break;
      case Layer::kReasoning:
        add_references_in(node, "refs", ReferenceKind::kLink, {"kg_refs", "tg_refs"}, batch);
        add_references_in(node, "outcome", ReferenceKind::kSupersedes, {"supersedes"}, batch);
        break;
      case Layer::kTask:
        add_references(node, "dependencies", ReferenceKind::kDependency, batch);
        add_references(node, "blocks", ReferenceKind::kBlocks, batch);
        add_references_in(node, "inputs", ReferenceKind::kLink, {"kg_refs", "rg_refs"}, batch);
        break;
    }
  }

  void read_texts(const object& node, LineDigest& line, DigestBatch& batch) {
    words_left = kMaxWordText;
    terms.begin_node();
    const std::string_view type = text_at(node, "type");
    line.weighty = is_weighty(type);
    read_words(type, true, batch);
    simdjson::dom::array tags;
    if (node["tags"].get(tags) == simdjson::SUCCESS) {
      for (const element tag : tags) {
        line.weighty = line.weighty || is_weighty(text_of(tag));
        read_words(text_of(tag), true, batch);
      }
    }
    read_words(text_at(node, "title"), true, batch);
    for (const char* key : {"summary", "description", "context", "decision"}) {
      read_words(text_at(node, key), false, batch);
    }
    object attributes;
    if (node["attributes"].get(attributes) == simdjson::SUCCESS) {
      for (const auto field : attributes) read_words(text_of(field.value), false, batch);
    }
  }

  static State state_at(const object& node, Layer layer) {
    object outcome;
    if (layer == Layer::kReasoning && node["outcome"].get(outcome) == simdjson::SUCCESS) {
      return parse_state(text_at(outcome, "status"));
    }
    return parse_state(text_at(node, "status"));
  }

  // Why the line cannot be used; empty when it was taken.
  std::string read(std::string_view bytes, size_t begin, size_t end, LineDigest& line, DigestBatch& batch) {
    if (end - begin > kMaxLineBytes) return fmt::format("is longer than {} bytes", kMaxLineBytes);
    const char* start = bytes.data() + begin;
    if (bytes.size() - end < simdjson::SIMDJSON_PADDING) {
      padded.assign(start, end - begin);
      padded.resize(end - begin + simdjson::SIMDJSON_PADDING, ' ');
      start = padded.data();
    }
    if (json.max_depth() != kMaxDepth || json.capacity() < end - begin) {
      const auto room = json.allocate(std::max(json.capacity(), (end - begin) * 2), kMaxDepth);
      if (room != simdjson::SUCCESS) return reason_of(room);
    }
    element parsed;
    if (const auto error = json.parse(start, end - begin, false).get(parsed)) return reason_of(error);
    object node;
    if (parsed.get(node) != simdjson::SUCCESS) return "is not a JSON object";
    const std::string_view id = text_at(node, "id");
    if (id.empty()) return "has no id";
    if (!valid_id(id)) return "has an invalid id: begin it with KG-, RG- or TG-";
    // Ids are kept as they are, and shown; nobody could say which node is meant where they were replaced.
    if (holds_secret(id)) return "has an id that contains a secret";
    if (layer_of(id) != line.layer) {
      return fmt::format("belongs to {}: its id begins with {}", file_of(*layer_of(id)), id.substr(0, 3));
    }
    line.id_begin = static_cast<uint32_t>(batch.text.size());
    line.id_size = static_cast<uint32_t>(id.size());
    line.id_hash = hash_of_id(id);
    batch.text += id;
    line.references_begin = static_cast<uint32_t>(batch.references.size());
    line.terms_begin = static_cast<uint32_t>(batch.terms.size());
    element rev;
    if (node["rev"].get(rev) == simdjson::SUCCESS) {
      line.has_rev =
          rev.type() == simdjson::dom::element_type::INT64 && rev.get(line.rev) == simdjson::SUCCESS;
    }
    line.updated = time_at(node, "updated_at");
    line.created = time_at(node, "created_at");
    line.state = state_at(node, line.layer);
    read_references(node, line.layer, batch);
    read_texts(node, line, batch);
    line.references_count = static_cast<uint32_t>(batch.references.size()) - line.references_begin;
    line.terms_count = static_cast<uint32_t>(batch.terms.size()) - line.terms_begin;
    return "";
  }
};

Digester::Digester() : parser_(std::make_unique<Parser>()) {}
Digester::~Digester() = default;

const std::vector<Term>& Digester::dictionary() const {
  return parser_->terms.dictionary();
}

uint64_t hash_of_id(std::string_view id) {
  return XXH3_64bits(id.data(), id.size());
}

void Digester::digest_line(Layer layer, std::string_view bytes, size_t begin, size_t end, uint64_t base,
                           uint64_t number, DigestBatch& batch) {
  LineDigest line;
  line.layer = layer;
  line.offset = base + begin;
  std::string reason = parser_->read(bytes, begin, end, line, batch);
  if (!reason.empty()) {
    batch.problems.push_back({std::string(file_of(layer)), number, std::move(reason)});
    return;
  }
  line.length = static_cast<uint32_t>(end - begin);
  line.content = XXH3_64bits(bytes.data() + begin, end - begin);
  batch.lines.push_back(line);
}

void Digester::digest(Layer layer, std::string_view bytes, size_t begin, size_t end, uint64_t base,
                      uint64_t first_line, DigestBatch& batch) {
  constexpr std::string_view kBlank = " \t\r";
  for (uint64_t number = first_line; begin < end; ++number) {
    size_t stop = std::min(bytes.find('\n', begin), end);
    const size_t next = stop + 1;
    while (begin < stop && kBlank.find(bytes[begin]) != std::string_view::npos) ++begin;
    while (stop > begin && kBlank.find(bytes[stop - 1]) != std::string_view::npos) --stop;
    // A byte order mark belongs to the file, not to its first line.
    if (base + begin == 0 && bytes.substr(begin).starts_with("\xEF\xBB\xBF")) begin += 3;
    if (begin < stop) digest_line(layer, bytes, begin, stop, base, number, batch);
    begin = next;
  }
}

}  // namespace knapsack::graph
