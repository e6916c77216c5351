#include "engine/recipes/code/code_packet.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "code/units/unit_ranking.h"
#include "code/units/unit_sequence.h"
#include "core/escape.h"
#include "engine/recipes/code/part_sequence.h"
#include "engine/recipes/code/unit_forms.h"
#include "packet/assembly/assemble.h"
#include "stages/scope_seeds.h"
#include "stages/symbol_tiers.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

using stages::ScopedFile;
using stages::SelectedSymbol;
using stages::SymbolTier;

// Whole files beyond these are offered by their path alone where there is no chance that all of them fit: one
// that is shown to any use takes a hundred tokens.
constexpr uint64_t kReadFiles = 24;
constexpr uint64_t kTokensOfFile = 100;
constexpr size_t kMaxRelations = 2;
// Beside the text of a unit: which lines it has, what opens it, the mark of a gap.
constexpr uint64_t kTokensAroundUnit = 8;
// A longer comment of one that is not the very best is a page for itself.
constexpr uint64_t kPageTokens = 1000;
// Connections are shown between the files that matter most. They help to read the rest and must not crowd it
// out.
constexpr size_t kConnectedFiles = 30;
constexpr double kConnectionShare = 0.05;

enum SectionPlace : size_t { kNamed, kUnits, kSignatures, kConnections, kFiles, kSections };

std::vector<PacketSection> empty_sections() {
  struct Names {
    SectionKind kind;
    const char* key;
    const char* heading;
  };
  const Names names[kSections] = {
      {SectionKind::kNamed, "named", "Named files"},
      {SectionKind::kUnits, "units", "Code"},
      {SectionKind::kSignatures, "signatures", "Next in order"},
      {SectionKind::kConnections, "connections", "How these files connect"},
      {SectionKind::kOther, "files", "Whole files"},
  };
  std::vector<PacketSection> sections(kSections);
  for (size_t i = 0; i < kSections; ++i) {
    sections[i].kind = names[i].kind;
    sections[i].key = names[i].key;
    sections[i].heading = names[i].heading;
    sections[i].tier = static_cast<int>(i);
  }
  sections[kUnits].in_order = true;
  sections[kConnections].cap = kConnectionShare;
  return sections;
}

class CodeSections {
 public:
  CodeSections(const CodePlaces& places, const stages::StageContext& context, const CodeOffer& offer)
      : places_(places), context_(context), offer_(offer) {
    parts_.sections = empty_sections();
    for (const ScopedFile& file : context.files)
      if (file.kept) files_.emplace(file.path, &file);
    for (const SelectedSymbol& symbol : context.symbols)
      if (symbol.kind != code::UnitKind::kImports) best_.emplace(symbol.path, &symbol);
    for (const SelectedSymbol& symbol : context.symbols) ++alike_[{symbol.path, symbol.own_name()}];
  }

  Result<CodePacketParts> run() {
    for (const ScopedFile& file : context_.files)
      if (file.kept && (file.is_named() || offer_.whole.contains(file.path))) KNAPSACK_CHECK(add_named(file));
    KNAPSACK_CHECK(add_asked());
    KNAPSACK_CHECK(add_units());
    KNAPSACK_CHECK(add_listed());
    // Without parts there is nothing but the files themselves.
    if (offer_.fill || context_.symbols.empty()) KNAPSACK_CHECK(add_whole_files());
    KNAPSACK_CHECK(add_connections());
    require_named_files();
    order_groups();
    return std::move(parts_);
  }

 private:
  using Group = std::shared_ptr<const CandidateGroup>;

