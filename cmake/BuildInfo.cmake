# What the program says of itself: --version and `knapsack licenses`. Writes build_info.cc into the build folder, from
# deps/licences.txt and the lists that pin versions. KNAPSACK_COMMIT is given by `make build` and `make dist`.
set(KNAPSACK_COMMIT "" CACHE STRING "the commit that is built, for --version")
set(licence_list ${PROJECT_SOURCE_DIR}/deps/licences.txt)
set(portable_list ${PROJECT_SOURCE_DIR}/deps/portable.txt)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${licence_list} ${portable_list})

set(processor ${CMAKE_SYSTEM_PROCESSOR})
if(KNAPSACK_COMMIT AND KNAPSACK_PORTABLE)
  set(description "commit ${KNAPSACK_COMMIT}, portable ${processor}")
elseif(KNAPSACK_COMMIT)
  set(description "commit ${KNAPSACK_COMMIT}, built from source, ${processor}")
else()
  set(description "development build, ${processor}")
endif()

file(READ ${PROJECT_SOURCE_DIR}/deps/package.json npm_list)
file(READ ${PROJECT_SOURCE_DIR}/web/package-lock.json page_list)
file(STRINGS ${PROJECT_SOURCE_DIR}/deps/maven.txt model_line REGEX "e5-small-v2")
string(REGEX MATCH ":([^: ]+) " matched "${model_line}")
set(model_version ${CMAKE_MATCH_1})
file(STRINGS ${portable_list} portable_lines REGEX "^[^#]")

# The release that deps/portable.txt pins.
function(portable_release name result)
  foreach(line ${portable_lines})
    if(line MATCHES "^${name} +([^ ]+) ")
      set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "deps/portable.txt does not pin ${name}, which deps/licences.txt lists")
endfunction()

set(rows "")
file(STRINGS ${licence_list} lines REGEX "^[^#]" ENCODING UTF-8)
foreach(line IN LISTS lines)
  string(REPLACE ";" "\\;" line "${line}")
  if(NOT line MATCHES "^([a-z]+) \\| ([^ ]+) \\| ([^|]+) \\| (.+)$")
    message(FATAL_ERROR "deps/licences.txt: '${line}' is not kind | name | licence | what it is for")
  endif()
  set(kind ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  set(licence ${CMAKE_MATCH_3})
  set(purpose "${CMAKE_MATCH_4}")
  set(version system)
  if(kind STREQUAL "compiler" AND NOT KNAPSACK_PORTABLE)
    continue()
  elseif(kind STREQUAL "compiler")
    portable_release(ziglang version)
    set(version "zig ${version}")
  elseif(kind STREQUAL "library" AND KNAPSACK_PORTABLE)
    portable_release(${name} version)
  elseif(kind STREQUAL "grammar" OR kind STREQUAL "data")
    string(JSON version GET "${npm_list}" dependencies ${name})
  elseif(kind STREQUAL "page")
    string(JSON version GET "${page_list}" packages node_modules/${name} version)
  elseif(kind STREQUAL "model")
    set(version ${model_version})
  endif()
  string(REPLACE "\\;" ";" purpose "${purpose}")
  string(APPEND rows "    {\"${kind}\", \"${name}\", \"${version}\", \"${licence}\", \"${purpose}\"},\n")
endforeach()

set(KNAPSACK_BUILD_INFO ${PROJECT_BINARY_DIR}/build_info.cc)
file(CONFIGURE OUTPUT ${KNAPSACK_BUILD_INFO} @ONLY CONTENT "#include \"cli/build_info.h\"

namespace knapsack::cli {
namespace {

constexpr LinkedPart kLinkedParts[] = {
@rows@};

}  // namespace

std::string_view build_description() {
  return \"@description@\";
}

std::span<const LinkedPart> linked_parts() {
  return kLinkedParts;
}

}  // namespace knapsack::cli
")
