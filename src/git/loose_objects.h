// Loose objects (objects/ab/cdef…) for libgit2, read by us. Private to git/.
//
// libgit2's own reader never returns from an object that is cut off (what a crash leaves behind), and blocks
// on a FIFO. This one reads regular files only, inflates no further than the size in the object's header
// says, and calls everything else damaged. Belongs to the object database that it was added to.
#pragma once

#include <string>

#include "git/library.h"

namespace knapsack {

// A backend for git_odb_add_backend, which takes ownership of it. Never null.
git_odb_backend* make_loose_backend(const std::string& objects_folder);

}  // namespace knapsack
