#include "engine/settings/setting_table.h"

#include <algorithm>
#include <array>

namespace knapsack {
namespace {

// Parses a value into a member of Settings, or of a struct in it: take<parse_share, &Settings::recall, &RecallSettings::floor>.
template <auto Parse, auto... Path>
Status take(Settings& settings, const SettingValue& value) {
  KNAPSACK_TRY((settings.*....*Path), Parse(value));
  return ok_status();
}

// A folder, and whether it is relative to where the program was started.
template <auto Folder, auto FromFlag>
Status take_folder(Settings& settings, const SettingValue& value) {
  KNAPSACK_TRY(settings.*Folder, parse_folder(value));
  settings.*FromFlag = value.is_from_flag();
  return ok_status();
}

Status take_memory_folder(Settings& settings, const SettingValue& value) {
  settings.memory_dir_from_file = value.is_from_workspace();
  return take_folder<&Settings::memory_dir, &Settings::memory_dir_from_flag>(settings, value);
}

constexpr auto kSettings = std::to_array<SettingSpec>({
    {"notes.budget", "8000", "--budget", "CTX_TOKEN_BUDGET", "token_budget", "tokens of the notes packet",
     take<parse_tokens, &Settings::notes_budget>},
    {"notes.context_dir", ".context", "--context-dir", "", "", "the notes folder",
     take_folder<&Settings::notes_context_dir, &Settings::context_dir_from_flag>},
    {"notes.tokenizer", "bytes4", "--tokenizer", "", "",
     "counter of the notes packet: chars4, bytes4, cl100k or o200k",
     take<parse_tokenizer, &Settings::notes_tokenizer>},
    {"notes.task_share", "0.40", "", "", "task_budget_pct", "share of the budget that tasks may take",
     take<parse_share, &Settings::notes_task_share>},
    {"notes.convention_share", "0.20", "", "", "convention_budget_pct",
     "share of the budget that conventions may take", take<parse_share, &Settings::notes_convention_share>},
    {"notes.cooldown", "10m", "--cooldown", "", "agent_cooldown_minutes",
     "silence after a packet for the same session", take<parse_seconds, &Settings::notes_cooldown_seconds>},
    {"pack.budget", "8000", "--budget", "", "", "tokens of a packet from all sources",
     take<parse_tokens, &Settings::pack_budget>},
    {"pack.tokenizer", "o200k", "--tokenizer", "", "",
     "counter of packets from all sources: chars4, bytes4, cl100k or o200k",
     take<parse_tokenizer, &Settings::pack_tokenizer>},
    {"code.tokenizer", "chars4", "--tokenizer", "", "",
     "counter of code packets: chars4, bytes4, cl100k or o200k",
     take<parse_tokenizer, &Settings::code_tokenizer>},
    {"code.safety_margin", "0.10", "", "", "",
     "share of a code packet's budget that is left free when the counter only estimates (chars4, bytes4)",
     take<parse_share, &Settings::code_safety_margin>},
    {"index.allow_sensitive", "", "", "", "",
     "files that are read although they are made to hold secrets (.env, keys), by name or path, with commas",
     take<parse_names, &Settings::index_allow_sensitive>},
    {"index.sandbox", "true", "", "", "",
     "whether files are parsed in processes that reach no file and no network: true or false",
     take<parse_switch, &Settings::index_sandbox>},
    {"also", "", "", "", "",
     "folders of other repositories whose code is packed and searched as well, with commas; never from a "
     "workspace's file",
     take<parse_names, &Settings::also>},
    {"graph.dir", "graphs", "--graphs-dir", "", "", "the folder of the graph",
     take_folder<&Settings::graph_dir, &Settings::graph_dir_from_flag>},
    {"graph.tokenizer", "o200k", "--tokenizer", "", "",
     "counter of graph packets: chars4, bytes4, cl100k or o200k",
     take<parse_tokenizer, &Settings::graph_tokenizer>},
    {"graph.max_tasks", "15", "--max-tasks", "", "",
     "tasks in a graph packet, those they wait for among them",
     take<parse_nodes, &Settings::graph_max_tasks>},
    {"graph.max_kg", "30", "--max-kg", "", "", "knowledge nodes in a graph packet",
     take<parse_nodes, &Settings::graph_max_kg>},
    {"graph.max_rg", "10", "--max-rg", "", "", "decisions in a graph packet",
     take<parse_nodes, &Settings::graph_max_rg>},
    {"graph.max_deltas", "20", "--max-deltas", "", "", "recent changes in a graph packet",
     take<parse_nodes, &Settings::graph_max_deltas>},
    {"model.deadline", "60s", "--model-deadline", "", "",
     "time that all questions of one run to a model may take together",
     take<parse_model_seconds, &Settings::model_deadline>},
    // Where a model is, is the user's to say: a folder that came from elsewhere could bring a knapsack.toml
    // that sends code, and a key, to a server of its choice. Its own file is refused these unless it is trusted.
    {"model.name", "", "--model", "KNAPSACK_MODEL", "",
     "the chat model that recall.rerank and `pack --judge` ask; set it in your own file or the environment",
     take<parse_text, &Settings::model_name>},
    {"model.base_url", "", "--base-url", "KNAPSACK_BASE_URL", "", "where that model answers; likewise",
     take<parse_text, &Settings::model_url>},
    {"model.provider", "auto", "--provider", "", "",
     "protocol of the model's server: ollama, openai, or auto (openai where the base URL ends in /v1)",
     take<parse_provider, &Settings::model_provider>},
    {"model.context_window", "8192", "--context-window", "", "",
     "tokens that the model sees at once, prompt and answer together",
     take<parse_tokens, &Settings::model_window>},
    {"model.timeout", "120s", "--timeout", "", "", "how long one answer of the model may take",
     take<parse_model_timeout, &Settings::model_timeout_seconds>},
    {"memory.dir", "auto", "--memory-dir", "", "",
     "the memory folder; auto: memory/ of a workspace that has it, else ~/.openclaw/workspace/memory/local "
     "where it "
     "exists, else a folder of the workspace in the user's data folder",
     take_memory_folder},
    {"memory.namespace", "default", "--namespace", "", "",
     "namespaces whose memories are read, with commas; new ones go into the first",
     take<parse_namespaces, &Settings::memory_namespaces>},
    {"memory.shared", "true", "", "", "",
     "whether the namespace `shared` is read beside these: true or false",
     take<parse_switch, &Settings::memory_shared>},
    {"team.url", "", "--team-url", "", "",
     "PostgreSQL that a team shares its memories on: postgresql://USER@HOST/DATABASE; never from a "
     "workspace's file",
     take<parse_text, &Settings::team_url>},
    {"hook.deadline_ms", "5000", "", "", "",
     "milliseconds after which a client's hook gives up and injects nothing",
     take<parse_hook_deadline, &Settings::hook_deadline>},
    {"recall.max_tokens", "2000", "--max-tokens", "", "", "tokens of a recall packet",
     take<parse_tokens, &Settings::recall, &RecallSettings::max_tokens>},
    {"recall.tokenizer", "o200k", "--tokenizer", "", "",
     "counter of recall packets: chars4, bytes4, cl100k or o200k",
     take<parse_tokenizer, &Settings::recall, &RecallSettings::tokenizer>},
    {"recall.planner_enabled", "true", "", "", "",
     "whether the words of a prompt decide how much is recalled; false: always full",
     take<parse_switch, &Settings::recall, &RecallSettings::planner_enabled>},
    {"recall.search_enabled", "true", "", "", "", "whether memories are searched; false: profile and anchors",
     take<parse_switch, &Settings::recall, &RecallSettings::search_enabled>},
    {"recall.max_results", "8", "--max-results", "", "", "memories in a recall packet",
     take<parse_memories, &Settings::recall, &RecallSettings::max_results>},
    {"recall.minimal_results", "4", "", "", "", "memories for a short command",
     take<parse_memories, &Settings::recall, &RecallSettings::minimal_results>},
    {"recall.floor", "0.35", "", "", "",
     "the least share of a prompt's words, by their weight, that a memory must hold to be recalled; 0: any",
     take<parse_share, &Settings::recall, &RecallSettings::floor>},
    {"recall.recency_weight", "0.2", "", "", "", "share of a memory's score that its age decides; 0: none",
     take<parse_share, &Settings::recall, &RecallSettings::recency_weight>},
    {"recall.intent_routing", "false", "", "", "",
     "whether memories that are good for what the prompt is after score higher",
     take<parse_switch, &Settings::recall, &RecallSettings::intent_routing>},
    {"recall.intent_boost", "0.12", "", "", "", "… and by how much at most",
     take<parse_share, &Settings::recall, &RecallSettings::intent_boost>},
    {"recall.verbatim_artifacts", "false", "", "", "", "whether verbatim memories come first in the packet",
     take<parse_switch, &Settings::recall, &RecallSettings::verbatim_artifacts>},
    {"recall.query_expansion", "false", "", "", "",
     "whether the leading words of a prompt are searched for on their own as well",
     take<parse_switch, &Settings::recall, &RecallSettings::query_expansion>},
    {"recall.search_rerank", "false", "", "", "",
     "whether the search itself prefers memories near all words of the prompt",
     take<parse_switch, &Settings::recall, &RecallSettings::search_rerank>},
    {"recall.rerank", "false", "", "", "",
     "whether a model puts the best memories in order; not together with recall.search_rerank",
     take<parse_switch, &Settings::recall, &RecallSettings::rerank>},
    {"search.embed_model", "", "--embed-model", "KNAPSACK_EMBED_MODEL", "",
     "an embedding model used instead of the built-in encoder; set it in your own file or the environment",
     take<parse_text, &Settings::search, &SearchSettings::embed_model>},
    {"search.embed_url", "", "--embed-url", "KNAPSACK_EMBED_URL", "", "where that model answers; likewise",
     take<parse_text, &Settings::search, &SearchSettings::embed_url>},
    {"search.vectors", "none", "", "", "",
     "protocol of the embedding model's server: none, ollama, openai, or auto (openai where its URL ends in "
     "/v1)",
     take<parse_vectors, &Settings::search, &SearchSettings::vectors>},
    {"search.vector_encoding", "int8", "", "", "", "how vectors are kept: int8 or float32",
     take<parse_encoding, &Settings::search, &SearchSettings::vector_encoding>},
    {"search.fusion", "sum", "--fusion", "", "",
     "how results by words and by meaning are joined: sum (of scores) or rrf (of ranks)",
     take<parse_fusion, &Settings::search, &SearchSettings::fusion>},
    {"search.vector_weight", "0.5", "", "", "", "share of a joined score that meaning decides",
     take<parse_share, &Settings::search, &SearchSettings::vector_weight>},
    {"search.meaning", "true", "", "", "",
     "whether the built-in encoder is used to match by meaning; false: words alone",
     take<parse_switch, &Settings::search, &SearchSettings::meaning>},
    {"search.rerank", "false", "--rerank", "", "",
     "whether results that hold all words, close together or in the title, move up",
     take<parse_switch, &Settings::search, &SearchSettings::rerank>},
    {"search.mmr", "false", "--mmr", "", "", "whether results that repeat one further up move down",
     take<parse_switch, &Settings::search, &SearchSettings::mmr>},
});

}  // namespace

std::span<const SettingSpec> setting_table() {
  return kSettings;
}

const SettingSpec* find_setting(std::string_view key) {
  const auto* const found = std::find_if(kSettings.begin(), kSettings.end(),
                                         [&](const SettingSpec& each) { return each.key == key; });
  return found == kSettings.end() ? nullptr : found;
}

std::string_view setting_flag(std::string_view key) {
  const SettingSpec* spec = find_setting(key);
  return spec == nullptr ? std::string_view() : spec->flag;
}

}  // namespace knapsack
