// make_meaning_model NAME MODEL.onnx TOKENIZER.json OUTPUT: turns a published small BERT into the file that
// src/meaning/model_file.h maps, its weights rounded to whole numbers. Runs at build time, on the machine that builds.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "core/ids.h"
#include "meaning/model_layout.h"
#include "onnx_reader.h"

namespace {

using namespace knapsack;
using namespace knapsack::meaning;

// What the files do not say of themselves: how vectors are pooled and what goes before a text, by the authors' cards.
struct Card {
  const char* name;
  Pooling pooling;
  const char* query_prefix;
  const char* passage_prefix;
};
constexpr Card kCards[] = {
    {"e5-small-v2", Pooling::kMean, "query: ", "passage: "},
    {"bge-small-en-v1.5", Pooling::kFirstToken,
     "Represent this sentence for searching relevant passages: ", ""},
};

constexpr uint32_t kWordSlots = 1U << 16U;

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class ModelWriter {
 public:
  ModelWriter(const OnnxGraph& graph, const nlohmann::json& tokenizer)
      : graph_(graph), tokenizer_(tokenizer) {}

  std::string make(const Card& card) {
    describe(card);
    add(bytes_of_tokens());
    add(positions());
    add_norm("embeddings.LayerNorm");
    for (uint32_t layer = 0; layer < header_.layers; ++layer) add_layer(layer);
    add_vocabulary();
    if (sizeof header_ + payload_.size() != model_file_size(header_))
      throw std::runtime_error("not the small BERT that this tool knows");
    const auto copy = [](char* field, const std::string& hash) {
      std::memcpy(field, hash.data(), hash.size());
    };
    copy(header_.weights_hash, content_hash(payload_));
    const auto* header = reinterpret_cast<const char*>(&header_);
    copy(header_.header_hash, content_hash({header, offsetof(ModelHeader, header_hash)}));
    return std::string(header, sizeof header_) + payload_;
  }

 private:
  const OnnxTensor& tensor(const std::string& name) const {
    const auto found = graph_.tensors.find(name);
    if (found == graph_.tensors.end()) throw std::runtime_error("no tensor " + name);
    return found->second;
  }
  std::vector<float> numbers(const std::string& name) const { return tensor(name).numbers(); }

  void describe(const Card& card) {
    std::memcpy(header_.magic, kModelMagic.data(), kModelMagic.size());
    header_.version = kModelVersion;
    const auto& rows = tensor("embeddings.word_embeddings.weight").shape;
    header_.vocabulary = static_cast<uint32_t>(rows.at(0));
    header_.width = static_cast<uint32_t>(rows.at(1));
    header_.heads = header_.width / kHeadWidth;
    header_.positions = static_cast<uint32_t>(tensor("embeddings.position_embeddings.weight").shape.at(0));
    while (graph_.tensors.contains(layer_name(header_.layers) + "output.dense.bias")) ++header_.layers;
    header_.inner = static_cast<uint32_t>(numbers(layer_name(0) + "intermediate.dense.bias").size());
    header_.pooling = static_cast<uint32_t>(card.pooling);
    header_.word_slots = kWordSlots;
    const nlohmann::json& words = tokenizer_.at("model").at("vocab");
    header_.begin_token = words.at("[CLS]");
    header_.end_token = words.at("[SEP]");
    header_.unknown_token = words.at("[UNK]");
    header_.mask_token = words.at("[MASK]");
    header_.padding_token = words.at("[PAD]");
    header_.most_word_characters = tokenizer_.at("model").at("max_input_chars_per_word");
    std::snprintf(header_.name, sizeof header_.name, "%s", card.name);
    std::snprintf(header_.query_prefix, sizeof header_.query_prefix, "%s", card.query_prefix);
    std::snprintf(header_.passage_prefix, sizeof header_.passage_prefix, "%s", card.passage_prefix);
  }

  static std::string layer_name(uint32_t layer) { return "encoder.layer." + std::to_string(layer) + "."; }

  template <typename Number>
  void add(const std::vector<Number>& section) {
    const size_t end = sizeof header_ + payload_.size();
    payload_.append((kSectionAlignment - end % kSectionAlignment) % kSectionAlignment, '\0');
    payload_.append(reinterpret_cast<const char*>(section.data()), section.size() * sizeof(Number));
  }

  // One factor and one zero serve all rows: with a factor for each, vectors come no nearer to the published ones.
  std::vector<uint8_t> bytes_of_tokens() {
    constexpr float kMaxStored = 255;
    const std::vector<float> rows = numbers("embeddings.word_embeddings.weight");
    const auto [low, high] = std::minmax_element(rows.begin(), rows.end());
    header_.token_factor = (*high - *low) / kMaxStored;
    header_.token_zero = std::nearbyint(-*low / header_.token_factor);
    std::vector<uint8_t> bytes;
    for (const float each : rows) {
      const float byte = std::nearbyint(each / header_.token_factor) + header_.token_zero;
      bytes.push_back(static_cast<uint8_t>(std::clamp(byte, 0.0F, kMaxStored)));
    }
    return bytes;
  }

  // Of each place in a text, together with that of the first of two texts, which is the only one here.
  std::vector<float> positions() const {
    std::vector<float> rows = numbers("embeddings.position_embeddings.weight");
    const std::vector<float> type = numbers("embeddings.token_type_embeddings.weight");
    for (size_t i = 0; i < rows.size(); ++i) rows[i] += type.at(i % header_.width);
    return rows;
  }

  void add_norm(const std::string& name) {
    add(numbers(name + ".weight"));
    add(numbers(name + ".bias"));
  }

  void add_layer(uint32_t layer) {
    const std::string name = layer_name(layer);
    const std::string path = "/encoder/layer." + std::to_string(layer) + "/";
    add_linear({name + "attention.self.query", name + "attention.self.key", name + "attention.self.value"},
               {path + "attention/self/query", path + "attention/self/key", path + "attention/self/value"},
               header_.width);
    add_linear({name + "attention.output.dense"}, {path + "attention/output/dense"}, header_.width);
    add_norm(name + "attention.output.LayerNorm");
    add_linear({name + "intermediate.dense"}, {path + "intermediate/dense"}, header_.width);
    add_linear({name + "output.dense"}, {path + "output/dense"}, header_.inner);
    add_norm(name + "output.LayerNorm");
  }

  // Several products of the same rows, side by side.
  void add_linear(const std::vector<std::string>& names, const std::vector<std::string>& paths,
                  size_t inputs) {
    std::vector<float> columns, bias;  // columns[output][input]
    for (size_t i = 0; i < names.size(); ++i) {
      const std::vector<float> matrix = numbers(graph_.factors.at(paths[i] + "/MatMul"));  // [input][output]
      const std::vector<float> more = numbers(names[i] + ".bias");
      if (matrix.size() != inputs * more.size()) throw std::runtime_error("unexpected weights: " + paths[i]);
      for (size_t output = 0; output < more.size(); ++output) {
        for (size_t input = 0; input < inputs; ++input)
          columns.push_back(matrix[input * more.size() + output]);
      }
      bias.insert(bias.end(), more.begin(), more.end());
    }
    std::vector<int8_t> packed(columns.size());
    std::vector<float> factors(bias.size());
    std::vector<int32_t> sums(bias.size());
    for (size_t output = 0; output < bias.size(); ++output) {
      const std::span<const float> column(columns.data() + output * inputs, inputs);
      float largest = 0;
      for (const float each : column) largest = std::max(largest, std::fabs(each));
      factors[output] = largest / kMaxWeight;
      for (size_t input = 0; input < inputs; ++input) {
        const float weight = largest > 0 ? std::nearbyint(column[input] / factors[output]) : 0;
        const size_t block = output / kColumnsTogether * inputs * kColumnsTogether;
        packed[block + input / 4 * 4 * kColumnsTogether + output % kColumnsTogether * 4 + input % 4] =
            static_cast<int8_t>(weight);
        sums[output] += static_cast<int32_t>(weight);
      }
    }
    add(packed);
    add(factors);
    add(bias);
    add(sums);
  }

  void add_vocabulary() {
    std::vector<std::string> words(header_.vocabulary);
    for (const auto& [word, id] : tokenizer_.at("model").at("vocab").items())
      words.at(id.get<size_t>()) = word;
    std::vector<int32_t> slots(kWordSlots, -1);
    std::vector<uint32_t> ends;
    std::vector<char> bytes;
    for (size_t id = 0; id < words.size(); ++id) {
      bytes.insert(bytes.end(), words[id].begin(), words[id].end());
      ends.push_back(static_cast<uint32_t>(bytes.size()));
      uint32_t slot = word_slot(words[id], kWordSlots);
      while (slots[slot] >= 0) slot = (slot + 1) & (kWordSlots - 1);
      slots[slot] = static_cast<int32_t>(id);
    }
    header_.word_bytes = static_cast<uint32_t>(bytes.size());
    add(slots);
    add(ends);
    add(bytes);
  }

  const OnnxGraph& graph_;
  const nlohmann::json& tokenizer_;
  ModelHeader header_{};
  std::string payload_;
};

void make(const std::string& name, const std::string& onnx, const std::string& tokenizer,
          const std::string& output) {
  const Card* card =
      std::find_if(std::begin(kCards), std::end(kCards), [&](const Card& each) { return name == each.name; });
  if (card == std::end(kCards)) throw std::runtime_error("unknown model " + name);
  const std::string bytes = read_all(onnx);
  const OnnxGraph graph = read_onnx(bytes);
  const nlohmann::json words = nlohmann::json::parse(read_all(tokenizer));
  const std::string model = ModelWriter(graph, words).make(*card);
  std::ofstream file(output, std::ios::binary);
  file.write(model.data(), static_cast<std::streamsize>(model.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + output);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: make_meaning_model NAME MODEL.onnx TOKENIZER.json OUTPUT\n");
    return 2;
  }
  try {
    make(argv[1], argv[2], argv[3], argv[4]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_meaning_model: %s: %s\n", argv[2], error.what());
    return 1;
  }
  return 0;
}
