// The texts of field tables: numbers, ranges, paths, refusals.
#include <cairn/field.h>

#include <charconv>

namespace cairn {

std::string to_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}
std::string to_text(const Vec2& v) { return "(" + to_text(v.x) + ", " + to_text(v.y) + ")"; }
std::string to_text(const Vec3& v) {
  return "(" + to_text(v.x) + ", " + to_text(v.y) + ", " + to_text(v.z) + ")";
}
std::string to_text(const Sym3& m) {
  return "[xx " + to_text(m.xx) + ", yy " + to_text(m.yy) + ", zz " + to_text(m.zz) + ", xy " +
         to_text(m.xy) + ", xz " + to_text(m.xz) + ", yz " + to_text(m.yz) + "]";
}

std::string Range::text() const {
  const bool has_lo = is_finite(lo), has_hi = is_finite(hi);
  std::string text = "must be ";
  if (has_lo && has_hi)
    text += "from " + to_text(lo) + (lo_open ? " (excluded)" : "") + " to " + to_text(hi) +
            (hi_open ? " (excluded)" : "");
  else if (has_lo)
    text += (lo_open ? "greater than " : "at least ") + to_text(lo);
  else if (has_hi)
    text += (hi_open ? "less than " : "at most ") + to_text(hi);
  else
    return text + (infinite ? "a number" : "finite");
  return text + (infinite || (has_lo && has_hi) ? "" : " and finite");
}

std::string Path::text() const {
  const std::string before = parent ? parent->text() : "";
  if (index >= 0) return before + "[" + std::to_string(index) + "]";
  return before.empty() ? std::string(name) : before + "." + std::string(name);
}

namespace detail {

void refuse(const Path& path, double value, std::string_view unit, const Range& range) {
  refuse(path, to_text(value) + (unit.empty() ? "" : " " + std::string(unit)), range.text());
}
void refuse(const Path& path, std::string value, std::string remedy) {
  throw Error(path.text(), std::move(value), std::move(remedy));
}
void check_rotation(const Path& path, double norm, std::string_view what) {
  constexpr double k_tolerance = 1e-6;  // farther than round-off takes it, nearer than a mistake would
  if (!(absolute(norm - 1) <= k_tolerance))
    refuse(path, "a rotation of length " + to_text(norm), "must be " + std::string(what));
}

}  // namespace detail
}  // namespace cairn
