/* The memory of one parse: tree-sitter's core and the grammars' scanners allocate from an arena with a hard
 * limit, and all of it is dropped at once when the file is done.
 *
 * Some inputs make error recovery copy everything that was read so far, again and again: 12 KB of lines that
 * open a C comment take a Python parser gigabytes, within so few steps that it never asks whether to go on.
 * With the arena the allocation that crosses the limit ends the parse. What is allocated depends on the input
 * alone, so the same file ends at the same place on every machine. It is also quicker than malloc and free.
 * C, because the core is compiled with it and because leaving a parse half way is a longjmp over C frames
 * only.
 *
 * An arena belongs to the thread that entered it. Outside of one, the functions below are malloc and free. */
#ifndef KNAPSACK_CODE_PARSE_ARENA_H_
#define KNAPSACK_CODE_PARSE_ARENA_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct KnapsackArena KnapsackArena;

KnapsackArena* knapsack_arena_new(void);
void knapsack_arena_delete(KnapsackArena* arena);

/* From here on this thread allocates in the arena. Arenas do not nest. */
void knapsack_arena_enter(KnapsackArena* arena);
/* Drops everything that was allocated since knapsack_arena_enter(). */
void knapsack_arena_leave(KnapsackArena* arena);

/* Calls run(context) and returns true; false when it asked for more than max_bytes in all, or read more than
 * max_characters with knapsack_decode_utf8(), and was left half way. That leaves its objects in pieces:
 * nothing may touch them, the arena takes them away. Only between enter and leave. */
bool knapsack_arena_run(KnapsackArena* arena, uint64_t max_bytes, uint64_t max_characters, void (*run)(void*),
                        void* context);

/* tree-sitter's DecodeFunction for bytes that are valid UTF-8. It is the only place that sees a lexer run to
 * the end of the file for each of its tokens. */
uint32_t knapsack_decode_utf8(const uint8_t* bytes, uint32_t length, int32_t* code_point);

void* knapsack_malloc(size_t size);
void* knapsack_calloc(size_t count, size_t size);
void* knapsack_realloc(void* memory, size_t size);
void knapsack_free(void* memory);

#ifdef __cplusplus
}
#endif

/* Set for the sources of tree-sitter and the scanners, which are compiled with this header in front. */
#ifdef KNAPSACK_ARENA_REPLACES_MALLOC
#define malloc knapsack_malloc
#define calloc knapsack_calloc
#define realloc knapsack_realloc
#define free knapsack_free
#define ts_malloc knapsack_malloc
#define ts_calloc knapsack_calloc
#define ts_realloc knapsack_realloc
#define ts_free knapsack_free
#endif

#endif /* KNAPSACK_CODE_PARSE_ARENA_H_ */
