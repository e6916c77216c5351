#include "code/walk/sensitive_file.h"

#include <algorithm>
#include <array>

#include "code/parse/word_list.h"
#include "core/ascii.h"
#include "core/paths.h"

namespace knapsack::code {
namespace {

// "prod.env.example", "env.sample.yaml": written to be read.
bool is_example(std::string_view name) {
  for (const std::string_view mark :
       {"example", "sample", "template", "dist", "default", "schema", "tpl", "tmpl"}) {
    const size_t at = name.find(mark);
    if (at == std::string_view::npos) continue;
    const bool begins = at == 0 || name[at - 1] == '.' || name[at - 1] == '-' || name[at - 1] == '_';
    const size_t end = at + mark.size();
    const bool ends =
        end == name.size() || name[end] == '.' || name[end] == '-' || name[end] == '_' || name[end] == 's';
    if (begins && ends) return true;
  }
  return false;
}

bool is_dotenv(std::string_view name) {
  if (name == ".env" || name == ".envrc" || name.starts_with(".env.") || name.starts_with(".env-") ||
      name.starts_with(".env_"))
    return true;
  // "prod.env", but not "jest.env.js"
  return name.ends_with(".env") && name.size() > 4;
}

constexpr std::array<std::string_view, 33> kNames = {".netrc",
                                                     "_netrc",
                                                     ".pypirc",
                                                     ".pgpass",
                                                     ".my.cnf",
                                                     ".htpasswd",
                                                     ".dockercfg",
                                                     "kubeconfig",
                                                     ".git-credentials",
                                                     "id_rsa",
                                                     "id_dsa",
                                                     "id_ecdsa",
                                                     "id_ed25519",
                                                     "id_ecdsa_sk",
                                                     "id_ed25519_sk",
                                                     ".s3cfg",
                                                     ".boto",
                                                     ".vault-token",
                                                     ".vault_pass",
                                                     ".vault_password",
                                                     "credentials.csv",
                                                     "rootkey.csv",
                                                     "accesskeys.csv",
                                                     "client_secret.json",
                                                     "master.key",
                                                     "secring.gpg",
                                                     ".terraformrc",
                                                     "terraform.rc",
                                                     ".databrickscfg",
                                                     ".ftpconfig",
                                                     "sftp-config.json",
                                                     ".remote-sync.json",

                                                     ".bash_history"};

constexpr std::array<std::string_view, 17> kEndings = {
    ".p12",        ".pfx", ".jks",   ".keystore", ".tfstate",  ".tfstate.backup",
    ".kubeconfig", ".ppk", ".kdbx",  ".kdb",      ".keychain", ".pkcs12",
    ".p8",         ".bks", ".jceks", ".ovpn",     ".agekey"};

// Below these folders, by the name that each tool looks for.
constexpr std::array<std::string_view, 9> kPaths = {
    ".aws/credentials",         ".docker/config.json",  ".kube/config",
    ".azure/accesstokens.json", ".config/gh/hosts.yml", ".gnupg/secring.gpg",
    ".gem/credentials",         ".cargo/credentials",   ".cargo/credentials.toml"};

bool has_credentials(std::string_view bytes) {
  for (const std::string_view mark : {"_authToken", "_password", "_auth", ":_auth"}) {
    if (bytes.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

bool is_sensitive_path(std::string_view path) {
  const std::string lowered = ascii::lower(path);
  const std::string_view name = base_name(lowered);
  if (name.ends_with(".pub")) return false;
  // What a tool keeps in its own format is no example, whatever it is called: Terraform's state is default.tfstate.
  if (ends_with_one_of(kEndings, name)) return true;
  if (!is_example(name) && (is_dotenv(name) || is_one_of(kNames, name))) return true;
  return std::any_of(kPaths.begin(), kPaths.end(), [&](std::string_view place) {
    return lowered == place || lowered.ends_with("/" + std::string(place));
  });
}

bool is_sensitive_file(std::string_view path, std::string_view bytes) {
  const std::string lowered = ascii::lower(path);
  const std::string_view name = base_name(lowered);
  if (name.ends_with(".pub")) return false;
  const bool may_be_key = name.ends_with(".pem") || name.ends_with(".key") || name.ends_with(".crt") ||
                          name.ends_with(".gpg") || name.ends_with(".asc");
  if (may_be_key && bytes.find("PRIVATE KEY") != std::string_view::npos) return true;
  if (name == ".npmrc" || name == ".yarnrc" || name == ".yarnrc.yml")
    return has_credentials(bytes) || bytes.find("npmAuthToken") != std::string_view::npos;
  // A kubeconfig by any name, and a service account's key.
  if (name.ends_with(".yaml") || name.ends_with(".yml") || name.find('.') == std::string_view::npos) {
    return bytes.find("kind: Config") != std::string_view::npos &&
           (bytes.find("client-key-data:") != std::string_view::npos ||
            bytes.find("client-certificate-data:") != std::string_view::npos);
  }
  return false;
}

bool is_allowed(const std::vector<std::string>& allowed, std::string_view path) {
  return std::any_of(allowed.begin(), allowed.end(),
                     [&](const std::string& name) { return path == name || base_name(path) == name; });
}

}  // namespace knapsack::code
