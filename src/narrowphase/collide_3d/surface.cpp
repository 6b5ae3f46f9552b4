// gather triangles ──► each one's axis ──► from the shallowest down: superseded? ──► points, by direction ──► reduce
//                      (surface_axis.h)
//
// Opposite. The deepest place of a piece that has sunk far may be opposite to a triangle that it does not touch, and that
// its box reaches or not, depending on how the mesh lies. So only what it touches says in which planes it is held; in
// those, all triangles count that are opposite to it.
//
// Superseded. A triangle knows its neighbours, not what lies behind them. A box that overlaps the rim of a table by a
// millimetre may reach small triangles of the table's top that do not touch the rim, half a metre below their plane.
// But the direction out of the rim parts the box from those triangles too, by a shift of a millimetre: a direction
// already found that separates a triangle better than the triangle's own takes its place. So does a box's SAT.
#include "narrowphase/collide_3d/surface.h"

#include <algorithm>
#include <tuple>

#include "base/assert.h"
#include "geometry/line.h"
#include "narrowphase/collide_3d/clip.h"
#include "narrowphase/collide_3d/reduce.h"
#include "narrowphase/collide_3d/surface_axis.h"
#include "narrowphase/collide_3d/surface_patch.h"
#include "narrowphase/collide_3d/witness.h"

namespace cairn {
namespace {

using Point = ManifoldPoint<Dim3>;

// Directions that differ by less than this belong to one manifold: the cosine of 1e-3 rad.
constexpr double k_same_direction = 1 - 0.5e-6;
constexpr double k_deeper =
    1e-10;  // of the size: by how much a place must be deeper than the patch to be added to it
constexpr std::uint32_t k_none = ~0u;

struct Candidate {
  SurfaceAxis axis;
  std::uint32_t triangle;  // its place in the list
};

// A plane of the surface in which the piece has sunk by more than the margin.
struct DeepPlane {
  Vec3 normal;
  double separation;  // [m] less than 0
};

// Triangles that hold the piece in one direction.
struct Group {
  Vec3 normal;
  std::uint32_t element;
  Facing wide, tight;  // what of the piece faces the surface
  ClipFrame frame;
  double lo_u, hi_u, lo_v, hi_v;  // [m] how far that reaches along the frame's axes
};

struct GroupPoint {
  Point point;
  std::uint32_t group;
  std::uint32_t beyond[2];  // triangles; where they are in the group too, the point is inside the patch
};

// Kept from call to call for its memory only.
struct Scratch {
  std::vector<PlacedTriangle> placed;
  std::vector<SurfaceTriangle> triangles, within;  // all of them; those within the piece's box
  std::vector<DeepPlane> planes;
  std::vector<bool> is_candidate;
  std::vector<std::uint32_t> group_of;  // of each triangle that holds the piece by its face
  std::vector<Spoke> spokes;
  std::vector<Candidate> candidates;
  std::vector<Group> groups;
  std::vector<GroupPoint> points;
  std::vector<Point> patch;
};

template <class Surface>
class Collider {
 public:
  Collider(const Surface& surface, const Probe& probe, double margin, Scratch& scratch)
      : surface_(surface), probe_(probe), margin_(margin), scratch_(scratch) {}

  void run(ManifoldList<Dim3>& out) {
    out.clear();
    const Vec3 reach{margin_, margin_, margin_};
    const Bounds3 tight = bounds(probe_.piece, probe_.pose), box{tight.lo - reach, tight.hi + reach};
    gather(box);
    list_candidates();
    list_deep_planes();
    if (!scratch_.planes.empty()) add_opposite_candidates(box);
    sort_candidates();
    scratch_.groups.clear();
    scratch_.points.clear();
    scratch_.group_of.assign(scratch_.triangles.size(), k_none);
    for (const Candidate& c : scratch_.candidates)
      if (!is_superseded(c)) add_points(c);
    const std::size_t regular = scratch_.groups.size();
    for (const Candidate& c : scratch_.candidates)
      if (!is_superseded(c)) add_local_point(c, regular);
    for (std::uint32_t g = 0; g < scratch_.groups.size(); ++g) add_manifold(g, out);
    std::sort(out.begin(), out.end(), [](const Manifold<Dim3>& a, const Manifold<Dim3>& b) {
      const auto order = [](const Manifold<Dim3>& m) {
        return std::tuple(m.element, m.points[0].features, m.normal.x, m.normal.y, m.normal.z);
      };
      return order(a) < order(b);
    });
  }

