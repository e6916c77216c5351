#include "serve/http/page.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>

#include "core/split.h"
#include "serve/http/page_sessions.h"

// embedded_page.S
extern "C" {
extern const char knapsack_page_html[], knapsack_page_html_end[];
extern const char knapsack_page_script[], knapsack_page_script_end[];
extern const char knapsack_page_style[], knapsack_page_style_end[];
extern const char knapsack_page_icon[], knapsack_page_icon_end[];
}

namespace knapsack::serve {
namespace {

// No inline script or style, no eval, no other place; text can never become markup, whoever tries.
constexpr const char* kPolicy =
    "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";
constexpr size_t kTagBytes = 16;
constexpr int kGzipWindow = 15 + 16;  // zlib: the largest window, in gzip's frame

std::string inflated(std::string_view compressed) {
  std::string text;
  z_stream stream{};
  if (::inflateInit2(&stream, kGzipWindow) != Z_OK) return text;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  stream.avail_in = static_cast<uInt>(compressed.size());
  int result = Z_OK;
  while (result == Z_OK) {
    std::array<char, 1U << 14U> part{};
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = part.size();
    result = ::inflate(&stream, Z_NO_FLUSH);
    text.append(part.data(), part.size() - stream.avail_out);
  }
  ::inflateEnd(&stream);
  return text;
}

// "gzip" among "br, gzip;q=0.8"; with q=0 it is not wanted.
bool takes_gzip(std::string_view accepted) {
  for (const std::string& part : comma_list(accepted)) {
    std::string_view one = part;
    if (!one.starts_with("gzip")) continue;
    one.remove_prefix(4);
    const bool refused =
        one.find("q=0") != std::string_view::npos && one.find_first_of("123456789") == std::string_view::npos;
    return !refused && (one.empty() || one.front() == ';' || one.front() == ' ');
  }
  return false;
}

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

std::string content_type_of(std::string_view path) {
  if (path.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (path.ends_with(".css")) return "text/css; charset=utf-8";
  if (path.ends_with(".svg")) return "image/svg+xml";
  return "text/html; charset=utf-8";
}

Page::Page()
    : assets_{{"/", between(knapsack_page_html, knapsack_page_html_end), ""},
              {"/app.js", between(knapsack_page_script, knapsack_page_script_end), ""},
              {"/app.css", between(knapsack_page_style, knapsack_page_style_end), ""},
              {"/icon.svg", between(knapsack_page_icon, knapsack_page_icon_end), ""}} {
  for (Asset& asset : assets_) {
    const TokenDigest digest = digest_of(asset.compressed);
    asset.tag = fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + kTagBytes, ""));
  }
}

HttpReply Page::answer(const HttpRequest& request) const {
  const auto asset = std::find_if(assets_.begin(), assets_.end(),
                                  [&](const Asset& each) { return each.path == request.path; });
  if (asset == assets_.end()) return http_error(404, "not_found", "the page has no such part", "");
  const bool compressed = takes_gzip(request.header("accept-encoding").value_or(""));
  const std::string tag = fmt::format("\"{}{}\"", asset->tag, compressed ? "-gzip" : "");
  HttpReply reply;
  reply.headers = {{"ETag", tag},
                   {"Cache-Control", "no-cache"},
                   {"Vary", "Accept-Encoding"},
                   {"Content-Security-Policy", kPolicy},
                   {"Cross-Origin-Opener-Policy", "same-origin"},
                   {"Referrer-Policy", "no-referrer"}};
  if (request.header("if-none-match").value_or("").find(tag) != std::string_view::npos) {
    reply.status = 304;
    reply.content_type.clear();
    return reply;
  }
  reply.content_type = content_type_of(asset->path);
  if (compressed) reply.headers.push_back({"Content-Encoding", "gzip"});
  reply.body = compressed ? std::string(asset->compressed) : inflated(asset->compressed);
  return reply;
}

}  // namespace knapsack::serve
