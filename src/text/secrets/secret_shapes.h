// The shapes of secrets that say what they are: published prefixes, alphabets and lengths, one row each.
//
// Facts as the services publish them. Every row has a mark, a literal without which there is no such secret,
// so that a text without marks is never looked at closer. Constant tables; any thread.
// Private to text/secrets/.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace knapsack {

enum class ShapeCheck : uint8_t {
  kShape,   // the shape says it all
  kRandom,  // others have it too: the value must look as if a machine made it
};

struct SecretShape {
  const char* kind;       // for people: "[redacted: kind]"
  std::string_view mark;  // in any case; the pattern decides about case
  const char* pattern;    // RE2; its group is the secret, where it has one
  uint8_t before = 0;     // bytes that the pattern begins ahead of the mark
  ShapeCheck check = ShapeCheck::kShape;
};
std::span<const SecretShape> secret_shapes();

enum class SecretAlphabet : uint8_t { kHex, kAlnum, kToken, kBase64, kUuid, kDigits };

// Keys without a mark of their own, told by the service's name in that of their variable.
struct NamedShape {
  const char* kind;
  std::string_view service;  // lower case, in the name without '_' and '-'
  SecretAlphabet alphabet;
  uint16_t least, most;
};
std::span<const NamedShape> named_shapes();
bool fits(const NamedShape& shape, std::string_view value);

}  // namespace knapsack