 private:
  void gather(const Bounds3& box) {
    surface_.gather(box, scratch_.placed, scratch_.triangles);
    surface_.turn_to(probe_.middle, scratch_.triangles);
  }
  // Where the triangle of this number is in the list, or the end.
  std::vector<SurfaceTriangle>::const_iterator find_triangle(std::uint32_t index) const {
    const auto at =
        std::lower_bound(scratch_.triangles.begin(), scratch_.triangles.end(), index,
                         [](const SurfaceTriangle& t, std::uint32_t other) { return t.index < other; });
    return at != scratch_.triangles.end() && at->index == index ? at : scratch_.triangles.end();
  }

  void list_candidates() {
    scratch_.candidates.clear();
    const bool one_sided = surface_.is_one_sided();
    for (std::uint32_t i = 0; i < scratch_.triangles.size(); ++i) {
      const SurfaceTriangle& t = scratch_.triangles[i];
      const auto spokes_of = [&](std::size_t corner) -> const std::vector<Spoke>& {
        surface_.spokes(t, corner, scratch_.spokes);
        return scratch_.spokes;
      };
      if (const auto axis = find_surface_axis(t, probe_, one_sided, margin_, spokes_of))
        scratch_.candidates.push_back({*axis, i});
    }
  }
  void sort_candidates() {
    std::sort(scratch_.candidates.begin(), scratch_.candidates.end(),
              [](const Candidate& a, const Candidate& b) {
                return a.axis.separation != b.axis.separation ? a.axis.separation > b.axis.separation
                                                              : a.triangle < b.triangle;
              });
  }

  bool is_in_plane(const Vec3& normal, double separation, const DeepPlane& plane) const {
    return dot(normal, plane.normal) >= k_same_direction &&
           absolute(separation - plane.separation) <= k_better * probe_.size;
  }
  void list_deep_planes() {
    scratch_.planes.clear();
    for (const auto& [axis, triangle] : scratch_.candidates) {
      if (axis.bearing != Bearing::face || axis.separation >= -margin_) continue;
      bool is_known = false;
      for (const DeepPlane& plane : scratch_.planes)
        is_known = is_known || is_in_plane(axis.normal, axis.separation, plane);
      if (!is_known) scratch_.planes.push_back({axis.normal, axis.separation});
    }
  }
  // The triangles in the deep planes that the piece does not touch: within its box, shifted out by the depth.
  void add_opposite_candidates(const Bounds3& box) {
    Bounds3 wide = box;
    for (const DeepPlane& plane : scratch_.planes) {
      const Vec3 out = -plane.separation * plane.normal;
      wide = {smaller(wide.lo, box.lo + out), larger(wide.hi, box.hi + out)};
    }
    std::swap(scratch_.triangles, scratch_.within);
    gather(wide);
    const auto place_of = [&](std::uint32_t index) {
      const auto at = find_triangle(index);
      CAIRN_ASSERT(at != scratch_.triangles.end());
      return std::uint32_t(at - scratch_.triangles.begin());
    };
    // Those of the box as they were: of a tangled sheet, others may say that they are seen from the back.
    for (const SurfaceTriangle& t : scratch_.within) scratch_.triangles[place_of(t.index)] = t;
    scratch_.is_candidate.assign(scratch_.triangles.size(), false);
    for (Candidate& c : scratch_.candidates) {
      c.triangle = place_of(scratch_.within[c.triangle].index);
      scratch_.is_candidate[c.triangle] = true;
    }
    for (std::uint32_t i = 0; i < scratch_.triangles.size(); ++i) {
      if (scratch_.is_candidate[i]) continue;
      const SurfaceTriangle& t = scratch_.triangles[i];
      const double separation = probe_.lowest_above(t.normal, t.corners[0]);
      for (const DeepPlane& plane : scratch_.planes) {
        if (!is_in_plane(t.normal, separation, plane)) continue;
        scratch_.candidates.push_back({{Bearing::face, 0, t.normal, separation}, i});
        break;
      }
    }
  }

