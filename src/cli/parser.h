// The argument parser as the commands see it: what a command takes, in words of ours. The library that parses is known
// to parser.cc alone, because whoever includes it compiles for ten seconds longer.
//
// Command and Option are handles of what the Parser owns, as cheap to copy as a pointer. Those of a command that was
// passed over (Parser::only) take everything and do nothing. One thread.
// Private to cli/.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI

namespace knapsack::cli {

struct CommandView;

struct ParserState {
  std::map<const CLI::App*, std::string*> texts;     // where the words of each command that takes a text go
  std::map<const CLI::Option*, std::string> values;  // what a value is that is no text: "true or false"
  std::string only;                                  // of the program's commands; empty: all
};

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option type_name(const std::string& name) const;  // what the help calls its value
  Option required() const;
  Option delimiter(char between) const;               // several values in one word
  Option envname(const std::string& variable) const;  // where its value comes from when it is not given
  Option one_of(const std::vector<std::string>& words) const;
  template <class Number>  // int, unsigned, size_t or double, which the help names
  Option between(Number least, Number most) const;

 private:
  CLI::Option* option_;
};

class Command {
 public:
  Command() = default;  // of no command until one is assigned
  Command(CLI::App* app, ParserState* state) : app_(app), state_(state) {}

  // `names` with commas, "--jobs,-j"; without dashes for an argument by place. The target must outlive the parser.
  // Defined for the types that the instances at the end of parser.cc name.
  template <class Target>
  Option add_option(const std::string& names, Target& target, const std::string& description) const;
  // An option that may stand alone; count() then says that it was given, and the target stays empty.
  Option add_optional(const std::string& names, std::optional<std::string>& target,
                      const std::string& description) const;
  Option add_flag(const std::string& names, bool& target, const std::string& description) const;

  // All words of the call that are no options, joined by spaces: a text needs no quotes. What stands behind "--" belongs
  // to it whatever it begins with. At most one a command.
  Option add_text(const std::string& name, std::string& target, const std::string& description) const;

  Command add_subcommand(const std::string& name, const std::string& description) const;
  // The heading under which the help lists the commands that were added since it was last called.
  void group_added(const std::string& heading) const;
  void require_subcommand(size_t least, size_t most) const;
  void callback(std::function<void()> run) const;  // after the callbacks of the commands below it
  void footer(const std::string& text) const;      // of its help
  void allow_extras() const;                       // what it does not know is passed over

  size_t count(const std::string& name) const;  // how often an option was given
  CommandView view() const;                     // everything above as data, see parser_view.h

 private:
  CLI::App* app_ = nullptr;
  ParserState* state_ = nullptr;  // the parser's
};

class Parser {
 public:
  struct Outcome {
    std::string answer;  // to --help or --version, to be printed; empty for neither
    std::string
        problem;  // what is wrong with the arguments, and what may have been meant; empty when nothing is
    std::string command;  // the one that they name first; empty when they name none
  };

  Parser(const std::string& description, const std::string& name, const std::string& version);
  ~Parser();

  // From now on the program's commands of another name are passed over: to define all of them is a fifth of what a
  // process takes to start. Empty: none is.
  void only(const std::string& name) { state_.only = name; }
  bool has_commands() const;
  Command program() { return Command(app_.get(), &state_); }
  std::string help() const;
  Outcome parse(int argc, const char* const* argv);

 private:
  // Puts the text of the command together; gives what is wrong with it.
  std::string take_text(const std::vector<std::string>& behind);
  std::string described(const CLI::ParseError& error, const std::vector<std::string>& given) const;
  // Words that nothing takes, before or behind the command.
  std::string extra_words(const CLI::App& command) const;

  std::unique_ptr<CLI::App> app_;
  ParserState state_;
};

}  // namespace knapsack::cli
