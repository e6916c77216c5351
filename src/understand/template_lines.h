// The lines of an issue that its template put there, or that tell about the reporter's machine: "### Steps to
// reproduce", "- [x] I searched", "Python: 3.11.2", "ОС: Ubuntu 22.04".
//
// They say nothing about the code, and their words ("version", "expected", "system") are in half of all
// files. What sentences begin with must not be taken for them: "Expected 3 but got 4" is what the task is
// about. Pure functions; any thread.
// Private to understand/.
#pragma once

#include <string_view>

namespace knapsack {

// A heading or lead-in of a template, with or without its marks, or a check box.
bool is_template_line(std::string_view line);

// A heading whose whole section is about the reporter's machine or the rules of the tracker.
bool is_environment_heading(std::string_view heading);

// "numpy 1.26.0", "- Python: 3.11", "OS: Ubuntu 22.04", "go version go1.21 linux/amd64"
bool is_version_line(std::string_view line);

// "## Title" or a line that is bold from end to end.
bool is_heading_line(std::string_view line);

}  // namespace knapsack
