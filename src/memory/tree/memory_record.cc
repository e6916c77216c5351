#include "memory/tree/memory_record.h"

#include <cmath>
#include <limits>

namespace knapsack::memory {
namespace {

constexpr int64_t kNoTime = std::numeric_limits<int64_t>::min();
// The last of each enumeration: a record that names another is damaged.
constexpr auto kLastKind = static_cast<uint64_t>(Kind::kCorrection);
constexpr auto kLastStatus = static_cast<uint64_t>(Status::kQuarantined);

// One order of fields for writing and reading: whatever visits them, visits them so.
template <class M, class Visitor>
void visit_fields(M& memory, Visitor& visit) {
  visit(memory.id);
  visit(memory.name_space);
  visit(memory.path);
  visit(memory.session);
  visit(memory.kind, kLastKind);
  visit(memory.status, kLastStatus);
  visit(memory.category);
  visit(memory.speaker);
  visit(memory.text);
  visit(memory.created);
  visit(memory.updated);
  visit(memory.expires);
  visit(memory.valid_from);
  visit(memory.valid_until);
  visit(memory.last_accessed);
  visit(memory.confidence);
  visit(memory.importance);
  visit(memory.access_count);
  visit(memory.useful);
  visit(memory.not_useful);
  visit(memory.tags);
  visit(memory.entity);
  visit(memory.supersedes);
  visit(memory.superseded_by);
  visit(memory.links);
  visit(memory.intent.goal);
  visit(memory.intent.action_type);
  visit(memory.intent.entity_types);
  visit(memory.artifact_type);
  visit(memory.source_memory);
  visit(memory.secrets);
  visit(memory.broken_front_matter);
}

struct Writer {
  std::string& out;

  void operator()(const std::string& text) const {
    append_varint(out, text.size());
    out += text;
  }
  template <class Enum>
  void operator()(const Enum& value, uint64_t) const {
    append_varint(out, static_cast<uint64_t>(value));
  }
  void operator()(const std::optional<Timestamp>& time) const {
    append_number(out, time ? time->micros : kNoTime);
  }
  void operator()(const double& number) const { append_number(out, number); }
  void operator()(const std::optional<double>& number) const {
    append_number(out, number.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  void operator()(const uint64_t& number) const { append_varint(out, number); }
  void operator()(const bool& flag) const { append_varint(out, flag ? 1 : 0); }
  void operator()(const Link& link) const {
    (*this)(link.target_id);
    (*this)(link.type);
    (*this)(link.strength);
  }
  template <class Each>
  void operator()(const std::vector<Each>& list) const {
    append_varint(out, list.size());
    for (const Each& each : list) (*this)(each);
  }
};

struct Reader {
  ByteReader& in;

  void operator()(std::string& text) const { text = in.take(in.varint()); }
  template <class Enum>
  void operator()(Enum& value, uint64_t last) const {
    const uint64_t number = in.varint();
    if (number > last) in.take(std::numeric_limits<size_t>::max());  // fails
    value = static_cast<Enum>(number > last ? 0 : number);
  }
  void operator()(std::optional<Timestamp>& time) const {
    const auto micros = in.number<int64_t>();
    if (micros != kNoTime) time = Timestamp{micros};
  }
  void operator()(double& number) const { number = in.number<double>(); }
  void operator()(std::optional<double>& number) const {
    const auto value = in.number<double>();
    if (!std::isnan(value)) number = value;
  }
  void operator()(uint64_t& number) const { number = in.varint(); }
  void operator()(bool& flag) const { flag = in.varint() != 0; }
  void operator()(Link& link) const {
    (*this)(link.target_id);
    (*this)(link.type);
    (*this)(link.strength);
  }
  template <class Each>
  void operator()(std::vector<Each>& list) const {
    // Entry by entry: a damaged count must not ask for memory.
    for (uint64_t left = in.varint(); left > 0 && !in.failed(); --left) (*this)(list.emplace_back());
  }
};

}  // namespace

void append_memory(std::string& out, const Memory& memory) {
  Writer writer{out};
  visit_fields(memory, writer);
}

Memory take_memory(ByteReader& reader) {
  Memory memory;
  Reader fields{reader};
  visit_fields(memory, fields);
  return memory;
}

}  // namespace knapsack::memory
