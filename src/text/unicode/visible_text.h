// Visible text: what content looks like in a packet, whatever bytes it holds.
//
// A packet is read by people on terminals and by programs that split lines in their own ways. So the only
// control characters in it are tabs and line feeds: the others become the pictures that Unicode has for them
// (ESC is ␛), further line breaks (NEL, LS, PS), C1 controls and what turns the direction of writing become
// their number (⟨U+202E⟩), and what is not UTF-8 becomes U+FFFD. A carriage return before a line feed goes:
// no line begins or ends elsewhere than before, so line numbers stay. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace knapsack {

std::string visible_text(std::string_view text);
// False where visible_text() would change nothing; quick.
bool needs_marks(std::string_view text);

// Every string in it, keys aside. For documents of our own, which are not deep.
void make_visible(nlohmann::ordered_json& json);

}  // namespace knapsack
