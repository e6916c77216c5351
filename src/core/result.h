// Result<T>: a value, or an Error that says what went wrong, with which thing, and what to do next.
//
// Everything that input, disk, network or a model can cause comes back as a Result; exceptions end at the
// boundary of the library that throws them. Values only; no thread rule.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace knapsack {

enum class ErrorCode {
  kUsage,     // the caller's words are off; exit 2
  kConfig,    // a configuration file or variable is off; exit 2
  kNotFound,  // the named thing is not there
  kIo,        // the disk or the system refused
  kCorrupt,   // a store or file does not hold what it must
  kBusy,      // somebody else holds it
  kLimit,     // larger than we accept
  kStopped,   // whoever asked does not want the answer any more
  kInternal,  // our own mistake
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string what;  // what happened, naming the thing
  std::string next;  // what the reader can do about it; may be empty

  // "what; next" as one line: control characters of names that came from outside are escaped.
  std::string line() const;
};

// 2 for what the caller can mend in the call or the configuration, 1 for everything else.
int exit_code(ErrorCode code);

struct Nothing {};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT: implicit on purpose, `return value;`
  Result(Error error) : state_(std::move(error)) {}  // NOLINT: implicit on purpose, `return error;`

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  T& value() & { return checked(); }
  const T& value() const& {
    assert(ok());
    return std::get<T>(state_);
  }
  T&& value() && { return std::move(checked()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    assert(!ok());
    return std::get<Error>(state_);
  }

 private:
  T& checked() {
    assert(ok());
    return std::get<T>(state_);
  }
  std::variant<T, Error> state_;
};

using Status = Result<Nothing>;
inline Status ok_status() {
  return Nothing{};
}

}  // namespace knapsack

#define KNAPSACK_CONCAT_(a, b) a##b
#define KNAPSACK_CONCAT(a, b) KNAPSACK_CONCAT_(a, b)

// KNAPSACK_TRY(auto x, call()): x is the value, or the function returns the error.
#define KNAPSACK_TRY(declaration, expression) \
  KNAPSACK_TRY_(KNAPSACK_CONCAT(knapsack_result_, __LINE__), declaration, expression)
#define KNAPSACK_TRY_(temporary, declaration, expression) \
  auto temporary = (expression);                          \
  if (!temporary.ok()) return temporary.error();          \
  declaration = std::move(temporary).value()

// KNAPSACK_CHECK(call()): returns the error of a call whose value is not needed.
#define KNAPSACK_CHECK(expression)                             \
  do {                                                         \
    auto knapsack_status = (expression);                       \
    if (!knapsack_status.ok()) return knapsack_status.error(); \
  } while (false)
