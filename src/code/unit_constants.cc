#include "code/unit_constants.h"

namespace knapsack::code {
namespace {

using C = UnitConstants;

constexpr UnitConstantRow kRows[] = {
    {"files", &C::files, "files of the ranking that are cut into units"},
    {"file_place", &C::file_place, "weight of a file's place: 1 for the first, 1/2 for the second, …"},
    {"file_score", &C::file_score, "weight of a file's score, as a share of the first file's"},
    {"coverage", &C::coverage, "weight of the task's words that the unit has"},
    {"words", &C::words, "weight of BM25 within the file"},
    {"chunk", &C::chunk, "weight of BM25 of the chunk around the unit"},
    {"name_words", &C::name_words, "weight of the words of its name that the task has"},
    {"name_share", &C::name_share, "weight of their share of its name"},
    {"name", &C::name, "its name stands in the task"},
    {"dotted", &C::dotted, "its name stands in the task with its class: Class.name"},
    {"owner", &C::owner, "its class stands in the task"},
    {"frame", &C::frame, "a frame of a stack trace lies in it"},
    {"linked", &C::linked, "the task links to lines of it"},
    {"quoted", &C::quoted, "lines of it stand in the task"},
    {"message", &C::message, "texts that it prints stand in the task"},
    {"type", &C::type, "for a type without methods"},
    {"head", &C::head, "for the head of a type"},
    {"between", &C::between, "for lines between definitions"},
    {"test", &C::test, "for tests, unless the task is about tests"},
    {"cost", &C::cost, "× ln(tokens), taken off the score"},
    {"stop", &C::stop, "so far below the best unit, a packet ends"},
    {"imports_from", &C::imports_from, "tokens from which the first file's imports are shown"},
};

}  // namespace

std::span<const UnitConstantRow> unit_constant_rows() {
  return kRows;
}

}  // namespace knapsack::code
