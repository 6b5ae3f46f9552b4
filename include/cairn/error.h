// What Cairn throws when its caller's input cannot be right.
//
// Three tiers: CAIRN_ASSERT is our own bug and lives in debug builds only; `Error` is the caller's bad input,
// thrown by create, set and load paths, which then have changed nothing; `step()` never throws and reports a
// status instead.
#pragma once

#include <stdexcept>
#include <string>

namespace cairn {

class Error : public std::runtime_error {
 public:
  // "BodyDef3.mass = -1 kg: must be greater than 0"
  Error(std::string field, std::string value, std::string remedy)
      : std::runtime_error(field + (value.empty() ? "" : " = " + value) + ": " + remedy),
        field_(std::move(field)),
        value_(std::move(value)),
        remedy_(std::move(remedy)) {}

  const std::string& field() const noexcept { return field_; }    // what was wrong, as a path
  const std::string& value() const noexcept { return value_; }    // the value that was given, with its unit
  const std::string& remedy() const noexcept { return remedy_; }  // what would be right

 private:
  std::string field_, value_, remedy_;
};

}  // namespace cairn
