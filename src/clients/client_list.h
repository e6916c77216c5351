// The clients that can be set up: which files they read, and what must stand in these to start this program.
//
// Plain data, made once; any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "clients/toml_edit.h"

namespace knapsack::clients {

// Something that must stand in a JSON file.
struct JsonEntry {
  std::vector<std::string> path;  // of the member, or of the array that it is an element of
  nlohmann::ordered_json value;
  bool is_element = false;
  std::string mark;  // of an element: a text in it by which an edited one is known as ours
};

struct ClientFile {
  std::vector<std::string> names;  // below the workspace; the first that is there, else the first
  std::string user_name;           // below the home folder; empty: none that we write
  std::vector<JsonEntry> json;     // of a JSON file
  std::vector<TomlTable> toml;     // of a TOML file
};

struct Client {
  std::string name;
  std::vector<std::string> marks;  // files and folders of a workspace that say that it is used there
  std::vector<ClientFile> files;
  std::string next;                     // what is left to do in the client itself, one line
  std::string program;                  // by which it is started
  std::vector<std::string> home_marks;  // folders below the home folder that say that it is installed
};

const std::vector<Client>& client_list();
std::vector<std::string> client_names();

// The same clients, asking a server that runs at `url` instead of starting one. Each has one file, below the
// home folder, because the entry holds a token: kTokenMark stands for it here, and in whatever is shown or
// kept of the change.
inline constexpr std::string_view kTokenMark = "<token of knapsack serve>";
std::vector<Client> http_client_list(const std::string& url);

// The entry for this document: where it keeps its servers a level deeper, the path follows.
JsonEntry adapted(const JsonEntry& entry, std::string_view file, const nlohmann::ordered_json& document);

// What a new knapsack.toml says: every line a comment that teaches.
std::string_view starter_settings();

}  // namespace knapsack::clients
