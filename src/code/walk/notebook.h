// Jupyter notebooks as text: their cells as a Python file with "# %%" marks, Markdown as comments, outputs dropped.
//
// What is indexed, searched and shown of a notebook is this text; its lines are what packets name. The same bytes give the
// same text. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace knapsack::code {

inline constexpr std::string_view kNotebook = "notebook";  // the language
// Larger files are listed, not read: files of words, and those of a language with symbols. Amalgamations, headers of a whole
// library and programs in one file take megabytes, and are what their repository is about.
inline constexpr uint64_t kMaxSourceBytes = 1'000'000;
inline constexpr uint64_t kMaxCodeBytes = 4'000'000;
// Outputs (pictures) make most of a notebook's size; what is left is held to the limit of every source.
inline constexpr uint64_t kMaxNotebookBytes = uint64_t{16} << 20U;

// Nothing for bytes that are no notebook.
std::optional<std::string> notebook_text(std::string_view bytes);

// How much of a file is read at most, as far as its name tells.
uint64_t most_bytes_of(std::string_view path);

}  // namespace knapsack::code
