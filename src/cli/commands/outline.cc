#include "cli/code_command.h"

namespace knapsack::cli {
namespace {

// What a model said of it. Texts of others, like everything in a file: one line each.
std::string described_text(const code::FileMetadata& said) {
  std::string out;
  const auto line = [&](const char* name, const std::string& text) {
    if (!text.empty()) out += fmt::format("  {:<10}{}\n", name, safe(text));
  };
  line("purpose", said.purpose);
  line("domain", said.domain.empty() || said.module.empty() ? said.domain + said.module
                                                            : said.domain + ", module " + said.module);
  line("API", fmt::format("{}", fmt::join(said.public_api, ", ")));
  line("hard", said.complexity_notes);
  line("said by", said.model);
  return out;
}

Json described_json(const code::FileMetadata& said) {
  return {{"purpose", said.purpose},
          {"module", said.module},
          {"domain", said.domain},
          {"concepts", said.concepts},
          {"public_api", said.public_api},
          {"complexity_notes", said.complexity_notes},
          {"model", said.model}};
}

std::string outline_text(const code::OutlineView& view, const CodeArguments& arguments) {
  std::string out = fmt::format("{}  {}, {} lines, {} tokens\n", bold(safe(view.path)),
                                view.language.empty() ? view.file_class : view.language, grouped(view.lines),
                                grouped(view.tokens.o200k));
  if (view.file_class != "source") {
    return out + fmt::format("  listed only: {} ({})\n", view.file_class, bytes_in_words(view.bytes));
  }
  if (view.described) out += described_text(*view.described);
  if (!view.fallback.empty())
    out += fmt::format("  searched by line blocks, not parsed: {}\n", view.fallback);
  std::vector<size_t> depth(view.symbols.size(), 0);
  size_t shown = 0;
  for (size_t i = 0; i < view.symbols.size(); ++i) {
    const auto& symbol = view.symbols[i].symbol;
    if (symbol.parent >= 0 && static_cast<size_t>(symbol.parent) < i) {
      depth[i] = depth[static_cast<size_t>(symbol.parent)] + 1;
    }
    if (shown == arguments.limit) continue;
    ++shown;
    out +=
        fmt::format("{:>6}-{:<6} {:<10}{:{}}{}\n", symbol.start_line, symbol.end_line, to_string(symbol.kind),
                    "", depth[i] * 2, safe(symbol.signature.empty() ? symbol.name : symbol.signature));
  }
  out += cut_line(shown, view.symbols.size());
  for (const auto& remark : view.remarks) {
    const std::string_view first = std::string_view(remark.text).substr(0, remark.text.find('\n'));
    out += fmt::format("{:>6}        {:<10}{}\n", remark.start_line, to_string(remark.kind), safe(first));
  }
  return out;
}

Json outline_json(const code::OutlineView& view) {
  Json symbols = Json::array();
  for (const auto& row : view.symbols) {
    const auto& symbol = row.symbol;
    symbols.push_back({{"kind", to_string(symbol.kind)},
                       {"qualified_name", symbol.qualified_name},
                       {"start_line", symbol.start_line},
                       {"end_line", symbol.end_line},
                       {"parent", symbol.parent},
                       {"signature", symbol.signature},
                       {"tokens", {{"cl100k", row.tokens.cl100k}, {"o200k", row.tokens.o200k}}}});
  }
  Json remarks = Json::array();
  for (const auto& remark : view.remarks) {
    remarks.push_back({{"kind", to_string(remark.kind)}, {"line", remark.start_line}, {"text", remark.text}});
  }
  Json json = {
      {"path", view.path},         {"language", view.language},
      {"class", view.file_class},  {"bytes", view.bytes},
      {"lines", view.lines},       {"tokens", {{"cl100k", view.tokens.cl100k}, {"o200k", view.tokens.o200k}}},
      {"fallback", view.fallback}, {"symbols", symbols},
      {"remarks", remarks}};
  if (view.described) json["described"] = described_json(*view.described);
  return json;
}

}  // namespace

void add_outline(Command program, Shared& shared) {
  auto arguments = std::make_shared<CodeArguments>();
  arguments->limit = 200;
  const Command command = add_code_command<code::OutlineView>(
      program, shared, "outline", "Show what a file defines, line by line", "FILE",
      "A path, or enough of its end to be unique",
      [](Engine& engine, const CodeArguments& asked) {
        return engine.outline(asked.subject, asked.revision);
      },
      outline_text, outline_json, arguments);
  command.footer(
      "Examples:\n"
      "  knapsack outline src/cart.py\n"
      "  knapsack outline cart.py                 enough of the path to be unique");
}

}  // namespace knapsack::cli
