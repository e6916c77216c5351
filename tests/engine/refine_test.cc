// A refinement goes on from the last packet, puts first what was asked for, and says what does not fit.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/support_workspace.h"

namespace knapsack {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RetrievalWorkspace;
using testing::shows_file;

class Refine : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto& folder = workspace_.folder();
    folder.write("app/__init__.py", "");
    folder.write("app/billing.py",
                 "from app.rates import rate_of\n\n\ndef invoice(hours):\n    return rate_of() * hours\n");
    folder.write("app/rates.py", "def rate_of():\n    return 7\n");
    std::string body =
        "class Archive:\n    def deposit(self, parcel):\n        \"\"\"Takes a parcel in.\"\"\"\n";
    for (int i = 0; i < 120; ++i) body += fmt::format("        self.shelf_{}.append(parcel)\n", i);
    folder.write("app/archive.py", body);
    folder.write("app/giraffe.py", "def stretch_neck():\n    return 'long'\n");
    folder.write("tests/test_billing.py",
                 "from app.billing import invoice\n\n\ndef test_invoice_of_nothing():\n    assert invoice(0) "
                 "== 0\n\n\n"
                 "def test_other():\n    assert True\n");
    workspace_.index();
  }
  void retrieve(uint64_t window = 4000) {
    RetrieveRequest request = RetrievalWorkspace::request("fix invoice in app/billing.py", window);
    request.task_id = "t";
    const RetrieveReply first = workspace_.retrieve(request);
    EXPECT_THAT(first.output, HasSubstr("def invoice(hours)"));
  }
  RefineRequest asking(const nlohmann::json& wanted) {
    RefineRequest request;
    request.task_id = "t";
    request.request_json = wanted.dump();
    request.refresh = false;
    return request;
  }
  RetrieveReply refine(const RefineRequest& request) {
    auto reply = workspace_.engine().refine(request);
    EXPECT_OK(reply);
    return reply.ok() ? *std::move(reply) : RetrieveReply();
  }
  RetrievalWorkspace workspace_;
};

TEST_F(Refine, ARequestedSymbolIsThereAsItsSignatureWhereItsBodyDoesNotFit) {
  retrieve();
  RefineRequest request = asking({{"missing_symbols", {"Archive.deposit"}}});
  request.budget = 300;
  const RetrieveReply reply = refine(request);
  EXPECT_THAT(reply.output, HasSubstr("def deposit(self, parcel)"));
  EXPECT_THAT(reply.output, Not(HasSubstr("self.shelf_119")));
  EXPECT_LE(reply.packet.used, 300U);
  EXPECT_THAT(reply.notices, Contains(AllOf(HasSubstr("Archive.deposit does not fit"), HasSubstr("tokens"))));
}

TEST_F(Refine, ARequestedSymbolComesBeforeWhatTheTaskNeeds) {
  retrieve();
  const RetrieveReply reply = refine(asking({{"missing_symbols", {"Archive.deposit"}}}));
  EXPECT_THAT(reply.output, HasSubstr("self.shelf_119")) << "there is room for all of it";
  EXPECT_THAT(reply.output, HasSubstr("def invoice(hours)"));
  EXPECT_LT(reply.output.find("## app/archive.py"), reply.output.find("## app/billing.py"));
  EXPECT_THAT(reply.notices, Not(Contains(HasSubstr("does not fit"))));
}

TEST_F(Refine, GoesOnFromTheLastPacket) {
  retrieve();
  // The error is about something else entirely and would push the first packet's code behind the stop.
  const RetrieveReply reply = refine(
      asking({{"error_signatures", {"stretch_neck stretch_neck: the giraffe's neck is long, long, long"}}}));
  EXPECT_THAT(reply.output, HasSubstr("def stretch_neck()"));
  EXPECT_THAT(reply.output, HasSubstr("def invoice(hours)"));
  EXPECT_THAT(reply.output, HasSubstr("def rate_of()")) << "it was in the last packet";
}

TEST_F(Refine, ItsReasonIsRead) {
  retrieve();
  const RetrieveReply reply = refine(asking({{"reason", "what does stretch_neck do?"}}));
  EXPECT_THAT(reply.output, HasSubstr("def stretch_neck()"));
}

TEST_F(Refine, FailingTestsAskForThemselvesAndWhatTheyName) {
  retrieve();
  RefineRequest request = asking({});
  request.request_json.clear();
  request.test_output =
      "tests/test_billing.py F.\nE       assert 7 == 0\n/ci/shop/app/giraffe.py:2: in stretch_neck\n"
      "FAILED tests/test_billing.py::test_invoice_of_nothing - assert 7 == 0\n"
      "FAILED tests/test_gone.py::test_gone - assert 0\n";
  const RetrieveReply reply = refine(request);
  EXPECT_THAT(reply.output, HasSubstr("def test_invoice_of_nothing():\n    assert invoice(0) == 0"));
  EXPECT_TRUE(shows_file(reply, "app/giraffe.py")) << reply.output;
  EXPECT_THAT(reply.notices, Contains("the failed test tests/test_gone.py::test_gone is not in the index"));
  auto explanation = workspace_.engine().explain("latest", "tests/test_billing.py");
  ASSERT_OK(explanation);
  EXPECT_THAT(explanation->answers.at(0), HasSubstr("a test that failed"));
}

TEST_F(Refine, OutputWithoutFailuresIsRefused) {
  retrieve();
  RefineRequest request = asking({});
  request.request_json.clear();
  request.test_output = "2 passed in 0.01s\n";
  const auto reply = workspace_.engine().refine(request);
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().code, ErrorCode::kUsage);
  EXPECT_THAT(reply.error().line(), HasSubstr("the test output names no failed test"));
}

}  // namespace
}  // namespace knapsack
