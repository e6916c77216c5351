#include "packet/packer.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace knapsack {
namespace {

struct ItemPlace {
  size_t section;
  size_t item;
};

uint64_t share_of(uint64_t amount, double share) {
  if (share >= 1.0) return amount;
  return share <= 0.0 ? 0 : static_cast<uint64_t>(static_cast<double>(amount) * share);
}

class Packer {
 public:
  explicit Packer(const PackProblem& problem) : problem_(problem), frame_users_(problem.frames.size(), 0) {
    for (const auto& section : problem.sections) solution_.forms.emplace_back(section.items.size());
    spent_ = problem.base;
  }

  PackSolution go_on(const PackSolution& from) {
    order_places();
    for (const ItemPlace place : order_) {
      const auto chosen = from.forms[place.section][place.item];
      if (chosen) choose(place, *chosen);
    }
    spent_ = from.used;
    if (spent_ <= problem_.limit) upgrade();
    solution_.used = spent_;
    return std::move(solution_);
  }

  PackSolution run() {
    order_places();
    if (everything_fits()) {
      for (const ItemPlace place : order_) choose(place, 0);
    } else if (problem_.base <= problem_.limit) {
      serve_tiers();
      upgrade();
    }
    solution_.used = spent_;
    return std::move(solution_);
  }

 private:
  const PackItem& item(ItemPlace place) const { return problem_.sections[place.section].items[place.item]; }
  std::optional<size_t>& form(ItemPlace place) { return solution_.forms[place.section][place.item]; }

  void order_places() {
    std::vector<size_t> sections(problem_.sections.size());
    std::iota(sections.begin(), sections.end(), 0);
    std::stable_sort(sections.begin(), sections.end(), [&](size_t a, size_t b) {
      return problem_.sections[a].tier < problem_.sections[b].tier;
    });
    sections_ = sections;
    for (const size_t section : sections_) {
      for (const bool pinned : {true, false}) {
        for (size_t i = 0; i < problem_.sections[section].items.size(); ++i) {
          if (problem_.sections[section].items[i].pinned == pinned) order_.push_back({section, i});
        }
      }
    }
  }

  bool everything_fits() const {
    uint64_t total = problem_.base;
    std::vector<bool> paid(problem_.frames.size(), false);
    for (const ItemPlace place : order_) total += cost_with_frame(item(place).forms.front(), paid);
    return total <= problem_.limit;
  }

  uint64_t cost_with_frame(const FormCost& form_cost, std::vector<bool>& paid) const {
    if (!form_cost.frame || paid[*form_cost.frame]) return form_cost.cost;
    paid[*form_cost.frame] = true;
    return form_cost.cost + problem_.frames[*form_cost.frame];
  }

  // What choosing `index` for the place adds to what is spent; negative when it frees a frame or a dearer
  // form.
  int64_t price(ItemPlace place, size_t index) {
    const FormCost& wanted = item(place).forms[index];
    auto delta = static_cast<int64_t>(wanted.cost);
    if (wanted.frame && frame_users_[*wanted.frame] == 0) {
      delta += static_cast<int64_t>(problem_.frames[*wanted.frame]);
    }
    if (const auto current = form(place)) {
      const FormCost& old = item(place).forms[*current];
      delta -= static_cast<int64_t>(old.cost);
      if (old.frame && frame_users_[*old.frame] == 1 && old.frame != wanted.frame) {
        delta -= static_cast<int64_t>(problem_.frames[*old.frame]);
      }
    }
    return delta;
  }

  void choose(ItemPlace place, size_t index) {
    spent_ = static_cast<uint64_t>(static_cast<int64_t>(spent_) + price(place, index));
    if (const auto current = form(place)) {
      if (const auto frame = item(place).forms[*current].frame) --frame_users_[*frame];
    }
    if (const auto frame = item(place).forms[index].frame) ++frame_users_[*frame];
    form(place) = index;
  }

  uint64_t full_size(size_t section) const {
    uint64_t size = 0;
    for (const auto& each : problem_.sections[section].items) size += each.forms.front().cost;
    return size;
  }

