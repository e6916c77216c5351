#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/escape.h"
#include "engine/eval/eval.h"
#include "engine/eval/eval_answers.h"

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

// The columns of a table: all shares, or the four that say most.
std::vector<std::string> columns(const FigureTable& table, bool all) {
  constexpr size_t kFew = 4;
  std::vector<std::string> names, few;
  for (const auto& [name, figure] : table.figures) {
    if (figure.kind != FigureKind::kShare) continue;
    names.push_back(name);
    if (name == "acc@1" || name == "acc@5" || name == "acc@10" || name == "mrr") few.push_back(name);
  }
  if (all) return names;
  if (few.size() == kFew) return few;
  names.resize(std::min(names.size(), kFew));
  return names;
}

std::string row(const std::string& name, const FigureTable& table, const std::vector<std::string>& columns,
                bool with_intervals) {
  std::string text = fmt::format("| {} | {} |", escape_control(name), table.tasks);
  for (const std::string& column : columns) {
    const Figure* figure = table.find(column);
    text += " " + (figure == nullptr ? std::string("–") : percent(figure->value));
    if (with_intervals && figure != nullptr)
      text += fmt::format(" ({}–{})", percent(figure->low), percent(figure->high));
    text += " |";
  }
  return text + "\n";
}

std::string header(const std::string& first, const std::vector<std::string>& columns) {
  std::string names = fmt::format("| {} | tasks |", first), line = "|---|---:|";
  for (const std::string& column : columns) {
    names += fmt::format(" {} |", column);
    line += "---:|";
  }
  return names + "\n" + line + "\n";
}

// What packets show of the changed lines, a row a budget; empty where nobody knows these lines.
std::string lines_table(const FigureTable& table, const std::vector<size_t>& budgets,
                        const std::string& behind, bool all) {
  std::string head = "| budget | lines | whole | code | any | F1 | tokens |",
              line = "|---:|---:|---:|---:|---:|---:|---:|";
  if (all) {
    head += " precision | files |";
    line += "---:|---:|";
  }
  std::string rows;
  for (const size_t budget : budgets) {
    const auto cell = [&](const char* name) {
      const Figure* figure = table.find(fmt::format("{}@{}{}", name, budget, behind));
      return figure == nullptr ? std::string("–") : printed(*figure);
    };
    const Figure* lines = table.find(fmt::format("lines@{}{}", budget, behind));
    if (lines == nullptr) return "";
    rows += fmt::format("| {} | {} ({}–{}) | {} | {} | {} | {} | {} |", budget, percent(lines->value),
                        percent(lines->low), percent(lines->high), cell("whole"), cell("code"), cell("any"),
                        cell("f1"), cell("tokens"));
    if (all) rows += fmt::format(" {} | {} |", cell("precision"), cell("files"));
    rows += "\n";
  }
  return rows.empty() ? "" : head + "\n" + line + "\n" + rows;
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

std::string lines_report(const EvalReport& report, bool all) {
  const FigureTable& table = report.methods.front().overall;
  const std::string stopped = lines_table(table, report.budgets, "", all);
  if (stopped.empty()) return "";
  std::string text =
      "## Changed lines in packets\n\n" + stopped + "\nWith fill:\n\n" +
      lines_table(table, report.budgets, " filled", all) +
      "\nlines: of those that the real change touched, how many the packet shows; whole: tasks "
      "whose changed functions\nit shows all to the end; code: the same, but what documents a function may "
      "be "
      "missing; any: tasks with at least one\nwhole function.\n";
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
  Json json = {
      {"version", report.version}, {"tasks", report.tasks},     {"set_aside", report.count_set_aside()},
      {"reused", report.reused},   {"seconds", report.seconds}, {"index_seconds", report.index_seconds}};
  json["set_aside_because"] = report.set_aside;
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
      one["answers"].push_back(answer_to_json(answer));
      one["answers"].back()["micros"] = answer.micros;
    }
    json["methods"][method.method] = std::move(one);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string eval_report_markdown(const EvalReport& report, bool all) {
  std::string text = fmt::format("# Evaluation: {} tasks, knapsack {}\n\n", report.tasks, report.version);
  if (report.methods.empty()) return text;
  text += "Percent, with 95 % bootstrap intervals.\n\n" + lines_report(report, all);
  const auto shown = columns(report.methods.front().overall, all);
  text += header("method", shown);
  for (const EvalMethodReport& method : report.methods)
    text += row(method.method, method.overall, shown, true);
  const EvalMethodReport& first = report.methods.front();
  for (const auto& [kind, groups] : first.groups) {
    if (groups.size() < 2) continue;
    text += fmt::format("\n## {} by {}\n\n", first.method, kind) + header(kind, shown);
    for (const auto& [name, table] : groups) text += row(name, table, shown, false);
    if (all) text += lines_by_group(groups, kind, report.budgets);
  }
  text += fmt::format("\nAnswers: p50 {}, p95 {}; the first one of an index: p50 {}, p95 {}.\n",
                      milliseconds(first.p50_micros), milliseconds(first.p95_micros),
                      milliseconds(first.first_p50_micros), milliseconds(first.first_p95_micros));
  text += fmt::format("{:.1f} s in all, {:.1f} s of them indexing", report.seconds, report.index_seconds);
  if (report.reused > 0) text += fmt::format("; {} answers from an earlier run", report.reused);
  text += ".\n";
  for (const auto& [why, tasks] : report.set_aside)
    text += fmt::format("{} {} set aside: {}.\n", tasks, tasks == 1 ? "task" : "tasks", escape_control(why));
  if (!all) text += "More figures: `knapsack eval --all`.\n";
  for (const std::string& line : report.notes) text += escape_control(line) + "\n";
  return text;
}

}  // namespace knapsack
