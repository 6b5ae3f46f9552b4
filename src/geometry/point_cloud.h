// What both hulls ask of their input, and how they refuse it.
//
// Also the order: points are sorted and duplicates removed before anything else happens, so a hull depends on
// the set of points and not on how they were listed.
#pragma once

#include <cairn/error.h>
#include <cairn/math.h>

#include <span>
#include <string>
#include <vector>

namespace cairn {

// Fifth powers of lengths (inertia at unit density) between these stay far from overflow and underflow.
inline constexpr double k_largest_coordinate = 1e50;  // [m]
inline constexpr double k_smallest_extent = 1e-50;    // [m]
// Coordinates below this count as 0, which keeps the predicates within their span.
inline constexpr double k_smallest_coordinate = 1e-130;  // [m]
// Thinner than this part of its extent a hull is refused: single coordinates are right to 1e-16, and volume,
// centre and principal axes of what is thinner would keep less than six digits.
inline constexpr double k_least_thickness = 1e-10;

template <class V>
struct PointCloud {
  std::vector<V> points;          // distinct, in lexicographic order
  double extent = 0;              // the longest side of the bounding box [m]
  double largest_coordinate = 0;  // in magnitude [m]
  std::string field;              // how errors name it …
  std::string given;              // … and what was given: "12 points"
};

// Throws Error for fewer points than `fewest`, points that are not finite, too large or all the same, and for
// an extent that is too small. `field` is what errors call it, like "Hull.points".
template <class V>
PointCloud<V> checked_cloud(std::span<const V> points, const std::string& field, int fewest);
extern template PointCloud<Vec2> checked_cloud(std::span<const Vec2>, const std::string&, int);
extern template PointCloud<Vec3> checked_cloud(std::span<const Vec3>, const std::string&, int);

// "12 points: all lie within 3e-17 m of one plane (extent 1 m); …"; `of_what` is "plane" or "line".
template <class V>
Error too_thin(const PointCloud<V>& cloud, double within, const std::string& of_what);
extern template Error too_thin(const PointCloud<Vec2>&, double, const std::string&);
extern template Error too_thin(const PointCloud<Vec3>&, double, const std::string&);

std::string number_text(double x);  // three digits

}  // namespace cairn
