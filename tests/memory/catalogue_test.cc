#include "memory/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/memory_file_system.h"
#include "search/query.h"
#include "support/support.h"

namespace knapsack::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

CatalogueRequest in_memory() {
  return {"/memory", "/state", false, false};
}

std::vector<std::string> ids(const Catalogue& catalogue) {
  std::vector<std::string> all;
  for (const Memory& memory : catalogue.memories()) all.push_back(memory.id);
  return all;
}

TEST(Catalogue, OfNoTreeIsEmpty) {
  MemoryFileSystem files;
  const auto catalogue = Catalogue::open(files, in_memory());
  ASSERT_OK(catalogue);
  EXPECT_THAT(catalogue->memories(), IsEmpty());
  EXPECT_EQ(catalogue->index().documents(), 0U);
}

TEST(Catalogue, HoldsEveryMemoryInTheOrderOfTime) {
  MemoryFileSystem files;
  files.put("/memory/facts/2026-11-15/b.md", "---\nid: b\ncreated: 2026-11-15T09:00:00Z\n---\nSecond.\n");
  files.put("/memory/facts/2026-11-15/a.md", "---\nid: a\ncreated: 2026-11-15T10:00:00Z\n---\nThird.\n");
  files.put("/memory/facts/2026-11-14/c.md", "---\nid: c\n---\nFirst.\n");
  files.put("/memory/namespaces/shared/facts/2026-11-14/d.md", "Everybody's.\n");
  files.put("/memory/profile.md", "# Profile\n");
  const auto catalogue = Catalogue::open(files, in_memory());
  ASSERT_OK(catalogue);
  EXPECT_THAT(ids(*catalogue), ElementsAre("c", "b", "a", "d"));
  EXPECT_EQ(catalogue->memories()[3].name_space, "shared");
  EXPECT_EQ(catalogue->memories()[1].text, "Second.");
  EXPECT_EQ(catalogue->memories()[1].session, "2026-11-15");
  EXPECT_EQ(catalogue->index().documents(), 4U);
  EXPECT_THAT(catalogue->warnings(), IsEmpty());
}

}  // namespace
}  // namespace knapsack::memory
