// The review queue: memories that somebody proposed and nobody has accepted yet.
//
// review/<id>.md of a namespace's folder, in the form of a memory. Nothing there is ever recalled, listed or searched: it is
// no folder of the tree. Accepting writes the memory into the tree and then takes it out of the queue; refusing takes
// it out and keeps what its words hash to in state/review.refused, so that the same sentence is not proposed again. A run that
// was killed in between is finished by the next that is told the same. Changes need a TreeWriter.
#pragma once

#include <string>
#include <vector>

#include "memory/capture/capture.h"
#include "memory/tree/catalogue.h"
#include "memory/tree/tree_writer.h"

namespace knapsack::memory {

inline constexpr std::string_view kReviewFolder = "review";
inline constexpr std::string_view kRefusedFile = "state/review.refused";
inline constexpr size_t kMaxInReview = 1'000;

// What waits, by id. A file that cannot be read, or is too large for a memory, is passed over; `warnings` say so.
Result<std::vector<Memory>> read_review(const FileSystem& files, const std::string& memory_dir,
                                        const std::string& name_space,
                                        std::vector<std::string>* warnings = nullptr);

struct CapturedSession {
  std::string title;  // what it was about; empty: no episode is written of it
  Timestamp now;
};

struct Queued {
  std::vector<Memory> added;
  size_t known = 0;     // remembered already, in the queue, or refused before
  std::string episode;  // the id of the episode that they belong to; empty for none
  std::vector<std::string> warnings;
};
// Puts proposals into the queue, linked to an episode of their session that waits with them.
Result<Queued> queue_proposals(TreeWriter& writer, const Catalogue& catalogue, const std::string& name_space,
                               const std::vector<Proposal>& proposals, const CapturedSession& session);

// The path in the tree; where a memory says the same already, that one's.
Result<std::string> accept_proposal(TreeWriter& writer, const Catalogue& catalogue, const Memory& proposal,
                                    Timestamp now);
knapsack::Status refuse_proposal(TreeWriter& writer, const Memory& proposal);

}  // namespace knapsack::memory
