// The inspector's files, compressed, as read-only data. For gcc and clang, x86-64 and aarch64. cmake/Page.cmake
// gives the paths, as string literals.

#define EMBED(name, path) \
  .balign 64; \
  .globl name; \
  .hidden name; \
  .type name, %object; \
  name: .incbin path; \
  .globl name##_end; \
  .hidden name##_end; \
  name##_end: .byte 0; \
  .size name, . - name

  .section .rodata
  EMBED(knapsack_page_html, KNAPSACK_PAGE_HTML)
  EMBED(knapsack_page_script, KNAPSACK_PAGE_SCRIPT)
  EMBED(knapsack_page_style, KNAPSACK_PAGE_STYLE)
  EMBED(knapsack_page_icon, KNAPSACK_PAGE_ICON)

  .section .note.GNU-stack, "", %progbits
