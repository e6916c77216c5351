#include "engine/recipes/code/parsing.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "code/sandbox/parsing_process.h"

namespace knapsack {

bool is_parsing_process(int argc, const char* const* argv) {
  if (argc != 2 || std::strcmp(argv[1], code::kParsingArgument) != 0) return false;
  // Typed by a person it is a word like any other that is no command.
  struct stat input = {};
  return ::fstat(STDIN_FILENO, &input) == 0 && S_ISSOCK(input.st_mode);
}

int run_parsing_process() {
  return code::serve_parsing(STDIN_FILENO);
}

}  // namespace knapsack
