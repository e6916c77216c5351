# The tables of the token counters: generated into the build folder by two small tools of ours (tools/) from the pinned
# rank files and utf8proc, and embedded into the library by src/text/tokens/embedded_tables.S.
set(tables ${PROJECT_BINARY_DIR}/tables)
file(MAKE_DIRECTORY ${tables})

add_executable(make_bpe_table
  ${PROJECT_SOURCE_DIR}/tools/make_bpe_table.cc ${PROJECT_SOURCE_DIR}/tools/build_perfect_hash.cc)
target_link_libraries(make_bpe_table PRIVATE knapsack_options nlohmann_json::nlohmann_json)
add_executable(make_code_point_classes ${PROJECT_SOURCE_DIR}/tools/make_code_point_classes.cc)
target_link_libraries(make_code_point_classes PRIVATE knapsack_options PkgConfig::UTF8PROC)
foreach(tool make_bpe_table make_code_point_classes)
  target_include_directories(${tool} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(${tool} PRIVATE ${outer_options})
  set_target_properties(${tool} PROPERTIES UNITY_BUILD OFF)
endforeach()

foreach(encoding cl100k o200k)
  set(ranks ${KNAPSACK_NPM}/tiktoken/encoders/${encoding}_base.json)
  add_custom_command(OUTPUT ${tables}/${encoding}.table
    COMMAND make_bpe_table ${ranks} ${tables}/${encoding}.table
    DEPENDS make_bpe_table ${ranks} VERBATIM)
endforeach()
add_custom_command(OUTPUT ${tables}/code_point.classes
  COMMAND make_code_point_classes ${tables}/code_point.classes
  DEPENDS make_code_point_classes VERBATIM)

# A library of its own, because the warnings of our C++ are no options of an assembler.
set(source ${PROJECT_SOURCE_DIR}/src/text/tokens/embedded_tables.S)
add_library(knapsack_tables OBJECT ${source})
target_compile_definitions(knapsack_tables PRIVATE
  KNAPSACK_CL100K_TABLE="${tables}/cl100k.table" KNAPSACK_O200K_TABLE="${tables}/o200k.table"
  KNAPSACK_CODE_POINT_CLASSES="${tables}/code_point.classes")
set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS
  "${tables}/cl100k.table;${tables}/o200k.table;${tables}/code_point.classes")
target_sources(knapsack PRIVATE $<TARGET_OBJECTS:knapsack_tables>)
