// The expanding polytope algorithm: van den Bergen, "Proximity queries and penetration depth computation on 3D game
// objects" (GDC 2001).
//
//   polytope := a tetrahedron in the difference B − A, around 0 if possible
//   repeat
//     take its face nearest to 0, with the outward normal m, and the point w of B − A furthest along m
//     m·w is the depth along −m; the face's own height is a lower bound of the depth
//     if the least depth so far is no more than that bound: done
//     add w to the polytope
//
// The result never depends on the polytope being right: each depth is that of an axis, from support points alone. So
// where rounding or lack of space stops its growth, the best axis so far is still an axis. The last digits of curved cores
// come from Newton steps (refinement.h).
#include "geometry/epa.h"
#include "geometry/polytope.h"
#include "geometry/refinement.h"

namespace cairn {
namespace {

using Point = DifferencePoint<Dim3>;

constexpr int k_most_iterations = 128, k_most_curved_iterations = 96;
constexpr double k_huge = 1e300;
constexpr double k_near = 0.88;              // cosine of an angle of 0.5 rad
constexpr double k_flat = 1e-12;             // of the scale: a thinner tetrahedron is flat
constexpr double k_converged = 1e-14;        // of the scale
constexpr double k_converged_curved = 1e-6;  // the rest is for Newton steps
constexpr double k_opposite = 1e-12;  // of the scale, how well nearest points are opposite to each other
constexpr double k_round_off = 1e-14;
constexpr int k_most_rounds = 16;
constexpr double k_parted = 1e-5;  // of the scale, a distance at which GJK sees clearly

class Expansion {
 public:
  Expansion(const Core3& a, const Core3& b, const Pose3& b_in_a, const Nearest<Dim3>& overlap)
      : difference_(a, b, b_in_a), b_in_a_(b_in_a), guess_(overlap.normal), simplex_(overlap.simplex) {
    for (int k = 0; k < simplex_.count; ++k) scale_ = larger(scale_, largest_component(simplex_.points[k].w));
  }

  Penetration<Dim3> run() {
    std::array<Point, 4> corners;
    if (simplex_.count == 4 && enclose_zero(simplex_) == Enclosed::yes)
      corners = simplex_.points;
    else if (!find_tetrahedron(corners)) {
      set_points();
      return result();
    }
    expand(corners);
    if (difference_.is_curved()) polish();
    set_points();
    if (difference_.is_curved() || points_.mismatch > k_opposite * scale_) part();
    return result();
  }

 private:
  Point lowest(const Vec3& n) {
    ++iterations_;
    const Point p = difference_.lowest(n);
    scale_ = larger(scale_, largest_component(p.w));
    return p;
  }
  // Is it the best axis so far?
  bool consider(const Vec3& n, const Point& lowest_point) {
    const double depth = -dot(lowest_point.w, n);
    if (depth >= depth_) return false;
    depth_ = depth;
    normal_ = n;
    return true;
  }
  // An axis of a difference that is flat.
  bool consider_both(const Vec3& n) {
    const Point below = lowest(n), above = lowest(-n);
    if (consider(n, below)) hold(below);
    if (consider(-n, above)) hold(above);
    return false;
  }
  void hold(const Point& p) { simplex_ = {{p}, {1}, 1}; }

  // The largest tetrahedron of some support points, or false if the difference is flat; then its normal is the axis.
  bool find_tetrahedron(std::array<Point, 4>& corners) {
    corners[0] = lowest(guess_);
    corners[1] = furthest_from(corners[0], [&](const Vec3& w) { return length(w - corners[0].w); });
    const Vec3 edge = corners[1].w - corners[0].w;
    if (!(length(edge) > k_flat * scale_)) return consider_both(guess_);
    const Vec3 along = direction_of(edge).unit;
    const auto across = [&](const Vec3& w) {
      return w - corners[0].w - along * dot(along, w - corners[0].w);
    };
    const Vec3 side = perpendicular(along);
    corners[2] = furthest_from(corners[0], [&](const Vec3& w) { return length(across(w)); },
                               {side, cross(along, side)});
    if (!(length(across(corners[2].w)) > k_flat * scale_)) {
      const Vec3 n = guess_ - along * dot(along, guess_);
      return consider_both(length(n) > 0.1 ? normalized(n) : side);
    }
    const Vec3 n = direction_of(cross(edge, across(corners[2].w))).unit;
    const auto height = [&](const Vec3& w) { return absolute(dot(n, w - corners[0].w)); };
    corners[3] = furthest_from(corners[0], height, {n});
    if (!(height(corners[3].w) > k_flat * scale_)) return consider_both(n);
    return true;
  }
  template <class Measure>
  Point furthest_from(const Point& start, Measure measure, std::initializer_list<Vec3> axes = {}) {
    Point best = start;
    const auto try_axis = [&](const Vec3& n) {
      for (const Point& p : {lowest(n), lowest(-n)})
        if (measure(p.w) > measure(best.w)) best = p;
    };
    for (const Vec3& n : axes) try_axis(n);
    for (const Vec3& n : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) try_axis(n);
    return best;
  }

