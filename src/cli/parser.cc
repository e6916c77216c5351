#include "cli/parser.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <sstream>
#include <type_traits>

#include "cli/parser_view.h"
#include "core/nearest.h"

namespace knapsack::cli {
namespace {

OptionView view_of_option(const CLI::Option& option) {
  OptionView view;
  for (const std::string& name : option.get_lnames()) view.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) view.names.push_back("-" + name);
  if (view.names.empty()) view.positional = option.get_name();
  view.description = option.get_description();
  view.required = option.get_required();
  const std::string type = option.get_type_name();
  if (option.get_expected_min() > 0) view.value = type.substr(0, type.find_first_of(":{ "));
  add_choices(view, type);
  return view;
}

CommandView view_of_command(CLI::App& app, std::vector<std::string> path) {
  CommandView view;
  view.description = app.get_description();
  view.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options(nullptr)) view.options.push_back(view_of_option(*option));
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    std::vector<std::string> below = path;
    below.push_back(command->get_name());
    view.commands.push_back(view_of_command(*command, std::move(below)));
  }
  view.path = std::move(path);
  return view;
}

// Stands for all words behind "--" while the library parses, which has no place for more than one.
constexpr const char* kBehindMark = "text";

bool is_option(std::string_view word) {
  return word.size() > 1 && word.front() == '-';
}

bool has_space(std::string_view word) {
  return word.find_first_of(" \t\n") != std::string_view::npos;
}

// "-v is broken": a text, not the option that it begins with. "--task=some words" is none.
bool is_dashed_sentence(const std::string& word) {
  return is_option(word) && has_space(word) && word.find('=') > word.find(' ');
}

// The innermost command that the arguments name.
CLI::App& named_command(CLI::App& program) {
  CLI::App* at = &program;
  for (auto below = at->get_subcommands(); !below.empty(); below = at->get_subcommands()) at = below.back();
  return *at;
}

std::string meant(const std::string& suggestion) {
  return suggestion.empty() ? "" : fmt::format("; did you mean {}?", suggestion);
}

std::string command_words(const CLI::App& command) {
  std::string words = command.get_name();
  for (const CLI::App* at = command.get_parent(); at != nullptr && at->get_parent() != nullptr;
       at = at->get_parent())
    words = at->get_name() + " " + words;
  return words;
}

std::string unknown_command(CLI::App& above, const std::string& typed) {
  std::vector<std::string> known;
  for (const CLI::App* each : above.get_subcommands(nullptr)) known.push_back(each->get_name());
  return fmt::format("unknown command {}{}{}",
                     above.get_parent() == nullptr ? "" : command_words(above) + " ", typed,
                     meant(close_name(typed, known)));
}

// `texts`: the command takes a text, which the word may have been meant to begin.
std::string unknown_option(CLI::App& command, const std::string& typed, bool texts) {
  if (!has_space(typed)) {
    const std::string name = typed.substr(0, typed.find('='));
    std::vector<std::string> known;
    for (const CLI::Option* each : command.get_options(nullptr)) {
      for (const std::string& option : each->get_lnames()) known.push_back("--" + option);
    }
    const std::string near = name.starts_with("--") ? close_name(name, known) : "";
    const std::string problem =
        fmt::format("{} has no option {}{}", command_words(command), name, meant(near));
    if (!texts || !near.empty()) return problem;
    return fmt::format("{}; put words that begin with a dash after --: knapsack {} -- {} …", problem,
                       command_words(command), name);
  }
  if (!texts) return fmt::format("{} has no option {}", command_words(command), typed);
  return fmt::format("put a text that begins with a dash after --: knapsack {} -- \"{}\"",
                     command_words(command), typed);
}

