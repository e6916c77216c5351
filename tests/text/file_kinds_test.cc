#include "text/file_kinds.h"

#include <gtest/gtest.h>

namespace knapsack {
namespace {

TEST(FileKinds, HeadersOfCAreToldFromTheBodiesThatTheyInclude) {
  for (const char* path : {"a.h", "src/a.hh", "a.hpp", "a.hxx", "a.h++", "gpu/a.cuh", "x.y/a.b.h"})
    EXPECT_EQ(header_kind(path), HeaderKind::kDeclarations) << path;
  for (const char* path : {"a.inl", "src/a.ipp", "a.tpp", "a.txx"})
    EXPECT_EQ(header_kind(path), HeaderKind::kBodies) << path;
  for (const char* path : {"a.c", "a.cc", "a.hs", "h", "src/h", "a.h/b.py", "", "a.html"})
    EXPECT_EQ(header_kind(path), HeaderKind::kNone) << path;
}

TEST(FileKinds, EveryKindOfHeaderIsSourceInTheTable) {
  for (const char* extension : {"h", "hh", "hpp", "hxx", "h++", "cuh", "inl", "ipp", "tpp", "txx"})
    EXPECT_EQ(extension_kind(extension), ExtensionKind::kSource) << extension;
}

}  // namespace
}  // namespace knapsack
