// Stages that run on a real index of a repository that a test made.
#pragma once

#include <memory>
#include <string>

#include "code/ask/code_index.h"
#include "code/ask/file_texts.h"
#include "stages/stage.h"
#include "support/support.h"

namespace knapsack::stages {

class StagesFixture : public ::testing::Test {
 protected:
  static void index_repository(const std::string& path);

  void open(const std::string& path);
  StageContext scope(const std::string& text, StageContext start = {});
  StageContext both(const std::string& text, StageContext start = {});
  // Null where there is none.
  static const ScopedFile* find(const StageContext& context, const std::string& path);
  static const SelectedSymbol* find_symbol(const StageContext& context, const std::string& name);

  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
  std::unique_ptr<code::CodeIndex> index_;
  std::unique_ptr<code::FileTexts> texts_;
  TaskQuery task_;
};

}  // namespace knapsack::stages
