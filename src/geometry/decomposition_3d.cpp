// Approximate convex decomposition of closed meshes.
//
// The mesh is cut by planes, the worst piece first, until the hull of each piece stands away from the mesh by no more
// than the tolerance; then pieces that can be one are joined again. The frame is that of Mamou & Ghorbel (2009) and
// Wei et al. (2022), see cut_choice.h; three things are done otherwise, because a body that rests in a cup must neither
// hang over a gap nor stand on air, and because two runs must give the same parts:
//
//   cuts are exact       The pieces are solids with flat new faces (cut_solid.h), not voxels. They fill the mesh without
//                        gaps, and the hull of each stays on its own side of all cuts: hulls of pieces do not overlap.
//   the end is certain   That every point of a hull is within the tolerance of the mesh is proven, not sampled
//                        (hull_fit.h). It sees pockets with narrow mouths and closed voids too.
//   nothing is random    A fixed list of planes instead of a random tree search; ties are broken by their order.
//
// It ends because every cut makes one piece more, up to max_parts; joined pieces are never cut again.
#include "geometry/decomposition_3d.h"

#include "geometry/closed_surface.h"
#include "geometry/cut_choice.h"
#include "geometry/direction.h"
#include "geometry/hull_3d.h"
#include "geometry/hull_fit.h"
#include "geometry/main_corners.h"
#include "geometry/part_merge.h"

namespace cairn {
namespace {

constexpr int k_most_rounds = 4;      // of cutting and joining
constexpr double k_no_excess = 1e-9;  // of its hull: the piece is convex
// Of the tolerance:
constexpr double k_on = 1e-4;       // what counts as on a plane
constexpr double k_apart = 0.25;    // cuts that count as different
constexpr double k_overlap = 0.25;  // how far a joined part may reach into another
constexpr double k_corners = 0.1;   // corners that stand out by less are left out

class Decomposer {
 public:
  Decomposer(const TriangleMesh& mesh, const DecompositionOptions& options)
      : tolerance_(options.tolerance * largest_component(mesh.box.hi - mesh.box.lo)),
        scale_{k_on * tolerance_, k_apart * tolerance_},
        max_parts_(std::size_t(options.max_parts)),
        fit_(mesh, tolerance_) {}

  ConvexParts run(std::vector<CutSolid>&& shells, CutSolid&& whole) {
    if (shells.size() > max_parts_)
      take(std::move(whole));
    else
      for (CutSolid& shell : shells) take(std::move(shell));
    for (int round = 0; round < k_most_rounds; ++round) {
      cut();
      if (!join()) break;
    }
    return result();
  }

 private:
  struct Piece {  // still too far from convex
    CutSolid solid;
    double excess;  // [m³]
    bool is_stuck;  // no plane cuts it
  };

  void take(CutSolid&& solid) {
    const HullVolumes volumes = hull_volumes(solid, scale_.on);
    if (volumes.hull == 0) return;
    Polyhedron hull = build_hull(solid.vertices);
    if (volumes.excess() > k_no_excess * volumes.hull && !fit_.is_within(hull))
      pieces_.push_back({std::move(solid), volumes.excess(), false});
    else
      done_.push_back(build_hull(main_corners(hull.exact.vertices, k_corners * tolerance_)));
  }

  std::size_t count() const { return pieces_.size() + done_.size(); }

  void cut() {
    while (count() < max_parts_) {
      std::size_t worst = pieces_.size();
      for (std::size_t k = 0; k < pieces_.size(); ++k)
        if (!pieces_[k].is_stuck && (worst == pieces_.size() || pieces_[k].excess > pieces_[worst].excess))
          worst = k;
      if (worst == pieces_.size()) return;
      cut(worst);
    }
  }

  void cut(std::size_t k) {
    const std::optional<CutPlane> plane = choose_cut(pieces_[k].solid, scale_);
    if (!plane) {
      pieces_[k].is_stuck = true;
      return;
    }
    CutSolid front = above(pieces_[k].solid, *plane, scale_.on);
    CutSolid back = above(pieces_[k].solid, plane->reversed(), scale_.on);
    if (front.faces.empty() || back.faces.empty()) {  // it was tried on a coarse copy
      pieces_[k].is_stuck = true;
      return;
    }
    pieces_.erase(pieces_.begin() + std::ptrdiff_t(k));
    for (CutSolid* side : {&front, &back}) {
      // The other side needs room for one, whatever this one falls into.
      CutSolid whole = *side;
      std::vector<CutSolid> parts = connected_pieces(std::move(*side));
      const std::size_t room = max_parts_ - count() - (side == &front ? 1 : 0);
      if (parts.size() > room)
        take(std::move(whole));
      else
        for (CutSolid& part : parts) take(std::move(part));
    }
  }

  // Says whether there is room again for pieces that need it.
  bool join() {
    const std::size_t before = count();
    std::vector<Polyhedron> hulls = std::move(done_);
    std::vector<char> may_merge(hulls.size(), 1);
    for (const Piece& piece : pieces_) {  // others keep out of them
      hulls.push_back(build_hull(piece.solid.vertices));
      may_merge.push_back(0);
    }
    merge_parts(hulls, may_merge, fit_, k_overlap * tolerance_);
    done_.clear();
    for (std::size_t k = 0; k < hulls.size(); ++k)
      if (may_merge[k]) done_.push_back(std::move(hulls[k]));
    return count() < before && !pieces_.empty();
  }

  ConvexParts result() const {
    ConvexParts parts;
    for (const Polyhedron& hull : done_) {
      parts.list.push_back({hull.exact.vertices, true});
      parts.volume += volume_of(hull.exact);
    }
    for (const Piece& piece : pieces_) {
      const Polyhedron hull = build_hull(main_corners(piece.solid.vertices, k_corners * tolerance_));
      parts.list.push_back({hull.exact.vertices, false});
      parts.volume += volume_of(hull.exact);
    }
    return parts;
  }

  double tolerance_;  // [m]
  CutScale scale_;
  std::size_t max_parts_;
  HullFit fit_;
  std::vector<Piece> pieces_;
  std::vector<Polyhedron> done_;  // within the tolerance
};

}  // namespace

ConvexParts convex_parts(const TriangleMesh& mesh, const DecompositionOptions& options, const Path& path) {
  CutSolid whole = solid_of(mesh);
  std::vector<CutSolid> shells = connected_pieces(CutSolid(whole));
  const double extent = largest_component(mesh.box.hi - mesh.box.lo);
  for (const CutSolid& shell : shells)
    if (volume(shell) < -k_no_excess * extent * extent * extent)
      detail::refuse(path / "triangles", "a shell of " + std::to_string(shell.faces.size()) + " triangles",
                     "is inside out, with a corner at " + to_text(shell.vertices[0]) +
                         ": reverse the order of its triangles' corners");
  ConvexParts parts = Decomposer(mesh, options).run(std::move(shells), std::move(whole));
  if (parts.list.empty()) detail::refuse(path, "", "encloses no volume");
  return parts;
}

Compound3 convex_decomposition(const Mesh& mesh, const DecompositionOptions& options) {
  check(options);
  const Shape3 shape = mesh;
  const Path path = root_path(shape);
  const Geometry3 built = build(shape, path);
  const auto& triangles = std::get<TriangleMesh>(built.form);
  check_closed(triangles, path);
  ConvexParts parts = convex_parts(triangles, options, path);
  Compound3 compound;
  for (ConvexPart& part : parts.list)
    compound.parts.push_back({.shape = Hull{.points = std::move(part.corners)}});
  return compound;
}

}  // namespace cairn
