// The table of settings, row by row: what each is by itself, which place has the last word, and what is said of a value
// that cannot be read.
#include "engine/settings/settings.h"

#include <algorithm>
#include <set>

#include "core/ascii.h"
#include "core/files/memory_file_system.h"
#include "engine/settings/setting_table.h"
#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr const char* kOwnFile = "/home/u/.config/knapsack/knapsack.toml";

// Some value of each kind: tokens and numbers, shares, durations, words, counters.
constexpr auto kValues = std::to_array<std::string_view>(
    {"17", "0.75", "false", "true", "2h", "elsewhere", "openai", "float32", "rrf", "cl100k"});

// What a workspace's file may not say unless the user trusts it, or never.
const std::set<std::string_view> kOfTheUser = {
    "index.allow_sensitive", "index.sandbox",   "also", "team.url", "model.name", "model.base_url",
    "search.embed_model",    "search.embed_url"};

Status read_value(const SettingSpec& spec, std::string_view value) {
  Settings settings;
  return spec.take(settings, {spec.key, std::string(value), "a test", ErrorCode::kConfig});
}

// One that the setting takes and that is not what it is by itself.
std::string other_value(const SettingSpec& spec) {
  for (const std::string_view value : kValues) {
    if (value != spec.default_value && read_value(spec, value).ok()) return std::string(value);
  }
  ADD_FAILURE() << spec.key << " takes none of the values of this test";
  return "";
}

std::string variable_of(std::string_view key) {
  std::string name = "KNAPSACK_";
  for (const char c : key) name += c == '.' ? '_' : ascii::upper(c);
  return name;
}

class SettingTable : public ::testing::Test {
 protected:
  Result<Settings> load() const { return load_settings(files_, request_); }
  // Where the value of a setting comes from, and the value.
  std::pair<std::string, std::string> found(const SettingSpec& spec) const {
    const auto settings = load();
    if (!settings.ok()) return {"error", settings.error().line()};
    for (const SettingRow& row : settings->rows) {
      if (row.key == spec.key && !row.origin.ends_with(", refused")) return {row.origin, row.value};
    }
    return {"nowhere", ""};
  }
  void write_toml(const std::string& path, const SettingSpec& spec, const std::string& value) {
    files_.put(path, fmt::format("{} = \"{}\"\n", spec.key, value));
  }

  MemoryFileSystem files_;
  SettingsRequest request_{"/w", "/w", {{"HOME", "/home/u"}}, {}};
};

TEST_F(SettingTable, EveryKeyStandsOnce) {
  std::set<std::string_view> keys, rc_keys;
  for (const SettingSpec& spec : setting_table()) {
    EXPECT_TRUE(keys.insert(spec.key).second) << spec.key;
    EXPECT_TRUE(spec.rc_key.empty() || rc_keys.insert(spec.rc_key).second) << spec.rc_key;
    EXPECT_EQ(find_setting(spec.key), &spec);
    EXPECT_TRUE(spec.flag.empty() || spec.flag.starts_with("--")) << spec.key;
    EXPECT_FALSE(spec.description.empty()) << spec.key;
  }
}

TEST_F(SettingTable, EveryDefaultCanBeReadAndIsShown) {
  const auto settings = load();
  ASSERT_OK(settings);
  ASSERT_EQ(settings->rows.size(), setting_table().size());
  for (size_t i = 0; i < setting_table().size(); ++i) {
    const SettingSpec& spec = setting_table()[i];
    EXPECT_TRUE(read_value(spec, spec.default_value).ok()) << spec.key;
    EXPECT_EQ(settings->rows[i].key, spec.key);
    EXPECT_EQ(settings->rows[i].value, spec.default_value) << spec.key;
    EXPECT_EQ(settings->rows[i].origin, "default") << spec.key;
  }
}

TEST_F(SettingTable, TheNearerPlaceHasTheLastWord) {
  for (const SettingSpec& spec : setting_table()) {
    SCOPED_TRACE(spec.key);
    files_ = {};
    request_ = {"/w", "/w", {{"HOME", "/home/u"}}, {}};
    const std::string value = other_value(spec);
    const auto comes_from = [&](const std::string& origin) {
      EXPECT_EQ(found(spec), std::pair(origin, value));
    };
    EXPECT_EQ(found(spec), std::pair(std::string("default"), std::string(spec.default_value)));
    write_toml(kOwnFile, spec, value);
    comes_from(kOwnFile);
    if (!spec.rc_key.empty()) {
      files_.put("/w/.ctxrc", fmt::format("{}: {}\n", spec.rc_key, value));
      comes_from(".ctxrc");
    }
    write_toml("/w/knapsack.toml", spec, value);
    comes_from(kOfTheUser.contains(spec.key) ? kOwnFile : "knapsack.toml");
    if (!spec.environment.empty()) {
      request_.environment[std::string(spec.environment)] = value;
      comes_from("environment " + std::string(spec.environment));
    }
    request_.environment[variable_of(spec.key)] = value;
    comes_from("environment " + variable_of(spec.key));
    if (!spec.flag.empty()) {
      request_.flags[std::string(spec.key)] = value;
      comes_from(std::string(spec.flag));
    }
  }
}