// Help without what the library adds to names for itself: the value that a flag stands for, the words that an option
// takes, which its description names, and that a list may be given again.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string names = CLI::Formatter::make_option_name(option, is_positional);  // "--mmr,--no-mmr{false}"
    cut(names, "{", "}");
    return names;
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string value =
        CLI::Formatter::make_option_opts(option);  // " FORMAT:{md,json} REQUIRED", " NAME,… ..."
    cut(value, ":{", "}");
    if (const size_t list = value.find("… ..."); list != std::string::npos)
      value.erase(list + std::strlen("…"), 4);
    return value;
  }

 private:
  static void cut(std::string& text, std::string_view from, std::string_view to) {
    const size_t begin = text.find(from), end = text.find(to, std::min(begin, text.size()));
    if (end != std::string::npos) text.erase(begin, end + to.size() - begin);
  }
};

// What words of an option that takes another type than text are: "a number from 0 to 65535".
template <class Target>
std::string values_of() {
  if constexpr (std::is_same_v<Target, bool>) return "true or false";
  if constexpr (std::is_same_v<Target, uint16_t>)
    return fmt::format("a number from 0 to {}", std::numeric_limits<Target>::max());
  if constexpr (std::is_integral_v<Target>) return "a whole number";
  return "a number";
}

// "--budget: 1 required N missing" and "--budget: At Most 1 required but received 2".
std::string wrong_count(std::string_view said) {
  const std::string_view name = said.substr(0, said.find(": "));
  constexpr std::string_view kReceived = "At Most 1 required but received ";
  if (const size_t at = said.find(kReceived); at != std::string_view::npos)
    return fmt::format("{} is given {} times; give it once", name, said.substr(at + kReceived.size()));
  const bool lacks = said.ends_with(" missing") || said.find("At least 1 required") != std::string_view::npos;
  return lacks ? fmt::format("{} needs a value", name) : std::string(said);
}

// "--by: year not in {day,week,month}"
std::string unknown_word(std::string_view said) {
  constexpr std::string_view kBefore = " not in {";
  const size_t name = said.find(": "), set = said.rfind(kBefore);
  if (name == std::string_view::npos || set == std::string_view::npos || set < name || !said.ends_with('}'))
    return std::string(said);
  std::string words;
  for (const char c : said.substr(set + kBefore.size(), said.size() - set - kBefore.size() - 1))
    words += c == ',' ? std::string(", ") : std::string(1, c);
  return fmt::format("{}: '{}' is not one of {}", said.substr(0, name), said.substr(name + 2, set - name - 2),
                     words);
}

// "Could not convert: --port = abc": all that is converted are numbers and flags.
std::string unread_value(const CLI::App& command, const ParserState& state, std::string_view said) {
  constexpr std::string_view kOpening = "Could not convert: ", kEquals = " = ";
  const size_t equals = said.find(kEquals);
  if (!said.starts_with(kOpening) || equals == std::string_view::npos) return std::string(said);
  const std::string name(said.substr(kOpening.size(), equals - kOpening.size()));
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option != nullptr && option->get_items_expected_max() == 0) return name + " takes no value";
  const auto values = state.values.find(option);
  return fmt::format("{}: '{}' is not {}", name, said.substr(equals + kEquals.size()),
                     values == state.values.end() ? "a number" : values->second);
}

}  // namespace

Option Option::type_name(const std::string& name) const {
  if (option_ != nullptr) option_->type_name(name);
  return *this;
}

Option Option::required() const {
  if (option_ != nullptr) option_->required();
  return *this;
}

Option Option::delimiter(char between) const {
  if (option_ != nullptr) option_->delimiter(between);
  return *this;
}

Option Option::envname(const std::string& variable) const {
  if (option_ != nullptr) option_->envname(variable);
  return *this;
}

Option Option::one_of(const std::vector<std::string>& words) const {
  if (option_ != nullptr) option_->check(CLI::IsMember(words));
  return *this;
}

template <class Number>
Option Option::between(Number least, Number most) const {
  // The help says what a number means; whoever gives another one is told the range.
  const auto problem = [least, most](const std::string& given) -> std::string {
    Number number{};
    if (CLI::detail::lexical_cast(given, number) && number >= least && number <= most) return "";
    return fmt::format("'{}' is not a {} from {} to {}", given,
                       std::is_integral_v<Number> ? "whole number" : "number", least, most);
  };
  if (option_ != nullptr) option_->check(problem);
  return *this;
}

