// Results as a table to read and as JSON.
#pragma once

#include <string>

#include "benchmarks/run.h"

namespace cairn::bench {

std::string table_of(const std::vector<Result>& results);
// A list of objects; null for what was not asked or not measured.
std::string json_of(const std::vector<Result>& results);

}  // namespace cairn::bench
