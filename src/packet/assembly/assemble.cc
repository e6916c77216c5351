#include "packet/assembly/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "packet/packer.h"
#include "packet/render/group_view.h"

namespace knapsack {
namespace {

// Prices and bytes differ by a few units at most (digits of a count, the comma of a last element), so two or
// three trials settle it; the bound is there so that nothing depends on that.
constexpr int kMaxTrials = 8;

struct Chosen {
  uint64_t units = 0;
  std::string bytes;
  std::vector<std::vector<std::optional<size_t>>> forms;
  uint64_t used = 0;
  bool omission_shown = false;
  bool is_full = false;
};

class Assembler {
 public:
  Assembler(Packet& packet, std::span<const SectionPieces> pieces, const Renderer& renderer,
            UnitMemory& memory)
      : packet_(packet),
        pieces_(pieces),
        renderer_(renderer),
        memory_(memory),
        counter_(memory.counter()),
        limit_((packet.budget - std::min(packet.budget, packet.margin)) * counter_.units_per_token()) {}

  std::string run() {
    prepare();
    Chosen chosen;
    if (!everything(chosen) && !base_only(chosen)) chosen = best_packing();
    apply(chosen);
    explain();
    return std::move(chosen.bytes);
  }

 private:
  bool takes_part(const PacketItem& item) const { return item.candidate.dropped.empty(); }

  void prepare() {
    packet_.over_budget = false;
    problem_.frames.push_back(0);  // of "Also noted"; every choice sets it
    std::unordered_map<const CandidateGroup*, uint64_t> largest;
    for (const auto& group : packet_.groups) {
      group_frames_.emplace(group.get(), problem_.frames.size());
      problem_.frames.push_back(memory_.units(renderer_.group_frame(*group)));
    }
    for (size_t s = 0; s < packet_.sections.size(); ++s) {
      problem_.sections.push_back(problem_section(s));
      for (size_t i = 0; i < packet_.sections[s].items.size(); ++i) {
        PacketItem& item = packet_.sections[s].items[i];
        const uint64_t full = pieces_[s][i].front().units;
        item.full_tokens = counter_.to_tokens(full);
        // Parts of one group overlap: together they cost at least what the largest of them does.
        uint64_t* of_group = item.candidate.group ? &largest[item.candidate.group.get()] : nullptr;
        full_units_ += of_group == nullptr ? full : full - std::min(full, *of_group);
        if (of_group != nullptr) *of_group = std::max(*of_group, full);
        ++item_count_;
      }
    }
  }

  // Renders what is shown now with the right number of used tokens in it.
  void measure(Chosen& chosen) {
    packet_.used = std::max<uint64_t>(packet_.used, 1);
    packet_.is_full = false;
    for (int i = 0; i < 5; ++i) {
      chosen.bytes = renderer_.join(packet_, pieces_);
      chosen.units = memory_.units(chosen.bytes);
      const uint64_t tokens = counter_.to_tokens(chosen.units);
      // Once it is full it stays so, or the sentence that says it would hang on its own length.
      const bool fills_up =
          !packet_.is_full && tokens >= packet_.budget / 10 * 9 && packet_.unplaced_count() > 0;
      packet_.is_full = packet_.is_full || fills_up;
      // A number of as many digits costs the same, by every counter.
      const bool same_width = fmt::formatted_size("{}", tokens) == fmt::formatted_size("{}", packet_.used);
      if (packet_.used == tokens && !fills_up) break;
      packet_.used = tokens;
      if (same_width && !fills_up) {
        chosen.bytes = renderer_.join(packet_, pieces_);
        break;
      }
    }
    chosen.used = packet_.used;
    chosen.is_full = packet_.is_full;
    chosen.omission_shown = packet_.omission_shown;
    chosen.forms.clear();
    for (const auto& section : packet_.sections) {
      auto& forms = chosen.forms.emplace_back();
      for (const auto& item : section.items) forms.push_back(item.shown);
    }
  }

  void show_all(std::optional<size_t> form) {
    for (auto& section : packet_.sections) {
      for (auto& item : section.items) item.shown = form;
    }
  }

  bool everything(Chosen& chosen) {
    if (full_units_ > limit_ + limit_ / 8 + 4096) return false;  // far over: not worth rendering
    show_all(0);
    packet_.omission_shown = false;
    measure(chosen);
    return chosen.units <= limit_;
  }

  // What is always shown may already be too much, or leave no room for anything else.
  bool base_only(Chosen& chosen) {
    show_all(std::nullopt);
    packet_.omission_shown = false;
    measure(chosen);
    base_ = chosen.units;
    if (base_ <= limit_) return false;
    if (packet_.may_be_blank) {
      chosen.bytes.clear();
      chosen.units = 0;
      chosen.used = 0;
      return true;
    }
    packet_.over_budget = true;
    measure(chosen);
    return true;
  }

