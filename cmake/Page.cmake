# The inspector: web/ bundled by esbuild and compressed, and embedded into the library by src/serve/http/embedded_page.S.
find_program(NODE node REQUIRED)
set(web ${PROJECT_SOURCE_DIR}/web)
set(page ${PROJECT_BINARY_DIR}/page)
if(NOT EXISTS ${web}/node_modules/esbuild OR NOT EXISTS ${web}/node_modules/preact)
  message(FATAL_ERROR "web/node_modules is missing: run `scripts/setup` first")
endif()
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${web}/src/*)
set(page_files ${page}/index.html.gz ${page}/app.js.gz ${page}/app.css.gz ${page}/icon.svg.gz)
add_custom_command(OUTPUT ${page_files}
  COMMAND ${NODE} ${web}/build.mjs ${page}
  DEPENDS ${page_sources} ${web}/build.mjs ${web}/package-lock.json VERBATIM)

# As with the tables: the warnings of our C++ are no options of an assembler.
set(page_source ${PROJECT_SOURCE_DIR}/src/serve/http/embedded_page.S)
add_library(knapsack_page OBJECT ${page_source})
target_compile_definitions(knapsack_page PRIVATE
  KNAPSACK_PAGE_HTML="${page}/index.html.gz" KNAPSACK_PAGE_SCRIPT="${page}/app.js.gz"
  KNAPSACK_PAGE_STYLE="${page}/app.css.gz" KNAPSACK_PAGE_ICON="${page}/icon.svg.gz")
set_source_files_properties(${page_source} PROPERTIES OBJECT_DEPENDS "${page_files}")
target_sources(knapsack PRIVATE $<TARGET_OBJECTS:knapsack_page>)
