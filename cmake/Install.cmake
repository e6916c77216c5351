# `cmake --install`: the program, the library, its public headers and a CMake package config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/knapsack)
install(TARGETS knapsack_program DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS knapsack knapsack_grammars EXPORT knapsackTargets DESTINATION ${CMAKE_INSTALL_LIBDIR})
# engine.h is the whole public API; the rest is what it includes.
foreach(header
    engine/engine.h engine/eval.h engine/eval_metrics.h engine/eval_tasks.h engine/graph_requests.h engine/memory_requests.h
    engine/pack_requests.h engine/recall_requests.h engine/search_requests.h store/ledger.h store/curated_rows.h code/code_answers.h code/index_report.h
    core/candidate.h core/clock.h core/commit.h core/file_system.h core/log.h core/packet.h core/parsed_file.h
    core/result.h core/run_status.h)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/knapsack/${folder})
endforeach()
install(EXPORT knapsackTargets NAMESPACE knapsack:: DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/knapsackConfig.cmake.in
  ${PROJECT_BINARY_DIR}/knapsackConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/knapsackConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/knapsackConfig.cmake ${PROJECT_BINARY_DIR}/knapsackConfigVersion.cmake
  DESTINATION ${package_folder})
