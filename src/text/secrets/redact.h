// Redaction: secrets that a note, a memory or a file happens to hold never reach a packet, a model or a
// store.
//
// Shapes that services publish (text/secrets/secret_shapes.h), blocks of private keys, credentials in URLs, and
// values whose names say what they are. One pass; linear time. A text is cleaned once, whole, before anything
// is made of it: a part of a secret has no shape any more. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/secrets/secret_assignments.h"

namespace knapsack {

// True where a secret would be replaced.
bool holds_secret(std::string_view text, SecretContext context = SecretContext::kText);

// Replaces every secret in the text by "[redacted: kind]"; how many there were.
uint64_t redact_secrets(std::string& text, SecretContext context = SecretContext::kText);
// The same, with as many lines as before: what has line numbers keeps them.
uint64_t redact_secrets_by_line(std::string& text, SecretContext context = SecretContext::kText);

// How many were replaced in a stretch of such a text.
uint64_t count_redacted(std::string_view text);
// "2 secrets in the notes were replaced by [redacted]".
std::string redacted_line(uint64_t secrets, std::string_view place);

// A text that has a name, as a member of an object: the name may say that it is a secret.
uint64_t redact_named(std::string_view name, std::string& text);

}  // namespace knapsack
