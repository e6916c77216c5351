// Asking a model about every source file, one at a time, in a way that can be stopped anywhere.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "code/ask/snapshot_texts.h"
#include "code/index/curated_writer.h"
#include "code/walk/source_list.h"
#include "engine/engine_state.h"
#include "engine/recipes/code/enrich_answer.h"
#include "engine/recipes/code/enrich_prompt.h"
#include "model/chat/batches.h"
#include "store/state_folder.h"
#include "text/secrets/redact.h"

namespace knapsack {
namespace {

using model::ModelOutcome;

// After one good answer, how many calls in a row may fail to reach the model before the run stops. Before the
// first one any such failure stops it: then it is the address, the key or the model's name.
constexpr int kMaxFailuresInARow = 3;

struct Subject {
  uint32_t file = 0;
  size_t importers = 0;
  std::string blob;  // hash in hexadecimal digits
};

bool server_failed(ModelOutcome outcome) {
  return outcome == ModelOutcome::kUnreachable || outcome == ModelOutcome::kHttpError ||
         outcome == ModelOutcome::kTimeout;
}

// Text by text: a secret that is cut out must not take a bracket with it.
void redact_texts(nlohmann::json& value) {
  if (value.is_string()) {
    redact_secrets(value.get_ref<std::string&>());
  } else if (value.is_structured()) {
    for (auto& member : value) redact_texts(member);
  }
}

// A window in which no file could be shown at all is a mistake of the caller's, not of a thousand files.
Status check_window(uint64_t window) {
  const EnrichPrompt least = make_enrich_prompt({"", "", "", {}}, window);
  if (model::fits(least.request, window)) return ok_status();
  return Error{ErrorCode::kUsage,
               fmt::format("a context window of {} tokens is too small to ask about a file", window),
               "give the model's own with `model.context_window`"};
}

// The source files, one for each content: most imported first, then by path.
Result<std::vector<Subject>> find_subjects(code::CodeIndex& index) {
  std::vector<Subject> subjects;
  for (uint32_t file = 0; file < index.files().size(); ++file) {
    KNAPSACK_TRY(const code::BlobRow* blob, index.blob(file));
    if (blob == nullptr || blob->status == code::ParseStatus::kDocument || blob->bytes == 0) continue;
    KNAPSACK_TRY(const auto importers, index.importers_of(file));
    subjects.push_back({file, importers.size(), code::hash_to_hex(index.file(file).hash)});
  }
  std::stable_sort(subjects.begin(), subjects.end(),
                   [](const Subject& a, const Subject& b) { return a.importers > b.importers; });
  std::set<std::string> seen;
  std::erase_if(subjects, [&](const Subject& subject) { return !seen.insert(subject.blob).second; });
  return subjects;
}

class EnrichRun {
 public:
  EnrichRun(code::CodeIndex& index, const code::SnapshotTexts& texts, model::ModelClient& client,
            const Clock& clock, std::chrono::seconds timeout, const EnrichRequest& request)
      : index_(index), texts_(texts), client_(client), clock_(clock), timeout_(timeout), request_(request) {}

  // Opened for each answer, so that a long run keeps nobody from pruning.
  using OpenLedger = std::function<Result<std::shared_ptr<Ledger>>()>;

  Result<EnrichReport> run(const OpenLedger& open_ledger) {
    KNAPSACK_TRY(const auto subjects, find_subjects(index_));
    report_.files = subjects.size();
    std::vector<const Subject*> waiting;
    {
      KNAPSACK_TRY(const auto ledger, open_ledger());
      for (const Subject& subject : subjects) {
        KNAPSACK_TRY(auto known, ledger->find_enrichment(subject.blob, client_.model()));
        if (known && known->outcome == "ok") {
          valid_.push_back(*std::move(known));
        } else {
          waiting.push_back(&subject);
        }
      }
    }
    report_.known = valid_.size();
    const uint64_t total = std::min<uint64_t>(waiting.size(), request_.limit.value_or(waiting.size()));
    size_t next = 0;
    for (; next < waiting.size() && report_.asked < total && report_.stopped.empty(); ++next) {
      const std::string& path = index_.file(waiting[next]->file).name;
      if (request_.progress)
        request_.progress({report_.asked, total, report_.asked - report_.answered, path});
      KNAPSACK_CHECK(ask(*waiting[next], open_ledger));
    }
    report_.left = waiting.size() - next;
    return report_;
  }

  const std::vector<Enrichment>& valid() const { return valid_; }

 private:
  // The content as it was indexed, from the first file that still has it.
  std::optional<std::string> read(const Subject& subject) {
    std::vector<uint32_t> files = {subject.file};
    for (const uint32_t copy : index_.files_of_blob(index_.file(subject.file).blob)) files.push_back(copy);
    for (const uint32_t file : files) {
      auto text = texts_.read(index_.file(file), &report_.redacted);
      if (text.ok()) return std::move(*text);
    }
    return std::nullopt;
  }

  Status ask(const Subject& subject, const OpenLedger& open_ledger) {
    const code::FileRow& file = index_.file(subject.file);
    const auto text = read(subject);
    if (!text) {
      ++report_.changed;
      return ok_status();
    }
    KNAPSACK_TRY(const auto symbols, index_.symbols(subject.file));
    EnrichPrompt prompt = make_enrich_prompt({file.name, file.language, *text, symbols}, client_.window());
    prompt.request.deadline = timeout_;
    model::ChatAnswer answer = client_.chat(prompt.request);
    ++report_.asked;
    report_.shortened += prompt.shortened ? 1 : 0;
    report_.redacted += prompt.redacted;
    report_.prompt_tokens += answer.prompt_tokens();
    report_.completion_tokens += answer.completion_tokens();
    Enrichment enrichment = record(subject, file, prompt, answer, *text);
    {
      KNAPSACK_TRY(const auto ledger, open_ledger());
      KNAPSACK_TRY([[maybe_unused]] const int64_t sequence, ledger->append_enrichment(enrichment));
    }
    count(file, answer, std::move(enrichment));
    return ok_status();
  }

