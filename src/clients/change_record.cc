#include "clients/change_record.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "text/parse_json.h"

namespace knapsack::clients {
namespace {

using nlohmann::ordered_json;

constexpr int kFormat = 1;

ordered_json steps_json(const std::vector<EditStep>& steps) {
  ordered_json list = ordered_json::array();
  for (const EditStep& step : steps) {
    ordered_json insertions = ordered_json::array();
    for (const Insertion& each : step) insertions.push_back({{"at", each.at}, {"text", each.text}});
    list.push_back(std::move(insertions));
  }
  return list;
}

std::vector<EditStep> read_steps(const ordered_json& list) {
  std::vector<EditStep> steps;
  for (const auto& insertions : list) {
    EditStep& step = steps.emplace_back();
    for (const auto& each : insertions)
      step.push_back({each.at("at").get<size_t>(), each.at("text").get<std::string>()});
  }
  return steps;
}

// The record is a file that anybody can edit: a name in it must not lead out of where it belongs.
bool is_plain_name(const std::string& name) {
  if (name.empty() || name.front() == '/' || name.find('\0') != std::string::npos) return false;
  const std::string bounded = "/" + name + "/";
  return bounded.find("/../") == std::string::npos && bounded.find("/./") == std::string::npos &&
         bounded.find("//") == std::string::npos;
}

FileChangeRecord read_file(const ordered_json& json) {
  FileChangeRecord file;
  file.in_home = json.at("in_home").get<bool>();
  file.name = json.at("name").get<std::string>();
  file.created = json.at("created").get<bool>();
  file.before = json.at("before").get<std::string>();
  file.after = json.at("after").get<std::string>();
  file.steps = read_steps(json.at("steps"));
  file.folders = json.at("folders").get<std::vector<std::string>>();
  return file;
}

}  // namespace

std::string write_record(const ChangeRecord& record) {
  ordered_json files = ordered_json::array();
  for (const FileChangeRecord& file : record.files) {
    files.push_back({{"in_home", file.in_home},
                     {"name", file.name},
                     {"created", file.created},
                     {"before", file.before},
                     {"after", file.after},
                     {"steps", steps_json(file.steps)},
                     {"folders", file.folders}});
  }
  const ordered_json json = {{"format", kFormat}, {"files", std::move(files)}};
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Error no_record(std::string_view name) {
  return {ErrorCode::kCorrupt, fmt::format("{} is not what `knapsack init` wrote", name),
          "remove it; entries of knapsack in client files are then removed by hand"};
}

Result<ChangeRecord> read_record(std::string_view text, std::string_view name) {
  const Error damaged = no_record(name);
  try {
    const ordered_json json = parse_ordered_json(text);
    if (json.at("format") != kFormat) return damaged;
    ChangeRecord record;
    for (const auto& each : json.at("files")) {
      FileChangeRecord file = read_file(each);
      bool plain = is_plain_name(file.name);
      for (const std::string& folder : file.folders) plain = plain && is_plain_name(folder);
      if (!plain) return damaged;
      record.files.push_back(std::move(file));
    }
    return record;
  } catch (const nlohmann::json::exception&) {
    return damaged;
  }
}

}  // namespace knapsack::clients
