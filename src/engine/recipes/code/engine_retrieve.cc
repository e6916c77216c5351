// The engine's retrieval: a task's first packet, and the next one with what it lacked.
#include <fmt/format.h>

#include <algorithm>

#include "code/walk/file_class.h"
#include "core/escape.h"
#include "core/nearest.h"
#include "engine/recipes/code/retrieval.h"
#include "stages/joined_context.h"
#include "store/state_folder.h"

namespace knapsack {
namespace {

using stages::Requested;

// A name that fits more places than this was not meant for all of them.
constexpr size_t kMaxPlacesOfName = 20;

// Asking again for the same, after a kill or by mistake, must not count twice.
void add_once(std::string& hints, const std::string& signature) {
  const std::string lines = "\n" + signature + "\n";
  if (("\n" + hints).find(lines) == std::string::npos) hints += signature + "\n";
}

// What the last packet was made of, which the next one goes on from.
std::vector<stages::Earlier> parts_of(const stages::StageContext& context) {
  std::vector<stages::Earlier> parts;
  for (const stages::SelectedSymbol& symbol : context.symbols) {
    const bool was_in =
        symbol.tier == stages::SymbolTier::kPrimary && symbol.kind != code::UnitKind::kImports;
    if (was_in) parts.push_back({symbol.path, symbol.name});
  }
  return parts;
}

// Names from a refinement as places in the index; what is not there is said.
class Resolver {
 public:
  explicit Resolver(Retrieval& retrieval) : retrieval_(retrieval), index_(retrieval.index()) {}

  Status add(const Refinement& refinement) {
    for (const std::string& name : refinement.missing_files) add_file(name, "asked for as a missing file");
    for (const std::string& name : refinement.missing_symbols) {
      KNAPSACK_CHECK(add_symbol(name, "asked for as a missing symbol"));
    }
    for (const FailedTest& test : refinement.failed_tests) KNAPSACK_CHECK(add_failed(test));
    // A test is named by its function or by its file.
    for (const std::string& name : refinement.missing_tests) {
      const bool is_file = index_.find_file(name).has_value() || !index_.find_by_suffix(name).empty();
      if (is_file) {
        add_file(name, "asked for as a missing test");
      } else {
        KNAPSACK_CHECK(add_symbol(name, "asked for as a missing test"));
      }
    }
    return ok_status();
  }

  std::vector<Requested> finish() { return std::move(requested_); }

 private:
  // Whether the name begins with that of a linked repository and means a file there.
  bool add_linked(const std::string& name, const std::string& reason) {
    const auto place = retrieval_.linked().place_of(name);
    if (place.repository == nullptr) return false;
    const auto index = place.repository->state->code_index("");
    if (!index.ok()) return false;
    const auto file = place.repository->state->find_file(**index, place.path);
    if (!file.ok()) return false;
    requested_.push_back({stages::shown_path(place.repository->name, (*index)->file(*file).name),
                          stages::kNoPosition, reason});
    return true;
  }

  void add_file(const std::string& name, const std::string& reason) {
    std::vector<uint32_t> found;
    if (const auto exact = index_.find_file(name)) {
      found = {*exact};
    } else {
      found = index_.find_by_suffix(name);
    }
    if (found.empty() && add_linked(name, reason)) return;
    if (found.empty()) return report(name, nearest_path(name));
    if (found.size() > kMaxPlacesOfName) return report_many(name, found.size(), "path");
    for (const uint32_t file : found)
      requested_.push_back({index_.file(file).name, stages::kNoPosition, reason});
  }

  Status add_symbol(const std::string& name, const std::string& reason) {
    KNAPSACK_TRY(const auto found, index_.find_symbols(name));
    if (found.empty()) {
      KNAPSACK_TRY(const std::string similar, code::similar_name(index_, name));
      report(name, similar);
    }
    if (found.size() > kMaxPlacesOfName) {
      report_many(name, found.size(), "qualified name");
      return ok_status();
    }
    require(found, reason);
    return ok_status();
  }

  void require(const std::vector<code::IndexedSymbol>& found, const std::string& reason) {
    for (const auto& symbol : found) {
      requested_.push_back(
          {index_.file(symbol.file).name, static_cast<int32_t>(symbol.row.position), reason, false, true});
    }
  }

  // The test's function by the most exact name that is known, in its file where the runner tells it; or the
  // file alone. Names of the build, such as ctest's, may stand for neither.
  Status add_failed(const FailedTest& test) {
    const std::string reason = "a test that failed";
    const std::vector<uint32_t> files = find_files(test.file);
    for (const std::string& name : test.symbols) {
      KNAPSACK_TRY(auto found, index_.find_symbols(name));
      if (!files.empty()) {
        std::erase_if(found, [&](const code::IndexedSymbol& symbol) {
          return std::find(files.begin(), files.end(), symbol.file) == files.end();
        });
      }
      if (found.empty() || found.size() > kMaxPlacesOfName) continue;
      require(found, reason);
      return ok_status();
    }
    if (!files.empty() && files.size() <= kMaxPlacesOfName) {
      for (const uint32_t file : files)
        requested_.push_back({index_.file(file).name, stages::kNoPosition, reason});
    } else if (!test.file.empty() || !test.symbols.empty()) {
      retrieval_.warnings().push_back(
          fmt::format("the failed test {} is not in the index", escape_control(test.name)));
    }
    return ok_status();
  }

  // By its path, or by as much of its end as is known: runners print absolute paths of their machine.
  std::vector<uint32_t> find_files(std::string_view path) const {
    if (path.empty()) return {};
    if (const auto exact = index_.find_file(path)) return {*exact};
    while (true) {
      if (auto found = index_.find_by_suffix(path); !found.empty()) return found;
      const size_t slash = path.find('/');
      if (slash == std::string_view::npos) return {};
      path.remove_prefix(slash + 1);
    }
  }

