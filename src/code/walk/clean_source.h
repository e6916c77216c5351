// What is learnt of a file and shown of it: its text without secrets, with as many lines as before; of a notebook its
// cells (code/walk/notebook.h); of UTF-16, which some tools of Windows write, the same text in UTF-8.
//
// The index and whatever reads a file for a packet go through this one function, so that byte ranges of the
// index hold in the text that is read later, and no slice of a file can hold a part of a secret. It depends
// on the bytes and the language alone. A pure function; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace knapsack::code {

// Bytes that begin with a mark of UTF-16 become UTF-8 without one; all others stay as they are.
void decode_utf16(std::string& bytes);

// How many secrets were replaced. `language` is a name of code/parse/language.h.
uint64_t clean_source(std::string& bytes, std::string_view language);

}  // namespace knapsack::code
