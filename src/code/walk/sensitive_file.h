// Files that exist to hold secrets: never learnt from and never shown, whatever is in them.
//
// Told by their names as tools use them; where a name is shared with harmless files (certificates, settings
// without credentials), by what they hold. Examples and templates that people write are ordinary files; a store of keys
// or of a tool's state is none, whatever it is called. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace knapsack::code {

// By its path alone, so that it need not be opened.
bool is_sensitive_path(std::string_view path);
// By path and content, for those that a path does not decide.
bool is_sensitive_file(std::string_view path, std::string_view bytes);

// Whether a user named this file, by its path from the workspace or its last part, as one that may be read.
bool is_allowed(const std::vector<std::string>& allowed, std::string_view path);

}  // namespace knapsack::code
