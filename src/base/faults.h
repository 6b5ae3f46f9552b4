// What structures find wrong with themselves: each fault a text that names the thing and the values.
//
// Structures that others rely on have a `find_faults(Faults&, …) const`, slow and without mercy. Tests call it at any
// time; a build with CAIRN_VALIDATE calls it after every step and stops at the first faults (world/validate.h).
#pragma once

#include <cairn/id.h>

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

#ifdef CAIRN_VALIDATE
inline constexpr bool k_validates = true;
#else
inline constexpr bool k_validates = false;
#endif

class Faults {
 public:
  // add("body ", id, ": row ", 3): the parts, one after another.
  template <class... Parts>
  void add(const Parts&... parts) {
    std::string& text = texts_.emplace_back();
    (append(text, parts), ...);
  }
  bool empty() const { return texts_.empty(); }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  static void append(std::string& text, std::string_view part) { text += part; }
  static void append(std::string& text, std::integral auto part) { text += std::to_string(part); }
  static void append(std::string& text, double part);
  template <class Tag>
  static void append(std::string& text, Id<Tag> id) {
    text += "#" + std::to_string(id.index()) + " (generation " + std::to_string(id.generation()) + ")";
  }

  std::vector<std::string> texts_;
};

// Prints them and aborts, if there are any.
void stop_at(const Faults& faults, std::string_view when) noexcept;

}  // namespace cairn