  bool is_superseded(const Candidate& c) const {
    const SurfaceTriangle& t = scratch_.triangles[c.triangle];
    for (const Group& g : scratch_.groups) {
      if (dot(g.normal, c.axis.normal) >= k_same_direction) continue;
      std::size_t top = 0;
      for (std::size_t k = 1; k < 3; ++k)
        if (dot(g.normal, t.corners[k] - t.corners[top]) > 0) top = k;
      if (probe_.lowest_above(g.normal, t.corners[top]) > c.axis.separation + k_better * probe_.size)
        return true;
    }
    return false;
  }

  // The group with the candidate's direction, or a new one.
  std::uint32_t group_for(const Candidate& c) {
    for (std::uint32_t g = 0; g < scratch_.groups.size(); ++g)
      if (dot(scratch_.groups[g].normal, c.axis.normal) >= k_same_direction) return g;
    return new_group(c);
  }
  // One whose direction is so close that the candidate's witness is a pair along it too.
  std::uint32_t own_group_for(const Candidate& c) {
    for (std::uint32_t g = 0; g < scratch_.groups.size(); ++g)
      if (has_direction_of(scratch_.groups[g], c.axis)) return g;
    return new_group(c);
  }
  static bool has_direction_of(const Group& g, const SurfaceAxis& axis) {
    return absolute(axis.separation) * length(g.normal - axis.normal) <= g.frame.tolerance;
  }
  std::uint32_t new_group(const Candidate& c) {
    const SurfaceTriangle& t = scratch_.triangles[c.triangle];
    Group& g = scratch_.groups.emplace_back(Group{c.axis.normal,
                                                  t.element,
                                                  {},
                                                  {},
                                                  ClipFrame(probe_.middle, c.axis.normal, probe_.clip_size),
                                                  0,
                                                  0,
                                                  0,
                                                  0});
    face_towards(probe_.piece, probe_.pose, -g.normal, k_wide, g.wide);
    face_towards(probe_.piece, probe_.pose, -g.normal, k_tight, g.tight);
    set_reach(g);
    return std::uint32_t(scratch_.groups.size() - 1);
  }

  // Is one of the first `count` groups of this direction?
  bool has_group(const Vec3& normal, std::size_t count) const {
    for (std::size_t g = 0; g < count; ++g)
      if (dot(scratch_.groups[g].normal, normal) >= k_same_direction) return true;
    return false;
  }

  static void set_reach(Group& g) {
    g.lo_u = g.lo_v = k_infinity;
    g.hi_u = g.hi_v = -k_infinity;
    for (const Facing* part : {&g.wide, &g.tight})
      for (std::size_t k = 0; k < std::size_t(part->count); ++k) {
        const double u = dot(g.frame.u, part->corners[k] - g.frame.origin),
                     v = dot(g.frame.v, part->corners[k] - g.frame.origin);
        g.lo_u = smaller(g.lo_u, u), g.hi_u = larger(g.hi_u, u);
        g.lo_v = smaller(g.lo_v, v), g.hi_v = larger(g.hi_v, v);
      }
  }
  // Is the triangle opposite to the box around what faces it? A quick no for most.
  static bool may_meet(const SurfaceTriangle& t, const Group& g) {
    double u[3], v[3];
    for (std::size_t k = 0; k < 3; ++k) {
      u[k] = dot(g.frame.u, t.corners[k] - g.frame.origin);
      v[k] = dot(g.frame.v, t.corners[k] - g.frame.origin);
    }
    const double slack = 100 * g.frame.tolerance;
    return smaller(u[0], smaller(u[1], u[2])) <= g.hi_u + slack &&
           larger(u[0], larger(u[1], u[2])) >= g.lo_u - slack &&
           smaller(v[0], smaller(v[1], v[2])) <= g.hi_v + slack &&
           larger(v[0], larger(v[1], v[2])) >= g.lo_v - slack;
  }

