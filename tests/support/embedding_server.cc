#include "support/embedding_server.h"

#include <httplib.h>

#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

#include "text/words/words.h"

namespace knapsack::testing {
namespace {

using nlohmann::json;

// Longer than any deadline that a test gives.
constexpr std::chrono::seconds kNoEnd{60};

// Words with one meaning.
const std::vector<std::vector<std::string>> kMeanings = {
    {"car", "automobile", "vehicle"}, {"invoice", "bill", "billing"}, {"quick", "fast", "speed"}};

std::string meaning_of(const std::string& word) {
  for (const auto& group : kMeanings) {
    for (const std::string& each : group) {
      if (each == word) return group.front();
    }
  }
  return word;
}

}  // namespace

struct EmbeddingServer::State {
  httplib::Server server;
  int port = 0;
  std::thread thread;
  mutable std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false, reversed = false;
  size_t dimensions = 0;
  unsigned seed = 1;
  EmbeddingFault fault = EmbeddingFault::kNone;
  int times = 0, after = 0;
  std::vector<std::string> texts, authorizations;
  std::vector<json> bodies;

  std::vector<double> vector_of(const std::string& text) const {
    std::vector<double> vector(dimensions, 1e-3);
    for (const std::string& word : words_of(text)) {
      std::seed_seq seeds{seed, static_cast<unsigned>(std::hash<std::string>{}(meaning_of(word)))};
      std::mt19937 random(seeds);
      std::normal_distribution<double> number;
      for (double& each : vector) each += number(random);
    }
    return vector;
  }

  static void spoil(json& vectors, EmbeddingFault kind) {
    json& last = vectors.back();
    if (kind == EmbeddingFault::kFewerVectors) vectors.erase(vectors.end() - 1);
    if (kind == EmbeddingFault::kOtherDimensions) last.erase(last.end() - 1);
    if (kind == EmbeddingFault::kNullNumber) last[0] = nullptr;
    if (kind == EmbeddingFault::kTooLargeNumber) last[0] = 1e300;
    if (kind == EmbeddingFault::kTextNumber) last[0] = "0.5";
    if (kind == EmbeddingFault::kEmptyVector) last = json::array();
    if (kind == EmbeddingFault::kZeros) last = std::vector<double>(last.size(), 0);
  }

  std::string answer(const httplib::Request& request, const json& vectors) const {
    json body;
    if (request.path.ends_with("/embeddings")) {
      json data = json::array();
      for (size_t i = 0; i < vectors.size(); ++i)
        data.push_back({{"object", "embedding"}, {"index", i}, {"embedding", vectors[i]}});
      if (reversed) std::reverse(data.begin(), data.end());
      body = {{"object", "list"}, {"data", data}};
    } else {
      body = {{"model", "test"}, {"embeddings", vectors}};
    }
    return body.dump();
  }

  void handle(const httplib::Request& request, httplib::Response& response) {
    const json body = json::parse(request.body, nullptr, false);
    json vectors = json::array();
    EmbeddingFault kind = EmbeddingFault::kNone;
    {
      const std::lock_guard lock(mutex);
      bodies.push_back(body);
      authorizations.push_back(request.get_header_value("Authorization"));
      for (const json& text : body.at("input")) {
        texts.push_back(text);
        vectors.push_back(vector_of(text));
      }
      if (after > 0) {
        --after;
      } else if (times-- > 0) {
        kind = fault;
      }
    }
    spoil(vectors, kind);
    std::string bytes = answer(request, vectors);
    switch (kind) {
      case EmbeddingFault::kSlow: {
        std::unique_lock lock(mutex);
        changed.wait_for(lock, kNoEnd, [&] { return stopping; });
        return;
      }
      case EmbeddingFault::kCutBody:
        response.set_content_provider(bytes.size() + 100, "application/json",
                                      [bytes](size_t offset, size_t, httplib::DataSink& sink) {
                                        return offset == 0 && sink.write(bytes.data(), bytes.size() / 2);
                                      });
        return;
      case EmbeddingFault::kClosesAtOnce:
        response.set_content_provider(100, "application/json",
                                      [](size_t, size_t, httplib::DataSink&) { return false; });
        return;
      case EmbeddingFault::kStatus500:
        response.status = 500;
        response.set_content(R"({"error": "model not loaded"})", "application/json");
        return;
      case EmbeddingFault::kNotANumber:
        bytes.replace(bytes.find("[["), 2, "[[NaN,");
        break;
      case EmbeddingFault::kNoVectors:
        bytes = R"({"model": "test"})";
        break;
      case EmbeddingFault::kNotJson:
        bytes = "<html>It works!</html>";
        break;
      default:
        break;
    }
    response.set_content(bytes, "application/json");
  }
};

EmbeddingServer::EmbeddingServer(size_t dimensions) : state_(std::make_unique<State>()) {
  state_->dimensions = dimensions;
  state_->server.new_task_queue = [] { return new httplib::ThreadPool(16); };
  state_->server.set_keep_alive_timeout(1);
  const auto handler = [this](const auto& request, auto& response) { state_->handle(request, response); };
  state_->server.Post(".*/api/embed", handler);
  state_->server.Post(".*/v1/embeddings", handler);
  state_->port = state_->server.bind_to_any_port("127.0.0.1");
  state_->thread = std::thread([this] { state_->server.listen_after_bind(); });
  while (!state_->server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

EmbeddingServer::~EmbeddingServer() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->changed.notify_all();
  state_->server.stop();
  state_->thread.join();
}

std::string EmbeddingServer::base_url() const {
  return "http://127.0.0.1:" + std::to_string(state_->port);
}
std::string EmbeddingServer::openai_url() const {
  return base_url() + "/v1";
}

void EmbeddingServer::misbehave(EmbeddingFault fault, int times, int after) {
  const std::lock_guard lock(state_->mutex);
  state_->fault = fault;
  state_->times = times;
  state_->after = after;
}
void EmbeddingServer::change_model(unsigned seed) {
  const std::lock_guard lock(state_->mutex);
  state_->seed = seed;
}
void EmbeddingServer::change_dimensions(size_t dimensions) {
  const std::lock_guard lock(state_->mutex);
  state_->dimensions = dimensions;
}
void EmbeddingServer::reverse_order() {
  const std::lock_guard lock(state_->mutex);
  state_->reversed = true;
}

int EmbeddingServer::requests() const {
  const std::lock_guard lock(state_->mutex);
  return static_cast<int>(state_->bodies.size());
}
std::vector<std::string> EmbeddingServer::texts() const {
  const std::lock_guard lock(state_->mutex);
  return state_->texts;
}
std::vector<json> EmbeddingServer::bodies() const {
  const std::lock_guard lock(state_->mutex);
  return state_->bodies;
}
std::vector<std::string> EmbeddingServer::authorizations() const {
  const std::lock_guard lock(state_->mutex);
  return state_->authorizations;
}

}  // namespace knapsack::testing
