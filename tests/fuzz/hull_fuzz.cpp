// Any points: either refused with an Error, or a hull that is what polyhedron.h promises.
#include "fuzz/bytes.h"
#include "geometry/geometry_3d.h"
#include "geometry/point_cloud.h"
#include "geometry/polyhedron_check.h"

using namespace cairn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  constexpr double k_tolerances[] = {1e-6, 0, 1e-12, 1e-3, 0.1};
  Hull hull;
  hull.merge_tolerance = k_tolerances[bytes.below(5)];
  const Vec3 scale{std::pow(10., double(bytes.below(13)) - 6), std::pow(10., double(bytes.below(13)) - 6), 1};
  const bool any = bytes.below(4) == 0;
  while (!bytes.empty() && hull.points.size() < 60) {
    const auto number = [&] { return any ? bytes.any_number() : bytes.number(); };
    const Vec3 p = scaled(scale, Vec3{number(), number(), number()});
    const std::size_t how = bytes.below(8), n = hull.points.size();
    if (how == 6 && n > 0)
      hull.points.push_back(hull.points[bytes.below(n)]);  // once more
    else if (how == 7 && n > 1)
      hull.points.push_back(hull.points[n - 1] +
                            p.x * (hull.points[n - 2] - hull.points[n - 1]));  // on a line
    else
      hull.points.push_back(p);
  }
  try {
    const Geometry3 built = build(Shape3(hull));
    for (Vec3& p : hull.points)  // as the builder takes them
      for (double* x : {&p.x, &p.y, &p.z})
        if (absolute(*x) < k_smallest_coordinate) *x = 0;
    const std::string defect = test::defect_of(std::get<Polyhedron>(built.form), hull.points);
    if (!defect.empty()) fuzz::fail(defect);
  } catch (const Error&) {
  }
  return 0;
}
