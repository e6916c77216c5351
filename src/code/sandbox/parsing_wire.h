// What a parsing process and its parent say to each other: a greeting, then a request and its answer in turn.
// Fixed heads, then as many bytes as they announce. Private to code/sandbox/; pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/byte_reader.h"
#include "core/sandbox.h"

namespace knapsack::code {

inline constexpr size_t kGreetingBytes = 4;  // "kp", Landlock's version, whether there is seccomp
inline constexpr size_t kLanguageBytes = 24;
inline constexpr size_t kRequestHeadBytes = kLanguageBytes + sizeof(uint32_t);  // name, number of bytes
inline constexpr size_t kAnswerHeadBytes = 1 + sizeof(uint32_t);                // kind, number of bytes

inline std::string greeting_of(const Sandbox& sandbox) {
  return {'k', 'p', static_cast<char>(sandbox.landlock), static_cast<char>(sandbox.seccomp ? 1 : 0)};
}
inline bool read_greeting(std::string_view bytes, Sandbox& sandbox) {
  if (!bytes.starts_with("kp")) return false;
  sandbox.landlock = static_cast<uint8_t>(bytes[2]);
  sandbox.seccomp = bytes[3] == 1;
  return true;
}

inline std::string request_head(std::string_view language, size_t bytes) {
  std::string head(language.substr(0, kLanguageBytes));
  head.resize(kLanguageBytes);
  append_number(head, static_cast<uint32_t>(bytes));
  return head;
}

struct AnswerHead {
  bool is_problem = false;
  uint32_t size = 0;
};
inline std::string answer_head(const AnswerHead& head) {
  std::string bytes(1, static_cast<char>(head.is_problem ? 1 : 0));
  append_number(bytes, head.size);
  return bytes;
}
inline AnswerHead read_answer_head(std::string_view bytes) {
  return {bytes[0] == 1, load<uint32_t>(bytes.data() + 1)};
}

}  // namespace knapsack::code
