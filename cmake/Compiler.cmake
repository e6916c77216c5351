# How our own code is compiled. Sources that come from elsewhere (grammars) do not link knapsack_options.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(knapsack_options INTERFACE)
target_compile_options(knapsack_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
# g++ 12 warns of impossible overlaps inside std::string itself when it inlines at -O3 (GCC bug 105651).
target_compile_options(knapsack_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

if(KNAPSACK_SANITIZE)
  add_compile_options(-fsanitize=${KNAPSACK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${KNAPSACK_SANITIZE})
  if(KNAPSACK_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)  # the fuzzer follows coverage through the library too
  endif()
endif()
