#include "understand/traces/trace_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/ascii.h"
#include "text/markdown/markdown_lines.h"
#include "text/unicode/utf8.h"
#include "understand/traces/error_lines.h"
#include "understand/traces/frame_name.h"
#include "understand/traces/stack_frames.h"

namespace knapsack {
namespace {

using ascii::kNone;
using std::string_view;
constexpr size_t kMaxFunctionBytes = 300;  // templates of C++ make long ones; longer ones name nothing

size_t indent_of(string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

// `main.(*Cart).Total(0xc0000b4000)`, `created by main.start in goroutine 1`
std::string go_function(string_view line) {
  constexpr string_view kCreated = "created by ";
  if (line.starts_with(kCreated))
    line = line.substr(kCreated.size(), line.find(" in goroutine") - kCreated.size());
  else
    line = line.substr(0, line.rfind('('));
  return std::string(utf8_prefix(line, kMaxFunctionBytes));
}

// `   3: shop::cart::Cart::total`, also with an address before the name
std::string rust_function(string_view text) {
  const string_view digits = ascii::leading_digits(text);
  if (digits.empty() || !text.substr(digits.size()).starts_with(": ")) return {};
  text = trim(text.substr(digits.size() + 2));
  if (const size_t dash = text.find(" - "); text.starts_with("0x") && dash != kNone)
    text = text.substr(dash + 3);
  return std::string(utf8_prefix(text, kMaxFunctionBytes));
}

// Without what announces a backtrace, a line of one is told by a path of Rust and nothing beside it.
bool is_rust_path(string_view function) {
  int depth = 0;
  for (const char c : function) {
    depth += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (depth == 0 && !ascii::is_identifier(c) && c != ':' && c != '>' && c != '{' && c != '}' && c != '#')
      return false;
  }
  return function.find("::") != kNone;
}

// A frame that names no file is known by its function, and a trace has many that are of no repository.
bool tells_place(const StackFrame& frame) {
  return !frame.path.empty() || (!frame.function.empty() && !is_of_runtime(frame));
}

// pytest's `____ test_total ____` and `==== FAILURES ====`
bool is_ruler(string_view text) {
  constexpr size_t kShortest = 8;
  return text.size() >= kShortest && (text.starts_with("____") || text.starts_with("====")) &&
         (text.ends_with("___") || text.ends_with("==="));
}

// Frames stand for many things; two that say the same stand for one.
bool same_place(const StackFrame& a, const StackFrame& b) {
  return a.path == b.path && a.line == b.line &&
         (a.function == b.function || a.function.empty() || b.function.empty());
}

}  // namespace

void TraceReader::begin_trace(Relation relation, bool innermost_last) {
  keep_pending();
  Trace trace;
  trace.innermost_last = innermost_last;
  callee_pending_ = false;
  thrown_callee_.clear();
  if (frame_count_ >= kMaxFrames || traces_.size() >= kMaxFrames) {
    current_ = SIZE_MAX;
    return;
  }
  if (relation == Relation::kUnrelated || traces_.empty()) chain_begin_ = traces_.size();
  current_ = relation == Relation::kCauseOfLast ? chain_begin_ : traces_.size();
  traces_.insert(traces_.begin() + static_cast<std::ptrdiff_t>(current_), std::move(trace));
}

void TraceReader::keep(StackFrame frame) {
  if (current_ >= traces_.size() || !tells_place(frame)) return;
  Trace& trace = traces_[current_];
  if (trace.frames.size() < kMaxFramesPerTrace) {
    ++frame_count_;
  } else if (trace.innermost_last) {
    trace.frames.pop_front();
  } else {
    return;
  }
  trace.frames.push_back(std::move(frame));
}

// Rust prints the place below a function; where it knows none, the next function follows, or nothing.
void TraceReader::keep_pending() {
  if (mode_ == Mode::kRust && !function_.empty()) keep({"", 0, std::exchange(function_, {})});
}

void TraceReader::end_block() {
  keep_pending();
  mode_ = Mode::kNone;
  current_ = SIZE_MAX;
  message_expected_ = false;
  callee_pending_ = false;
  function_.clear();
  thrown_callee_.clear();
}

void TraceReader::add_error(std::string error) {
  if (error.empty() || errors_.size() >= kMaxErrors) return;
  if (std::find(errors_.begin(), errors_.end(), error) == errors_.end()) errors_.push_back(std::move(error));
}

LineRole TraceReader::found_error(std::string error, string_view sentence) {
  sentence_ = std::string(sentence);
  add_error(std::move(error));
  return LineRole::kError;
}

// Lines that begin a trace or tie two together.
bool TraceReader::read_header(string_view text, size_t indent) {
  if (text.starts_with("During handling of the above exception")) {
    next_relation_ = Relation::kCauseOfLast;  // what the reader saw comes first, like a cause
    return true;
  }
  if (text.starts_with("The above exception was the direct cause")) {
    next_relation_ = Relation::kFollows;
    return true;
  }
  if (text.find("Traceback (most recent call last)") != kNone) {
    begin_trace(next_relation_, true);
    next_relation_ = Relation::kUnrelated;
    mode_ = Mode::kPython;
    indent_ = indent;
    return true;
  }
  if (text.starts_with("goroutine ") && text.find(" [") != kNone && text.ends_with("]:")) {
    begin_trace(Relation::kUnrelated, false);
    mode_ = Mode::kGo;
    return true;
  }
  if (text == "stack backtrace:") {
    if (mode_ != Mode::kRust) begin_trace(Relation::kUnrelated, false);
    mode_ = Mode::kRust;
    return true;
  }
  if (ascii::starts_with_ignoring_case(text, "stack trace:") || text == "[stacktrace]" ||
      text == "Stacktrace:") {
    if (mode_ == Mode::kNone) begin_trace(Relation::kUnrelated, false);
    mode_ = Mode::kOther;
    return true;
  }
  if (text.starts_with("Suppressed: ")) {
    begin_trace(Relation::kFollows, false);
    mode_ = Mode::kOther;
    return true;
  }
  return false;
}

// Lines between frames that are neither frames nor messages.
bool TraceReader::read_surroundings(string_view text) {
  if (is_ruler(text)) {
    end_block();
    return true;
  }
  if (mode_ == Mode::kNone) return false;
  // IPython's arrow at the line that failed: "---> 45     return sum(items)".
  if (const size_t head = text.find_first_not_of('-');
      head != string_view::npos && head >= 2 && head + 2 < text.size() && text[head] == '>') {
    if (ascii::is_digit(text[head + 2])) return true;
  }
  constexpr std::array<string_view, 4> kOpenings = {"--- End of ", "[Previous line repeated", "... ",
                                                    "_ _ _"};
  return std::any_of(kOpenings.begin(), kOpenings.end(),
                     [text](string_view opening) { return text.starts_with(opening); });
}

// PHP prints with each place what is called there, so the function that a place stands in is told by the next line.
void TraceReader::read_callee(StackFrame& frame, string_view text) {
  std::string callee = std::exchange(frame.function, {});
  if (callee.size() > kMaxFunctionBytes) callee.clear();
  if (text.starts_with("#0 ")) thrown_callee_ = callee;
  if (!std::exchange(callee_pending_, false) || current_ >= traces_.size()) return;
  auto& frames = traces_[current_].frames;
  // An error that a handler turned into an exception was thrown where the handler was called: not in the handler.
  const bool is_handler =
      !frames.empty() && frames.back().path == frame.path && frames.back().line == frame.line;
  if (!frames.empty() && !is_handler) frames.back().function = std::move(callee);
}

// `thrown in /app/a.php on line 42` stands at the end and is the innermost. Most traces say so at the beginning as well.
bool TraceReader::take_thrown(const StackFrame& frame, string_view text) {
  if (!text.starts_with("thrown in ") || thrown_callee_.empty()) return false;
  auto& frames = traces_[current_].frames;
  const bool is_known = std::any_of(frames.begin(), frames.end(), [&](const StackFrame& other) {
    return other.path == frame.path && other.line == frame.line;
  });
  if (!is_known) frames.push_front({frame.path, frame.line, std::exchange(thrown_callee_, {})});
  return true;
}

LineRole TraceReader::read_frame_line(string_view line, bool& known) {
  auto read = read_frame(line);
  known = read.has_value();
  if (!known) return LineRole::kPlain;
  if (current_ == SIZE_MAX) begin_trace(Relation::kUnrelated, read->innermost_last);
  const string_view text = trim(line);
  const bool rust = text.starts_with("thread '");
  if (rust) {
    mode_ = Mode::kRust;
    message_expected_ = read->message.empty();
  } else if (mode_ == Mode::kNone || mode_ == Mode::kPythonEnded) {
    mode_ = read->innermost_last ? Mode::kPython : Mode::kOther;
    indent_ = text.starts_with("File ") && indent_of(line) >= 2 ? indent_of(line) - 2 : indent_of(line);
  }
  if (read->wants_function) read->frame.function = std::exchange(function_, {});
  const bool names_callee = read->names_callee;
  if (names_callee) read_callee(read->frame, text);
  callee_pending_ = false;
  if (read->frame.function.size() > kMaxFunctionBytes) read->frame.function.clear();
  if (current_ < traces_.size()) {
    const Trace& trace = traces_[current_];
    if (trace.frames.size() < kMaxFramesPerTrace && take_thrown(read->frame, text)) {
      ++frame_count_;
      return LineRole::kFrame;
    }
    callee_pending_ = !read->frame.path.empty() &&
                      (names_callee || (!trace.innermost_last && read->frame.path.ends_with(".php")));
    keep(std::move(read->frame));
  }
  if (read->message.empty()) return LineRole::kFrame;
  const std::string error = error_of_line(read->message);
  return found_error(error.empty() ? cut_error(read->message) : error, read->message);
}

// A line that only its place behind others makes part of a trace.
LineRole TraceReader::read_inside(string_view text, size_t indent) {
  switch (mode_) {
    case Mode::kGo:
      if (indent > 0 || (!text.ends_with(')') && !text.starts_with("created by "))) return LineRole::kPlain;
      function_ = go_function(text);
      return LineRole::kFrame;
    case Mode::kRust: {
      if (std::exchange(message_expected_, false)) return found_error(cut_error(text), text);
      std::string function = rust_function(text);
      if (function.empty()) return LineRole::kPlain;
      keep_pending();
      function_ = std::move(function);
      return LineRole::kFrame;
    }
    case Mode::kPython:
      if (indent > indent_) return LineRole::kFrame;  // the source of the frame, or marks under it
      mode_ = Mode::kPythonEnded;
      current_ = SIZE_MAX;
      if (is_name_and_message(text)) return found_error(cut_error(text), text);
      return LineRole::kPlain;
    default:
      return read_rust(text);
  }
}

// A backtrace of which somebody left out the beginning.
LineRole TraceReader::read_rust(string_view text) {
  std::string function = rust_function(text);
  if (!is_rust_path(function)) return LineRole::kPlain;
  begin_trace(Relation::kUnrelated, false);
  mode_ = Mode::kRust;
  function_ = std::move(function);
  return LineRole::kFrame;
}

LineRole TraceReader::read(string_view line, bool fenced) {
  const string_view text = trim(line);
  if (text.empty()) {
    if (!fenced || mode_ == Mode::kGo) end_block();
    return LineRole::kPlain;
  }
  const size_t indent = indent_of(line);
  if (read_header(text, indent) || read_surroundings(text)) return LineRole::kFrame;
  constexpr string_view kCausedBy = "Caused by: ";
  if (text.starts_with(kCausedBy)) {
    begin_trace(Relation::kCauseOfLast, false);
    mode_ = Mode::kOther;
    if (is_name_and_message(text.substr(kCausedBy.size())))
      return found_error(cut_error(text.substr(kCausedBy.size())), text);
  }
  bool known = false;
  if (const LineRole role = read_frame_line(line, known); known) return role;
  if (const LineRole role = read_inside(text, indent); role != LineRole::kPlain) return role;
  if (text.starts_with("E   ")) {  // pytest explains a failure in several such lines
    const std::string_view explained = trim(text.substr(1));
    const std::string error = error_of_line(text);
    return found_error(error.empty() && explained.starts_with("assert ") ? cut_error(explained) : error,
                       explained);
  }
  if (std::string error = error_of_line(line); !error.empty()) {
    if (mode_ == Mode::kOther && !text.starts_with("---> "))
      end_block();  // the frames that follow are another's
    return found_error(std::move(error), text);
  }
  return LineRole::kPlain;
}

std::vector<StackFrame> TraceReader::take_frames() {
  keep_pending();
  std::vector<StackFrame> frames;
  for (Trace& trace : traces_) {
    if (trace.innermost_last) std::reverse(trace.frames.begin(), trace.frames.end());
    for (StackFrame& frame : trace.frames) {
      const auto same = std::find_if(frames.begin(), frames.end(),
                                     [&](const StackFrame& other) { return same_place(frame, other); });
      if (same == frames.end())
        frames.push_back(std::move(frame));
      else if (same->function.empty())
        same->function = std::move(frame.function);
    }
  }
  traces_.clear();
  return frames;
}

}  // namespace knapsack
