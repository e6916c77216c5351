// Secrets and what looks like them, made at run time from a fixed seed: nothing here was ever valid anywhere,
// and no source holds one.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack::testing {

// Random texts by a pattern: "{A36}" stands for 36 letters and digits, H for hexadecimal digits, D for
// digits, U for capitals and digits, L for small letters and digits, Z for letters, W for letters, digits,
// '_' and '-', B for base64, "{G}" for a UUID. The rest stands for itself.
class SecretMaker {
 public:
  explicit SecretMaker(uint32_t seed) : random_(seed) {}
  std::string make(std::string_view pattern);
  std::string characters(std::string_view alphabet, size_t count);
  // A block with lines of 64 characters between BEGIN and END.
  std::string block(const std::string& kind, size_t lines);
  size_t below(size_t limit) { return random_() % limit; }

 private:
  std::mt19937 random_;
};

struct SecretSample {
  std::string shape;   // which of the patterns
  std::string text;    // a line or some lines that hold it
  std::string secret;  // the part that must go; empty for what must stay
  bool is_code = false;
};

std::vector<SecretSample> published_secrets();
std::vector<SecretSample> named_secrets_in_configuration();
std::vector<SecretSample> named_secrets_in_code();
std::vector<SecretSample> look_alikes();

}  // namespace knapsack::testing
