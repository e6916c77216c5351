// What is shown of a unit that has no room whole, on a real index.
#include <fmt/format.h>

#include <algorithm>

#include "engine/support_workspace.h"

namespace knapsack {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RetrievalWorkspace;

class RetrieveParts : public ::testing::Test {
 protected:
  std::string retrieve(const std::string& task, uint64_t budget) {
    RetrieveRequest request = RetrievalWorkspace::request(task, budget);
    request.settings["code.tokenizer"] = "o200k";
    return workspace_.retrieve(request).output;
  }
  static size_t times(const std::string& text, std::string_view part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
  }

  // What the account of the last packet says of candidates whose id or title holds this.
  std::vector<std::string> explained(const std::string& what) {
    auto explanation = workspace_.engine().explain("latest", what);
    EXPECT_TRUE(explanation.ok());
    return explanation.ok() ? explanation->answers : std::vector<std::string>{};
  }

  RetrievalWorkspace workspace_;
};

// What begins like this, with 300 lines behind it of which one is about the task.
std::string long_function(std::string body) {
  for (int n = 0; n < 300; ++n) {
    body += n == 150 ? "    if rows.balance_mismatch(): raise LedgerMismatch(rows)\n"
                     : fmt::format("    step_{0} = rows.pop({0}) + {0}\n", n);
  }
  return body;
}

TEST_F(RetrieveParts, MoreOfALongFunctionIsShownWhereThereIsMoreRoom) {
  workspace_.folder().write("ledger.py", long_function("def settle_ledger(rows):\n"));
  workspace_.index();
  std::vector<size_t> shown;
  for (const uint64_t budget : {600, 1000, 1900, 8000}) {
    const std::string packet = retrieve("settle_ledger raises LedgerMismatch on a balance mismatch", budget);
    EXPECT_THAT(packet, HasSubstr("raise LedgerMismatch(rows)")) << budget;
    shown.push_back(times(packet, "= rows.pop("));
  }
  EXPECT_TRUE(std::is_sorted(shown.begin(), shown.end()));
  EXPECT_EQ(shown.front(), 23U) << "the most telling lines alone";
  EXPECT_EQ(shown[2], 95U) << "with those around them";
  EXPECT_EQ(shown.back(), 299U) << "all of it";
}

// Short functions share more words with the task, and a page says it all.
TEST_F(RetrieveParts, WhereATraceEndsComesFirstAndAtLeastInPart) {
  workspace_.folder().write("app/ledger.py", long_function("def settle(rows):\n"));
  std::string getters;
  for (int n = 0; n < 40; ++n)
    getters += fmt::format(
        "def open_balance_{0}(book):\n    balance = book.balance_{0}\n    return balance\n\n\n", n);
  workspace_.folder().write("app/balance.py", getters);
  workspace_.folder().write("news/release.md",
                            "# Balance\n\nThe open balance of a book is the balance that is open.\n");
  workspace_.index();
  const std::string task =
      "open balance of a book: balance open\n\n```\nTraceback (most recent call last):\n"
      "  File \"/srv/app/balance.py\", line 2, in open_balance_0\n"
      "  File \"/srv/app/ledger.py\", line 90, in settle\nKeyError: 'balance'\n```\n";
  for (const uint64_t budget : {1200, 2000, 8000}) {
    const std::string packet = retrieve(task, budget);
    EXPECT_THAT(packet, HasSubstr("def settle(rows):\n")) << budget;
    EXPECT_THAT(packet, HasSubstr("= rows.pop(")) << budget;
    EXPECT_THAT(packet, HasSubstr("def open_balance_0(book):")) << budget;
  }
  const std::string packet = retrieve(task, 8000);
  EXPECT_LT(packet.find("app/ledger.py"), packet.find("app/balance.py"));
  EXPECT_LT(packet.find("app/balance.py"), packet.find("news/release.md"));
}

TEST_F(RetrieveParts, OfALongFunctionThePartAroundTheLineThatFailedIsShown) {
  workspace_.folder().write("app/ledger.py", long_function("def settle_ledger(rows):\n"));
  workspace_.index();
  const std::string packet = retrieve(
      "settle_ledger raises LedgerMismatch on a balance mismatch\n\n```\nTraceback (most recent call last):\n"
      "  File \"/srv/app/ledger.py\", line 262, in settle_ledger\nLedgerMismatch: rows\n```\n",
      600);
  EXPECT_THAT(packet, HasSubstr("step_260 = rows.pop(260) + 260"));
  EXPECT_THAT(packet, Not(HasSubstr("raise LedgerMismatch(rows)")));
}

TEST_F(RetrieveParts, APartOfALongFunctionSaysAllThatTheFunctionTakes) {
  workspace_.folder().write("ledger.py",
                            long_function("def settle_ledger(\n    rows,\n    upto=(None, None),\n):\n"));
  workspace_.index();
  const std::string packet = retrieve("settle_ledger raises LedgerMismatch on a balance mismatch", 700);
  EXPECT_THAT(packet, HasSubstr("def settle_ledger(\n    rows,\n    upto=(None, None),\n):\n…\n"));
  EXPECT_THAT(packet, HasSubstr("raise LedgerMismatch(rows)"));
}

// A function about settling, with forty lines that document it and a few of code.
std::string documented_function(const std::string& name) {
  std::string text = "def " + name + "(ledger):\n    \"\"\"Settles the ledger.\n\n";
  for (int n = 0; n < 40; ++n) text += fmt::format("    Remark {} on what {} does.\n", n, name);
  return text + "    \"\"\"\n    ledger.settle()\n    return ledger." + name + "_rows()\n\n\n";
}

TEST_F(RetrieveParts, CodeComesBeforeWhatLongCommentsSpare) {
  workspace_.folder().write("ledger.py", documented_function("settle_invoices") +
                                             documented_function("settle_rows") +
                                             documented_function("settle_balances"));
  workspace_.index();
  const std::string task = "what settles the ledger does it twice";
  const std::string tight = retrieve(task, 380);
  for (const char* code : {"ledger.settle_invoices_rows()", "ledger.settle_rows_rows()",
                           "ledger.settle_balances_rows()", "Settles the ledger."})
    EXPECT_THAT(tight, HasSubstr(code));
  EXPECT_THAT(tight, HasSubstr("    \"\"\"Settles the ledger.\n")) << "the first words of a comment stay";
  EXPECT_THAT(tight, Not(HasSubstr("Remark 39")));
  const std::string wide = retrieve(task, 4000);
  for (const char* name : {"settle_invoices", "settle_rows", "settle_balances"})
    EXPECT_THAT(wide, HasSubstr(fmt::format("Remark 39 on what {} does.", name)));
  EXPECT_THAT(wide, Not(HasSubstr("…"))) << "where there is room, nothing is spared";
}

TEST_F(RetrieveParts, ACommentThatHasNoRoomGoesOnAsFarAsThereIsRoom) {
  workspace_.folder().write("ledger.py", documented_function("settle_invoices"));
  workspace_.index();
  std::vector<size_t> remarks;
  for (const uint64_t budget : {140, 240, 380, 900})
    remarks.push_back(times(retrieve("settle_invoices settles the ledger twice", budget), "Remark "));
  EXPECT_EQ(remarks, (std::vector<size_t>{0, 10, 20, 40}));
}

TEST_F(RetrieveParts, WhatACommentSaysIsNotSaidAgain) {
  workspace_.folder().write("ledger.py", documented_function("settle_invoices"));
  workspace_.folder().write("android/ledger.py", documented_function("settle_invoices") + "import android\n");
  workspace_.index();
  const std::string packet = retrieve("settle_invoices settles the ledger twice", 4000);
  EXPECT_EQ(times(packet, "return ledger.settle_invoices_rows()"), 2U);
  EXPECT_EQ(times(packet, "Remark 39 on what settle_invoices does."), 1U);
  EXPECT_THAT(explained("comment:"),
              Contains(AllOf(HasSubstr("settle_invoices was dropped"), HasSubstr("fill shows it"))))
      << "what is not said again is in the account";
}

TEST_F(RetrieveParts, WhatDocumentsAWholeTypeIsInTheAccountWhereItIsNotShown) {
  std::string text = "class Invoice:\n    \"\"\"Settles the ledger.\n\n";
  for (int n = 0; n < 40; ++n) text += fmt::format("    Remark {} on invoices.\n", n);
  text += "    \"\"\"\n    rows = settled_ledger(twice=True)\n\n";
  workspace_.folder().write("ledger.py",
                            text + "    def settle(self, ledger):\n        ledger.settle_twice()\n");
  workspace_.index();
  const std::string packet = retrieve("what settles the ledger does it twice", 4000);
  EXPECT_THAT(packet, HasSubstr("rows = settled_ledger(twice=True)"));
  EXPECT_THAT(packet, Not(HasSubstr("Remark 39 on invoices.")));
  EXPECT_THAT(explained("comment:"), Contains(HasSubstr("documents a whole type: fill shows it")));
}

TEST_F(RetrieveParts, APageAboutWhatIsNotTheBestAnswerIsLeftOut) {
  const auto page = [](int number, int lines) {
    std::string text = fmt::format("def settle_{}(ledger):\n    \"\"\"Settles the ledger.\n\n", number);
    for (int n = 0; n < lines; ++n)
      text += fmt::format("    Settles page {} of the ledger, remark {}.\n", number, n);
    return text + "    \"\"\"\n    return ledger.settle_rows()\n\n\n";
  };
  workspace_.folder().write("ledger.py", page(1, 100) + page(2, 100) + page(3, 100) + page(4, 100));
  workspace_.index();
  const std::string packet = retrieve("settle the ledger of rows", 8000);
  EXPECT_EQ(times(packet, "return ledger.settle_rows()"), 4U);
  EXPECT_EQ(times(packet, "remark 99."), 1U) << packet;
  EXPECT_THAT(explained("comment:"),
              Contains(HasSubstr("documents more than the task needs: fill shows it")));
}

TEST_F(RetrieveParts, ALongFunctionThatIsTakenApartIsNamedBehindTheStop) {
  workspace_.folder().write("books.py",
                            "def open_books(rows):\n    return [row.balance for row in rows if row.open]\n" +
                                std::string(40, '\n') + "def close_books(rows):\n    return None\n");
  std::string text = "def audit_books(rows):\n    total = 0\n";
  for (int n = 0; n < 80; ++n) text += fmt::format("    total += rows.column_{}\n", n);
  text += "    def rounded(value):\n        return value\n";
  for (int n = 0; n < 80; ++n) text += fmt::format("    total -= rows.column_{}\n", n);
  workspace_.folder().write("audit.py", text);
  workspace_.index();
  const std::string packet =
      retrieve("`books.open_books()` returns rows without a balance when they are open", 4000);
  EXPECT_THAT(packet, HasSubstr("def audit_books(rows)"));
  EXPECT_THAT(packet, Not(HasSubstr("total += rows.column_40")));
}

TEST_F(RetrieveParts, ATaskAboutDocumentationIsShownCommentsWithTheirCode) {
  workspace_.folder().write("ledger.py",
                            documented_function("settle_invoices") + documented_function("settle_rows"));
  workspace_.index();
  const std::string packet = retrieve("docs: what settle_invoices says of remarks is wrong", 900);
  EXPECT_THAT(packet, HasSubstr("Remark 39 on what settle_invoices does."));
}

// Of the unit with this id; 0 where there is none.
double part_of_score(const RetrieveReply& reply, std::string_view id, std::string_view component) {
  for (const auto& section : reply.packet.sections) {
    for (const PacketItem& item : section.items) {
      if (item.candidate.id != id) continue;
      for (const ScoreComponent& each : item.candidate.score.components)
        if (each.name == component) return each.value;
    }
  }
  return 0;
}

TEST_F(RetrieveParts, ADeclarationCountsLessThanItsBody) {
  workspace_.folder().write("sink.h",
                            "class rotating_sink {\n  void rotate(bool on_open = {}) const;\n  int size() "
                            "const { return 3; }\n};\n");
  workspace_.folder().write("sink.cc",
                            "#include \"sink.h\"\nnamespace log {\nvoid rotating_sink::rotate(bool on_open) "
                            "const {\n  rename(on_open);\n}\n}\n");
  workspace_.index();
  const RetrieveReply reply =
      workspace_.retrieve(RetrievalWorkspace::request("rotating_sink must rotate when it is opened", 2000));
  EXPECT_EQ(part_of_score(reply, "symbol:sink.h#rotating_sink.rotate", "declared"), -0.5);
  EXPECT_EQ(part_of_score(reply, "symbol:sink.cc#log.rotating_sink.rotate", "declared"), 0);
  EXPECT_GT(part_of_score(reply, "symbol:sink.cc#log.rotating_sink.rotate", "owner"), 0)
      << "what stands around it is a namespace, and no class";
}

TEST_F(RetrieveParts, AnOverloadOfABodyInTheSameFileCountsLeast) {
  workspace_.folder().write(
      "prompt.py",
      "from typing import overload\n\n\nclass Prompt:\n    @overload\n    def ask(self, text: str) -> "
      "str:\n        ...\n\n    def ask(self, text, stream=None):\n        return self.read(text, stream)\n");
  workspace_.index();
  const RetrieveReply reply = workspace_.retrieve(
      RetrievalWorkspace::request("Prompt.ask must ask again when the text is empty", 2000));
  EXPECT_EQ(part_of_score(reply, "symbol:prompt.py#Prompt.ask", "declared") +
                part_of_score(reply, "symbol:prompt.py#Prompt.ask~2", "declared"),
            -1.5);
}

TEST_F(RetrieveParts, WhatAnInterfaceDeclaresCountsLessAlsoWithoutASemicolon) {
  workspace_.folder().write(
      "Monitor.swift",
      "protocol Monitor {\n    /// Called before the sink is rotated.\n"
      "    func rotate(_ sink: Sink)\n\n    func close(_ sink: Sink)\n}\n\n"
      "extension Monitor {\n    func rotate(_ sink: Sink) {\n        rename(sink)\n    }\n\n"
      "    func close(_ sink: Sink) {}\n}\n");
  workspace_.folder().write("Sink.kt",
                            "interface Sink {\n  fun rotate(name: String = \"\"): Int\n\n  fun size(): Int = "
                            "3\n\n  fun close() {}\n}\n");
  workspace_.index();
  const RetrieveReply reply = workspace_.retrieve(
      RetrievalWorkspace::request("rotate of a monitor does not close the sink or tell its size", 2000));
  std::vector<double> swift;
  for (const auto& section : reply.packet.sections) {
    for (const PacketItem& item : section.items) {
      if (item.candidate.id.find("Monitor.swift#Monitor.rotate") == std::string::npos) continue;
      double declared = 0;
      for (const ScoreComponent& each : item.candidate.score.components)
        if (each.name == "declared") declared = each.value;
      swift.push_back(declared);
    }
  }
  EXPECT_THAT(swift, ::testing::UnorderedElementsAre(-0.5, 0));
  EXPECT_EQ(part_of_score(reply, "symbol:Sink.kt#Sink.rotate", "declared"), -0.5);
  EXPECT_EQ(part_of_score(reply, "symbol:Sink.kt#Sink.size", "declared"), 0);
}

TEST_F(RetrieveParts, WhatStandsInANamedClassIsOfThatClassHoweverDeep) {
  const std::string adapter =
      "class {0}:\n{1}    def open(self):\n{1}        self.source = None\n\n{1}    def read(self, source):\n"
      "{1}        self.source = source\n{1}        return source.label\n\n";
  workspace_.folder().write("tariff.py",
                            "class TariffFactory:\n    def create(self):\n        return 1\n\n    " +
                                fmt::format(fmt::runtime(adapter), "Adapter", "    "));
  workspace_.folder().write("other.py", fmt::format(fmt::runtime(adapter), "Plain", ""));
  workspace_.index();
  const RetrieveReply reply =
      workspace_.retrieve(RetrievalWorkspace::request("TariffFactory reads a source without a label", 2000));
  EXPECT_EQ(part_of_score(reply, "symbol:tariff.py#TariffFactory.Adapter.read", "owner"), 0.5);
  EXPECT_EQ(part_of_score(reply, "symbol:tariff.py#TariffFactory.create", "owner"), 0.5);
  EXPECT_EQ(part_of_score(reply, "symbol:other.py#Plain.read", "owner"), 0);
}

// The task is about redirects; what decides is a comparison that has no word of it.
TEST_F(RetrieveParts, AShortTaskIsShownTheShortFunctionsThatShownOnesCall) {
  std::string client =
      "def lowered(text):\n    return text.lower()\n\n\ndef same_place(one, other):\n    return one.place == "
      "other.place\n\n\n"
      "class Parcel:\n    def same_place(self):\n        return 'of a parcel'\n\n\n"
      "class Client:\n    def forget(self):\n        self.name = None\n\n"
      "    def redirect_headers(self, request, headers):\n"
      "        if not same_place(request, headers):\n            self.forget()\n";
  // Long enough for a packet to end behind it.
  for (int i = 0; i < 30; ++i)
    client +=
        fmt::format("        headers.drop('authorization-{0}', redirects=request.redirects + {0})\n", i);
  for (int i = 0; i < 30; ++i) client += fmt::format("\n    def other_{0}(self):\n        return {0}\n", i);
  workspace_.folder().write("client.py", client);
  workspace_.index();
  const std::string packet = retrieve("redirects drop the authorization header", 2000);
  EXPECT_THAT(packet, HasSubstr("def same_place(one, other):\n    return one.place == other.place\n"));
  EXPECT_THAT(packet, HasSubstr("    def forget(self):\n        self.name = None\n"));
  EXPECT_THAT(packet, Not(HasSubstr("return text.lower()"))) << "nobody that is shown calls it";
  EXPECT_THAT(packet, Not(HasSubstr("of a parcel"))) << "another class";
  EXPECT_THAT(packet, Not(HasSubstr("return 17")));

  std::string report = "redirects drop the authorization header";
  for (char letter = 'a'; letter <= 'z'; ++letter) report += std::string(" un") + letter + "related";
  EXPECT_THAT(retrieve(report, 2000), Not(HasSubstr("return one.place"))) << "a report of thirty words";
}

TEST_F(RetrieveParts, OnlySecretsOfWhatIsShownAreSpokenOf) {
  const std::string key = "KEY = 'AKIA" + std::string(16, 'Q') + "'\n";
  workspace_.folder().write("tariffs.py", key + "\n\ndef surcharge(parcel):\n    return parcel.weight * 2\n");
  workspace_.index();
  const auto warnings = [&](const std::string& task) {
    return workspace_.retrieve(RetrievalWorkspace::request(task, 2000)).packet.warnings;
  };
  EXPECT_THAT(warnings("surcharge is wrong for heavy parcels"), Not(Contains(HasSubstr("secret"))));
  RetrieveRequest filled = RetrievalWorkspace::request("surcharge is wrong for heavy parcels", 2000);
  filled.fill = true;
  EXPECT_THAT(workspace_.retrieve(filled).packet.warnings,
              Contains("1 secret in the code was replaced by [redacted]"))
      << "all of the file";
  workspace_.folder().write("tariffs.py",
                            "def surcharge(parcel):\n    " + key + "    return parcel.weight * 2\n");
  workspace_.index();
  EXPECT_THAT(warnings("surcharge is wrong for heavy parcels"),
              Contains("1 secret in the code was replaced by [redacted]"));
}

TEST_F(RetrieveParts, AFileThatIsThereForOneFunctionSaysWhich) {
  workspace_.folder().write("tariffs.py", "def surcharge(parcel):\n    return parcel.weight * 2\n");
  workspace_.index();
  const std::string packet = retrieve("surcharge is wrong for heavy parcels", 2000);
  EXPECT_THAT(packet, HasSubstr("## tariffs.py\nsurcharge: named in the task\n"));
}

TEST_F(RetrieveParts, OfAProgramThatNobodyParsesTheFunctionsAreShownAndNotTheManual) {
  std::string module = "package Tariff;\n\n";
  for (int i = 0; i < 20; ++i)
    module +=
        fmt::format("sub helper_{0} {{\n  my $self = shift;\n\n  return $self->{{part_{0}}};\n}}\n\n", i);
  module +=
      "sub surcharge {\n  my ($self, $parcel) = @_;\n\n  return $parcel->weight * 2;\n}\n\n1;\n\n"
      "=head1 NAME\n\nTariff - surcharge for heavy parcels\n\n=head2 surcharge\n\n"
      "The surcharge of heavy parcels, whose surcharge depends on how heavy they are.\n\n=cut\n";
  workspace_.folder().write("lib/Tariff.pm", module);
  workspace_.folder().write("NEWS.md", "# News\n\nThe surcharge of heavy parcels: surcharge, surcharge\n");
  workspace_.index();
  const std::string packet = retrieve("surcharge is wrong for heavy parcels", 600);
  EXPECT_THAT(
      packet,
      HasSubstr("\nsub surcharge {\n  my ($self, $parcel) = @_;\n\n  return $parcel->weight * 2;\n}\n"));
  EXPECT_THAT(packet, Not(HasSubstr("=head2")));
  EXPECT_LT(packet.find("lib/Tariff.pm"), packet.find("NEWS.md"));
}

TEST_F(RetrieveParts, ALongSignatureEndsBehindItsName) {
  std::string parameters;
  for (int n = 0; n < 20; ++n) parameters += fmt::format("{}parameter_{}: Setting", n == 0 ? "" : ", ", n);
  workspace_.folder().write("mailer.py",
                            "def send_mail(address):\n    return deliver(address, bounce=True)\n\n\n"
                            "def forward(" +
                                parameters + "):\n    pass\n");
  workspace_.index();
  const std::string packet = retrieve("send_mail loses the bounce address", 1000);
  EXPECT_THAT(packet, HasSubstr("def forward(parameter_0: Setting, "));
  EXPECT_THAT(packet, HasSubstr(" …\n"));
  EXPECT_THAT(packet, Not(HasSubstr("parameter_19")));
}

}  // namespace
}  // namespace knapsack
