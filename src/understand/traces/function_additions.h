// What a language adds to the names of functions when it prints a frame: names of closures, packages, starters of types.
//
// Private to understand/traces/. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace knapsack {

// The function of a frame without them, by the language of its file: "(*Cart).Total" of `shop/cart.(*Cart).Total.func2.1`,
// "com.shop.Cart.total" of `com.shop.Cart.lambda$total$0`. Empty where no function of the text is meant.
std::string without_additions(std::string_view path, std::string_view function);

}  // namespace knapsack