  void expand(const std::array<Point, 4>& corners) {
    Polytope polytope(corners, scale_);
    const bool curved = difference_.is_curved();
    const double tolerance = (curved ? k_converged_curved : k_converged) * scale_;
    const int most = iterations_ + (curved ? k_most_curved_iterations : k_most_iterations);
    while (iterations_ < most) {
      Polytope::Face* face = polytope.nearest_face();
      converged_ = !face || face->height >= depth_ - tolerance;
      if (converged_) break;
      face->asked = true;
      const Point p = lowest(-face->normal);
      if (consider(-face->normal, p)) simplex_ = simplex_of(polytope, *face);
      if (curved) remember({dot(p.w, face->normal), -face->normal, simplex_of(polytope, *face)});
      if (dot(p.w, face->normal) - face->height > tolerance) polytope.add(p, *face);
    }
  }
  static Simplex<Dim3> simplex_of(const Polytope& polytope, const Polytope::Face& face) {
    const Point* points[3];
    for (int k = 0; k < 3; ++k) points[k] = &polytope.point(face.corners[k]);
    const Flat<Dim3> flat = flat_through(points);
    Simplex<Dim3> simplex;
    simplex.count = 3;
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      simplex.points[k] = *points[k];
      sum += simplex.weights[k] = larger(flat.weights[k], 0);
    }
    for (int k = 0; k < 3; ++k) simplex.weights[k] /= sum;
    return simplex;
  }

  // An axis to take Newton steps from. Of those near to each other only the best is kept, and of all the best few.
  struct Start {
    double depth = k_huge;
    Vec3 normal{};
    Simplex<Dim3> simplex{};
  };
  void remember(const Start& start) {
    std::size_t place = 0;
    for (std::size_t k = 0; k < starts_.size(); ++k) {
      if (starts_[k].depth < k_huge && dot(starts_[k].normal, start.normal) > k_near) {
        place = k;
        break;
      }
      if (starts_[k].depth > starts_[place].depth) place = k;
    }
    if (start.depth < starts_[place].depth) starts_[place] = start;
  }

  // From the best axis, or from several where it is not certain which is the best.
  void polish() {
    polish({depth_, normal_, simplex_});
    if (converged_) return;
    for (const Start& start : starts_)
      if (start.depth < k_huge) polish(start);
  }
  void polish(const Start& start) {
    const Refined<Dim3> best = refine<Dim3>(difference_, start.simplex, start.normal, Goal::depth);
    iterations_ += best.iterations;
    if (-best.separation > depth_) return;
    depth_ = -best.separation;
    normal_ = best.normal;
    simplex_ = best.simplex;
  }

  // The cores just parted by the shift are convex and apart: GJK finds their nearest points, which are those sought, and
  // their normal, which is a better axis where ours is not the best near it. (Where several faces lie in the plane of the
  // optimum, the one held need not be the one below 0, and its points are not opposite to each other.)
  void part() {
    for (int round = 0; round < k_most_rounds; ++round) {
      const Vec3 shift = (depth_ + k_parted * scale_) * normal_;
      const Nearest<Dim3> parted =
          nearest(difference_.a(), difference_.b(), {b_in_a_.position + shift, b_in_a_.rotation}, normal_);
      iterations_ += parted.iterations;
      if (parted.overlap) return;
      const double before = depth_;
      consider(parted.normal, lowest(parted.normal));
      const Vec3 on_b = parted.on_b - shift;
      const double mismatch = length(on_b - parted.on_a + depth_ * normal_);
      if (mismatch < points_.mismatch) points_ = {parted.on_a, on_b, mismatch};
      if (difference_.is_curved())
        polish({depth_, parted.normal, parted.simplex});  // it holds the right generators
      if (!(depth_ < before - k_round_off * scale_)) return;
      const Points last = points_;
      set_points();
      if (last.mismatch < points_.mismatch) points_ = last;
    }
  }

  struct Points {
    Vec3 on_a{}, on_b{};
    double mismatch = 0;  // [m] from being opposite to each other along the normal
  };
  void set_points() {
    Vec3 a{}, b{};
    for (int k = 0; k < simplex_.count; ++k) {
      a += simplex_.weights[k] * simplex_.points[k].a;
      b += simplex_.weights[k] * simplex_.points[k].b;
    }
    points_ = {difference_.on_a(a), difference_.on_b(b), 0};
    points_.mismatch = length(points_.on_b - points_.on_a + depth_ * normal_);
  }
  Penetration<Dim3> result() const { return {depth_, normal_, points_.on_a, points_.on_b, iterations_}; }

  Difference<Dim3> difference_;
  Pose3 b_in_a_;
  Vec3 guess_;
  Simplex<Dim3> simplex_;  // that holds the best axis
  double scale_ = 0;
  double depth_ = k_huge;
  bool converged_ = false;  // no axis is much better than the best so far
  std::array<Start, 12> starts_{};
  Vec3 normal_{};
  Points points_;
  int iterations_ = 0;
};

}  // namespace

Penetration<Dim3> penetration(const Core3& a, const Core3& b, const Pose3& b_in_a,
                              const Nearest<Dim3>& overlap) {
  return Expansion(a, b, b_in_a, overlap).run();
}

}  // namespace cairn
