// ParsingProcess: another process of this program that reads syntax, in a sandbox (core/sandbox.h).
//
// The process is this program's own file started anew, so that it shares no memory with us: it gets cleaned
// source over a socket, and answers with what a grammar found there (code/parse/parsed_file_bytes.h). What it may
// take in time is bounded here. It ends when this object does. One object belongs to one thread at a time.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "code/parse/language.h"
#include "code/parse/parsed_file.h"
#include "core/result.h"
#include "core/sandbox.h"

namespace knapsack::code {

// The argument that makes our program such a process; its standard input is then a socket of ours.
inline constexpr const char* kParsingArgument = "parse-for-parent";

// What such a process does until its parent is gone; the exit code.
int serve_parsing(int socket);

class ParsingProcess {
 public:
  // `program` is started with kParsingArgument, no environment and nothing open but its socket.
  static Result<ParsingProcess> start(const std::string& program);
  ~ParsingProcess();
  ParsingProcess(ParsingProcess&& other) noexcept;
  ParsingProcess& operator=(ParsingProcess&& other) noexcept;

  // Waits for its first words: what holds it. An error where it cannot run at all.
  Result<Sandbox> sandbox();

  enum class Outcome {
    kAnswered,
    kNeverBegan,  // it ended before it was ready for anything
    kDied,        // …or its answer made no sense: the file that it had, or one before, broke it
    kTooSlow,
    kMistaken,  // our own mistake, as Parser::read_syntax has it; `problem` says which
  };
  struct Answer {
    Outcome outcome = Outcome::kDied;
    ParsedFile file;
    std::string problem;
  };
  // After anything but kAnswered and kMistaken the process is gone.
  Answer read_syntax(const Language& language, std::string_view bytes);

  // Whether a file that breaks it now is to blame: nothing was parsed before.
  bool is_fresh() const { return files_ == 0; }
  // It used up most of the processor time that the system gives it.
  bool is_worn() const;

 private:
  ParsingProcess(pid_t process, int socket) : process_(process), socket_(socket) {}
  bool send(std::string_view bytes);
  bool receive(char* bytes, size_t size);
  bool wait_until(short event);
  bool hear_greeting();
  void end();

  pid_t process_ = -1;
  int socket_ = -1;
  bool greeted_ = false;
  bool too_slow_ = false;
  Sandbox sandbox_;
  uint64_t files_ = 0;
  int64_t began_ = 0;  // processor time of the process when it got the file that it has
  int64_t allowed_micros_ = 0;
  int64_t waited_millis_ = 0;
};

}  // namespace knapsack::code
