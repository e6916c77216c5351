// Assignments of secrets: `password = "…"`, `token: …`, `"apiKey": "…"`, `<password>…</password>`, by what
// the name says and how the value looks.
//
// Pure functions, linear in the length of a line; any thread.
// Private to text/secrets/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "text/secrets/private_keys.h"

namespace knapsack {

// In a program a value without quotes is a name, in configuration and prose it is the value itself.
enum class SecretContext : uint8_t { kText, kCode };

// Parts of names that a name of a secret has, for a LiteralScanner.
std::span<const std::string_view> secret_name_marks();

struct NamedValue {
  size_t name_end = 0;               // so that no part of the name has to be looked at again
  std::optional<SecretSpan> secret;  // the value, without quotes
};
// Of the name that `mark_begin` lies in.
NamedValue named_value_at(std::string_view text, size_t mark_begin, SecretContext context);

// The kind of secret that a value is, given its name: of one of the services' shapes, or by how it looks.
// nullptr for none.
const char* kind_of_named(std::string_view name, std::string_view value, bool whole);

}  // namespace knapsack