  Chosen best_packing() {
    const bool some_dropped =
        std::any_of(packet_.sections.begin(), packet_.sections.end(), [&](const auto& section) {
          return std::any_of(section.items.begin(), section.items.end(),
                             [&](const auto& item) { return !takes_part(item); });
        });
    if (!some_dropped) {
      auto chosen = search(false);
      if (chosen && packet_.unplaced_count() == 0) return std::move(*chosen);
    }
    if (!packet_.names_what_follows && notes_titles()) {
      if (auto chosen = search(true)) return std::move(*chosen);
    }
    if (auto chosen = search(false)) return std::move(*chosen);  // no room for the line that counts
    Chosen nothing;
    show_all(std::nullopt);
    packet_.omission_shown = false;
    measure(nothing);
    return nothing;
  }

  // What is left out is counted below the titles of what was reduced; where nothing is, the first line counts it.
  bool notes_titles() const {
    return std::any_of(packet_.sections.begin(), packet_.sections.end(), [](const PacketSection& section) {
      return section.notes_reduced && !section.items.empty();
    });
  }

  // The fullest packing whose bytes keep the limit; leaves the packet as that packing has it.
  std::optional<Chosen> search(bool with_omission_line) {
    std::optional<Chosen> best;
    uint64_t target = limit_;
    uint64_t fits_up_to = 0;                                   // the target that gave `best`
    uint64_t too_dear = std::numeric_limits<uint64_t>::max();  // the lowest price whose bytes were too long
    for (int trial = 0; trial < kMaxTrials; ++trial) {
      if (!choose(target, with_omission_line)) break;
      Chosen now;
      measure(now);
      const bool fits = now.units <= limit_ || fits_without_paths(now);
      if (!fits) too_dear = std::min({too_dear, target, price_});
      const bool better = fits && (!best || now.units > best->units);
      if (fits && !better) break;
      if (better) fits_up_to = target;
      // Prices differ from bytes by what they differed here; a price that was too dear would give the same again.
      if (fits)
        target += limit_ - now.units;
      else if (!best)
        target = too_dear - std::min(too_dear, now.units - limit_);
      if (too_dear <= target) target = too_dear - std::min<uint64_t>(too_dear, 1);
      if (better) best = std::move(now);
      if (best && target <= fits_up_to) break;
    }
    if (best) apply(*best);
    for (int trial = 0; best && trial < kMaxTrials && fill_up(*best, with_omission_line); ++trial) {
    }
    return best;
  }

  // Files of which only the path is shown give way before any of their code does; a few of them are enough, or
  // something else is wrong with the prices.
  bool fits_without_paths(Chosen& now) {
    int left = kMaxTrials;
    for (auto section = packet_.sections.rbegin(); section != packet_.sections.rend(); ++section) {
      for (auto item = section->items.rbegin(); item != section->items.rend(); ++item) {
        const Candidate& candidate = item->candidate;
        const bool is_path = item->shown && candidate.group && !candidate.pinned &&
                             candidate.forms[*item->shown].kind == FormKind::kTitle;
        if (!is_path) continue;
        if (left-- == 0) return false;
        item->shown.reset();
        hide_what_needs_hidden_groups();
        measure(now);
        if (now.units <= limit_) return true;
      }
    }
    return false;
  }

  // Parts of one file share lines and cost less together than their prices: what that leaves is used as well.
  // False where nothing more fits.
  bool fill_up(Chosen& best, bool with_omission_line) {
    if (best.units >= limit_) return false;
    PackSolution from;
    from.used = best.units;
    for (size_t s = 0; s < packet_.sections.size(); ++s) {
      auto& forms = from.forms.emplace_back();
      for (const auto& item : packet_.sections[s].items) {
        if (takes_part(item)) forms.push_back(item.shown);
      }
    }
    show(hand_out(problem_of_the_rest(), from), with_omission_line);
    Chosen now;
    measure(now);
    const bool fuller = now.units <= limit_ && now.units > best.units;
    if (fuller) best = std::move(now);
    apply(best);
    return fuller;
  }