  // All of it in its richest form, with the headings that it does not have yet.
  uint64_t full_price(size_t section) const {
    uint64_t total = 0;
    std::vector<bool> paid(problem_.frames.size());
    for (size_t f = 0; f < paid.size(); ++f) paid[f] = frame_users_[f] > 0;
    for (const PackItem& each : problem_.sections[section].items)
      total += cost_with_frame(each.forms.front(), paid);
    return total;
  }

  // What earlier tiers must leave for sections of later tiers.
  uint64_t reserved_after(int tier) const {
    uint64_t reserved = 0;
    for (size_t s = 0; s < problem_.sections.size(); ++s) {
      if (problem_.sections[s].tier <= tier) continue;
      reserved += std::min(share_of(problem_.limit, problem_.sections[s].floor), full_price(s));
    }
    return reserved;
  }

  void serve_tiers() {
    for (size_t first = 0; first < sections_.size();) {
      size_t last = first;
      const int tier = problem_.sections[sections_[first]].tier;
      uint64_t weight = 0;
      for (; last < sections_.size() && problem_.sections[sections_[last]].tier == tier; ++last) {
        weight += full_size(sections_[last]);
      }
      serve_tier(first, last, weight, reserved_after(tier));
      first = last;
    }
  }

  void serve_tier(size_t first, size_t last, uint64_t weight, uint64_t reserved) {
    const uint64_t taken = spent_ + reserved;
    const uint64_t available = taken < problem_.limit ? problem_.limit - taken : 0;
    uint64_t carried = 0;
    for (size_t s = first; s < last; ++s) {
      const size_t section = sections_[s];
      const uint64_t size = full_size(section);
      uint64_t share = available;
      if (last - first > 1) {
        share =
            weight == 0 ? 0 : share_of(available, static_cast<double>(size) / static_cast<double>(weight));
      }
      const uint64_t cap = share_of(problem_.limit, problem_.sections[section].cap);
      // What is left counts too: the very first item may have taken more than its section's share.
      const uint64_t allowance = std::min({share + carried, cap, left() - std::min(left(), reserved)});
      const uint64_t before = spent_;
      serve_section(section, allowance);
      carried = share + carried - std::min(share + carried, spent_ - before);
    }
  }

  void serve_section(size_t section, uint64_t allowance) {
    const uint64_t start = spent_;
    const auto places = places_of(section);
    if (full_price(section) <= allowance) {
      for (const ItemPlace place : places) choose(place, 0);
      return;
    }
    if (problem_.sections[section].in_order) return serve_in_order(places, start + allowance);
    const uint64_t rich_limit = share_of(allowance, problem_.sections[section].rich_share);
    for (const ItemPlace place : places) {
      const bool is_first = place.section == order_.front().section && place.item == order_.front().item;
      const size_t count = item(place).forms.size();
      for (size_t index = 0; index < count; ++index) {
        const auto cost = static_cast<uint64_t>(price(place, index));
        const uint64_t limit = is_first || index + 1 == count ? allowance : rich_limit;
        if (spent_ - start + cost <= limit || (is_first && first_may_take(place, index))) {
          choose(place, index);
          break;
        }
      }
    }
  }

  void serve_in_order(const std::vector<ItemPlace>& places, uint64_t most) {
    const uint64_t kept = kept_for_a_lead(places, most);
    size_t next = 0;
    for (; next < places.size(); ++next) {
      const ItemPlace place = places[next];
      const bool is_first = place.section == order_.front().section && place.item == order_.front().item;
      // One that leads does not give way to a part of another.
      const uint64_t limit = is_first ? problem_.limit : item(place).leads ? most : most - kept;
      if (spent_ + static_cast<uint64_t>(price(place, 0)) > limit) break;
      choose(place, 0);
    }
    if (next == places.size()) return;
    for (size_t i = next; i < places.size(); ++i)
      if (item(places[i]).leads) take_poorer(places[i], 1, most);
    if (!form(places[next])) take_poorer(places[next], 1, most);
    for (size_t i = next + 1; i < places.size(); ++i) {
      const size_t poorest = std::max<size_t>(item(places[i]).forms.size() - 1, 1);
      if (!form(places[i]) && !item(places[i]).goes_on) take_poorer(places[i], poorest, most);
    }
  }

