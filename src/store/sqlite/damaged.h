// Moving a damaged database out of the way, so that nothing a user had is overwritten. Internal to store/.
#pragma once

#include <string>

#include "core/clock.h"
#include "core/files/file_system.h"
#include "core/result.h"

namespace knapsack {

// Moves the database with its -wal, -shm and -journal to "<path>.damaged-<YYYYMMDDTHHMMSSZ>" (and the same
// endings), never over an existing file. Returns the new path. The caller sees to it that nobody has it open.
Result<std::string> set_aside(FileSystem& files, const std::string& path, Timestamp now);

}  // namespace knapsack
