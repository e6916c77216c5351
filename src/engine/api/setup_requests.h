// What Engine::set_up and Engine::doctor are asked and what they answer. Plain data; no thread rule.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace knapsack {

struct SetUpRequest {
  // By name, or "all"; empty: those whose files are in the workspace, else those that are installed.
  std::vector<std::string> clients;
  bool notes = false;       // begin a notes folder; with no client named, nothing else is set up
  std::string search_path;  // PATH: where programs are found
  bool user = false;        // write the files below the home folder instead of those of the project
  bool dry_run = false;     // say what would be written
  bool undo = false;        // take back what an earlier call wrote
  // Of a server that runs on this machine, for clients that ask it instead of starting one; with `user`.
  std::string url;
  std::string token;  // of that server; for undo too, where there is one
};

enum class SetUpAction {
  kCreate,     // the file was not there
  kChange,     // something was added to it, or taken out again
  kRemove,     // the file was ours and goes
  kNothing,    // all of it is there already
  kLeftAlone,  // somebody edited what is ours; `note` says it
};

struct SetUpFile {
  std::string path;  // as somebody in the workspace would open it
  SetUpAction action = SetUpAction::kNothing;
  std::string diff;  // unified; empty where nothing changes
  std::string note;  // one line for people; may be empty
};

struct SetUpReply {
  std::vector<std::string> clients;  // that were set up
  std::vector<SetUpFile> files;
  std::vector<std::string> notices;  // one line each, for people
  bool changes = false;              // something was written, or would be
};

enum class Health {
  kOk,
  kNote,     // works; worth knowing
  kWarning,  // works with less than there could be
  kBroken,   // something does not work
};

struct DoctorFinding {
  std::string area;  // "workspace", "git", "code", "ledger", "notes", "memory", "graph", "settings"…
  Health health = Health::kOk;
  std::string what;  // one line
  std::string fix;   // what to do about it; empty where it is fine
};

struct DoctorRequest {
  std::string program;                 // how this program was started, for the versions
  std::string search_path;             // PATH: where clients look for programs
  std::vector<std::string> endpoints;  // base URLs of models that must answer
};

struct DoctorReport {
  std::vector<DoctorFinding> findings;
  bool broken = false;
};

}  // namespace knapsack
