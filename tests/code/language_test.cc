#include "code/parse/language.h"

#include <map>
#include <string>

#include "support/support.h"
#include "understand/task_analysis.h"

namespace knapsack::code {
namespace {

struct Case {
  const char* path;
  const char* bytes;
  const char* language;
};

TEST(Language, IsToldByNameExtensionOrInterpreter) {
  const Case cases[] = {
      {"a/b.py", "", "python"},
      {"stubs/b.pyi", "", "python"},
      {"SConstruct", "", "python"},
      {"lib/x.MJS", "", "javascript"},
      {"x.jsx", "", "jsx"},
      {"x.mts", "", "typescript"},
      {"x.tsx", "", "tsx"},
      {"x.go", "", "go"},
      {"x.rs", "", "rust"},
      {"X.java", "", "java"},
      {"x.c", "", "c"},
      {"x.C", "", "cpp"},
      {"x.cc", "", "cpp"},
      {"x.hpp", "", "cpp"},
      {"X.cs", "", "csharp"},
      {"Rakefile", "", "ruby"},
      {"x.gemspec", "", "ruby"},
      {"x.php", "", "php"},
      {"build.gradle.kts", "", "kotlin"},
      {"x.swift", "", "swift"},
      {"build.sbt", "", "scala"},
      {"x.sh", "", "bash"},
      {".bashrc", "", "bash"},
      {"x.lua", "", "lua"},
      {"x.exs", "", "elixir"},
      {"X.hs", "", "haskell"},
      {"x.zig", "", "zig"},
      {"README.md", "", "markdown"},
      {"x.rst", "", "restructuredtext"},
      {"Cargo.toml", "", "toml"},
      {".github/workflows/x.yml", "", "yaml"},
      {"package.json", "", "json"},
      {"CMakeLists.txt", "", "cmake"},
      {"x.sql", "", "sql"},
      {"x.html", "", "html"},
      {"x.scss", "", "css"},
      {"Makefile", "", "text"},
      {"Dockerfile", "", "text"},
      {"notes.txt", "", "text"},
      {"unknown.xyz", "", "text"},
      {"LICENSE", "", "text"},
      {"", "", "text"},
      {"run", "#!/bin/sh\n", "bash"},
      {"run", "#!/usr/bin/env python3.11\n", "python"},
      {"run", "#!/usr/bin/env -S python3 -u\n", "python"},
      {"run", "#! /usr/bin/env  VAR=1 node\r\n", "javascript"},
      {"run", "#!/usr/bin/env\n", "text"},
      {"run", "#!", "text"},
      {"run", "#!/usr/bin/perl\n", "perl"},
      {"run", "#!/usr/bin/cobol\n", "text"},
      {"app/Cart.vue", "", "vue"},
      {"lib/cart.dart", "", "dart"},
      {"lib/Cart.pm", "", "perl"},
      {"R/cart.R", "", "r"},
      {"boot.S", "", "asm"},
      {"src/builtin.jq", "", "jq"},
      {"Jenkinsfile", "", "groovy"},
      {"Cart.m", "#import <Foundation/Foundation.h>\n", "objectivec"},
      {"cart.m", "function total = cart(items)\n", "matlab"},
      {"run.d", "#!/usr/bin/ruby", "ruby"},
      {"x.txt", "#!/bin/sh\n", "text"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(detect_language(one.path, one.bytes).name, one.language) << one.path << ": " << one.bytes;
  }
}

TEST(Language, ReadsHeadersAsCppOnlyWhereTheyUseIt) {
  const Case cases[] = {
      {"x.h", "", "c"},
      {"x.h", "int add(int a, int b);\n", "c"},
      {"x.h", "struct x { int class_id; }; /* class Foo, std::string */ // namespace\n", "c"},
      {"x.h", "const char* s = \"namespace x {\"; char c = ':';\n", "c"},
      {"x.h", "#ifdef __cplusplus\nextern \"C\" {\nnamespace x {}\n#endif\nint f(void);\n", "c"},
      {"x.h", "#if defined(__cplusplus)\ntemplate <class T> struct A {};\n#else\nint f(void);\n#endif\n",
       "c"},
      {"x.h",
       "#ifdef __cplusplus\n#if 1\nclass A;\n#endif\nclass B;\n#endif\nint new_thing(int delete_it);\n", "c"},
      {"x.h", "namespace x {\nint f();\n}\n", "cpp"},
      {"x.h", "#ifdef __cplusplus\nextern \"C\" {\n#endif\nclass A;\n", "cpp"},
      {"x.h", "#if __cplusplus > 201703L\nnamespace std {}\n#endif\n", "cpp"},
      {"x.h", "std::string name();\n", "cpp"},
      {"x.h", "template <typename T> T id(T t);\n", "cpp"},
      {"x.h", "int f() noexcept;\n", "cpp"},
      {"x.H", "", "cpp"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(detect_language(one.path, one.bytes).name, one.language) << one.bytes;
  }
}

TEST(Language, NamesAndExtensionsBelongToOneRowEach) {
  std::map<std::string, std::string> owner;
  for (const Language& language : languages()) {
    EXPECT_EQ(find_language(language.name), &language);
    for (const std::string_view list : {language.extensions, language.file_names}) {
      any_word(list, [&](std::string_view word) {
        const auto [at, is_new] = owner.emplace(word, language.name);
        EXPECT_TRUE(is_new) << word << " is in " << at->second << " and " << language.name;
        return false;
      });
    }
  }
  EXPECT_EQ(find_language("cobol"), nullptr);
}

// One table says what a file is called, for the parsers and for the reader of tasks.
TEST(Language, EveryFileThatIsParsedCanBeNamedInATask) {
  size_t named = 0;
  for (const Language& language : languages()) {
    if (!language.is_code()) continue;
    any_word(language.extensions, [&](std::string_view extension) {
      const std::string path = "lib/thing." + std::string(extension);
      for (const std::string& task : {"Fix the crash in " + path, "Why is `" + path + "` slow?"}) {
        const TaskQuery query = analyze_task(task);
        ++named;
        const std::string found = query.paths.size() == 1 ? query.paths[0].path : "";
        EXPECT_EQ(found, path) << task;
      }
      return false;
    });
    any_word(language.file_names, [&](std::string_view name) {
      const TaskQuery query = analyze_task("Why is `" + std::string(name) + "` slow?");
      EXPECT_EQ(query.paths.size(), 1U) << name;
      return false;
    });
  }
  EXPECT_GT(named, 100U);
}

TEST(Language, FieldsHostsAndWordsInCapitalsAreNoFiles) {
  for (const char* task : {"node.text is empty when the list is", "mail.ru does not answer",
                           "NOTICE that it fails", "the counter calls self.inc twice"}) {
    EXPECT_TRUE(analyze_task(task).paths.empty()) << task;
  }
}

}  // namespace
}  // namespace knapsack::code
