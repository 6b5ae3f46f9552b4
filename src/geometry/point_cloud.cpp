#include "geometry/point_cloud.h"

#include <algorithm>
#include <charconv>

namespace cairn {
namespace {

std::string point_text(const Vec2& p) { return "(" + number_text(p.x) + ", " + number_text(p.y) + ") m"; }
std::string point_text(const Vec3& p) {
  return "(" + number_text(p.x) + ", " + number_text(p.y) + ", " + number_text(p.z) + ") m";
}

double largest_of(const Vec2& a) { return larger(a.x, a.y); }
double largest_of(const Vec3& a) { return larger(larger(a.x, a.y), a.z); }

double cleaned(double x) { return absolute(x) < k_smallest_coordinate ? 0 : x; }  // also −0 → 0
Vec2 cleaned(const Vec2& p) { return {cleaned(p.x), cleaned(p.y)}; }
Vec3 cleaned(const Vec3& p) { return {cleaned(p.x), cleaned(p.y), cleaned(p.z)}; }

bool comes_before(const Vec2& a, const Vec2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }
bool comes_before(const Vec3& a, const Vec3& b) {
  return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

}  // namespace

std::string number_text(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x, std::chars_format::general, 3).ptr};
}

template <class V>
PointCloud<V> checked_cloud(std::span<const V> points, const std::string& field, int fewest) {
  PointCloud<V> cloud;
  cloud.field = field;
  cloud.given = std::to_string(points.size()) + (points.size() == 1 ? " point" : " points");
  if (points.size() < static_cast<std::size_t>(fewest))
    throw Error(field, cloud.given, "needs at least " + std::to_string(fewest));
  cloud.points.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto refuse = [&](const std::string& remedy) {
      throw Error(field + "[" + std::to_string(i) + "]", point_text(points[i]), remedy);
    };
    if (!is_finite(points[i])) refuse("must be finite");
    if (largest_of(absolute(points[i])) > k_largest_coordinate)
      refuse("coordinates must be at most " + number_text(k_largest_coordinate) + " m, or volumes overflow");
    cloud.points.push_back(cleaned(points[i]));
  }

  // Equal elements are identical, so it does not matter which order the sort leaves them in.
  std::sort(cloud.points.begin(), cloud.points.end(),
            [](const V& a, const V& b) { return comes_before(a, b); });
  cloud.points.erase(std::unique(cloud.points.begin(), cloud.points.end()), cloud.points.end());
  if (cloud.points.size() == 1)
    throw Error(field, cloud.given,
                "all coincide at " + point_text(cloud.points[0]) + "; give the hull some extent");

  V low = cloud.points[0], high = low;
  for (const V& p : cloud.points) low = smaller(low, p), high = larger(high, p);
  cloud.extent = largest_of(high - low);
  cloud.largest_coordinate = largest_of(larger(absolute(low), absolute(high)));
  if (cloud.extent < k_smallest_extent)
    throw Error(field, cloud.given,
                "the extent, " + number_text(cloud.extent) + " m, must be at least " +
                    number_text(k_smallest_extent) + " m, or volumes underflow");
  return cloud;
}
template PointCloud<Vec2> checked_cloud(std::span<const Vec2>, const std::string&, int);
template PointCloud<Vec3> checked_cloud(std::span<const Vec3>, const std::string&, int);

template <class V>
Error too_thin(const PointCloud<V>& cloud, double within, const std::string& of_what) {
  return {cloud.field, cloud.given,
          "all lie within " + number_text(within) + " m of one " + of_what + " (extent " +
              number_text(cloud.extent) + " m); give the hull some thickness, at least " +
              number_text(k_least_thickness) + " of its extent"};
}
template Error too_thin(const PointCloud<Vec2>&, double, const std::string&);
template Error too_thin(const PointCloud<Vec3>&, double, const std::string&);

}  // namespace cairn
