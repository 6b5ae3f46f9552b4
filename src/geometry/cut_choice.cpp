#include "geometry/cut_choice.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "geometry/coarse_solid.h"
#include "geometry/cut_candidates.h"
#include "geometry/quickhull.h"

namespace cairn {
namespace {

constexpr double k_thin = 8;  // pieces thinner than so many times `on` are nothing
// Cuts of large solids are tried on a coarse copy. On meshes of 20 000 triangles that is three times faster; with
// half as many cells thin walls are lost and cuts are chosen badly.
constexpr std::size_t k_large = 1000;  // vertices
constexpr int k_cells = 24;
// A point of the score is all of the excess. The next two only choose between cuts that are nearly as good: halves are
// better than crumbs, and faces along those of the solid better than slanted ones.
constexpr double k_balance = 0.05;
constexpr double k_slanted = 0.02;
constexpr double k_gain = 0.95;          // a cut that leaves less than this part of the excess is a gain …
constexpr double k_later_gain = 0.9;     // … and so is one after which the next leaves less than this
constexpr std::size_t k_directions = 6;  // whose next cuts are tried
constexpr double k_same_direction = 0.98;  // cosine

// A cut that was tried.
struct Trial {
  CutPlane plane;
  double excess = 0;  // [m³] of all pieces
  double score = 0;   // the smaller, the better
};

std::optional<Trial> tried(const CutSolid& solid, const CutCandidate& candidate, double whole_excess,
                           double on) {
  Trial trial{candidate.plane};
  double sides[2] = {};
  for (const int side : {0, 1}) {
    const CutPlane plane = side == 0 ? trial.plane : trial.plane.reversed();
    for (const CutSolid& piece : connected_pieces(above(solid, plane, on))) {
      const HullVolumes volumes = hull_volumes(piece, on);
      sides[side] += volumes.solid;
      trial.excess += volumes.excess();
    }
  }
  if (sides[0] <= 0 || sides[1] <= 0) return std::nullopt;
  trial.score = trial.excess / whole_excess +
                k_balance * absolute(sides[0] - sides[1]) / (sides[0] + sides[1]) +
                (candidate.is_slanted ? k_slanted : 0);
  return trial;
}

// Of a solid as fine as it is, on a copy that may be coarse. The best first.
struct Trials {
  CutSolid solid;
  double excess;
  std::vector<Trial> list;

  Trials(const CutSolid& fine, const CutScale& scale)
      : solid(fine.vertices.size() > k_large ? coarsened(fine, k_cells) : fine),
        excess(larger(hull_volumes(solid, scale.on).excess(), std::numeric_limits<double>::min())) {
    for (const CutCandidate& candidate : cut_candidates(fine, scale.apart))
      if (const std::optional<Trial> trial = tried(solid, candidate, excess, scale.on))
        list.push_back(*trial);
    std::stable_sort(list.begin(), list.end(),
                     [](const Trial& a, const Trial& b) { return a.score < b.score; });
  }
};

// The excess that is left when the worst piece of the cut is cut again.
double excess_after_next(const CutSolid& solid, const Trial& trial, const CutScale& scale) {
  CutSolid worst;
  double most = 0;
  for (const CutPlane& plane : {trial.plane, trial.plane.reversed()})
    for (CutSolid& piece : connected_pieces(above(solid, plane, scale.on)))
      if (const double excess = hull_volumes(piece, scale.on).excess(); excess > most) {
        most = excess;
        worst = std::move(piece);
      }
  if (most == 0) return trial.excess;
  double least = most;
  for (const Trial& next : Trials(worst, scale).list) least = smaller(least, next.excess);
  return trial.excess - most + least;
}

}  // namespace

HullVolumes hull_volumes(const CutSolid& solid, double on) {
  std::vector<Vec3> points = solid.vertices;
  std::sort(points.begin(), points.end(),
            [](const Vec3& a, const Vec3& b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 4 || find_simplex(points).thickness < k_thin * on) return {};
  const FacetMesh hull = exact_hull(points);
  double sum = 0;
  for (int f = 0; f < hull.facet_count(); ++f) {
    const Vec3 o = points[hull.origin[hull.begin[f]]];
    Vec3 area;
    for (int h = hull.begin[f]; h < hull.begin[f + 1]; ++h)
      area += cross(points[hull.origin[h]] - o, points[hull.target(h)] - o);
    sum += dot(o - points[0], area);
  }
  return {volume(solid), sum / 6};
}

std::optional<CutPlane> choose_cut(const CutSolid& solid, const CutScale& scale) {
  const Trials trials(solid, scale);
  if (trials.list.empty()) return std::nullopt;
  std::vector<CutPlane> fruitless;  // one of each direction
  for (const Trial& trial : trials.list) {
    if (trial.excess < k_gain * trials.excess) return trial.plane;
    const bool was_tried = std::any_of(fruitless.begin(), fruitless.end(), [&](const CutPlane& plane) {
      return absolute(dot(plane.normal, trial.plane.normal)) > k_same_direction;
    });
    if (was_tried) continue;
    if (excess_after_next(trials.solid, trial, scale) < k_later_gain * trials.excess) return trial.plane;
    fruitless.push_back(trial.plane);
    if (fruitless.size() == k_directions) break;
  }
  return trials.list[0].plane;
}

}  // namespace cairn
