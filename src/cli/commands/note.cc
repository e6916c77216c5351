// `knapsack note`: writing into the notes folder.
#include <fmt/format.h>

#include "cli/command.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

struct NoteOptions {
  NoteRequest request;
  std::string folder;
  std::vector<std::string> words;
};

int run_note(const Shared& shared, NoteOptions& options) {
  NoteRequest& request = options.request;
  if (!options.folder.empty()) request.settings["notes.context_dir"] = options.folder;
  request.text = fmt::format("{}", fmt::join(options.words, " "));
  if (request.text == "-") {
    auto text = read_input("the note", size_t{1} << 20U);
    if (!text.ok()) return fail(text.error());
    request.text = *std::move(text);
  }
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto reply = (*engine)->note(request);
  if (!reply.ok()) return fail(reply.error());
  for (const std::string& notice : reply->notices) say(shared, LogLevel::kWarning, notice);
  const auto printed = print(escape_control(reply->told) + "\n");
  return printed.ok() ? 0 : fail(printed.error());
}

Command add_note_command(Command note, Shared& shared, const std::string& name,
                         const std::string& description, const std::shared_ptr<NoteOptions>& options) {
  options->request.action = name;
  Command command = add_plain_command(note, shared, name, description,
                                      [&shared, options] { return run_note(shared, *options); });
  command.add_option("--context-dir", options->folder, "The notes folder (default .context)")
      .type_name("DIR");
  return command;
}

}  // namespace

void add_note(Command program, Shared& shared) {
  Command note = program.add_subcommand("note", "Edit the project notes: add, tick off, archive");
  note.require_subcommand(1, 1);

  const auto adding = std::make_shared<NoteOptions>();
  Command add = add_note_command(note, shared, "add", "Add a decision, learning, convention or task", adding);
  add.add_option("KIND", adding->request.kind, "decision, learning, convention or task")
      .required()
      .type_name("");
  add.add_option("TEXT", adding->words, "The note; its first line is the title; - reads standard input")
      .required()
      .type_name("");
  add.footer(
      "Examples:\n"
      "  knapsack note add task Retry a carrier that answers 503\n"
      "  knapsack note add decision \"One transaction a batch\"");

  const auto doing = std::make_shared<NoteOptions>();
  Command done =
      add_note_command(note, shared, "done", "Tick off the open task that contains these words", doing);
  done.add_option("WORDS", doing->words, "Words of the task").required().type_name("");
  done.footer("Example:\n  knapsack note done retry a carrier");

  const auto archiving = std::make_shared<NoteOptions>();
  Command archive = add_note_command(
      note, shared, "archive", "Move finished tasks and superseded decisions to archive/ of the notes folder",
      archiving);
  archive.footer("Example:\n  knapsack note archive");
  note.footer("No other byte of the notes changes. `knapsack note COMMAND --help` has examples for each.");
}

}  // namespace knapsack::cli
