// Prints the fields of the definitions: name, default, unit, range and meaning, all read from the field
// tables.
#pragma once

#include <string>

namespace cairn {

int describe(const std::string& name);  // of one definition, or of all if empty; the program's exit code

}  // namespace cairn
