// What was put right while a shape was built, in words for its author.
#pragma once

#include <cairn/field.h>

#include <string>
#include <vector>

namespace cairn {

// A note is a warning: the shape was usable, but not quite what its author wrote.
struct Notes {
  std::vector<std::string> texts;  // "Mesh.triangles: 3 of 1200 have no area and were left out"

  void add(const Path& path, const std::string& text) { texts.push_back(path.text() + ": " + text); }
};

}  // namespace cairn
