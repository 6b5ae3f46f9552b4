// What holds for every two convex solids: points on both surfaces, the separation that of the normal, no
// better normal.
#include <gtest/gtest.h>

#include "narrowphase/solid_pairs.h"

namespace cairn {
namespace {

using namespace pairs;
using samples::uniform;

struct Kinds {
  int a, b;
};
std::vector<Kinds> all_kinds() {
  std::vector<Kinds> kinds;
  for (int a = 0; a < k_kinds; ++a)
    for (int b = 0; b < k_kinds; ++b) kinds.push_back({a, b});
  return kinds;
}

template <class T, std::size_t N>
T one_of(Random& random, const T (&list)[N]) {
  return list[random() % N];
}

// Rotations and directions that make faces and edges parallel, exactly or nearly.
Rot3 hard_rotation(Random& random) {
  const double turns[] = {0, 0.25, 0.5, 0.125, 1.0 / 3, 0.1};
  const double noise[] = {0, 0, 1e-14, 1e-11, 1e-9, 1e-8, 1e-6, 1e-4, 1e-2};
  const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  if (random() % 4 == 0) return samples::rotation3(random);
  const Vec3 axis = one_of(random, axes);
  const Rot3 exact = Rot3::from_axis_angle(axis, 2 * k_pi * one_of(random, turns));
  const double small = one_of(random, noise);
  return small == 0 ? exact : normalized(Rot3::from_axis_angle(samples::unit3(random), small) * exact);
}
Vec3 hard_direction(Random& random) {
  if (random() % 3 == 0) return samples::unit3(random);
  const double steps[] = {0, 0, 0, 1, -1, 0.5};
  Vec3 d{one_of(random, steps), one_of(random, steps), one_of(random, steps)};
  if (d == Vec3{}) d = {0, 0, 1};
  return normalized(d);
}
// A pose of b that is about `separation` from a, often exactly so, often with corners, edges or axes in line.
Pose3 hard_pose(Random& random, const Built& a, const Built& b) {
  const double gaps[] = {0,    0,     1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9,
                         1e-6, -1e-6, 1e-3,  -1e-3,  0.1,   -0.1,   -0.3, -1};
  const double sides[] = {0, 0, 0, 0.5, 1, -1, 0.25};
  if (random() % 30 == 0) return {{}, hard_rotation(random)};  // one inside the other
  const double size = smaller(a.size, b.size);
  const Vec3 n = hard_direction(random);
  const Rot3 turn = hard_rotation(random);
  Pose3 pose = placed_along(a.piece, b.piece, turn, n, size * one_of(random, gaps));
  const Vec3 u = perpendicular(n), along_u = one_of(random, sides) * u;
  return pose.position += size * (along_u + one_of(random, sides) * cross(n, u)), pose;
}

Pose3 any_pose(Random& random, const Built& a, const Built& b) {
  const Rot3 turn = samples::rotation3(random);
  const Vec3 way = samples::unit3(random);
  return placed_along(a.piece, b.piece, turn, way, (a.size + b.size) * uniform(random, -0.4, 0.1));
}

// The manifold of one pair. No better normal is found nearby, nor among all axes of two polyhedra.
std::string check_pair(const Built& a, const Built& b, const Pose3& pose, double margin, Random& random) {
  const double size = a.size + b.size;
  PairCache<Dim3> cache;
  ManifoldList<Dim3> found;
  collide(a.piece, b.piece, pose, margin, cache, found);
  const auto is_polyhedron = [](const Built& x) {
    return std::holds_alternative<const Box3*>(x.piece) || std::holds_alternative<const Polyhedron*>(x.piece);
  };
  const auto is_sphere = [](const Built& x) { return std::holds_alternative<const Sphere*>(x.piece); };
  double greatest = -1e300;
  if (is_polyhedron(a) && is_polyhedron(b)) greatest = greatest_separation(a.piece, b.piece, pose);
  if (found.empty()) {
    if (greatest > -1e300)
      return greatest > margin - 1e-9 * size ? "" : "missed, separation " + std::to_string(greatest);
    const double separated =
        separation_along(a.piece, b.piece, pose, cache.axis);  // the proof that nothing was missed
    return separated > margin - 1e-9 * size ? "" : "missed, separated only by " + std::to_string(separated);
  }
  const double separation = found[0].points[0].separation;
  const bool curved = (is_curved(a.piece) || is_curved(b.piece)) && !is_sphere(a) && !is_sphere(b);
  const double tolerance = curved && separation < 0 ? 1e-5 : 1e-9;
  if (std::string defect = defect_of(a.piece, b.piece, pose, margin, size, found, tolerance); !defect.empty())
    return defect;
  if (greatest > -1e300 && std::abs(greatest - separation) > tolerance * size)
    return "separation " + std::to_string(separation) + " but " + std::to_string(greatest) + " by all axes";
  const double better = climb_from(a.piece, b.piece, pose, found[0].normal, random);
  if (better > tolerance * size)
    return "a better normal nearby, by " + std::to_string(better / size) + " of the size";
  // Seen from the other piece it is the same.
  const ManifoldList<Dim3> mirrored = collide_fresh(b.piece, a.piece, inverse(pose), margin);
  if (mirrored.empty()) return separation > margin - 1e-9 * size ? "" : "not found from the other side";
  if (std::abs(mirrored[0].points[0].separation - separation) > 2 * tolerance * size)
    return "other from the other side";
  // What was remembered here does not mislead the next call.
  Pose3 moved = pose;
  moved.position += samples::vector3(random, 0.02 * size);
  moved.rotation = normalized(Rot3::from_axis_angle(samples::unit3(random), 0.02) * moved.rotation);
  collide(a.piece, b.piece, moved, margin, cache, found);
  const ManifoldList<Dim3> fresh = collide_fresh(a.piece, b.piece, moved, margin);
  if (found.empty() != fresh.empty()) return "found or not, depending on what was remembered";
  if (!found.empty() && std::abs(found[0].points[0].separation - fresh[0].points[0].separation) >
                            2 * (curved ? 1e-5 : 1e-9) * size)
    return "other with what was remembered";
  return "";
}

void check_kinds(const Kinds& kinds, int tries, double scale_a, double scale_b, bool hard) {
  Random random(std::uint64_t(kinds.a * 10 + kinds.b + 1));
  for (int t = 0; t < tries; ++t) {
    const Built a(random_solid(random, kinds.a, scale_a)), b(random_solid(random, kinds.b, scale_b));
    const double size = a.size + b.size;
    const Pose3 pose = hard ? hard_pose(random, a, b) : any_pose(random, a, b);
    ASSERT_EQ(check_pair(a, b, pose, (hard ? 0.05 : 0.3) * size, random), "")
        << "kinds " << kinds.a << " " << kinds.b << ", try " << t << ", pose " << text(pose);
  }
}
void check_all(int tries, double scale_a, double scale_b, bool hard) {
  for (const Kinds& kinds : all_kinds()) {
    check_kinds(kinds, tries, scale_a, scale_b, hard);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(SolidPairs, of_every_kind_touch_where_they_should) { check_all(30, 1, 1, false); }
TEST(SolidPairs, in_line_and_exactly_touching_are_right) { check_all(30, 1, 1, true); }
TEST(SolidPairs, of_a_millimetre_and_a_kilometre_are_right) {
  check_all(10, 1e-3, 1e-3, true);
  check_all(10, 1e3, 1e3, true);
  check_all(10, 1e-2, 10, true);
}
TEST(SolidPairs, in_all_kinds_of_places_are_right_long) {
  check_all(600, 1, 1, false);
  check_all(600, 1, 1, true);
  check_all(200, 1e-3, 1e-3, true);
  check_all(200, 1e3, 1e3, true);
  check_all(200, 1, 30, true);
  check_all(200, 30, 1, true);
}

}  // namespace
}  // namespace cairn
