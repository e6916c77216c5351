#include "stages/stage_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "text/json_text.h"
#include "text/parse_json.h"

namespace knapsack::stages {
namespace {

using Json = nlohmann::json;

// Paths may hold any bytes; JSON holds text. One code point a byte goes there and back.
std::string to_text(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xC0 | byte >> 6);
      text += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return text;
}

std::string from_text(const std::string& text) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      bytes += text[i];
    } else if ((lead == 0xC2 || lead == 0xC3) && i + 1 < text.size()) {
      bytes += static_cast<char>(lead << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F));
    } else {
      throw std::out_of_range("a code point that stands for no byte");
    }
  }
  return bytes;
}

// Written straight, piece by piece: contexts are large, and a document of them costs more than the stages.
void append_text(std::string& out, const std::string& bytes) {
  out += json_string(to_text(bytes));
}

template <class T, class Append>
void append_list(std::string& out, const std::vector<T>& list, Append append) {
  out += '[';
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ',';
    append(out, list[i]);
  }
  out += ']';
}

std::vector<std::string> texts_from_json(const Json& json) {
  std::vector<std::string> texts;
  for (const Json& text : json) texts.push_back(from_text(text.get<std::string>()));
  return texts;
}

LineRange range_from_json(const Json& json) {
  return {json.at(0).get<uint32_t>(), json.at(1).get<uint32_t>()};
}

// Shortest form that reads back as the same number.
std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "0";
}

void append_score(std::string& out, const Score& score) {
  out += fmt::format(",\"score\":{},\"components\":", number(score.total));
  append_list(out, score.components, [](std::string& to, const ScoreComponent& component) {
    to += fmt::format("[{},{}]", json_string(component.name), number(component.value));
  });
}

Score score_from_json(const Json& json) {
  Score score;
  score.total = json.at("score");
  for (const Json& each : json.at("components"))
    score.components.push_back({each.at(0).get<std::string>(), each.at(1).get<double>()});
  return score;
}

bool same_score(const Score& a, const Score& b) {
  return a.total == b.total &&
         std::equal(a.components.begin(), a.components.end(), b.components.begin(), b.components.end(),
                    [](const auto& x, const auto& y) { return x.name == y.name && x.value == y.value; });
}

void append_file(std::string& out, const ScopedFile& file) {
  out += "{\"path\":";
  append_text(out, file.path);
  out += fmt::format(",\"tier\":{},\"named\":{},\"relations\":", static_cast<int>(file.tier),
                     static_cast<int>(file.naming));
  append_list(out, file.relations, append_text);
  out += fmt::format(",\"relevance\":{},\"rank\":{}", number(file.relevance), file.rank);
  append_score(out, file.score);
  out += fmt::format(",\"chunks\":[{}],\"uses\":[{}],\"listed\":{},\"kept\":{},\"verdict\":",
                     fmt::join(file.chunks, ","), fmt::join(file.uses, ","), file.listed, file.kept);
  append_text(out, file.verdict);
  out += '}';
}

ScopeTier scope_tier_from_json(const Json& json) {
  const int tier = json.get<int>();
  if (tier < 1 || tier > 5) throw std::out_of_range("tier");
  return static_cast<ScopeTier>(tier);
}

Naming naming_from_json(const Json& json) {
  const int naming = json.get<int>();
  if (naming < 0 || naming > static_cast<int>(Naming::kPath)) throw std::out_of_range("named");
  return static_cast<Naming>(naming);
}

ScopedFile file_from_json(const Json& json) {
  ScopedFile file;
  file.path = from_text(json.at("path"));
  file.tier = scope_tier_from_json(json.at("tier"));
  file.naming = naming_from_json(json.at("named"));
  file.relations = texts_from_json(json.at("relations"));
  file.relevance = json.at("relevance");
  file.rank = json.at("rank");
  file.score = score_from_json(json);
  file.chunks = json.at("chunks").get<std::vector<uint32_t>>();
  file.uses = json.at("uses").get<std::vector<uint32_t>>();
  file.listed = json.at("listed");
  file.kept = json.at("kept");
  file.verdict = from_text(json.at("verdict"));
  return file;
}

void append_symbol(std::string& out, const SelectedSymbol& symbol) {
  out += "{\"path\":";
  append_text(out, symbol.path);
  out += fmt::format(",\"position\":{},\"name\":", symbol.position);
  append_text(out, symbol.name);
  out += ",\"signature\":";
  append_text(out, symbol.signature);
  out += fmt::format(
      ",\"kind\":{},\"signature_line\":{},\"lines\":[{},{}],\"opener\":[{},{}],\"focus\":[{},{}],\"doc\":[{},"
      "{}],"
      "\"tier\":{},\"named\":{},\"asked\":{},\"judged\":{},\"related\":{},\"callable\":{},\"key\":{},"
      "\"cost\":{}",
      static_cast<int>(symbol.kind), symbol.signature_line, symbol.lines.first, symbol.lines.last,
      symbol.opener.first, symbol.opener.last, symbol.focus.first, symbol.focus.last, symbol.doc.first,
      symbol.doc.last, static_cast<int>(symbol.tier), symbol.named, symbol.asked, symbol.judged,
      symbol.related, symbol.is_callable, number(symbol.key), symbol.cost);
  append_score(out, symbol.score);
  out += ",\"reason\":";
  append_text(out, symbol.reason);
  out += '}';
}

