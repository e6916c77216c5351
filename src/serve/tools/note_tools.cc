// The tool that writes into the project notes.
#include "serve/call.h"
#include "serve/schema.h"

namespace knapsack::serve {
namespace {

Result<ToolReply> write_note(const Call& call) {
  NoteRequest request;
  request.action = call.text("action");
  request.kind = call.text("kind");
  request.text = call.text("text");
  KNAPSACK_TRY(const NoteReply reply, call.engine.note(request));
  return make_reply(call, reply.told + ".",
                    {{"changed", reply.changed}, {"warnings", shown_warnings(reply.notices)}});
}

}  // namespace

std::vector<ToolEntry> note_tools() {
  using namespace schema;
  return {
      {.tool =
           {.name = "note",
            .title = "Write a project note",
            .description =
                "Adds a decision, learning, convention or task to the project's notes in .context/, ticks "
                "off the "
                "open task that contains the words of text, or archives finished entries. For what concerns "
                "only you: "
                "remember.",
            .input_schema =
                object({{"action!", one_of({"add", "done", "archive"})},
                        {"kind", one_of({"decision", "learning", "convention", "task"}, "", "Of add")},
                        {"text", text(kMaxTextCharacters, "Its first line is the title")}}),
            .output_schema = object({{"workspace!", any_text()},
                                     {"changed!", texts()},
                                     {"warnings", texts()},
                                     {"text!", any_text()}}),
            .read_only = false},
       .run = write_note},
  };
}

}  // namespace knapsack::serve