template <class Target>
Option Command::add_option(const std::string& names, Target& target, const std::string& description) const {
  if (app_ == nullptr) return Option(nullptr);
  CLI::Option* option = app_->add_option(names, target, description);
  // A list takes one word at a time, else it would take those of a text that follow.
  if (names.starts_with('-')) option->allow_extra_args(false);
  if constexpr (std::is_arithmetic_v<Target>) state_->values.emplace(option, values_of<Target>());
  return Option(option);
}

Option Command::add_optional(const std::string& names, std::optional<std::string>& target,
                             const std::string& description) const {
  if (app_ == nullptr) return Option(nullptr);
  CLI::Option* option = app_->add_option_function<std::vector<std::string>>(
      names,
      [&target](const std::vector<std::string>& given) {
        if (!given.empty() && !given.front().empty()) target = given.front();
      },
      description);
  option->expected(0, 1);
  option->allow_extra_args(false);
  return Option(option);
}

Option Command::add_flag(const std::string& names, bool& target, const std::string& description) const {
  return Option(app_ == nullptr ? nullptr : app_->add_flag(names, target, description));
}

Option Command::add_text(const std::string& name, std::string& target, const std::string& description) const {
  if (app_ == nullptr) return Option(nullptr);
  // The library would take a list for the words, and read "[a, b]" as one.
  app_->allow_extras();
  state_->texts.emplace(app_, &target);
  return Option(app_->add_option(name, target, description));
}

void Command::group_added(const std::string& heading) const {
  for (CLI::App* command : app_->get_subcommands(nullptr))
    if (command->get_group() == CLI::App().get_group()) command->group(heading);
}

Command Command::add_subcommand(const std::string& name, const std::string& description) const {
  const bool passed_over =
      app_ == nullptr || (app_->get_parent() == nullptr && !state_->only.empty() && name != state_->only);
  if (passed_over) return Command(nullptr, state_);
  CLI::App* made = app_->add_subcommand(name, description);
  made->footer("");  // else it ends with that of the whole program
  return Command(made, state_);
}

void Command::require_subcommand(size_t least, size_t most) const {
  if (app_ != nullptr) app_->require_subcommand(least, most);
}

void Command::callback(std::function<void()> run) const {
  if (app_ != nullptr) app_->callback(std::move(run));
}

void Command::footer(const std::string& text) const {
  if (app_ != nullptr) app_->footer(text);
}

void Command::allow_extras() const {
  if (app_ != nullptr) app_->allow_extras();
}

size_t Command::count(const std::string& name) const {
  return app_ == nullptr ? 0 : app_->count(name);
}

CommandView Command::view() const {
  return view_of_command(*app_, {});
}

Parser::Parser(const std::string& description, const std::string& name, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version);
  app_->set_help_flag("--help,-h", "Print this and exit");
  app_->formatter(std::make_shared<HelpFormatter>());
}

Parser::~Parser() = default;

bool Parser::has_commands() const {
  return !app_->get_subcommands(nullptr).empty();
}

std::string Parser::help() const {
  return app_->help();
}

Parser::Outcome Parser::parse(int argc, const char* const* argv) {
  Outcome outcome;
  const std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
  // Of commands that take a text what stands behind "--" is ours; of others the library's.
  std::vector<std::string> words = given, behind;
  const auto takes_text = [&](const std::string& name) {
    return std::any_of(state_.texts.begin(), state_.texts.end(),
                       [&](const auto& each) { return each.first->get_name() == name; });
  };
  if (const auto mark = std::find(given.begin(), given.end(), "--");
      mark != given.end() && takes_text(given.front())) {
    behind.assign(mark + 1, given.end());
    words.assign(given.begin(), mark);
    if (!behind.empty()) words.emplace_back(kBehindMark);
  }
  try {
    app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));
    const bool known = takes_text(words.empty() ? "" : words.front());
    const auto sentence = std::find_if(words.begin(), words.end(), is_dashed_sentence);
    outcome.problem = known && sentence != words.end() ? unknown_option(named_command(*app_), *sentence, true)
                                                       : take_text(behind);
  } catch (const CLI::Success& success) {
    std::ostringstream answer;
    app_->exit(success, answer, answer);
    outcome.answer = answer.str();
  } catch (const CLI::ParseError& error) {
    outcome.problem = described(error, given);
  }
  if (const auto chosen = app_->get_subcommands(); !chosen.empty()) {
    outcome.command = command_words(named_command(*app_));
  }
  return outcome;
}