  // A whole file of which parts are shown adds no more than its other lines.
  PackProblem problem_of_the_rest() {
    std::unordered_map<const CandidateGroup*, Candidate> shown;
    for (const PacketSection& section : packet_.sections) {
      for (const PacketItem& item : section.items) {
        if (!item.shown || !item.candidate.group) continue;
        Candidate& all = shown[item.candidate.group.get()];
        all.group = item.candidate.group;
        if (all.forms.empty()) all.forms.push_back({FormKind::kFull, ""});
        const auto& lines = item.candidate.forms[*item.shown].lines;
        all.forms.front().lines.insert(all.forms.front().lines.end(), lines.begin(), lines.end());
      }
    }
    PackProblem rest = problem_;
    rest.limit = limit_;
    for (size_t s = 0; s < packet_.sections.size(); ++s) {
      size_t next = 0;
      for (const PacketItem& item : packet_.sections[s].items) {
        if (!takes_part(item)) continue;
        FormCost& richest = rest.sections[s].items[next++].forms.front();
        const auto part = shown.find(item.candidate.group.get());
        const bool is_whole_file = part != shown.end() && !item.in_full() &&
                                   item.candidate.group->is_all(item.candidate.forms.front());
        if (is_whole_file && !part->second.forms.front().lines.empty())
          richest.cost -=
              std::min(richest.cost, memory_.units(renderer_.item(packet_.sections[s], part->second, 0)));
      }
    }
    return rest;
  }

  bool choose(uint64_t target, bool with_omission_line) {
    problem_.limit = target;
    problem_.base = base_;
    problem_.frames.front() = with_omission_line ? 0 : memory_.units(renderer_.noted_frame());
    if (with_omission_line) {
      const std::string line = renderer_.omission_line(item_count_ + packet_.left_out_before);
      if (!line.empty()) problem_.base += memory_.units(renderer_.noted_frame() + line);
    }
    if (problem_.base > target) return false;
    const PackSolution solution = pack(problem_);
    price_ = solution.used;
    show(solution, with_omission_line);
    return true;
  }

  void show(const PackSolution& solution, bool with_omission_line) {
    for (size_t s = 0; s < packet_.sections.size(); ++s) {
      size_t next = 0;
      for (auto& item : packet_.sections[s].items) {
        item.shown = takes_part(item) ? solution.forms[s][next++] : std::nullopt;
      }
    }
    hide_what_needs_hidden_groups();
    packet_.omission_shown = with_omission_line && packet_.unplaced_count() > 0;
    packet_.used = counter_.to_tokens(solution.used);
  }

  void hide_what_needs_hidden_groups() {
    const auto shown = shown_groups(packet_);
    std::unordered_set<const CandidateGroup*> visible;
    for (size_t g = 0; g < shown.size(); ++g) {
      if (shown[g]) visible.insert(packet_.groups[g].get());
    }
    for (auto& section : packet_.sections) {
      for (auto& item : section.items) {
        for (const auto& needed : item.candidate.needs) {
          if (!visible.contains(needed.get())) item.shown.reset();
        }
      }
    }
  }

  PackSection problem_section(size_t index) {
    const PacketSection& from = packet_.sections[index];
    PackSection section{from.tier, from.cap, from.floor, from.rich_share, from.in_order, {}};
    problem_.frames.push_back(memory_.units(renderer_.section_frame(from)));
    const size_t own_frame = problem_.frames.size() - 1;
    for (size_t i = 0; i < from.items.size(); ++i) {
      if (!takes_part(from.items[i])) continue;
      PackItem item;
      item.pinned = from.items[i].candidate.pinned;
      item.goes_on = from.items[i].candidate.role == CandidateRole::kGoesOn;
      item.leads = from.items[i].candidate.leads;
      for (size_t form = 0; form < pieces_[index][i].size(); ++form) {
        item.forms.push_back({pieces_[index][i][form].units, frame_of(from, i, form, own_frame)});
      }
      section.items.push_back(std::move(item));
    }
    return section;
  }

  size_t frame_of(const PacketSection& section, size_t item, size_t form, size_t own_frame) const {
    if (is_noted(section, form)) return 0;
    const auto found = group_frames_.find(section.items[item].candidate.group.get());
    return found == group_frames_.end() ? own_frame : found->second;
  }

  void apply(const Chosen& chosen) {
    packet_.used = chosen.used;
    packet_.is_full = chosen.is_full;
    packet_.omission_shown = chosen.omission_shown;
    for (size_t s = 0; s < packet_.sections.size(); ++s) {
      for (size_t i = 0; i < packet_.sections[s].items.size(); ++i) {
        packet_.sections[s].items[i].shown = chosen.forms[s][i];
      }
    }
  }

