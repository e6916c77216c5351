// What readers of the disk share: a descriptor that closes itself, and system errors as values.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "core/files/file_system.h"

namespace knapsack {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  bool valid() const { return number_ >= 0; }

 private:
  int number_;
};

// "cannot read PATH: reason"; kNotFound when nothing is there, else kIo.
Error system_error(std::string_view action, const std::string& path, int number);
Error not_a_file(const std::string& path, FileKind kind);
Error too_large(const std::string& path, uint64_t max_bytes);
FileInfo file_info(const struct stat& status);

// Everything from the descriptor's position on; kLimit when that is more than max_bytes.
Result<std::string> read_descriptor(int descriptor, uint64_t expected, uint64_t max_bytes,
                                    const std::string& path);

Status write_all(int descriptor, std::string_view bytes, const std::string& path);
Status sync_folder(const std::string& folder);
// Writes the file beside itself and puts it in place: whoever looks sees the old bytes or the new ones. On
// disk when it returns. `mark` stands between its name and what makes the name of the copy its own.
Status replace_file(const std::string& path, std::string_view bytes, mode_t mode,
                    std::string_view mark = ".");

}  // namespace knapsack
