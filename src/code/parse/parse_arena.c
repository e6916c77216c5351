#include "parse_arena.h"

#include <setjmp.h>
#include <string.h>

/* Under the address sanitizer what was not handed out, or was given back, is out of bounds, as with malloc.
 */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KNAPSACK_ADDRESS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(KNAPSACK_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#define KNAPSACK_UNCHECKED __attribute__((no_sanitize_address))
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)0)
#define KNAPSACK_UNCHECKED
#endif

/* What every allocation is rounded to, and what its size takes in front of it. */
enum { kAlignment = 16 };
/* Chunks are kept from file to file, because fresh pages cost more than what is done with them. 24 hold the
 * parse of all but the largest files. */
static const size_t kChunkBytes = 1 << 20;
enum { kMaxSpares = 24 };

typedef struct Chunk {
  struct Chunk* previous;
  size_t capacity;
  size_t used;
  size_t padding; /* keeps the bytes behind this header aligned */
} Chunk;

struct KnapsackArena {
  Chunk* last;
  Chunk* spares; /* of kChunkBytes each */
  size_t spare_count;
  uint64_t used;  /* since it was entered */
  uint64_t limit; /* 0 outside of knapsack_arena_run() */
  uint64_t characters_left;
  jmp_buf way_out;
};

static _Thread_local KnapsackArena* current = NULL;

static Chunk* add_chunk(KnapsackArena* arena, size_t needed) {
  Chunk* chunk = arena->spares;
  if (needed <= kChunkBytes && chunk != NULL) {
    arena->spares = chunk->previous;
    --arena->spare_count;
  } else {
    const size_t capacity = needed < kChunkBytes ? kChunkBytes : needed;
    chunk = malloc(sizeof(Chunk) + capacity);
    if (chunk == NULL) return NULL;
    chunk->capacity = capacity;
  }
  chunk->previous = arena->last;
  chunk->used = 0;
  arena->last = chunk;
  ASAN_POISON_MEMORY_REGION(chunk + 1, chunk->capacity);
  return chunk;
}

static char* bytes_of(Chunk* chunk) {
  return (char*)(chunk + 1);
}

/* The size of a piece stands in front of it. */
KNAPSACK_UNCHECKED static size_t get_size(const void* memory) {
  return *(const size_t*)((const char*)memory - kAlignment);
}
KNAPSACK_UNCHECKED static void set_size(void* memory, size_t size) {
  *(size_t*)((char*)memory - kAlignment) = size;
}

KnapsackArena* knapsack_arena_new(void) {
  return calloc(1, sizeof(KnapsackArena));
}

static void drop_chunks(KnapsackArena* arena, size_t max_spares) {
  while (arena->last != NULL) {
    Chunk* chunk = arena->last;
    arena->last = chunk->previous;
    ASAN_UNPOISON_MEMORY_REGION(chunk + 1, chunk->capacity);
    if (chunk->capacity == kChunkBytes && arena->spare_count < max_spares) {
      chunk->previous = arena->spares;
      arena->spares = chunk;
      ++arena->spare_count;
    } else {
      free(chunk);
    }
  }
}

void knapsack_arena_delete(KnapsackArena* arena) {
  if (arena == NULL) return;
  drop_chunks(arena, 0);
  arena->last = arena->spares;
  drop_chunks(arena, 0);
  free(arena);
}

void knapsack_arena_enter(KnapsackArena* arena) {
  arena->used = 0;
  arena->limit = 0;
  current = arena;
}

void knapsack_arena_leave(KnapsackArena* arena) {
  current = NULL;
  drop_chunks(arena, kMaxSpares);
}

bool knapsack_arena_run(KnapsackArena* arena, uint64_t max_bytes, uint64_t max_characters, void (*run)(void*),
                        void* context) {
  if (setjmp(arena->way_out) != 0) {
    arena->limit = 0;
    return false;
  }
  arena->limit = max_bytes;
  arena->characters_left = max_characters;
  run(context);
  arena->limit = 0;
  return true;
}

/* No memory: the parse ends, or, where there is none to end, the program, as tree-sitter's own functions do
 * it. */
static void run_out(KnapsackArena* arena) {
  if (arena->limit != 0) longjmp(arena->way_out, 1);
  abort();
}

static int32_t tail(uint8_t byte) {
  return byte & 0x3F;
}

uint32_t knapsack_decode_utf8(const uint8_t* bytes, uint32_t length, int32_t* code_point) {
  if (current != NULL && current->limit != 0 && current->characters_left-- == 0) run_out(current);
  const uint8_t first = length == 0 ? 0 : bytes[0];
  if (first < 0x80) {
    *code_point = first;
    return length == 0 ? 0 : 1;
  }
  if (first < 0xE0 && length >= 2) {
    *code_point = (first & 0x1F) << 6 | tail(bytes[1]);
    return 2;
  }
  if (first >= 0xE0 && first < 0xF0 && length >= 3) {
    *code_point = (first & 0x0F) << 12 | tail(bytes[1]) << 6 | tail(bytes[2]);
    return 3;
  }
  if (first >= 0xF0 && length >= 4) {
    *code_point = (first & 0x07) << 18 | tail(bytes[1]) << 12 | tail(bytes[2]) << 6 | tail(bytes[3]);
    return 4;
  }
  *code_point = -1;
  return 1;
}

static void* allocate(KnapsackArena* arena, size_t size) {
  const size_t needed = (size + 2 * kAlignment - 1) / kAlignment * kAlignment;
  arena->used += needed;
  if (arena->limit != 0 && arena->used > arena->limit) run_out(arena);
  Chunk* chunk = arena->last;
  if (chunk == NULL || chunk->capacity - chunk->used < needed) {
    chunk = add_chunk(arena, needed);
    if (chunk == NULL) run_out(arena);
  }
  void* memory = bytes_of(chunk) + chunk->used + kAlignment;
  chunk->used += needed;
  set_size(memory, size);
  ASAN_UNPOISON_MEMORY_REGION(memory, size);
  return memory;
}

/* A scanner asks for nothing and stores four bytes there, which every malloc happens to survive; so it gets
 * some. */
static size_t at_least_some(size_t size) {
  return size < kAlignment ? kAlignment : size;
}

void* knapsack_malloc(size_t size) {
  size = at_least_some(size);
  if (current != NULL) return allocate(current, size);
  void* memory = malloc(size);
  if (memory == NULL) abort();
  return memory;
}

void* knapsack_calloc(size_t count, size_t size) {
  const size_t bytes = at_least_some(count * size);
  return memset(knapsack_malloc(bytes), 0, bytes);
}

void* knapsack_realloc(void* memory, size_t size) {
  size = at_least_some(size);
  if (current == NULL) {
    void* moved = realloc(memory, size);
    if (moved == NULL) abort();
    return moved;
  }
  if (memory == NULL) return allocate(current, size);
  const size_t old_size = get_size(memory);
  if (size <= old_size) return memory;
  void* moved = allocate(current, size);
  memcpy(moved, memory, old_size);
  ASAN_POISON_MEMORY_REGION(memory, old_size);
  return moved;
}

void knapsack_free(void* memory) {
  if (current == NULL) {
    free(memory);
  } else if (memory != NULL) {
    ASAN_POISON_MEMORY_REGION(memory, get_size(memory));
  }
}
