// What readers of the disk share: system errors as values, and how files are read and replaced.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

#include "core/files/descriptor.h"
#include "core/files/file_system.h"

namespace knapsack {

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
