#include "text/secrets/secret_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "core/ascii.h"

namespace knapsack {
namespace {

// Which letters follow each letter in words: 94 % of the pairs in sources, headers and prose.
constexpr std::array<std::string_view, 26> kFollowing = {"bcdfgiklmnprstuvy",
                                                         "aeilorsu",
                                                         "acehiklmorstu",
                                                         "adeilorsu",
                                                         "abcdefgilmnopqrstvwxy",
                                                         "aefilortu",
                                                         "aehilnorsu",
                                                         "aeiort",
                                                         "abcdefglmnoprstvxz",
                                                         "aeou",
                                                         "eis",
                                                         "adegilostuy",
                                                         "abeimopsuv",
                                                         "acdefgiklnostuv",
                                                         "abcdfgiklmnoprstuvw",
                                                         "aehikloprstu",
                                                         "u",
                                                         "acdefgiklmnoprstuvy",
                                                         "acehiklopstuwy",
                                                         "acdefhilmoprstuy",
                                                         "abcefilmnprst",
                                                         "aei",
                                                         "aehiors",
                                                         "ipt",
                                                         "np",
                                                         "aeo"};

constexpr size_t kMinWord = 3;
constexpr double kWordPairs = 0.8;  // of the pairs of a word are usual ones

// Parts of values that stand in for a secret or say where it comes from.
constexpr std::array<std::string_view, 68> kStandIns = {
    "${",          "$(",         "{{",        "}}",        "#{",        "%(",       "%s",
    "{}",          "<",          ">",         "...",       "…",         "***",      "xxxx",
    "[redacted",   "example",    "changeme",  "change-me", "change_me", "changeit", "your",
    "placeholder", "dummy",      "sample",    "insert",    "replace",   "password", "passwd",
    "secret",      "token",      "apikey",    "api-key",   "api_key",   "redacted", "process.env",
    "environ",     "getenv",     "env.",      "env[",      "env:",      "vault:",   "arn:",
    "ref+",        "keyvault",   "undefined", "todo",      "foobar",    "deadbeef", "123456",
    "abcdef",      "qwerty",     "letmein",   "test",      "fake",      "mock",     "fixture",
    "invalid",     "wrong",      "base64",    "sha256",    "sha512",    "pbkdf2",   "argon2",
    "localhost",   "credential", "00000000",  "abc123",    "passw0rd"};

using ascii::is_lower;
using ascii::is_upper;

// Letters of one word: "parseHTTPReply" has three.
size_t word_end(std::string_view text, size_t begin) {
  size_t end = begin + 1;
  if (is_upper(text[begin])) {
    while (end < text.size() && is_upper(text[end])) ++end;
    if (end == begin + 1) {
      while (end < text.size() && is_lower(text[end])) ++end;
    } else if (end < text.size() && is_lower(text[end])) {
      --end;  // the last capital begins the next word
    }
    return end;
  }
  while (end < text.size() && is_lower(text[end])) ++end;
  return end;
}

bool is_wordlike(std::string_view word) {
  if (word.size() < kMinWord) return false;
  size_t usual = 0;
  for (size_t i = 0; i + 1 < word.size(); ++i) {
    const std::string_view following = kFollowing[static_cast<size_t>(ascii::lower(word[i]) - 'a')];
    usual += following.find(ascii::lower(word[i + 1])) != std::string_view::npos ? 1 : 0;
  }
  return static_cast<double>(usual) >= kWordPairs * static_cast<double>(word.size() - 1);
}

struct Classes {
  size_t lower = 0, upper = 0, digits = 0, symbols = 0, others = 0;
  size_t letters() const { return lower + upper; }
};

Classes classes_of(std::string_view text) {
  Classes classes;
  for (const char c : text) {
    if (is_lower(c)) {
      ++classes.lower;
    } else if (is_upper(c)) {
      ++classes.upper;
    } else if (ascii::is_digit(c)) {
      ++classes.digits;
    } else if (static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) < 0x7f) {
      ++classes.symbols;
    } else {
      ++classes.others;
    }
  }
  return classes;
}

// A path, an address, a variable or a reference of a template, by how it begins.
bool begins_as_reference(std::string_view value) {
  const char first = value.front();
  if (first == '$' || first == '/' || first == '~' || first == '.' || first == '*' || first == '&' ||
      first == '!')
    return value.size() < 2 || first != '$' || value.substr(1, 1).find_first_of("0123456789") != 0;
  if ((first == '%' || first == '@') && value.back() == first) return true;
  return first == '{' || first == '[' || first == '(' || value.find("://") != std::string_view::npos;
}

bool is_version_or_date(std::string_view value) {
  return value.find_first_not_of("0123456789.,:-/+TZv_ ") == std::string_view::npos;
}

bool is_uuid(std::string_view value) {
  if (value.size() != 36) return false;
  for (size_t i = 0; i < value.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? value[i] != '-' : ascii::hex_value(value[i]) < 0) return false;
  }
  return true;
}

