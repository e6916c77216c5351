#include "serve/packet_reply.h"

#include "core/run_status.h"
#include "serve/schema.h"

namespace knapsack::serve {
namespace {

std::string shown_text(const Packet& packet, const std::string& output) {
  if (!output.empty()) return output;
  return packet.has_items() ? "Nothing fits into max_tokens." : "There is nothing on this.";
}

}  // namespace

Json packet_schema(bool with_task_id) {
  using namespace schema;
  Json made = object({{"workspace!", any_text()},
                      {"run!", any_text()},
                      {"status", any_text()},
                      {"left_out", any_whole()},
                      {"warnings", texts()},
                      {"text!", any_text()}});
  if (with_task_id) {
    made["properties"]["task_id"] = any_text();
    made["required"].push_back("task_id");
  }
  return made;
}

Draft make_packet_draft(const Call& call, const Packet& packet, const std::string& output,
                        const std::vector<std::string>& notices, const Json& more) {
  Json fields = {{"run", packet.run_id},
                 {"status", name_of(packet.status)},
                 {"left_out", packet.omitted_count()},
                 {"warnings", shown_warnings(notices)}};
  for (const auto& [key, value] : more.items()) fields[key] = value;
  Draft draft;
  draft.reply = make_reply(call, shown_text(packet, output), std::move(fields), packet.run_id);
  draft.used = packet.used;
  draft.complete = packet.omitted_count() == 0 && packet.reduced_count() == 0;
  return draft;
}

}  // namespace knapsack::serve
