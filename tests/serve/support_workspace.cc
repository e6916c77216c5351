#include "serve/support_workspace.h"

namespace knapsack::testing {

void write_served_workspace(const TemporaryFolder& folder) {
  folder.write("knapsack.toml", "");
  folder.write(".context/CONSTITUTION.md", "- [ ] Never lose an order\n");
  folder.write(".context/TASKS.md",
               "- [ ] Retry payments that time out #in-progress\n- [ ] Print invoices\n");
  folder.write(".context/DECISIONS.md",
               "## [2026-11-10-101500] Retries are idempotent\n\nEvery payment carries a key.\n");
  folder.write("shop/__init__.py", "");
  folder.write("shop/payment.py",
               "from shop.prices import price_of\n\n\nclass Payment:\n    def retry(self, attempts):\n"
               "        for attempt in range(attempts):\n            self.send(price_of(self.item))\n\n"
               "    def send(self, amount):\n        return amount\n");
  folder.write("shop/prices.py", "def price_of(item):\n    return item.price\n");
  folder.write(
      "tests/test_payment.py",
      "from shop.payment import Payment\n\n\ndef test_retry():\n    assert Payment().retry(0) is None\n");
}

}  // namespace knapsack::testing
