#include "search/segments/segment_merge.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <span>

#include "search/segments/segment_writer.h"

namespace knapsack::search {
namespace {

constexpr uint32_t kDropped = UINT32_MAX;

class Merge {
 public:
  Merge(FileSystem& files, const std::string& folder, const std::vector<MergeInput>& inputs)
      : files_(files), folder_(folder), inputs_(inputs), new_units_(inputs.size()) {}

  Result<std::string> run() {
    for (const MergeInput& input : inputs_) {
      if (!input.live.fits(input.segment->documents())) {
        return input.segment->damaged("a set of live documents does not belong to it");
      }
    }
    KNAPSACK_TRY(SegmentWriter writer, SegmentWriter::create(files_, folder_));
    KNAPSACK_CHECK(merge_documents(writer));
    KNAPSACK_CHECK(merge_terms(writer));
    return writer.finish();
  }

 private:
  struct Source {
    std::string_view key;
    size_t input;
    uint32_t document;
  };

  // All live documents by key, and of those with the same key the one of the last input.
  Result<std::vector<Source>> live_documents() const {
    std::vector<Source> sources;
    for (size_t input = 0; input < inputs_.size(); ++input) {
      Status status = ok_status();
      inputs_[input].live.for_each([&](uint32_t document) {
        if (!status.ok()) return;
        const auto key = inputs_[input].segment->key(document);
        if (key.ok()) {
          sources.push_back({*key, input, document});
        } else {
          status = key.error();
        }
      });
      if (!status.ok()) return status.error();
    }
    std::sort(sources.begin(), sources.end(), [](const Source& a, const Source& b) {
      return a.key != b.key ? a.key < b.key : a.input > b.input;
    });
    const auto same_key = [](const Source& a, const Source& b) { return a.key == b.key; };
    sources.erase(std::unique(sources.begin(), sources.end(), same_key), sources.end());
    return sources;
  }

  Status merge_documents(SegmentWriter& writer) {
    KNAPSACK_TRY(const std::vector<Source> sources, live_documents());
    std::vector<std::array<LengthColumn, kMaxFields>> columns(inputs_.size());
    for (size_t input = 0; input < inputs_.size(); ++input) {
      new_units_[input].assign(inputs_[input].segment->units(), kDropped);
      for (size_t field = 0; field < kMaxFields; ++field) {
        KNAPSACK_TRY(columns[input][field], inputs_[input].segment->lengths(field));
      }
    }
    std::vector<UnitLengths> lengths;
    uint32_t next_unit = 0;
    for (const Source& source : sources) {
      const SegmentReader& segment = *inputs_[source.input].segment;
      const uint32_t end = segment.first_unit(source.document + 1);
      lengths.clear();
      for (uint32_t unit = segment.first_unit(source.document); unit < end; ++unit) {
        new_units_[source.input][unit] = next_unit++;
        UnitLengths& unit_lengths = lengths.emplace_back();
        for (size_t field = 0; field < kMaxFields; ++field) {
          unit_lengths[field] = columns[source.input][field][unit];
        }
      }
      KNAPSACK_CHECK(writer.add_document(source.key, lengths));
    }
    return ok_status();
  }

  Status merge_terms(SegmentWriter& writer) {
    std::vector<TermCursor> cursors;
    std::map<std::string, std::vector<size_t>> waiting;  // the inputs by the term at which they stand
    const auto step = [&](size_t input) -> Status {
      KNAPSACK_TRY(const bool more, cursors[input].next());
      if (more) waiting[cursors[input].term()].push_back(input);
      return ok_status();
    };
    for (size_t input = 0; input < inputs_.size(); ++input) {
      cursors.push_back(inputs_[input].segment->term_cursor());
      KNAPSACK_CHECK(step(input));
    }
    std::optional<std::string> last;
    while (!waiting.empty()) {
      const auto [term, holders] = std::move(*waiting.begin());
      waiting.erase(waiting.begin());
      // The writer relies on ascending terms, so an input that breaks the order must not get through.
      if (last && term <= *last) return inputs_[holders[0]].segment->damaged("its terms are out of order");
      last = term;
      std::array<std::span<const Posting>, kMaxFields> fields{};
      for (size_t field = 0; field < kMaxFields; ++field) {
        gathered_[field].clear();
        for (const size_t input : holders)
          KNAPSACK_CHECK(gather(input, cursors[input].info().fields[field], field));
        fields[field] = gathered_[field];
      }
      KNAPSACK_CHECK(writer.add_term(term, fields));
      for (const size_t input : holders) KNAPSACK_CHECK(step(input));
    }
    return ok_status();
  }

  // Adds the surviving postings of one list, in order.
  Status gather(size_t input, const ListInfo& list, size_t field) {
    const SegmentReader& segment = *inputs_[input].segment;
    std::vector<Posting>& gathered = gathered_[field];
    const auto middle = static_cast<long>(gathered.size());
    KNAPSACK_TRY(PostingReader reader, segment.postings(list));
    PostingBlock block;
    while (!reader.done()) {
      if (!reader.decode(block)) return segment.damaged("a posting list is not whole");
      for (size_t i = 0; i < block.size; ++i) {
        const uint32_t unit = new_units_[input][block.units[i]];
        if (unit != kDropped) gathered.push_back({unit, block.frequencies[i]});
      }
      reader.advance(block);
    }
    std::inplace_merge(gathered.begin(), gathered.begin() + middle, gathered.end(),
                       [](const Posting& a, const Posting& b) { return a.unit < b.unit; });
    return ok_status();
  }

  FileSystem& files_;
  const std::string& folder_;
  const std::vector<MergeInput>& inputs_;
  std::vector<std::vector<uint32_t>> new_units_;  // by input and old unit
  std::array<std::vector<Posting>, kMaxFields> gathered_;
};

}  // namespace

Result<std::string> merge_segments(FileSystem& files, const std::string& folder,
                                   const std::vector<MergeInput>& inputs) {
  return Merge(files, folder, inputs).run();
}

std::vector<size_t> choose_merge(const std::vector<SegmentSize>& segments) {
  constexpr size_t kSegmentsOfOneSize = 8;
  constexpr int kSizeFactorBits = 3;           // sizes within a factor of eight are "about the same"
  constexpr uint64_t kSmallest = 512;          // smaller ones all count as one size
  std::map<int, std::vector<size_t>> by_size;  // smallest first
  for (size_t i = 0; i < segments.size(); ++i) {
    const uint64_t live = std::max(segments[i].live_units, kSmallest);
    by_size[(std::bit_width(live) - 1) / kSizeFactorBits].push_back(i);
  }
  for (const auto& [size, members] : by_size) {
    if (members.size() >= kSegmentsOfOneSize) return members;
  }
  for (size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].live_units * 2 < segments[i].units) return {i};
  }
  return {};
}

}  // namespace knapsack::search
