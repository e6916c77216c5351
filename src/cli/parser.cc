#include "cli/parser.h"

#include <CLI/CLI.hpp>
#include <optional>

#include "cli/parser_view.h"

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

}  // namespace

Option Option::type_name(const std::string& name) const {
  option_->type_name(name);
  return *this;
}

Option Option::required() const {
  option_->required();
  return *this;
}

Option Option::delimiter(char between) const {
  option_->delimiter(between);
  return *this;
}

Option Option::envname(const std::string& variable) const {
  option_->envname(variable);
  return *this;
}

Option Option::one_of(const std::vector<std::string>& words) const {
  option_->check(CLI::IsMember(words));
  return *this;
}

template <class Number>
Option Option::between(Number least, Number most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}

template <class Target>
Option Command::add_option(const std::string& names, Target& target, const std::string& description) const {
  return Option(app_->add_option(names, target, description));
}

Option Command::add_flag(const std::string& names, bool& target, const std::string& description) const {
  return Option(app_->add_flag(names, target, description));
}

Command Command::add_subcommand(const std::string& name, const std::string& description) const {
  return Command(app_->add_subcommand(name, description));
}

void Command::require_subcommand(size_t least, size_t most) const {
  app_->require_subcommand(least, most);
}

void Command::callback(std::function<void()> run) const {
  app_->callback(std::move(run));
}

void Command::footer(const std::string& text) const {
  app_->footer(text);
}

void Command::allow_extras() const {
  app_->allow_extras();
}

size_t Command::count(const std::string& name) const {
  return app_->count(name);
}

CommandView Command::view() const {
  return view_of_command(*app_, {});
}

Parser::Parser(const std::string& description, const std::string& name, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version);
  app_->set_help_flag("--help,-h", "Print this and exit");
}

Parser::~Parser() = default;

std::string Parser::help() const {
  return app_->help();
}

Parser::Outcome Parser::parse(int argc, const char* const* argv) {
  Outcome outcome;
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& success) {
    app_->exit(success);
    outcome.answered = true;
  } catch (const CLI::ParseError& error) {
    outcome.problem = error.what();
  }
  if (const auto chosen = app_->get_subcommands(); !chosen.empty()) {
    outcome.command = chosen.front()->get_name();
  }
  return outcome;
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
