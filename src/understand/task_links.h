// Links in a text: dropped where words are read, but a link to a file of a repository names that file.
//
// Linear in the text; pure functions; any thread.
// Private to understand/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "understand/task_query.h"

namespace knapsack {

struct Link {
  size_t begin = 0;  // in the text
  size_t end = 0;
};
// Every http, https and ftp URL and what begins with "www.", without punctuation behind it.
std::vector<Link> find_links(std::string_view text);

// The text without its links; of "[the docs](https://…)" remains "[the docs]".
std::string drop_links(std::string_view text);

// Where a link leads inside a repository: `…/blob/<ref>/shop/cart.py#L10-L20` names shop/cart.py, line 10.
// An empty path for every other link.
PathHint linked_file(std::string_view link);

}  // namespace knapsack
