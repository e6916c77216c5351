// A workspace of memories without a disk, and what the engine recalls in it at a fixed time.
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/files/memory_file_system.h"
#include "engine/engine.h"
#include "store/ledger/ledger.h"
#include "support/real_ledger.h"
#include "support/support.h"

namespace knapsack {

inline constexpr const char* kNow = "2026-11-15T12:00:00Z";
inline constexpr const char* kTree = "/work/.knapsack/memory/";

class MemoryWorkspace {
 public:
  MemoryWorkspace() { files_->put_kind("/work/.git", FileKind::kDirectory); }

  void put(const std::string& path, const std::string& bytes) { files_->put(kTree + path, bytes); }
  void remember(const std::string& id, const std::string& text, const std::string& keys = "") {
    put("facts/2026-11-14/" + id + ".md",
        fmt::format("---\nid: {}\ncategory: fact\ncreated: 2026-11-14T10:00:00Z\n{}---\n{}\n", id, keys,
                    text));
  }

  Result<RecallReply> try_recall(const std::string& prompt, std::map<std::string, std::string> settings = {},
                                 const std::string& format = "md", const std::string& mode = "full",
                                 const std::string& as_of = "", bool explain = false) {
    EngineParts parts;
    parts.files = files_;
    parts.ledger = ledger_;
    EngineOptions options;
    options.folder = "/work";
    options.now = *parse_rfc3339(kNow);
    auto engine = Engine::open(options, parts);
    RecallRequest request;
    request.settings = std::move(settings);
    request.prompt = prompt;
    request.format = format;
    request.mode = mode;
    request.as_of = as_of;
    request.explain = explain;
    return (*engine)->recall(request);
  }
  RecallReply recall(const std::string& prompt, std::map<std::string, std::string> settings = {},
                     const std::string& format = "md", const std::string& mode = "full",
                     const std::string& as_of = "", bool explain = false) {
    auto reply = try_recall(prompt, std::move(settings), format, mode, as_of, explain);
    EXPECT_TRUE(reply.ok()) << reply.error().line();
    return reply.ok() ? *std::move(reply) : RecallReply{};
  }

  const std::shared_ptr<Ledger>& ledger() const { return ledger_; }

  // Ids of what is shown, in the order in which it is.
  static std::vector<std::string> shown(const RecallReply& reply) {
    std::vector<std::string> ids;
    for (const PacketSection& section : reply.packet.sections) {
      for (const PacketItem& item : section.items) {
        if (item.shown) ids.push_back(item.candidate.id);
      }
    }
    return ids;
  }

 private:
  std::shared_ptr<MemoryFileSystem> files_ = std::make_shared<MemoryFileSystem>();
  std::shared_ptr<Ledger> ledger_ = testing::make_real_ledger();
};

}  // namespace knapsack