// "user.profile.id2", "fs::path::key1", "a->b": names of things in a program.
bool is_dotted_name(std::string_view value) {
  const bool name =
      value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-/@") ==
      std::string_view::npos;
  return name && value.find_first_of(".:_-/@") != std::string_view::npos && word_share(value) >= 0.5;
}

bool is_password(std::string_view value, bool whole) {
  constexpr size_t kMin = 6, kMax = 128;
  if (value.size() < kMin || value.size() > kMax) return false;
  const Classes classes = classes_of(value);
  if (classes.others > 0 || is_version_or_date(value) || is_uuid(value)) return false;
  if (entropy_of(value) < 2.2) return false;
  const double words = word_share(value);
  if (classes.digits == 0 && classes.symbols == 0)
    return value.size() >= 8 && words < 0.35 && classes.lower > 0 && classes.upper > 0;
  if (classes.digits == 0) {
    const bool only_joints =
        value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.-:/ ,'") ==
        std::string_view::npos;
    return !only_joints && words < 0.8 && classes.letters() >= 3;
  }
  if (classes.letters() == 0) return classes.symbols > 0 && classes.digits >= 4;
  if (words >= 0.5 && is_dotted_name(value)) return false;
  if (words >= 0.75) return whole && classes.digits >= 2 && classes.digits <= 4 && value.size() >= 8;
  return whole || words < 0.5;
}

bool is_token(std::string_view value, bool whole) {
  constexpr size_t kMin = 10, kMax = 1000;
  if (value.size() < kMin || value.size() > kMax) return false;
  const Classes classes = classes_of(value);
  if (classes.others > 0 || classes.letters() == 0 || is_version_or_date(value) || is_uuid(value))
    return false;
  if (!whole && value.size() < 16) return false;
  return looks_random(value);
}

// --- names ---

constexpr std::array<std::string_view, 42> kQualifiers = {
    "prod",    "production", "dev",   "development", "staging", "stage",   "live",    "default", "value",
    "string",  "text",       "plain", "raw",         "base64",  "b64",     "new",     "old",     "current",
    "primary", "secondary",  "main",  "us",          "eu",      "encoded", "str",     "env",     "var",
    "input",   "master",     "slave", "local",       "remote",  "test",    "testing", "sandbox", "backup",
    "v",       "const",      "data",  "ci",          "qa",      "uat"};

constexpr std::array<std::string_view, 7> kPasswords = {"password", "passwd",   "pwd", "passphrase",
                                                        "pass",     "passcode", "pw"};
constexpr std::array<std::string_view, 12> kTokens = {"secret",      "token", "auth",      "credential",
                                                      "credentials", "creds", "bearer",    "authtoken",
                                                      "apikey",      "pat",   "accesskey", "secretkey"};
// What makes a key one that must not be known.
constexpr std::array<std::string_view, 32> kSecretKeys = {
    "api",     "access",  "secret",  "private",     "auth",        "encryption",   "signing",  "master",
    "service", "account", "storage", "app",         "application", "consumer",     "deploy",   "ssh",
    "session", "shared",  "webhook", "client",      "admin",       "root",         "server",   "license",
    "crypto",  "hmac",    "jwt",     "integration", "write",       "subscription", "function", "ingest"};
// What a token of this kind stands for is no secret: places in a list, marks in texts.
constexpr std::array<std::string_view, 28> kHarmless = {
    "next", "page",   "continuation", "sync", "pad",     "eos",     "bos",    "unk",      "sep",     "cls",
    "mask", "stop",   "public",       "no",   "invalid", "reset",   "forgot", "change",   "confirm", "hide",
    "show", "cancel", "cancellation", "is",   "has",     "require", "hashed", "encrypted"};

