#include "scenarios/support_little_shop.h"

#include "support/repository_fixture.h"

namespace knapsack::testing {

void write_little_shop(const TestRepository& made) {
  made.write("src/shop/__init__.py", "");
  made.write("src/shop/cart.py",
             "\"\"\"The cart.\"\"\"\nfrom shop.prices import price_of\n\n\n"
             "class Cart:\n    def total(self, items):\n        # because of rounding, see #12\n"
             "        return sum(price_of(item) for item in items)\n");
  made.write("src/shop/prices.py", "def price_of(item):\n    return item.price\n");
  made.write("tests/test_cart.py",
             "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total([]) == 0\n");
  made.write("go.mod", "module example.org/shop\n");
  made.write("pkg/money/zero.go", "package money\n\nfunc Zero() int { return 0 }\n");
  made.write("pkg/money/add.go", "package money\n\nfunc Add(a, b int) int { return a + b }\n");
  made.write("cmd/main.go",
             "package main\n\nimport \"example.org/shop/pkg/money\"\n\nfunc main() { money.Add(1, "
             "money.Zero()) }\n");
  made.write("web/package.json", "{\"name\": \"web\", \"main\": \"index.ts\"}\n");
  made.write("web/tsconfig.json",
             "{\"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@/*\": [\"lib/*\"]}}}\n");
  made.write("web/lib/format.ts", "export function format(total: number): string { return `${total}` }\n");
  made.write("web/other/format.ts", "export function format(total: number): string { return 'other' }\n");
  made.write("web/index.ts", "import { format } from '@/format'\nexport const shown = format(3)\n");
  made.write("include/stack.h", "#pragma once\nint push(int value);\n");
  made.write("src/stack.c", "#include \"stack.h\"\nint push(int value) { return value; }\n");
  made.write("docs/guide.md", "# Guide\n\nHow the total of a cart is found.\n");
  made.write("logo.png", std::string("\x89PNG\r\n\x1a\n\0\0\0", 11));
}

void write_generated(const TestRepository& made, size_t files, uint64_t seed) {
  RepositoryShape shape;
  shape.files = files;
  shape.bytes = files * 1500;
  shape.mixed = true;
  shape.seed = seed;
  for (const GeneratedFile& file : make_repository(shape)) made.write("generated/" + file.path, file.bytes);
}

}  // namespace knapsack::testing
