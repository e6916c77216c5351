// ReferenceTable: the names of one file, each once, and who uses them how.
//
// A repeated use within the same symbol only raises a count, so a file's references grow with its vocabulary
// rather than its length. Names that a function declares for itself (parameters, variables) are no references
// to anything outside it and are left out. One table serves one file; order of first use decides every order.
// One thread.
// Private to code/parse/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "code/parse/parsed_file.h"

namespace knapsack::code {

class ReferenceTable {
 public:
  ReferenceTable();

  uint32_t intern(std::string_view name);
  const std::string& name(uint32_t index) const { return names_[index]; }
  void add(ReferenceKind kind, uint32_t name, uint32_t qualifier, uint32_t line, int32_t enclosing);
  void add_local(uint32_t name, int32_t enclosing);

  // Moves names and references into the file, without what is local to the enclosing symbols.
  void finish(ParsedFile& file);

 private:
  size_t find_name(std::string_view name, uint64_t hash) const;
  size_t find_reference(const Reference& reference) const;
  void grow_names();
  void grow_references();

  std::vector<std::string> names_;
  std::vector<uint64_t> hashes_;      // of each name
  std::vector<uint32_t> name_slots_;  // index + 1, by hash; 0 is free
  std::vector<Reference> references_;
  std::vector<uint32_t> reference_slots_;
  std::vector<uint64_t> locals_;  // enclosing + 1 in the upper half, name in the lower
};

}  // namespace knapsack::code