  Enrichment record(const Subject& subject, const code::FileRow& file, const EnrichPrompt& prompt,
                    const model::ChatAnswer& answer, std::string_view text) const {
    Enrichment enrichment;
    enrichment.at = clock_.now();
    enrichment.blob = subject.blob;
    enrichment.path = file.name;
    enrichment.model = client_.model();
    enrichment.prompt = prompt.request.system + "\n\n" + prompt.request.user;
    enrichment.answer = answer.text;
    redact_secrets(enrichment.answer);
    enrichment.outcome = model::to_string(answer.outcome);
    if (answer.ok()) {
      nlohmann::json metadata = keep_names_of(answer.value, text);
      redact_texts(metadata);
      enrichment.metadata_json = metadata.dump();
    }
    enrichment.latency_micros = answer.latency_micros();
    enrichment.prompt_tokens = answer.prompt_tokens();
    enrichment.completion_tokens = answer.completion_tokens();
    return enrichment;
  }

  void count(const code::FileRow& file, const model::ChatAnswer& answer, Enrichment enrichment) {
    if (answer.ok()) {
      ++report_.answered;
      failures_in_a_row_ = 0;
      valid_.push_back(std::move(enrichment));
      return;
    }
    ++report_.failures[std::string(model::to_string(answer.outcome))];
    const std::string problem =
        answer.problem + (answer.outcome == ModelOutcome::kTimeout ? " (`model.timeout`)" : "");
    if (report_.first_failure.empty()) report_.first_failure = file.name + ": " + problem;
    if (!server_failed(answer.outcome)) {
      failures_in_a_row_ = 0;
      return;
    }
    ++failures_in_a_row_;
    const bool hopeless = report_.answered == 0 && answer.outcome != ModelOutcome::kTimeout;
    if (hopeless || failures_in_a_row_ >= kMaxFailuresInARow) report_.stopped = problem;
  }

  code::CodeIndex& index_;
  const code::SnapshotTexts& texts_;
  model::ModelClient& client_;
  const Clock& clock_;
  const std::chrono::seconds timeout_;
  const EnrichRequest& request_;
  EnrichReport report_;
  std::vector<Enrichment> valid_;  // of this model, of contents that are in the index
  int failures_in_a_row_ = 0;
};

// One transaction: readers see all of it or nothing.
Result<uint64_t> promote_answers(FileSystem& files, const std::string& state_folder,
                                 const std::vector<Enrichment>& valid) {
  uint64_t promoted = 0;
  KNAPSACK_TRY(code::CuratedWriter writer, code::CuratedWriter::open(files, state_folder, {}));
  const auto copy = [&]() -> Status {
    for (const Enrichment& enrichment : valid) {
      const auto row = metadata_of(enrichment);
      if (!row) continue;
      KNAPSACK_CHECK(writer.put_file_metadata(*row));
      ++promoted;
    }
    // The index may have moved on while the model was thinking.
    return writer.remove_lost_metadata();
  };
  KNAPSACK_CHECK(writer.transaction(copy));
  return promoted;
}

// What this model has said of the files that are in the index, without asking anything.
Result<EnrichReport> review_of(code::CodeIndex& index, Ledger& ledger, const EnrichRequest& request) {
  KNAPSACK_TRY(const auto subjects, find_subjects(index));
  EnrichReport report;
  report.files = subjects.size();
  for (const Subject& subject : subjects) {
    KNAPSACK_TRY(const auto known, ledger.find_enrichment(subject.blob, request.model));
    const auto said = known ? metadata_of(*known) : std::nullopt;
    if (!said) continue;
    ++report.known;
    if (request.limit && report.reviewed.size() >= *request.limit) continue;
    report.reviewed.push_back({index.file(subject.file).name, said->purpose, said->module, said->domain,
                               said->concepts, said->public_api, said->complexity_notes});
  }
  return report;
}

}  // namespace

Result<EnrichReport> CodeRecipes::enrich(const EnrichRequest& request) {
  if (request.review) {
    if (request.promote) {
      return Error{ErrorCode::kUsage, "`review` and `promote` exclude each other",
                   "review first, then promote"};
    }
    KNAPSACK_TRY(const auto index, state_->code_index(""));
    KNAPSACK_TRY(const auto ledger, state_->ledger());
    return review_of(*index, *ledger, request);
  }
  KNAPSACK_TRY(const Settings settings, state_->settings(Flags(request.settings)));
  state_->tell_refused(settings);
  KNAPSACK_TRY(const auto client,
               state_->model_client(settings, request.model, request.base_url, settings.model_window));
  KNAPSACK_CHECK(check_window(client->window()));
  KNAPSACK_TRY(const auto index, state_->code_index(""));
  KNAPSACK_TRY(const std::string folder, ensure_state_folder(*state_->files, state_->workspace.path));
  KNAPSACK_TRY(const std::string workspace, state_->files->resolve(state_->workspace.path));
  KNAPSACK_TRY(const auto texts, code::SnapshotTexts::open(*state_->files, workspace, index->snapshot()));
  EnrichRun run(*index, texts, *client, *state_->clock, std::chrono::seconds(settings.model_timeout_seconds),
                request);
  KNAPSACK_TRY(EnrichReport report, run.run([this] { return state_->ledger(); }));
  if (request.promote && !run.valid().empty()) {
    KNAPSACK_TRY(report.promoted, promote_answers(*state_->files, folder, run.valid()));
  }
  return report;
}

}  // namespace knapsack
