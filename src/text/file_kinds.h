// The endings and names by which files are known: one table, for what reads paths in a task and for what tells languages
// apart. A file that the program parses is thereby one that a task can name. Constants; any thread.
#pragma once

#include <string_view>

namespace knapsack {

struct LanguageFiles {
  std::string_view language;    // as code/parse/language.h calls it; empty: nobody parses these
  std::string_view extensions;  // without the dot, separated by spaces
  std::string_view names = "";  // of whole files
  bool is_source =
      false;  // written by programmers: a bare name with such an ending is a file, not a sentence
};

inline constexpr LanguageFiles kLanguageFiles[] = {
    {"python", "py pyi pyw", "SConstruct SConscript wscript", true},
    {"notebook", "ipynb", "", true},
    {"javascript", "js mjs cjs es6", "Jakefile", true},
    {"jsx", "jsx", "", true},
    {"typescript", "ts mts cts", "", true},
    {"tsx", "tsx", "", true},
    {"go", "go", "", true},
    {"rust", "rs", "", true},
    {"java", "java", "", true},
    {"c", "c", "", true},
    {"cpp", "cpp cc cxx c++ hpp hh hxx h++ inl ipp tpp txx cu cuh", "", true},
    {"csharp", "cs csx", "", true},
    {"ruby", "rb rake gemspec ru rbi jbuilder",
     "Rakefile Gemfile Guardfile Vagrantfile Podfile Fastfile Capfile", true},
    {"php", "php phtml php5 php7 inc", "", true},
    {"kotlin", "kt kts", "", true},
    {"swift", "swift", "", true},
    {"scala", "scala sc sbt", "", true},
    {"bash", "sh bash bats ksh zsh ebuild", ".bashrc .bash_profile .profile .zshrc PKGBUILD", true},
    {"lua", "lua rockspec", "", true},
    {"elixir", "ex exs", "", true},
    {"haskell", "hs lhs hsc", "", true},
    {"zig", "zig zon", "", true},
    {"yacc", "y yy ypp l ll lpp lex", "", true},
    // Programs that nobody parses here.
    {"vue", "vue", "", true},
    {"svelte", "svelte", "", true},
    {"astro", "astro", "", true},
    {"dart", "dart", "", true},
    {"perl", "pl pm", "", true},
    {"r", "r R", "", true},
    {"julia", "jl", "", true},
    {"clojure", "clj cljs cljc", "", true},
    {"erlang", "erl hrl", "", true},
    {"ocaml", "ml mli", "", true},
    {"fsharp", "fs fsx fsi", "", true},
    {"vb", "vb", "", true},
    {"objectivec", "m mm", "", true},
    {"groovy", "groovy gradle", "Jenkinsfile", true},
    {"powershell", "ps1 psm1", "", true},
    {"bat", "bat", "", true},
    {"protobuf", "proto", "", true},
    {"thrift", "thrift", "", true},
    {"graphql", "graphql gql", "", true},
    {"terraform", "tf hcl", "", true},
    {"nim", "nim", "", true},
    {"crystal", "cr", "", true},
    {"fortran", "f90 f95 f03 f08 f", "", true},
    {"pascal", "pas", "", true},
    {"ada", "adb ads", "", true},
    {"lisp", "lisp el", "", true},
    {"scheme", "scm rkt", "", true},
    {"elm", "elm", "", true},
    {"haxe", "hx", "", true},
    {"asm", "asm s S", "", true},
    {"verilog", "v sv", "", true},
    {"vhdl", "vhd vhdl", "", true},
    {"glsl", "glsl wgsl hlsl metal", "", true},
    {"cython", "pyx pxd", "", true},
    {"coffeescript", "coffee", "", true},
    {"razor", "razor cshtml", "", true},
    {"solidity", "sol", "", true},
    {"gdscript", "gd", "", true},
    {"starlark", "bzl", "", true},
    {"nix", "nix", "", true},
    {"tcl", "tcl", "", true},
    {"awk", "awk", "", true},
    {"fish", "fish", "", true},
    {"vim", "vim", "", true},
    {"jq", "jq", "", true},
    {"markdown", "md markdown mdx mkd mdown", "", false},
    {"restructuredtext", "rst", "", false},
    {"toml", "toml", "Cargo.lock poetry.lock uv.lock Pipfile", false},
    {"yaml", "yaml yml", ".clang-format .clang-tidy CITATION.cff", false},
    {"json", "json jsonc json5 jsonl ndjson geojson webmanifest", "", false},
    {"cmake", "cmake", "CMakeLists.txt", true},
    {"sql", "sql ddl dml psql", "", true},
    {"html", "html htm xhtml", "", false},
    {"css", "css scss sass less", "", false},
    {"text", "txt text log cfg ini conf mk make dockerfile",
     "Makefile GNUmakefile Dockerfile Containerfile LICENSE README NOTICE AUTHORS CHANGELOG", false},
    {"", "h erb", "Procfile Brewfile Justfile", true},
    {"",
     "adoc env lock xml svg csv tsv png jpg jpeg gif pdf tmpl tpl j2 jinja mod sum in po pot properties "
     "csproj sln plist "
     "snap patch diff hbs ejs haml pug wsdl xsd parquet",
     ".gitignore .gitattributes .dockerignore .editorconfig .eslintrc .prettierrc .npmrc .env .pylintrc "
     ".babelrc "
     "CODEOWNERS",
     false},
};

constexpr const LanguageFiles* files_of_language(std::string_view language) {
  for (const LanguageFiles& kind : kLanguageFiles) {
    if (kind.language == language) return &kind;
  }
  return nullptr;
}
// A language that is not in the table does not compile.
constexpr std::string_view extensions_of(std::string_view language) {
  return files_of_language(language)->extensions;
}
constexpr std::string_view names_of(std::string_view language) {
  return files_of_language(language)->names;
}

enum class ExtensionKind { kUnknown, kSource, kOther };
ExtensionKind extension_kind(std::string_view extension);
bool is_known_file_name(std::string_view name);

// What an extension says of a file of C or C++ that others include.
enum class HeaderKind { kNone, kDeclarations, kBodies };
HeaderKind header_kind(std::string_view path);

}  // namespace knapsack
