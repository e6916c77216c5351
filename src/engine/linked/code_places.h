// CodePlaces: the repositories that a packet of code is made of, by the paths that it shows. Usually one.
//
// The first is the workspace, whose paths are shown as they are; those of the others as `name:path`. Everything that it is
// given must outlive it. One thread at a time, as for CodeIndex.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "code/ask/code_index.h"
#include "code/ask/cross_imports.h"
#include "code/ask/file_texts.h"

namespace knapsack {

struct CodePlace {
  code::CodeIndex* index = nullptr;
  code::FileTexts* texts = nullptr;
  uint32_t file = 0;
  uint32_t repository = 0;

  const code::FileRow& row() const { return index->file(file); }
};

class CodePlaces {
 public:
  CodePlaces(code::CodeIndex& index, code::FileTexts& texts) { add("", index, texts); }

  void add(std::string name, code::CodeIndex& index, code::FileTexts& texts);
  void link(const code::CrossImports& links) { links_ = &links; }

  std::optional<CodePlace> find(std::string_view shown) const;
  // The files that a file imports, as they are shown; those of its own repository first.
  Result<std::vector<std::string>> imports_of(const CodePlace& place) const;

 private:
  struct Repository {
    std::string name;
    code::CodeIndex* index;
    code::FileTexts* texts;
  };
  std::string shown(uint32_t repository, uint32_t file) const;

  std::vector<Repository> repositories_;
  const code::CrossImports* links_ = nullptr;
};

}  // namespace knapsack
