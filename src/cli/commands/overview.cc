#include "cli/code_command.h"

namespace knapsack::cli {
namespace {

std::string ranked_text(const char* title, const char* thing, const std::vector<code::CountedFile>& files,
                        size_t limit) {
  if (files.empty()) return "";
  std::string out = bold(title) + "\n";
  for (size_t i = 0; i < files.size() && i < limit; ++i) {
    out += fmt::format("  {:>9}  {}\n", counted(files[i].count, thing), safe(files[i].path));
  }
  return out;
}

// What a model said of the files (`enrich --promote`).
std::string domains_text(const code::OverviewView& view, size_t limit) {
  if (view.described_files == 0) return "";
  std::string out =
      bold("Domains") + fmt::format(", by a model, of {}\n", counted(view.described_files, "file"));
  for (size_t i = 0; i < view.domains.size() && i < limit; ++i) {
    out += fmt::format("  {:>9}  {}\n", counted(view.domains[i].second, "file"), safe(view.domains[i].first));
  }
  out += bold("What they are for") + "\n";
  for (size_t i = 0; i < view.described.size() && i < limit; ++i) {
    const auto& file = view.described[i];
    out += fmt::format("  {}: {}\n", safe(file.path), safe(file.purpose));
    if (!file.public_api.empty())
      out += fmt::format("    API {}\n", safe(fmt::format("{}", fmt::join(file.public_api, ", "))));
  }
  return out;
}

std::string overview_text(const code::OverviewView& view, const CodeArguments& arguments) {
  std::string out =
      fmt::format("{}{}, indexed {}\n", bold(safe(view.snapshot.name)),
                  view.snapshot.commit_id.empty() || view.snapshot.commit_id == view.snapshot.name
                      ? ""
                      : " at " + view.snapshot.commit_id.substr(0, 10),
                  format_rfc3339(Timestamp{view.snapshot.taken_micros}).substr(0, 19) + "Z");
  out += fmt::format("{}, {} searchable, {} of them tests\n", counted(view.files, "file"),
                     grouped(view.sources), grouped(view.test_files));
  std::string listed;
  for (const auto& [why, count] : view.listed) {
    listed += fmt::format("{}{} {}", listed.empty() ? "" : ", ", why, grouped(count));
  }
  if (!listed.empty()) out += fmt::format("only listed: {}\n", listed);
  out += bold("Languages") + "\n";
  for (size_t i = 0; i < view.languages.size() && i < arguments.limit; ++i) {
    const auto& line = view.languages[i];
    out +=
        fmt::format("  {:<18} {:>12}  {:>16}  {:>10}  {:>16}\n", line.language, counted(line.files, "file"),
                    counted(line.lines, "line"), bytes_in_words(line.bytes), counted(line.tokens, "token"));
  }
  out += bold("Folders") + "\n";
  for (size_t i = 0; i < view.folders.size() && i < arguments.limit; ++i) {
    const auto& line = view.folders[i];
    out += fmt::format("  {:<24} {:>12}  {:>16}\n", safe(line.path), counted(line.files, "file"),
                       counted(line.lines, "line"));
  }
  out += domains_text(view, arguments.limit);
  out += ranked_text("Most imported", "file", view.most_imported, arguments.limit);
  out += ranked_text("Most changed", "commit", view.most_changed, arguments.limit);
  if (!view.recent.empty()) out += bold("Recent commits") + "\n";
  for (size_t i = 0; i < view.recent.size() && i < arguments.limit; ++i) out += commit_text(view.recent[i]);
  return out;
}

Json ranked_json(const std::vector<code::CountedFile>& files) {
  Json json = Json::array();
  for (const auto& file : files) json.push_back({{"path", file.path}, {"count", file.count}});
  return json;
}

Json overview_json(const code::OverviewView& view) {
  Json languages = Json::array(), folders = Json::array(), recent = Json::array();
  for (const auto& line : view.languages) {
    languages.push_back({{"language", line.language},
                         {"files", line.files},
                         {"lines", line.lines},
                         {"bytes", line.bytes},
                         {"tokens_o200k", line.tokens}});
  }
  for (const auto& line : view.folders) {
    folders.push_back({{"path", line.path}, {"files", line.files}, {"lines", line.lines}});
  }
  for (const auto& line : view.recent) recent.push_back(commit_json(line));
  Json domains = Json::array(), described = Json::array();
  for (const auto& [domain, files] : view.domains) domains.push_back({{"domain", domain}, {"files", files}});
  for (const auto& file : view.described) {
    described.push_back({{"path", file.path},
                         {"purpose", file.purpose},
                         {"domain", file.domain},
                         {"public_api", file.public_api}});
  }
  return {{"snapshot", view.snapshot.name},
          {"commit", view.snapshot.commit_id},
          {"files", view.files},
          {"sources", view.sources},
          {"test_files", view.test_files},
          {"listed", view.listed},
          {"languages", languages},
          {"folders", folders},
          {"most_imported", ranked_json(view.most_imported)},
          {"most_changed", ranked_json(view.most_changed)},
          {"recent", recent},
          {"described_files", view.described_files},
          {"domains", domains},
          {"described", described}};
}

}  // namespace

void add_overview(Command program, Shared& shared) {
  auto arguments = std::make_shared<CodeArguments>();
  arguments->limit = 10;
  const Command command = add_code_command<code::OverviewView>(
      program, shared, "overview", "Summarise what the repository contains", nullptr, "",
      [](Engine& engine, const CodeArguments& asked) { return engine.overview(asked.revision); },
      overview_text, overview_json, arguments);
  command.footer(
      "Examples:\n"
      "  knapsack overview\n"
      "  knapsack overview --format json");
}

}  // namespace knapsack::cli
