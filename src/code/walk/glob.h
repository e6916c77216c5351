// Glob: one pattern of an ignore file, compiled; what git's own matcher accepts, this accepts, and no more.
//
// A match costs at most (length of the pattern) × (length of the text): within a component only the last `*`
// is ever extended, between components only the last `**`, so no pair of bytes is compared twice. Immutable
// once compiled; safe to share between threads.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack::code {

class Glob {
 public:
  // A pattern without any of these stands for itself.
  static constexpr std::string_view kSpecialBytes = "*?[\\";

  // `pattern` as it stands in the file, without negation and trailing slash. In a path pattern `**` between
  // slashes stands for any folders; in a name pattern it is an ordinary `*`.
  static Glob for_path(std::string_view pattern) { return Glob(pattern, true); }
  static Glob for_name(std::string_view pattern) { return Glob(pattern, false); }

  bool matches(std::string_view text) const;

  bool is_literal() const { return literal_; }
  // False for a pattern that can match nothing, such as one with an unclosed bracket.
  bool can_match() const { return !broken_; }
  // What every matching text starts and ends with, in bytes; for a literal pattern both are all of it.
  const std::string& prefix() const { return prefix_; }
  const std::string& suffix() const { return suffix_; }
  // The bits (bytes_of) of what a matching text must hold: a cheap way to say no.
  uint64_t needed_bytes() const { return needed_; }
  static uint64_t bytes_of(std::string_view text);

 private:
  struct Token {
    enum Kind : uint8_t { kByte, kAny, kSet, kStar } kind;
    uint8_t byte = 0;
    uint32_t set = 0;  // index into sets_
  };
  struct Component {
    enum Kind : uint8_t { kGlob, kFolders, kSomeFolders } kind = kGlob;  // **: any number; at least one
    std::vector<Token> tokens;
  };

  Glob(std::string_view pattern, bool path);
  void compile(std::string_view pattern, bool path);
  bool compile_set(std::string_view pattern, size_t& at);
  void describe_literals();
  bool component_matches(const Component& component, std::string_view text) const;

  std::string head_;  // the bytes before the first special one; compared first
  std::vector<Component> components_;
  std::vector<std::bitset<256>> sets_;
  std::string prefix_, suffix_;
  uint64_t needed_ = 0;
  bool literal_ = false;
  bool broken_ = false;
};

}  // namespace knapsack::code