  void add_points(const Candidate& c) {
    const SurfaceTriangle& t = scratch_.triangles[c.triangle];
    const std::size_t groups_before = scratch_.groups.size();
    std::uint32_t g = group_for(c);
    PatchPoints patch;
    list_points(c.axis, t, scratch_.groups[g], patch);
    // An edge or corner that is opposite to the piece along its own direction may not be so along one close by.
    if (patch.count == 0 && c.axis.bearing != Bearing::face &&
        !has_direction_of(scratch_.groups[g], c.axis)) {
      g = own_group_for(c);
      list_points(c.axis, t, scratch_.groups[g], patch);
    }
    if (patch.count == 0) {
      if (groups_before < scratch_.groups.size()) scratch_.groups.pop_back();
      return;
    }
    Group& group = scratch_.groups[g];
    group.element = std::min(group.element, t.element);
    if (c.axis.bearing == Bearing::face) scratch_.group_of[c.triangle] = g;
    for (std::size_t k = 0; k < std::size_t(patch.count); ++k) {
      GroupPoint& added = scratch_.points.emplace_back(GroupPoint{patch.points[k], g, {k_none, k_none}});
      if (c.axis.bearing == Bearing::face) set_beyond(t, added);
    }
  }

  void list_points(const SurfaceAxis& axis, const SurfaceTriangle& t, const Group& group,
                   PatchPoints& patch) const {
    if (!axis.has_witness && !may_meet(t, group)) return;
    const Facing part = facing_of(t, axis);
    clip(part, group.wide, group.frame, margin_, patch);
    add_witness(axis, part, group, patch);
  }

  // The place of deepest contact, where the patch does not have it.
  void add_witness(const SurfaceAxis& axis, const Facing& part, const Group& group,
                   PatchPoints& patch) const {
    // A face that is opposite to a face or edge has its deepest place at one of their corners; but to a disc that leans by
    // less than is called tight, at a place of its rim.
    Facing rim;
    const Facing* tight = &group.tight;
    if (axis.bearing == Bearing::face && tight->count > 1) {
      if (!(tight->count > 2 && tight->radius > 0)) return;
      face_towards(probe_.piece, probe_.pose, -group.normal, 1e-4 * k_tight, rim);
      if (rim.count > 1) return;
      tight = &rim;
    }
    double least = margin_;
    for (std::size_t k = 0; k < std::size_t(patch.count); ++k)
      least = smaller(least, patch.points[k].separation);
    std::optional<Point> witness;
    if (axis.has_witness && has_direction_of(group, axis))
      witness = Point{axis.on_surface, axis.separation, {part.name, tight->name}};
    else
      witness = common_point(part, *tight, group.frame);
    if (!witness || witness->separation > margin_) return;
    // Not the tolerance of clipping: that is wider far from the surface's origin.
    if (patch.count == 0 || witness->separation < least - k_deeper * probe_.size) patch.add(*witness);
  }

  void set_beyond(const SurfaceTriangle& t, GroupPoint& added) const {
    for (std::size_t k = 0; k < 3; ++k) {
      const SurfaceTriangle::Edge &edge = t.edges[k], &last = t.edges[(k + 2) % 3];
      if (added.point.features.a == edge.name && edge.kind == EdgeKind::flat)
        added.beyond[0] = added.beyond[1] = edge.neighbour;
      if (added.point.features.a == feature(FeatureKind::vertex, t.vertices[k]) &&
          edge.kind == EdgeKind::flat && last.kind == EdgeKind::flat) {
        added.beyond[0] = edge.neighbour;
        added.beyond[1] = last.neighbour;
      }
    }
  }
  bool is_in_group(std::uint32_t triangle, std::uint32_t group) const {
    const auto at = find_triangle(triangle);
    return at != scratch_.triangles.end() &&
           scratch_.group_of[std::size_t(at - scratch_.triangles.begin())] == group;
  }

