#include "engine/code_packet.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "engine/assemble.h"
#include "stages/file_units.h"
#include "text/redact.h"
#include "text/utf8.h"

namespace knapsack {
namespace {

using stages::ScopedFile;
using stages::SelectedSymbol;
using stages::SymbolTier;

// Signatures that a named file always has, and those that it may have when there is room.
constexpr size_t kShortOutline = 12;
constexpr size_t kMaxOutline = 100;
// Files beyond these are offered by their path alone where there is no chance that all of them fit: one that
// is shown to any use takes a hundred tokens.
constexpr uint64_t kReadFiles = 24;
constexpr uint64_t kTokensOfFile = 100;
constexpr size_t kMaxRelations = 2;
// Connections are shown between the files that matter most.
constexpr size_t kConnectedFiles = 30;
// They help to read the rest and must not crowd it out.
constexpr double kConnectionShare = 0.05;

enum SectionPlace : size_t {
  kNamed,
  kSignatures,
  kPrimary,
  kBodies,
  kConnections,
  kSupporting,
  kTypes,
  kOutlines,
  kFiles,
  kSections
};

std::vector<PacketSection> empty_sections() {
  const std::pair<const char*, const char*> names[kSections] = {
      {"named", "Named files"},
      {"signatures", "Signatures of named files"},
      {"primary", "Primary"},
      {"bodies", "Whole bodies"},
      {"connections", "How these files connect"},
      {"supporting", "Supporting"},
      {"type_context", "Types"},
      {"outlines", "Outlines"},
      {"files", "Whole files"},
  };
  std::vector<PacketSection> sections(kSections);
  for (size_t i = 0; i < kSections; ++i) {
    sections[i].key = names[i].first;
    sections[i].heading = names[i].second;
    sections[i].tier = static_cast<int>(i);
  }
  sections[kConnections].cap = kConnectionShare;
  return sections;
}

std::string about(const ScopedFile& file) {
  std::string text;
  for (size_t i = 0; i < file.relations.size() && i < kMaxRelations; ++i) {
    text += (i == 0 ? "" : "; ") + file.relations[i];
  }
  if (file.relations.size() > kMaxRelations) {
    text += fmt::format("; and {} more", file.relations.size() - kMaxRelations);
  }
  return text;
}

// (0, 0) where there is nothing but blank lines.
LineRange without_blank_ends(const CandidateGroup& group, LineRange range) {
  const auto blank = [&](uint32_t line) { return group.is_blank({line, line}); };
  range.last = std::min(range.last, group.line_count());
  while (range.first <= range.last && blank(range.first)) ++range.first;
  while (range.last > range.first && blank(range.last)) --range.last;
  return range.first > range.last ? LineRange{} : range;
}

class CodeSections {
 public:
  CodeSections(code::CodeIndex& index, const code::SnapshotTexts& texts, const stages::StageContext& context,
               uint64_t budget)
      : index_(index), texts_(texts), context_(context), budget_(budget) {
    parts_.sections = empty_sections();
  }

  Result<CodePacketParts> run() {
    for (const SelectedSymbol& symbol : context_.symbols) by_path_[symbol.path].push_back(&symbol);
    const uint64_t readable = files_to_read();
    uint64_t place = 0;
    for (const ScopedFile& file : context_.files) {
      if (!file.kept) continue;
      if (place++ < readable || file.named) {
        KNAPSACK_CHECK(add_file(file));
      } else {
        add_by_path(file, about(file));
      }
    }
    KNAPSACK_CHECK(add_connections());
    sort_parts();
    require_named_files();
    return std::move(parts_);
  }

 private:
  Candidate candidate(const ScopedFile& file, const std::shared_ptr<const CandidateGroup>& group,
                      std::string id, std::string kind, std::string title) {
    Candidate made;
    // Two parts of one name (overloads) are told apart by their number.
    const int same = ++ids_[id];
    made.id = same == 1 ? std::move(id) : fmt::format("{}~{}", id, same);
    made.source = Source::kCode;
    made.kind = std::move(kind);
    made.title = std::move(title);
    made.group = group;
    made.score = file.score;
    made.provenance = file.relations;
    return made;
  }

  void add(SectionPlace section, Candidate made) {
    PacketItem item;
    item.candidate = std::move(made);
    parts_.sections[section].items.push_back(std::move(item));
  }

  // All of them when all may fit; bytes are a little more than three to a token.
  uint64_t files_to_read() const {
    uint64_t bytes = 0;
    for (const ScopedFile& file : context_.files) {
      const auto number = file.kept ? index_.find_file(file.path) : std::nullopt;
      if (number) bytes += index_.file(*number).size;
    }
    return bytes / 8 <= budget_ ? UINT64_MAX : kReadFiles + budget_ / kTokensOfFile;
  }

