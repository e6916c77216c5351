// TraceReader: the stack traces of a text, line after line, whatever language printed them.
//
// It is fed every line and says what the line is to a trace. Frames come out innermost first: where a
// language prints them the other way round they are turned, and where several exceptions hang together the
// one that came first stands first (Java's last "Caused by", Python's "direct cause"), except for what Python
// met "during handling": there the later one is what the reader saw. Traces that have nothing to do with each
// other keep the order of the text. Work and memory are linear and bounded. One reader belongs to one text.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "understand/traces/stack_frame.h"

namespace knapsack {

// Deep recursion prints thousands of frames that say the same; the ones next to the failure are kept.
constexpr size_t kMaxFramesPerTrace = 200;
constexpr size_t kMaxFrames = 500;
constexpr size_t kMaxErrors = 100;

enum class LineRole : uint8_t {
  kPlain,  // not part of a trace
  kFrame,  // a frame, or what is printed around frames
  kError,  // what went wrong; sentence() is what the line says
};

class TraceReader {
 public:
  // The next line, without its line end. `fenced`: a blank line does not end a trace there.
  LineRole read(std::string_view line, bool fenced);
  // What the last line that was an error says, without the frame that it may carry.
  const std::string& sentence() const { return sentence_; }
  // A fence or paragraph ended, and so does a trace in it.
  void end_block();

  // Each frame and error once. To be called once, at the end.
  std::vector<StackFrame> take_frames();
  std::vector<std::string> take_errors() { return std::move(errors_); }
  void add_error(std::string error);

 private:
  enum class Mode : uint8_t { kNone, kPython, kPythonEnded, kGo, kRust, kOther };
  enum class Relation : uint8_t { kUnrelated, kCauseOfLast, kFollows };
  struct Trace {
    std::deque<StackFrame> frames;
    bool innermost_last = false;
  };

  void begin_trace(Relation relation, bool innermost_last);
  void keep(StackFrame frame);
  void keep_pending();
  bool read_header(std::string_view text, size_t indent);
  bool read_surroundings(std::string_view text);
  LineRole read_frame_line(std::string_view line, bool& known);
  LineRole read_inside(std::string_view text, size_t indent);
  LineRole read_rust(std::string_view text);
  LineRole found_error(std::string error, std::string_view sentence);
  void read_callee(StackFrame& frame, std::string_view text);
  bool take_thrown(const StackFrame& frame, std::string_view text);

  std::vector<Trace> traces_;
  size_t current_ = SIZE_MAX;  // where frames go; SIZE_MAX: a frame begins a trace
  size_t chain_begin_ = 0;     // the first of the traces that hang together
  size_t frame_count_ = 0;
  Mode mode_ = Mode::kNone;
  Relation next_relation_ = Relation::kUnrelated;
  size_t indent_ = 0;              // of the header; Python's last line stands as far left
  bool message_expected_ = false;  // the line after Rust's "panicked at src/a.rs:1:2:"
  std::string function_;           // for the frame in the next line
  bool callee_pending_ = false;    // the last frame runs in what the next line of PHP calls
  std::string thrown_callee_;      // what PHP's #0 calls: there it was thrown
  std::string sentence_;
  std::vector<std::string> errors_;
};

}  // namespace knapsack
