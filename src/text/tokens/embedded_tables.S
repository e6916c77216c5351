// The tables that the build generates, as read-only data: mapped with the program, read page by page when used.
// For gcc and clang, x86-64 and aarch64. cmake/TokenTables.cmake gives the paths, as string literals.

#define EMBED(name, path) \
  .balign 64; \
  .globl name; \
  .hidden name; \
  .type name, %object; \
  name: .incbin path; \
  .size name, . - name

  .section .rodata
  EMBED(knapsack_cl100k_table, KNAPSACK_CL100K_TABLE)
  EMBED(knapsack_o200k_table, KNAPSACK_O200K_TABLE)
  EMBED(knapsack_code_point_classes, KNAPSACK_CODE_POINT_CLASSES)

  .section .note.GNU-stack, "", %progbits
