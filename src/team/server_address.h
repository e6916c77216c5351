// ServerAddress: where a team's PostgreSQL is, checked before anything is sent there.
//
// A server on another machine is spoken to over TLS that proves who it is (verify-full), whatever its URL or the environment
// says. Values only; no thread rule.
// Private to team/.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"

namespace knapsack::team {

struct ServerAddress {
  std::vector<std::pair<std::string, std::string>> parameters;  // as libpq names them
  bool is_local = false;                                        // a socket, or this machine
  std::string shown;  // for people: who, where and which database; no password

  // The same for the same server, user and database: names the folder of what is kept of it.
  std::string key;
};

// kUsage for what is not such a URL, and for one that asks for less than verify-full from another machine.
// `environment` is the program's: PGHOST and its like count as libpq counts them.
Result<ServerAddress> read_address(const std::string& url);

}  // namespace knapsack::team
