// Engine::set_up: the entries that make clients start this program, and taking them back.
#include <fmt/format.h>

#include <algorithm>

#include "clients/change_record.h"
#include "clients/unified_diff.h"
#include "core/ids.h"
#include "core/nearest.h"
#include "engine/clients/set_up_files.h"
#include "engine/engine_state.h"
#include "model/endpoint.h"
#include "notes/starter_notes.h"
#include "store/file_lock.h"
#include "store/state_folder.h"

namespace knapsack {
namespace {

using clients::ChangeRecord;
using clients::Client;
using clients::ClientFile;
using clients::FileChangeRecord;

constexpr std::string_view kSettingsName = "knapsack.toml";
constexpr const char* kNotesFolder = ".context";
constexpr std::string_view kRecordName = "init.json";
constexpr std::string_view kLockName = "init.lock";
constexpr std::chrono::milliseconds kWaitForOther{10'000};

// One file that is to be written, or taken back.
struct Planned {
  SetUpFile shown;
  FileChangeRecord record;
  std::optional<std::string> before;
  std::optional<std::string> after;  // nothing: the file goes
};

std::string shown_name(bool in_home, const std::string& name) {
  return in_home ? "~/" + name : name;
}

std::string with_replaced(std::string text, std::string_view what, std::string_view by) {
  if (what.empty()) return text;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// `ours`: an earlier run wrote them.
std::string left_alone_note(const std::vector<std::string>& entries, bool ours) {
  const bool one = entries.size() == 1;
  return fmt::format("{} {} {} and {} left alone", fmt::join(entries, " and "), one ? "was" : "were",
                     ours ? "edited" : "there before", one ? "is" : "are");
}

class SetUp {
 public:
  SetUp(Engine::State& state, const SetUpRequest& request) : state_(state), request_(request) {}

  Result<SetUpReply> run() {
    KNAPSACK_CHECK(prepare());
    std::optional<FileLock> lock;
    if (!request_.dry_run && !(request_.undo && record_.files.empty())) {
      KNAPSACK_TRY(const std::string folder, ensure_state_folder(*state_.files, state_.workspace.path));
      KNAPSACK_TRY(FileLock held, FileLock::acquire(join_path(folder, kLockName), FileLock::Mode::kExclusive,
                                                    kWaitForOther));
      lock.emplace(std::move(held));
      sweep(folder);
      KNAPSACK_CHECK(read_existing_record());
    }
    if (request_.undo) {
      KNAPSACK_CHECK(plan_undo());
    } else {
      KNAPSACK_CHECK(plan_additions());
    }
    for (Planned& planned : planned_) {
      const std::string& path = planned.shown.path;
      planned.shown.diff =
          clients::unified_diff(hidden(planned.before.value_or("")), hidden(planned.after.value_or("")),
                                planned.before ? path : "/dev/null", planned.after ? path : "/dev/null");
      reply_.changes = reply_.changes || planned.before != planned.after;
    }
    if (!request_.dry_run) KNAPSACK_CHECK(request_.undo ? apply_undo() : apply_additions());
    for (Planned& planned : planned_) reply_.files.push_back(std::move(planned.shown));
    return std::move(reply_);
  }

 private:
  // What a killed run left of a file that it was about to put in place.
  void sweep(const std::string& folder) const {
    constexpr size_t kRandomEnding = 7;  // ".XXXXXX"
    const auto entries = state_.files->list(folder);
    for (size_t i = 0; entries.ok() && i < entries->size(); ++i) {
      const DirectoryEntry& entry = (*entries)[i];
      for (const std::string_view name : {kRecordName, std::string_view(".gitignore")}) {
        const bool is_left = entry.kind == FileKind::kRegular && entry.name.starts_with(name) &&
                             entry.name.size() == name.size() + kRandomEnding &&
                             entry.name[name.size()] == '.';
        if (is_left)
          (void)state_.files->remove(join_path(folder, entry.name)).ok();  // the next one sweeps the rest
      }
    }
  }

  // The token is written into the client's file and nowhere else: what is shown, hashed and kept of a change
  // has a mark in its place.
  std::string hidden(std::string text) const {
    return with_replaced(std::move(text), request_.token, clients::kTokenMark);
  }
  std::string revealed(std::string text) const {
    return request_.token.empty() ? text
                                  : with_replaced(std::move(text), clients::kTokenMark, request_.token);
  }

  Status prepare() {
    if (!request_.url.empty()) KNAPSACK_CHECK(check_server());
    KNAPSACK_TRY(SetUpFiles workspace, SetUpFiles::open(*state_.files, state_.workspace.path));
    workspace_.emplace(std::move(workspace));
    const auto home = state_.options.environment.find("HOME");
    if (home != state_.options.environment.end() && !home->second.empty()) {
      auto opened = SetUpFiles::open(*state_.files, home->second);
      if (opened.ok()) home_.emplace(*std::move(opened));
    }
    if (request_.user && !home_)
      return Error{ErrorCode::kUsage, "there is no home folder to write to", "set HOME, or leave out `user`"};
    KNAPSACK_CHECK(read_existing_record());
    return choose_clients();
  }

  Status check_server() {
    const auto read = model::parse_base_url(request_.url);
    if (!read.ok()) {
      // What it advises is about models.
      return Error{ErrorCode::kUsage, read.error().what,
                   "give the address that `knapsack serve` prints, such as http://127.0.0.1:7077"};
    }
    const model::BaseUrl& url = *read;
    if (!model::is_this_machine(url.target)) {
      return Error{ErrorCode::kUsage, fmt::format("{} is not on this machine", url.text()),
                   "write the entry for a server elsewhere by hand, with the token of that server"};
    }
    if (!request_.user) {
      return Error{ErrorCode::kUsage, "a token must not be written into a project's files",
                   "give `user`: the entry is then written below your home folder"};
    }
    const bool only_host = url.path.empty() && !url.versioned;
    http_clients_ = clients::http_client_list(only_host ? url.text() + "/mcp" : request_.url);
    return ok_status();
  }

  Status choose_clients() {
    const auto names = clients::client_names();
    const auto choices = fmt::format("{}", fmt::join(names, ", "));
    for (const std::string& name : request_.clients) {
      if (name == "all" || std::find(names.begin(), names.end(), name) != names.end()) continue;
      // Half of a name is a likelier slip than another one of its length.
      const auto longer = std::find_if(names.begin(), names.end(),
                                       [&](const std::string& each) { return each.starts_with(name); });
      return Error{ErrorCode::kUsage, fmt::format("unknown client '{}'", name),
                   fmt::format("did you mean {}? There are {} and all",
                               longer != names.end() ? *longer : nearest_name(name, names), choices)};
    }
    const auto is_named = [&](const std::string& name) {
      return std::find(request_.clients.begin(), request_.clients.end(), name) != request_.clients.end();
    };
    const std::vector<Client>& list = request_.url.empty() ? clients::client_list() : http_clients_;
    const auto choose = [&](const auto& wanted) {
      for (const Client& client : list)
        if (wanted(client)) chosen_.push_back(&client);
    };
    const bool none_named = request_.clients.empty();
    const bool notes_alone = request_.notes && none_named;
    if (!none_named) choose([&](const Client& each) { return is_named(each.name) || is_named("all"); });
    if (none_named && !notes_alone) choose([&](const Client& each) { return is_used_here(each); });
    if (none_named && !notes_alone && chosen_.empty() && !request_.undo)
      choose([&](const Client& each) { return is_installed(each); });
    if (chosen_.empty() && !request_.undo && !notes_alone) {
      return Error{ErrorCode::kUsage, "no client is used in this workspace, and none is installed",
                   fmt::format("name one with `client`: {} or all", choices)};
    }
    for (const Client* client : chosen_) reply_.clients.push_back(client->name);
    return ok_status();
  }

  bool is_used_here(const Client& client) const {
    return std::any_of(client.marks.begin(), client.marks.end(),
                       [&](const std::string& mark) { return workspace_->exists(mark); });
  }

  bool is_installed(const Client& client) const {
    const bool at_home = home_ && std::any_of(client.home_marks.begin(), client.home_marks.end(),
                                              [&](const std::string& mark) { return home_->exists(mark); });
    return at_home || can_be_started(*state_.files, client.program, request_.search_path);
  }

  std::string record_path() const { return join_path(state_.state_folder(), kRecordName); }

  Status read_existing_record() {
    record_ = {};
    const auto text = state_.files->read(record_path(), kMaxClientFileBytes);
    if (!text.ok()) return text.error().code == ErrorCode::kNotFound ? ok_status() : Status(text.error());
    const std::string name = relative_to(state_.workspace.path, record_path());
    KNAPSACK_TRY(record_, clients::read_record(*text, name));
    // A clone can bring a record of its own: it may name files that init writes, and no others.
    for (const FileChangeRecord& file : record_.files) {
      if (!is_ours(file)) return clients::no_record(name);
    }
    return ok_status();
  }

  static bool is_ours(const FileChangeRecord& file) {
    for (const std::string& folder : file.folders) {
      if (!file.name.starts_with(folder + "/")) return false;
    }
    if (!file.in_home && (file.name == kSettingsName || is_note(file.name))) return true;
    const ClientFile* known = file_named(file.name);
    return known != nullptr && (!file.in_home || known->user_name == file.name || is_http_file(file.name));
  }

  static bool is_note(const std::string& name) {
    const auto list = notes::starter_notes({});
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& each) { return name == join_path(kNotesFolder, each.name); });
  }

  static bool is_http_file(const std::string& name) {
    const auto list = clients::http_client_list("");
    return std::any_of(list.begin(), list.end(),
                       [&](const Client& client) { return client.files.front().user_name == name; });
  }

  const SetUpFiles& root(bool in_home) const { return in_home ? *home_ : *workspace_; }

  // The name that is there, or the first.
  std::string choose_name(const ClientFile& file) const {
    if (request_.user) return file.user_name;
    for (const std::string& name : file.names)
      if (workspace_->exists(name)) return name;
    return file.names.front();
  }

  Status plan_additions() {
    if (!request_.user) KNAPSACK_CHECK(plan_settings());
    if (request_.notes) KNAPSACK_CHECK(plan_notes());
    for (const Client* client : chosen_) {
      bool any = false;
      for (const ClientFile& file : client->files) {
        const std::string name = choose_name(file);
        if (name.empty()) continue;
        any = true;
        KNAPSACK_CHECK(plan_file(file, name));
      }
      if (!any) {
        return Error{ErrorCode::kUsage, fmt::format("{} has no user file that init writes", client->name),
                     "leave out `user`"};
      }
      reply_.notices.push_back(client->name + ": " + client->next);
    }
    return ok_status();
  }

  // Where it is there, it is somebody's.
  Status plan_settings() {
    const std::string name(kSettingsName);
    KNAPSACK_TRY(LocatedFile located, workspace_->locate(name));
    if (located.text) return ok_status();
    const std::string text(clients::starter_settings());
    add(name, std::move(located), {{{0, text}}}, text, {});
    return ok_status();
  }

  // What is there stays; what is missing is begun with what the project says elsewhere.
  Status plan_notes() {
    if (request_.user) {
      return Error{ErrorCode::kUsage, "notes belong to a project, not below the home folder",
                   "leave out `user` or `notes`"};
    }
    std::vector<notes::StarterText> sources;
    for (const std::string& name : notes::starter_sources()) {
      const auto located = workspace_->locate(name);
      if (located.ok() && located->text) sources.push_back({name, *located->text});
    }
    for (const notes::StarterText& note : notes::starter_notes(sources)) {
      const std::string name = join_path(kNotesFolder, note.name);
      KNAPSACK_TRY(LocatedFile located, workspace_->locate(name));
      if (!located.text) add(name, std::move(located), {{{0, note.text}}}, note.text, {});
    }
    reply_.notices.push_back(
        fmt::format("read {}/CONSTITUTION.md and CONVENTIONS.md and delete what does not apply; "
                    "`knapsack agent` shows what an agent gets of them",
                    kNotesFolder));
    return ok_status();
  }

  Status plan_file(const ClientFile& file, const std::string& name) {
    KNAPSACK_TRY(LocatedFile located, root(request_.user).locate(name));
    const std::string shown = shown_name(request_.user, name);
    KNAPSACK_TRY(clients::FilePlan plan,
                 clients::plan_additions(file, shown, hidden(located.text.value_or(""))));
    add(name, std::move(located), std::move(plan.steps), plan.after, plan.left_alone);
    return ok_status();
  }

  bool is_recorded(const std::string& name) const {
    return std::any_of(record_.files.begin(), record_.files.end(), [&](const FileChangeRecord& each) {
      return each.in_home == request_.user && each.name == name;
    });
  }

  void add(const std::string& name, LocatedFile located, std::vector<clients::EditStep> steps,
           std::string after, const std::vector<std::string>& left_alone) {
    Planned planned;
    planned.shown.path = shown_name(request_.user, name);
    if (!left_alone.empty()) planned.shown.note = left_alone_note(left_alone, is_recorded(name));
    planned.shown.action = !steps.empty()       ? (located.text ? SetUpAction::kChange : SetUpAction::kCreate)
                           : left_alone.empty() ? SetUpAction::kNothing
                                                : SetUpAction::kLeftAlone;
    planned.record = {request_.user,
                      name,
                      !located.text,
                      content_hash(hidden(located.text.value_or(""))),
                      content_hash(after),
                      std::move(steps),
                      std::move(located.missing_folders)};
    planned.before = std::move(located.text);
    planned.after = revealed(std::move(after));
    planned_.push_back(std::move(planned));
  }

  // The record goes first: whatever a crash leaves written can then be taken back.
  Status apply_additions() {
    ChangeRecord record = record_;
    for (const Planned& planned : planned_) {
      if (planned.before != planned.after) record.files.push_back(planned.record);
    }
    if (record.files.size() == record_.files.size()) return ok_status();
    KNAPSACK_CHECK(state_.files->replace(record_path(), clients::write_record(record)));
    for (const Planned& planned : planned_) {
      if (planned.before == planned.after) continue;
      const bool secret = hidden(*planned.after) != *planned.after;
      KNAPSACK_CHECK(root(request_.user)
                         .write(planned.record.name, planned.before, *planned.after,
                                secret ? SetUpFiles::Content::kSecret : SetUpFiles::Content::kPlain));
    }
    return ok_status();
  }

  // What a client's file is about; nothing for knapsack.toml.
  static const ClientFile* file_named(const std::string& name, const Client** of = nullptr) {
    static const std::vector<Client> http = clients::http_client_list("");
    std::vector<const Client*> all;
    for (const Client& client : clients::client_list()) all.push_back(&client);
    for (const Client& client : http) all.push_back(&client);
    for (const Client* each : all) {
      const Client& client = *each;
      for (const ClientFile& file : client.files) {
        const bool is_it = file.user_name == name ||
                           std::find(file.names.begin(), file.names.end(), name) != file.names.end();
        if (is_it && of != nullptr) *of = &client;
        if (is_it) return &file;
      }
    }
    return nullptr;
  }

  bool is_wanted(const FileChangeRecord& file) const {
    if (request_.clients.empty()) return true;
    const Client* client = nullptr;
    return file_named(file.name, &client) != nullptr &&
           std::any_of(chosen_.begin(), chosen_.end(),
                       [&](const Client* each) { return each->name == client->name; });
  }

  // The newest write of a file first, each on top of what the one after it left.
  Status plan_undo() {
    if (record_.files.empty()) reply_.notices.emplace_back("nothing to undo: init wrote nothing here");
    for (size_t i = record_.files.size(); i-- > 0;) {
      const FileChangeRecord& file = record_.files[i];
      if (!is_wanted(file)) {
        kept_.push_back(file);
        continue;
      }
      if (file.in_home && !home_) return Error{ErrorCode::kUsage, "there is no home folder", "set HOME"};
      const auto same = std::find_if(planned_.begin(), planned_.end(), [&](const Planned& each) {
        return each.record.in_home == file.in_home && each.record.name == file.name;
      });
      if (same == planned_.end()) {
        KNAPSACK_TRY(LocatedFile located, root(file.in_home).locate(file.name));
        Planned planned;
        planned.shown.path = shown_name(file.in_home, file.name);
        planned.record = file;
        planned.before = located.text;
        planned.after = std::move(located.text);
        planned_.push_back(std::move(planned));
        KNAPSACK_CHECK(take_back(file, planned_.back()));
      } else {
        same->record.folders.insert(same->record.folders.end(), file.folders.begin(), file.folders.end());
        KNAPSACK_CHECK(take_back(file, *same));
      }
    }
    std::reverse(kept_.begin(), kept_.end());
    return ok_status();
  }

  Status take_back(const FileChangeRecord& file, Planned& planned) {
    const std::string now = hidden(planned.after.value_or(""));
    if (!planned.after || content_hash(now) == file.before) return ok_status();  // never, or already
    std::string before;
    if (content_hash(now) == file.after && clients::without_steps(now, file.steps, before) &&
        content_hash(before) == file.before) {
      planned.shown.action = file.created ? SetUpAction::kRemove : SetUpAction::kChange;
      planned.after = file.created ? std::nullopt : std::optional(revealed(before));
      return ok_status();
    }
    const ClientFile* known = file_named(file.name);
    if (known == nullptr) {
      planned.shown.action = SetUpAction::kLeftAlone;
      planned.shown.note = "it was edited and is left alone";
      return ok_status();
    }
    KNAPSACK_TRY(const clients::FileRemoval removal, clients::plan_removal(*known, planned.shown.path, now));
    const bool changed = removal.after != now;
    if (changed) planned.shown.action = SetUpAction::kChange;
    if (!removal.left_alone.empty()) {
      if (!changed) planned.shown.action = SetUpAction::kLeftAlone;
      planned.shown.note = left_alone_note(removal.left_alone, true);
    }
    planned.after = revealed(removal.after);
    return ok_status();
  }

  Status apply_undo() {
    for (const Planned& planned : planned_) {
      const SetUpFiles& files = root(planned.record.in_home);
      if (planned.before != planned.after) {
        KNAPSACK_CHECK(planned.after ? files.write(planned.record.name, planned.before, *planned.after)
                                     : files.remove(planned.record.name, *planned.before));
      }
      for (size_t i = planned.record.folders.size(); i-- > 0;) files.remove_folder(planned.record.folders[i]);
    }
    if (record_.files.empty()) return ok_status();
    if (kept_.empty()) return state_.files->remove(record_path());
    return state_.files->replace(record_path(), clients::write_record({kept_}));
  }

  Engine::State& state_;
  const SetUpRequest& request_;
  std::optional<SetUpFiles> workspace_, home_;
  std::vector<Client> http_clients_;
  std::vector<const Client*> chosen_;
  ChangeRecord record_;
  std::vector<FileChangeRecord> kept_;  // of clients that are not taken back
  std::vector<Planned> planned_;
  SetUpReply reply_;
};

}  // namespace

Result<SetUpReply> Engine::set_up(const SetUpRequest& request) {
  return SetUp(*state_, request).run();
}

}  // namespace knapsack
