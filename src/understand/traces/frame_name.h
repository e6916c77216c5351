// What the definition of a frame's function is called: traces print more than that, and each language other things.
//
// `shop/cart.(*Cart).Total.func2.1`, `shop::Cart::total::{{closure}}::h0123456789abcdef`, `shop::Cart::total(int) const`
// and `com.shop.Cart$Item.lambda$total$0` all run in `total`. A closure counts as what it is written in: it has no name of
// its own there. The frame keeps what was printed, so this is the one place that takes it apart. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "understand/traces/stack_frame.h"

namespace knapsack {

struct FrameName {
  std::string name;   // empty where the trace tells none: `<module>`, `<lambda>`, PHP's {closure}
  std::string owner;  // what stands before it, by its last part: a class, a module or a package; may be empty
  bool operator==(const FrameName&) const = default;

  // "Cart.total"; the name alone where no owner is told.
  std::string dotted() const { return owner.empty() ? name : owner + "." + name; }
  // Written of several words: cartTotal, cart_total. Such a name is hardly chance.
  bool is_compound() const;
  // `operator ()` and `operator()` are one name.
  bool is_of(std::string_view defined) const;
};

FrameName name_of(const StackFrame& frame);

// Whether a frame runs in what its language brings with it: `core::panicking::panic_fmt`, `System.String.Concat`.
bool is_of_runtime(const StackFrame& frame);

}  // namespace knapsack
