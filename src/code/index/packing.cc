#include "code/index/packing.h"

namespace knapsack::code {
namespace {

std::string take_string(ByteReader& reader) {
  return std::string(reader.take(reader.varint()));
}

}  // namespace

Error damaged_index(std::string_view what) {
  return {ErrorCode::kCorrupt, "the code index is damaged: " + std::string(what),
          "run `knapsack index --full`"};
}

Result<size_t> read_count(ByteReader& reader, std::string_view packed, std::string_view what) {
  const uint64_t count = reader.varint();
  if (reader.failed() || count > packed.size()) return damaged_index(what);
  return static_cast<size_t>(count);
}

std::string pack_strings(const std::vector<std::string>& strings) {
  std::string packed;
  append_varint(packed, strings.size());
  for (const std::string& text : strings) append_string(packed, text);
  return packed;
}

Result<std::vector<std::string>> unpack_strings(std::string_view packed) {
  ByteReader reader(packed);
  KNAPSACK_TRY(const size_t count, read_count(reader, packed, "a list of strings does not add up"));
  std::vector<std::string> strings(count);
  for (std::string& text : strings) text = take_string(reader);
  if (reader.failed() || !reader.at_end()) return damaged_index("a list of strings does not add up");
  return strings;
}

std::string pack_numbers(std::span<const uint32_t> numbers) {
  std::string packed;
  for (const uint32_t number : numbers) append_varint(packed, number);
  return packed;
}

Result<std::vector<uint32_t>> unpack_numbers(std::string_view packed) {
  ByteReader reader(packed);
  std::vector<uint32_t> numbers;
  while (!reader.at_end()) numbers.push_back(reader.varint32());
  if (reader.failed()) return damaged_index("a list of numbers does not add up");
  return numbers;
}

std::string pack_imported_names(const std::vector<ImportedName>& names) {
  std::string packed;
  append_varint(packed, names.size());
  for (const ImportedName& name : names) {
    append_string(packed, name.name);
    append_string(packed, name.alias);
  }
  return packed;
}

Result<std::vector<ImportedName>> unpack_imported_names(std::string_view packed) {
  ByteReader reader(packed);
  KNAPSACK_TRY(const size_t count, read_count(reader, packed, "a list of imported names does not add up"));
  std::vector<ImportedName> names(count);
  for (ImportedName& name : names) {
    name.name = take_string(reader);
    name.alias = take_string(reader);
  }
  if (reader.failed() || !reader.at_end()) return damaged_index("a list of imported names does not add up");
  return names;
}

std::string pack_references(const ParsedFile& file) {
  std::string packed;
  append_varint(packed, file.names.size());
  for (const std::string& name : file.names) append_string(packed, name);
  append_varint(packed, file.references.size());
  for (const Reference& reference : file.references) {
    append_varint(packed, reference.name);
    append_varint(packed, reference.qualifier);
    append_varint(packed, reference.line);
    append_varint(packed, reference.count);
    append_varint(packed, static_cast<uint64_t>(reference.enclosing) + 1);
    append_varint(packed, static_cast<uint64_t>(reference.kind));
  }
  return packed;
}

Status unpack_references(std::string_view packed, ParsedFile& file) {
  ByteReader reader(packed);
  KNAPSACK_TRY(const size_t names, read_count(reader, packed, "a list of names does not add up"));
  file.names.assign(names, "");
  for (std::string& name : file.names) name = take_string(reader);
  KNAPSACK_TRY(const size_t references, read_count(reader, packed, "a list of references does not add up"));
  file.references.resize(references);
  bool sound = true;
  for (Reference& reference : file.references) {
    reference.name = reader.varint32();
    reference.qualifier = reader.varint32();
    reference.line = reader.varint32();
    reference.count = reader.varint32();
    reference.enclosing = static_cast<int32_t>(reader.varint32()) - 1;
    const uint32_t kind = reader.varint32();
    sound = sound && reference.name < file.names.size() && reference.qualifier < file.names.size() &&
            reference.enclosing >= kNoSymbol && kind <= static_cast<uint32_t>(ReferenceKind::kText);
    reference.kind = static_cast<ReferenceKind>(kind);
  }
  if (!sound || reader.failed() || !reader.at_end())
    return damaged_index("a list of references does not add up");
  return ok_status();
}

}  // namespace knapsack::code
