// Metrics: what a server has done so far, as counters that a monitoring system collects.
//
// Names and text follow Prometheus' exposition format 0.0.4. Labels come from fixed sets, so that no client
// can make the page grow. Safe to share between threads.
// Private to serve/http/.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace knapsack::serve {

class Metrics {
 public:
  Metrics() : started_(std::chrono::steady_clock::now()) {}

  void connection_opened();
  void connection_closed();
  void request_began();
  // `route` is a pattern of the router or HttpRequest::kNoRoute.
  void request_ended(std::string_view route, int status, std::chrono::duration<double> took);
  // A request, or a connection, that was turned away before it was worked on; `reason` is an error code.
  void rejected(std::string_view reason);

  std::string text() const;

 private:
  // In seconds: from a status page to the first pack of a large repository.
  static constexpr std::array<double, 12> kBuckets = {0.001, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                      0.25,  0.5,   1,    2.5,   10,   60};
  struct Latency {
    std::array<uint64_t, kBuckets.size()> within{};  // not summed up
    uint64_t count = 0;
    double sum = 0;
  };

  const std::chrono::steady_clock::time_point started_;
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, uint64_t> requests_;
  std::map<std::string, Latency, std::less<>> latency_;
  std::map<std::string, uint64_t, std::less<>> rejected_;
  int64_t in_flight_ = 0;
  int64_t connections_ = 0;
};

// What the process holds in memory now; 0 where the system does not say.
uint64_t resident_bytes();

}  // namespace knapsack::serve
