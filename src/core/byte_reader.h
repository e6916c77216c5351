// ByteReader: reads little-endian numbers, varints and strings from bytes that may be damaged.
//
// It never reads outside its bytes: past their end, or on a varint that is too long, it gives zeros and
// failed() stays true. So a parser may read a whole record first and ask once. Beside it, the writing halves.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace knapsack {

static_assert(std::endian::native == std::endian::little, "numbers are stored little-endian");

template <class Number>
Number load(const char* bytes) {
  Number value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <class Number>
void append_number(std::string& out, Number value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

// Seven bits a byte, lowest first, the high bit on all bytes but the last.
inline void append_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

// What a database calls bytes, and what everything else does.
inline std::span<const std::byte> column_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
inline std::string_view column_view(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool failed() const { return failed_; }
  bool at_end() const { return at_ == end_; }

  template <class Number>
  Number number() {
    const std::string_view bytes = take(sizeof(Number));
    return failed_ ? Number{} : load<Number>(bytes.data());
  }

  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && at_ != end_; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    fail();
    return 0;
  }

  // A varint that must fit 32 bits.
  uint32_t varint32() {
    const uint64_t value = varint();
    if (value > UINT32_MAX) fail();
    return failed_ ? 0 : static_cast<uint32_t>(value);
  }

  std::string_view take(size_t length) {
    if (static_cast<size_t>(end_ - at_) < length) {
      fail();
      return {};
    }
    const std::string_view bytes(at_, length);
    at_ += length;
    return bytes;
  }

 private:
  void fail() {
    failed_ = true;
    at_ = end_;
  }

  const char* at_;
  const char* end_;
  bool failed_ = false;
};

}  // namespace knapsack
