#include "serve/http/token.h"

#include <fmt/format.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "engine/settings/trust.h"
#include "serve/http/http_guard.h"

namespace knapsack::serve {
namespace {

constexpr size_t kRandomBytes = 32;
constexpr std::string_view kTokenFile = "token";

}  // namespace

Result<std::string> random_token() {
  std::array<unsigned char, kRandomBytes> bytes{};
  if (::RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
    return Error{ErrorCode::kIo, "the system gives no random numbers for a token",
                 "give one with `token_file`"};
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

Result<std::string> read_token_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && (status.st_mode & 077U) != 0) {
    return Error{
        ErrorCode::kConfig,
        fmt::format("{} can be read or written by others (mode {:03o})", path, status.st_mode & 0777U),
        fmt::format("run `chmod 600 {}`, and take a new token if others may have seen it", path)};
  }
  KNAPSACK_TRY(std::string token, make_disk_file_system()->read(path, kMaxTokenCharacters + 2));
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  KNAPSACK_CHECK(check_token(token));
  return token;
}

std::string known_token(const FileSystem& files, const std::map<std::string, std::string>& environment,
                        const std::string& workspace) {
  const auto folder = user_state_folder(files, environment, workspace);
  if (!folder.ok()) return "";
  const auto token = read_token_file(join_path(*folder, kTokenFile));
  return token.ok() ? *token : "";
}

Result<OwnToken> own_token(FileSystem& files, const std::map<std::string, std::string>& environment,
                           const std::string& workspace) {
  OwnToken token;
  const auto folder = ensure_user_state_folder(files, environment, workspace);
  if (!folder.ok()) {
    token.made = true;
    KNAPSACK_TRY(token.value, random_token());
    return token;
  }
  token.file = join_path(*folder, kTokenFile);
  if (const auto there = files.info(token.file); there.ok()) {
    KNAPSACK_TRY(token.value, read_token_file(token.file));
    return token;
  }
  token.made = true;
  KNAPSACK_TRY(token.value, random_token());
  KNAPSACK_CHECK(files.replace(token.file, token.value + "\n"));
  return token;
}

std::chrono::milliseconds FailedTokens::add(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  while (failures_ > 0 && now - since_ >= kHalfLife) {
    failures_ /= 2;
    since_ += kHalfLife;
  }
  if (failures_ == 0) since_ = now;
  ++failures_;
  if (failures_ <= kFree) return std::chrono::milliseconds(0);
  const unsigned doublings = std::min(failures_ - kFree - 1, 16U);
  return std::min(kLongestWait, kFirstWait * (1U << doublings));
}

}  // namespace knapsack::serve
