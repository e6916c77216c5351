# zig's compiler, as a cross compiler for Linux with glibc 2.28 or newer. KNAPSACK_TARGET is x86_64 or aarch64. Everything that
# is linked but libc comes from zig (libc++) and from deps/portable (cmake/Portable.cmake).
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KNAPSACK_TARGET)
set(KNAPSACK_PORTABLE ON)

get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
set(KNAPSACK_ZIG ${root}/deps/portable/ziglang/ziglang/zig)
if(NOT EXISTS ${KNAPSACK_ZIG})
  message(FATAL_ERROR "zig's compiler is missing: run `make dist`, or scripts/portable_sources.py first")
endif()
# CMake and the makefiles of others want a compiler that is one file.
set(KNAPSACK_TOOLS ${root}/deps/portable/tools/${KNAPSACK_TARGET})
foreach(tool cc c++ ar ranlib)
  set(options "")
  if(tool MATCHES "^c")
    set(options " -target ${KNAPSACK_TARGET}-linux-gnu.2.28")
  endif()
  if(NOT EXISTS ${KNAPSACK_TOOLS}/${tool})
    file(CONFIGURE OUTPUT ${KNAPSACK_TOOLS}/${tool} @ONLY
      CONTENT "#!/bin/sh\nexec '@KNAPSACK_ZIG@' @tool@@options@ \"$@\"\n")
    file(CHMOD ${KNAPSACK_TOOLS}/${tool} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endif()
endforeach()
set(CMAKE_C_COMPILER ${KNAPSACK_TOOLS}/cc)
set(CMAKE_CXX_COMPILER ${KNAPSACK_TOOLS}/c++)
set(CMAKE_ASM_COMPILER ${KNAPSACK_TOOLS}/cc)
set(CMAKE_AR ${KNAPSACK_TOOLS}/ar)
set(CMAKE_RANLIB ${KNAPSACK_TOOLS}/ranlib)
# Nothing of this machine may slip in.
set(CMAKE_FIND_ROOT_PATH ${root}/deps/portable)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# For another processor than this machine's, the tools that make tables and the model file run under an emulator.
cmake_host_system_information(RESULT host QUERY OS_PLATFORM)
if(NOT host STREQUAL KNAPSACK_TARGET)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR ${KNAPSACK_TARGET})
  find_program(KNAPSACK_EMULATOR qemu-${KNAPSACK_TARGET} REQUIRED)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${KNAPSACK_EMULATOR} -L /usr/${KNAPSACK_TARGET}-linux-gnu)
endif()
