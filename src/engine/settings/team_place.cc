#include "engine/settings/team_place.h"

#include <fmt/format.h>

#include "core/ids.h"
#include "text/markdown/markdown_lines.h"

namespace knapsack {
namespace {

constexpr uint64_t kMaxGitConfigBytes = uint64_t{1} << 20U;
constexpr size_t kServerDigits = 16;
constexpr size_t kMaxIdentity = 200;

std::string variable_in(const SettingsRequest& request, const char* name) {
  const auto found = request.environment.find(name);
  return found == request.environment.end() || !found->second.starts_with('/') ? "" : found->second;
}

// The address without its password, which may change while the server stays.
std::string server_of(std::string_view url) {
  const size_t begin = url.find("://");
  const size_t at = begin == std::string_view::npos ? begin : url.find('@', begin);
  const size_t colon = at == std::string_view::npos ? at : url.find(':', begin + 3);
  std::string server(url.substr(0, url.find('?')));
  if (colon != std::string_view::npos && colon < at) server.erase(colon, at - colon);
  return server;
}

// Below the folder that the variable names, else below `usual` of the home folder.
std::string place_of_server(const Settings& settings, const SettingsRequest& request, const char* variable,
                            const char* usual) {
  if (settings.team_url.empty()) return "";
  std::string base = variable_in(request, variable);
  if (base.empty()) {
    const std::string home = variable_in(request, "HOME");
    if (home.empty()) return "";
    base = join_path(home, usual);
  }
  return join_path(base,
                   "knapsack/team/" + content_hash(server_of(settings.team_url)).substr(0, kServerDigits));
}

// The value of a key in the section [user] of git's configuration; the last one counts.
std::string user_value(std::string_view text, std::string_view key) {
  std::string value;
  bool in_user = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('[')) in_user = line == "[user]";
    const size_t equals = line.find('=');
    if (!in_user || equals == std::string_view::npos || trim(line.substr(0, equals)) != key) continue;
    std::string_view written = trim(line.substr(equals + 1));
    if (written.size() >= 2 && written.front() == '"' && written.back() == '"')
      written = written.substr(1, written.size() - 2);
    value = written.substr(0, kMaxIdentity);
  }
  return value;
}

}  // namespace

std::string team_folder(const Settings& settings, const SettingsRequest& request) {
  return place_of_server(settings, request, "XDG_DATA_HOME", ".local/share");
}

std::string team_cache_folder(const Settings& settings, const SettingsRequest& request) {
  return place_of_server(settings, request, "XDG_CACHE_HOME", ".cache");
}

std::string git_identity(const FileSystem& files, const SettingsRequest& request) {
  const std::string home = variable_in(request, "HOME");
  std::string config = variable_in(request, "XDG_CONFIG_HOME");
  if (config.empty() && !home.empty()) config = join_path(home, ".config");
  std::string name, email;
  for (const std::string& path : {join_path(config, "git/config"), join_path(home, ".gitconfig")}) {
    const auto text = files.read(path, kMaxGitConfigBytes);
    if (!text.ok()) continue;
    if (std::string value = user_value(*text, "name"); !value.empty()) name = std::move(value);
    if (std::string value = user_value(*text, "email"); !value.empty()) email = std::move(value);
  }
  return email.empty() ? name : fmt::format("{}{}<{}>", name, name.empty() ? "" : " ", email);
}

std::string age_in_words(Timestamp then, Timestamp now) {
  constexpr int64_t kMinute = 60, kHour = 3600, kDay = 86'400;
  const int64_t seconds = (now.micros - then.micros) / 1'000'000;
  const auto counted = [](int64_t count, std::string_view what) {
    return fmt::format("{} {}{} ago", count, what, count == 1 ? "" : "s");
  };
  if (seconds < kMinute) return "just now";
  if (seconds < kHour) return counted(seconds / kMinute, "minute");
  if (seconds < 2 * kDay) return counted(seconds / kHour, "hour");
  return counted(seconds / kDay, "day");
}

}  // namespace knapsack