template <size_t N>
bool is_one_of(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

double entropy_of(std::string_view text) {
  if (text.empty()) return 0;
  std::array<uint32_t, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  for (const uint32_t count : counts) {
    if (count == 0) continue;
    const double share = count / static_cast<double>(text.size());
    bits -= share * std::log2(share);
  }
  return bits;
}

double word_share(std::string_view text) {
  size_t letters = 0, counted = 0;
  for (size_t at = 0; at < text.size();) {
    if (!ascii::is_letter(text[at])) {
      counted += std::string_view("_-. :/@").find(text[at]) == std::string_view::npos ? 1 : 0;
      ++at;
      continue;
    }
    const size_t end = word_end(text, at);
    if (is_wordlike(text.substr(at, end - at))) letters += end - at;
    counted += end - at;
    at = end;
  }
  return counted == 0 ? 0 : static_cast<double>(letters) / static_cast<double>(counted);
}

bool is_blanked(std::string_view token) {
  constexpr size_t kRun = 8;
  constexpr std::string_view kBlanks = "xX*.#0-_";
  size_t run = 1;
  for (size_t i = 1; i < token.size(); ++i) {
    run = token[i] == token[i - 1] ? run + 1 : 1;
    if (run >= kRun && kBlanks.find(token[i]) != std::string_view::npos) return true;
  }
  return false;
}

bool is_placeholder(std::string_view value) {
  if (value.empty() || begins_as_reference(value) || is_blanked(value)) return true;
  const std::string text = ascii::lower(value);
  if (std::any_of(kStandIns.begin(), kStandIns.end(),
                  [&](std::string_view part) { return text.find(part) != std::string::npos; }))
    return true;
  // "aaaabbbb", "1212121212"
  std::array<bool, 256> seen{};
  size_t distinct = 0;
  for (const char c : value) distinct += std::exchange(seen[static_cast<unsigned char>(c)], true) ? 0 : 1;
  return distinct <= 3;
}

bool looks_random(std::string_view value) {
  const Classes classes = classes_of(value);
  const double words = word_share(value);
  if (entropy_of(value) < (value.size() < 16 ? 2.75 : 3.0)) return false;
  if (classes.digits == 0) {
    if (value.size() < 16) return false;
    return classes.symbols * 5 < value.size() && words < 0.35;
  }
  if (is_dotted_name(value)) return false;
  return words < 0.5;
}

bool is_secret_value(SecretName name, std::string_view value, bool whole) {
  if (name == SecretName::kNone || value.empty() || is_placeholder(value)) return false;
  if (value.find_first_of(" \t(){};,|\\") != std::string_view::npos && name == SecretName::kToken)
    return false;
  if (value.find_first_of(" \t") != std::string_view::npos) return false;
  if (!whole && value.find_first_of("(){}[];,|") != std::string_view::npos) return false;
  return name == SecretName::kPassword ? is_password(value, whole) : is_token(value, whole);
}

SecretName secret_name(std::string_view name) {
  constexpr size_t kMaxWords = 12;
  std::array<std::string, kMaxWords> words;
  size_t count = 0;
  for (size_t at = 0; at < name.size();) {
    if (!ascii::is_letter(name[at])) {
      ++at;
      continue;
    }
    const size_t end = word_end(name, at);
    if (count == kMaxWords) {
      std::move(words.begin() + 1, words.end(), words.begin());
      --count;
    }
    words[count++] = ascii::lower(name.substr(at, end - at));
    at = end;
  }
  while (count > 1 && is_one_of(kQualifiers, words[count - 1])) --count;
  if (count == 0) return SecretName::kNone;
  const std::string& last = words[count - 1];
  const std::string_view before = count > 1 ? std::string_view(words[count - 2]) : std::string_view();
  if (is_one_of(kHarmless, before)) return SecretName::kNone;
  if (is_one_of(kPasswords, last)) return SecretName::kPassword;
  if (is_one_of(kTokens, last)) return SecretName::kToken;
  if (last == "key" && is_one_of(kSecretKeys, before)) return SecretName::kToken;
  for (const std::string_view end : {"password", "passwd", "passphrase"}) {
    if (last.ends_with(end)) return SecretName::kPassword;
  }
  for (const std::string_view end : {"secret", "token", "apikey", "accesskey", "secretkey", "privatekey"}) {
    if (last.ends_with(end)) return SecretName::kToken;
  }
  return SecretName::kNone;
}

}  // namespace knapsack
