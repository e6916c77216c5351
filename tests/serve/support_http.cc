#include "serve/support_http.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace knapsack::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

int millis_left(steady_clock::time_point deadline) {
  return static_cast<int>(
      std::max<int64_t>(0, std::chrono::ceil<milliseconds>(deadline - steady_clock::now()).count()));
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// The body of an answer with these headers; nothing while more is to come. `used` is what it took of `bytes`.
std::optional<std::string> body_of(const std::map<std::string, std::string>& headers, std::string_view bytes,
                                   size_t& used) {
  if (const auto length = headers.find("content-length"); length != headers.end()) {
    used = std::strtoull(length->second.c_str(), nullptr, 10);
    if (bytes.size() < used) return std::nullopt;
    return std::string(bytes.substr(0, used));
  }
  if (headers.count("transfer-encoding") == 0) {
    used = 0;
    return std::string();
  }
  std::string body;
  for (size_t at = 0;;) {
    const size_t line = bytes.find("\r\n", at);
    if (line == std::string_view::npos) return std::nullopt;
    const size_t size = std::strtoull(std::string(bytes.substr(at, line - at)).c_str(), nullptr, 16);
    if (bytes.size() < line + 2 + size + 2) return std::nullopt;
    body += bytes.substr(line + 2, size);
    at = line + 2 + size + 2;
    if (size > 0) continue;
    used = at;
    return body;
  }
}

// Takes one complete answer from the front of `bytes`.
std::optional<HttpAnswer> take_answer(std::string& bytes) {
  const size_t end = bytes.find("\r\n\r\n");
  if (end == std::string::npos) return std::nullopt;
  HttpAnswer answer;
  if (bytes.starts_with("HTTP/1.1 ")) answer.status = std::atoi(bytes.c_str() + 9);
  for (size_t at = bytes.find("\r\n") + 2; at < end;) {
    const size_t line_end = bytes.find("\r\n", at);
    const std::string line = bytes.substr(at, line_end - at);
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) answer.headers[lower(line.substr(0, colon))] = line.substr(colon + 2);
    at = line_end + 2;
  }
  size_t used = 0;
  const bool bodiless = answer.status == 204 || answer.status == 100;
  const auto body = bodiless ? std::optional<std::string>("")
                             : body_of(answer.headers, std::string_view(bytes).substr(end + 4), used);
  if (!body) return std::nullopt;
  answer.body = *body;
  answer.raw = bytes.substr(0, end + 4 + used);
  bytes.erase(0, end + 4 + used);
  return answer;
}

}  // namespace

std::string HttpAnswer::error() const {
  const auto parsed = json();
  if (!parsed.is_object() || !parsed.contains("error") || !parsed["error"].contains("next")) return "";
  return parsed["error"].value("code", nlohmann::json("")).get<std::string>();
}

HttpClient::HttpClient(uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) close();
}

HttpClient::~HttpClient() {
  close();
}

void HttpClient::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

bool HttpClient::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

void HttpClient::end_sending() const {
  ::shutdown(socket_, SHUT_WR);
}

HttpAnswer HttpClient::read(milliseconds limit) {
  const auto deadline = steady_clock::now() + limit;
  for (;;) {
    if (auto answer = take_answer(unread_)) return *std::move(answer);
    pollfd waited{socket_, POLLIN, 0};
    if (::poll(&waited, 1, millis_left(deadline)) <= 0) break;
    char buffer[65536];
    const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
    if (got <= 0) break;
    unread_.append(buffer, static_cast<size_t>(got));
  }
  HttpAnswer none;
  none.raw = unread_;
  return none;
}

bool HttpClient::closed_within(milliseconds limit) const {
  const auto deadline = steady_clock::now() + limit;
  for (;;) {
    pollfd waited{socket_, POLLIN, 0};
    if (::poll(&waited, 1, millis_left(deadline)) <= 0) return false;
    char buffer[65536];
    if (::recv(socket_, buffer, sizeof buffer, 0) <= 0) return true;
  }
}

