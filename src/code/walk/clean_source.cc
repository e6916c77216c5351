#include "code/walk/clean_source.h"

#include "code/parse/language.h"
#include "code/walk/notebook.h"
#include "text/secrets/redact.h"

namespace knapsack::code {

uint64_t clean_source(std::string& bytes, std::string_view language) {
  if (language == kNotebook) {
    if (auto text = notebook_text(bytes)) bytes = *std::move(text);
  }
  // A language with a grammar is a program's, where a bare word is a name; in a script of a shell it is
  // itself.
  const Language* known = find_language(language);
  const bool is_program = known != nullptr && known->grammar != nullptr && language != "bash";
  return redact_secrets_by_line(bytes, is_program ? SecretContext::kCode : SecretContext::kText);
}

}  // namespace knapsack::code