  // Without its content: a file that is listed only, has changed or is gone, or one far down the list.
  void add_by_path(const ScopedFile& file, const std::string& why) {
    CandidateGroup group;
    group.id = file.path;
    group.about = why;
    parts_.groups.push_back(make_group(std::move(group)));
    Candidate made = candidate(file, parts_.groups.back(), "file:" + file.path, "file", file.path);
    made.pinned = file.named;
    made.forms = {{FormKind::kTitle, ""}};
    add(file.named ? kNamed : kFiles, std::move(made));
  }

  Status add_file(const ScopedFile& file) {
    const auto number = index_.find_file(file.path);
    if (!number) return ok_status();
    auto bytes = texts_.read(index_.file(*number), &parts_.secrets);
    if (!bytes.ok()) {
      add_by_path(file, bytes.error().what);
      if (bytes.error().code != ErrorCode::kNotFound) parts_.warnings.push_back(bytes.error().line());
      return ok_status();
    }
    CandidateGroup text;
    text.id = file.path;
    text.about = about(file);
    text.language = index_.file(*number).language;
    text.text = replace_invalid_utf8(*bytes);
    KNAPSACK_TRY(const BlobRow* blob, index_.blob(*number));
    if (blob != nullptr && text.text == *bytes)
      text.known_units = {{"cl100k", blob->tokens.cl100k}, {"o200k", blob->tokens.o200k}};
    const auto group = make_group(std::move(text));
    groups_.emplace(*number, group);
    parts_.groups.push_back(group);
    const auto found = by_path_.find(file.path);
    const std::vector<const SelectedSymbol*> none;
    const auto& selected = found == by_path_.end() ? none : found->second;
    if (file.named || found == by_path_.end()) {
      KNAPSACK_CHECK(add_outline(file, *number, group, selected));
    }
    for (const SelectedSymbol* symbol : selected) add_symbol(file, group, *symbol);
    Candidate whole =
        candidate(file, group, (file.named ? "whole:" : "file:") + file.path, "file", file.path);
    whole.forms = {{FormKind::kFull, "", {{1, group->line_count()}}}, {FormKind::kTitle, ""}};
    if (group->line_count() == 0) whole.forms = {{FormKind::kFull, ""}};  // its path says all of it
    add(kFiles, std::move(whole));
    return ok_status();
  }

  // A named file shows the signatures that bear on the task at least; all of them when there is room.
  Status add_outline(const ScopedFile& file, uint32_t number,
                     const std::shared_ptr<const CandidateGroup>& group,
                     const std::vector<const SelectedSymbol*>& selected) {
    KNAPSACK_TRY(const auto symbols, index_.symbols(number));
    Form all{FormKind::kSignature, ""};
    for (const stages::FileUnit& unit : stages::units_of(symbols)) {
      if (all.outline.size() == kMaxOutline) break;
      const code::Symbol& symbol = symbols[unit.position].symbol;
      OutlineLine& line = all.outline.emplace_back(OutlineLine{symbol.name_line, symbol.signature});
      redact_secrets(line.text);
    }
    if (file.named) {
      Form few{FormKind::kSignature, ""};
      for (const SelectedSymbol* symbol : selected) {
        const bool wanted = symbol->tier == SymbolTier::kPrimary && symbol->signature_line > 0;
        if (wanted && few.outline.size() < kShortOutline) {
          few.outline.push_back({symbol->signature_line, symbol->signature});
        }
      }
      if (few.outline.empty()) few.outline = all.outline;
      if (few.outline.size() > kShortOutline) few.outline.resize(kShortOutline);
      // The paths of all of them come before the signatures of any.
      Candidate named = candidate(file, group, "file:" + file.path, "file", file.path);
      named.pinned = true;
      named.forms.push_back({FormKind::kTitle, ""});
      add(kNamed, std::move(named));
      if (!few.outline.empty()) {
        Candidate signatures =
            candidate(file, group, "signatures:" + file.path, "outline", "signatures of " + file.path);
        signatures.pinned = true;
        signatures.forms.push_back(std::move(few));
        add(kSignatures, std::move(signatures));
      }
    }
    if (!all.outline.empty()) {
      Candidate outline =
          candidate(file, group, "outline:" + file.path, "outline", "outline of " + file.path);
      outline.forms.push_back(std::move(all));
      add(kOutlines, std::move(outline));
    }
    return ok_status();
  }

