#include "memory/tree/access_journal.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "memory/tree/read_memory.h"
#include "memory/tree/tree.h"

namespace knapsack::memory {
namespace {

constexpr size_t kSumDigits = 16;
constexpr std::string_view kGeneration = "generation";

// Bytes that would break a line or a word of it, as %XX.
std::string encode_path(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte >= 0x7F || c == '%') {
      out += fmt::format("%{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

std::optional<std::string> decode_path(std::string_view word) {
  std::string out;
  for (size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '%') {
      out += word[i];
      continue;
    }
    unsigned byte = 0;
    if (word.size() - i < 3) return std::nullopt;
    const auto [stop, problem] = std::from_chars(word.data() + i + 1, word.data() + i + 3, byte, 16);
    if (problem != std::errc() || stop != word.data() + i + 3) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

std::string seal(std::string_view words) {
  return fmt::format("{:016x} {}\n", XXH3_64bits(words.data(), words.size()), words);
}

// The words of a sealed line; nothing for a damaged one.
std::optional<std::string_view> unseal(std::string_view line) {
  if (line.size() <= kSumDigits || line[kSumDigits] != ' ') return std::nullopt;
  const std::string_view words = line.substr(kSumDigits + 1);
  if (fmt::format("{:016x}", XXH3_64bits(words.data(), words.size())) != line.substr(0, kSumDigits)) {
    return std::nullopt;
  }
  return words;
}

template <class Number>
bool take_number(std::string_view& words, Number& number) {
  const size_t end = std::min(words.find(' '), words.size());
  const auto [stop, problem] = std::from_chars(words.data(), words.data() + end, number);
  if (problem != std::errc() || stop != words.data() + end) return false;
  words.remove_prefix(std::min(end + 1, words.size()));
  return true;
}

std::string access_line(const std::string& path, const AccessCount& access) {
  return seal(fmt::format("{} {} {}", access.last.micros, access.count, encode_path(path)));
}

bool take_generation(std::string_view words, uint64_t& generation) {
  if (!words.starts_with(kGeneration)) return false;
  words.remove_prefix(std::min(kGeneration.size() + 1, words.size()));
  return take_number(words, generation);
}

bool take_access(std::string_view words, AccessCounts& counts) {
  AccessCount access;
  if (!take_number(words, access.last.micros) || !take_number(words, access.count)) return false;
  const auto path = decode_path(words);
  if (!path) return false;
  AccessCount& all = counts[*path];
  all.count += access.count;
  all.last = std::max(all.last, access.last);
  return true;
}

template <class Take>
void for_each_line(std::string_view text, const Take& take) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return;  // a line that was not finished
    take(text.substr(at, end - at), end + 1);
    at = end + 1;
  }
}

Result<std::string> read_if_there(const FileSystem& files, const std::string& path) {
  auto bytes = files.read(path, kMaxJournalBytes);
  if (!bytes.ok() && bytes.error().code == ErrorCode::kNotFound) return std::string();
  return bytes;
}

void read_journal(std::string_view text, AccessState& state) {
  uint64_t bad = 0;
  for_each_line(text, [&](std::string_view line, size_t end) {
    const auto words = unseal(line);
    if (!words || !(take_generation(*words, state.generation) || take_access(*words, state.counts))) {
      ++bad;
      return;
    }
    state.end = end;
    state.bad_lines = bad;
  });
}

void read_plan(std::string_view text, AccessState& state) {
  uint64_t generation = 0;
  for_each_line(text, [&](std::string_view line, size_t) {
    auto words = unseal(line);
    if (!words || take_generation(*words, generation)) return;
    PlannedFold fold;
    if (!take_number(*words, fold.before) || !take_number(*words, fold.after) ||
        !take_number(*words, fold.count) || !take_number(*words, fold.last.micros)) {
      return;
    }
    if (auto path = decode_path(*words)) state.planned.emplace(*std::move(path), fold);
  });
  if (generation != state.generation) state.planned.clear();  // that folding was finished
}

std::string journal_text(uint64_t generation, const AccessCounts& counts) {
  std::string text = seal(fmt::format("{} {}", kGeneration, generation));
  for (const auto& [path, access] : counts) text += access_line(path, access);
  return text;
}

// The file is gone, cannot be changed, or the path leads out of the tree: trying again would not help.
bool is_hopeless(const Error& error) {
  return error.code == ErrorCode::kNotFound || error.code == ErrorCode::kCorrupt ||
         error.code == ErrorCode::kUsage;
}

// The last steps of a folding: the files, then a journal without what they say now, then no plan.
knapsack::Status finish_fold(TreeWriter& writer, AccessState& state) {
  for (const auto& [path, fold] : state.planned) {
    auto set = writer.set_keys(path, [&fold = fold](const Memory& memory) -> std::vector<KeyValue> {
      // Another count than before: this was done already, or somebody wrote a count of their own.
      if (memory.access_count != fold.before) return {};
      const Timestamp last = std::max(fold.last, memory.last_accessed.value_or(fold.last));
      return {{"accessCount", fmt::format("{}", fold.after)}, {"lastAccessed", format_rfc3339(last)}};
    });
    if (!set.ok() && !is_hopeless(set.error())) return set;
    const auto known = state.counts.find(path);
    if (known == state.counts.end()) continue;
    if (known->second.count <= fold.count) {
      state.counts.erase(known);
    } else {
      known->second.count -= fold.count;
    }
  }
  KNAPSACK_CHECK(writer.replace(std::string(kJournalFile), journal_text(state.generation + 1, state.counts)));
  ++state.generation;
  state.planned.clear();
  return writer.remove(std::string(kFoldPlanFile));
}

// What a file says now; nothing for one that cannot be changed.
std::optional<Memory> foldable(const TreeWriter& writer, const std::string& path) {
  if (!writer.check_path(path).ok()) return std::nullopt;
  const auto bytes = writer.files().read(writer.full_path(path), kMaxMemoryBytes);
  if (!bytes.ok()) return std::nullopt;
  Memory memory = read_memory(path, *bytes).memory;
  if (memory.broken_front_matter) return std::nullopt;
  return memory;
}

}  // namespace

AccessCount AccessState::pending(const Memory& memory) const {
  const auto found = counts.find(memory.path);
  if (found == counts.end()) return {};
  AccessCount access = found->second;
  const auto fold = planned.find(memory.path);
  if (fold != planned.end() && memory.access_count != fold->second.before) {
    access.count -= std::min(access.count, fold->second.count);
  }
  return access;
}

Result<AccessState> read_accesses(const FileSystem& files, const std::string& memory_dir) {
  AccessState state;
  // A link in the place of state/ would lead out of the memory folder.
  const auto folder = files.info(join_path(memory_dir, kStateFolder));
  if (!folder.ok() || folder->kind != FileKind::kDirectory) return state;
  KNAPSACK_TRY(const std::string journal, read_if_there(files, join_path(memory_dir, kJournalFile)));
  read_journal(journal, state);
  KNAPSACK_TRY(const std::string plan, read_if_there(files, join_path(memory_dir, kFoldPlanFile)));
  if (!plan.empty()) read_plan(plan, state);
  return state;
}

knapsack::Status record_accesses(TreeWriter& writer, std::span<const std::string> paths, Timestamp now) {
  if (paths.empty()) return ok_status();
  KNAPSACK_CHECK(writer.ensure_folder(std::string(kStateFolder)));
  KNAPSACK_TRY(AccessState state, read_accesses(writer.files(), writer.memory_dir()));
  if (!state.planned.empty()) {
    KNAPSACK_CHECK(finish_fold(writer, state));
    KNAPSACK_TRY(state, read_accesses(writer.files(), writer.memory_dir()));
  }
  std::string lines;
  if (state.end == 0) lines = seal(fmt::format("{} {}", kGeneration, state.generation + 1));
  for (const std::string& path : paths) lines += access_line(path, {1, now});
  if (state.end + lines.size() < kCompactFromBytes) {
    return writer.files().append(writer.full_path(kJournalFile), state.end, lines);
  }
  read_journal(lines, state);
  return writer.replace(std::string(kJournalFile), journal_text(state.generation + 1, state.counts));
}

Result<bool> fold_accesses(TreeWriter& writer, size_t fold_from, size_t at_once) {
  KNAPSACK_TRY(AccessState state, read_accesses(writer.files(), writer.memory_dir()));
  const bool interrupted = !state.planned.empty();
  if (interrupted) KNAPSACK_CHECK(finish_fold(writer, state));
  if (state.counts.empty() || state.counts.size() < fold_from) return interrupted;
  std::string plan = seal(fmt::format("{} {}", kGeneration, state.generation));
  for (const auto& [path, access] : state.counts) {
    if (state.planned.size() >= at_once) break;
    const auto memory = foldable(writer, path);
    if (!memory) continue;
    const PlannedFold fold{memory->access_count, memory->access_count + access.count, access.count,
                           access.last};
    plan += seal(fmt::format("{} {} {} {} {}", fold.before, fold.after, fold.count, fold.last.micros,
                             encode_path(path)));
    state.planned.emplace(path, fold);
  }
  // Those whose files are gone, or never were in the tree, need no plan.
  std::erase_if(state.counts, [&](const auto& each) {
    if (const auto inside = writer.check_path(each.first); !inside.ok()) return is_hopeless(inside.error());
    const auto info = writer.files().info(writer.full_path(each.first));
    return !info.ok() && info.error().code == ErrorCode::kNotFound;
  });
  KNAPSACK_CHECK(writer.replace(std::string(kFoldPlanFile), plan));
  KNAPSACK_CHECK(finish_fold(writer, state));
  return true;
}

}  // namespace knapsack::memory
