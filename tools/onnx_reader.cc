#include "onnx_reader.h"

#include <cstring>
#include <functional>
#include <stdexcept>

namespace knapsack {
namespace {

struct Field {
  uint32_t number = 0;
  uint64_t value = 0;      // of a number
  std::string_view bytes;  // of everything else
};

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  bool next(Field& field) {
    if (rest_.empty()) return false;
    const uint64_t key = varint();
    field = {static_cast<uint32_t>(key >> 3U), 0, {}};
    switch (key & 7U) {
      case 0:
        field.value = varint();
        break;
      case 1:
        field.bytes = take(8);
        break;
      case 2:
        field.bytes = take(varint());
        break;
      case 5:
        field.bytes = take(4);
        break;
      default:
        throw std::runtime_error("not the wire format of protocol buffers");
    }
    return true;
  }

  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<uint8_t>(take(1)[0]);
      value |= uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    throw std::runtime_error("a number without an end");
  }

  bool empty() const { return rest_.empty(); }

 private:
  std::string_view take(uint64_t size) {
    if (size > rest_.size()) throw std::runtime_error("ends in the middle");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
};

template <typename Number>
void append_raw(std::vector<float>& numbers, std::string_view raw) {
  for (size_t at = 0; at + sizeof(Number) <= raw.size(); at += sizeof(Number)) {
    Number number;
    std::memcpy(&number, raw.data() + at, sizeof number);
    numbers.push_back(static_cast<float>(number));
  }
}

void read_tensor(std::string_view bytes, OnnxGraph& graph) {
  OnnxTensor tensor;
  std::string name;
  WireReader reader(bytes);
  for (Field field; reader.next(field);) {
    const auto integers = [&](std::vector<int64_t>& out) {  // one, or several packed
      if (field.bytes.empty()) out.push_back(static_cast<int64_t>(field.value));
      for (WireReader packed(field.bytes); !packed.empty();)
        out.push_back(static_cast<int64_t>(packed.varint()));
    };
    switch (field.number) {
      case 1:
        integers(tensor.shape);
        break;
      case 2:
        tensor.type = static_cast<int64_t>(field.value);
        break;
      case 4:
        append_raw<float>(tensor.floats, field.bytes);
        break;
      case 5:
        integers(tensor.integers);
        break;
      case 8:
        name = field.bytes;
        break;
      case 9:
        tensor.raw = field.bytes;
        break;
      default:
        break;
    }
  }
  graph.tensors.emplace(name, std::move(tensor));
}

void read_node(std::string_view bytes, OnnxGraph& graph) {
  std::vector<std::string> inputs;
  std::string name, operation;
  WireReader reader(bytes);
  for (Field field; reader.next(field);) {
    if (field.number == 1) inputs.emplace_back(field.bytes);
    if (field.number == 3) name = field.bytes;
    if (field.number == 4) operation = field.bytes;
  }
  if (operation == "MatMul" && inputs.size() >= 2) graph.factors.emplace(name, inputs[1]);
}

}  // namespace

std::vector<float> OnnxTensor::numbers() const {
  std::vector<float> all = floats;
  for (const int64_t each : integers) all.push_back(static_cast<float>(static_cast<int32_t>(each)));
  if (type == 1) append_raw<float>(all, raw);
  if (type == 2) append_raw<uint8_t>(all, raw);
  if (type == 3) append_raw<int8_t>(all, raw);
  return all;
}

OnnxGraph read_onnx(std::string_view bytes) {
  OnnxGraph graph;
  WireReader model(bytes);
  for (Field field; model.next(field);) {
    if (field.number != 7) continue;
    WireReader parts(field.bytes);
    for (Field part; parts.next(part);) {
      if (part.number == 1) read_node(part.bytes, graph);
      if (part.number == 5) read_tensor(part.bytes, graph);
    }
  }
  if (graph.tensors.empty()) throw std::runtime_error("no tensors: not an ONNX model");
  return graph;
}

}  // namespace knapsack