  void add_manifold(std::uint32_t g, ManifoldList<Dim3>& out) {
    const Group& group = scratch_.groups[g];
    std::vector<Point>& patch = scratch_.patch;
    patch.clear();
    for (const GroupPoint& p : scratch_.points) {
      if (p.group != g) continue;
      const bool is_inside =
          p.beyond[0] != k_none && is_in_group(p.beyond[0], g) && is_in_group(p.beyond[1], g);
      if (!is_inside) patch.push_back(p.point);
    }
    keep_outline(patch, group.normal);
    Manifold<Dim3> manifold;
    manifold.normal = group.normal;
    manifold.element = group.element;
    manifold.count = reduce(patch, group.normal, 10 * group.frame.tolerance);
    for (std::size_t k = 0; k < std::size_t(manifold.count); ++k) manifold.points[k] = patch[k];
    if (manifold.count > 0) out.push_back(manifold);
  }

  // The piece overlaps a triangle, but what of it faces the axis is not opposite to the triangle: as where a rim dips into
  // a saddle. Then the deepest place opposite to the triangle counts: where it leaves the piece when it is sunk along the
  // axis. By bisection, as this is rare. Not needed in the directions of the regular groups, which come first.
  void add_local_point(const Candidate& c, std::size_t regular) {
    constexpr int k_halvings = 45, k_most = 16;
    const SurfaceTriangle& t = scratch_.triangles[c.triangle];
    const Vec3& n = c.axis.normal;
    if (c.axis.separation >= 0 || local_points_ == k_most) return;
    if (has_group(n, regular)) return;
    Vec3 place{};
    const auto overlaps_sunk_by = [&](double depth) {
      const std::array<Vec3, 3> sunk{t.corners[0] - depth * n, t.corners[1] - depth * n,
                                     t.corners[2] - depth * n};
      const Nearest<Dim3> gap = nearest(core_of_triangle(&sunk), probe_.core, probe_.pose, n);
      if (!gap.overlap) place = gap.on_a + depth * n;
      return gap.overlap || gap.distance < probe_.core.radius;
    };
    if (!overlaps_sunk_by(0)) return;
    double in = 0, out = -c.axis.separation + k_better * probe_.size;
    for (int step = 0; step < k_halvings; ++step) {
      const double middle = 0.5 * (in + out);
      (overlaps_sunk_by(middle) ? in : out) = middle;
    }
    if (overlaps_sunk_by(out)) return;
    const std::uint32_t g = group_for(c);
    const Features names{feature(FeatureKind::face, 0), scratch_.groups[g].tight.name};
    ++local_points_;
    scratch_.points.push_back({{place, -out, names}, g, {k_none, k_none}});
  }

  const Surface& surface_;
  const Probe& probe_;
  const double margin_;
  Scratch& scratch_;
  int local_points_ = 0;
};

template <class Surface>
void collide_surface(const Surface& surface, const Piece3& convex, const Pose3& pose, double margin,
                     ManifoldList<Dim3>& out) {
  thread_local Scratch scratch;
  const Probe probe(convex, pose);
  Collider<Surface>(surface, probe, margin, scratch).run(out);
}

}  // namespace

void collide_mesh(const TriangleMesh& mesh, const Piece3& convex, const Pose3& convex_in_mesh, double margin,
                  PairCache<Dim3>&, ManifoldList<Dim3>& out) {
  collide_surface(MeshSurface(mesh), convex, convex_in_mesh, margin, out);
}
void collide_height(const HeightGrid& grid, const Piece3& convex, const Pose3& convex_in_grid, double margin,
                    PairCache<Dim3>&, ManifoldList<Dim3>& out) {
  collide_surface(GridSurface(grid), convex, convex_in_grid, margin, out);
}

}  // namespace cairn
