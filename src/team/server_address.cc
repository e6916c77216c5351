#include "team/server_address.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/escape.h"
#include "core/ids.h"
#include "team/libpq.h"

namespace knapsack::team {
namespace {

// Where Debian and others keep the certificates that programs trust.
constexpr const char* kSystemCertificates = "/etc/ssl/certs/ca-certificates.crt";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// "a,b" names two hosts: all of them have to be here.
bool are_local(const std::string& hosts) {
  for (size_t at = 0; at <= hosts.size();) {
    const size_t end = std::min(hosts.find(',', at), hosts.size());
    const std::string host = hosts.substr(at, end - at);
    const bool is_local = host.empty() || host.front() == '/' || host.front() == '@' || host == "localhost" ||
                          host == "::1" || host.starts_with("127.");
    if (!is_local) return false;
    at = end + 1;
  }
  return true;
}

using Values = std::map<std::string, std::string>;

Result<Values> parse_url(const std::string& url) {
  KNAPSACK_TRY(const Libpq* libpq, load_libpq());
  char* problem = nullptr;
  PQconninfoOption* const options = libpq->conninfo_parse(url.c_str(), &problem);
  if (options == nullptr) {
    // The library's own words repeat the URL, and with it a password.
    if (problem != nullptr) libpq->free_memory(problem);
    return Error{ErrorCode::kUsage, "the team server's address is not a PostgreSQL address",
                 "give one like postgresql://anna@db.example.org/team"};
  }
  Values values;
  for (const PQconninfoOption* each = options; each->keyword != nullptr; ++each)
    if (each->val != nullptr && *each->val != '\0') values[each->keyword] = each->val;
  libpq->conninfo_free(options);
  return values;
}

Status demand_tls(Values& values, const std::string& host) {
  const auto mode = values.find("sslmode");
  if (mode != values.end() && mode->second != "verify-full") {
    return Error{ErrorCode::kUsage,
                 fmt::format("sslmode={} does not prove that {} is the team's server",
                             escape_control(mode->second), escape_control(host)),
                 "leave sslmode out, or give verify-full"};
  }
  values["sslmode"] = "verify-full";
  const std::string own = variable("HOME") + "/.postgresql/root.crt";
  if (!values.contains("sslrootcert") && variable("PGSSLROOTCERT").empty() &&
      ::access(own.c_str(), R_OK) != 0)
    values["sslrootcert"] = kSystemCertificates;
  return ok_status();
}

}  // namespace

Result<ServerAddress> read_address(const std::string& url) {
  if (!url.starts_with("postgresql://") && !url.starts_with("postgres://")) {
    return Error{ErrorCode::kUsage, "the team server's address is not a PostgreSQL address",
                 "give one like postgresql://anna@db.example.org/team"};
  }
  KNAPSACK_TRY(Values values, parse_url(url));
  if (values.contains("service") || !variable("PGSERVICE").empty()) {
    return Error{ErrorCode::kUsage, "a service file may name any server, so it is not read",
                 "name the host in the URL, and unset PGSERVICE"};
  }
  std::string host = values.contains("hostaddr") ? values["hostaddr"] : values["host"];
  if (host.empty()) host = !variable("PGHOSTADDR").empty() ? variable("PGHOSTADDR") : variable("PGHOST");
  ServerAddress address;
  address.is_local = are_local(host) && are_local(values["host"]);
  if (!address.is_local) KNAPSACK_CHECK(demand_tls(values, host));
  values["application_name"] = "knapsack";
  values["client_encoding"] = "UTF8";
  values["gssencmode"] = "disable";
  const std::string named = values["host"].empty() ? host : values["host"];
  const std::string user = values["user"].empty() ? variable("PGUSER") : values["user"];
  address.shown = fmt::format("{}{}{}{}{}/{}", user, user.empty() ? "" : "@",
                              named.empty() ? "local socket" : named, values["port"].empty() ? "" : ":",
                              values["port"], values["dbname"].empty() ? user : values["dbname"]);
  address.key = hash_parts({named, values["port"], values["dbname"], user}).substr(0, 16);
  for (const auto& [name, value] : values)
    if (!value.empty()) address.parameters.emplace_back(name, value);
  return address;
}

}  // namespace knapsack::team
