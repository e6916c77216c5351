#include "team/libpq.h"

#include <dlfcn.h>

namespace knapsack::team {
namespace {

constexpr const char* kLibrary = "libpq.so.5";

struct Loaded {
  Libpq functions;
  std::string problem;
};

template <class Function>
void find_function(void* library, const char* name, Function& function, std::string& problem) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr && problem.empty()) problem = std::string(kLibrary) + " has no " + name;
}

Loaded load_functions() {
  Loaded loaded;
  void* const library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    loaded.problem = std::string(kLibrary) + " is not installed";
    return loaded;
  }
  Libpq& found = loaded.functions;
  std::string& problem = loaded.problem;
  find_function(library, "PQconninfoParse", found.conninfo_parse, problem);
  find_function(library, "PQconninfoFree", found.conninfo_free, problem);
  find_function(library, "PQfreemem", found.free_memory, problem);
  find_function(library, "PQconnectStartParams", found.connect_start, problem);
  find_function(library, "PQconnectPoll", found.connect_poll, problem);
  find_function(library, "PQstatus", found.status, problem);
  find_function(library, "PQsocket", found.socket, problem);
  find_function(library, "PQerrorMessage", found.error_message, problem);
  find_function(library, "PQfinish", found.finish, problem);
  find_function(library, "PQsetnonblocking", found.set_nonblocking, problem);
  find_function(library, "PQsendQueryParams", found.send_query, problem);
  find_function(library, "PQflush", found.flush, problem);
  find_function(library, "PQconsumeInput", found.consume_input, problem);
  find_function(library, "PQisBusy", found.is_busy, problem);
  find_function(library, "PQgetResult", found.get_result, problem);
  find_function(library, "PQresultStatus", found.result_status, problem);
  find_function(library, "PQresultErrorField", found.result_error, problem);
  find_function(library, "PQclear", found.clear, problem);
  find_function(library, "PQntuples", found.rows, problem);
  find_function(library, "PQnfields", found.columns, problem);
  find_function(library, "PQgetvalue", found.value, problem);
  find_function(library, "PQgetlength", found.length, problem);
  find_function(library, "PQgetisnull", found.is_null, problem);
  find_function(library, "PQcmdTuples", found.affected, problem);
  find_function(library, "PQsslInUse", found.uses_tls, problem);
  find_function(library, "PQsetNoticeProcessor", found.set_notice_processor, problem);
  return loaded;
}

}  // namespace

Result<const Libpq*> load_libpq() {
  static const Loaded loaded = load_functions();
  if (loaded.problem.empty()) return &loaded.functions;
  return Error{ErrorCode::kNotFound, "a team needs PostgreSQL's client library: " + loaded.problem,
               "install it (Debian: apt install libpq5)"};
}

}  // namespace knapsack::team
