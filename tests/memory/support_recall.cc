#include "memory/support_recall.h"

#include <algorithm>
#include <tuple>

namespace knapsack::memory {

Timestamp test_now() {
  return *make_timestamp(2026, 11, 15, 12, 0, 0);
}

Timestamp days_ago(double days) {
  return {test_now().micros - static_cast<int64_t>(days * 86'400e6)};
}

Memory note(const std::string& id, const std::string& text) {
  Memory memory;
  memory.id = id;
  memory.path = "facts/" + id + ".md";
  memory.text = text;
  memory.created = days_ago(1);
  return memory;
}

Memory turn(const std::string& id, const std::string& session, int minute, const std::string& speaker,
            const std::string& text) {
  Memory memory = note(id, text);
  memory.kind = Kind::kEpisode;
  memory.session = session;
  memory.speaker = speaker;
  memory.created = Timestamp{days_ago(1).micros + int64_t{minute} * 60'000'000};
  return memory;
}

RecallFixture::RecallFixture(std::vector<Memory> memories) : memories_(std::move(memories)) {
  std::sort(memories_.begin(), memories_.end(), [](const Memory& a, const Memory& b) {
    return std::tie(a.name_space, a.session, a.created, a.id) <
           std::tie(b.name_space, b.session, b.created, b.id);
  });
  MemoryFileSystem files;
  search::SegmentBuilder builder;
  for (const Memory& memory : memories_) add_document(builder, memory);
  EXPECT_OK(files.make_directory("/s"));
  const auto name = builder.write(files, "/s");
  EXPECT_OK(name);
  auto segment = search::open_segment(files, "/s", *name);
  EXPECT_OK(segment);
  const auto live = search::LiveSet::all((*segment)->documents());
  auto index = search::Index::open({{*segment, live}});
  EXPECT_OK(index);
  index_ = std::make_unique<search::Index>(*std::move(index));
}

const Memory& RecallFixture::operator[](const std::string& id) const {
  return *std::find_if(memories_.begin(), memories_.end(), [&](const Memory& each) { return each.id == id; });
}

std::vector<std::string> RecallFixture::ranked(const std::string& question,
                                               const RankingOptions& options) const {
  std::vector<const Memory*> all;
  for (const Memory& memory : memories_) all.push_back(&memory);
  auto ranking = MemoryRanking::open(*index_, all, options);
  EXPECT_OK(ranking);
  const auto order = ranking->rank(question);
  EXPECT_OK(order);
  std::vector<std::string> ids;
  for (const RankedMemory& each : order->ranked) ids.push_back(all[each.position]->id);
  return ids;
}

Recalled RecallFixture::recall(const std::string& prompt, const RecallOptions& options,
                               std::vector<std::string> namespaces) const {
  const Eligibility eligibility(memories_, {namespaces, test_now(), false});
  const RecallSource source{memories_, *index_, eligibility, namespaces};
  auto recalled = find_memories(source, prompt, test_now(), options);
  EXPECT_OK(recalled);
  choose_memories(*recalled, source, options);
  return *std::move(recalled);
}

std::vector<std::string> RecallFixture::taken(const std::vector<RecalledMemory>& memories) {
  std::vector<std::string> ids;
  for (const RecalledMemory& each : memories) {
    if (each.dropped.empty()) ids.push_back(each.memory->id);
  }
  return ids;
}

}  // namespace knapsack::memory