SelectedSymbol symbol_from_json(const Json& json) {
  SelectedSymbol symbol;
  symbol.path = from_text(json.at("path"));
  symbol.position = json.at("position");
  symbol.name = from_text(json.at("name"));
  symbol.signature = from_text(json.at("signature"));
  symbol.signature_line = json.at("signature_line");
  symbol.lines = range_from_json(json.at("lines"));
  symbol.opener = range_from_json(json.at("opener"));
  symbol.focus = range_from_json(json.at("focus"));
  symbol.doc = range_from_json(json.at("doc"));
  const int kind = json.at("kind").get<int>();
  if (kind < 0 || kind > static_cast<int>(code::UnitKind::kValue)) throw std::out_of_range("kind");
  symbol.kind = static_cast<code::UnitKind>(kind);
  const int tier = json.at("tier").get<int>();
  if (tier < 0 || tier > 3) throw std::out_of_range("tier");
  symbol.tier = static_cast<SymbolTier>(tier);
  symbol.named = json.at("named");
  symbol.asked = json.at("asked");
  symbol.judged = json.at("judged");
  symbol.related = json.at("related");
  symbol.is_callable = json.value("callable", false);
  symbol.key = json.at("key");
  symbol.cost = json.at("cost");
  symbol.score = score_from_json(json);
  symbol.reason = from_text(json.at("reason"));
  return symbol;
}

}  // namespace

std::string_view to_string(ScopeTier tier) {
  switch (tier) {
    case ScopeTier::kSeed:
      return "seed";
    case ScopeTier::kDependency:
      return "dependency";
    case ScopeTier::kCoChange:
      return "co-change";
    case ScopeTier::kMetadata:
      return "metadata";
    case ScopeTier::kMatch:
      break;
  }
  return "match";
}

std::string_view to_string(SymbolTier tier) {
  switch (tier) {
    case SymbolTier::kPrimary:
      return "primary";
    case SymbolTier::kSupporting:
      return "supporting";
    case SymbolTier::kTypeContext:
      return "type_context";
    case SymbolTier::kExcluded:
      break;
  }
  return "excluded";
}

bool ScopedFile::operator==(const ScopedFile& other) const {
  return path == other.path && tier == other.tier && naming == other.naming && relations == other.relations &&
         relevance == other.relevance && rank == other.rank && same_score(score, other.score) &&
         chunks == other.chunks && uses == other.uses && listed == other.listed && kept == other.kept &&
         verdict == other.verdict;
}

bool SelectedSymbol::operator==(const SelectedSymbol& other) const {
  return path == other.path && position == other.position && kind == other.kind &&
         is_callable == other.is_callable && name == other.name && signature == other.signature &&
         signature_line == other.signature_line && lines == other.lines && opener == other.opener &&
         focus == other.focus && doc == other.doc && cost == other.cost && tier == other.tier &&
         named == other.named && asked == other.asked && judged == other.judged && related == other.related &&
         key == other.key && reason == other.reason && same_score(score, other.score);
}

std::string to_json(const StageContext& context) {
  std::string out = "{\"requested\":";
  append_list(out, context.requested, [](std::string& to, const Requested& each) {
    to += "{\"path\":";
    append_text(to, each.path);
    to += fmt::format(",\"position\":{},\"reason\":", each.position);
    append_text(to, each.reason);
    to += fmt::format(",\"beside\":{},\"asked\":{}}}", each.beside, each.asked);
  });
  out += ",\"earlier\":";
  append_list(out, context.earlier, [](std::string& to, const Earlier& each) {
    to += "{\"path\":";
    append_text(to, each.path);
    to += ",\"name\":";
    append_text(to, each.name);
    to += '}';
  });
  out += ",\"files\":";
  append_list(out, context.files, append_file);
  out += ",\"symbols\":";
  append_list(out, context.symbols, append_symbol);
  out += ",\"left_out\":";
  append_list(out, context.left_out, [](std::string& to, const LeftOut& each) {
    to += fmt::format("{{\"tier\":{},\"id\":", static_cast<int>(each.tier));
    append_text(to, each.id);
    to += ",\"title\":";
    append_text(to, each.title);
    to += ",\"reason\":";
    append_text(to, each.reason);
    to += '}';
  });
  out += ",\"infos\":";
  append_list(out, context.infos, append_text);
  out += ",\"problems\":";
  append_list(out, context.problems, append_text);
  return out += '}';
}

Result<StageContext> context_from_json(std::string_view text) {
  const auto unreadable = [](std::string_view why) {
    return Error{ErrorCode::kCorrupt, fmt::format("a stored stage cannot be read: {}", why),
                 "start again with another `task_id`"};
  };
  const Json json = parse_json(text);
  if (json.is_discarded()) return unreadable("it is not JSON");
  try {
    StageContext context;
    for (const Json& each : json.at("requested")) {
      context.requested.push_back({from_text(each.at("path")), each.at("position").get<int32_t>(),
                                   from_text(each.at("reason")), each.at("beside").get<bool>(),
                                   each.at("asked").get<bool>()});
    }
    for (const Json& each : json.at("earlier"))
      context.earlier.push_back({from_text(each.at("path")), from_text(each.at("name"))});
    for (const Json& file : json.at("files")) context.files.push_back(file_from_json(file));
    for (const Json& symbol : json.at("symbols")) context.symbols.push_back(symbol_from_json(symbol));
    for (const Json& each : json.at("left_out")) {
      context.left_out.push_back({from_text(each.at("id")), from_text(each.at("title")),
                                  scope_tier_from_json(each.at("tier")), from_text(each.at("reason"))});
    }
    context.infos = texts_from_json(json.at("infos"));
    context.problems = texts_from_json(json.at("problems"));
    return context;
  } catch (const std::exception& thrown) {
    return unreadable(thrown.what());
  }
}

}  // namespace knapsack::stages
