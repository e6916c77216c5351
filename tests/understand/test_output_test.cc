// Failures out of what test runners print.
#include "understand/test_output.h"

#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(TestOutput, OfPytest) {
  const TestOutput read = read_test_output(
      "============================= test session starts ==============================\n"
      "collected 3 items\n\n"
      "tests/test_cart.py .FF                                                   [100%]\n\n"
      "=================================== FAILURES ===================================\n"
      "_____________________________ TestCart.test_total[3] ___________________________\n\n"
      "    def test_total(self, n):\n"
      ">       assert total([n]) == 4\n"
      "E       assert 3 == 4\n"
      "E        +  where 3 = total([3])\n\n"
      "tests/test_cart.py:12: AssertionError\n"
      "=========================== short test summary info ============================\n"
      "FAILED tests/test_cart.py::TestCart::test_total[3] - assert 3 == 4\n"
      "FAILED tests/test_cart.py::test_empty - IndexError: list index out of range\n"
      "ERROR tests/test_late.py - ModuleNotFoundError: No module named 'app.late'\n"
      "========================= 2 failed, 1 passed in 0.12s ==========================\n");
  EXPECT_THAT(read.failed,
              ElementsAre(FailedTest{"tests/test_cart.py::TestCart::test_total[3]",
                                     "tests/test_cart.py",
                                     {"TestCart.test_total", "test_total"}},
                          FailedTest{"tests/test_cart.py::test_empty", "tests/test_cart.py", {"test_empty"}},
                          FailedTest{"tests/test_late.py", "tests/test_late.py", {}}));
  EXPECT_THAT(read.errors,
              ElementsAre("assert total([n]) == 4", "assert 3 == 4", "+  where 3 = total([3])",
                          "tests/test_cart.py:12: AssertionError", "IndexError: list index out of range",
                          "ModuleNotFoundError: No module named 'app.late'"));
}

TEST(TestOutput, OfUnittest) {
  const TestOutput read = read_test_output(
      "F.\n======================================================================\n"
      "FAIL: test_total (tests.test_cart.TestCart.test_total)\n"
      "----------------------------------------------------------------------\n"
      "Traceback (most recent call last):\n  File \"/ci/shop/tests/test_cart.py\", line 9, in test_total\n"
      "    self.assertEqual(total([3]), 4)\nAssertionError: 3 != 4\n\nFAILED (failures=1)\n");
  EXPECT_THAT(read.failed, ElementsAre(FailedTest{"test_total (tests.test_cart.TestCart.test_total)",
                                                  "",
                                                  {"TestCart.test_total", "test_total"}}));
  EXPECT_THAT(read.errors, ElementsAre("File \"/ci/shop/tests/test_cart.py\", line 9, in test_total",
                                       "self.assertEqual(total([3]), 4)", "AssertionError: 3 != 4"));
}

TEST(TestOutput, OfGo) {
  const TestOutput read = read_test_output(
      "=== RUN   TestTotal\n--- FAIL: TestTotal (0.00s)\n    --- FAIL: TestTotal/with_tax (0.00s)\n"
      "        cart_test.go:12: got 3, want 4\n=== RUN   TestEmpty\n--- PASS: TestEmpty (0.00s)\nFAIL\n"
      "FAIL\texample.com/shop/cart\t0.005s\nok  \texample.com/shop/rates\t0.003s\n");
  EXPECT_THAT(read.failed, ElementsAre(FailedTest{"TestTotal", "", {"TestTotal"}},
                                       FailedTest{"TestTotal/with_tax", "", {"TestTotal"}}));
  EXPECT_THAT(read.errors, ElementsAre("cart_test.go:12: got 3, want 4"));
}

TEST(TestOutput, OfCargo) {
  const TestOutput read = read_test_output(
      "running 2 tests\ntest cart::tests::is_empty ... ok\ntest cart::tests::adds_up ... "
      "FAILED\n\nfailures:\n\n"
      "---- cart::tests::adds_up stdout ----\n\nthread 'cart::tests::adds_up' panicked at src/cart.rs:21:9:\n"
      "assertion `left == right` failed\n  left: 3\n right: 4\n\nfailures:\n    cart::tests::adds_up\n\n"
      "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n");
  EXPECT_THAT(read.failed,
              ElementsAre(FailedTest{"cart::tests::adds_up", "", {"cart::tests::adds_up", "adds_up"}}));
  EXPECT_THAT(read.errors, ElementsAre("thread 'cart::tests::adds_up' panicked at src/cart.rs:21:9:",
                                       "assertion `left == right` failed"));
}

TEST(TestOutput, OfJestWithItsColours) {
  const TestOutput read = read_test_output(
      "\x1b[1m\x1b[31mFAIL\x1b[39m\x1b[22m src/cart.test.ts\n  Cart\n    \xE2\x9C\x95 adds up (3 ms)\n\n"
      "  \xE2\x97\x8F Cart \xE2\x80\xBA adds up\n\n    expect(received).toBe(expected)\n\n"
      "    Expected: 4\n    Received: 3\n\n"
      "      at Object.<anonymous> (src/cart.test.ts:5:23)\n\nPASS src/rates.test.ts\n"
      "Tests:       1 failed, 1 passed, 2 total\n");
  EXPECT_THAT(read.failed,
              ElementsAre(FailedTest{"src/cart.test.ts", "src/cart.test.ts", {}},
                          FailedTest{"src/cart.test.ts Cart \xE2\x80\xBA adds up", "src/cart.test.ts", {}}));
  EXPECT_THAT(read.errors, Contains("at Object.<anonymous> (src/cart.test.ts:5:23)"));
}

