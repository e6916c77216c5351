// RecordingClient and ReplayClient: keeping what a model answered, and answering from it without the model.
//
// A recording is a file of one JSON object a line: the request as asked, its hash, and the whole answer with
// its account. The hash covers everything that decides the answer (model, texts, schema, room), not the
// deadline and not the stage, so that a replay is exact or says that it has no answer. No key is ever in it.
// Any thread may use the same client.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/file_system.h"
#include "model/model_client.h"

namespace knapsack::model {

inline constexpr uint64_t kMaxRecordingBytes = uint64_t{512} * 1024 * 1024;

// Names a request to a model, the same on every machine.
std::string request_hash(const std::string& model, const ChatRequest& request);

// Answers as `inner` does and keeps each exchange. The file is replaced as a whole after each call, so that
// it is complete at any moment; what was in it before stays.
class RecordingClient final : public ModelClient {
 public:
  static Result<std::unique_ptr<RecordingClient>> open(std::shared_ptr<ModelClient> inner,
                                                       std::shared_ptr<FileSystem> files,
                                                       const std::string& path);

  const std::string& model() const override { return inner_->model(); }
  uint64_t window() const override { return inner_->window(); }
  ChatAnswer chat(const ChatRequest& request) override;

  // Whether everything so far reached the file.
  Status written() const;

 private:
  RecordingClient(std::shared_ptr<ModelClient> inner, std::shared_ptr<FileSystem> files, std::string path,
                  std::string lines);

  const std::shared_ptr<ModelClient> inner_;
  const std::shared_ptr<FileSystem> files_;
  const std::string path_;
  mutable std::mutex mutex_;
  std::string lines_;
  Status written_ = ok_status();
};

class ReplayClient final : public ModelClient {
 public:
  // A recording that cannot be read is kCorrupt with the line's number.
  static Result<std::unique_ptr<ReplayClient>> open(const FileSystem& files, const std::string& path,
                                                    std::string model, uint64_t window);

  const std::string& model() const override { return model_; }
  uint64_t window() const override { return window_; }
  // The last answer that was recorded for this request; kNotRecorded when there is none.
  ChatAnswer chat(const ChatRequest& request) override;

 private:
  ReplayClient(std::string path, std::string model, uint64_t window);

  const std::string path_;
  const std::string model_;
  const uint64_t window_;
  std::map<std::string, ChatAnswer> answers_;  // by request hash
};

}  // namespace knapsack::model
