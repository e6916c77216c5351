#include "engine/settings/trust.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "engine/settings/places.h"

namespace knapsack {
namespace {

using Environment = std::map<std::string, std::string>;

constexpr std::string_view kOwnFolder = "knapsack";
constexpr std::string_view kTrustFolder = "trust";
constexpr uint64_t kMaxEntryBytes = 16 << 10;
constexpr size_t kDigestDigits = 64;

std::string variable(const Environment& environment, const std::string& name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

// Where a variable names no absolute folder, the usual place below the home folder (the XDG specification).
std::optional<std::string> base_folder(const Environment& environment, const char* name,
                                       const char* below_home) {
  if (const std::string named = variable(environment, name); named.starts_with('/')) return named;
  const std::string home = variable(environment, "HOME");
  if (!home.starts_with('/')) return std::nullopt;
  return join_path(home, below_home);
}

// SHA-256, in hexadecimal digits: nobody must be able to write a second file with the same one.
std::string digest(std::string_view bytes) {
  std::array<unsigned char, 32> hash{};
  unsigned int size = 0;
  if (::EVP_Digest(bytes.data(), bytes.size(), hash.data(), &size, ::EVP_sha256(), nullptr) != 1) return {};
  return fmt::format("{:02x}", fmt::join(hash, ""));
}

// The name of an entry says what is trusted; its text says where, for --list.
Result<std::string> entry_name(const FileSystem& files, const TrustQuestion& question) {
  KNAPSACK_TRY(const std::string workspace, files.resolve(question.workspace));
  std::string name = digest(fmt::format("{}:{}:{}", workspace.size(), workspace, question.content));
  if (name.size() != kDigestDigits)
    return Error{ErrorCode::kIo, "the system's library cannot compute SHA-256",
                 "check the installation of OpenSSL"};
  return name;
}

Status ensure_folder(FileSystem& files, const std::string& path) {
  const auto info = files.info(path);
  if (!info.ok()) {
    if (info.error().code != ErrorCode::kNotFound) return info.error();
    KNAPSACK_CHECK(ensure_folder(files, parent_path(path)));
    return files.make_directory(path);
  }
  return ok_status();
}

struct Entry {
  std::string file;
  std::string workspace;
};

Result<std::vector<Entry>> read_entries(const FileSystem& files, const TrustQuestion& question) {
  std::vector<Entry> entries;
  KNAPSACK_TRY(const std::string state, user_state_folder(files, question.environment, question.workspace));
  const std::string folder = join_path(state, kTrustFolder);
  const auto names = files.list(folder);
  if (!names.ok()) {
    if (names.error().code == ErrorCode::kNotFound) return entries;
    return names.error();
  }
  for (const DirectoryEntry& name : *names) {
    if (name.kind != FileKind::kRegular || name.name.size() != kDigestDigits) continue;
    auto text = files.read(join_path(folder, name.name), kMaxEntryBytes);
    if (!text.ok()) continue;
    if (text->ends_with('\n')) text->pop_back();
    entries.push_back({join_path(folder, name.name), *std::move(text)});
  }
  return entries;
}

}  // namespace

Result<std::string> user_state_folder(const FileSystem& files, const Environment& environment,
                                      const std::string& workspace) {
  const auto base = base_folder(environment, "XDG_STATE_HOME", ".local/state");
  if (!base) {
    return Error{ErrorCode::kConfig, "no place to store trust: HOME is not set",
                 "set HOME or XDG_STATE_HOME"};
  }
  std::string folder = join_path(*base, kOwnFolder);
  // What is not there yet counts by the folder that would hold it.
  std::string existing = folder;
  while (existing != "/" && !files.info(existing).ok()) existing = parent_path(existing);
  if (lies_in(files, workspace, existing)) {
    return Error{ErrorCode::kConfig,
                 fmt::format("{} is inside the workspace, which could bring its own", folder),
                 "set XDG_STATE_HOME to a folder outside of it"};
  }
  return folder;
}

Result<std::string> ensure_user_state_folder(FileSystem& files, const Environment& environment,
                                             const std::string& workspace) {
  KNAPSACK_TRY(std::string folder, user_state_folder(files, environment, workspace));
  KNAPSACK_CHECK(ensure_folder(files, folder));
  return folder;
}

std::optional<std::string> user_settings_file(const Environment& environment) {
  const auto base = base_folder(environment, "XDG_CONFIG_HOME", ".config");
  if (!base) return std::nullopt;
  return join_path(join_path(*base, kOwnFolder), "knapsack.toml");
}

bool is_trusted(const FileSystem& files, const TrustQuestion& question) {
  const auto state = user_state_folder(files, question.environment, question.workspace);
  const auto name = entry_name(files, question);
  if (!state.ok() || !name.ok()) return false;
  const auto info = files.info(join_path(join_path(*state, kTrustFolder), *name));
  return info.ok() && info->kind == FileKind::kRegular;
}

Status trust(FileSystem& files, const TrustQuestion& question) {
  KNAPSACK_TRY(const std::string state,
               ensure_user_state_folder(files, question.environment, question.workspace));
  KNAPSACK_TRY(const std::string name, entry_name(files, question));
  KNAPSACK_TRY(const std::string workspace, files.resolve(question.workspace));
  const std::string folder = join_path(state, kTrustFolder);
  KNAPSACK_CHECK(ensure_folder(files, folder));
  return files.replace(join_path(folder, name), workspace + "\n");
}

Result<std::vector<TrustedWorkspace>> list_trusted(const FileSystem& files, const TrustQuestion& question) {
  KNAPSACK_TRY(const auto entries, read_entries(files, question));
  std::map<std::string, size_t> versions;
  for (const Entry& entry : entries) ++versions[entry.workspace];
  std::vector<TrustedWorkspace> list;
  for (const auto& [path, count] : versions) list.push_back({path, count});
  return list;
}

Result<size_t> revoke_trust(FileSystem& files, const TrustQuestion& question) {
  KNAPSACK_TRY(const std::string workspace, files.resolve(question.workspace));
  KNAPSACK_TRY(const auto entries, read_entries(files, question));
  size_t gone = 0;
  for (const Entry& entry : entries) {
    if (entry.workspace != workspace) continue;
    KNAPSACK_CHECK(files.remove(entry.file));
    ++gone;
  }
  return gone;
}

}  // namespace knapsack
