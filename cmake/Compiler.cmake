# How our own code is compiled. Sources that come from elsewhere (grammars) do not link knapsack_options.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# A build folder keeps what it was begun with: with a ccache that `make test` installs after `make demo`, everything would be
# compiled again.
if(NOT DEFINED CACHE{KNAPSACK_CCACHE})
  find_program(CCACHE ccache)
  if(NOT CCACHE)
    set(CCACHE "")
  endif()
  set(KNAPSACK_CCACHE "${CCACHE}" CACHE STRING "the compiler's cache; empty for none")
endif()
if(KNAPSACK_CCACHE AND NOT KNAPSACK_PORTABLE)  # zig has a cache of its own
  # What ccache must not be strict about where headers are precompiled.
  set(CMAKE_C_COMPILER_LAUNCHER ${KNAPSACK_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${KNAPSACK_CCACHE})
  set(CMAKE_PCH_WARN_INVALID OFF)
  add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>)
  add_compile_options("$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

add_library(knapsack_options INTERFACE)
target_compile_options(knapsack_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
# A compiler that the tests do not run may warn of more; the two that they run may not find anything.
if(NOT KNAPSACK_PORTABLE)
  target_compile_options(knapsack_options INTERFACE -Werror)
endif()
# g++ 12 warns of impossible overlaps inside std::string itself when it inlines at -O3 (GCC bug 105651).
target_compile_options(knapsack_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# For targets whose headers from elsewhere are precompiled: g++ then takes those for ours and warns of what it imagines
# inside them. clang compiles the same files with all warnings.
add_library(knapsack_precompiled_options INTERFACE)
target_compile_options(knapsack_precompiled_options INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-maybe-uninitialized -Wno-free-nonheap-object -Wno-dangling-pointer>)
# Files that are compiled together see each other's private names; whether those hide something in their own file, and who
# else could see a type, is asked where each is compiled alone.
if(CMAKE_UNITY_BUILD)
  target_compile_options(knapsack_precompiled_options INTERFACE
    -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

# g++ looks for memory of its own to use again from a few megabytes on, which costs a tenth of its time; files that are
# compiled together need half a gigabyte anyway, and a machine with four for each core can do without until the end.
if(CMAKE_UNITY_BUILD)
  cmake_host_system_information(RESULT machine QUERY NUMBER_OF_LOGICAL_CORES TOTAL_PHYSICAL_MEMORY)
  list(GET machine 0 cores)
  list(GET machine 1 megabytes)
  math(EXPR roomy "4000 * ${cores}")
  set(heap 524288)
  if(megabytes GREATER_EQUAL roomy)
    set(heap 2097152)
  endif()
  add_compile_options("$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:SHELL:--param ggc-min-heapsize=${heap}>")
endif()

# What makes a fault in memory hard to use: a place that nobody can guess, tables of addresses that cannot be written, a
# guard before every return address, and jumps that land only where they may. Sanitizers see such faults themselves and clash
# with some of it. tests/hardened_program.py reads all of it off the binary.
set(KNAPSACK_FORTIFY "")
if(NOT KNAPSACK_SANITIZE)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES C CXX)
  add_compile_options(-fstack-protector-strong)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    add_compile_options(-fcf-protection=full)
  endif()
  add_link_options(LINKER:-z,relro,-z,now,-z,noexecstack)
  # The system's library checks sizes only where the optimiser runs, which it does not in tests.
  set(KNAPSACK_FORTIFY -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()

# Threads and processes of the program count at the same time.
if(KNAPSACK_COVERAGE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--coverage> $<$<COMPILE_LANGUAGE:CXX>:-fprofile-update=atomic>)
  add_link_options(--coverage)
endif()

# The same bytes wherever it is built: no folder of this machine in what is compiled, and no names that only a debugger reads.
if(KNAPSACK_PORTABLE)
  add_compile_options(-g0 -fomit-frame-pointer -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
  add_link_options(-s)
endif()

if(KNAPSACK_SANITIZE)
  add_compile_options(-fsanitize=${KNAPSACK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${KNAPSACK_SANITIZE})
  if(KNAPSACK_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)  # the fuzzer follows coverage through the library too
  endif()
endif()