std::string Parser::take_text(const std::vector<std::string>& behind) {
  CLI::App& command = named_command(*app_);
  const auto target = state_.texts.find(&command);
  if (target == state_.texts.end()) return "";
  std::vector<std::string> words;
  if (!target->second->empty()) words.push_back(*target->second);
  for (const std::string& word : command.remaining()) {
    if (is_option(word)) return unknown_option(command, word, true);
    words.push_back(word);
  }
  if (!behind.empty()) {
    if (!words.empty()) words.pop_back();
    words.insert(words.end(), behind.begin(), behind.end());
  }
  *target->second = fmt::format("{}", fmt::join(words, " "));
  return "";
}

std::string Parser::described(const CLI::ParseError& error, const std::vector<std::string>& given) const {
  const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
  CLI::App& command = named_command(*app_);
  const bool texts = state_.texts.contains(&command);
  if (kind == CLI::ExitCodes::RequiredError || kind == CLI::ExitCodes::ExtrasError) {
    const auto sentence = std::find_if(given.begin(), given.end(), is_dashed_sentence);
    if (texts && sentence != given.end()) return unknown_option(command, *sentence, true);
    for (const std::string& word : command.remaining()) {
      if (is_option(word) && word != "--") return unknown_option(command, word, texts);
      if (!command.get_subcommands(nullptr).empty()) return unknown_command(command, word);
    }
  }
  if (kind == CLI::ExitCodes::ConversionError) return unread_value(command, state_, error.what());
  if (kind == CLI::ExitCodes::ArgumentMismatch) return wrong_count(error.what());
  if (kind == CLI::ExitCodes::ValidationError) return unknown_word(error.what());
  return kind == CLI::ExitCodes::ExtrasError ? extra_words(command) : error.what();
}

std::string Parser::extra_words(const CLI::App& command) const {
  std::vector<std::string> before;
  for (const CLI::App* at = command.get_parent(); at != nullptr; at = at->get_parent()) {
    const std::vector<std::string> words = at->remaining();
    before.insert(before.begin(), words.begin(), words.end());
  }
  if (!before.empty()) {
    if (!is_option(before.front())) return unknown_command(*app_, before.front());
    return fmt::format("put options after the command: knapsack {} {} …", command_words(command),
                       before.front());
  }
  return fmt::format("{} takes no argument {}", command_words(command), fmt::join(command.remaining(), " "));
}

template Option Option::between(int, int) const;
template Option Option::between(unsigned, unsigned) const;
template Option Option::between(size_t, size_t) const;
template Option Option::between(double, double) const;

template Option Command::add_option(const std::string&, bool&, const std::string&) const;
template Option Command::add_option(const std::string&, uint16_t&, const std::string&) const;
template Option Command::add_option(const std::string&, unsigned&, const std::string&) const;
template Option Command::add_option(const std::string&, size_t&, const std::string&) const;
template Option Command::add_option(const std::string&, int64_t&, const std::string&) const;
template Option Command::add_option(const std::string&, double&, const std::string&) const;
template Option Command::add_option(const std::string&, std::optional<double>&, const std::string&) const;
template Option Command::add_option(const std::string&, std::string&, const std::string&) const;
template Option Command::add_option(const std::string&, std::optional<std::string>&,
                                    const std::string&) const;
template Option Command::add_option(const std::string&, std::vector<size_t>&, const std::string&) const;
template Option Command::add_option(const std::string&, std::vector<std::string>&, const std::string&) const;

}  // namespace knapsack::cli
