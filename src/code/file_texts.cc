#include "code/file_texts.h"

namespace knapsack::code {

Result<const std::string*> FileTexts::read(uint32_t file) {
  auto known = known_.find(file);
  if (known == known_.end()) known = known_.emplace(file, texts_.read(index_->file(file))).first;
  if (!known->second.ok()) return known->second.error();
  return &*known->second;
}

}  // namespace knapsack::code
