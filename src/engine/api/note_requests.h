// What the recipes that write notes are asked and what they answer. Plain data; no thread rule.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace knapsack {

struct NoteRequest {
  std::map<std::string, std::string> settings;  // "notes.context_dir"
  std::string action;                           // add, done or archive
  std::string kind;                             // of what is added: decision, learning, convention or task
  std::string text;                             // what is added, or words of the task that is done
};

struct NoteReply {
  std::vector<std::string> changed;  // files, as somebody in the workspace would open them
  std::string told;                  // what was done, one line
  std::vector<std::string> notices;
};

}  // namespace knapsack
