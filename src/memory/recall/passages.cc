#include "memory/recall/passages.h"

#include <algorithm>
#include <cmath>

#include "core/ids.h"
#include "memory/tree/tree.h"

namespace knapsack::memory {
namespace {

bool has_passages(const Memory& memory) {
  return memory.kind != Kind::kArtifact && memory.status == Status::kActive;
}

std::string spoken(const Memory& memory) {
  return memory.speaker.empty() ? memory.text : memory.speaker + ": " + memory.text;
}

// A turn of a conversation, an episode, or what was put into a session by name.
bool is_told(const Memory& memory) {
  return !memory.speaker.empty() || memory.kind == Kind::kEpisode || memory.kind == Kind::kBox ||
         !is_day(memory.session);
}

}  // namespace

bool go_together(const Memory& a, const Memory& b) {
  return !a.session.empty() && a.session == b.session && a.name_space == b.name_space && is_told(a) &&
         is_told(b);
}

size_t count_passages(std::span<const Memory> memories) {
  return static_cast<size_t>(std::count_if(memories.begin(), memories.end(), has_passages));
}

std::vector<MemoryPassages> passages_of(std::span<const Memory> memories) {
  std::vector<MemoryPassages> passages(memories.size());
  std::optional<size_t> last;
  for (size_t place = 0; place < memories.size(); ++place) {
    if (!has_passages(memories[place])) continue;
    if (last && go_together(memories[*last], memories[place])) {
      passages[*last].after = place;
      passages[place].before = last;
    }
    last = place;
  }
  std::string key;  // one for all: a large tree is read for every question
  for (size_t place = 0; place < memories.size(); ++place) {
    if (!has_passages(memories[place])) continue;
    key.assign("passages");
    for (const std::optional<size_t> part :
         {passages[place].before, std::optional(place), passages[place].after}) {
      key += '\1';
      if (!part) continue;
      key += memories[*part].speaker;
      key += '\0';
      key += memories[*part].text;
    }
    passages[place].hash = content_hash(key);
  }
  return passages;
}

PassageTexts texts_of(std::span<const Memory> memories, size_t place, const MemoryPassages& passages) {
  PassageTexts texts{spoken(memories[place]), spoken(memories[place])};
  if (passages.before) texts.before = spoken(memories[*passages.before]) + "\n" + texts.before;
  if (passages.after) texts.after += "\n" + spoken(memories[*passages.after]);
  return texts;
}

std::vector<double> nearness_of(std::span<const double> similarities) {
  double sum = 0;
  double most = -1e9;
  size_t count = 0;
  for (const double each : similarities) {
    if (std::isnan(each)) continue;
    sum += each;
    most = std::max(most, each);
    ++count;
  }
  std::vector<double> nearness(similarities.size());
  if (count == 0) return nearness;
  const double mean = sum / static_cast<double>(count);
  // One memory alone, or all alike: whoever is there is the nearest.
  if (most - mean < 1e-9) {
    for (size_t i = 0; i < nearness.size(); ++i) nearness[i] = std::isnan(similarities[i]) ? 0 : 1;
    return nearness;
  }
  for (size_t i = 0; i < nearness.size(); ++i) {
    if (!std::isnan(similarities[i])) nearness[i] = std::max(0.0, (similarities[i] - mean) / (most - mean));
  }
  return nearness;
}

}  // namespace knapsack::memory
