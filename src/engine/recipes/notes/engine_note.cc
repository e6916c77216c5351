// Engine::note: writing into the notes folder, and what of it has grown, repeats itself or speaks of what is gone.
#include <fmt/format.h>

#include "core/blanks.h"
#include "core/counted.h"
#include "core/escape.h"
#include "core/files/shared_files.h"
#include "engine/api/note_requests.h"
#include "engine/engine_state.h"
#include "notes/note_edit.h"
#include "store/file_lock.h"
#include "text/secrets/redact.h"

namespace knapsack {
namespace {

constexpr uint64_t kMaxNotePageBytes = uint64_t{16} << 20U;
constexpr size_t kMaxNoteBytes = size_t{64} << 10U;
constexpr std::chrono::milliseconds kNoteLockWait{10'000};
constexpr std::string_view kArchiveFolder = "archive";

// A page is read, changed and replaced with nobody else of us in between.
class NoteWriter {
 public:
  NoteWriter(Engine::State& state, notes::FolderRequest folder) : state_(state), folder_(std::move(folder)) {}

  // A folder that is not there is made only where something will be written into it.
  Status open(bool makes_folder) {
    FileSystem& files = *state_.files;
    const auto info = files.info(folder_.path);
    if (!info.ok() && info.error().code == ErrorCode::kNotFound) {
      if (!makes_folder) return ok_status();
      KNAPSACK_CHECK(files.make_directory(folder_.path));
    } else if (!info.ok()) {
      return info.error();
    } else if (info->kind != FileKind::kDirectory) {
      return Error{ErrorCode::kIo,
                   fmt::format("{} is {}, not a folder", folder_.shown_as, describe(info->kind)),
                   "name a folder with `notes.context_dir`"};
    }
    if (!state_.on_disk) return ok_status();
    KNAPSACK_TRY(lock_, FileLock::acquire_folder(folder_.path, FileLock::Mode::kExclusive, kNoteLockWait));
    return ok_status();
  }

  Result<NoteReply> add(const NoteRequest& request) {
    const notes::NoteKind kind = *notes::parse_note_kind(request.kind);
    std::string text = request.text;
    const uint64_t secrets = redact_secrets(text);
    const std::string page(notes::page_of(kind));
    KNAPSACK_TRY(const std::string bytes, read(page));
    KNAPSACK_TRY(const std::string made, notes::with_entry(bytes, kind, text, state_.clock->now()));
    if (made == bytes) {
      reply_.told = fmt::format("{} says this already; nothing was written", shown(page));
    } else {
      KNAPSACK_CHECK(write(page, made));
      reply_.told = fmt::format("noted as a {} in {}", request.kind, shown(page));
    }
    if (secrets > 0) reply_.notices.push_back(redacted_line(secrets, "the text"));
    return std::move(reply_);
  }

  Result<NoteReply> done(const NoteRequest& request) {
    const std::string page(notes::page_of(notes::NoteKind::kTask));
    KNAPSACK_TRY(const std::string bytes, read(page));
    auto made = notes::with_task_done(bytes, request.text);
    if (!made.ok()) return without_secrets(bytes, request.text, made.error());
    KNAPSACK_CHECK(write(page, made->page));
    const uint64_t secrets = redact_secrets(made->task);
    reply_.told = fmt::format("done: {}", escape_control(notes::task_title(made->task)));
    if (secrets > 0) reply_.notices.push_back(redacted_line(secrets, "the task"));
    return std::move(reply_);
  }

  // What is taken out is in its archive first: a killed run leaves it in both, and the next takes it out again.
  Result<NoteReply> archive() {
    size_t tasks = 0, entries = 0;
    KNAPSACK_TRY(tasks, archive_page(notes::page_of(notes::NoteKind::kTask), notes::without_done_tasks));
    KNAPSACK_TRY(entries,
                 archive_page(notes::page_of(notes::NoteKind::kDecision), notes::without_superseded));
    reply_.told = fmt::format("{} and {} moved to {}", counted(tasks, "finished task"),
                              counted(entries, "superseded decision"), shown(std::string(kArchiveFolder)));
    return std::move(reply_);
  }

 private:
  std::string shown(const std::string& name) const { return join_path(folder_.shown_as, name); }
  std::string on_disk(const std::string& name) const { return join_path(folder_.path, name); }

  Result<std::string> read(const std::string& name) const {
    auto bytes = state_.files->read(on_disk(name), kMaxNotePageBytes);
    if (!bytes.ok() && bytes.error().code == ErrorCode::kNotFound) return std::string();
    return bytes;
  }
  Status write(const std::string& name, const std::string& bytes) {
    // Notes are everybody's who works here: they keep the mode that they have.
    KNAPSACK_CHECK(state_.on_disk ? rewrite_shared_file(on_disk(name), bytes)
                                  : state_.files->replace(on_disk(name), bytes));
    reply_.changed.push_back(shown(name));
    return ok_status();
  }

  // Why no task was ticked off. It names tasks: as they read where the whole page has no secrets, because a title that was
  // cut may hold half of one.
  static Error without_secrets(const std::string& bytes, const std::string& words, Error error) {
    std::string cleaned = bytes;
    if (redact_secrets_by_line(cleaned) > 0) {
      const auto again = notes::with_task_done(cleaned, words);
      if (!again.ok()) error = again.error();
    }
    redact_secrets(error.what);
    return error;
  }

  Result<size_t> archive_page(std::string_view page, notes::ArchivedPage (*without)(std::string_view)) {
    const std::string name(page);
    KNAPSACK_TRY(const std::string bytes, read(name));
    const notes::ArchivedPage made = without(bytes);
    if (made.count == 0) return size_t{0};
    KNAPSACK_CHECK(state_.files->make_directory(on_disk(std::string(kArchiveFolder))));
    const std::string archive = join_path(kArchiveFolder, name);
    KNAPSACK_TRY(std::string kept, read(archive));
    if (!kept.ends_with(made.archived)) {
      if (!kept.empty() && !kept.ends_with('\n')) kept += '\n';
      KNAPSACK_CHECK(write(archive, kept + made.archived));
    }
    KNAPSACK_CHECK(write(name, made.page));
    return made.count;
  }

  Engine::State& state_;
  notes::FolderRequest folder_;
  std::optional<FileLock> lock_;
  NoteReply reply_;
};

Status check_note(const NoteRequest& request) {
  if (request.action == "done" || request.action == "archive") return ok_status();
  if (request.action != "add") {
    return Error{ErrorCode::kUsage,
                 fmt::format("'{}' is nothing to do with notes", escape_control(request.action)),
                 "choose add, done or archive"};
  }
  if (!notes::parse_note_kind(request.kind)) {
    return Error{ErrorCode::kUsage, fmt::format("'{}' is not a kind of note", escape_control(request.kind)),
                 "choose decision, learning, convention or task"};
  }
  if (is_blank_text(request.text)) return Error{ErrorCode::kUsage, "there is nothing to note", "give a text"};
  if (request.text.size() <= kMaxNoteBytes) return ok_status();
  return Error{ErrorCode::kUsage, fmt::format("the text has more than {} bytes", kMaxNoteBytes),
               "shorten it"};
}

}  // namespace

Result<NoteReply> NotesRecipes::note(const NoteRequest& request) {
  KNAPSACK_CHECK(check_note(request));
  const SettingsRequest wanted = state_->settings_request(request.settings);
  KNAPSACK_TRY(const Settings settings, state_->settings(wanted));
  state_->tell_refused(settings);
  KNAPSACK_TRY(notes::FolderRequest folder, state_->folder_request(settings, wanted));
  NoteWriter writer(*state_, std::move(folder));
  KNAPSACK_CHECK(writer.open(request.action == "add"));
  if (request.action == "add") return writer.add(request);
  return request.action == "done" ? writer.done(request) : writer.archive();
}

}  // namespace knapsack
