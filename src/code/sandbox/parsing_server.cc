// The other side of ParsingProcess: reads requests from a socket, in a sandbox, until there are no more.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "code/parse/parsed_file_bytes.h"
#include "code/parse/parser.h"
#include "code/sandbox/parsing_process.h"
#include "code/sandbox/parsing_wire.h"

namespace knapsack::code {
namespace {

bool read_whole(int socket, char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t got = ::read(socket, bytes, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

bool write_whole(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(socket, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

std::string answer_to(Parser& parser, std::string_view name, std::string_view bytes) {
  const Language* language = find_language(name);
  Result<ParsedFile> file = Error{ErrorCode::kInternal, "no grammar reads " + std::string(name), ""};
  if (language != nullptr && language->has_symbols()) file = parser.read_syntax(*language, bytes);
  std::string body = file.ok() ? encode_parsed_file(*file) : file.error().line();
  if (file.ok() && body.size() > max_parsed_bytes(bytes.size())) {
    ParsedFile nothing;
    nothing.status = ParseStatus::kDeadlineFallback;
    nothing.fallback = FallbackReason::kWork;
    body = encode_parsed_file(nothing);
  }
  return answer_head({!file.ok(), static_cast<uint32_t>(body.size())}) + body;
}

}  // namespace

int serve_parsing(int socket) {
  ::signal(SIGPIPE, SIG_IGN);
  const Sandbox sandbox = enter_sandbox(socket + 1);
  if (!write_whole(socket, greeting_of(sandbox))) return 1;
  Parser parser;
  std::string head(kRequestHeadBytes, '\0');
  std::string bytes;
  while (read_whole(socket, head.data(), head.size())) {
    bytes.resize(load<uint32_t>(head.data() + kLanguageBytes));
    if (!read_whole(socket, bytes.data(), bytes.size())) return 1;
    if (!write_whole(socket, answer_to(parser, head.c_str(), bytes))) return 1;
  }
  return 0;
}

}  // namespace knapsack::code
