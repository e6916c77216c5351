// Any bytes are a text that may hold secrets: what is left of it holds none, lines stay where they must, and
// a clean text is not changed.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "code/walk/clean_source.h"
#include "code/walk/sensitive_file.h"
#include "text/secrets/redact.h"

namespace {

using namespace knapsack;

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto context = static_cast<SecretContext>(data[0] % 2);
  const bool holds = holds_secret(text, context);
  std::string clean = text;
  const uint64_t count = redact_secrets(clean, context);
  check(holds == (count > 0) && (count > 0 || clean == text));
  std::string by_line = text;
  check(redact_secrets_by_line(by_line, context) == count);
  check(std::count(by_line.begin(), by_line.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
  std::string named = text;
  redact_named("password", named);
  for (const char* language : {"python", "yaml", "text"}) {
    std::string source = text;
    code::clean_source(source, language);
    check(std::count(source.begin(), source.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
  }
  const size_t cut = text.find('\n');
  const std::string_view path = std::string_view(text).substr(0, cut);
  code::is_sensitive_path(path);
  code::is_sensitive_file(path, text);
  for (const char* name : {"a.pem", ".npmrc", "kubeconfig", "settings.json", "terraform.tfvars"})
    code::is_sensitive_file(name, text);
  return 0;
}
