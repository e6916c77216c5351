// `knapsack forget` and `feedback`: what somebody thinks of a memory, named by its id or by words.
#include <fmt/format.h>

#include <charconv>

#include "cli/ask.h"
#include "cli/memory_command.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

struct ChoiceOptions {
  MemoryOptions memory;
  std::vector<std::string> words;
  size_t pick = 0;  // from 1; 0: the only one, or whoever sits at the terminal chooses
};

void add_choice(Command command, ChoiceOptions& options) {
  command.add_option("MEMORY", options.words, "Its id, its path in the memory folder, or words it contains")
      .required()
      .type_name("");
  command.add_option("--pick", options.pick, "Choose this entry from the list of matches")
      .between(size_t{1}, size_t{100})
      .type_name("N");
  add_memory_options(command, options.memory);
}

std::string choice_list(const std::vector<MemoryRow>& rows) {
  std::string list;
  for (size_t i = 0; i < rows.size(); ++i) {
    list += fmt::format("{:>2}  {}  {}  {}\n", i + 1,
                        rows[i].created.substr(0, std::min<size_t>(10, rows[i].created.size())),
                        escape_control(rows[i].id), escape_control(rows[i].title));
  }
  return list;
}

// The id of the memory that is meant. Words alone decide nothing: where nobody can be asked, the list is the answer.
Result<std::string> choose_memory(Engine& engine, const ChoiceOptions& options, const std::string& verb) {
  const std::string named = fmt::format("{}", fmt::join(options.words, " "));
  KNAPSACK_TRY(const MemoryMatchReply reply, engine.memory_matches({options.memory.settings(), named}));
  const auto chosen = [&](size_t number) {
    // A path is unique where the same id is in several namespaces.
    return reply.exact ? named : reply.rows[number - 1].path;
  };
  if (reply.exact) return chosen(1);
  size_t number = options.pick;
  if (number == 0 && can_ask()) {
    const auto answer = ask(choice_list(reply.rows) +
                            fmt::format("{} which? [1-{}, nothing for none] ", verb, reply.rows.size()));
    if (!answer || answer->empty())
      return Error{ErrorCode::kUsage, "no memory was chosen", "nothing was changed"};
    const auto [end, problem] = std::from_chars(answer->data(), answer->data() + answer->size(), number);
    if (problem != std::errc() || end != answer->data() + answer->size()) number = 0;
    if (number == 0 || number > reply.rows.size()) {
      return Error{ErrorCode::kUsage, fmt::format("'{}' is not in the list", escape_control(*answer)),
                   "nothing was changed"};
    }
    return chosen(number);
  }
  if (number == 0) {
    KNAPSACK_CHECK(print(choice_list(reply.rows)));
    return Error{ErrorCode::kUsage,
                 fmt::format("\"{}\" is not an id; these memories hold it", escape_control(named)),
                 "give the id of one, or --pick N"};
  }
  if (number > reply.rows.size()) {
    return Error{ErrorCode::kUsage,
                 fmt::format("--pick {} is not in the list of {}", number, reply.rows.size()),
                 "leave --pick out to see it"};
  }
  return chosen(number);
}

}  // namespace

void add_forget(Command program, Shared& shared) {
  struct Options {
    ChoiceOptions choice;
    bool purge = false;
  };
  auto options = std::make_shared<Options>();
  Command command =
      add_command(program, shared, "forget", "Exclude a memory from every recall", [&shared, options] {
        auto engine = open_engine(shared);
        if (!engine.ok()) return fail(engine.error());
        const auto id = choose_memory(**engine, options->choice, options->purge ? "delete" : "forget");
        if (!id.ok()) return fail(id.error());
        const auto reply = (*engine)->forget({options->choice.memory.settings(), *id, options->purge});
        if (!reply.ok()) return fail(reply.error());
        std::string out = fmt::format("{} is forgotten\n", escape_control(reply->id));
        for (const auto& path : reply->purged) out += fmt::format("  {} is deleted\n", escape_control(path));
        const auto printed = print(out);
        return printed.ok() ? 0 : fail(printed.error());
      });
  add_choice(command, options->choice);
  command.add_flag("--purge", options->purge,
                   "Delete the file and its word-for-word copies instead of marking it");
  command.footer(
      "Words list the matching memories. On a terminal you are asked which one you mean; otherwise use\n"
      "--pick.\n\n"
      "Examples:\n"
      "  knapsack forget fact-1763200000000-4f2a91c3\n"
      "  knapsack forget owner of billing --pick 1");
}

void add_feedback(Command program, Shared& shared) {
  struct Options {
    ChoiceOptions choice;
    bool useful = false;
    bool not_useful = false;
  };
  auto options = std::make_shared<Options>();
  Command command = add_command(
      program, shared, "feedback", "Say whether a recalled memory was useful", [&shared, options] {
        if (options->useful == options->not_useful) {
          return fail({ErrorCode::kUsage, "was it useful or not?", "give --useful or --not-useful"});
        }
        auto engine = open_engine(shared);
        if (!engine.ok()) return fail(engine.error());
        const auto id = choose_memory(**engine, options->choice, options->useful ? "useful:" : "not useful:");
        if (!id.ok()) return fail(id.error());
        const auto reply = (*engine)->feedback({options->choice.memory.settings(), *id, options->useful});
        if (!reply.ok()) return fail(reply.error());
        const auto printed = print(fmt::format("{}: {} useful, {} not useful\n", escape_control(reply->id),
                                               reply->useful, reply->not_useful));
        return printed.ok() ? 0 : fail(printed.error());
      });
  add_choice(command, options->choice);
  command.add_flag("--useful", options->useful,
                   "It was useful; it will rank higher, and one vote against it is removed");
  command.add_flag("--not-useful", options->not_useful, "It was not useful; it will rank lower");
  command.footer(
      "Words list the matching memories. On a terminal you are asked which one you mean; otherwise use\n"
      "--pick.\n\n"
      "Examples:\n"
      "  knapsack feedback fact-1763200000000-4f2a91c3 --not-useful\n"
      "  knapsack feedback rate limit --pick 1 --useful");
}

}  // namespace knapsack::cli
