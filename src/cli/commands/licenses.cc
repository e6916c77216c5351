// `knapsack licenses`: what the program is made of, with the licence of each part.
#include <fmt/format.h>

#include <algorithm>

#include "cli/build_info.h"
#include "cli/command.h"

namespace knapsack::cli {
namespace {

std::string list_of_parts() {
  size_t name = 0, version = 0, licence = 0;
  for (const LinkedPart& part : linked_parts()) {
    name = std::max(name, part.name.size());
    version = std::max(version, part.version.size());
    licence = std::max(licence, part.licence.size());
  }
  std::string out =
      fmt::format("knapsack {} is licensed under Apache-2.0. It includes:\n\n", Engine::version());
  for (const LinkedPart& part : linked_parts()) {
    out += fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", part.name, name, part.version, version, part.licence,
                       licence, part.purpose);
  }
  return out;
}

}  // namespace

void add_licenses(Command program, Shared& shared) {
  Command command =
      program.add_subcommand("licenses", "List the third-party parts of the program, with their licences");
  command.callback([&shared] {
    shared.chosen = [] {
      const auto printed = print(list_of_parts());
      return printed.ok() ? 0 : fail(printed.error());
    };
  });
  command.footer(
      "Each line has a name, its version, its licence (SPDX) and its purpose. The version is \"system\" if\n"
      "the program uses the machine's own library. The packages include the full texts in\n"
      "share/doc/knapsack/THIRD-PARTY.txt.\n\n"
      "Example:\n  knapsack licenses");
}

}  // namespace knapsack::cli