  void explain() {
    const uint64_t limit = packet_.budget - std::min(packet_.budget, packet_.margin);
    const uint64_t left = limit - std::min(limit, packet_.used);
    const auto shown = shown_groups(packet_);
    std::unordered_map<const CandidateGroup*, uint64_t> unpaid;  // frames of groups that are not shown
    for (size_t g = 0; g < shown.size(); ++g) {
      if (!shown[g])
        unpaid.emplace(packet_.groups[g].get(), problem_.frames[group_frames_.at(packet_.groups[g].get())]);
    }
    for (size_t s = 0; s < packet_.sections.size(); ++s) {
      for (size_t i = 0; i < packet_.sections[s].items.size(); ++i) {
        PacketItem& item = packet_.sections[s].items[i];
        const auto& forms = pieces_[s][i];
        const auto frame = unpaid.find(item.candidate.group.get());
        item.tokens = counter_.to_tokens((item.shown ? forms[*item.shown].units : forms.back().units) +
                                         (frame == unpaid.end() ? 0 : frame->second));
        item.reason.clear();
        if (item.in_full()) continue;
        if (item.shown) {
          item.reason = fmt::format("in full it needs {} tokens", item.full_tokens);
        } else if (!takes_part(item)) {
          item.reason = item.candidate.dropped;
        } else if (std::any_of(item.candidate.needs.begin(), item.candidate.needs.end(),
                               [&](const auto& group) { return unpaid.contains(group.get()); })) {
          item.reason = "what must be shown before it is not";
        } else {
          item.reason = fmt::format("out of budget: its shortest form needs {} tokens and {} remained",
                                    item.tokens, left);
        }
      }
    }
  }

  Packet& packet_;
  const std::span<const SectionPieces> pieces_;
  const Renderer& renderer_;
  UnitMemory& memory_;
  const TokenCounter& counter_;
  const uint64_t limit_;
  PackProblem problem_;
  std::unordered_map<const CandidateGroup*, size_t> group_frames_;
  uint64_t full_units_ = 0;  // that everything in full takes at least, without frames
  uint64_t item_count_ = 0;
  uint64_t base_ = 0;
  uint64_t price_ = 0;  // of the packing that was chosen last
};

// A part of what is printed whose units somebody knows.
struct KnownPart {
  std::string_view text;
  uint64_t units = 0;
};

// A whole file is far more than anything else that is priced, and was counted when it was read.
KnownPart known_part(const Candidate& candidate, size_t form, const TokenCounter& counter) {
  if (!candidate.group || !candidate.group->is_all(candidate.forms[form])) return {};
  for (const auto& [name, units] : candidate.group->known_units) {
    if (name == counter.name()) return {candidate.group->text, units};
  }
  return {};
}

// What is always shown in the same order costs exactly what it adds to what was shown before: parts of one
// file share its block, their class, and what lies between them. Nothing behind `limit` is shown whole, so nothing
// there needs the right price.
void price_in_order(const PacketSection& section, const Renderer& renderer, UnitMemory& memory,
                    uint64_t limit, SectionPieces& pieces) {
  struct Shown {
    Candidate all;  // of a group, up to here
    uint64_t units = 0;
  };
  std::unordered_map<const CandidateGroup*, Shown> shown;
  uint64_t spent = 0;
  for (size_t i = 0; i < section.items.size() && spent <= limit; ++i) {
    const Candidate& candidate = section.items[i].candidate;
    if (!candidate.group) continue;
    Shown& before = shown[candidate.group.get()];
    if (before.all.forms.empty()) {
      before.all.group = candidate.group;
      before.all.forms.push_back({FormKind::kFull, ""});
    }
    std::vector<LineRange>& lines = before.all.forms.front().lines;
    lines.insert(lines.end(), candidate.forms.front().lines.begin(), candidate.forms.front().lines.end());
    const uint64_t units = memory.units(renderer.item(section, before.all, 0));
    pieces[i].front().units = units - std::min(units, before.units);
    before.units = units;
    spent += pieces[i].front().units;
  }
}

}  // namespace

SectionPieces price(const PacketSection& section, const Renderer& renderer, UnitMemory& memory,
                    uint64_t limit) {
  SectionPieces pieces = print_pieces(renderer, section);
  const auto known = [&](size_t item, size_t form) {
    return known_part(section.items[item].candidate, form, memory.counter());
  };
  std::vector<std::string_view> texts;
  for (size_t i = 0; i < pieces.size(); ++i) {
    for (size_t form = 0; form < pieces[i].size(); ++form) {
      const auto [before, behind] = memory.without(pieces[i][form].text, known(i, form).text);
      texts.insert(texts.end(), {before, behind});
    }
  }
  memory.learn(texts);
  for (size_t i = 0; i < pieces.size(); ++i) {
    for (size_t form = 0; form < pieces[i].size(); ++form) {
      const KnownPart part = known(i, form);
      pieces[i][form].units = memory.units_around(pieces[i][form].text, part.text, part.units);
    }
  }
  if (section.in_order) price_in_order(section, renderer, memory, limit, pieces);
  return pieces;
}

std::string assemble(Packet& packet, std::span<const SectionPieces> pieces, const Renderer& renderer,
                     UnitMemory& memory) {
  return Assembler(packet, pieces, renderer, memory).run();
}

}  // namespace knapsack
