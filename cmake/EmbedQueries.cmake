# Writes the query files into one C++ source, so that the program needs no files beside it.
# cmake -DOUTPUT=file.cc -DFOLDER=queries -P EmbedQueries.cmake
file(GLOB files ${FOLDER}/*.scm)
list(SORT files)
set(rows "")
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND rows "    {\"${name}\", R\"query(${text})query\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include <string_view>\n#include <utility>\n\n#include \"code/parse/language.h\"\n
namespace knapsack::code {\nnamespace {\n
constexpr std::pair<std::string_view, std::string_view> kQueries[] = {\n${rows}};\n
}  // namespace\n
std::string_view embedded_query(std::string_view name) {
  for (const auto& [known, text] : kQueries) {
    if (known == name) return text;
  }
  return {};
}\n
}  // namespace knapsack::code\n")
