/* The hand-written part of a grammar, made to misbehave: it stands in for the scanner of Lua in a build of the
 * program that tests use. A line "@deed word" of a file says what it does with everything the process may do;
 * whatever it manages, it leaves a trace at the place that the word names. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "tree_sitter/parser.h"
#include <unistd.h>

static void leave_trace(const char* path) {
  const int file = open(path, O_WRONLY | O_CREAT, 0600);
  if (file >= 0 && write(file, "was here\n", 9) == 9) close(file);
}

static void steal(const char* path) {
  char text[256], copy[512];
  const int file = open(path, O_RDONLY);
  const ssize_t size = file < 0 ? -1 : read(file, text, sizeof text);
  if (size < 0) return;
  strcpy(copy, path);
  strcat(copy, ".stolen");
  const int to = open(copy, O_WRONLY | O_CREAT, 0600);
  if (write(to, text, (size_t)size) != size) abort();
}

static void connect_to(const char* port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(connection, (struct sockaddr*)&address, sizeof address) == 0 && write(connection, "!", 1) < 0)
    abort();
}

static void start_program(const char* path) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/usr/bin/touch", "touch", path, (char*)NULL);
    _exit(1);
  }
  if (child > 0) waitpid(child, NULL, 0);
}

static void run_what_it_wrote(const char* path) {
  /* ret: enough to show that memory which was written can be run. */
  unsigned char* code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return;
  leave_trace(path);
}

static void answer_for_itself(void) {
  char lie[4096];
  memset(lie, 'A', sizeof lie);
  for (int i = 0; i < 64; ++i)
    if (write(0, lie, sizeof lie) < 0) return;
}

static void take_all_memory(void) {
  for (size_t size = (size_t)1 << 30;; ) {
    char* memory = malloc(size);
    if (memory == NULL) abort();
    memset(memory, 1, 4096);
  }
}

static void misbehave(const char* deed, const char* word) {
  if (strcmp(deed, "write") == 0) leave_trace(word);
  if (strcmp(deed, "steal") == 0) steal(word);
  if (strcmp(deed, "remove") == 0) unlink(word);
  if (strcmp(deed, "connect") == 0) connect_to(word);
  if (strcmp(deed, "start") == 0) start_program(word);
  if (strcmp(deed, "code") == 0) run_what_it_wrote(word);
  if (strcmp(deed, "kill") == 0) kill(getppid(), SIGKILL);
  if (strcmp(deed, "crash") == 0) *(volatile int*)8 = 1;
  if (strcmp(deed, "abort") == 0) abort();
  if (strcmp(deed, "leave") == 0) _exit(0);
  if (strcmp(deed, "lie") == 0) answer_for_itself();
  if (strcmp(deed, "memory") == 0) take_all_memory();
  if (strcmp(deed, "loop") == 0)
    for (volatile int i = 0;;) i = i + 1;
}

static void read_word(TSLexer* lexer, char* word, size_t size) {
  size_t length = 0;
  for (; lexer->lookahead > ' ' && length + 1 < size; lexer->advance(lexer, false))
    word[length++] = (char)lexer->lookahead;
  word[length] = '\0';
}

void* tree_sitter_lua_external_scanner_create(void) {
  return NULL;
}
void tree_sitter_lua_external_scanner_destroy(void* payload) {
  (void)payload;
}
unsigned tree_sitter_lua_external_scanner_serialize(void* payload, char* buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_lua_external_scanner_deserialize(void* payload, const char* buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}
bool tree_sitter_lua_external_scanner_scan(void* payload, TSLexer* lexer, const bool* valid_symbols) {
  (void)payload;
  (void)valid_symbols;
  while (lexer->lookahead == '\n' || lexer->lookahead == ' ') lexer->advance(lexer, true);
  if (lexer->lookahead != '@') return false;
  char deed[32], word[256];
  lexer->advance(lexer, false);
  read_word(lexer, deed, sizeof deed);
  if (lexer->lookahead == ' ') lexer->advance(lexer, false);
  read_word(lexer, word, sizeof word);
  misbehave(deed, word);
  return false;
}
