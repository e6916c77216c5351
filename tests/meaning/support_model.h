// The model file of this build, and texts with what the reference made of them.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "meaning/model_file.h"

namespace knapsack::meaning {

std::shared_ptr<const ModelFile> open_model();
std::string model_path();
// The rows of a file in tests/fixtures/meaning.
std::vector<nlohmann::json> fixture_rows(const std::string& name);
// Of a row: its "text", or what its "hex" stands for.
std::string text_of(const nlohmann::json& row);

}  // namespace knapsack::meaning
