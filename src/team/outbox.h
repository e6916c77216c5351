// Outbox: memories on their way to a team's server. What put() answered for is on disk until the server has it.
//
// A file each, named by what it is: the same memory put twice is there once. Removed only when the server has said that it has
// it; where that answer is lost it is sent again, which the server takes for the same. Any number of processes.
#pragma once

#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "team/team_memory.h"

namespace knapsack::team {

struct Waiting {
  std::string file;  // its name
  TeamMemory memory;
};

class Outbox {
 public:
  Outbox(FileSystem& files, std::string folder) : files_(files), folder_(std::move(folder)) {}

  // On disk when this returns. The folder above the outbox's must be there.
  Status put(const TeamMemory& memory);
  // By name; files that cannot be read are named in `warnings` and stay.
  std::vector<Waiting> waiting(std::vector<std::string>& warnings) const;
  size_t count() const;
  Status remove(const Waiting& delivered);

 private:
  FileSystem& files_;
  std::string folder_;
};

}  // namespace knapsack::team
