#include "cli/clipboard.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "cli/command.h"
#include "cli/numbers.h"

namespace knapsack::cli {
namespace {

// Standard output may be redirected; the terminal is there all the same.
constexpr const char* kTerminal = "/dev/tty";

std::string base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // and the library's own end
  const int size =
      ::EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<size_t>(size));
  return text;
}

}  // namespace

Status find_clipboard() {
  const int terminal = ::open(kTerminal, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0)
    return Error{ErrorCode::kUsage, "--copy needs a terminal",
                 "leave it out, and redirect the packet instead"};
  ::close(terminal);
  return ok_status();
}

Status copy_to_clipboard(std::string_view bytes) {
  const std::string sequence = "\033]52;c;" + base64(bytes) + "\a";
  const int terminal = ::open(kTerminal, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  ssize_t written = terminal < 0 ? -1 : 0;
  for (size_t at = 0; at < sequence.size() && written >= 0; at += static_cast<size_t>(written)) {
    written = ::write(terminal, sequence.data() + at, sequence.size() - at);
    if (written < 0 && errno == EINTR) written = 0;
  }
  const int problem = errno;
  if (terminal >= 0) ::close(terminal);
  if (written < 0)
    return Error{ErrorCode::kIo, fmt::format("cannot write to the terminal: {}", std::strerror(problem)), ""};
  note(fmt::format("copied {} to the clipboard of this terminal, if it allows that",
                   bytes_in_words(bytes.size())));
  return ok_status();
}

}  // namespace knapsack::cli
