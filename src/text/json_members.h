// A member of a JSON object that somebody else wrote, or nothing where it is missing or of another type: value() of the
// library throws there.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace knapsack {

template <class Json>
std::string text_member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->template get<std::string>() : std::string();
}

template <class Json>
uint64_t count_member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_unsigned() ? found->template get<uint64_t>() : 0;
}

template <class Json>
bool flag_member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_boolean() && found->template get<bool>();
}

}  // namespace knapsack
