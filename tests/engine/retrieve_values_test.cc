// Fields and constants that a task calls by name, where files stand, and what a build wrote, on a real index.
#include <fmt/format.h>

#include "engine/support_workspace.h"

namespace knapsack {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::RetrievalWorkspace;

constexpr const char* kRedirectTask =
    "maxRedirects: 0 is ignored: the http adapter follows redirects behind a proxy";

// A declaration of many options, of which a task names one.
std::string many_options() {
  std::string text = "export interface RequestOptions {\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("  option{}?: string;\n", i);
  text += "  maxRedirects?: number;\n";
  for (int i = 40; i < 80; ++i) text += fmt::format("  option{}?: string;\n", i);
  return text + "}\n";
}

std::string http_adapter() {
  std::string text =
      "function followRedirects(request, proxy) {\n  // the http adapter follows redirects behind a proxy\n"
      "  if (request.maxRedirects === 0) return request.proxy;\n  return http.follow(proxy, "
      "redirects);\n}\n\n";
  for (const char* name : {"openSocket", "closeSocket", "writeBody"}) {
    text += fmt::format("function {}(socket) {{\n", name);
    for (int i = 0; i < 8; ++i) text += fmt::format("  socket.{}Step{}(buffer{});\n", name, i, i);
    text += "}\n\n";
  }
  return text;
}

RetrieveReply packet_of(RetrievalWorkspace& workspace) {
  workspace.index();
  return workspace.retrieve(RetrievalWorkspace::request(kRedirectTask, 8000));
}

TEST(RetrieveValues, AFieldThatTheTaskNamesIsShownByItsOwnLineInWhatItStandsIn) {
  RetrievalWorkspace workspace;
  workspace.folder().write("index.d.ts", many_options());
  workspace.folder().write("lib/http.js", http_adapter());
  const std::string output = packet_of(workspace).output;
  EXPECT_THAT(output, HasSubstr("interface RequestOptions {\n…\n  maxRedirects?: number;\n"));
  EXPECT_THAT(output, Not(HasSubstr("option39")));
  // Code comes before a declaration, though it is the declaration that has the name.
  EXPECT_LT(output.find("## lib/http.js"), output.find("## index.d.ts"));
}

TEST(RetrieveValues, ATestThatDefinesWhatIsNamedStandsBehindTheCode) {
  RetrievalWorkspace workspace;
  workspace.folder().write("lib/http.js", http_adapter());
  std::string test = "function stubRedirects() {\n";
  for (int i = 0; i < 30; ++i) test += fmt::format("  expect(step{}).toBe({});\n", i, i);
  workspace.folder().write("test/http.test.js", test + "}\n");
  workspace.index();
  const std::string output = workspace
                                 .retrieve(RetrievalWorkspace::request(
                                     fmt::format("{}, as stubRedirects shows", kRedirectTask), 8000))
                                 .output;
  EXPECT_LT(output.find("## lib/http.js"), output.find("test/http.test.js")) << output;
}

TEST(RetrieveValues, AFileThatTheTaskCallsByItsPathStaysFirst) {
  RetrievalWorkspace workspace;
  workspace.folder().write("index.d.ts", many_options());
  workspace.folder().write("lib/http.js", http_adapter());
  workspace.index();
  const std::string output =
      workspace.retrieve(RetrievalWorkspace::request(fmt::format("{}, see index.d.ts", kRedirectTask), 8000))
          .output;
  EXPECT_LT(output.find("## index.d.ts"), output.find("## lib/http.js"));
}

TEST(RetrieveValues, AVariableOfAnExampleIsNotTheFieldOfThatName) {
  RetrievalWorkspace workspace;
  workspace.folder().write("index.d.ts", many_options());
  workspace.folder().write("lib/http.js", http_adapter());
  workspace.folder().write("examples/plain.js", "const maxRedirects = 5;\nstart(maxRedirects);\n");
  EXPECT_THAT(packet_of(workspace).output, Not(HasSubstr("const maxRedirects = 5")));
}

TEST(RetrieveValues, WhatABuildWroteOfSeveralFilesIsListedNowhere) {
  RetrievalWorkspace workspace;
  std::string socket = "export function redirectSocket(proxy) {\n";
  for (int i = 0; i < 12; ++i) socket += fmt::format("  proxy.redirectStep{}(adapter{});\n", i, i);
  socket += "}\n\nexport function followsProxy(proxy) { return proxy.follows(redirects); }\n";
  workspace.folder().write("index.d.ts", many_options());
  workspace.folder().write("lib/http.js", http_adapter());
  workspace.folder().write("lib/socket.js", socket);
  workspace.folder().write("dist/all.js", http_adapter() + socket + http_adapter() + "start(follow);\n");
  const RetrieveReply reply = packet_of(workspace);
  EXPECT_THAT(reply.output, HasSubstr("redirectSocket"));
  EXPECT_THAT(reply.output, Not(HasSubstr("## dist/all.js"))) << reply.output;
}

}  // namespace
}  // namespace knapsack
