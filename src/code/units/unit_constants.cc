#include "code/units/unit_constants.h"

namespace knapsack::code {
namespace {

using U = UnitConstants;

constexpr UnitConstantRow kUnitRows[] = {
    {"files", &U::files, "files of the ranking that are cut into units"},
    {"file_place", &U::file_place, "weight of a file's place: 1 for the first, 1/2 for the second, …"},
    {"file_score", &U::file_score, "weight of a file's score, as a share of the first file's"},
    {"coverage", &U::coverage, "weight of the task's words that the unit has"},
    {"words", &U::words, "weight of BM25 within the file"},
    {"chunk", &U::chunk, "weight of BM25 of the chunk around the unit"},
    {"name_words", &U::name_words, "weight of the words of its name that the task has"},
    {"name_share", &U::name_share, "weight of their share of its name"},
    {"name", &U::name, "its name stands in the task"},
    {"dotted", &U::dotted, "its name stands in the task with its class: Class.name"},
    {"owner", &U::owner, "its class stands in the task"},
    {"frame", &U::frame, "a frame of a stack trace lies in it"},
    {"linked", &U::linked, "the task links to lines of it"},
    {"quoted", &U::quoted, "lines of it stand in the task"},
    {"message", &U::message, "texts that it prints stand in the task"},
    {"type", &U::type, "for a type without methods"},
    {"head", &U::head, "for the head of a type"},
    {"between", &U::between, "for lines between definitions"},
    {"declared", &U::declared, "for a function that is declared without a body"},
    {"test", &U::test, "for tests, unless the task is about tests"},
    {"copy", &U::copy, "for what stands in a better file already"},
    {"repeat", &U::repeat, "× what words gave a unit, where its lines stand in better ones already"},
    {"cost", &U::cost, "× ln(tokens), taken off the score"},
    {"stop", &U::stop, "so far below the best unit, a packet ends"},
    {"stop_named", &U::stop_named, "so far below it, for functions that the task calls by their name"},
    {"stop_frame", &U::stop_frame, "so far below it, for functions that a stack trace runs through"},
    {"least", &U::least, "tokens of code before which a packet ends twice as far below the best"},
    {"whole_class", &U::whole_class, "share of a named class with which the rest of it is shown"},
    {"comment", &U::comment, "so far below its unit, what a long comment spares is shown"},
    {"comments_from", &U::comments_from, "tokens from which it comes with its unit"},
    {"imports_from", &U::imports_from, "tokens from which the first file's imports are shown"},
    {"beside", &U::beside, "for a unit beside one that a smaller packet shows"},
    {"beside_from", &U::beside_from, "tokens from which that counts"},
    {"deeper", &U::deeper, "× what its file's score gave a unit, once more"},
    {"deeper_from", &U::deeper_from, "tokens from which that counts"},
};

}  // namespace

std::span<const UnitConstantRow> unit_constant_rows() {
  return kUnitRows;
}

}  // namespace knapsack::code
