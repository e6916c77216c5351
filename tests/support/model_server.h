// A chat server for tests: real HTTP over a real socket of this machine, in both protocols, that answers by a
// callback and misbehaves on demand.
//
// The same server speaks Ollama's protocol at base_url() and OpenAI's at base_url() + "/v1"; the path of a
// request decides. The callback runs on the server's threads, several at once if the client asks so.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace knapsack::testing {

// One question as it arrived.
struct ReceivedChat {
  bool openai = false;
  std::string model;
  std::string system;
  std::string user;
  nlohmann::json schema;
  nlohmann::json body;        // all of it
  std::string authorization;  // that header, empty when it was not sent
};

enum class Misbehaviour {
  kNone,
  kSlow,         // says nothing at all for a long time
  kDrip,         // the right answer, a byte at a time
  kDripHeaders,  // never gets through its headers
  kCutBody,      // closes in the middle of the body
  kStatus500,
  kStatus429,
  kStatus401,    // with a message that repeats the key it was sent
  kWrongSchema,  // JSON, but not what was asked for
  kProse,        // the right answer with words around it
  kHugeBody,     // does not end
  kHugeHeaders,  // likewise
  kRedirectToSelf,
  kRedirectElsewhere,
  kNotJson,  // a web page with status 200
  kEmptyBody,
  kLengthTooShort,     // says that the body is shorter than it is
  kLengthTooLong,      // says that it is longer, and then closes
  kClosesAtOnce,       // reads the request and hangs up
  kKeepsOpen,          // the right answer, and the connection stays open
  kNoLengthKeepsOpen,  // the right answer, but nothing says that it is complete
  kDeepJson,           // a hundred thousand brackets
  kNotUtf8,
  kEchoesKey,  // the model's text holds the key that was sent
};

class ModelServer {
 public:
  // The model's text for a question.
  using Callback = std::function<std::string(const ReceivedChat&)>;

  explicit ModelServer(Callback answer);
  // Over TLS with these files in PEM.
  ModelServer(Callback answer, const std::string& certificate, const std::string& key);
  ~ModelServer();
  ModelServer(const ModelServer&) = delete;
  ModelServer& operator=(const ModelServer&) = delete;

  std::string base_url() const;    // Ollama's protocol: "http://127.0.0.1:PORT"
  std::string openai_url() const;  // OpenAI's: the same with /v1
  int port() const;

  // The next `times` requests meet this, the ones after it an answer.
  void misbehave(Misbehaviour how, int times = 1'000'000);

  int requests() const;  // that have arrived
  std::vector<ReceivedChat> received() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A self-signed certificate for 127.0.0.1 and localhost, and its key, in `folder`.
struct CertificateFiles {
  std::string certificate;
  std::string key;
};
CertificateFiles make_certificate(const std::string& folder);

}  // namespace knapsack::testing
