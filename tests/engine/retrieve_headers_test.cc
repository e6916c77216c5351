// Bodies stand as high as the header that declares them, on a real index.
#include <fmt/format.h>

#include "engine/support_workspace.h"

namespace knapsack {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::RetrievalWorkspace;

constexpr const char* kMethods[] = {"open", "rotate", "flush", "rename"};

// A class and much that is called like it.
std::string header() {
  std::string text =
      "// Rotates on open.\ntemplate <typename Mutex>\nclass rotating_sink : public base_sink<Mutex> "
      "{\npublic:\n";
  for (const char* method : kMethods)
    text += fmt::format("  void {}_(const file_name& name, size_t size);\n", method);
  text += "};\n";
  for (int i = 0; i < 4; ++i) {
    text += fmt::format(
        "// rotating_sink that rotates on open, kind {0}\nusing rotating_sink_{0} = "
        "rotating_sink<mutex_{0}>;\n"
        "std::shared_ptr<logger> rotating_sink_logger_{0}(bool rotate_on_open = true) {{\n",
        i);
    for (int j = 0; j < 8; ++j)
      text += fmt::format("  rotating_sink_{} sink_{}(rotate_on_open, backup_{});\n", i, j, j);
    text += "}\n\n";
  }
  return text;
}

std::string bodies() {
  std::string text = "#include \"rotating_sink.h\"\n\n";
  for (const char* method : kMethods) {
    text += fmt::format(
        "template <typename Mutex>\nvoid rotating_sink<Mutex>::{}_(const file_name& name, size_t size) {{\n",
        method);
    for (int j = 0; j < 6; ++j) text += fmt::format("  step_of_{}_{}(name, size);\n", method, j);
    text += "}\n\n";
  }
  return text;
}

std::string packet_with(const std::string& name_of_bodies) {
  RetrievalWorkspace workspace;
  workspace.folder().write("include/rotating_sink.h", header());
  workspace.folder().write("include/" + name_of_bodies, bodies());
  workspace.index();
  return workspace
      .retrieve(RetrievalWorkspace::request(
          "rotating_sink rotates on open even when the file is empty and loses its backup", 8000))
      .output;
}

TEST(RetrieveHeaders, BodiesAreShownBesideTheHeaderThatDeclaresThem) {
  for (const char* name : {"rotating_sink-inl.h", "rotating_sink.cc"})
    EXPECT_THAT(packet_with(name), HasSubstr("step_of_rotate_0(name, size);")) << name;
}

TEST(RetrieveHeaders, AFileOfAnotherNameKeepsItsPlace) {
  EXPECT_THAT(packet_with("sinks.cc"), Not(HasSubstr("step_of_rotate_0(name, size);")));
}

}  // namespace
}  // namespace knapsack
