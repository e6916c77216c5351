#include "search/query/term_frequencies.h"

#include <algorithm>
#include <tuple>

namespace knapsack::search {

Result<std::vector<TermFrequency>> term_frequencies(const Index& index, std::string_view term,
                                                    FieldMask fields) {
  std::vector<TermFrequency> found;
  PostingBlock block;
  for (uint32_t part = 0; part < index.parts(); ++part) {
    const SegmentReader& segment = index.segment(part);
    KNAPSACK_TRY(std::vector<FieldPostings> lists, index.postings(part, term, fields));
    const auto begin = static_cast<long>(found.size());
    for (FieldPostings& list : lists) {
      uint32_t document = 0;
      while (!list.reader.done()) {
        if (!list.reader.decode(block)) return segment.damaged("a posting list is not whole");
        for (size_t i = 0; i < block.size; ++i) {
          if (!index.is_live_unit(part, block.units[i])) continue;
          document = segment.document_of(block.units[i], document);
          const uint32_t unit = block.units[i] - segment.first_unit(document);
          found.push_back({{part, document}, unit, list.field, block.frequencies[i]});
        }
        list.reader.advance(block);
      }
    }
    if (lists.size() > 1) {
      std::sort(found.begin() + begin, found.end(), [](const TermFrequency& a, const TermFrequency& b) {
        return std::tie(a.document.document, a.unit, a.field) <
               std::tie(b.document.document, b.unit, b.field);
      });
    }
  }
  return found;
}

}  // namespace knapsack::search
