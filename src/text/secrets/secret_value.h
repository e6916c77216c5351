// Whether a text is a secret or stands in the place of one: randomness, words and the marks of placeholders.
//
// Pure functions; any thread.
// Private to text/secrets/.
#pragma once

#include <cstdint>
#include <string_view>

namespace knapsack {

// What a name says of its value.
enum class SecretName : uint8_t { kNone, kPassword, kToken };

// Bits of information a character, by how often each occurs.
double entropy_of(std::string_view text);

// How much of a text reads as words of people and programs, from 0 to 1. Random letters read as few.
double word_share(std::string_view text);

// "${TOKEN}", "<password>", "your-api-key", "xxxxxxxx", "os.environ[…]": what tells where a secret comes from
// or goes, and values that nobody would use.
bool is_placeholder(std::string_view value);

// A token in which one character is repeated for want of a real one.
bool is_blanked(std::string_view token);

// No words and no pattern: what only a machine makes.
bool looks_random(std::string_view value);

// Whether this is what the name promises. `whole` where the value is all that its place holds (a quoted text,
// the rest of a line of configuration) and not a word among words.
bool is_secret_value(SecretName name, std::string_view value, bool whole);

// What the name of a variable, key or field says: the last of its words decides, after those that only tell
// which one it is ("prod", "2").
SecretName secret_name(std::string_view name);

}  // namespace knapsack
