// pack_grammar OBJECT OUTPUT: a compiled grammar with its parse tables packed. Runs at build time.
//
// A table was compiled into a section of its own (-fdata-sections). What it held is replaced by a PackedTable and the packed
// bytes, and the section is as long as those; its name, its place in the file and every address that points to it stay. The
// linker reads no further than a section's length, so the rest of the old bytes never reaches the program.
// src/code/parse/packed_grammar.h has the other half.
#include <elf.h>
#include <zlib.h>

#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "code/parse/packed_grammar.h"

namespace {

using knapsack::code::PackedTable;
using Bytes = std::vector<unsigned char>;

constexpr std::string_view kTables[] = {".rodata.ts_parse_table", ".rodata.ts_small_parse_table"};

std::optional<Bytes> read_object(const char* path) {
  std::FILE* in = std::fopen(path, "rb");
  if (in == nullptr) return {};
  Bytes bytes;
  unsigned char buffer[65536];
  for (size_t got; (got = std::fread(buffer, 1, sizeof buffer, in)) != 0;) {
    bytes.insert(bytes.end(), buffer, buffer + got);
  }
  const bool whole = std::ferror(in) == 0;
  return std::fclose(in) == 0 && whole ? std::optional(std::move(bytes)) : std::nullopt;
}

// The headers of an object for 64-bit machines that count from the low end, which is all that we build for. Offsets are the
// compiler's: a file that is cut short is a mistake of the build, which stops here.
class Object {
 public:
  explicit Object(Bytes& bytes) : bytes_(bytes) {}

  bool is_readable() {
    if (bytes_.size() < sizeof(Elf64_Ehdr) || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0 ||
        bytes_[EI_CLASS] != ELFCLASS64 || bytes_[EI_DATA] != ELFDATA2LSB) {
      return false;
    }
    std::memcpy(&header_, bytes_.data(), sizeof header_);
    if (header_.e_type != ET_REL || header_.e_shentsize != sizeof(Elf64_Shdr) ||
        header_.e_shoff + uint64_t{header_.e_shnum} * sizeof(Elf64_Shdr) > bytes_.size() ||
        header_.e_shstrndx >= header_.e_shnum) {
      return false;
    }
    names_ = section(header_.e_shstrndx);
    for (size_t i = 0; i < header_.e_shnum; ++i) {
      const Elf64_Shdr each = section(i);
      if (each.sh_type != SHT_NOBITS && each.sh_offset + each.sh_size > bytes_.size()) return false;
    }
    return true;
  }

  // The place of the section in the list; nothing where there is none, or addresses are to be filled into it.
  std::optional<size_t> find(std::string_view name) const {
    std::optional<size_t> found;
    for (size_t i = 0; i < header_.e_shnum; ++i) {
      if (section_name(i) == name) found = i;
    }
    for (size_t i = 0; i < header_.e_shnum && found; ++i) {
      const Elf64_Shdr each = section(i);
      if ((each.sh_type == SHT_RELA || each.sh_type == SHT_REL) && each.sh_info == *found) return {};
    }
    return found;
  }

  bool pack(size_t number) {
    Elf64_Shdr place = section(number);
    uLongf packed_size = ::compressBound(place.sh_size);
    Bytes packed(packed_size);
    unsigned char* const table = bytes_.data() + place.sh_offset;
    if (::compress2(packed.data(), &packed_size, table, place.sh_size, Z_BEST_COMPRESSION) != Z_OK)
      return false;
    const PackedTable header{place.sh_size, packed_size};
    if (sizeof header + packed_size > place.sh_size) return false;
    std::memcpy(table, &header, sizeof header);
    std::memcpy(table + sizeof header, packed.data(), packed_size);
    place.sh_size = sizeof header + packed_size;
    std::memcpy(bytes_.data() + header_.e_shoff + number * sizeof place, &place, sizeof place);
    return true;
  }

 private:
  Elf64_Shdr section(size_t number) const {
    Elf64_Shdr found;
    std::memcpy(&found, bytes_.data() + header_.e_shoff + number * sizeof found, sizeof found);
    return found;
  }

  std::string_view section_name(size_t number) const {
    const std::string_view names(reinterpret_cast<const char*>(bytes_.data()) + names_.sh_offset,
                                 names_.sh_size);
    const size_t start = section(number).sh_name;
    return start < names.size() ? names.substr(start, names.find('\0', start) - start) : std::string_view();
  }

  Bytes& bytes_;
  Elf64_Ehdr header_ = {};
  Elf64_Shdr names_ = {};
};

int fail(const char* path, const std::string& what) {
  std::fprintf(stderr, "pack_grammar: %s %s\n", path, what.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: pack_grammar OBJECT OUTPUT\n");
    return 2;
  }
  auto bytes = read_object(argv[1]);
  if (!bytes) return fail(argv[1], "cannot be read");
  Object object(*bytes);
  if (!object.is_readable()) return fail(argv[1], "is not an object file that this tool can read");
  for (const std::string_view name : kTables) {
    const auto number = object.find(name);
    if (!number) return fail(argv[1], "has no section " + std::string(name) + " without relocations");
    if (!object.pack(*number))
      return fail(argv[1], "has a section " + std::string(name) + " that does not get smaller");
  }
  std::FILE* out = std::fopen(argv[2], "wb");
  const bool written = out != nullptr && std::fwrite(bytes->data(), 1, bytes->size(), out) == bytes->size();
  if (out == nullptr || std::fclose(out) != 0 || !written) return fail(argv[2], "cannot be written");
  return 0;
}
