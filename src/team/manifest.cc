#include "team/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/ascii.h"
#include "core/paths.h"
#include "text/json_text.h"
#include "text/parse_json.h"

namespace knapsack::team {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr size_t kNameLength = 64, kCommitLength = 40;
constexpr size_t kMaxDepth = 8;
constexpr uint64_t kMaxPublishedBytes = uint64_t{8} << 30U;  // of one file
// An index unfolds to some three times what it is packed to: nobody who sends little makes us take much.
constexpr uint64_t kFreeGrowth = uint64_t{16} << 20U, kMaxExpansion = 256;
constexpr std::string_view kSegments = "segments/";

// Files are ours, whatever the server sends.
bool is_published_path(std::string_view path) {
  if (path == "curated.db" || path == "texts.db") return true;
  if (!path.starts_with(kSegments)) return false;
  const std::string_view name = path.substr(kSegments.size());
  return name.size() < 100 && name.ends_with(".segment") && name.find('/') == std::string_view::npos &&
         !name.starts_with('.');
}

Error damaged_manifest(std::string_view why) {
  return {ErrorCode::kCorrupt, fmt::format("a published index is damaged: {}", why),
          "publish the commit again: `knapsack team pushed NAME COMMIT`"};
}

Result<FilePart> part_of(const Json& json) {
  FilePart part;
  part.size = json.at("size");
  part.name = json.at("name");
  part.packed = json.at("packed");
  part.objects = json.at("objects").get<std::vector<std::string>>();
  const bool named = ascii::is_lower_hex(part.name, kNameLength) &&
                     std::all_of(part.objects.begin(), part.objects.end(), [](const std::string& name) {
                       return ascii::is_lower_hex(name, kNameLength);
                     });
  if (!named || part.objects.empty() || part.size > kMaxPublishedBytes)
    return damaged_manifest("a part has no valid name or size");
  const uint64_t whole_objects = (part.objects.size() - 1) * kMaxObjectBytes;
  if (part.packed <= whole_objects || part.packed > whole_objects + kMaxObjectBytes)
    return damaged_manifest("the objects of a part do not make its size");
  return part;
}

bool grows_too_much(uint64_t before, const FilePart& part) {
  return part.size > before + kFreeGrowth + kMaxExpansion * part.packed;
}

}  // namespace

const PublishedFile* Manifest::find(std::string_view path) const {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const PublishedFile& file) { return file.path == path; });
  return found == files.end() ? nullptr : &*found;
}

std::string to_json(const Manifest& manifest) {
  Json json = {{"format", kFormat}, {"commit", manifest.commit}, {"files", Json::array()}};
  for (const PublishedFile& file : manifest.files) {
    Json parts = Json::array();
    for (const FilePart& part : file.parts)
      parts.push_back(
          {{"size", part.size}, {"name", part.name}, {"packed", part.packed}, {"objects", part.objects}});
    json["files"].push_back({{"path", file.path}, {"parts", std::move(parts)}});
  }
  return json.dump();
}

Result<Manifest> manifest_from_json(std::string_view text) {
  if (is_nested_deeper_than(text, kMaxDepth)) return damaged_manifest("its manifest is nested too deep");
  try {
    const Json json = parse_ordered_json(text);
    if (json.at("format") != kFormat)
      return Error{ErrorCode::kConfig, "a published index is of a format that this program does not know",
                   "update knapsack"};
    Manifest manifest;
    manifest.commit = json.at("commit");
    if (!ascii::is_lower_hex(manifest.commit, kCommitLength)) return damaged_manifest("it names no commit");
    for (const Json& each : json.at("files")) {
      PublishedFile& file = manifest.files.emplace_back();
      file.path = each.at("path");
      if (!is_published_path(file.path)) return damaged_manifest("it has a file that no index has");
      uint64_t size = 0;
      for (const Json& part : each.at("parts")) {
        KNAPSACK_TRY(FilePart read, part_of(part));
        if (grows_too_much(size, read))
          return damaged_manifest("a part is far larger than what it is packed to");
        size = read.size;
        file.parts.push_back(std::move(read));
      }
      if (file.parts.empty() || file.parts.size() > kMaxFileParts)
        return damaged_manifest("it has a file without parts, or of too many");
    }
    return manifest;
  } catch (const Json::exception&) {
    return damaged_manifest("its manifest cannot be read");
  }
}

}  // namespace knapsack::team
