#include "scenarios/support_hook.h"

namespace knapsack::testing {

size_t javascript_length(const std::string& utf8) {
  size_t length = 0;
  for (size_t at = 0; at < utf8.size();) {
    const auto first = static_cast<unsigned char>(utf8[at]);
    const size_t bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    length += bytes == 4 ? 2 : 1;
    at += bytes;
  }
  return length;
}

HookWorkspace::HookWorkspace() {
  folder_.write(".git/HEAD", "ref: refs/heads/main\n");
  folder_.write("knapsack.toml", "[memory]\ndir = \"m\"\n");
  folder_.write(".context/CONSTITUTION.md", "# Constitution\n\n- Never delete an order\n");
  folder_.write(".context/TASKS.md", "# Tasks\n\n- [ ] Import resumes after a crash\n");
  memory("db", "We decided on PostgreSQL because of its JSON support.");
  memory("port", "The database listens on port 5432.");
}

void HookWorkspace::memory(const std::string& id, const std::string& text) const {
  folder_.write("m/facts/2026-11-01/" + id + ".md",
                "---\nid: " + id + "\ncreated: 2026-11-01T10:00:00Z\n---\n" + text + "\n");
}

std::string HookWorkspace::input(const std::string& fixture, const nlohmann::json& changes) const {
  auto json = nlohmann::json::parse(read_source_file("tests/fixtures/hooks/" + fixture + ".json"));
  for (const char* field : {"cwd"})
    if (json.contains(field)) json[field] = folder_.path();
  if (json.contains("ctx")) json["ctx"]["workspaceDir"] = folder_.path();
  json.update(changes.is_object() ? changes : nlohmann::json::object());
  return json.dump();
}

ProgramResult HookWorkspace::hook(const std::string& input, const std::string& client,
                                  const std::map<std::string, std::string>& environment) const {
  // Not started in the workspace: the client's word says where that is.
  return run_program({"hook", client}, "/", environment, input);
}

std::string HookWorkspace::context(const ProgramResult& result, const std::string& event) const {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  if (result.out.empty()) return "";
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  EXPECT_TRUE(json.is_object() && json.size() == 1 && json.contains("hookSpecificOutput")) << result.out;
  if (!json.is_object()) return "";
  EXPECT_EQ(json["hookSpecificOutput"].size(), 2U);
  EXPECT_EQ(json["hookSpecificOutput"]["hookEventName"], event);
  const auto text = json["hookSpecificOutput"]["additionalContext"].get<std::string>();
  EXPECT_LE(javascript_length(text), 9500U);
  EXPECT_NE(text, "");
  return text;
}

ProgramResult HookWorkspace::prompt(const std::string& text, const std::string& session) const {
  return hook(input("claude-code-user-prompt-submit", {{"prompt", text}, {"session_id", session}}));
}

std::string HookWorkspace::prompt_context(const std::string& text, const std::string& session) const {
  return context(prompt(text, session), "UserPromptSubmit");
}

std::string HookWorkspace::last_runs(int count) const {
  return run_program({"runs", "--limit", std::to_string(count)}, folder_.path()).out;
}

}  // namespace knapsack::testing
