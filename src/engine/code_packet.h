// From what the stages chose to a packet: files as groups, their parts as candidates in every form.
//
// The order of service is the order in which things may not be missing: paths of named files, their
// signatures, parts that are primary, whole bodies of those, how files connect, supporting parts, types,
// outlines, and what is left of the files. So a small budget shows a little of many files and a large one
// shows all of them in full.
#pragma once

#include <string>
#include <vector>

#include "code/code_index.h"
#include "code/snapshot_texts.h"
#include "core/packet.h"
#include "render/renderer.h"
#include "stages/stage_context.h"
#include "text/token_counter.h"

namespace knapsack {

struct CodePacketParts {
  std::vector<PacketSection> sections;
  std::vector<std::shared_ptr<const CandidateGroup>> groups;
  std::vector<std::string> warnings;  // files that could not be read
  uint64_t secrets = 0;               // that were replaced
};

// `budget` in tokens: how much of the files is worth reading.
Result<CodePacketParts> make_code_sections(code::CodeIndex& index, const code::SnapshotTexts& texts,
                                           const stages::StageContext& context, uint64_t budget);

// Takes the parts into the packet and chooses their forms; gives the rendered bytes. The packet's budget and
// margin must be set.
std::string pack_code(Packet& packet, const CodePacketParts& parts, const Renderer& renderer,
                      const TokenCounter& counter);

}  // namespace knapsack
