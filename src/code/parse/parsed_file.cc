#include "code/parse/parsed_file.h"

namespace knapsack::code {

std::string_view to_string(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::kFunction:
      return "function";
    case SymbolKind::kMethod:
      return "method";
    case SymbolKind::kClass:
      return "class";
    case SymbolKind::kInterface:
      return "interface";
    case SymbolKind::kEnum:
      return "enum";
    case SymbolKind::kStruct:
      return "struct";
    case SymbolKind::kTrait:
      return "trait";
    case SymbolKind::kModule:
      return "module";
    case SymbolKind::kConstant:
      return "constant";
    case SymbolKind::kVariable:
      return "variable";
    case SymbolKind::kField:
      return "field";
    case SymbolKind::kMacro:
      return "macro";
    case SymbolKind::kType:
      return "type";
    case SymbolKind::kTest:
      return "test";
  }
  return "";
}

std::string_view to_string(ReferenceKind kind) {
  switch (kind) {
    case ReferenceKind::kCall:
      return "call";
    case ReferenceKind::kType:
      return "type";
    case ReferenceKind::kName:
      return "name";
    case ReferenceKind::kText:
      return "text";
  }
  return "";
}

std::string_view to_string(ImportKind kind) {
  switch (kind) {
    case ImportKind::kImport:
      return "import";
    case ImportKind::kInclude:
      return "include";
    case ImportKind::kRequire:
      return "require";
    case ImportKind::kUse:
      return "use";
    case ImportKind::kDynamic:
      return "dynamic";
  }
  return "";
}

std::string_view to_string(CommentKind kind) {
  switch (kind) {
    case CommentKind::kRationale:
      return "rationale";
    case CommentKind::kTodo:
      return "todo";
    case CommentKind::kNote:
      return "note";
    case CommentKind::kIssueReference:
      return "issue_reference";
    case CommentKind::kLicense:
      return "license";
    case CommentKind::kDoc:
      return "doc";
    case CommentKind::kPlain:
      return "plain";
  }
  return "";
}

std::string_view to_string(ParseStatus status) {
  switch (status) {
    case ParseStatus::kParsed:
      return "parsed";
    case ParseStatus::kParsedWithErrors:
      return "parsed_with_errors";
    case ParseStatus::kDeadlineFallback:
      return "deadline_fallback";
    case ParseStatus::kTooLarge:
      return "too_large";
    case ParseStatus::kDocument:
      return "document";
  }
  return "";
}

std::string_view to_string(FallbackReason reason) {
  switch (reason) {
    case FallbackReason::kNone:
      return "none";
    case FallbackReason::kDeadline:
      return "deadline";
    case FallbackReason::kWork:
      return "work";
    case FallbackReason::kNesting:
      return "nesting";
    case FallbackReason::kLineLength:
      return "line_length";
    case FallbackReason::kCrash:
      return "crash";
  }
  return "";
}

}  // namespace knapsack::code
