#include "git/loose_objects.h"

#include <dirent.h>
#include <fcntl.h>
#include <git2/sys/odb_backend.h>
#include <zlib.h>

#include <charconv>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>

#include "core/files/disk_support.h"

namespace knapsack {
namespace {

// "commit 12345" and a NUL; the longest is a tree or commit with twenty digits.
constexpr size_t kMaxHeader = 32;
constexpr size_t kInputChunk = 64 << 10;
// What libgit2 may be asked to load whole. Readers that know their own limit look at the header first.
constexpr uint64_t kMaxObject = uint64_t{1} << 30;

struct LooseBackend {
  git_odb_backend parent;  // first, so that libgit2's pointer is ours
  std::string folder;
};

int damaged(std::string_view id, const char* why) {
  git_error_set_str(GIT_ERROR_ODB, (std::string("loose object ") + std::string(id) + " " + why).c_str());
  return GIT_ERROR;
}

// One object's file on its way through zlib.
class Inflater {
 public:
  explicit Inflater(int file) : file_(file) { ready_ = ::inflateInit(&stream_) == Z_OK; }
  ~Inflater() {
    if (ready_) ::inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Fills up to `size` bytes; how many there were, or nothing when the stream is broken.
  std::optional<size_t> read(unsigned char* to, size_t size) {
    size_t filled = 0;
    while (ready_ && filled < size && !ended_) {
      if (stream_.avail_in == 0 && !refill()) return std::nullopt;
      const auto room = static_cast<uInt>(std::min<size_t>(size - filled, 1 << 30));
      stream_.next_out = to + filled;
      stream_.avail_out = room;
      const int outcome = ::inflate(&stream_, Z_NO_FLUSH);
      if (outcome != Z_OK && outcome != Z_STREAM_END && outcome != Z_BUF_ERROR) return std::nullopt;
      filled += room - stream_.avail_out;
      ended_ = outcome == Z_STREAM_END;
    }
    if (!ready_) return std::nullopt;
    return filled;
  }

  // Whether the stream ends here and the file with it.
  bool at_end() {
    unsigned char more = 0;
    if (!ended_) {
      const auto extra = read(&more, 1);
      if (!extra || *extra > 0) return false;
    }
    return ended_ && stream_.avail_in == 0 && !refill();
  }

 private:
  bool refill() {
    ssize_t got = 0;
    do {
      got = ::read(file_, input_, sizeof input_);
    } while (got < 0 && errno == EINTR);
    stream_.next_in = input_;
    stream_.avail_in = got > 0 ? static_cast<uInt>(got) : 0;
    return got > 0;
  }

  int file_;
  z_stream stream_{};
  bool ready_ = false;
  bool ended_ = false;
  unsigned char input_[kInputChunk];
};

struct Header {
  git_object_t type = GIT_OBJECT_INVALID;
  uint64_t size = 0;
  size_t length = 0;  // with its NUL
};

std::optional<Header> parse_header(std::string_view bytes) {
  const size_t end = bytes.find('\0');
  const size_t space = bytes.find(' ');
  if (end == std::string_view::npos || space >= end) return std::nullopt;
  Header header;
  header.type = git_object_string2type(std::string(bytes.substr(0, space)).c_str());
  header.length = end + 1;
  const auto [stop, error] = std::from_chars(bytes.data() + space + 1, bytes.data() + end, header.size);
  if (error != std::errc() || stop != bytes.data() + end || git_object_typeisloose(header.type) == 0)
    return std::nullopt;
  return header;
}

// Opens the file of an object: 0, GIT_ENOTFOUND, or damaged when it is no regular file.
int open_object(const LooseBackend& backend, const std::string& id, std::optional<Descriptor>& file) {
  const std::string path = backend.folder + "/" + id.substr(0, 2) + "/" + id.substr(2);
  file.emplace(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file->valid())
    return errno == ENOENT || errno == ENOTDIR ? GIT_ENOTFOUND : damaged(id, "cannot be opened");
  struct stat status {};
  if (::fstat(file->number(), &status) != 0 || !S_ISREG(status.st_mode))
    return damaged(id, "is not a regular file");
  return 0;
}

int read_object(size_t* size, git_object_t* type, void** data, const LooseBackend& backend,
                const std::string& id) {
  std::optional<Descriptor> file;
  if (const int error = open_object(backend, id, file); error < 0) return error;
  Inflater inflater(file->number());
  unsigned char head[kMaxHeader];
  const auto got = inflater.read(head, sizeof head);
  if (!got) return damaged(id, "is cut off or damaged");
  const auto header = parse_header({reinterpret_cast<const char*>(head), *got});
  if (!header) return damaged(id, "has no valid header");
  *size = header->size;
  *type = header->type;
  if (data == nullptr) return 0;
  if (header->size > kMaxObject) return damaged(id, "is larger than 1 GiB");
  const size_t early = *got - header->length;  // content that came with the header
  if (early > header->size) return damaged(id, "is longer than its header says");
  const auto release = [&](void* buffer) {
    git_odb_backend_data_free(&const_cast<LooseBackend&>(backend).parent, buffer);
  };
  std::unique_ptr<void, decltype(release)> buffer(
      git_odb_backend_data_alloc(&const_cast<LooseBackend&>(backend).parent, header->size + 1), release);
  if (buffer == nullptr) return GIT_ERROR;
  auto* bytes = static_cast<unsigned char*>(buffer.get());
  std::memcpy(bytes, head + header->length, early);
  const auto rest = inflater.read(bytes + early, header->size - early);
  if (!rest || early + *rest != header->size || !inflater.at_end())
    return damaged(id, "is cut off or damaged");
  bytes[header->size] = 0;
  *data = buffer.release();
  return 0;
}

// The one object whose id starts with these digits: 0, GIT_ENOTFOUND or GIT_EAMBIGUOUS.
int find_by_prefix(std::string& found, const LooseBackend& backend, const std::string& prefix) {
  DIR* stream = ::opendir((backend.folder + "/" + prefix.substr(0, 2)).c_str());
  if (stream == nullptr) return GIT_ENOTFOUND;
  int outcome = GIT_ENOTFOUND;
  while (const dirent* entry = ::readdir(stream)) {
    const std::string_view name = entry->d_name;
    if (name.size() != GIT_OID_HEXSZ - 2 || !name.starts_with(std::string_view(prefix).substr(2))) continue;
    if (outcome == 0) {
      outcome = GIT_EAMBIGUOUS;
      break;
    }
    found = prefix.substr(0, 2) + std::string(name);
    outcome = 0;
  }
  ::closedir(stream);
  return outcome;
}

const LooseBackend& ours(git_odb_backend* backend) {
  return *reinterpret_cast<LooseBackend*>(backend);
}

int read(void** data, size_t* size, git_object_t* type, git_odb_backend* backend, const git_oid* id) {
  return without_exceptions([&] { return read_object(size, type, data, ours(backend), git_hex(*id)); });
}

int read_header(size_t* size, git_object_t* type, git_odb_backend* backend, const git_oid* id) {
  return without_exceptions([&] { return read_object(size, type, nullptr, ours(backend), git_hex(*id)); });
}

int exists(git_odb_backend* backend, const git_oid* id) {
  return without_exceptions([&] {
    std::optional<Descriptor> file;
    return open_object(ours(backend), git_hex(*id), file) == 0 ? 1 : 0;
  });
}

int exists_prefix(git_oid* out, git_odb_backend* backend, const git_oid* id, size_t digits) {
  return without_exceptions([&] {
    std::string found;
    const int error = find_by_prefix(found, ours(backend), git_hex(*id).substr(0, digits));
    if (error == 0 && git_oid_fromstr(out, found.c_str()) < 0) return static_cast<int>(GIT_ENOTFOUND);
    return error;
  });
}

int read_prefix(git_oid* out, void** data, size_t* size, git_object_t* type, git_odb_backend* backend,
                const git_oid* id, size_t digits) {
  const int error = exists_prefix(out, backend, id, digits);
  return error < 0 ? error : read(data, size, type, backend, out);
}

void release(git_odb_backend* backend) {
  delete reinterpret_cast<LooseBackend*>(backend);
}

}  // namespace

git_odb_backend* make_loose_backend(const std::string& objects_folder) {
  auto* backend = new LooseBackend{{}, objects_folder};
  git_odb_init_backend(&backend->parent, GIT_ODB_BACKEND_VERSION);
  backend->parent.read = read;
  backend->parent.read_header = read_header;
  backend->parent.read_prefix = read_prefix;
  backend->parent.exists = exists;
  backend->parent.exists_prefix = exists_prefix;
  backend->parent.free = release;
  return &backend->parent;
}

}  // namespace knapsack