  // What one of those that lead needs for the shortest part of it, where it has no room whole: a third of all at most. Each
  // part counts until all of it has room, and a third grows slower than the whole; so nothing that was shown whole gives way.
  uint64_t kept_for_a_lead(const std::vector<ItemPlace>& places, uint64_t most) {
    std::vector<bool> paid(problem_.frames.size());
    for (size_t f = 0; f < paid.size(); ++f) paid[f] = frame_users_[f] > 0;
    const uint64_t third = (most - std::min(most, spent_)) / 3;
    uint64_t spent = spent_, kept = 0;
    for (const ItemPlace place : places) {
      const std::vector<FormCost>& forms = item(place).forms;
      spent += cost_with_frame(forms.front(), paid);
      // The poorest form only names it.
      const bool has_part = item(place).leads && forms.size() > 2;
      if (spent <= most || !has_part) continue;
      kept = std::max(kept, std::min(third, static_cast<uint64_t>(price(place, forms.size() - 2))));
    }
    return kept;
  }

  // The richest form from `first` on that fits.
  void take_poorer(ItemPlace place, size_t first, uint64_t most) {
    for (size_t index = first; index < item(place).forms.size(); ++index) {
      if (spent_ + static_cast<uint64_t>(price(place, index)) > most) continue;
      return choose(place, index);
    }
  }

  bool first_may_take(ItemPlace place, size_t index) {
    if (leaves_room_for_the_rest(place, index)) return true;
    return index == cheapest_form(place) && static_cast<uint64_t>(price(place, index)) <= left();
  }

  // The poorest form is not always the cheapest one: it may need a frame of its own.
  size_t cheapest_form(ItemPlace place) {
    size_t cheapest = 0;
    for (size_t index = 1; index < item(place).forms.size(); ++index) {
      if (price(place, index) < price(place, cheapest)) cheapest = index;
    }
    return cheapest;
  }

  std::vector<ItemPlace> places_of(size_t section) const {
    std::vector<ItemPlace> places;
    for (const ItemPlace place : order_) {
      if (place.section == section) places.push_back(place);
    }
    return places;
  }

  bool leaves_room_for_the_rest(ItemPlace place, size_t index) const {
    uint64_t total = problem_.base;
    std::vector<bool> paid(problem_.frames.size(), false);
    total += cost_with_frame(item(place).forms[index], paid);
    for (const ItemPlace other : order_) {
      if (other.section == place.section && other.item == place.item) continue;
      total += cost_with_frame(item(other).forms.back(), paid);
    }
    return total <= problem_.limit;
  }

  uint64_t left() const { return problem_.limit - std::min(problem_.limit, spent_); }

  // An upgrade can free a frame, which may let an earlier item in: pass again until nothing changes.
  void upgrade() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 1; i < order_.size(); ++i) changed |= upgrade_one(order_[i]);
    }
    assert(spent_ <= problem_.limit);
  }

  bool upgrade_one(ItemPlace place) {
    if (problem_.sections[place.section].in_order) return false;
    const size_t end = form(place) ? *form(place) : item(place).forms.size();
    for (size_t index = 0; index < end; ++index) {
      if (price(place, index) <= static_cast<int64_t>(left())) {
        choose(place, index);
        return true;
      }
    }
    return false;
  }

  const PackProblem& problem_;
  PackSolution solution_;
  std::vector<size_t> sections_;  // in order of tier
  std::vector<ItemPlace> order_;  // every item in order of service
  std::vector<uint64_t> frame_users_;
  uint64_t spent_ = 0;
};

}  // namespace

PackSolution pack(const PackProblem& problem) {
  return Packer(problem).run();
}

PackSolution hand_out(const PackProblem& problem, const PackSolution& solution) {
  return Packer(problem).go_on(solution);
}

}  // namespace knapsack
