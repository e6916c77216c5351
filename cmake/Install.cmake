# `cmake --install`: the program, the library, its public headers and a CMake package config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/knapsack)
install(TARGETS knapsack_program DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS knapsack knapsack_grammars EXPORT knapsackTargets DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(KNAPSACK_MEANING)
  install(FILES ${PROJECT_BINARY_DIR}/share/knapsack/e5-small-v2.model DESTINATION ${CMAKE_INSTALL_DATADIR}/knapsack)
endif()
# engine.h, eval.h and parsing.h are the public API; what they include, and what that includes, goes with them.
set(headers engine/engine.h engine/eval/eval.h engine/recipes/code/parsing.h)
set(seen "")
while(headers)
  list(POP_FRONT headers header)
  if(NOT header IN_LIST seen)
    list(APPEND seen ${header})
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${PROJECT_SOURCE_DIR}/src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/knapsack/${folder})
    file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} includes REGEX "^#include \"")
    foreach(line IN LISTS includes)
      string(REGEX REPLACE "^#include \"(.*)\".*" "\\1" included "${line}")
      list(APPEND headers ${included})
    endforeach()
  endif()
endwhile()
install(EXPORT knapsackTargets NAMESPACE knapsack:: DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/knapsackConfig.cmake.in
  ${PROJECT_BINARY_DIR}/knapsackConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/knapsackConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/knapsackConfig.cmake ${PROJECT_BINARY_DIR}/knapsackConfigVersion.cmake
  DESTINATION ${package_folder})

# Manual pages and completions come from the program itself. Where it cannot be run (it was built for another
# machine) they are left out.
install(CODE "
  set(program \"$<TARGET_FILE:knapsack_program>\")
  set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  execute_process(COMMAND \${program} man --list OUTPUT_VARIABLE pages RESULT_VARIABLE problem)
  if(problem)
    message(WARNING \"no manual pages: \${program} cannot be run here\")
  else()
    string(REPLACE \"\\n\" \";\" pages \"\${pages}\")
    file(MAKE_DIRECTORY \"\${root}/${CMAKE_INSTALL_MANDIR}/man1\")
    foreach(page IN LISTS pages)
      if(page)
        execute_process(COMMAND \${program} man \${page} OUTPUT_FILE \"\${root}/${CMAKE_INSTALL_MANDIR}/man1/\${page}.1\")
      endif()
    endforeach()
    file(MAKE_DIRECTORY \"\${root}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions\"
      \"\${root}/${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d\")
    execute_process(COMMAND \${program} completions bash
      OUTPUT_FILE \"\${root}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions/knapsack\")
    execute_process(COMMAND \${program} completions fish
      OUTPUT_FILE \"\${root}/${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/knapsack.fish\")
  endif()
")
