// An embedding server for tests: real HTTP over a real socket of this machine, in both protocols, that
// misbehaves on demand.
//
// Ollama's protocol at base_url(), OpenAI's at openai_url(). A text's vector has a direction for each of its
// words, and words of one group ("car", "automobile") share theirs: texts are near in meaning without a word
// in common.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace knapsack::testing {

enum class EmbeddingFault {
  kNone,
  kSlow,     // says nothing for a long time
  kCutBody,  // closes in the middle of the answer
  kStatus500,
  kFewerVectors,     // one less than asked for
  kOtherDimensions,  // the last vector is shorter
  kNotANumber,       // NaN, as some servers write it
  kNullNumber,
  kTooLargeNumber,  // beyond what a float holds
  kZeros,           // a vector without a direction
  kTextNumber,
  kNoVectors,  // JSON without the list
  kNotJson,
  kEmptyVector,
  kClosesAtOnce,
};

class EmbeddingServer {
 public:
  explicit EmbeddingServer(size_t dimensions = 64);
  ~EmbeddingServer();
  EmbeddingServer(const EmbeddingServer&) = delete;
  EmbeddingServer& operator=(const EmbeddingServer&) = delete;

  std::string base_url() const;
  std::string openai_url() const;

  // After `after` more requests the next `times` meet this.
  void misbehave(EmbeddingFault fault, int times = 1'000'000, int after = 0);
  // From now on it is another model under the same name.
  void change_model(unsigned seed);
  void change_dimensions(size_t dimensions);
  // Vectors of OpenAI's answers in the opposite order, with their numbers.
  void reverse_order();

  int requests() const;
  std::vector<std::string> texts() const;           // all that were asked about
  std::vector<nlohmann::json> bodies() const;       // as they came
  std::vector<std::string> authorizations() const;  // that header of each request

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace knapsack::testing