  Candidate candidate(const ScopedFile& file, const Group& group, std::string id, std::string kind,
                      std::string title) {
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

  Candidate of_symbol(const ScopedFile& file, const Group& group, const SelectedSymbol& symbol) {
    Candidate made =
        candidate(file, group, fmt::format("symbol:{}#{}", symbol.path, symbol.name), "symbol", symbol.name);
    made.role = CandidateRole::kSymbol;
    made.provenance.insert(made.provenance.begin(), symbol.reason);
    made.score = symbol.score;
    return made;
  }

  void add(SectionPlace section, Candidate made) {
    if (made.group != nullptr && !made.forms.empty()) count_secrets(*made.group, made.forms.front());
    PacketItem item;
    item.candidate = std::move(made);
    parts_.sections[section].items.push_back(std::move(item));
  }

  // Those of what is offered, each line once: a secret elsewhere in its file is nobody's concern.
  void count_secrets(const CandidateGroup& group, const Form& fullest) {
    const auto place = places_.find(group.id);
    if (!place || place->texts->secrets(place->file) == 0) return;
    const auto count = [&](uint32_t line, std::string_view text) {
      if (with_counted_secrets_.emplace(group.id, line).second) parts_.secrets += count_redacted(text);
    };
    if (const code::TextLines* lines = lines_of(group.id); lines != nullptr) {
      for (const LineRange range : fullest.lines)
        for (uint32_t line = range.first; line <= range.last; ++line) count(line, lines->line(line));
    }
    for (const OutlineLine& each : fullest.outline) count(each.line, each.text);
  }

  // A place in the ranking says nothing to a reader, and who imports whom stands below the code where there is
  // room; a packet has better uses for twenty tokens a file.
  static bool speaks_to_reader(std::string_view relation) {
    return !relation.starts_with("rank ") && !relation.starts_with("imports ") &&
           !relation.starts_with("imported by ") && !relation.starts_with("changed in ") &&
           !relation.starts_with("refers to ") && !relation.starts_with("is a test of ") &&
           relation != stages::kInLastPacket;
  }

  // Why a file is there, in words for its reader.
  std::string about(const ScopedFile& file) const {
    std::string text;
    size_t shown = 0;
    for (const std::string& relation : file.relations) {
      if ((!speaks_to_reader(relation) && !file.listed) || shown == kMaxRelations) continue;
      text += (shown++ == 0 ? "" : "; ") + relation;
    }
    if (shown > 0) return text;
    const auto best = best_.find(file.path);
    const bool tells = best != best_.end() && best->second->tier == SymbolTier::kPrimary &&
                       best->second->reason != stages::kHasWords;
    return tells ? fmt::format("{}: {}", best->second->name, best->second->reason) : "";
  }

  // The file as a group; one without content where it cannot be read.
  Result<Group> group_of(const ScopedFile& file) {
    const auto known = groups_.find(file.path);
    if (known != groups_.end()) return known->second;
    CandidateGroup group;
    group.id = file.path;
    group.about = about(file);
    const auto place = places_.find(file.path);
    if (place) {
      const auto bytes = place->texts->read(place->file);
      if (bytes.ok()) {
        group.language = place->row().language;
        group.text = replace_invalid_utf8(**bytes);
        KNAPSACK_TRY(const code::BlobRow* blob, place->index->blob(place->file));
        if (blob != nullptr && group.text == **bytes)
          group.known_units = {{"cl100k", blob->tokens.cl100k}, {"o200k", blob->tokens.o200k}};
      } else {
        group.about = bytes.error().what;
        if (bytes.error().code != ErrorCode::kNotFound) parts_.warnings.push_back(bytes.error().line());
      }
    }
    return add_group(std::move(group));
  }

  Group add_group(CandidateGroup group) {
    const std::string path = group.id;
    parts_.groups.push_back(make_group(std::move(group)));
    groups_.emplace(path, parts_.groups.back());
    return parts_.groups.back();
  }

  Status add_named(const ScopedFile& file) {
    KNAPSACK_TRY(const Group group, group_of(file));
    Candidate made = candidate(file, group, "file:" + file.path, "file", file.path);
    made.pinned = true;
    if (offer_.whole.contains(file.path) && group->line_count() > 0)
      made.forms.push_back({FormKind::kFull, "", {{1, group->line_count()}}});
    made.forms.push_back({FormKind::kTitle, ""});
    add(kNamed, std::move(made));
    return ok_status();
  }

  // What a model took out is not offered, whatever the budget.
  bool is_offered(const SelectedSymbol& symbol) const {
    if (!files_.contains(symbol.path)) return false;
    if (symbol.judged) return symbol.tier == SymbolTier::kPrimary || symbol.tier == SymbolTier::kSupporting;
    return true;
  }
  static bool is_worthy(const SelectedSymbol& symbol) {
    return symbol.tier == SymbolTier::kPrimary || (symbol.judged && symbol.tier == SymbolTier::kSupporting);
  }

  Status add_units() {
    OfferedUnits offered;
    for (const SelectedSymbol& symbol : context_.symbols) {
      if (!is_offered(symbol) || symbol.asked) continue;
      auto& list = symbol.kind == code::UnitKind::kImports ? offered.imports
                   : is_worthy(symbol)                     ? offered.worthy
                                                           : offered.others;
      list.push_back(&symbol);
    }
    leads_ = offered.worthy;
    leads_.resize(std::min(leads_.size(), code::kBestUnits));
    KNAPSACK_TRY(const TokenCounter* counter, find_token_counter(offer_.tokenizer));
    const PartPrices prices = {
        [&](const SequencePart& part) { return estimated_cost(part); },
        [&](const SequencePart& part) { return counted_cost(part, *counter); },
    };
    const PartSequence sequence = sequence_parts(
        offered, [&](const SelectedSymbol& symbol) { return shows_comment_later(symbol); }, prices,
        offer_.units);
    const size_t shown = offer_.fill ? sequence.parts.size() : sequence.until_stop;
    for (size_t i = 0; i < shown; ++i) {
      const SequencePart& part = sequence.parts[i];
      KNAPSACK_CHECK(part.is_comment ? add_comment(*part.unit) : add_unit(*part.unit));
      if (!part.is_comment && is_spared(*part.unit) && !shows_comment_later(*part.unit))
        KNAPSACK_CHECK(leave_out_comment(*part.unit, std::string(why_without_comment(*part.unit))));
    }
    KNAPSACK_CHECK(add_type_context());
    if (offer_.fill) return ok_status();
    parts_.behind_stop = offered.others.size();
    for (const SelectedSymbol* each : offered.others)
      if (each->tier == SymbolTier::kSupporting) KNAPSACK_CHECK(add_signature(*each));
    return ok_status();
  }

  // Types of which a model wants the shape.
  Status add_type_context() {
    for (const SelectedSymbol& symbol : context_.symbols) {
      const bool is_shape = symbol.judged && symbol.tier == SymbolTier::kTypeContext;
      if (is_shape && !symbol.asked && files_.contains(symbol.path))
        KNAPSACK_CHECK(add_unit(symbol, kSignatures));
    }
    return ok_status();
  }

  uint64_t estimated_cost(const SequencePart& part) {
    if (!part.is_comment) return part.unit->cost;
    const code::TextLines* lines = lines_of(part.unit->path);
    return lines == nullptr ? 0 : code::estimated_cost(lines->lines(part.unit->doc));
  }

  // The tokens of what is shown of it.
  uint64_t counted_cost(const SequencePart& part, const TokenCounter& counter) {
    const SelectedSymbol& symbol = *part.unit;
    const code::TextLines* lines = lines_of(symbol.path);
    if (lines == nullptr) return estimated_cost(part);
    if (part.is_comment) return counter.count(lines->lines(symbol.doc));
    uint64_t tokens = kTokensAroundUnit;
    LineRange rest = symbol.lines;
    if (is_spared(symbol)) {
      tokens += counter.count(lines->lines({rest.first, symbol.doc.first - 1}));
      rest.first = symbol.doc.last + 1;
    }
    return tokens + (rest.first <= rest.last ? counter.count(lines->lines(rest)) : 0);
  }

  // Null where the file cannot be read.
  const code::TextLines* lines_of(const std::string& path) {
    const auto known = lines_.find(path);
    if (known != lines_.end()) return &known->second;
    const auto place = places_.find(path);
    if (!place) return nullptr;
    const auto text = place->texts->read(place->file);
    return text.ok() ? &lines_.emplace(path, code::TextLines(**text)).first->second : nullptr;
  }

  // Whether it is shown without what its long comment spares. What was asked for is shown as it is.
  static bool is_spared(const SelectedSymbol& symbol) { return symbol.doc.first > 0 && !symbol.asked; }
  // What a long comment says of a whole type is rarely what its head is shown for.
  bool shows_comment_later(const SelectedSymbol& symbol) {
    return is_spared(symbol) && why_without_comment(symbol).empty();
  }
  // A page about what is not the best answer would take the room of the code that follows.
  std::string_view why_without_comment(const SelectedSymbol& symbol) {
    if (symbol.named || offer_.fill) return {};
    if (symbol.heads_type()) return "documents a whole type: fill shows it";
    if (!leads_.empty() && leads_.front() == &symbol) return {};
    const bool is_lead = std::find(leads_.begin(), leads_.end(), &symbol) != leads_.end();
    if (estimated_cost({&symbol, true}) > (is_lead ? kPageTokens : code::kLongCommentTokens))
      return "documents more than the task needs: fill shows it";
    return {};
  }
  // Overloads, and the same class for another platform, say nearly all of it in the same words.
  bool is_said_already(const SelectedSymbol& symbol) {
    const code::TextLines* lines = lines_of(symbol.path);
    if (lines == nullptr) return false;
    size_t all = 0, known = 0;
    for (const std::string_view line : code::telling_lines(*lines, symbol.doc)) {
      ++all;
      if (!said_.insert(std::string(line)).second) ++known;
    }
    return known * 10 >= all * 9;
  }

  // What a refinement asked for by name comes before everything else, as its signature at least.
  Status add_asked() {
    for (const SelectedSymbol& symbol : context_.symbols)
      if (symbol.asked && files_.contains(symbol.path)) KNAPSACK_CHECK(add_unit(symbol, kNamed));
    return ok_status();
  }

  Candidate of_comment(const ScopedFile& file, const Group& group, const SelectedSymbol& symbol) {
    Candidate made = candidate(file, group, fmt::format("comment:{}#{}", symbol.path, symbol.name), "comment",
                               "the rest of the comment of " + symbol.name);
    made.role = CandidateRole::kGoesOn;
    made.provenance.insert(made.provenance.begin(), "its code comes first");
    made.score = symbol.score;
    return made;
  }

  Status leave_out_comment(const SelectedSymbol& symbol, std::string why) {
    const ScopedFile& file = *files_.at(symbol.path);
    KNAPSACK_TRY(const Group group, group_of(file));
    parts_.unoffered.push_back(of_comment(file, group, symbol));
    parts_.unoffered.back().dropped = std::move(why);
    return ok_status();
  }

  // All of what was spared, or how it goes on.
  Status add_comment(const SelectedSymbol& symbol) {
    if (!offer_.fill && is_said_already(symbol))
      return leave_out_comment(symbol, "comments before it say nearly all of it: fill shows it");
    const ScopedFile& file = *files_.at(symbol.path);
    KNAPSACK_TRY(const Group group, group_of(file));
    if (group->line_count() == 0) return ok_status();  // it could not be read
    Candidate made = of_comment(file, group, symbol);
    made.forms.push_back({FormKind::kFull, "", {symbol.doc}});
    const uint32_t lines = symbol.doc.last - symbol.doc.first + 1;
    // Half a comment of something that is not among the best is worth no room.
    const bool is_lead = std::find(leads_.begin(), leads_.end(), &symbol) != leads_.end();
    for (const uint32_t share : {2, 4})
      if (is_lead)
        made.forms.push_back(
            {FormKind::kReduced, "", {{symbol.doc.first, symbol.doc.first + lines / share}}});
    add(kUnits, std::move(made));
    return ok_status();
  }

  Status add_unit(const SelectedSymbol& symbol, SectionPlace section = kUnits) {
    const ScopedFile& file = *files_.at(symbol.path);
    KNAPSACK_TRY(const Group group, group_of(file));
    if (group->line_count() == 0) return ok_status();  // it could not be read
    Candidate made = of_symbol(file, group, symbol);
    if (!is_spared(symbol)) made.forms.push_back({FormKind::kFull, "", with_opener(symbol, symbol.lines)});
    // A long comment gives way before code does.
    if (symbol.doc.first > 0) {
      auto lines = with_opener(symbol, {symbol.lines.first, symbol.doc.first - 1});
      if (symbol.doc.last < symbol.lines.last) lines.push_back({symbol.doc.last + 1, symbol.lines.last});
      made.forms.push_back({FormKind::kReduced, "", std::move(lines)});
    }
    // What has no room whole shows where it is about the task, with its first line: as much of it as there is room for.
    for (const LineRange part : telling_parts(symbol)) {
      auto lines = with_opener(symbol, part);
      if (symbol.signature_line > 0) lines.push_back(opening_lines(symbol, *group));
      made.forms.push_back({FormKind::kReduced, "", std::move(lines), {}, part.last < symbol.lines.last});
    }
    if (has_signature(symbol)) made.forms.push_back(signature(symbol));
    made.pinned = section == kNamed;
    made.leads = std::find(leads_.begin(), leads_.end(), &symbol) != leads_.end();
    add(section, std::move(made));
    return ok_status();
  }

  // The task itself points to seeds: one of which a model wanted no part is there by its path. So is what a
  // stage wants listed.
  Status add_listed() {
    const bool judged = std::any_of(context_.symbols.begin(), context_.symbols.end(),
                                    [](const SelectedSymbol& symbol) { return symbol.judged; });
    for (const ScopedFile& file : context_.files) {
      const bool is_listed = file.listed || (judged && file.tier == stages::ScopeTier::kSeed);
      if (!file.kept || !is_listed || groups_.contains(file.path)) continue;
      KNAPSACK_TRY(const Group group, group_of(file));
      Candidate made = candidate(file, group, "file:" + file.path, "file", file.path);
      made.forms = {{FormKind::kTitle, ""}};
      add(kFiles, std::move(made));
    }
    return ok_status();
  }

  // Twenty `fn update(&self)` of one file say nothing without what they belong to.
  Form signature(const SelectedSymbol& symbol) const {
    std::string text = short_signature(symbol);
    const std::string_view owner = symbol.owner_name();
    if (!owner.empty() && alike_.at({symbol.path, symbol.own_name()}) > 1 &&
        text.find(owner) == std::string::npos)
      text += fmt::format(" (of {})", owner);
    return {FormKind::kSignature, "", {}, {{symbol.signature_line, std::move(text)}}};
  }

  Status add_signature(const SelectedSymbol& symbol) {
    if (!has_signature(symbol)) return ok_status();
    const ScopedFile& file = *files_.at(symbol.path);
    KNAPSACK_TRY(const Group group, group_of(file));
    Candidate made = of_symbol(file, group, symbol);
    made.forms.push_back(signature(symbol));
    add(kSignatures, std::move(made));
    return ok_status();
  }

  // All of them when all may fit; bytes are a little more than three to a token.
  uint64_t files_to_read() const {
    uint64_t bytes = 0;
    for (const auto& [path, file] : files_) {
      if (const auto place = places_.find(path)) bytes += place->row().size;
    }
    return bytes / 8 <= offer_.budget ? UINT64_MAX : kReadFiles + offer_.budget / kTokensOfFile;
  }

  Status add_whole_files() {
    const uint64_t readable = files_to_read();
    // What a model took out is not shown because there is room for its file.
    std::set<std::string_view> refused;
    for (const SelectedSymbol& symbol : context_.symbols)
      if (symbol.judged && symbol.tier == SymbolTier::kExcluded) refused.insert(symbol.path);
    uint64_t place = 0;
    for (const ScopedFile& file : context_.files) {
      if (!file.kept) continue;
      const bool reads = place++ < readable || groups_.contains(file.path);
      if (!reads) {
        CandidateGroup listed;
        listed.id = file.path;
        listed.about = about(file);
        add_group(std::move(listed));
      }
      KNAPSACK_TRY(const Group group, group_of(file));
      Candidate whole =
          candidate(file, group, (file.is_named() ? "whole:" : "file:") + file.path, "file", file.path);
      const bool may_be_whole = group->line_count() > 0 && !refused.contains(file.path);
      if (may_be_whole) whole.forms.push_back({FormKind::kFull, "", {{1, group->line_count()}}});
      whole.forms.push_back({group->line_count() > 0 || !reads ? FormKind::kTitle : FormKind::kFull, ""});
      add(kFiles, std::move(whole));
    }
    return ok_status();
  }

  // Between files of which code is offered: a file of a Go package imports every file of another, and who knows them
  // by their signatures alone learns nothing from that.
  Status add_connections() {
    size_t seen = 0;
    std::set<std::pair<std::string, std::string>> known;
    std::unordered_set<const CandidateGroup*> with_code;
    for (const SectionPlace section : {kNamed, kUnits, kFiles})
      for (const PacketItem& item : parts_.sections[section].items)
        with_code.insert(item.candidate.group.get());
    for (const ScopedFile& file : context_.files) {
      const auto group = groups_.find(file.path);
      if (!file.kept || group == groups_.end() || !with_code.contains(group->second.get())) continue;
      const auto place = places_.find(file.path);
      if (!place || seen++ >= kConnectedFiles) continue;
      KNAPSACK_TRY(const auto imports, places_.imports_of(*place));
      for (const std::string& imported : imports) {
        const auto target = groups_.find(imported);
        if (target == groups_.end() || !with_code.contains(target->second.get())) continue;
        const std::string& to = target->second->id;
        if (!known.emplace(file.path, to).second) continue;
        Candidate edge =
            candidate(file, nullptr, fmt::format("edge:{} -> {}", file.path, to), "edge",
                      fmt::format("{} imports {}", escape_control(file.path), escape_control(to)));
        edge.role = CandidateRole::kConnection;
        edge.needs = {groups_.at(file.path), target->second};
        edge.forms = {{FormKind::kFull, edge.title}};
        add(kConnections, std::move(edge));
      }
    }
    return ok_status();
  }

  // Nothing is shown unless the paths of all named files are.
  void require_named_files() {
    std::vector<Group> named;
    for (const PacketItem& item : parts_.sections[kNamed].items) named.push_back(item.candidate.group);
    for (size_t s = kNamed + 1; s < parts_.sections.size(); ++s) {
      for (PacketItem& item : parts_.sections[s].items) {
        item.candidate.needs.insert(item.candidate.needs.end(), named.begin(), named.end());
      }
    }
  }

  // What the task names first, then as their first units come in the sequence; files that only have signatures
  // or a path follow.
  void order_groups() {
    std::unordered_map<const CandidateGroup*, size_t> places;
    // What the task calls by its path and what is asked for stand before everything else; the others stand where their
    // code does.
    std::unordered_set<std::string_view> asked;
    for (const SelectedSymbol& symbol : context_.symbols)
      if (symbol.asked) asked.insert(symbol.path);
    const auto stands_first = [&](const CandidateGroup& group) {
      const auto file = files_.find(group.id);
      const auto naming = file == files_.end() ? stages::Naming::kNone : file->second->naming;
      return naming == stages::Naming::kPath || naming == stages::Naming::kRequest ||
             asked.contains(group.id) || offer_.whole.contains(group.id);
    };
    for (const PacketSection& section : parts_.sections) {
      for (const PacketItem& item : section.items) {
        const auto& group = item.candidate.group;
        if (item.candidate.pinned && group && stands_first(*group))
          places.emplace(group.get(), places.size());
      }
    }
    // Where a trace ends comes before all others, also where a part of it has to do.
    for (const SelectedSymbol* each : leads_)
      if (const auto group = groups_.find(each->path);
          group != groups_.end() && stages::leads_trace(*each, offer_.units))
        places.emplace(group->second.get(), places.size());
    for (const SectionPlace section : {kUnits, kNamed, kSignatures, kFiles})
      for (const PacketItem& item : parts_.sections[section].items)
        places.emplace(item.candidate.group.get(), places.size());
    std::stable_sort(parts_.groups.begin(), parts_.groups.end(),
                     [&](const Group& a, const Group& b) { return places.at(a.get()) < places.at(b.get()); });
  }

  const CodePlaces& places_;
  std::map<std::pair<std::string_view, std::string_view>, size_t> alike_;  // units by path and name
  const stages::StageContext& context_;
  const CodeOffer& offer_;
  CodePacketParts parts_;
  std::map<std::string, const ScopedFile*, std::less<>> files_;  // that are kept, by path
  std::unordered_map<std::string, const SelectedSymbol*> best_;  // unit of each file
  std::unordered_map<std::string, int> ids_;
  std::vector<const SelectedSymbol*> leads_;  // the best of what is offered
  std::unordered_map<std::string, Group> groups_;
  std::unordered_map<std::string, code::TextLines> lines_;
  std::unordered_set<std::string> said_;                             // lines of comments that are offered
  std::set<std::pair<std::string, uint32_t>> with_counted_secrets_;  // lines of files
};

}  // namespace

Result<CodePacketParts> make_code_sections(const CodePlaces& places, const stages::StageContext& context,
                                           const CodeOffer& offer) {
  return CodeSections(places, context, offer).run();
}

std::string pack_code(Packet& packet, const CodePacketParts& parts, const Renderer& renderer,
                      const TokenCounter& counter) {
  packet.sections = parts.sections;
  packet.groups = parts.groups;
  packet.behind_stop = parts.behind_stop;
  packet.unoffered = parts.unoffered;
  packet.names_what_follows = true;
  packet.may_be_blank = true;  // no part of a packet of code must always be shown
  UnitMemory memory(counter);
  std::vector<SectionPieces> pieces;
  const uint64_t limit = packet.budget * counter.units_per_token();
  for (const PacketSection& section : packet.sections)
    pieces.push_back(price(section, renderer, memory, limit));
  return assemble(packet, pieces, renderer, memory);
}

}  // namespace knapsack
