// examine_files: many files at once, on several threads, handed back to the caller's thread one by one.
//
// Which thread examines which file, and in what order they come back, is left to chance; what comes back is
// not. The first error stops all of them.
// Private to code/index/.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "code/index/file_facts.h"

namespace knapsack::code {

// Runs one thread an examiner. `consume` is called on this thread; `enough` on all of them, and no file is
// begun once it is true.
Status examine_files(const SourceList& list, std::span<const size_t> positions,
                     std::span<const std::unique_ptr<FileExaminer>> examiners,
                     const std::function<Status(ExaminedFile&&)>& consume,
                     const std::function<bool()>& enough);

// Writes what the examiners parsed, each as a segment of its own and all at once; the names of the new
// segments.
Result<std::vector<std::string>> write_documents(FileSystem& files, const std::string& folder,
                                                 std::span<const std::unique_ptr<FileExaminer>> examiners);

}  // namespace knapsack::code
