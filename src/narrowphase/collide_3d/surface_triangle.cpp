#include "narrowphase/collide_3d/surface_triangle.h"

#include <utility>

#include "geometry/direction.h"
#include "geometry/mesh_topology.h"
#include "narrowphase/collide_3d/surface_side.h"
#include "narrowphase/manifold.h"

namespace cairn {
namespace {

constexpr std::uint32_t k_none = TriangleMesh::k_no_triangle;

Vec3 unit(const Vec3& v) { return direction_of(v).unit; }

void set_along(SurfaceTriangle& t, std::size_t k) {
  t.edges[k].along = unit(t.corners[(k + 1) % 3] - t.corners[k]);
}

// The same triangle seen from the back.
void flip(SurfaceTriangle& t) {
  std::swap(t.corners[1], t.corners[2]);
  std::swap(t.vertices[1], t.vertices[2]);
  std::swap(t.bears[1], t.bears[2]);
  std::swap(t.edges[0], t.edges[2]);
  t.normal = -t.normal;
  t.flipped = !t.flipped;
  for (SurfaceTriangle::Edge& edge : t.edges) {
    edge.along = -edge.along;
    edge.across = -edge.across;
    if (edge.kind == EdgeKind::convex)
      edge.kind = EdgeKind::concave;
    else if (edge.kind == EdgeKind::concave)
      edge.kind = EdgeKind::convex;
  }
}

// ----------------------------------------------------------------------------------------------- height grid

struct Place {
  std::ptrdiff_t i, j;
};

// A height field's cells, triangles and samples by their numbers; none lies outside.
struct Cells {
  const HeightGrid& grid;
  std::ptrdiff_t columns = grid.field.columns, rows = grid.field.rows;

  bool has(const Place& p) const { return p.i >= 0 && p.j >= 0 && p.i < columns && p.j < rows; }
  Vec3 at(const Place& p) const { return grid.sample(std::size_t(p.i), std::size_t(p.j)); }
  std::uint32_t number(const Place& p) const { return std::uint32_t(p.j * columns + p.i); }
  Place place(std::uint32_t vertex) const {
    return {std::ptrdiff_t(vertex) % columns, std::ptrdiff_t(vertex) / columns};
  }
  std::uint32_t triangle(const Place& cell, int half) const {
    return std::uint32_t(2 * (cell.j * (columns - 1) + cell.i) + half);
  }
};

// The samples around one, counter-clockwise; with each two that follow each other it makes a triangle.
constexpr Place k_around[6] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};

// How the surface goes on across the edge from p to q: the triangle on the left has its third corner at `left`, the
// one on the right at `right`.
EdgeKind kind_across(const Vec3& p, const Vec3& q, const Vec3& left, const Vec3& right) {
  const Vec3 along = unit(q - p);
  const Vec3 n = unit(cross(along, left - p)), beyond = unit(cross(right - p, along));
  const double turn = dot(cross(n, beyond), along);
  if (absolute(turn) <= k_flat_angle) return EdgeKind::flat;
  return turn > 0 ? EdgeKind::convex : EdgeKind::concave;
}

// May the sample stick out? Not where every edge around it is flat or concave.
bool may_bear(const Cells& cells, const Place& p) {
  for (int k = 0; k < 6; ++k) {
    const Place q{p.i + k_around[k].i, p.j + k_around[k].j};
    const Place left{p.i + k_around[(k + 1) % 6].i, p.j + k_around[(k + 1) % 6].j};
    const Place right{p.i + k_around[(k + 5) % 6].i, p.j + k_around[(k + 5) % 6].j};
    if (!cells.has(q) || !cells.has(left) || !cells.has(right)) return true;  // at the border
    if (kind_across(cells.at(p), cells.at(q), cells.at(left), cells.at(right)) == EdgeKind::convex)
      return true;
  }
  return false;
}

// The two triangles of a cell have the corners
//
//   s ───── r      0: p q r, beyond its edges  the cell below, the cell to the right, 1
//   │ 1  ╱  │      1: p r s, beyond its edges  0, the cell above, the cell to the left
//   │  ╱  0 │
//   p ───── q
struct Neighbour {
  Place cell;   // of the triangle beyond, relative to this one
  int half;     // which of its two
  Place third;  // the corner of it that is not on the edge, relative to p
};
constexpr Neighbour k_neighbours[2][3] = {
    {{{0, -1}, 1, {0, -1}}, {{1, 0}, 1, {2, 1}}, {{0, 0}, 1, {0, 1}}},
    {{{0, 0}, 0, {1, 0}}, {{0, 1}, 0, {1, 2}}, {{-1, 0}, 0, {-1, 0}}},
};
constexpr Place k_corners[2][3] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};

}  // namespace

