// `knapsack graph`: one command with a command for each thing one does to a graph.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/graph_command.h"
#include "cli/numbers.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

void add_init(Command graph, Shared& shared) {
  auto folder = std::make_shared<std::string>();
  Command command = add_command(graph, shared, "init", "Create an empty graph", [&shared, folder] {
    auto engine = open_engine(shared);
    if (!engine.ok()) return fail(engine.error());
    const auto reply = (*engine)->graph_init({graph_settings(*folder)});
    if (!reply.ok()) return fail(reply.error());
    const auto printed =
        print(fmt::format("{} {}\n", reply->folder, reply->created ? "is ready" : "was ready before"));
    return printed.ok() ? 0 : fail(printed.error());
  });
  add_graphs_dir(command, *folder);
  command.footer("Existing files are not changed.\n\nExample:\n  knapsack graph init");
}

void add_put(Command graph, Shared& shared) {
  struct Options {
    std::string folder, file;
    std::string format = "md";
  };
  auto options = std::make_shared<Options>();
  Command command =
      add_command(graph, shared, "put", "Add nodes, or new revisions of them", [&shared, options] {
        auto engine = open_engine(shared);
        if (!engine.ok()) return fail(engine.error());
        auto nodes = read_input(options->file);
        if (!nodes.ok()) return fail(nodes.error());
        const auto reply = (*engine)->graph_put({graph_settings(options->folder), std::move(*nodes)});
        if (!reply.ok()) return fail(reply.error());
        std::string out;
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const auto& node : reply->nodes) {
          out += fmt::format("{} revision {}\n", node.id, node.rev);
          list.push_back({{"id", node.id}, {"rev", node.rev}});
        }
        out += fmt::format("committed as {}\n", reply->commit_id);
        const nlohmann::ordered_json json = {
            {"commit_id", reply->commit_id}, {"context_pack_path", reply->context_pack}, {"nodes", list}};
        const auto printed = print(options->format == "json" ? json.dump(2) + "\n" : out);
        return printed.ok() ? 0 : fail(printed.error());
      });
  command.add_option("FILE", options->file, "A file with nodes, or - for standard input")
      .required()
      .type_name("");
  add_graphs_dir(command, options->folder);
  add_format(command, options->format, {"md", "json"});
  command.footer(
      "Nodes are JSON: one object, a list of them, or one per line. A node needs a title, and a type unless "
      "its id\n"
      "begins with RG- or TG-; ids, times and revisions are filled in. An id that is in the graph gets a new "
      "revision,\n"
      "which replaces the whole node. Either all nodes are accepted or none: a node with an unknown\n"
      "state, a reference that leads nowhere, or tasks that wait for each other in a circle are refused.\n\n"
      "  types       entity fact definition constraint source assumption risk (KG-…), decision (RG-…), task "
      "(TG-…)\n"
      "  KG          summary attributes relationships[{rel,target_id}] "
      "evidence[{source_id,confidence,excerpt}] status\n"
      "  RG          context decision rationale[] alternatives[] outcome{status,supersedes[]} "
      "refs{kg_refs,tg_refs}\n"
      "  TG          description status priority dependencies[] blocks[] acceptance_criteria[] "
      "inputs{kg_refs,rg_refs}\n\n"
      "Examples:\n"
      "  echo '{\"id\":\"TG-TASK-7\",\"title\":\"Resume an import\",\"status\":\"ready\"}' | knapsack graph "
      "put -\n"
      "  echo '{\"type\":\"constraint\",\"title\":\"Imports finish in an hour\"}' | knapsack graph put -\n"
      "  echo '{\"id\":\"TG-TASK-7\",\"title\":\"Resume an import\",\"status\":\"done\"}' | knapsack graph "
      "put -");
}

