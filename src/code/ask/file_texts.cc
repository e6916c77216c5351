#include "code/ask/file_texts.h"

namespace knapsack::code {

Result<const std::string*> FileTexts::read(uint32_t file) {
  auto known = known_.find(file);
  if (known == known_.end()) {
    uint64_t secrets = 0;
    known = known_.emplace(file, texts_.read(index_->file(file), &secrets)).first;
    if (secrets > 0) secrets_.emplace(file, secrets);
  }
  if (!known->second.ok()) return known->second.error();
  return &*known->second;
}

uint64_t FileTexts::secrets(uint32_t file) const {
  const auto found = secrets_.find(file);
  return found == secrets_.end() ? 0 : found->second;
}

}  // namespace knapsack::code