void MeshSurface::gather(const Bounds3& box, std::vector<PlacedTriangle>& scratch,
                         std::vector<SurfaceTriangle>& out) const {
  triangles_in(mesh_, box, scratch);
  out.clear();
  for (const PlacedTriangle& placed : scratch) {
    SurfaceTriangle& t = out.emplace_back();
    t.index = placed.index;
    t.element = mesh_.regions[t.index];
    t.corners = placed.corners;
    t.vertices = mesh_.triangles[t.index];
    t.normal = mesh_.normals[t.index];
    const TriangleRims rims = mesh_.rims[t.index];
    for (int k = 0; k < 3; ++k) {
      SurfaceTriangle::Edge& edge = t.edges[std::size_t(k)];
      edge.kind = rims.kind(k);
      edge.neighbour = mesh_.neighbours[t.index][std::size_t(k)];
      t.bears[std::size_t(k)] = rims.may_bear(k);
      std::uint32_t owner = t.index;
      int side = k;
      if (edge.kind != EdgeKind::flat) set_along(t, std::size_t(k));
      if (edge.neighbour != k_none) {
        if (edge.kind != EdgeKind::flat) edge.across = normal_across(mesh_, t.index, k);
        if (edge.neighbour < owner && !rims.is_crowded(k)) {
          owner = edge.neighbour;
          const int from = corner_of(mesh_.triangles[owner], t.vertices[std::size_t(k)]);
          const bool same_way =
              mesh_.triangles[owner][std::size_t(from + 1) % 3] == t.vertices[std::size_t(k + 1) % 3];
          side = same_way ? from : (from + 2) % 3;
        }
      }
      edge.name = feature(FeatureKind::edge, 3 * std::size_t(owner) + std::size_t(side));
    }
  }
}

void MeshSurface::turn_to(const Vec3& point, std::vector<SurfaceTriangle>& triangles) const {
  if (mesh_.closed) return;
  // A flat region has one side for all; the last answer is remembered.
  std::uint32_t known = k_none;
  bool is_known_behind = false;
  for (SurfaceTriangle& t : triangles) {
    if (t.element != known) {
      known = t.element;
      is_known_behind = is_behind(mesh_, t.index, point);
    }
    if (is_known_behind) flip(t);
  }
}

void MeshSurface::spokes(const SurfaceTriangle& t, std::size_t corner, std::vector<Spoke>& out) const {
  out.clear();
  const std::uint32_t vertex = t.vertices[corner];
  const Vec3& from = mesh_.vertices[vertex];
  visit_fan(mesh_, t.index, corner_of(mesh_.triangles[t.index], vertex), [&](std::uint32_t other, int c) {
    const Triangle& corners = mesh_.triangles[other];
    out.push_back({unit(mesh_.vertices[corners[std::size_t(c + 1) % 3]] - from),
                   unit(mesh_.vertices[corners[std::size_t(c + 2) % 3]] - from)});
  });
}

void GridSurface::gather(const Bounds3& box, std::vector<PlacedTriangle>& scratch,
                         std::vector<SurfaceTriangle>& out) const {
  const Cells cells{grid_};
  triangles_in(grid_, box, scratch);
  out.clear();
  for (const PlacedTriangle& placed : scratch) {
    SurfaceTriangle& t = out.emplace_back();
    t.index = t.element = placed.index;
    t.corners = placed.corners;
    t.normal = unit(cross(t.corners[1] - t.corners[0], t.corners[2] - t.corners[0]));
    const int half = int(t.index & 1);
    const std::ptrdiff_t cell = t.index / 2;
    const Place p{cell % (cells.columns - 1), cell / (cells.columns - 1)};
    for (std::size_t k = 0; k < 3; ++k) {
      const Place corner{p.i + k_corners[half][k].i, p.j + k_corners[half][k].j};
      t.vertices[k] = cells.number(corner);
      t.bears[k] = may_bear(cells, corner);
      SurfaceTriangle::Edge& edge = t.edges[k];
      const Neighbour& beyond = k_neighbours[half][k];
      const Place other{p.i + beyond.cell.i, p.j + beyond.cell.j},
          third{p.i + beyond.third.i, p.j + beyond.third.j};
      edge.kind = EdgeKind::open;
      std::size_t owner = 3 * std::size_t(t.index) + k;
      if (other.i >= 0 && other.j >= 0 && other.i < cells.columns - 1 && other.j < cells.rows - 1) {
        const Vec3 &from = t.corners[k], &to = t.corners[(k + 1) % 3];
        edge.neighbour = cells.triangle(other, beyond.half);
        edge.kind = kind_across(from, to, t.corners[(k + 2) % 3], cells.at(third));
        if (edge.kind != EdgeKind::flat) edge.across = unit(cross(cells.at(third) - from, to - from));
        if (edge.neighbour < t.index) {
          constexpr std::size_t k_back[2][3] = {{1, 2, 0}, {2, 0, 1}};  // this edge's number over there
          owner = 3 * std::size_t(edge.neighbour) + k_back[half][k];
        }
      }
      if (edge.kind != EdgeKind::flat) set_along(t, k);
      edge.name = feature(FeatureKind::edge, owner);
    }
  }
}

void GridSurface::spokes(const SurfaceTriangle& t, std::size_t corner, std::vector<Spoke>& out) const {
  out.clear();
  const Cells cells{grid_};
  const Place p = cells.place(t.vertices[corner]);
  const Vec3 from = cells.at(p);
  for (std::size_t k = 0; k < 6; ++k) {
    const Place a{p.i + k_around[k].i, p.j + k_around[k].j};
    const Place b{p.i + k_around[(k + 1) % 6].i, p.j + k_around[(k + 1) % 6].j};
    if (cells.has(a) && cells.has(b)) out.push_back({unit(cells.at(a) - from), unit(cells.at(b) - from)});
  }
}

}  // namespace cairn
