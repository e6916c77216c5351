#include "code/language.h"

#include <algorithm>
#include <iterator>

#include "code/hooks.h"

extern "C" {
const TSLanguage* tree_sitter_c();
const TSLanguage* tree_sitter_c_sharp();
const TSLanguage* tree_sitter_cpp();
const TSLanguage* tree_sitter_go();
const TSLanguage* tree_sitter_java();
const TSLanguage* tree_sitter_javascript();
const TSLanguage* tree_sitter_kotlin();
const TSLanguage* tree_sitter_php();
const TSLanguage* tree_sitter_python();
const TSLanguage* tree_sitter_ruby();
const TSLanguage* tree_sitter_rust();
const TSLanguage* tree_sitter_scala();
const TSLanguage* tree_sitter_swift();
const TSLanguage* tree_sitter_tsx();
const TSLanguage* tree_sitter_typescript();
}

namespace knapsack::code {
namespace {

using Export = ExportRule::Kind;

constexpr Language kLanguages[] = {
    {.name = "python",
     .extensions = "py pyi pyw",
     .file_names = "SConstruct SConscript wscript",
     .interpreters = "python python2 python3",
     .grammar = tree_sitter_python,
     .query = "python",
     .line_comment = "#",
     .exports = {Export::kNoUnderscore},
     .tests = {.prefixes = "test_ test"},
     .assertions = "assert raises warns fail",
     .not_references = "self cls int str bool float bytes object",
     .upper_case_is_constant = true},
    {.name = "javascript",
     .extensions = "js mjs cjs es6",
     .file_names = "Jakefile",
     .interpreters = "node nodejs bun",
     .grammar = tree_sitter_javascript,
     .query = "javascript jsx ecmascript",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {Export::kMarked, "private"},
     .assertions = "expect assert should",
     .upper_case_is_constant = true},
    {.name = "jsx",
     .extensions = "jsx",
     .grammar = tree_sitter_javascript,
     .query = "javascript jsx ecmascript",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {Export::kMarked, "private"},
     .assertions = "expect assert should",
     .upper_case_is_constant = true},
    {.name = "typescript",
     .extensions = "ts mts cts",
     .interpreters = "deno ts-node tsx",
     .grammar = tree_sitter_typescript,
     .query = "typescript ecmascript",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {Export::kMarked, "private protected"},
     .assertions = "expect assert should",
     .upper_case_is_constant = true,
     .clauses = ClauseMerging::kDeclarations},
    {.name = "tsx",
     .extensions = "tsx",
     .grammar = tree_sitter_tsx,
     .query = "typescript jsx ecmascript",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {Export::kMarked, "private protected"},
     .assertions = "expect assert should",
     .upper_case_is_constant = true,
     .clauses = ClauseMerging::kDeclarations},
    {.name = "go",
     .extensions = "go",
     .grammar = tree_sitter_go,
     .query = "go",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {Export::kCapital},
     .tests = {.prefixes = "Test Benchmark Fuzz Example", .signature = "testing."},
     .assertions = "assert require Fatal t.Error t.Fail b.Error",
     .not_references =
         "nil string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr byte rune float32 "
         "float64 bool error any comparable"},
    {.name = "rust",
     .extensions = "rs",
     .interpreters = "rust-script",
     .grammar = tree_sitter_rust,
     .query = "rust",
     .separator = "::",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {Export::kWithWord, "pub"},
     .assertions = "assert debug_assert",
     .not_references = "Self self super crate Some None Ok Err",
     .hooks = &kRustHooks},
    {.name = "java",
     .extensions = "java",
     .grammar = tree_sitter_java,
     .query = "java",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {Export::kWithWord, "public protected"},
     .tests = {.prefixes = "test", .needs_test_class = true},
     .assertions = "assert fail verify expect",
     .not_references = "String Object Override",
     .upper_case_is_constant = true},
    {.name = "c",
     .extensions = "c",
     .grammar = tree_sitter_c,
     .query = "c",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {Export::kAccess, "static"},
     .tests = {.prefixes = "test_"},
     .assertions = "assert TEST_ASSERT ck_assert CU_ASSERT g_assert",
     .hooks = &kCHooks},
    {.name = "cpp",
     .extensions = "cpp cc cxx c++ hpp hh hxx h++ inl ipp tpp txx cu cuh",
     .grammar = tree_sitter_cpp,
     .query = "cpp c",
     .separator = "::",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {.kind = Export::kAccess, .words = "static", .classes_start_private = true},
     .assertions = "ASSERT EXPECT REQUIRE CHECK assert BOOST_ TEST_ASSERT",
     .hooks = &kCHooks},
    {.name = "csharp",
     .extensions = "cs csx",
     .grammar = tree_sitter_c_sharp,
     .query = "csharp",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {Export::kWithWord, "public protected internal"},
     .assertions = "Assert Should Verify Expect"},
    {.name = "ruby",
     .extensions = "rb rake gemspec ru rbi jbuilder",
     .file_names = "Rakefile Gemfile Guardfile Vagrantfile Podfile Fastfile Capfile",
     .interpreters = "ruby jruby",
     .grammar = tree_sitter_ruby,
     .query = "ruby",
     .separator = "::",
     .member_separator = "#",
     .line_comment = "#",
     .block_comment = "=begin =end",
     .exports = {Export::kAccess},
     .tests = {.prefixes = "test_"},
     .assertions = "assert refute expect must_ wont_ should"},
    {.name = "php",
     .extensions = "php phtml php5 php7 inc",
     .interpreters = "php",
     .grammar = tree_sitter_php,
     .query = "php",
     .separator = "\\",
     .member_separator = "::",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {Export::kWithoutWord, "private"},
     .tests = {.prefixes = "test", .needs_test_class = true},
     .assertions = "assert expect",
     .not_references = "self static parent"},
    {.name = "kotlin",
     .extensions = "kt kts",
     .grammar = tree_sitter_kotlin,
     .query = "kotlin",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {Export::kWithoutWord, "private"},
     .assertions = "assert should expect verify fail",
     .not_references = "Int String Boolean Long Double Float Unit Any this it",
     .upper_case_is_constant = true},
    {.name = "swift",
     .extensions = "swift",
     .interpreters = "swift",
     .grammar = tree_sitter_swift,
     .query = "swift",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {Export::kWithoutWord, "private fileprivate"},
     .tests = {.prefixes = "test", .needs_test_class = true},
     .assertions = "XCTAssert XCTFail XCTUnwrap expect require",
     .not_references = "self Self Int String Bool Double Float Void Any $0 $1 $2"},
    {.name = "scala",
     .extensions = "scala sc sbt",
     .interpreters = "scala",
     .grammar = tree_sitter_scala,
     .query = "scala",
     .line_comment = "//",
     .block_comment = "/* */",
     .exports = {Export::kWithoutWord, "private"},
     .assertions = "assert intercept expect fail",
     .not_references = "this Int String Boolean Long Double Float Unit Any",
     .hooks = &kScalaHooks},
    {.name = "markdown", .extensions = "md markdown mdx mkd mdown", .heading_mark = "#"},
    {.name = "restructuredtext", .extensions = "rst"},
    {.name = "toml", .extensions = "toml", .file_names = "Cargo.lock poetry.lock uv.lock Pipfile"},
    {.name = "yaml", .extensions = "yaml yml", .file_names = ".clang-format .clang-tidy CITATION.cff"},
    {.name = "json", .extensions = "json jsonc json5 jsonl ndjson geojson webmanifest ipynb"},
    {.name = "cmake", .extensions = "cmake", .file_names = "CMakeLists.txt"},
    {.name = "sql", .extensions = "sql ddl dml psql"},
    {.name = "html", .extensions = "html htm xhtml"},
    {.name = "css", .extensions = "css scss sass less"},
    {.name = "text",
     .extensions = "txt text log cfg ini conf mk make dockerfile",
     .file_names = "Makefile GNUmakefile Dockerfile Containerfile LICENSE README NOTICE AUTHORS CHANGELOG"},
};

}  // namespace

std::span<const Language> languages() {
  return kLanguages;
}

const Language* find_language(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kLanguages), std::end(kLanguages),
                                         [&](const Language& language) { return language.name == name; });
  return found == std::end(kLanguages) ? nullptr : found;
}

}  // namespace knapsack::code