void add_show(Command graph, Shared& shared) {
  struct Options {
    std::string folder, id;
    std::string format = "md";
  };
  auto options = std::make_shared<Options>();
  Command command =
      add_command(graph, shared, "show", "Show a node at its latest revision", [&shared, options] {
        auto engine = open_engine(shared);
        if (!engine.ok()) return fail(engine.error());
        const auto reply = (*engine)->graph_show({graph_settings(options->folder), options->id});
        if (!reply.ok()) return fail(reply.error());
        const auto printed = print(options->format == "json" ? reply->json : escape_lines(reply->text));
        return printed.ok() ? 0 : fail(printed.error());
      });
  command.add_option("ID", options->id, "KG-…, RG-… or TG-…, upper or lower case").required().type_name("");
  add_graphs_dir(command, options->folder);
  add_format(command, options->format, {"md", "json"});
  command.footer(
      "json prints the revision exactly as stored, including secrets; md replaces them and lists the nodes "
      "that refer to it.\n\n"
      "Example:\n  knapsack graph show tg-task-7");
}

std::string finding_line(const GraphFinding& finding) {
  std::string where = escape_control(finding.file);
  if (finding.line > 0) where += fmt::format(":{}", finding.line);
  return fmt::format("{} {}{}{}\n", finding.error ? "error  " : "warning", where, where.empty() ? "" : " ",
                     escape_control(finding.reason));
}

void add_validate(Command graph, Shared& shared) {
  struct Options {
    std::string folder;
    std::string format = "md";
  };
  auto options = std::make_shared<Options>();
  Command command =
      add_command(graph, shared, "validate", "Check every line of the graph", [&shared, options] {
        auto engine = open_engine(shared);
        if (!engine.ok()) return fail(engine.error());
        const auto reply = (*engine)->graph_validate({graph_settings(options->folder)});
        if (!reply.ok()) return fail(reply.error());
        std::string out;
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const auto& finding : reply->findings) {
          out += finding_line(finding);
          list.push_back({{"severity", finding.error ? "error" : "warning"},
                          {"file", finding.file},
                          {"line", finding.line},
                          {"reason", finding.reason}});
        }
        out += fmt::format("{}, {}, {}; {} in {}: {}\n", counted(reply->knowledge, "knowledge node"),
                           counted(reply->decisions, "decision"), counted(reply->tasks, "task"),
                           counted(reply->revisions, "revision"), counted(reply->commits, "commit"),
                           reply->errors == 0 ? "valid" : counted(reply->errors, "error"));
        const nlohmann::ordered_json json = {{"valid", reply->errors == 0},
                                             {"knowledge", reply->knowledge},
                                             {"decisions", reply->decisions},
                                             {"tasks", reply->tasks},
                                             {"revisions", reply->revisions},
                                             {"commits", reply->commits},
                                             {"findings", list}};
        const auto printed =
            print(options->format == "json"
                      ? json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"
                      : out);
        if (!printed.ok()) return fail(printed.error());
        return reply->errors == 0 ? 0 : 1;
      });
  add_graphs_dir(command, options->folder);
  add_format(command, options->format, {"md", "json"});
  command.footer(
      "Checks the fields of every revision, references that lead nowhere, duplicate revisions, tasks that\n"
      "wait for each other in a circle, and whether the latest context pack matches the last commit.\n"
      "Exit codes: 0 valid, 1 errors found, 2 bad usage.\n\nExample:\n  knapsack graph validate");
}

}  // namespace

void add_graph(Command program, Shared& shared) {
  Command graph = program.add_subcommand(
      "graph", "Maintain a graph of knowledge, decisions and tasks, and pack what a request needs");
  graph.require_subcommand(1, 1);
  add_init(graph, shared);
  add_put(graph, shared);
  add_show(graph, shared);
  add_validate(graph, shared);
  add_graph_pack(graph, shared);
  graph.footer(
      "A graph is a folder (graphs/) of append-only JSON Lines: knowledge (KG), decisions (RG) and tasks\n"
      "(TG). Each line is one revision of a node.\n\n"
      "Start here:\n"
      "  knapsack graph init\n"
      "  echo '{\"id\":\"TG-TASK-1\",\"title\":\"Resume an import\",\"status\":\"in_progress\"}' | knapsack "
      "graph put -\n"
      "  knapsack graph pack --request-text \"continue TG-TASK-1\"\n\n"
      "`knapsack graph COMMAND --help` has examples for each.");
}

}  // namespace knapsack::cli
