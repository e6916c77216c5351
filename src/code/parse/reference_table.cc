#include "code/parse/reference_table.h"

#include <xxhash.h>

#include <algorithm>
#include <utility>

namespace knapsack::code {
namespace {

constexpr size_t kFirstSlots = 1024;  // a power of two, as the probing needs

uint64_t local_key(uint32_t name, int32_t enclosing) {
  return (static_cast<uint64_t>(static_cast<uint32_t>(enclosing + 1)) << 32) | name;
}

uint64_t hash_of(const Reference& reference) {
  uint64_t hash = local_key(reference.name, reference.enclosing) * 0x9E3779B97F4A7C15ULL;
  hash ^= (static_cast<uint64_t>(reference.qualifier) << 2 | static_cast<uint64_t>(reference.kind)) *
          0xC2B2AE3D27D4EB4FULL;
  return hash ^ (hash >> 29);
}

bool is_same(const Reference& a, const Reference& b) {
  return a.name == b.name && a.enclosing == b.enclosing && a.qualifier == b.qualifier && a.kind == b.kind;
}

}  // namespace

ReferenceTable::ReferenceTable() : name_slots_(kFirstSlots), reference_slots_(kFirstSlots) {
  intern("");
}

// The slot that holds the name, or the free one where it belongs.
size_t ReferenceTable::find_name(std::string_view name, uint64_t hash) const {
  size_t slot = hash & (name_slots_.size() - 1);
  while (name_slots_[slot] != 0) {
    const uint32_t index = name_slots_[slot] - 1;
    if (hashes_[index] == hash && names_[index] == name) break;
    slot = (slot + 1) & (name_slots_.size() - 1);
  }
  return slot;
}

uint32_t ReferenceTable::intern(std::string_view name) {
  const uint64_t hash = XXH3_64bits(name.data(), name.size());
  const size_t slot = find_name(name, hash);
  if (name_slots_[slot] != 0) return name_slots_[slot] - 1;
  names_.emplace_back(name);
  hashes_.push_back(hash);
  const auto index = static_cast<uint32_t>(names_.size());
  name_slots_[slot] = index;
  if (names_.size() * 2 > name_slots_.size()) grow_names();
  return index - 1;
}

void ReferenceTable::grow_names() {
  name_slots_.assign(name_slots_.size() * 2, 0);
  for (size_t i = 0; i < names_.size(); ++i) {
    size_t slot = hashes_[i] & (name_slots_.size() - 1);
    while (name_slots_[slot] != 0) slot = (slot + 1) & (name_slots_.size() - 1);
    name_slots_[slot] = static_cast<uint32_t>(i + 1);
  }
}

size_t ReferenceTable::find_reference(const Reference& reference) const {
  size_t slot = hash_of(reference) & (reference_slots_.size() - 1);
  while (reference_slots_[slot] != 0 && !is_same(references_[reference_slots_[slot] - 1], reference)) {
    slot = (slot + 1) & (reference_slots_.size() - 1);
  }
  return slot;
}

void ReferenceTable::add(ReferenceKind kind, uint32_t name, uint32_t qualifier, uint32_t line,
                         int32_t enclosing) {
  const Reference reference = {name, qualifier, line, 1, enclosing, kind};
  const size_t slot = find_reference(reference);
  if (reference_slots_[slot] != 0) {
    ++references_[reference_slots_[slot] - 1].count;
    return;
  }
  references_.push_back(reference);
  reference_slots_[slot] = static_cast<uint32_t>(references_.size());
  if (references_.size() * 2 > reference_slots_.size()) grow_references();
}

void ReferenceTable::grow_references() {
  reference_slots_.assign(reference_slots_.size() * 2, 0);
  for (size_t i = 0; i < references_.size(); ++i) {
    size_t slot = hash_of(references_[i]) & (reference_slots_.size() - 1);
    while (reference_slots_[slot] != 0) slot = (slot + 1) & (reference_slots_.size() - 1);
    reference_slots_[slot] = static_cast<uint32_t>(i + 1);
  }
}

void ReferenceTable::add_local(uint32_t name, int32_t enclosing) {
  locals_.push_back(local_key(name, enclosing));
}

void ReferenceTable::finish(ParsedFile& file) {
  std::sort(locals_.begin(), locals_.end());
  locals_.erase(std::unique(locals_.begin(), locals_.end()), locals_.end());
  const auto is_local = [&](const Reference& reference) {
    // A member of a local thing ("row.name") is still a member of something elsewhere, and what is called may
    // have been imported into the function.
    if (reference.kind == ReferenceKind::kCall || reference.qualifier != 0) return false;
    for (int32_t at = reference.enclosing;; at = file.symbols[static_cast<size_t>(at)].parent) {
      if (std::binary_search(locals_.begin(), locals_.end(), local_key(reference.name, at))) return true;
      if (at == kNoSymbol || file.symbols[static_cast<size_t>(at)].parent == kNoSymbol) return false;
    }
  };
  references_.erase(std::remove_if(references_.begin(), references_.end(), is_local), references_.end());
  // Locals leave names behind that nothing refers to: keep only the used ones, in order of first use.
  constexpr uint32_t kUnused = UINT32_MAX;
  std::vector<uint32_t> moved(names_.size(), kUnused);
  moved[0] = 0;
  file.names.assign(1, "");
  const auto move_name = [&](uint32_t& name) {
    if (moved[name] == kUnused) {
      moved[name] = static_cast<uint32_t>(file.names.size());
      file.names.push_back(std::move(names_[name]));
    }
    name = moved[name];
  };
  for (Reference& reference : references_) {
    move_name(reference.name);
    move_name(reference.qualifier);
  }
  file.references = std::move(references_);
}

}  // namespace knapsack::code
