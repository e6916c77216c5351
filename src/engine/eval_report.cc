#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/escape.h"
#include "engine/eval.h"

namespace knapsack {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const FigureTable& table) {
  Json json = {{"tasks", table.tasks}};
  for (const auto& [name, figure] : table.figures) {
    json[name] = {{"value", figure.value}, {"low", figure.low}, {"high", figure.high}};
  }
  return json;
}

std::string percent(double share) {
  return fmt::format("{:.1f}", 100 * share);
}

std::string printed(const Figure& figure) {
  return figure.kind == FigureKind::kAmount ? fmt::format("{:.0f}", figure.value) : percent(figure.value);
}

std::string row(const std::string& name, const FigureTable& table, bool with_intervals) {
  std::string text = fmt::format("| {} | {} |", escape_control(name), table.tasks);
  for (const auto& figure : table.figures) {
    if (figure.second.kind != FigureKind::kShare) continue;
    text += " " + percent(figure.second.value);
    if (with_intervals)
      text += fmt::format(" ({}–{})", percent(figure.second.low), percent(figure.second.high));
    text += " |";
  }
  return text + "\n";
}

std::string header(const std::string& first, const FigureTable& table) {
  std::string names = fmt::format("| {} | tasks |", first), line = "|---|---:|";
  for (const auto& figure : table.figures) {
    if (figure.second.kind != FigureKind::kShare) continue;
    names += fmt::format(" {} |", figure.first);
    line += "---:|";
  }
  return names + "\n" + line + "\n";
}

// What packets show of the changed lines, a row a budget; empty where nobody knows these lines.
std::string lines_table(const FigureTable& table, const std::vector<size_t>& budgets,
                        const std::string& behind) {
  std::string rows;
  for (const size_t budget : budgets) {
    const auto cell = [&](const char* name) {
      const Figure* figure = table.find(fmt::format("{}@{}{}", name, budget, behind));
      return figure == nullptr ? std::string("–") : printed(*figure);
    };
    const Figure* lines = table.find(fmt::format("lines@{}{}", budget, behind));
    if (lines == nullptr) return "";
    rows += fmt::format("| {} | {} ({}–{}) | {} | {} | {} | {} | {} | {} |\n", budget, percent(lines->value),
                        percent(lines->low), percent(lines->high), cell("whole"), cell("any"),
                        cell("precision"), cell("f1"), cell("tokens"), cell("files"));
  }
  return "| budget | lines | whole | any | precision | F1 | tokens | files |\n"
         "|---:|---:|---:|---:|---:|---:|---:|---:|\n" +
         rows;
}

// By repository or language, with fill, at each budget: lines / whole / any.
std::string lines_by_group(const std::map<std::string, FigureTable>& groups, const std::string& kind,
                           const std::vector<size_t>& budgets) {
  std::string head = fmt::format("\n| {}: lines / whole / any with fill |", kind), line = "|---|", rows;
  for (const size_t budget : budgets) {
    head += fmt::format(" {} |", budget);
    line += "---:|";
  }
  for (const auto& [name, table] : groups) {
    rows += fmt::format("| {} |", escape_control(name));
    for (const size_t budget : budgets) {
      const auto cell = [&, &figures = table](const char* figure) {
        const Figure* found = figures.find(fmt::format("{}@{} filled", figure, budget));
        return found == nullptr ? std::string("–") : percent(found->value);
      };
      rows += fmt::format(" {} / {} / {} |", cell("lines"), cell("whole"), cell("any"));
    }
    rows += "\n";
  }
  return budgets.empty() ? "" : head + "\n" + line + "\n" + rows;
}

std::string lines_report(const EvalReport& report) {
  const FigureTable& table = report.methods.front().overall;
  const std::string stopped = lines_table(table, report.budgets, "");
  if (stopped.empty()) return "";
  std::string text = "## Changed lines in packets\n\n" + stopped + "\nWith fill:\n\n" +
                     lines_table(table, report.budgets, " filled");
  text += "\nAll changed functions among the first:";
  for (const int k : {1, 5, 10}) {
    const Figure* figure = table.find(fmt::format("function acc@{}", k));
    if (figure != nullptr) text += fmt::format(" {} {}", k, percent(figure->value));
  }
  return text + "\n\n## Files\n\n";
}

std::string milliseconds(int64_t micros) {
  return fmt::format("{:.1f} ms", static_cast<double>(micros) / 1000);
}

}  // namespace

std::string eval_report_json(const EvalReport& report) {
  Json json = {{"version", report.version},     {"tasks", report.tasks},
               {"set_aside", report.set_aside}, {"reused", report.reused},
               {"seconds", report.seconds},     {"index_seconds", report.index_seconds}};
  json["notes"] = report.notes;
  for (const EvalMethodReport& method : report.methods) {
    Json one = {{"overall", as_json(method.overall)}};
    for (const auto& [kind, groups] : method.groups) {
      for (const auto& [name, table] : groups) one["by " + kind][name] = as_json(table);
    }
    one["micros"] = {{"p50", method.p50_micros},
                     {"p95", method.p95_micros},
                     {"first_p50", method.first_p50_micros},
                     {"first_p95", method.first_p95_micros}};
    for (const EvalAnswer& answer : method.answers) {
      one["answers"].push_back({{"id", answer.id},
                                {"groups", answer.groups},
                                {"ranks", answer.ranks},
                                {"best", answer.best},
                                {"shares", answer.shares},
                                {"packet", answer.packet},
                                {"amounts", answer.amounts},
                                {"micros", answer.micros}});
    }
    json["methods"][method.method] = std::move(one);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string eval_report_markdown(const EvalReport& report) {
  std::string text = fmt::format("# Evaluation: {} tasks, knapsack {}\n\n", report.tasks, report.version);
  if (report.methods.empty()) return text;
  text += "Percent, with 95 % bootstrap intervals.\n\n" + lines_report(report);
  text += header("method", report.methods.front().overall);
  for (const EvalMethodReport& method : report.methods) text += row(method.method, method.overall, true);
  const EvalMethodReport& first = report.methods.front();
  for (const auto& [kind, groups] : first.groups) {
    if (groups.size() < 2) continue;
    text += fmt::format("\n## {} by {}\n\n", first.method, kind) + header(kind, first.overall);
    for (const auto& [name, table] : groups) text += row(name, table, false);
    text += lines_by_group(groups, kind, report.budgets);
  }
  text += fmt::format("\nAnswers: p50 {}, p95 {}; the first one of an index: p50 {}, p95 {}.\n",
                      milliseconds(first.p50_micros), milliseconds(first.p95_micros),
                      milliseconds(first.first_p50_micros), milliseconds(first.first_p95_micros));
  text += fmt::format("{:.1f} s in all, {:.1f} s of them indexing", report.seconds, report.index_seconds);
  if (report.reused > 0) text += fmt::format("; {} answers from an earlier run", report.reused);
  text += ".\n";
  if (report.set_aside > 0) {
    text += fmt::format("{} set aside: {}.\n", report.set_aside, report.set_aside_because);
  }
  for (const std::string& line : report.notes) text += escape_control(line) + "\n";
  return text;
}

}  // namespace knapsack
