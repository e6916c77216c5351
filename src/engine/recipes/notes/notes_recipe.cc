#include "engine/recipes/notes/notes_recipe.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/run_record.h"
#include "notes/relevance.h"
#include "notes/sections.h"
#include "packet/assembly/not_read.h"
#include "text/secrets/redact.h"
#include "text/unicode/visible_text.h"

namespace knapsack {
namespace {

constexpr std::string_view kNotesInstruction =
    "Before you start, confirm that you have read this context: name the rules that bear on your task.";

Packet empty_packet(const notes::NotesFolder& folder, const NotesRecipe& recipe) {
  Packet packet;
  packet.title = "Context Packet";
  packet.generated = Timestamp::from_seconds(recipe.now.seconds());
  packet.tokenizer = recipe.counter.name();
  packet.budget = recipe.settings.notes_budget;
  packet.instruction = kNotesInstruction;
  packet.preambles.push_back({PreambleKind::kReadOrder, "Read These Files (in order)", folder.read_order});
  packet.preambles.push_back(
      {PreambleKind::kConstitution, "Constitution (NEVER VIOLATE)", folder.constitution});
  return packet;
}

// The packet under way and what its sections are printed as, section by section.
struct Draft {
  Packet packet;
  std::vector<SectionPieces> pieces;
  UnitMemory memory;
  const Renderer& renderer;

  void add(PacketSection section) {
    pieces.push_back(price(section, renderer, memory));
    packet.sections.push_back(std::move(section));
  }
  std::string assembled() { return assemble(packet, pieces, renderer, memory); }
};

// What the task is about: as the caller says, else as the tasks in progress say, else as the tasks that fit
// say. The draft holds nothing but the tasks so far.
std::vector<std::string> find_keywords(const notes::NotesFolder& folder, const NotesRecipe& recipe,
                                       const notes::SectionShares& shares, Draft& draft) {
  if (!recipe.task.empty()) return notes::keywords_of({recipe.task});
  std::vector<std::string_view> texts;
  for (const auto& task : folder.tasks) {
    if (task.in_progress) texts.emplace_back(task.text);
  }
  if (!texts.empty()) return notes::keywords_of(texts);
  // Alone in the packet the tasks could take all of it; what they get beside the rest is their share.
  const uint64_t budget = draft.packet.budget;
  draft.packet.budget = static_cast<uint64_t>(static_cast<double>(budget) * shares.tasks);
  draft.assembled();
  draft.packet.budget = budget;
  for (const auto& item : draft.packet.sections.front().items) {
    if (item.shown) texts.emplace_back(item.candidate.forms.front().text);
  }
  return notes::keywords_of(texts);
}

RunStatus status_of(const Packet& packet) {
  bool anything = false;
  for (const auto& preamble : packet.preambles) anything = anything || !preamble.lines.empty();
  for (const auto& section : packet.sections) anything = anything || !section.items.empty();
  return anything ? RunStatus::kOk : RunStatus::kEmpty;
}

nlohmann::ordered_json entry_json(const PacketSection& section, const PacketItem& item) {
  nlohmann::ordered_json components = nlohmann::ordered_json::object();
  for (const auto& component : item.candidate.score.components) components[component.name] = component.value;
  nlohmann::ordered_json entry = {
      {"id", item.candidate.id},
      {"kind", item.candidate.kind},
      {"section", section.key},
      {"title", item.candidate.title},
      {"date", item.candidate.when ? nlohmann::ordered_json(format_rfc3339(*item.candidate.when)) : nullptr},
      {"score", item.candidate.score.total},
      {"components", components},
      {"form", item.shown ? to_string(item.candidate.forms[*item.shown].kind) : "none"},
      {"tokens", item.shown ? item.tokens : 0},
      {"provenance", item.candidate.provenance},
  };
  if (!item.reason.empty()) entry["reason"] = item.reason;
  return entry;
}

std::string explanation_json(const Packet& packet) {
  auto entries = nlohmann::ordered_json::array();
  auto omitted = nlohmann::ordered_json::array();
  for (const auto& section : packet.sections) {
    for (const auto& item : section.items) {
      if (item.shown) entries.push_back(entry_json(section, item));
      if (!item.shown) omitted.push_back(entry_json(section, item));
    }
  }
  make_visible(entries);
  make_visible(omitted);
  return fmt::format("\"entries\": {},\n\"omitted\": {}\n", json_line(entries), json_line(omitted));
}

std::string explanation_markdown(const Packet& packet) {
  std::string out = "\n## Why these entries\n\n";
  for (const auto& section : packet.sections) {
    for (const auto& item : section.items) {
      std::string parts;
      for (const auto& component : item.candidate.score.components) {
        parts += fmt::format(" {} {:.2f}", component.name, component.value);
      }
      out += fmt::format("- {} | {} | {} tokens", item.candidate.id,
                         item.shown ? to_string(item.candidate.forms[*item.shown].kind) : "left out",
                         item.shown ? item.tokens : 0);
      if (!parts.empty()) out += fmt::format(" | score {:.2f} ={}", item.candidate.score.total, parts);
      if (!item.reason.empty()) out += fmt::format(" | {}", item.reason);
      out += '\n';
    }
  }
  return out;
}

}  // namespace

uint64_t redact(notes::NotesFolder& folder) {
  uint64_t count = folder.secrets;  // the pages are clean; what is left are their names
  for (auto& name : folder.read_order) count += redact_secrets(name);
  for (auto* list : {&folder.decisions, &folder.learnings}) {
    for (auto& filed : *list) count += redact_secrets(filed.file) + redact_secrets(filed.entry.title);
  }
  return count;
}

NotesPacket make_notes_packet(const notes::NotesFolder& folder, const NotesRecipe& recipe) {
  const notes::SectionShares shares{recipe.settings.notes_task_share, recipe.settings.notes_convention_share};
  Draft draft{empty_packet(folder, recipe), {}, UnitMemory(recipe.counter), recipe.renderer};
  draft.add(notes::tasks_section(folder, shares));
  auto entries = notes::entry_sections(folder, find_keywords(folder, recipe, shares, draft), recipe.now);
  draft.add(notes::conventions_section(folder, shares));
  draft.add(std::move(entries.decisions));
  draft.add(std::move(entries.learnings));
  std::vector<std::string> missing = folder.warnings;
  missing.insert(missing.end(), recipe.settings.refused.begin(), recipe.settings.refused.end());
  draft.packet.status = missing.empty() ? status_of(draft.packet) : RunStatus::kDegraded;
  // Lines that are no notes do not make the packet a lesser one; who reads it should still know.
  draft.packet.warnings.insert(draft.packet.warnings.end(), missing.begin(), missing.end());
  missing.insert(missing.end(), folder.unrecognised.begin(), folder.unrecognised.end());
  if (!missing.empty()) draft.packet.preambles.push_back(not_read(missing));
  std::string bytes = draft.assembled();
  return {std::move(draft.packet), std::move(bytes)};
}

std::string with_explanation(const NotesPacket& made, bool json) {
  if (!json) return made.bytes + visible_text(explanation_markdown(made.packet));
  // The packet ends with "\n}\n"; the account follows its last field.
  return made.bytes.substr(0, made.bytes.size() - 3) + ",\n" + explanation_json(made.packet) + "}\n";
}

}  // namespace knapsack