std::string http_request(uint16_t port, const std::string& method, const std::string& path,
                         const std::string& body, std::map<std::string, std::string> headers) {
  headers.emplace("Host", fmt::format("localhost:{}", port));
  if (method == "POST") {
    headers.emplace("Content-Type", "application/json");
    if (headers.count("Transfer-Encoding") == 0)
      headers.emplace("Content-Length", std::to_string(body.size()));
  }
  std::string bytes = fmt::format("{} {} HTTP/1.1\r\n", method, path);
  for (const auto& [name, value] : headers) {
    if (!value.empty()) bytes += fmt::format("{}: {}\r\n", name, value);
  }
  return bytes + "\r\n" + body;
}

ServeProgram::ServeProgram(const std::string& folder, const std::vector<std::string>& arguments,
                           const std::map<std::string, std::string>& environment) {
  char name[] = "/tmp/knapsack-serve-XXXXXX";
  errors_ = ::mkostemp(name, O_CLOEXEC);
  if (errors_ < 0) throw std::runtime_error("mkostemp failed");
  ::unlink(name);
  std::vector<std::string> words = {KNAPSACK_PROGRAM, "serve", "--port", "0"};
  const auto names_token = [&](const char* flag) {
    return std::find(arguments.begin(), arguments.end(), flag) != arguments.end();
  };
  // Most of these tests are about other things than who may ask.
  if (!names_token("--token-file") && !names_token(kOwnToken) && environment.count("KNAPSACK_TOKEN") == 0)
    words.emplace_back("--no-token");
  std::copy_if(arguments.begin(), arguments.end(), std::back_inserter(words),
               [](const std::string& each) { return each != kOwnToken; });
  std::vector<std::string> variables = {"PATH=/usr/bin:/bin", "HOME=" + folder, "LC_ALL=C.UTF-8"};
  for (const auto& [key, value] : environment) variables.push_back(key + "=" + value);
  std::vector<char*> argv, envp;
  for (auto& word : words) argv.push_back(word.data());
  for (auto& variable : variables) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  process_ = ::fork();
  if (process_ == 0) {
    const int nothing = ::open("/dev/null", O_RDWR);
    ::dup2(nothing, 0);
    ::dup2(nothing, 1);
    ::dup2(errors_, 2);
    if (::chdir(folder.c_str()) != 0) ::_exit(127);
    ::execve(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  const auto deadline = steady_clock::now() + std::chrono::seconds(60);
  while (port_ == 0 && steady_clock::now() < deadline && !exit_code(milliseconds(0))) {
    const std::string text = said();
    const size_t at = text.find("listening on http://");
    const size_t end = text.find(" for ", at);
    if (at != std::string::npos && end != std::string::npos) {
      port_ = static_cast<uint16_t>(std::atoi(text.c_str() + text.rfind(':', end) + 1));
    } else {
      std::this_thread::sleep_for(milliseconds(5));
    }
  }
  EXPECT_NE(port_, 0) << "the server does not listen: " << said();
}

ServeProgram::~ServeProgram() {
  if (!reaped_) {
    ::kill(process_, SIGKILL);
    exit_code();
  }
  ::close(errors_);
}

HttpAnswer ServeProgram::ask(const std::string& method, const std::string& path, const std::string& body,
                             const std::map<std::string, std::string>& headers) const {
  HttpClient client(port_);
  if (!client.connected()) return {};
  client.send(http_request(port_, method, path, body, headers));
  return client.read();
}

uint64_t ServeProgram::resident_bytes() const {
  std::ifstream pages(fmt::format("/proc/{}/statm", process_));
  uint64_t size = 0, resident = 0;
  pages >> size >> resident;
  return resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

void ServeProgram::signal(int number) const {
  if (!reaped_) ::kill(process_, number);
}

std::optional<int> ServeProgram::exit_code(milliseconds limit) {
  const auto deadline = steady_clock::now() + limit;
  do {
    int status = 0;
    if (::waitpid(process_, &status, WNOHANG) == process_) {
      reaped_ = true;
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    if (limit.count() > 0) std::this_thread::sleep_for(milliseconds(2));
  } while (steady_clock::now() < deadline);
  return std::nullopt;
}

std::string ServeProgram::said() const {
  std::string bytes;
  char buffer[4096];
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(errors_, buffer, sizeof buffer, at);
    if (got <= 0) return bytes;
    bytes.append(buffer, static_cast<size_t>(got));
    at += got;
  }
}

}  // namespace knapsack::testing
