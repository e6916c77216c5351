// One reference taken apart, and the definitions found for it so far. Private to code/references/.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "code/references/reference_resolver.h"

namespace knapsack::code {

// How likely each rule is right. Measured nowhere yet, but ordered with care: what a compiler would do lies
// above 0.9, what a reader would bet on above 0.5, what only narrows a search below.
namespace reference_confidence {
inline constexpr float kCertain = 0.95F;      // scope, import by name, member of a known type
inline constexpr float kVisible = 0.9F;       // the package, or the type named by the qualifier
inline constexpr float kProbable = 0.8F;      // through a re-export, a header or a base class
inline constexpr float kReceiver = 0.6F;      // a variable that is called like its type
inline constexpr float kMentioned = 0.4F;     // the type is used in the same file
inline constexpr float kGlobal = 0.6F;        // the only one, in a language whose names are global
inline constexpr float kMemberByName = 0.3F;  // a method known by nothing but its name
inline constexpr float kUnimported = 0.15F;   // in a language that would have had to import it
inline constexpr float kDeclaration = 0.8F;   // of what its definition gets: a prototype, an interface member
}  // namespace reference_confidence

// Beyond this many definitions of one name no guess is tried.
inline constexpr size_t kMaxGuessed = 64;
// Beyond this many only those of this file are looked at one by one: names such as `get` and `__init__` would
// make the work grow with the square of the repository.
inline constexpr size_t kMaxScanned = 512;

struct FileReferences::Query {
  std::string_view name;
  std::string qualifier;  // with dots; without self and the like
  ReferenceKind kind = ReferenceKind::kCall;
  int32_t enclosing = kNoSymbol;
  bool is_super = false;
  std::span<const Definition> all;  // definitions of the name
};

class FileReferences::Ranking {
 public:
  // Equally likely definitions, found by one rule: they share the confidence, declarations aside.
  bool add(std::span<const Definition> found, float confidence, ReferenceReason reason);
  bool empty() const { return meanings_.empty(); }
  // What was found declares only; who runs is somebody else.
  bool has_declarations_only() const;
  std::vector<Meaning> take();

 private:
  std::vector<Meaning> meanings_;
};

inline bool is_member(SymbolKind kind) {
  return kind == SymbolKind::kMethod || kind == SymbolKind::kField;
}

// Without the constructors of types that are among them: `new Cart()` means Cart, not Cart and Cart.Cart.
void drop_constructors(std::vector<Definition>& found);

// The run of definitions that lie in one file.
std::span<const Definition> in_file(std::span<const Definition> all, uint32_t file);
// All, or those of one file where there are more than kMaxScanned.
std::span<const Definition> scanned(std::span<const Definition> all, uint32_t file);

}  // namespace knapsack::code
