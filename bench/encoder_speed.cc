// The encoder alone, measured in processor time; bench/meaning_time.py runs it.
//   encoder_speed speed MODEL         passages of 128 tokens a second by each set of instructions
//   encoder_speed start MODEL         from the start of this process to the vector of a prompt of 32 tokens
//   encoder_speed texts MODEL FILE    the vectors of a file's texts, as floats
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "meaning/kernels/kernel_choice.h"
#include "meaning/text_encoder.h"
#include "meaning/wordpiece.h"

namespace {

using namespace knapsack;
using namespace knapsack::meaning;

constexpr char kPrompt[] =
    "query: how do I configure the retry limit for the background upload worker when the connection to the "
    "storage "
    "server is lost during a nightly sync?";
constexpr double kSecondsEach = 3;

double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

void measure_speed(const std::shared_ptr<const ModelFile>& model) {
  std::vector<int32_t> tokens(128);
  for (int32_t i = 0; i < 128; ++i) tokens[static_cast<size_t>(i)] = 1'000 + i * 7'919 % 28'000;
  for (const Kernels* kernels : runnable_kernels()) {
    Encoder encoder(model, kernels);
    encoder.encode({&tokens, 1});
    std::vector<double> seconds;  // of each passage
    const double begin = processor_seconds();
    while (processor_seconds() - begin < kSecondsEach) {
      const double before = processor_seconds();
      encoder.encode({&tokens, 1});
      seconds.push_back(processor_seconds() - before);
    }
    const double all = processor_seconds() - begin;
    std::sort(seconds.begin(), seconds.end());
    fmt::print("{:<12} {:6.1f} passages/s, half of them at {:.1f}/s or more, the best at {:.1f}/s\n",
               kernels->name, static_cast<double>(seconds.size()) / all, 1 / seconds[seconds.size() / 2],
               1 / seconds.front());
  }
}

void measure_start(const std::shared_ptr<const ModelFile>& model) {
  Encoder encoder(model);
  const std::vector<int32_t> tokens = tokenize(*model, kPrompt, 32);
  encoder.encode({&tokens, 1});
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  const nlohmann::json row = {{"milliseconds", processor_seconds() * 1e3},
                              {"kilobytes", used.ru_maxrss},
                              {"kernels", encoder.kernels()}};
  fmt::print("{}\n", row.dump());
}

std::string text_of(const nlohmann::json& row) {
  if (row.contains("text")) return row["text"];
  const std::string hex = row["hex"];
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2)
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

void print_vectors(const std::shared_ptr<const ModelFile>& model, const std::string& path) {
  Encoder encoder(model);
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::vector<int32_t> tokens = tokenize(*model, text_of(nlohmann::json::parse(line)), 512);
    const std::vector<float> vector = encoder.encode({&tokens, 1});
    std::fwrite(vector.data(), sizeof(float), vector.size(), stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  const auto files = make_disk_file_system();
  const auto model = ModelFile::open(*files, argc > 2 ? argv[2] : "");
  if (!model.ok()) {
    fmt::print(stderr, "encoder_speed: {}\n", model.error().line());
    return 1;
  }
  if (what == "speed") {
    measure_speed(*model);
  } else if (what == "start") {
    measure_start(*model);
  } else if (what == "texts" && argc == 4) {
    print_vectors(*model, argv[3]);
  } else {
    fmt::print(stderr, "usage: encoder_speed speed|start|texts MODEL [FILE]\n");
    return 2;
  }
  return 0;
}
