// The value that stands before return addresses, where the compiler reads it from a variable of the program (aarch64).
//
// zig brings that variable along with the same value for every program; here it is what the kernel has drawn for this
// process, as glibc takes it. It has a section of its own, by which a check sees in a stripped program that it is there.
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

__attribute__((section("stack_guard"))) uintptr_t __stack_chk_guard = (uintptr_t)0xff0a000000000000;

// Before everything that another constructor does. It must not have a guard itself: that changes while it runs.
__attribute__((constructor(101), no_stack_protector)) static void draw_guard(void) {
  const void* drawn = (const void*)getauxval(AT_RANDOM);
  if (drawn == NULL) return;
  uintptr_t guard;
  memcpy(&guard, drawn, sizeof(guard));
  __stack_chk_guard = guard & ~(uintptr_t)0xff;  // ends a text that runs into it
}
