// The parts of an ONNX file that a model file is made of: tensors by name, and which of them a product multiplies by.
//
// Reads the wire format of protocol buffers directly: four message types, a dozen fields.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack {

struct OnnxTensor {
  std::vector<int64_t> shape;
  int64_t type = 0;  // 1 float, 2 uint8, 3 int8
  std::string_view raw;
  std::vector<float> floats;
  std::vector<int64_t> integers;

  // All numbers as they are, whatever they are stored as.
  std::vector<float> numbers() const;
};

struct OnnxGraph {
  std::map<std::string, OnnxTensor> tensors;
  std::map<std::string, std::string> factors;  // the second input of a matrix product, by the product's name
};

// Views into `bytes`. Throws std::runtime_error for what is no ONNX file.
OnnxGraph read_onnx(std::string_view bytes);

}  // namespace knapsack
