// Where the folders that settings name are on disk.
#include "engine/settings/places.h"
#include "engine/settings/settings.h"

namespace knapsack {
namespace {

std::string home_of(const SettingsRequest& request) {
  const auto home = request.environment.find("HOME");
  return home == request.environment.end() ? "" : home->second;
}

std::string folder_of(const std::string& named, bool from_flag, const SettingsRequest& request) {
  const std::string& base = from_flag ? request.started_in : request.workspace;
  const auto path = expand_place(named, base, home_of(request));
  return path.ok() ? *path : join_path(base, named);
}

}  // namespace

std::string context_folder(const Settings& settings, const SettingsRequest& request) {
  return folder_of(settings.notes_context_dir, settings.context_dir_from_flag, request);
}

std::string graph_folder(const Settings& settings, const SettingsRequest& request) {
  return folder_of(settings.graph_dir, settings.graph_dir_from_flag, request);
}

}  // namespace knapsack
