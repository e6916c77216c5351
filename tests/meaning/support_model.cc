#include "meaning/support_model.h"

#include <gtest/gtest.h>

#include <sstream>

#include "support/support.h"

namespace knapsack::meaning {

std::string model_path() {
  return KNAPSACK_MODEL_FILE;
}

std::shared_ptr<const ModelFile> open_model() {
  static const std::unique_ptr<FileSystem> files = make_disk_file_system();
  auto model = ModelFile::open(*files, model_path());
  EXPECT_OK(model);
  return *model;
}

std::vector<nlohmann::json> fixture_rows(const std::string& name) {
  std::istringstream lines(testing::read_source_file("tests/fixtures/meaning/" + name));
  std::vector<nlohmann::json> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(nlohmann::json::parse(line));
  return rows;
}

std::string text_of(const nlohmann::json& row) {
  if (row.contains("text")) return row["text"];
  const std::string hex = row["hex"];
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2)
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

}  // namespace knapsack::meaning