  std::string nearest_path(const std::string& name) const {
    std::vector<std::string> names;
    for (const code::FileRow& file : index_.files()) names.push_back(file.name);
    return nearest_name(name, names);
  }

  void report(const std::string& name, const std::string& near) {
    retrieval_.warnings().push_back(near.empty() ? fmt::format("nothing is called {}", escape_control(name))
                                                 : fmt::format("nothing is called {}; did you mean {}?",
                                                               escape_control(name), escape_control(near)));
  }

  void report_many(const std::string& name, size_t places, std::string_view of_what) {
    retrieval_.warnings().push_back(
        fmt::format("{} fits {} places: name more of its {}", escape_control(name), places, of_what));
  }

  Retrieval& retrieval_;
  code::CodeIndex& index_;
  std::vector<Requested> requested_;
};

Result<std::unique_ptr<Retrieval>> open_retrieval(Engine::State& state, const RetrieveRequest& request) {
  auto retrieval = std::make_unique<Retrieval>(state, request, "retrieve");
  KNAPSACK_CHECK(retrieval->check());
  KNAPSACK_CHECK(retrieval->open());
  return retrieval;
}

Result<std::unique_ptr<Retrieval>> open_refinement(Engine::State& state, const RefineRequest& request) {
  KNAPSACK_CHECK(check_task_id(request.task_id));
  Refinement refinement;
  if (!request.request_json.empty() || request.test_output.empty()) {
    KNAPSACK_TRY(refinement, parse_refinement(request.request_json));
  }
  if (!request.test_output.empty()) {
    KNAPSACK_TRY(Refinement of_tests, refinement_of_tests(request.test_output));
    refinement = joined(std::move(refinement), std::move(of_tests));
  }
  const Error unknown{ErrorCode::kNotFound, fmt::format("there is no session of task {}", request.task_id),
                      "give the `task_id` of an earlier retrieval"};
  RetrieveRequest again;
  stages::StageContext before;
  std::string hints;
  {
    const std::string folder = join_path(state.state_folder(), "sessions");
    KNAPSACK_TRY(auto session, Session::find(*state.files, folder, request.task_id));
    if (!session) return unknown;
    KNAPSACK_TRY(const auto kept, session->get(kSessionRequest));
    KNAPSACK_TRY(const auto final_context, session->get(kFinalContext));
    if (!kept) return unknown;
    if (!final_context) {
      return Error{ErrorCode::kUsage,
                   fmt::format("the retrieval of task {} was not finished", request.task_id),
                   "run the same retrieval with this `task_id` first"};
    }
    KNAPSACK_TRY(again, request_from_json(*kept));
    KNAPSACK_TRY(before, stages::context_from_json(*final_context));
    KNAPSACK_TRY(const auto earlier_hints, session->get(kErrorHints));
    hints = earlier_hints.value_or("");
  }
  again.task_id = request.task_id;
  again.format = request.format;
  again.refresh = request.refresh;
  again.dry_run = request.dry_run;
  if (request.budget) {
    again.context_window = request.budget;
    again.reserved_tokens = 0;
  }
  for (const auto& [key, value] : request.settings) again.settings[key] = value;
  again.progress = request.progress;
  again.stop = request.stop;
  auto made = std::make_unique<Retrieval>(state, again, "refine");
  Retrieval& retrieval = *made;
  KNAPSACK_CHECK(retrieval.check());
  KNAPSACK_CHECK(retrieval.open());
  Resolver resolver(retrieval);
  KNAPSACK_CHECK(resolver.add(refinement));
  // What was asked for before is still asked for.
  std::vector<Requested> requested = before.requested;
  for (Requested& each : resolver.finish()) {
    if (std::find(requested.begin(), requested.end(), each) == requested.end()) {
      requested.push_back(std::move(each));
    }
  }
  if (!refinement.reason.empty()) add_once(hints, refinement.reason);
  for (const std::string& signature : refinement.error_signatures) add_once(hints, signature);
  KNAPSACK_CHECK(retrieval.start_refinement(refinement_to_json(refinement), hints));
  retrieval.require(std::move(requested), parts_of(before));
  retrieval.add_hints(hints);
  return made;
}

Result<std::unique_ptr<GatheredRetrieval>> gathered(Result<std::unique_ptr<Retrieval>> opened) {
  KNAPSACK_TRY(auto retrieval, std::move(opened));
  KNAPSACK_CHECK(retrieval->gather());
  return std::unique_ptr<GatheredRetrieval>(std::move(retrieval));
}

}  // namespace

Result<RetrieveReply> CodeRecipes::retrieve(const RetrieveRequest& request) {
  const SettingFileCache::Request once(state_->setting_files);
  KNAPSACK_TRY(const auto retrieval, open_retrieval(*state_, request));
  return retrieval->run();
}

Result<RetrieveReply> CodeRecipes::refine(const RefineRequest& request) {
  const SettingFileCache::Request once(state_->setting_files);
  KNAPSACK_TRY(const auto retrieval, open_refinement(*state_, request));
  return retrieval->run();
}

Result<std::unique_ptr<GatheredRetrieval>> CodeRecipes::gather_retrieval(const RetrieveRequest& request) {
  const SettingFileCache::Request once(state_->setting_files);
  return gathered(open_retrieval(*state_, request));
}

Result<std::unique_ptr<GatheredRetrieval>> CodeRecipes::gather_refinement(const RefineRequest& request) {
  const SettingFileCache::Request once(state_->setting_files);
  return gathered(open_refinement(*state_, request));
}

}  // namespace knapsack
