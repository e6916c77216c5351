#include "code/index/collections.h"

#include <algorithm>

#include "search/segments/segment_merge.h"

namespace knapsack::code {
namespace {

using search::LiveSet;

Result<std::shared_ptr<const search::SegmentReader>> open_checked(const FileSystem& files,
                                                                  const std::string& folder,
                                                                  const std::string& name) {
  KNAPSACK_TRY(auto reader, search::open_segment(files, folder, name));
  KNAPSACK_CHECK(reader->verify());
  return reader;
}

Result<LiveSet> wanted_documents(const search::SegmentReader& segment,
                                 const std::function<bool(std::string_view key)>& keep) {
  LiveSet wanted;
  for (uint32_t document = 0; document < segment.documents(); ++document) {
    KNAPSACK_TRY(const std::string_view key, segment.key(document));
    if (keep(key)) wanted.add(document);
  }
  return wanted;
}

uint64_t units_of(const search::SegmentReader& segment, const LiveSet& documents) {
  uint64_t units = 0;
  documents.for_each(
      [&](uint32_t document) { units += segment.first_unit(document + 1) - segment.first_unit(document); });
  return units;
}

}  // namespace

Result<Collections> Collections::open(FileSystem& files, const std::string& folder, CuratedWriter& writer) {
  Collections opened(files, folder, writer);
  KNAPSACK_TRY(const auto rows, writer.rows().segments());
  std::vector<std::string> names;
  for (const SegmentRow& row : rows) {
    names.push_back(row.name);
    auto reader = open_checked(files, folder, row.name);
    if (reader.ok()) {
      opened.entries_[row.collection].push_back({row.segment, *std::move(reader)});
    } else {
      opened.broken_.push_back({row.name, reader.error()});
      opened.broken_numbers_.push_back(row.segment);
    }
  }
  KNAPSACK_CHECK(search::sweep_segments(files, folder, names));
  return opened;
}

Status Collections::remove_broken() {
  for (const int64_t number : broken_numbers_) KNAPSACK_CHECK(writer_->remove_segment(number));
  if (!broken_numbers_.empty()) KNAPSACK_CHECK(writer_->forget_live_sets());
  broken_numbers_.clear();
  return ok_status();
}

Status Collections::add(const std::string& collection, const std::string& segment_name) {
  auto& entries = entries_[collection];
  // Segments are named by their content: the same documents again are the same file.
  const bool known = std::any_of(entries.begin(), entries.end(),
                                 [&](const Entry& entry) { return entry.reader->name() == segment_name; });
  if (known) return ok_status();
  KNAPSACK_TRY(auto reader, search::open_segment(*files_, folder_, segment_name));
  KNAPSACK_TRY(const int64_t number, writer_->add_segment(collection, segment_name));
  entries.push_back({number, std::move(reader)});
  return ok_status();
}

Result<bool> Collections::merge(const std::string& collection,
                                const std::function<bool(std::string_view key)>& keep) {
  auto& entries = entries_[collection];
  bool merged = false;
  while (true) {
    std::vector<LiveSet> wanted;
    std::vector<search::SegmentSize> sizes;
    for (const Entry& entry : entries) {
      KNAPSACK_TRY(LiveSet live, wanted_documents(*entry.reader, keep));
      sizes.push_back({entry.reader->units(), units_of(*entry.reader, live)});
      wanted.push_back(std::move(live));
    }
    const std::vector<size_t> chosen = search::choose_merge(sizes);
    if (chosen.empty()) return merged;
    KNAPSACK_CHECK(merge_some(entries, chosen, collection, wanted));
    merged = true;
  }
}

Status Collections::merge_some(std::vector<Entry>& entries, const std::vector<size_t>& chosen,
                               const std::string& collection, const std::vector<LiveSet>& wanted) {
  std::vector<search::MergeInput> inputs;
  for (const size_t at : chosen) inputs.push_back({entries[at].reader, wanted[at]});
  std::vector<Entry> rest;
  for (size_t at = 0; at < entries.size(); ++at) {
    if (std::find(chosen.begin(), chosen.end(), at) == chosen.end()) {
      rest.push_back(entries[at]);
    } else {
      KNAPSACK_CHECK(writer_->remove_segment(entries[at].number));
    }
  }
  const bool anything = std::any_of(inputs.begin(), inputs.end(),
                                    [](const search::MergeInput& input) { return input.live.size() > 0; });
  std::string name;
  if (anything) {
    KNAPSACK_TRY(name, search::merge_segments(*files_, folder_, inputs));
  }
  entries = std::move(rest);
  return anything ? add(collection, name) : ok_status();
}

Result<search::LiveKeys> Collections::find(const std::string& collection,
                                           const std::vector<std::string>& keys) const {
  std::vector<std::shared_ptr<const search::SegmentReader>> segments;
  if (const auto found = entries_.find(collection); found != entries_.end()) {
    for (const Entry& entry : found->second) segments.push_back(entry.reader);
  }
  return search::find_live(segments, keys);
}

Status Collections::put_live_sets(int64_t snapshot, const std::string& collection,
                                  const search::LiveKeys& live) {
  const auto found = entries_.find(collection);
  if (found == entries_.end()) return ok_status();
  for (size_t i = 0; i < found->second.size(); ++i) {
    KNAPSACK_CHECK(writer_->put_live_set(snapshot, {found->second[i].number, live.live[i].to_bytes()}));
  }
  return ok_status();
}

}  // namespace knapsack::code
