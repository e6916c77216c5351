// Packs for libgit2, with a look at an object's chain of deltas before it is read. Private to git/.
//
// libgit2 follows deltas wherever they lead: a circle of them (which no fetch lets in, but a hand-made pack can hold)
// keeps it busy for ever. The guard follows the chain first, reading headers only, and refuses what has no end. What it
// has found sound it remembers, so that each entry of a pack is looked at once. Belongs to one object database.
#pragma once

#include <string>

#include "git/library.h"

namespace knapsack {

// A backend for git_odb_add_backend, which takes ownership of it; null, with libgit2's error set, when the
// folder cannot be used.
git_odb_backend* make_guarded_pack_backend(const std::string& objects_folder);

}  // namespace knapsack
