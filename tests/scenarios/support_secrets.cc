#include "scenarios/support_secrets.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/files/file_system.h"
#include "store/ledger/ledger.h"
#include "store/state_folder.h"

namespace knapsack::testing {
namespace {

std::string folded(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

}  // namespace

PlantedSecrets::PlantedSecrets() {
  const std::string block = maker_.block("RSA PRIVATE KEY", 49);
  for (size_t at = 0; at < block.size();) {
    const size_t end = block.find('\n', at);
    if (block[at] != '-') planted_.push_back(block.substr(at, end - at));
    at = end + 1;
  }
  std::string yaml;
  for (int i = 1; i <= 40; ++i) yaml += "option" + std::to_string(i) + ": value of the deployment\n";
  yaml += "signing:\n  key: |\n";
  std::istringstream lines(block);
  for (std::string line; std::getline(lines, line);) yaml += "    " + line + "\n";
  for (int i = 1; i <= 40; ++i) yaml += "later" + std::to_string(i) + ": value of the deployment\n";
  repository_.write("deploy/settings.yaml", yaml);

  repository_.write("pay.py",
                    "\"\"\"Payment deployment.\"\"\"\n\n"
                    "# deployment token " +
                        plant("glpat-{W20}") +
                        "\n"
                        "def charge(amount, key=\"" +
                        plant("sk_live_{A24}") +
                        "\"):\n"
                        "    \"\"\"Charge with " +
                        plant("ghp_{A36}") +
                        " in deployment.\"\"\"\n"
                        "    password = \"" +
                        plant("{A9}7x{A9}") +
                        "\"\n"
                        "    return amount\n");
  repository_.write("test_pay.py", "from pay import charge\n\ndef test_charge():\n    assert charge(1, \"" +
                                       plant("xoxb-{D12}-{D12}-{A24}") + "\")\n");
  repository_.write(".env", "DEPLOYMENT=" + plant("{A24}") + "\n");
  repository_.write(".env.example", "DEPLOYMENT=fill-this-in\n");
  repository_.git({"add", "-A", "-f"});
  repository_.git(
      {"-c", "user.name=Bob " + plant("npm_{A36}"), "commit", "-q", "-m",
       "Deployment with " + plant("AKIA{U16}") + "\n\nand " + plant("shpat_{H32}") + " in its body"});
  repository_.write(".context/CONSTITUTION.md",
                    "# Constitution\n\n- Keep " + plant("hf_{Z34}") + " in the deployment\n");
  repository_.write(".context/TASKS.md", "# Tasks\n\n- [ ] Deployment rotates " + plant("pul-{H40}") + "\n");
  repository_.write(
      ".context/DECISIONS.md",
      "# Decisions\n\n## [2026-11-01] Deployment password\n\npassword: " + plant("{A7}9k{A7}") + "\n");
  repository_.write("m/facts/2026-11-01/db.md",
                    "---\nid: db\ncreated: 2026-11-01T10:00:00Z\n---\nThe deployment password: " +
                        plant("{A8}5q{A8}") + "\n");
  repository_.write("knapsack.toml", "[memory]\ndir = \"m\"\n");
  const std::string first = plant("{A8}3w{A8}"), second = plant("dop_v1_{H64}");
  EXPECT_EQ(run({"graph", "init"}).exit_code, 0);
  repository_.write(
      "graphs/kg_nodes.jsonl",
      R"({"id": "KG-FACT-1", "type": "fact", "title": "Deployment )" + second +
          R"(", "summary": "deployment", "attributes": {"password": ")" + first + R"("}, "rev": 1,)" +
          R"( "created_at": "2026-11-01T10:00:00Z", "updated_at": "2026-11-01T10:00:00Z"})" + "\n");
}

std::string PlantedSecrets::plant(const std::string& pattern) {
  planted_.push_back(maker_.make(pattern));
  return planted_.back();
}

ProgramResult PlantedSecrets::run(const std::vector<std::string>& arguments, const std::string& input) {
  ProgramResult result = run_program(arguments, repository_.path(), {{"HOME", repository_.path()}}, input);
  const std::string shown = arguments.front() + (arguments.size() > 1 ? " " + arguments[1] : "");
  expect_clean(result.out, "what `" + shown + "` prints");
  expect_clean(result.err, "what `" + shown + "` reports");
  return result;
}

void PlantedSecrets::expect_clean(const std::string& text, const std::string& where) const {
  const std::string low = folded(text);
  for (const std::string& secret : planted_) {
    // Its beginning names the service; what follows must be nowhere, not even in part.
    for (const std::string& part : {secret, secret.substr(secret.size() / 2)}) {
      EXPECT_EQ(low.find(folded(part)), std::string::npos) << secret << " is in " << where;
    }
  }
}

size_t PlantedSecrets::expect_clean_state() const {
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(repository_.file(".knapsack"))) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    expect_clean(bytes.str(), entry.path().filename().string());
    ++files;
  }
  return files;
}

size_t PlantedSecrets::expect_clean_ledger() const {
  const auto files = make_disk_file_system();
  const SystemClock clock;
  const auto ledger = open_ledger(state_folder_of(repository_.path()), *files, clock);
  EXPECT_OK(ledger);
  if (!ledger.ok()) return 0;
  RunFilter all;
  all.limit = 1'000'000;
  const auto runs = (*ledger)->list_runs(all);
  EXPECT_OK(runs);
  for (const StoredRun& run : *runs) {
    const RunRecord& record = run.record;
    const std::string where = "the ledger, run of " + record.command;
    expect_clean(record.request_json + record.config_json + record.warnings_json + record.task_id, where);
    const auto decisions = (*ledger)->decisions_of(run.key.sequence);
    for (const Decision& each : *decisions)
      expect_clean(each.candidate_id + each.title + each.section + each.components_json + each.reason, where);
    const auto calls = (*ledger)->model_calls_of(run.key.sequence);
    for (const ModelCall& each : *calls) expect_clean(each.request + each.response, where);
    const auto output = (*ledger)->output_of(run.key.sequence);
    expect_clean(output->value_or(""), where);
  }
  return runs->size();
}

}  // namespace knapsack::testing
