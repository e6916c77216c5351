// Names that stand in strings and symbols, as frameworks read them. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack::code {

struct TextName {
  std::string qualifier;  // with dots; empty where nothing stands before the name
  std::string name;
};

// Of a literal with its quotes or colon:
//   "shop.models.Order", "shop.Order"     a module or package and what is in it (Django)
//   "users#show"                          a controller's action (Rails)
//   'App\\Http\\CheckoutController@store'  a class, or a method of it (Laravel)
//   :posts                                the class of an association (Rails)
// A plain word only where `may_be_plain` says so. Nothing for everything else.
std::optional<TextName> name_in_text(std::string_view literal, bool may_be_plain);

// Whether a call of `callee` with a string first and a function last defines that function under the string:
// def('equal', (a, b) => {…}), Commands.add('login', …). Not what handles an event, a route, a file's content or a test, and not
// a callback that begins with an error. `parameters` are the function's.
bool is_registration(std::string_view callee, std::string_view text, std::string_view parameters);

// How else a text may write the name of a class: "BlogPost" as blog_post and blog_posts. Empty for other names.
std::vector<std::string> text_spellings(std::string_view name);

}  // namespace knapsack::code
