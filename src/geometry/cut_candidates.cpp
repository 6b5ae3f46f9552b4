#include "geometry/cut_candidates.h"

#include <algorithm>
#include <tuple>

namespace cairn {
namespace {

constexpr std::size_t k_along = 12;   // planes along faces at concave edges
constexpr std::size_t k_between = 6;  // planes between such faces
constexpr int k_slices = 8;           // an axis is cut into so many
constexpr double k_flat = 0.05;       // sine of the angle below which an edge is not concave but flat
constexpr double k_parallel = 1e-6;   // 1 − cosine

// The centroid and the second moments about it, over the same fans of tetrahedra as the volume.
struct Moments {
  Vec3 center;
  Sym3 second;  // per volume
};
Moments moments_of(const CutSolid& solid) {
  const Vec3 apex = solid.vertices[0];
  double volume = 0;
  Vec3 first;
  Sym3 second;
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    const Vec3 a = solid.vertices[solid.edges[solid.faces[f].begin].from] - apex;
    for (std::size_t e = solid.faces[f].begin; e < solid.end_of(f); ++e) {
      const Vec3 b = solid.vertices[solid.edges[e].from] - apex, c = solid.vertices[solid.edges[e].to] - apex;
      const Vec3 s = a + b + c;
      const double v = dot(a, cross(b, c));
      const auto moment = [&](double Vec3::*i, double Vec3::*j) {
        return a.*i * a.*j + b.*i * b.*j + c.*i * c.*j + s.*i * s.*j;
      };
      volume += v;
      first += v * s;
      second = second + v * Sym3{moment(&Vec3::x, &Vec3::x), moment(&Vec3::y, &Vec3::y),
                                 moment(&Vec3::z, &Vec3::z), moment(&Vec3::x, &Vec3::y),
                                 moment(&Vec3::x, &Vec3::z), moment(&Vec3::y, &Vec3::z)};
    }
  }
  if (!(volume > 0)) return {apex, {}};
  const Vec3 g = first / (4 * volume);
  const Sym3 of_center{g.x * g.x, g.y * g.y, g.z * g.z, g.x * g.y, g.x * g.z, g.y * g.z};
  return {apex + g, (1 / (20 * volume)) * second - of_center};
}

// An edge that bends inwards.
struct Crease {
  double weight;  // sine of the angle × length: long and sharp ones first
  Vec3 point;
  std::uint32_t face, other;
};

std::vector<Crease> creases_of(const CutSolid& solid) {
  struct Side {
    std::uint32_t low, high, face;
    bool upward;
  };
  std::vector<Side> sides;
  sides.reserve(solid.edges.size());
  for (std::uint32_t f = 0; f < solid.faces.size(); ++f)
    for (std::size_t e = solid.faces[f].begin; e < solid.end_of(f); ++e) {
      const auto [a, b] = solid.edges[e];
      sides.push_back({std::min(a, b), std::max(a, b), f, a < b});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.upward, a.face) < std::tie(b.low, b.high, b.upward, b.face);
  });
  std::vector<Crease> creases;
  for (std::size_t k = 0; k + 1 < sides.size(); ++k) {
    const Side &down = sides[k], &up = sides[k + 1];
    if (down.low != up.low || down.high != up.high || down.upward || !up.upward) continue;
    // The face on the left of an edge lies, seen along it, to the left: where the normals turn clockwise about the
    // edge from this face to the one on the right, the edge is concave.
    const Vec3 edge = solid.vertices[up.high] - solid.vertices[up.low];
    const Vec3 turn = cross(solid.faces[up.face].normal, solid.faces[down.face].normal);
    const double bend = -dot(turn, edge);
    if (bend > k_flat * length(edge)) creases.push_back({bend, solid.vertices[up.low], up.face, down.face});
  }
  std::sort(creases.begin(), creases.end(), [](const Crease& a, const Crease& b) {
    return a.weight != b.weight ? a.weight > b.weight : std::tie(a.face, a.other) < std::tie(b.face, b.other);
  });
  return creases;
}

// Planes, each once.
class List {
 public:
  explicit List(double apart) : apart_(apart) {}

  void add(const CutPlane& plane, bool is_slanted = false) {
    for (const CutCandidate& c : planes)
      if (absolute(dot(c.plane.normal, plane.normal)) > 1 - k_parallel &&
          absolute(c.plane.distance(plane.point)) < apart_)
        return;
    planes.push_back({plane, is_slanted});
  }

  std::vector<CutCandidate> planes;

 private:
  double apart_;
};

void add_slices(List& list, const CutSolid& solid, const Vec3& axis) {
  const Vec3 origin = solid.vertices[0];
  double lo = 0, hi = 0;
  for (const Vec3& v : solid.vertices) {
    const double height = dot(axis, v - origin);
    lo = smaller(lo, height);
    hi = larger(hi, height);
  }
  for (int k = 1; k < k_slices; ++k) list.add({axis, origin + (lo + (hi - lo) * k / k_slices) * axis});
}

}  // namespace

std::vector<CutCandidate> cut_candidates(const CutSolid& solid, double apart) {
  List list(apart);
  const std::vector<Crease> creases = creases_of(solid);
  for (const Crease& crease : creases)
    for (const std::uint32_t f : {crease.face, crease.other})
      if (list.planes.size() < k_along) list.add({solid.faces[f].normal, crease.point});
  const std::size_t along = list.planes.size();
  for (const Crease& crease : creases)
    if (list.planes.size() < along + k_between)
      list.add({normalized(solid.faces[crease.face].normal - solid.faces[crease.other].normal), crease.point},
               true);
  const Moments moments = moments_of(solid);
  const Mat3 axes = matrix(principal(moments.second).axes);
  for (const Vec3& axis : {axes.c0, axes.c1, axes.c2}) list.add({axis, moments.center});
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) add_slices(list, solid, axis);
  return std::move(list.planes);
}

}  // namespace cairn
