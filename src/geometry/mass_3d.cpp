// Mass properties of 3D shapes: volume, centroid and second moments, times the density.
//
// Round shapes by their closed forms, polyhedra and meshes as sums of signed tetrahedra (integrate_surface).
#include <limits>

#include "geometry/closed_surface.h"
#include "geometry/mass.h"
#include "geometry/predicates.h"

namespace cairn {
namespace {

using detail::refuse;

constexpr const char* k_out_of_range = "is too small or too large for its mass and inertia to be numbers";

// m (|r|² 1 − r rᵀ): what the parallel axis theorem adds for a mass m at r.
Sym3 inertia_of_point(double m, const Vec3& r) {
  return {m * (r.y * r.y + r.z * r.z),
          m * (r.x * r.x + r.z * r.z),
          m * (r.x * r.x + r.y * r.y),
          -m * r.x * r.y,
          -m * r.x * r.z,
          -m * r.y * r.z};
}

// --------------------------------------------------------------------------------------------------------
// round shapes and boxes, for unit density

MassProperties3 round_about_z(double volume, double center_z, double radial, double axial) {
  return {volume, {0, 0, center_z}, {volume * radial, volume * radial, volume * axial}};
}

MassProperties3 integrate(const Sphere& s, const Path&) {
  const double r2 = s.radius * s.radius;
  return round_about_z(4.0 / 3 * k_pi * s.radius * r2, 0, 0.4 * r2, 0.4 * r2);
}
MassProperties3 integrate(const Box3& b, const Path&) {
  const double volume = 8 * b.half.x * b.half.y * b.half.z;
  const double x2 = b.half.x * b.half.x / 3, y2 = b.half.y * b.half.y / 3, z2 = b.half.z * b.half.z / 3;
  return {volume, {}, {volume * (y2 + z2), volume * (x2 + z2), volume * (x2 + y2)}};
}
MassProperties3 integrate(const Capsule3& c, const Path&) {
  // A cylinder, and two half balls whose centroids lie 3r/8 outside its ends: together they have 2/5 r² about
  // their own spheres' centres, and moving those out by h adds h² + 2h·3r/8 across the axis.
  const double r = c.radius, h = c.half_length, r2 = r * r, h2 = h * h;
  const double shaft = 2 * k_pi * r2 * h, ends = 4.0 / 3 * k_pi * r2 * r;
  const double across = shaft * (r2 / 4 + h2 / 3) + ends * (0.4 * r2 + h2 + 0.75 * h * r);
  return {shaft + ends, {}, {across, across, shaft * r2 / 2 + ends * 0.4 * r2}};
}
MassProperties3 integrate(const Cylinder& c, const Path&) {
  const double r2 = c.radius * c.radius, h2 = c.half_height * c.half_height;
  return round_about_z(2 * k_pi * r2 * c.half_height, 0, r2 / 4 + h2 / 3, r2 / 2);
}
MassProperties3 integrate(const Cone& c, const Path&) {
  const double r2 = c.radius * c.radius, h2 = c.half_height * c.half_height;
  return round_about_z(2.0 / 3 * k_pi * r2 * c.half_height, -c.half_height / 2, 0.15 * (r2 + h2), 0.3 * r2);
}

// --------------------------------------------------------------------------------------------------------
// surfaces of triangles

// The signed tetrahedra between an apex and the triangles of a closed surface fill the inside once: the
// divergence theorem. For a tetrahedron of volume V with the corners a, b, c, d and s = a + b + c + d,
//
//   ∫r dV = V s/4,   ∫r rᵀ dV = V (a aᵀ + b bᵀ + c cᵀ + d dᵀ + s sᵀ)/20        (Tonon 2004; Eberly 2002)
//
// The face-by-face projections of Mirtich (1996) give the same integrals but divide by a component of the
// normal and subtract high powers of coordinates. Here nothing large is subtracted: volumes are right to round-off
// however thin the body (in plain doubles a rotated needle of 1 : 10⁸ was 21 % off), the apex is a corner, from which a
// convex body has positive tetrahedra only, and the second moments are taken about the centroid from the start, so
// that a body far from the origin loses no digits.
MassProperties3 integrate_surface(const std::vector<Vec3>& vertices, const std::vector<Triangle>& triangles,
                                  const Path& path) {
  // f(V, a, b, c) for each tetrahedron.
  const Vec3 apex = vertices[0];
  const auto for_each_tetrahedron = [&](auto f) {
    for (const Triangle& t : triangles) {
      const Vec3 &a = vertices[t[0]], &b = vertices[t[1]], &c = vertices[t[2]];
      f(triple_product(apex, a, b, c) / 6, a, b, c);
    }
  };
  double volume = 0, positive = 0;
  Vec3 first;  // ∫(r − apex) dV
  for_each_tetrahedron([&](double v, const Vec3& a, const Vec3& b, const Vec3& c) {
    volume += v;
    positive += absolute(v);
    first += v / 4 * ((a - apex) + (b - apex) + (c - apex));
  });
  if (!is_finite(positive) || !is_finite(first)) refuse(path, "", k_out_of_range);
  if (absolute(volume) <= 64 * std::numeric_limits<double>::epsilon() * positive)
    refuse(path, "", "encloses no volume, hence has no mass");
  if (volume < 0)
    refuse(path / "triangles", "a volume of " + to_text(volume) + " m³",
           "is inside out: reverse the order of each triangle's corners");
  const Vec3 center = apex + first / volume, d = apex - center;
  Sym3 second;  // ∫r rᵀ dV
  for_each_tetrahedron([&](double v, const Vec3& corner_a, const Vec3& corner_b, const Vec3& corner_c) {
    const Vec3 a = corner_a - center, b = corner_b - center, c = corner_c - center, s = a + b + c + d;
    const double w = v / 20;
    second.xx += w * (a.x * a.x + b.x * b.x + c.x * c.x + d.x * d.x + s.x * s.x);
    second.yy += w * (a.y * a.y + b.y * b.y + c.y * c.y + d.y * d.y + s.y * s.y);
    second.zz += w * (a.z * a.z + b.z * b.z + c.z * c.z + d.z * d.z + s.z * s.z);
    second.xy += w * (a.x * a.y + b.x * b.y + c.x * c.y + d.x * d.y + s.x * s.y);
    second.xz += w * (a.x * a.z + b.x * b.z + c.x * c.z + d.x * d.z + s.x * s.z);
    second.yz += w * (a.y * a.z + b.y * b.z + c.y * c.z + d.y * d.z + s.y * s.z);
  });
  return {volume,
          center,
          {second.yy + second.zz, second.xx + second.zz, second.xx + second.yy, -second.xy, -second.xz,
           -second.yz}};
}

MassProperties3 integrate(const TriangleMesh& mesh, const Path& path) {
  check_closed(mesh, path);
  return integrate_surface(mesh.vertices, mesh.triangles, path);
}
// The hull of all its points, before faces were merged.
MassProperties3 integrate(const Polyhedron& hull, const Path& path) {
  return integrate_surface(hull.exact.vertices, hull.exact.triangles, path);
}

MassProperties3 integrate(const Plane&, const Path& path) {
  refuse(path, "", "a plane is infinite, hence has no mass; use it on a fixed body, or use a Box3");
}
MassProperties3 integrate(const HeightGrid&, const Path& path) {
  refuse(path, "",
         "a height field is a surface, hence has no mass; use it on a fixed body, or use a closed Mesh");
}

MassProperties3 integrate(const PartList3& list, const Path& path) {
  std::vector<MassProperties3> masses;
  for (const Part3& part : list.parts) {
    const Path place = path / part.place;
    masses.push_back(transformed(
        part.pose, std::visit([&](const auto& shape) { return integrate(shape, place); }, part.shape)));
  }
  return combined(masses);
}

template <class S>
constexpr bool is_solid(const S&) {
  return !std::is_same_v<S, Plane> && !std::is_same_v<S, HeightGrid>;
}
bool is_solid(const PartList3& list) {
  for (const Part3& part : list.parts)
    if (!std::visit([](const auto& shape) { return is_solid(shape); }, part.shape)) return false;
  return true;
}

}  // namespace

bool has_volume(const Geometry3& shape) {
  return std::visit([](const auto& s) { return is_solid(s); }, shape.form);
}

MassProperties3 mass_properties(const Geometry3& shape, double density, const Path& path) {
  MassProperties3 mass = std::visit([&](const auto& s) { return integrate(s, path); }, shape.form);
  mass.mass *= density;
  mass.inertia = density * mass.inertia;
  const Sym3& i = mass.inertia;
  if (!is_finite(mass.mass) || !is_finite(i) ||
      (density > 0 && !(mass.mass > 0 && i.xx > 0 && i.yy > 0 && i.zz > 0)))
    refuse(path, "", k_out_of_range);
  return mass;
}

MassProperties3 transformed(const Pose3& pose, const MassProperties3& mass) {
  return {mass.mass, to_world(pose, mass.center), rotated(pose.rotation, mass.inertia)};
}

MassProperties3 combined(std::span<const MassProperties3> parts) {
  if (parts.empty()) return {};
  // Lever arms are measured from the first centre, so that parts far from the origin lose no digits.
  const Vec3 origin = parts[0].center;
  MassProperties3 sum{0, origin, {}};
  Vec3 moment;
  for (const MassProperties3& p : parts) {
    sum.mass += p.mass;
    moment += p.mass * (p.center - origin);
  }
  if (sum.mass > 0) sum.center += moment / sum.mass;
  for (const MassProperties3& p : parts)
    sum.inertia = sum.inertia + p.inertia + inertia_of_point(p.mass, p.center - sum.center);
  return sum;
}

void check_mass_properties(const MassProperties3& mass, const Path& path) {
  constexpr double k_round_off = 1e-15;          // below this fraction of the largest, a value may be none
  constexpr double k_triangle_tolerance = 1e-9;  // flat bodies lie on the bound; their authors round
  check_value(mass.mass, path / "mass", "kg", k_positive);
  check_value(mass.center, path / "center", "m", k_any);
  check_value(mass.inertia, path / "inertia", "kg·m²", k_any);
  const Vec3 values = principal(mass.inertia).values;
  const std::string text = to_text(mass.inertia) + " kg·m²";
  if (!(values.x > k_round_off * values.z))
    refuse(path / "inertia", text,
           "has the principal values " + to_text(values) + ", which must all be greater than 0");
  if (values.x + values.y < values.z * (1 - k_triangle_tolerance))
    refuse(path / "inertia", text,
           "has the principal values " + to_text(values) +
               ", but no body has one that is larger than the sum of the other two");
}

}  // namespace cairn
