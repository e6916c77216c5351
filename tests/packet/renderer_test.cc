#include "packet/render/renderer.h"

#include <nlohmann/json.hpp>

#include "support/support.h"
#include "text/tokens/token_counter.h"

namespace knapsack {
namespace {

using ::testing::HasSubstr;

Candidate candidate(std::string kind, std::string full, std::string title = "") {
  Candidate made;
  made.id = kind + ":x";
  made.kind = std::move(kind);
  made.forms.push_back({FormKind::kFull, std::move(full)});
  if (!title.empty()) made.forms.push_back({FormKind::kTitle, std::move(title)});
  return made;
}

PacketSection section(std::string key, ItemStyle style) {
  PacketSection made;
  made.key = std::move(key);
  made.heading = "Heading";
  made.style = style;
  made.notes_reduced = true;
  return made;
}

Packet sample() {
  Packet packet;
  packet.title = "Context Packet";
  packet.generated = *parse_rfc3339("2026-11-15T08:00:00Z");
  packet.budget = 100;
  packet.used = 42;
  packet.instruction = "Go.";
  packet.preambles.push_back({PreambleKind::kReadOrder, "Read", {"a.md"}});
  packet.sections.push_back(section("tasks", ItemStyle::kTask));
  packet.sections.push_back(section("decisions", ItemStyle::kEntry));
  const auto add = [&](size_t s, Candidate made, std::optional<size_t> shown) {
    PacketItem item;
    item.candidate = std::move(made);
    item.shown = shown;
    packet.sections[s].items.push_back(std::move(item));
  };
  add(0, candidate("task", "First\n- [ ] nested"), 0);
  add(0, candidate("task", "Second, a long one", "Second"), 1);
  add(1, candidate("decision", "[2026-01-01] Title\n\nBody \"quoted\"\n\n# Not a section\n"), 0);
  add(1, candidate("decision", "gone"), std::nullopt);
  packet.omission_shown = true;
  return packet;
}

void add_file(Packet& packet, const std::string& path, const std::string& about, Form form) {
  CandidateGroup group;
  group.id = path;
  group.about = about;
  group.text = "one\ntwo\nthree\n";
  packet.groups.push_back(make_group(std::move(group)));
  PacketItem item;
  item.candidate.group = packet.groups.back();
  item.candidate.forms = {std::move(form)};
  item.shown = 0;
  packet.sections[0].items.push_back(std::move(item));
}

TEST(Markdown, FilesOfWhichOnlyThePathHasRoomAreAList) {
  Packet packet;
  packet.title = "Context Packet";
  packet.sections.push_back(section("files", ItemStyle::kBullet));
  const auto add = [&](const std::string& path, const std::string& about, FormKind kind) {
    const bool is_title = kind == FormKind::kTitle;
    add_file(packet, path, about,
             {kind, "", is_title ? std::vector<LineRange>() : std::vector<LineRange>{{1, 1}}});
  };
  add("first.py", "", FormKind::kTitle);
  add("second.py", "", FormKind::kFull);
  EXPECT_THAT(render(markdown_renderer(), packet), ::testing::EndsWith("\n\nNot shown: first.py\n"));
  add("third.py", "named in the task", FormKind::kTitle);
  add("# no heading.py", "", FormKind::kTitle);
  EXPECT_THAT(render(markdown_renderer(), packet), HasSubstr("\n- \\# no heading.py\n"));
  packet.sections[0].items.pop_back();
  EXPECT_THAT(render(markdown_renderer(), packet),
              ::testing::EndsWith("\n## second.py\n\nlines 1\n```\none\n```\n\nNot shown:\n- first.py\n"
                                  "- third.py: named in the task\n"));
}

// A file may be called like a section of ours.
TEST(Packets, AHeadingThatIsAPathReadsLikeOne) {
  const auto heading = [](const std::string& path) {
    Packet packet = sample();
    add_file(packet, path, "", {FormKind::kFull, "", {{1, 1}}});
    const std::string text = render(markdown_renderer(), packet);
    const size_t end = text.find("\n\nlines 1\n");
    const size_t start = text.rfind("## ", end);
    return text.substr(start, end - start);
  };
  EXPECT_EQ(heading("app/cart.py"), "## app/cart.py");
  EXPECT_EQ(heading("Constitution (NEVER VIOLATE)"), "## `Constitution (NEVER VIOLATE)`");
  EXPECT_EQ(heading("Read First/a.py"), "## `Read First/a.py`");
  EXPECT_EQ(heading("Tasks"), "## `Tasks`");
  EXPECT_EQ(heading("a `b` c.py"), "## ``a `b` c.py``");
}

TEST(Markdown, MarksWhereAPartBreaksOff) {
  Packet packet = sample();
  add_file(packet, "a.py", "", {FormKind::kReduced, "", {{1, 2}}, {}, true});
  EXPECT_THAT(render(markdown_renderer(), packet), HasSubstr("lines 1-2\n```\none\ntwo\n…\n```\n"));
}

TEST(Packets, SayWhetherFillOrOnlyALargerBudgetShowsMore) {
  Packet packet = sample();
  packet.behind_stop = 7;
  EXPECT_THAT(
      render(markdown_renderer(), packet),
      HasSubstr("\nEnds at 42 tokens: 7 further parts score well below these; fill adds what has room.\n"));
  EXPECT_THAT(render(prompt_renderer(), packet), HasSubstr("<end tokens=\"42\" next=\"7\" more=\"fill\"/>"));
  packet.is_full = true;
  packet.used = 95;
  EXPECT_THAT(
      render(markdown_renderer(), packet),
      HasSubstr("\nEnds at 95 tokens because the budget is full: 7 further parts score well below these.\n"));
  EXPECT_THAT(render(prompt_renderer(), packet),
              HasSubstr("<end tokens=\"95\" next=\"7\" more=\"budget\"/>"));
}

TEST(Markdown, PrintsTheSectionsInOrder) {
  EXPECT_EQ(render(markdown_renderer(), sample()),
            "# Context Packet\n\nGenerated 2026-11-15T08:00:00Z | Budget 100 | Used 42 | Left out 1\n\n## "
            "Read\n\n- a.md\n\n"
            "## Heading\n\n- [ ] First\n  - [ ] nested\n\n## Heading\n\n### [2026-01-01] Title\n\n> Body "
            "\"quoted\"\n>\n"
            "> # Not a section\n\n## Also noted\n\n- task: Second\n- … and 1 more\n\nGo.\n");
}

TEST(Markdown, SaysWhenItIsOverBudget) {
  Packet packet = sample();
  packet.over_budget = true;
  EXPECT_THAT(render(markdown_renderer(), packet), HasSubstr("OVER BUDGET"));
}

TEST(LeanJson, IsValidAndHoldsWhatIsShown) {
  const auto json = nlohmann::json::parse(render(lean_json_renderer(), sample()));
  EXPECT_EQ(json["tasks"], nlohmann::json({"First\n- [ ] nested"}));
  EXPECT_EQ(json["summaries"], nlohmann::json({"task: Second"}));
  EXPECT_EQ(json["omitted_count"], 1);
  EXPECT_EQ(json["over_budget"], false);
}

TEST(LeanJson, SurvivesEveryByteInAText) {
  Packet packet = sample();
  std::string bytes;
  for (int c = 0; c < 256; ++c) bytes += static_cast<char>(c);
  packet.sections[0].items[0].candidate.forms[0].text = bytes;
  EXPECT_TRUE(nlohmann::json::accept(render(lean_json_renderer(), packet)));
}

TEST(Renderers, PrintPiecesThatBeginVisiblyAndEndWithALineFeed) {
  const Packet packet = sample();
  for (const Renderer* renderer : {&markdown_renderer(), &lean_json_renderer()}) {
    for (const auto& each : packet.sections) {
      for (const auto& item : each.items) {
        for (size_t form = 0; form < item.candidate.forms.size(); ++form) {
          const std::string piece = renderer->item(each, item.candidate, form);
          EXPECT_EQ(piece.back(), '\n');
          EXPECT_EQ(std::string(" \n\t/").find(piece.front()), std::string::npos) << piece;
        }
      }
    }
  }
}

// What the assembler relies on: the price of a piece alone is what it adds to the whole.
TEST(Renderers, AddToTheWholeWhatAPieceCosts) {
  for (const std::string& name : token_counter_names()) {
    const TokenCounter& counter = **find_token_counter(name);
    Packet packet = sample();
    packet.omission_shown = false;
    const uint64_t with = counter.units(render(markdown_renderer(), packet));
    const uint64_t piece =
        counter.units(markdown_renderer().item(packet.sections[0], packet.sections[0].items[1].candidate, 1));
    const uint64_t frame = counter.units(markdown_renderer().noted_frame());
    packet.sections[0].items[1].shown.reset();
    packet.sections[0].items[1].candidate.dropped = "to keep the header's count as wide";
    const uint64_t without = counter.units(render(markdown_renderer(), packet));
    EXPECT_LE(with - without, piece + frame) << name;
    EXPECT_GE(with - without + 2, piece + frame)
        << name << ": a frame may share one line feed with what is before it";
  }
}

}  // namespace
}  // namespace knapsack
