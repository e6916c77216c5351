#include "code/rank/ranking_constants.h"

namespace knapsack::code {
namespace {

using C = RankingConstants;

constexpr RankingConstantRow kRows[] = {
    {"title", &C::title, "weight of a word in the first line of a task"},
    {"inline_code", &C::inline_code, "weight of a word between backticks"},
    {"prose", &C::prose, "weight of a word in a sentence"},
    {"code_block", &C::code_block, "weight of a word in a block of code"},
    {"body_k1", &C::body_k1, "BM25 of chunks: how soon repeats stop counting"},
    {"body_b", &C::body_b, "BM25 of chunks: how much length counts"},
    {"pooled_chunks", &C::pooled_chunks, "best chunks that make a file's score, × 1, 1/2, 1/3…"},
    {"name_k1", &C::name_k1, "BM25 of names: how soon repeats stop counting"},
    {"name_b", &C::name_b, "BM25 of names: how much length counts"},
    {"message_k1", &C::message_k1, "BM25 of commit messages: how soon repeats stop counting"},
    {"message_b", &C::message_b, "BM25 of commit messages: how much length counts"},
    {"voting_commits", &C::voting_commits, "commits that vote for the files they changed"},
    {"voting_files", &C::voting_files, "a commit of more files has no vote"},
    {"voting_power", &C::voting_power, "a vote is the commit's share of the best score to this power"},
    {"file_name", &C::file_name, "words of the task in the file's name"},
    {"short_file_name", &C::short_file_name, "the same, added in a short task"},
    {"short_terms", &C::short_terms, "terms of a short task; one of twice as many is half as short"},
    {"short_forms", &C::short_forms,
     "in a short task, commoner forms of a word count so much: etag for etags"},
    {"definition", &C::definition, "words of the task in names that the file defines"},
    {"history", &C::history, "words of the task in messages of commits that changed the file"},
    {"trace", &C::trace, "a stack trace goes through the file"},
    {"path", &C::path, "the task names the file"},
    {"reference", &C::reference, "commits that belong to an issue or commit of the task changed the file"},
    {"qualified", &C::qualified, "the task writes its class with its package: a.b.C"},
    {"meaning", &C::meaning, "near a short question in meaning"},
    {"meaning_alone", &C::meaning_alone,
     "how near a file must be that nothing else speaks for, as a share of the nearest"},
    {"test_share", &C::test_share, "what is left of the score of a test"},
    {"auxiliary_share", &C::auxiliary_share, "what is left of the score of documentation, examples, scripts"},
    {"prose_share", &C::prose_share, "what is left of the score of a file that is not code"},
    {"declarations_share", &C::declarations_share, "what is left of the score of X.d.ts beside X.ts or X.js"},
    {"kept_files", &C::kept_files, "best files that the second stage leaves alone"},
    {"co_change", &C::co_change, "changes together with the best files"},
    {"test_co_change", &C::test_co_change, "changes together with the tests that match best"},
    {"import", &C::import, "is imported by the best files"},
};

}  // namespace

std::span<const RankingConstantRow> ranking_constant_rows() {
  return kRows;
}

}  // namespace knapsack::code
