#include "stages/support_stages.h"

#include "code/ask/snapshot_texts.h"
#include "engine/engine.h"
#include "store/state_folder.h"
#include "understand/task_analysis.h"

namespace knapsack::stages {

void StagesFixture::index_repository(const std::string& path) {
  EngineOptions options;
  options.folder = path;
  auto engine = Engine::open(options);
  ASSERT_OK(engine);
  ASSERT_OK((*engine)->index({}));
}

void StagesFixture::open(const std::string& path) {
  auto opened = code::CodeIndex::open(*files_, state_folder_of(path), code::kWorkTree);
  ASSERT_OK(opened);
  index_ = *std::move(opened);
  auto texts = code::SnapshotTexts::open(*files_, path, index_->snapshot());
  ASSERT_OK(texts);
  texts_ = std::make_unique<code::FileTexts>(*index_, *std::move(texts));
}

StageContext StagesFixture::scope(const std::string& text, StageContext start) {
  task_ = analyze_task(text);
  auto context = scope_stage().run(std::move(start), {*index_, task_, *texts_});
  EXPECT_OK(context);
  return *std::move(context);
}

StageContext StagesFixture::both(const std::string& text, StageContext start) {
  StageContext scoped = scope(text, std::move(start));
  auto context = precision_stage().run(std::move(scoped), {*index_, task_, *texts_});
  EXPECT_OK(context);
  return *std::move(context);
}

const ScopedFile* StagesFixture::find(const StageContext& context, const std::string& path) {
  for (const ScopedFile& file : context.files)
    if (file.path == path) return &file;
  return nullptr;
}

const SelectedSymbol* StagesFixture::find_symbol(const StageContext& context, const std::string& name) {
  for (const SelectedSymbol& symbol : context.symbols)
    if (symbol.name == name) return &symbol;
  return nullptr;
}

}  // namespace knapsack::stages
