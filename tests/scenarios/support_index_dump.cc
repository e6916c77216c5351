#include "scenarios/support_index_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "code/ask/code_index.h"
#include "code/ask/code_references.h"
#include "code/index/code_documents.h"
#include "code/walk/source_list.h"
#include "search/query/query.h"
#include "store/state_folder.h"
#include "text/words/words.h"

namespace knapsack::testing {
namespace {

using code::CodeIndex;

// Every byte shows, and none breaks a line.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f || c == '"' || c == '\\') {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string counts(const code::TokenCounts& tokens) {
  return fmt::format("{}/{}", tokens.cl100k, tokens.o200k);
}

class Dump {
 public:
  Dump(CodeIndex& index, const std::vector<std::string>& words) : index_(index), words_(words) {}

  Result<std::string> write() {
    const code::SnapshotRow& snapshot = index_.snapshot();
    line("snapshot {} commit {} history {} fingerprint {}", snapshot.name, snapshot.commit_id,
         snapshot.history_limit, snapshot.fingerprint);
    for (uint32_t file = 0; file < index_.files().size(); ++file) KNAPSACK_CHECK(add_file(file));
    KNAPSACK_CHECK(add_commits());
    KNAPSACK_CHECK(add_co_changes());
    for (const char* name : {code::kCodeCollection, code::kPathCollection, code::kCommitCollection}) {
      KNAPSACK_CHECK(add_collection(name));
    }
    return std::move(out_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    out_ += fmt::format(format, std::forward<Values>(values)...) + "\n";
  }
  std::string path(uint32_t file) const { return in_quotes(index_.file(file).name); }

  Status add_file(uint32_t file) {
    const code::FileRow& row = index_.file(file);
    line("file {} {} {} {} {}", in_quotes(row.name), row.file_class, row.language, row.size,
         code::hash_to_hex(row.hash));
    KNAPSACK_TRY(const code::BlobRow* blob, index_.blob(file));
    if (blob == nullptr) return ok_status();
    line("  blob {} {} bytes {} characters {} lines {} tokens {} {} {} errors {} package {} declares {}",
         code::hash_to_hex(blob->hash), blob->language, blob->bytes, blob->characters, blob->lines,
         counts(blob->tokens), to_string(blob->status), to_string(blob->fallback), blob->error_nodes,
         in_quotes(blob->package), in_quotes(blob->declares));
    KNAPSACK_CHECK(add_symbols(file));
    KNAPSACK_CHECK(add_chunks_and_comments(file));
    KNAPSACK_CHECK(add_imports(file));
    return add_references(file);
  }

  Status add_symbols(uint32_t file) {
    KNAPSACK_TRY(const auto symbols, index_.symbols(file));
    for (const code::SymbolRow& row : symbols) {
      const code::Symbol& symbol = row.symbol;
      line("  symbol {} {} {} {} {}-{} bytes {}-{} name at {} parent {} doc {}-{} {}{}{} tokens {} {} {}",
           to_string(symbol.kind), in_quotes(symbol.name), in_quotes(symbol.qualified_name),
           in_quotes(symbol.native_name), symbol.start_line, symbol.end_line, symbol.start_byte,
           symbol.end_byte, symbol.name_line, symbol.parent, symbol.doc_start_line, symbol.doc_end_line,
           symbol.is_test ? "t" : "-", symbol.is_exported ? "e" : "-", symbol.is_declaration ? "d" : "-",
           counts(row.tokens), in_quotes(symbol.signature), in_quotes(symbol.docstring));
      if (names_.size() < kMaxNames) names_.push_back(symbol.name);
    }
    return ok_status();
  }

  Status add_chunks_and_comments(uint32_t file) {
    KNAPSACK_TRY(const auto chunks, index_.chunks(file));
    for (const code::ChunkRow& row : chunks) {
      line("  chunk {}-{} bytes {}-{} in {} tokens {} {}", row.chunk.start_line, row.chunk.end_line,
           row.chunk.start_byte, row.chunk.end_byte, row.chunk.enclosing, counts(row.tokens),
           in_quotes(row.chunk.header));
    }
    KNAPSACK_TRY(const auto comments, index_.comments(file));
    for (const code::Comment& comment : comments) {
      line("  comment {} {}-{} in {} issues [{}] {}", to_string(comment.kind), comment.start_line,
           comment.end_line, comment.enclosing, fmt::join(comment.issues, ","), in_quotes(comment.text));
    }
    KNAPSACK_TRY(const auto tests, index_.tests(file));
    for (const code::TestCase& test : tests) {
      line("  test {}", test.symbol);
      for (const std::string& assertion : test.assertions) line("    asserts {}", in_quotes(assertion));
    }
    return ok_status();
  }

  Status add_imports(uint32_t file) {
    KNAPSACK_TRY(const auto facts, index_.facts(file));
    KNAPSACK_TRY(const auto targets, index_.import_targets(file, facts.imports.size()));
    for (size_t i = 0; i < facts.imports.size(); ++i) {
      const code::Import& import = facts.imports[i];
      line("  import {} {} as {} at {} {}{}", to_string(import.kind), in_quotes(import.module),
           in_quotes(import.alias), import.line, import.is_relative ? "r" : "-",
           import.is_wildcard ? "w" : "-");
      for (const auto& name : import.names)
        line("    name {} as {}", in_quotes(name.name), in_quotes(name.alias));
      for (const code::ImportTarget& target : targets[i]) {
        line("    to {} confidence {} name {}", path(target.file), target.confidence, target.name);
      }
    }
    KNAPSACK_TRY(const auto importers, index_.importers_of(file));
    for (const code::FileLink& link : importers)
      line("  imported by {} {}", path(link.file), link.confidence);
    return ok_status();
  }

  Status add_references(uint32_t file) {
    KNAPSACK_TRY(const auto facts, index_.facts(file));
    for (const code::Reference& reference : facts.references) {
      line("  uses {} {} of {} at {} times {} in {}", to_string(reference.kind),
           in_quotes(facts.names[reference.name]), in_quotes(facts.names[reference.qualifier]),
           reference.line, reference.count, reference.enclosing);
    }
    KNAPSACK_TRY(const auto edges, references_of(index_, file));
    for (const code::ReferenceEdge& edge : edges) {
      line("  means {} #{} {} times {} confidence {}", path(edge.file), edge.symbol, in_quotes(edge.name),
           edge.count, edge.confidence);
    }
    return ok_status();
  }

  Status add_commits() {
    KNAPSACK_TRY(const auto numbers, code::commit_numbers(index_));
    KNAPSACK_TRY(const auto commits, index_.rows().commits(numbers, true));
    for (const code::CommitRow& row : commits) {
      const Commit& commit = row.commit;
      line("commit {} merge {} at {} {} by {} parents [{}] sides [{}] {}{} {} {}", commit.id, commit.is_merge,
           commit.author_time, commit.commit_time, in_quotes(commit.author), fmt::join(commit.parents, ","),
           fmt::join(commit.side_commits, ","), commit.files_truncated ? "t" : "-",
           commit.files_unknown ? "u" : "-", in_quotes(commit.subject), in_quotes(commit.message));
      for (const FileChange& change : commit.files) {
        line("  change {} {} from {}", static_cast<int>(change.kind), in_quotes(change.path),
             in_quotes(change.old_path));
      }
    }
    return ok_status();
  }

  Status add_co_changes() {
    KNAPSACK_TRY(const auto* table, index_.co_changes());
    std::vector<std::string> lines;
    for (const CoChangePair& pair : table->pairs()) {
      std::string a = in_quotes(table->paths()[pair.a]), b = in_quotes(table->paths()[pair.b]);
      if (b < a) std::swap(a, b);
      lines.push_back(fmt::format("co-change {} {} {} {}", a, b, pair.count, pair.weight));
    }
    std::sort(lines.begin(), lines.end());
    for (const std::string& each : lines) line("{}", each);
    return ok_status();
  }

  // A blob's key holds raw bytes of a hash; quoted, any key is a name.
  Status add_collection(const std::string& name) {
    KNAPSACK_TRY(const search::Index* found, index_.collection(name));
    line("collection {} documents {} units {} lengths {} {}", name, found->documents(), found->units(),
         found->total_length(0), found->total_length(1));
    std::vector<std::string> keys;
    Status status = ok_status();
    for (uint32_t part = 0; part < found->parts(); ++part) {
      found->live(part).for_each([&](uint32_t document) {
        const auto key = found->key({part, document});
        if (!key.ok()) status = key.error();
        keys.push_back(key.ok() ? in_quotes(*key) : "");
      });
    }
    if (!status.ok()) return status;
    std::sort(keys.begin(), keys.end());
    for (const std::string& key : keys) line("  document {}", key);
    return add_hits(name, *found);
  }

  Status add_hits(const std::string& collection, const search::Index& index) {
    const bool stemmed = collection != code::kCodeCollection;
    std::vector<std::string> texts = words_;
    texts.insert(texts.end(), names_.begin(), names_.end());
    std::vector<std::string> terms;
    for (const std::string& text : texts) {
      WordReader reader(text, stemmed ? code::name_words() : code::body_words());
      for (Word word; reader.next(word);) terms.emplace_back(word.text);
    }
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
    for (const std::string& term : terms) {
      KNAPSACK_TRY(const auto found, index.counts(term, search::kAllFields));
      line("  word {} in {} documents, {} units", in_quotes(term), found.documents, found.units);
      search::QueryTerm query;
      query.term = term;
      KNAPSACK_TRY(const auto hits, search::top_k(index, {query}, search::Scorer{}, kHits));
      for (const search::Hit& hit : hits) line("    hit {} {:a}", in_quotes(hit.key), hit.score);
    }
    return ok_status();
  }

  static constexpr size_t kMaxNames = 20;
  static constexpr size_t kHits = 5;

  CodeIndex& index_;
  const std::vector<std::string>& words_;
  std::vector<std::string> names_;
  std::string out_;
};

}  // namespace

Result<std::string> dump_index(const std::string& workspace, const std::string& snapshot,
                               const std::vector<std::string>& words) {
  const auto files = make_disk_file_system();
  KNAPSACK_TRY(const auto index, CodeIndex::open(*files, state_folder_of(workspace), snapshot));
  return Dump(*index, words).write();
}

std::string first_difference(const std::string& expected, const std::string& actual) {
  if (expected == actual) return "";
  std::istringstream left(expected), right(actual);
  std::string a, b, context;
  for (int number = 1;; ++number) {
    const bool more_left = static_cast<bool>(std::getline(left, a));
    const bool more_right = static_cast<bool>(std::getline(right, b));
    if (!more_left) a = "(its end)";
    if (!more_right) b = "(its end)";
    if (a != b) return fmt::format("line {} after {}\n  expected {}\n  actual   {}", number, context, a, b);
    if (!a.starts_with(" ")) context = a;
  }
}

}  // namespace knapsack::testing
