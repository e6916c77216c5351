// Libpq: PostgreSQL's client library, loaded when a team is first talked to.
//
// Nobody who has no team pays for it: the program neither links it nor needs it to be installed. Loaded once for a process and
// never unloaded; safe from any thread.
// Private to team/.
#pragma once

#include <libpq-fe.h>

#include "core/result.h"

namespace knapsack::team {

// The functions that are used, by the names that the library gives them.
struct Libpq {
  decltype(&::PQconninfoParse) conninfo_parse = nullptr;
  decltype(&::PQconninfoFree) conninfo_free = nullptr;
  decltype(&::PQfreemem) free_memory = nullptr;
  decltype(&::PQconnectStartParams) connect_start = nullptr;
  decltype(&::PQconnectPoll) connect_poll = nullptr;
  decltype(&::PQstatus) status = nullptr;
  decltype(&::PQsocket) socket = nullptr;
  decltype(&::PQerrorMessage) error_message = nullptr;
  decltype(&::PQfinish) finish = nullptr;
  decltype(&::PQsetnonblocking) set_nonblocking = nullptr;
  decltype(&::PQsendQueryParams) send_query = nullptr;
  decltype(&::PQflush) flush = nullptr;
  decltype(&::PQconsumeInput) consume_input = nullptr;
  decltype(&::PQisBusy) is_busy = nullptr;
  decltype(&::PQgetResult) get_result = nullptr;
  decltype(&::PQresultStatus) result_status = nullptr;
  decltype(&::PQresultErrorField) result_error = nullptr;
  decltype(&::PQclear) clear = nullptr;
  decltype(&::PQntuples) rows = nullptr;
  decltype(&::PQnfields) columns = nullptr;
  decltype(&::PQgetvalue) value = nullptr;
  decltype(&::PQgetlength) length = nullptr;
  decltype(&::PQgetisnull) is_null = nullptr;
  decltype(&::PQcmdTuples) affected = nullptr;
  decltype(&::PQsslInUse) uses_tls = nullptr;
  decltype(&::PQsetNoticeProcessor) set_notice_processor = nullptr;
};

// kNotFound, with what to install, where there is no such library.
Result<const Libpq*> load_libpq();

}  // namespace knapsack::team
