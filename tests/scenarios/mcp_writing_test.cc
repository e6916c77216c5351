// Tools of the MCP server that change something, as a client calls them: what they write is what the commands write.
#include <nlohmann/json.hpp>

#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class McpWriting : public ::testing::Test {
 protected:
  void SetUp() override { folder_.write(".git/HEAD", "ref: refs/heads/main\n"); }
  testing::ProgramResult run(const std::vector<std::string>& arguments, const std::string& input = "") {
    return testing::run_program(arguments, folder_.path(), {}, input);
  }
  json call(const std::string& tool, const json& arguments) {
    const json request = {{"jsonrpc", "2.0"},
                          {"id", 1},
                          {"method", "tools/call"},
                          {"params",
                           {{"name", tool},
                            {"arguments", arguments},
                            {"_meta",
                             {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                              {"io.modelcontextprotocol/clientInfo", {{"name", "t"}, {"version", "1"}}},
                              {"io.modelcontextprotocol/clientCapabilities", json::object()}}}}}};
    const json reply = json::parse(run({"mcp"}, request.dump() + "\n").out);
    EXPECT_TRUE(reply.contains("result")) << reply;
    EXPECT_FALSE(reply["result"].value("isError", false)) << reply;
    return reply["result"];
  }

  testing::TemporaryFolder folder_;
};

TEST_F(McpWriting, AVoteIsCountedAtTheMemory) {
  const auto kept = run({"remember", "We deploy on Tuesdays", "--format", "json"});
  ASSERT_EQ(kept.exit_code, 0) << kept.err;
  const std::string id = json::parse(kept.out)["id"];
  const auto shown = [&] { return json::parse(run({"memories", "show", id, "--format", "json"}).out); };
  call("memory_feedback", {{"id", id}, {"useful", false}});
  EXPECT_EQ(shown()["notUsefulCount"], 1);
  call("memory_feedback", {{"id", id}, {"useful", true}});
  call("memory_feedback", {{"id", id}, {"useful", true}});
  EXPECT_EQ(shown()["usefulCount"], 2);
}

TEST_F(McpWriting, NotesAreAddedDoneAndArchived) {
  call("note", {{"action", "add"}, {"kind", "task"}, {"text", "Retry a carrier that answers 503"}});
  call("note",
       {{"action", "add"}, {"kind", "decision"}, {"text", "One transaction a batch\nSo it can resume."}});
  call("note", {{"action", "add"}, {"kind", "learning"}, {"text", "A retry keeps its id"}});
  call("note", {{"action", "add"}, {"kind", "convention"}, {"text", "Times are UTC"}});
  EXPECT_THAT(run({"agent"}).out,
              AllOf(HasSubstr("Retry a carrier that answers 503"), HasSubstr("So it can resume."),
                    HasSubstr("A retry keeps its id"), HasSubstr("Times are UTC")));
  call("note", {{"action", "done"}, {"text", "carrier 503"}});
  EXPECT_THAT(folder_.read(".context/TASKS.md"), HasSubstr("[x] Retry a carrier that answers 503"));
  call("note", {{"action", "archive"}});
  EXPECT_THAT(folder_.read(".context/TASKS.md"), Not(HasSubstr("Retry a carrier")));
  EXPECT_THAT(folder_.read(".context/archive/TASKS.md"), HasSubstr("Retry a carrier that answers 503"));
}

}  // namespace
}  // namespace knapsack
