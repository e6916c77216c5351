// Any bytes as an object of a repository: loose, or in a pack with its index. Reading ends, with the object
// or with an error. The first byte says what the rest is: 0 a loose object as it lies on disk, 1 the content
// of one (deflated here), else a pack, behind two bytes that say how long its index is.
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "git/repository.h"

namespace {

using namespace knapsack;

constexpr const char* kHead = "1111111111111111111111111111111111111111";
constexpr const char* kLoose = "objects/11/11111111111111111111111111111111111111";
constexpr const char* kPack = "objects/pack/pack-2222222222222222222222222222222222222222";

struct Folder {
  std::string path = [] {
    std::string name = "/tmp/knapsack_git_fuzz_XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    return name;
  }();
  Folder() {
    for (const char* each : {"objects/11", "objects/pack", "objects/info", "refs/heads"})
      std::filesystem::create_directories(path + "/.git/" + each);
    put("HEAD", "ref: refs/heads/main\n");
    put("refs/heads/main", std::string(kHead) + "\n");
    put("config", "[core]\n\trepositoryformatversion = 0\n");
  }
  ~Folder() { std::filesystem::remove_all(path); }
  void put(const std::string& name, std::string_view bytes) const {
    std::ofstream(path + "/.git/" + name, std::ios::binary | std::ios::trunc) << bytes;
  }
  void remove(const std::string& name) const { std::filesystem::remove(path + "/.git/" + name); }
};

std::string deflated(std::string_view text) {
  uLongf size = ::compressBound(text.size());
  std::string bytes(size, '\0');
  ::compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
             text.size());
  bytes.resize(size);
  return bytes;
}

// Everything that a run reads of a repository; whatever comes of it.
void read_all(const std::string& workspace) {
  auto opened = GitRepository::open(workspace);
  if (!opened.ok() || !*opened) return;
  const GitRepository& repository = **opened;
  (void)repository.head().ok();
  (void)repository.resolve("HEAD~1").ok();
  (void)repository.read_blob(kHead, 100'000).ok();
  (void)repository.list_tree(kHead, [](const TreeItem&) { return true; }).ok();
  (void)repository.tracked_files().ok();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Folder folder;
  if (size < 3) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string pack = kPack;
  for (const std::string& name : {std::string(kLoose), pack + ".idx", pack + ".pack"}) folder.remove(name);
  if (data[0] == 0 || data[0] == 1) {
    folder.put(kLoose, data[0] == 0 ? std::string(bytes) : deflated(bytes));
  } else {
    const size_t index = std::min<size_t>(data[1] | size_t{data[2]} << 8U, bytes.size() - 2);
    folder.put(pack + ".idx", bytes.substr(2, index));
    folder.put(pack + ".pack", bytes.substr(2 + index));
  }
  read_all(folder.path);
  return 0;
}
