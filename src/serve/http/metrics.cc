#include "serve/http/metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>

#include "core/files/file_system.h"
#include "engine/engine.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kMaxStatBytes = 4096;

std::string family(std::string_view name, std::string_view type, std::string_view help) {
  return fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

}  // namespace

uint64_t resident_bytes() {
  const auto text = make_disk_file_system()->read("/proc/self/statm", kMaxStatBytes);
  if (!text.ok()) return 0;
  // "size resident shared …", in pages
  const size_t space = text->find(' ');
  uint64_t pages = 0;
  if (space == std::string::npos) return 0;
  std::from_chars(text->data() + space + 1, text->data() + text->size(), pages);
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

void Metrics::connection_opened() {
  const std::lock_guard lock(mutex_);
  ++connections_;
}

void Metrics::connection_closed() {
  const std::lock_guard lock(mutex_);
  --connections_;
}

void Metrics::request_began() {
  const std::lock_guard lock(mutex_);
  ++in_flight_;
}

void Metrics::request_ended(std::string_view route, int status, std::chrono::duration<double> took) {
  const std::lock_guard lock(mutex_);
  --in_flight_;
  ++requests_[{std::string(route), status}];
  Latency& latency = latency_[std::string(route)];
  ++latency.count;
  latency.sum += took.count();
  for (size_t i = 0; i < kBuckets.size(); ++i) {
    if (took.count() <= kBuckets[i]) {
      ++latency.within[i];
      break;
    }
  }
}

void Metrics::rejected(std::string_view reason) {
  const std::lock_guard lock(mutex_);
  ++rejected_[std::string(reason)];
}

std::string Metrics::text() const {
  const std::chrono::duration<double> up = std::chrono::steady_clock::now() - started_;
  const uint64_t resident = resident_bytes();
  const std::lock_guard lock(mutex_);
  std::string out =
      family("knapsack_http_requests_total", "counter", "Requests answered, by route and status.");
  for (const auto& [key, count] : requests_) {
    out += fmt::format("knapsack_http_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first,
                       key.second, count);
  }
  out +=
      family("knapsack_http_request_seconds", "histogram", "From a request's head to the end of its reply.");
  for (const auto& [route, latency] : latency_) {
    uint64_t within = 0;
    for (size_t i = 0; i < kBuckets.size(); ++i) {
      within += latency.within[i];
      out += fmt::format("knapsack_http_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route,
                         kBuckets[i], within);
    }
    out += fmt::format(
        "knapsack_http_request_seconds_bucket{{route=\"{0}\",le=\"+Inf\"}} {1}\n"
        "knapsack_http_request_seconds_sum{{route=\"{0}\"}} {2:.6f}\n"
        "knapsack_http_request_seconds_count{{route=\"{0}\"}} {1}\n",
        route, latency.count, latency.sum);
  }
  out += family("knapsack_http_rejected_total", "counter", "Turned away before any work, by reason.");
  for (const auto& [reason, count] : rejected_) {
    out += fmt::format("knapsack_http_rejected_total{{reason=\"{}\"}} {}\n", reason, count);
  }
  const auto gauge = [&out](std::string_view name, std::string_view help, const auto& value) {
    out += family(name, "gauge", help) + fmt::format("{} {}\n", name, value);
  };
  gauge("knapsack_http_in_flight", "Requests being read, worked on or answered.", in_flight_);
  gauge("knapsack_http_connections", "Open connections.", connections_);
  gauge("knapsack_uptime_seconds", "Since the server started.", fmt::format("{:.3f}", up.count()));
  gauge("process_resident_memory_bytes", "Memory that the process holds.", resident);
  out += family("knapsack_build_info", "gauge", "The version, as a label.") +
         fmt::format("knapsack_build_info{{version=\"{}\"}} 1\n", Engine::version());
  return out;
}

}  // namespace knapsack::serve