TEST_F(SettingTable, AnEmptyVariableSaysNothing) {
  for (const SettingSpec& spec : setting_table()) {
    request_.environment[variable_of(spec.key)] = "";
    if (!spec.environment.empty()) request_.environment[std::string(spec.environment)] = "";
  }
  const auto settings = load();
  ASSERT_OK(settings);
  for (const SettingRow& row : settings->rows) EXPECT_EQ(row.origin, "default") << row.key;
}

TEST_F(SettingTable, AValueThatCannotBeReadIsNamedWithItsOrigin) {
  std::vector<std::string_view> take_anything;
  for (const SettingSpec& spec : setting_table()) {
    SCOPED_TRACE(spec.key);
    const bool is_folder = spec.key.ends_with("dir");
    const std::string value = is_folder ? "" : "no such value";
    if (read_value(spec, value).ok()) {
      take_anything.push_back(spec.key);
      continue;
    }
    const auto refusal = [&](ErrorCode code) {
      const auto settings = load();
      EXPECT_FALSE(settings.ok());
      if (settings.ok()) return std::string();
      EXPECT_EQ(settings.error().code, code);
      EXPECT_THAT(settings.error().what, HasSubstr(value));
      EXPECT_FALSE(settings.error().next.empty());
      return settings.error().what;
    };
    for (const std::string path : {"/w/knapsack.toml", kOwnFile}) {
      files_ = {};
      write_toml(path, spec, value);
      const std::string origin = path == kOwnFile ? path : "knapsack.toml";
      EXPECT_THAT(refusal(ErrorCode::kConfig), HasSubstr(fmt::format("{} from {}", spec.key, origin)));
    }
    files_ = {};
    if (!is_folder) {  // an empty variable is none
      request_.environment[variable_of(spec.key)] = value;
      EXPECT_THAT(refusal(ErrorCode::kConfig),
                  HasSubstr(fmt::format("{} from environment {}", spec.key, variable_of(spec.key))));
      request_.environment.erase(variable_of(spec.key));
    }
    if (!spec.flag.empty()) {
      request_.flags = {{std::string(spec.key), value}};
      // A counter that is not known is named by itself.
      EXPECT_THAT(refusal(ErrorCode::kUsage), HasSubstr(spec.flag == "--tokenizer" ? value : spec.flag));
      request_.flags.clear();
    }
  }
  EXPECT_THAT(take_anything,
              UnorderedElementsAre("index.allow_sensitive", "also", "team.url", "model.name",
                                   "model.base_url", "search.embed_model", "search.embed_url"));
}

TEST_F(SettingTable, WhatOnlyTheUserMaySayIsRefusedInALine) {
  for (const std::string_view key : kOfTheUser) {
    const SettingSpec& spec = *find_setting(key);
    files_ = {};
    write_toml("/w/knapsack.toml", spec, other_value(spec));
    const auto settings = load();
    ASSERT_OK(settings);
    ASSERT_EQ(settings->refused.size(), 1U) << key;
    EXPECT_THAT(settings->refused.front(), HasSubstr(fmt::format("{} of knapsack.toml does nothing", key)));
    EXPECT_EQ(found(spec).first, "default") << key;
  }
}

TEST_F(SettingTable, AnUnknownKeyIsNamedWithTheNearestOne) {
  files_.put("/w/knapsack.toml", "[recall]\nmax_result = 3\n");
  const auto settings = load();
  ASSERT_FALSE(settings.ok());
  EXPECT_THAT(settings.error().line(), HasSubstr("knapsack.toml: unknown key 'recall.max_result'"));
  EXPECT_THAT(settings.error().line(), HasSubstr("did you mean 'recall.max_results'?"));
}

TEST(SettingFlag, IsTheOneOfTheTable) {
  EXPECT_EQ(setting_flag("graph.dir"), "--graphs-dir");
  EXPECT_EQ(setting_flag("recall.floor"), "") << "no command has one";
  EXPECT_EQ(setting_flag("no.such"), "");
}

}  // namespace
}  // namespace knapsack