TEST(TestOutput, OfCtestWithGoogletest) {
  const TestOutput read = read_test_output(
      "Test project /ci/build\n    Start 1: core_test\n1/2 Test #1: core_test ........***Failed    0.01 sec\n"
      "[ RUN      ] Clock.ParsesDurations\n/ci/tests/core/clock_test.cc:42: Failure\nExpected equality of "
      "these "
      "values:\n  parse(\"1h\")\n    Which is: 60\n  3600\n"
      "[  FAILED  ] Clock.ParsesDurations (0 ms)\n[  FAILED  ] 2 tests, listed below:\n"
      "[  FAILED  ] Clock.ParsesDurations\n[  FAILED  ] Some/Rounding.IsEven/3, where GetParam() = 3 (0 "
      "ms)\n\n"
      "50% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n\t  1 - core_test (Failed)\n"
      "Errors while running CTest\n");
  EXPECT_THAT(
      read.failed,
      ElementsAre(FailedTest{"Clock.ParsesDurations", "", {"Clock.ParsesDurations", "ParsesDurations"}},
                  FailedTest{"Some/Rounding.IsEven/3", "", {"Rounding.IsEven", "IsEven"}},
                  FailedTest{"core_test", "", {}}));
  EXPECT_THAT(read.errors, Contains("/ci/tests/core/clock_test.cc:42: Failure"));
}

TEST(TestOutput, OfJunit) {
  const TestOutput read = read_test_output(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?><testsuites><testsuite name=\"pytest\" failures=\"1\">"
      "<testcase classname=\"tests.test_cart.TestCart\" name=\"test_total[a&gt;b]\" "
      "file=\"tests/test_cart.py\">"
      "<failure message=\"assert 3 == 4 &amp;&#10;more\">tests/test_cart.py:12: AssertionError</failure>"
      "</testcase><testcase classname=\"com.shop.RatesTest\" name=\"rounds\"><error><![CDATA[java.lang."
      "IllegalStateException: <bad>\n\tat com.shop.Rates.round(Rates.java:7)]]></error></testcase>"
      "<testcase classname=\"tests.test_cart\" name=\"test_fine\"/></testsuite></testsuites>");
  EXPECT_THAT(read.failed,
              ElementsAre(FailedTest{"tests.test_cart.TestCart.test_total[a>b]",
                                     "tests/test_cart.py",
                                     {"TestCart.test_total", "test_total"}},
                          FailedTest{"com.shop.RatesTest.rounds", "", {"RatesTest.rounds", "rounds"}}));
  EXPECT_THAT(read.errors,
              ElementsAre("assert 3 == 4 &", "more", "tests/test_cart.py:12: AssertionError",
                          "java.lang.IllegalStateException: <bad>", "at com.shop.Rates.round(Rates.java:7)"));
}

TEST(TestOutput, NothingFailedWhereEverythingPassed) {
  const TestOutput read = read_test_output(
      "tests/test_error.py::test_error_is_told PASSED\nok  \texample.com/shop/cart\t0.005s\n"
      "test cart::tests::expected_order ... ok\nPASS src/errors.test.ts\n[       OK ] Errors.AreValues (0 "
      "ms)\n");
  EXPECT_THAT(read.failed, IsEmpty());
  EXPECT_THAT(read.errors, IsEmpty());
}

TEST(TestOutput, IsBoundedWhateverItIsGiven) {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += "FAILED tests/test_a.py::test_" + std::to_string(i) + " - E" + std::string(900, 'x') +
            "Error: " + std::to_string(i) + "\n";
  const TestOutput read = read_test_output(text);
  EXPECT_THAT(read.failed, SizeIs(kMaxFailedTests));
  EXPECT_EQ(read.more, 3000 - kMaxFailedTests);
  EXPECT_THAT(read.errors, SizeIs(::testing::Le(200U)));
  for (const std::string& line : read.errors) EXPECT_LE(line.size(), 400U);
}

TEST(TestOutput, TakesWhatIsCutOffOrNoXmlAtAll) {
  for (const std::string text :
       {"<testcase", "<testcase name=\"a", "<testcase name='a'><failure",
        "<testcase name='a'><failure>&#x;&#xD800;", "<testcase name='a'><failure><![CDATA[x", "FAILED ",
        "FAILED ::", "FAIL: (", "--- FAIL: ", "[  FAILED  ] .", "\x1b[", "\x1b", "test  ... FAILED",
        "The following tests FAILED:\n1 - (Failed)", ":1:2", ".:3"}) {
    (void)read_test_output(text);
  }
}

}  // namespace
}  // namespace knapsack
