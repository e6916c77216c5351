#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/field_flags.h"
#include "cli/graph_command.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

struct DoctorOptions {
  std::string format = "md";
  std::vector<std::string> endpoints;
};

struct Mark {
  const char* name;
  const char* colour;
};

Mark mark_of(Health health) {
  switch (health) {
    case Health::kOk:
      return {"ok", "\033[32m"};
    case Health::kNote:
      return {"note", "\033[36m"};
    case Health::kWarning:
      return {"warning", "\033[33m"};
    case Health::kBroken:
      break;
  }
  return {"broken", "\033[31m"};
}

std::string as_text(const DoctorReport& report) {
  size_t width = 0;
  for (const DoctorFinding& finding : report.findings) width = std::max(width, finding.area.size());
  const bool colour = wants_colour(STDOUT_FILENO);
  std::string out;
  for (const DoctorFinding& finding : report.findings) {
    const Mark mark = mark_of(finding.health);
    out +=
        fmt::format("{}{:<7}{}  {:<{}}  {}\n", colour ? mark.colour : "", mark.name, colour ? "\033[0m" : "",
                    finding.area, width, escape_control(with_flags(finding.what)));
    if (!finding.fix.empty())
      out += fmt::format("{:{}}  fix: {}\n", "", 7 + 2 + width, escape_control(with_flags(finding.fix)));
  }
  const auto count = [&](Health health) {
    return std::count_if(report.findings.begin(), report.findings.end(),
                         [&](const DoctorFinding& finding) { return finding.health == health; });
  };
  return out + fmt::format("{} broken, {} to look at\n", count(Health::kBroken), count(Health::kWarning));
}

std::string as_json(const DoctorReport& report) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const DoctorFinding& finding : report.findings) {
    findings.push_back({{"area", finding.area},
                        {"health", mark_of(finding.health).name},
                        {"what", finding.what},
                        {"fix", finding.fix}});
  }
  const nlohmann::ordered_json json = {{"broken", report.broken}, {"findings", findings}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int run_doctor(const Shared& shared, const DoctorOptions& options) {
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  DoctorRequest request;
  std::error_code problem;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (!problem) request.program = program.string();
  const char* path = std::getenv("PATH");
  request.search_path = path == nullptr ? "" : path;
  request.endpoints = options.endpoints;
  const DoctorReport report = (*engine)->doctor(request);
  const auto printed = print(options.format == "json" ? as_json(report) : as_text(report));
  if (!printed.ok()) return fail(printed.error());
  return report.broken ? 1 : 0;
}

}  // namespace

void add_doctor(Command program, Shared& shared) {
  auto options = std::make_shared<DoctorOptions>();
  Command command = add_command(program, shared, "doctor", "Diagnose this workspace and suggest fixes",
                                [&shared, options] { return run_doctor(shared, *options); });
  command
      .add_option("--base-url", options->endpoints,
                  "Also check that a model server answers at this address; may be given several times")
      .type_name("URL");
  add_format(command, options->format, {"md", "json"});
  command.footer(
      "Checks the workspace, git, the code index, the ledger, settings, notes, memories, the graph and\n"
      "the clients' files that start this program. One line per check: ok, note (works, for information),\n"
      "warning (works, but with limits) or broken, with what to do about it.\n\n"
      "Examples:\n"
      "  knapsack doctor\n"
      "  knapsack doctor --base-url http://localhost:11434 --format json\n\n"
      "Exit codes: 0 nothing broken, 1 something broken, 2 bad usage.");
}

}  // namespace knapsack::cli
