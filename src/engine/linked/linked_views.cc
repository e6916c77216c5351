#include "engine/linked/linked_views.h"

#include <fmt/format.h>

#include <algorithm>

#include "code/ask/code_references.h"
#include "code/ask/code_views.h"
#include "core/dotted_name.h"
#include "stages/joined_context.h"

namespace knapsack {
namespace {

using stages::shown_path;

// An import that names a definition where another file of the package has it: the package passes it on, or nearly always does.
constexpr float kPassedOn = 0.8F;
// A definition of a file that is imported as a whole.
constexpr float kOfModule = 0.8F;
// A method of a type that the file imports, called on something.
constexpr float kOfImportedType = 0.5F;

void show_links(const std::string& name, std::vector<code::LinkLine>& lines) {
  for (code::LinkLine& line : lines) line.path = shown_path(name, line.path);
}

void show_uses(const std::string& name, std::vector<code::CardUse>& uses) {
  for (code::CardUse& use : uses) use.path = shown_path(name, use.path);
}

bool imports_name(const code::Import& import, std::string_view name) {
  return std::any_of(import.names.begin(), import.names.end(),
                     [&](const code::ImportedName& each) { return each.name == name || each.alias == name; });
}

code::UseLine line_of(const code::ReferenceUse& use, std::string path) {
  code::UseLine line;
  line.path = std::move(path);
  line.line = use.line;
  line.count = use.count;
  line.kind = use.kind;
  line.qualifier = use.qualifier;
  line.enclosing = use.enclosing;
  return line;
}

}  // namespace

Result<LinkedViews> LinkedViews::open(const Engine::State& state, code::CodeIndex& own,
                                      LinkedRepositories repositories) {
  LinkedViews views;
  views.repositories_ = std::move(repositories);
  const auto add = [&](Member member, code::CodeIndex& index) -> Status {
    member.index = &index;
    KNAPSACK_TRY(const std::string workspace, member.state->files->resolve(member.state->workspace.path));
    KNAPSACK_TRY(auto texts, code::SnapshotTexts::open(*member.state->files, workspace, index.snapshot()));
    member.texts = std::make_unique<code::SnapshotTexts>(std::move(texts));
    views.members_.push_back(std::move(member));
    return ok_status();
  };
  KNAPSACK_CHECK(add({"", &state, nullptr, nullptr, nullptr}, own));
  for (const std::string& warning : views.repositories_.warnings)
    state.options.log.write(LogLevel::kWarning, warning);
  for (const LinkedRepository& each : views.repositories_.list) {
    auto index = each.state->code_index("");
    if (!index.ok()) {
      state.options.log.write(LogLevel::kWarning,
                              fmt::format("{} is left out: {}: run `knapsack index --workspace {}`",
                                          each.name, index.error().what, each.state->workspace.path));
      continue;
    }
    if (const std::string lacking = (*index)->incomplete(); !lacking.empty())
      state.options.log.write(LogLevel::kWarning, fmt::format("{}: {}", each.name, lacking));
    code::CodeIndex& opened = **index;
    KNAPSACK_CHECK(add({each.name, each.state.get(), nullptr, *std::move(index), nullptr}, opened));
  }
  return views;
}

std::string LinkedViews::shown(uint32_t member, uint32_t file) const {
  return shown_path(members_[member].name, members_[member].index->file(file).name);
}

Status LinkedViews::find_links() {
  if (links_) return ok_status();
  std::vector<code::CrossMember> all;
  for (const Member& member : members_) {
    all.push_back({member.index, [&member](uint32_t file) -> std::optional<std::string> {
                     auto text = member.texts->read(member.index->file(file));
                     if (!text.ok()) return std::nullopt;
                     return *std::move(text);
                   }});
  }
  KNAPSACK_TRY(links_, code::CrossImports::find(all));
  return ok_status();
}

// Uses in a repository of what another one defines: those that mean nothing at home, in files that import it.
Status LinkedViews::add_across(uint32_t member, const std::string& name, code::RefsView& view) {
  code::CodeIndex& index = *members_[member].index;
  const std::string_view plain = last_name(name);
  const std::string_view owner = owner_name(name);
  KNAPSACK_TRY(const auto uses, code::references_to(index, plain));
  for (const code::ReferenceUse& use : uses) {
    if (use.confidence > 0) continue;
    const std::string path = shown(member, use.file);
    code::UseLine best = line_of(use, path);
    KNAPSACK_TRY(const auto imports, index.rows().imports(index.file(use.file).blob));
    for (const code::CrossEdge& edge : links_->edges()) {
      if (edge.from != member || edge.from_file != use.file || edge.import >= imports.size()) continue;
      const bool is_named = imports_name(imports[edge.import], owner.empty() ? plain : owner);
      if (!owner.empty() && !is_named) continue;
      KNAPSACK_TRY(const auto defined, members_[edge.to].index->find_symbols(name));
      for (const code::IndexedSymbol& each : defined) {
        const bool is_here = each.file == edge.to_file;
        if (!is_here && !is_named) continue;
        const float confidence = edge.confidence * (!owner.empty() ? kOfImportedType
                                                    : is_named     ? (is_here ? 1.0F : kPassedOn)
                                                                   : kOfModule);
        if (confidence <= best.confidence) continue;
        best.confidence = confidence;
        best.reason = to_string(!owner.empty() ? code::ReferenceReason::kReceiverMention
                                : !is_named    ? code::ReferenceReason::kImportedModule
                                : is_here      ? code::ReferenceReason::kImportedName
                                               : code::ReferenceReason::kReexported);
        best.target_path = shown(edge.to, each.file);
        best.target_name = each.row.symbol.qualified_name;
      }
    }
    if (best.confidence <= 0) continue;
    // A plain name is listed already, as a use of something unknown.
    const auto known = std::find_if(view.uses.begin(), view.uses.end(), [&](const code::UseLine& line) {
      return line.path == path && line.line == use.line && line.kind == use.kind &&
             line.qualifier == use.qualifier && line.enclosing == use.enclosing;
    });
    if (known != view.uses.end()) {
      *known = std::move(best);
    } else {
      view.uses.push_back(std::move(best));
    }
  }
  return ok_status();
}

Result<code::RefsView> LinkedViews::refs(const std::string& name) {
  code::RefsView all;
  all.name = name;
  KNAPSACK_CHECK(find_links());
  for (uint32_t i = 0; i < members_.size(); ++i) {
    KNAPSACK_TRY(code::RefsView view, code::view_refs(*members_[i].index, name));
    for (code::SymbolLine& line : view.definitions) {
      line.path = shown_path(members_[i].name, line.path);
      all.definitions.push_back(std::move(line));
    }
    for (code::UseLine& line : view.uses) {
      line.path = shown_path(members_[i].name, line.path);
      if (!line.target_path.empty()) line.target_path = shown_path(members_[i].name, line.target_path);
      all.uses.push_back(std::move(line));
    }
    if (all.similar.empty()) all.similar = view.similar;
  }
  for (uint32_t i = 0; i < members_.size(); ++i) KNAPSACK_CHECK(add_across(i, name, all));
  if (!all.definitions.empty() || !all.uses.empty()) all.similar.clear();
  std::stable_sort(all.uses.begin(), all.uses.end(), [](const code::UseLine& a, const code::UseLine& b) {
    return a.confidence > b.confidence;
  });
  return all;
}

Result<code::DepsView> LinkedViews::deps(const std::string& file, uint32_t depth) {
  KNAPSACK_CHECK(find_links());
  uint32_t member = 0;
  auto number = members_[0].state->find_file(*members_[0].index, file);
  const auto place = repositories_.place_of(file);
  for (uint32_t i = 1; i < members_.size() && !number.ok() && place.repository != nullptr; ++i) {
    if (members_[i].name != place.repository->name) continue;
    member = i;
    number = members_[i].state->find_file(*members_[i].index, place.path);
    break;
  }
  if (!number.ok()) return number.error();
  const std::string& name = members_[member].name;
  KNAPSACK_TRY(code::DepsView view, code::view_deps(*members_[member].index, *number, depth));
  view.path = shown_path(name, view.path);
  for (auto* lines : {&view.imports, &view.importers, &view.uses, &view.used_by, &view.farther, &view.tests,
                      &view.subjects})
    show_links(name, *lines);
  for (code::CoChangeLine& line : view.co_changes) line.path = shown_path(name, line.path);
  for (const code::CrossEdge& edge : links_->imports_of(member, *number))
    view.imports.push_back({shown(edge.to, edge.to_file), edge.confidence, 1});
  for (const code::CrossEdge& edge : links_->importers_of(member, *number))
    view.importers.push_back({shown(edge.from, edge.from_file), edge.confidence, 1});
  return view;
}

Result<code::SymbolCard> LinkedViews::symbol_card(const std::string& name) {
  std::optional<code::SymbolCard> first;
  for (uint32_t i = 0; i < members_.size(); ++i) {
    KNAPSACK_TRY(code::SymbolCard card, code::view_symbol_card(*members_[i].index, *members_[i].texts, name));
    if (!first) first = card;
    if (card.definitions.empty()) continue;
    const std::string& repository = members_[i].name;
    for (code::CardDefinition& each : card.definitions)
      each.symbol.path = shown_path(repository, each.symbol.path);
    for (auto* uses : {&card.callers, &card.callees, &card.tests}) show_uses(repository, *uses);
    KNAPSACK_CHECK(find_links());
    code::RefsView across;
    for (uint32_t other = 0; other < members_.size(); ++other)
      if (other != i) KNAPSACK_CHECK(add_across(other, name, across));
    for (const code::UseLine& use : across.uses)
      card.callers.push_back({use.path, use.line, use.enclosing, use.count, use.confidence});
    return card;
  }
  return *std::move(first);
}

}  // namespace knapsack