  void add_symbol(const ScopedFile& file, const std::shared_ptr<const CandidateGroup>& group,
                  const SelectedSymbol& symbol) {
    if (symbol.tier == SymbolTier::kExcluded) return;
    Candidate made =
        candidate(file, group, fmt::format("symbol:{}#{}", symbol.path, symbol.name), "symbol", symbol.name);
    made.provenance.insert(made.provenance.begin(), symbol.reason);
    made.pinned = symbol.named;
    const bool focused = symbol.focus.first > 0 && symbol.tier == SymbolTier::kPrimary;
    const LineRange lines = without_blank_ends(*group, focused ? symbol.focus : symbol.lines);
    if (lines.first == 0) return;
    made.forms.push_back({FormKind::kFull, "", {lines}});
    if (symbol.signature_line > 0 && !symbol.signature.empty()) {
      made.forms.push_back({FormKind::kSignature, "", {}, {{symbol.signature_line, symbol.signature}}});
    }
    if (focused) {
      Candidate body = candidate(file, group, fmt::format("body:{}#{}", symbol.path, symbol.name), "symbol",
                                 "all of " + symbol.name);
      body.provenance = made.provenance;
      body.forms.push_back({FormKind::kFull, "", {symbol.lines}});
      bodies_.emplace_back(symbol.order, std::move(body));
    }
    std::vector<Ordered>& list = symbol.tier == SymbolTier::kPrimary      ? primary_
                                 : symbol.tier == SymbolTier::kSupporting ? supporting_
                                                                          : types_;
    list.emplace_back(symbol.order, std::move(made));
  }

  Status add_connections() {
    size_t seen = 0;
    std::set<std::pair<std::string, std::string>> known;
    for (const ScopedFile& file : context_.files) {
      if (!file.kept || seen++ == kConnectedFiles) continue;
      const auto number = index_.find_file(file.path);
      if (!number || !groups_.contains(*number)) continue;
      KNAPSACK_TRY(const auto imports, index_.imports_of(*number));
      for (const code::FileLink& link : imports) {
        const auto target = groups_.find(link.file);
        if (target == groups_.end() || link.file == *number) continue;
        const std::string& to = target->second->id;
        if (!known.emplace(file.path, to).second) continue;
        Candidate edge = candidate(file, nullptr, fmt::format("edge:{} -> {}", file.path, to), "edge",
                                   fmt::format("{} imports {}", file.path, to));
        edge.needs = {groups_.at(*number), target->second};
        edge.forms = {{FormKind::kFull, edge.title}};
        add(kConnections, std::move(edge));
      }
    }
    return ok_status();
  }

  // Nothing is shown unless the paths of all named files are.
  void require_named_files() {
    std::vector<std::shared_ptr<const CandidateGroup>> named;
    for (const PacketItem& item : parts_.sections[kNamed].items) named.push_back(item.candidate.group);
    for (size_t s = kNamed + 1; s < parts_.sections.size(); ++s) {
      for (PacketItem& item : parts_.sections[s].items) {
        item.candidate.needs.insert(item.candidate.needs.end(), named.begin(), named.end());
      }
    }
  }

  using Ordered = std::pair<double, Candidate>;

  void sort_parts() {
    const std::pair<std::vector<Ordered>*, SectionPlace> lists[] = {
        {&primary_, kPrimary}, {&bodies_, kBodies}, {&supporting_, kSupporting}, {&types_, kTypes}};
    const auto by_order = [](const Ordered& a, const Ordered& b) { return a.first < b.first; };
    for (const auto& [list, section] : lists) {
      std::stable_sort(list->begin(), list->end(), by_order);
      for (auto& [order, made] : *list) add(section, std::move(made));
    }
  }

  code::CodeIndex& index_;
  const code::SnapshotTexts& texts_;
  const stages::StageContext& context_;
  const uint64_t budget_;
  CodePacketParts parts_;
  std::unordered_map<std::string, int> ids_;
  std::unordered_map<std::string, std::vector<const SelectedSymbol*>> by_path_;
  std::unordered_map<uint32_t, std::shared_ptr<const CandidateGroup>> groups_;
  std::vector<Ordered> primary_, bodies_, supporting_, types_;
};

}  // namespace

Result<CodePacketParts> make_code_sections(code::CodeIndex& index, const code::SnapshotTexts& texts,
                                           const stages::StageContext& context, uint64_t budget) {
  return CodeSections(index, texts, context, budget).run();
}

std::string pack_code(Packet& packet, const CodePacketParts& parts, const Renderer& renderer,
                      const TokenCounter& counter) {
  packet.sections = parts.sections;
  packet.groups = parts.groups;
  packet.may_be_blank = true;  // no part of a packet of code must always be shown
  UnitMemory memory(counter);
  std::vector<SectionPieces> pieces;
  for (const PacketSection& section : packet.sections) pieces.push_back(price(section, renderer, memory));
  return assemble(packet, pieces, renderer, memory);
}

}  // namespace knapsack
