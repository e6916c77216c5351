// Page: the inspector as the browser loads it, embedded in the program when it is built (web/, cmake/Page.cmake).
//
// Four files that never change while the program runs, so each has a strong ETag, one for each encoding. The
// policy that goes with them lets the page load itself, ask this server, and nothing else. Any thread.
// Private to serve/http/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serve/http/http_message.h"

namespace knapsack::serve {

class Page {
 public:
  Page();
  // A GET of one of its paths.
  HttpReply answer(const HttpRequest& request) const;

 private:
  struct Asset {
    std::string_view path;
    std::string_view compressed;
    std::string tag;  // of the compressed bytes, without quotes
  };
  std::vector<Asset> assets_;
};

// "text/css; charset=utf-8" for "/app.css".
std::string content_type_of(std::string_view path);

}  // namespace knapsack::serve
