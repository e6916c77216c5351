// Every setting: its name, its default, and where else its value may come from. Internal to engine/.
#pragma once

#include <array>

namespace knapsack {

struct SettingSpec {
  const char* key;
  const char* default_value;
  const char* flag;         // "" when no command has one
  const char* environment;  // a name others already use; KNAPSACK_… always works as well
  const char* rc_key;       // in .ctxrc or .contextrc
  const char* description;
};

inline constexpr auto kSettings = std::to_array<SettingSpec>({
    {"notes.budget", "8000", "--budget", "CTX_TOKEN_BUDGET", "token_budget", "tokens of the notes packet"},
    {"notes.context_dir", ".context", "--context-dir", "", "", "the notes folder"},
    {"notes.tokenizer", "bytes4", "--tokenizer", "", "",
     "counter of the notes packet: chars4, bytes4, cl100k or o200k"},
    {"notes.task_share", "0.40", "", "", "task_budget_pct", "share of the budget that tasks may take"},
    {"notes.convention_share", "0.20", "", "", "convention_budget_pct",
     "share of the budget that conventions may take"},
    {"notes.cooldown", "10m", "--cooldown", "", "agent_cooldown_minutes",
     "silence after a packet for the same session"},
    {"pack.budget", "8000", "--budget", "", "", "tokens of a packet from all sources"},
    {"pack.tokenizer", "o200k", "--tokenizer", "", "",
     "counter of packets from all sources: chars4, bytes4, cl100k or o200k"},
    {"code.tokenizer", "chars4", "--tokenizer", "", "",
     "counter of code packets: chars4, bytes4, cl100k or o200k"},
    {"code.safety_margin", "0.10", "", "", "",
     "share of a code packet's budget that is left free when the counter only estimates (chars4, bytes4)"},
    {"index.allow_sensitive", "", "", "", "",
     "files that are read although they are made to hold secrets (.env, keys), by name or path, with commas"},
    {"index.sandbox", "true", "", "", "",
     "whether files are parsed in processes that reach no file and no network: true or false"},
    {"graph.dir", "graphs", "--graphs-dir", "", "", "the folder of the graph"},
    {"graph.tokenizer", "o200k", "--tokenizer", "", "",
     "counter of graph packets: chars4, bytes4, cl100k or o200k"},
    {"graph.max_tasks", "15", "--max-tasks", "", "",
     "tasks in a graph packet, those they wait for among them"},
    {"graph.max_kg", "30", "--max-kg", "", "", "knowledge nodes in a graph packet"},
    {"graph.max_rg", "10", "--max-rg", "", "", "decisions in a graph packet"},
    {"graph.max_deltas", "20", "--max-deltas", "", "", "recent changes in a graph packet"},
    {"model.deadline", "60s", "", "", "", "time that all questions of one run to a model may take together"},
    // Where a model is, is the user's to say: a folder that came from elsewhere could bring a knapsack.toml
    // that sends code, and a key, to a server of its choice. Its own file is refused these unless it is trusted.
    {"model.name", "", "--model", "KNAPSACK_MODEL", "",
     "the chat model that recall.rerank and `pack --judge` ask; set it in your own file or the environment"},
    {"model.base_url", "", "--base-url", "KNAPSACK_BASE_URL", "", "where that model answers; likewise"},
    {"model.provider", "auto", "--provider", "", "",
     "protocol of the model's server: ollama, openai, or auto (openai where the base URL ends in /v1)"},
    {"model.context_window", "8192", "--context-window", "", "",
     "tokens that the model sees at once, prompt and answer together"},
    {"model.timeout", "120s", "--timeout", "", "", "how long one answer of the model may take"},
    {"memory.dir", "auto", "--memory-dir", "", "",
     "the memory folder; auto: memory/ of a workspace that has it, else ~/.openclaw/workspace/memory/local "
     "where it "
     "exists, else a folder of the workspace in the user's data folder"},
    {"memory.namespace", "default", "--namespace", "", "",
     "namespaces whose memories are read, with commas; new ones go into the first"},
    {"memory.shared", "true", "", "", "",
     "whether the namespace `shared` is read beside these: true or false"},
    {"hook.deadline_ms", "5000", "", "", "",
     "milliseconds after which a client's hook gives up and injects nothing"},
    {"recall.max_tokens", "2000", "--max-tokens", "", "", "tokens of a recall packet"},
    {"recall.tokenizer", "o200k", "--tokenizer", "", "",
     "counter of recall packets: chars4, bytes4, cl100k or o200k"},
    {"recall.planner_enabled", "true", "", "", "",
     "whether the words of a prompt decide how much is recalled; false: always full"},
    {"recall.search_enabled", "true", "", "", "",
     "whether memories are searched; false: profile and anchors"},
    {"recall.max_results", "8", "--max-results", "", "", "memories in a recall packet"},
    {"recall.minimal_results", "4", "", "", "", "memories for a short command"},
    {"recall.floor", "0.35", "", "", "",
     "the least share of a prompt's words, by their weight, that a memory must hold to be recalled; 0: any"},
    {"recall.recency_weight", "0.2", "", "", "", "share of a memory's score that its age decides; 0: none"},
    {"recall.intent_routing", "false", "", "", "",
     "whether memories that are good for what the prompt is after score higher"},
    {"recall.intent_boost", "0.12", "", "", "", "… and by how much at most"},
    {"recall.verbatim_artifacts", "false", "", "", "", "whether verbatim memories come first in the packet"},
    {"recall.query_expansion", "false", "", "", "",
     "whether the leading words of a prompt are searched for on their own as well"},
    {"recall.search_rerank", "false", "", "", "",
     "whether the search itself prefers memories near all words of the prompt"},
    {"recall.rerank", "false", "", "", "",
     "whether a model puts the best memories in order; not together with recall.search_rerank"},
    {"search.embed_model", "", "--embed-model", "KNAPSACK_EMBED_MODEL", "",
     "an embedding model that is asked instead of the encoder in the program; set it in your own file or the "
     "environment"},
    {"search.embed_url", "", "--embed-url", "KNAPSACK_EMBED_URL", "", "where that model answers; likewise"},
    {"search.vectors", "none", "", "", "",
     "protocol of the embedding model's server: none, ollama, openai, or auto (openai where its URL ends in "
     "/v1)"},
    {"search.vector_encoding", "int8", "", "", "", "how vectors are kept: int8 or float32"},
    {"search.fusion", "sum", "--fusion", "", "",
     "how results by words and by meaning are joined: sum (of scores) or rrf (of ranks)"},
    {"search.vector_weight", "0.5", "", "", "", "share of a joined score that meaning decides"},
    {"search.meaning", "true", "", "", "",
     "whether the encoder in the program is asked what is near in meaning; false, or --no-meaning: words "
     "alone"},
    {"search.rerank", "false", "--rerank", "", "",
     "whether results that hold all words, close together or in the title, move up"},
    {"search.mmr", "false", "--mmr", "", "", "whether results that repeat one further up move down"},
});

}  // namespace knapsack
