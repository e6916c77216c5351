# The tree-sitter core and the grammars, compiled from the C sources of pinned npm packages into one static
# library of their own. Debian's tree-sitter (0.20) cannot load ABI 15, so the core is the npm package's.
set(KNAPSACK_TREE_SITTER ${KNAPSACK_NPM}/tree-sitter/vendor/tree-sitter/lib)
if(KNAPSACK_AHEAD)
  # The same options for whoever links it, so that nothing is compiled again.
  add_library(knapsack_grammars INTERFACE)
  target_include_directories(knapsack_grammars INTERFACE ${KNAPSACK_TREE_SITTER}/include)
  return()
endif()
set(KNAPSACK_GRAMMAR_FOLDERS
  tree-sitter-bash/src
  tree-sitter-c/src
  tree-sitter-c-sharp/src
  tree-sitter-cpp/src
  tree-sitter-elixir/src
  tree-sitter-go/src
  tree-sitter-haskell/src
  tree-sitter-java/src
  tree-sitter-javascript/src
  tree-sitter-php/php/src
  tree-sitter-python/src
  tree-sitter-ruby/src
  tree-sitter-rust/src
  tree-sitter-scala/src
  tree-sitter-swift/src
  tree-sitter-typescript/tsx/src
  tree-sitter-typescript/typescript/src
  @tree-sitter-grammars/tree-sitter-kotlin/src
  @tree-sitter-grammars/tree-sitter-lua/src
  @tree-sitter-grammars/tree-sitter-zig/src)

# parser.c is tables and one generated lexer: -O1 compiles the largest in seconds and lexes as fast as -O2
# does. Sanitizers find nothing in tables and multiply their compile time; the hand-written scanners and the
# core keep them. A tool of ours packs the tables of each (src/code/parse/packed_grammar.h).
add_executable(pack_grammar ${PROJECT_SOURCE_DIR}/tools/pack_grammar.cc)
target_link_libraries(pack_grammar PRIVATE knapsack_options ZLIB::ZLIB)
target_include_directories(pack_grammar PRIVATE ${PROJECT_SOURCE_DIR}/src)
set(packed ${PROJECT_BINARY_DIR}/grammars)
file(MAKE_DIRECTORY ${packed})
add_library(knapsack_grammars STATIC
  ${KNAPSACK_TREE_SITTER}/src/lib.c ${PROJECT_SOURCE_DIR}/src/code/parse/parse_arena.c)
# Everything a parse allocates comes from an arena, see parse_arena.h.
set(KNAPSACK_ARENA_OPTIONS -DKNAPSACK_ARENA_REPLACES_MALLOC -include ${PROJECT_SOURCE_DIR}/src/code/parse/parse_arena.h)
set_source_files_properties(${KNAPSACK_TREE_SITTER}/src/lib.c PROPERTIES COMPILE_OPTIONS "${KNAPSACK_ARENA_OPTIONS}")
foreach(folder ${KNAPSACK_GRAMMAR_FOLDERS})
  set(source ${KNAPSACK_NPM}/${folder})
  if(NOT EXISTS ${source}/parser.c)
    message(FATAL_ERROR "${source}/parser.c is missing: run `scripts/setup` first")
  endif()
  string(REGEX REPLACE "^.*tree-sitter-|/src$" "" name ${folder})
  string(MAKE_C_IDENTIFIER ${name} name)
  add_library(grammar_${name} OBJECT ${source}/parser.c)
  target_include_directories(grammar_${name} PRIVATE ${source})
  target_compile_options(grammar_${name} PRIVATE -w -O1 -g0 -fno-sanitize=all -fdata-sections)
  set(object ${packed}/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND pack_grammar $<TARGET_OBJECTS:grammar_${name}> ${object}
    DEPENDS pack_grammar $<TARGET_OBJECTS:grammar_${name}> VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(knapsack_grammars PRIVATE ${object})
  if(EXISTS ${source}/scanner.c)
    target_sources(knapsack_grammars PRIVATE ${source}/scanner.c)
    set_source_files_properties(${source}/scanner.c PROPERTIES
      INCLUDE_DIRECTORIES ${source} COMPILE_OPTIONS "${KNAPSACK_ARENA_OPTIONS}")
  endif()
endforeach()
# Each grammar defines the same names again.
set_target_properties(pack_grammar knapsack_grammars PROPERTIES UNITY_BUILD OFF)
# The scanners shift into the sign bit and the like; only errors of memory are ours to stop.
target_compile_options(knapsack_grammars PRIVATE -w -O2 -fno-sanitize=undefined)
target_include_directories(knapsack_grammars
  PUBLIC $<BUILD_INTERFACE:${KNAPSACK_TREE_SITTER}/include> PRIVATE ${KNAPSACK_TREE_SITTER}/src)
target_compile_definitions(knapsack_grammars PRIVATE _POSIX_C_SOURCE=200112L _DEFAULT_SOURCE)
