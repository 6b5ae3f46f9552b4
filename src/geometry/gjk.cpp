// Gilbert, Johnson and Keerthi, "A fast procedure for computing the distance between complex objects in
// three-dimensional space" (1988); van den Bergen, "Collision Detection in Interactive 3D Environments" (2004).
//
//   n := a direction from a to b, the simplex := lowest point of B − A along n
//   repeat
//     n := the direction from 0 to the nearest point of the simplex; drop the points that do not hold it
//     w := the lowest point of B − A along n
//     if w is no lower than the simplex: the separation along n is the distance
//     add w to the simplex; if 0 is inside, the cores overlap
//
// Where rounding makes two simplices alternate or leaves it open whether 0 is inside, and for the last digits of curved
// cores, refinement.h decides.
#include "geometry/gjk.h"

#include "geometry/refinement.h"

namespace cairn {
namespace {

constexpr int k_most_iterations = 64;
constexpr int k_most_curved_iterations = 32;  // then Newton steps are better
constexpr double k_huge = 1e300;
constexpr double k_converged = 2e-15;        // of the scale, the gap between the simplex and the lowest point
constexpr double k_converged_curved = 1e-9;  // the rest is for Newton steps
constexpr double k_good_enough = 1e-11;
constexpr int k_most_retries = 4;

template <class D>
class Search {
 public:
  using Vec = typename D::Vec;
  using Point = DifferencePoint<D>;

  Search(const Core<D>& a, const Core<D>& b, const Pose<D>& b_in_a, const Vec& guess)
      : difference_(a, b, b_in_a), curved_(difference_.is_curved()), n_(direction_of(guess).unit) {
    if (length_squared(n_) == 0) n_ = direction_of(difference_.offset()).unit;
    if (length_squared(n_) == 0) n_.x = 1;
  }

  Nearest<D> run() {
    search();
    // The point of the simplex and the axis prove each other. Where curved cores leave a gap between them, which is rare,
    // other starts are tried: along the simplex's point, and along the axis.
    for (int retry = 0; retry < k_most_retries && curved_ && gap() > k_good_enough * scale_; ++retry) {
      const Nearest<D> best = result_;
      const double best_gap = gap();
      n_ = retry % 2 == 0 ? direction_of(nearest_point(simplex())).unit : best.normal;
      most_curved_iterations_ = 2 * k_most_curved_iterations;
      simplex().count = 0;
      last_distance_ = k_huge;
      search();
      const int iterations = result_.iterations;
      if (best_gap < gap()) result_ = best;
      result_.iterations = iterations;
    }
    return result_;
  }

 private:
  Simplex<D>& simplex() { return result_.simplex; }
  double gap() { return length(nearest_point(simplex())) - result_.distance; }

  void search() {
    Point next = difference_.lowest(n_);
    for (int iteration = 1;; ++iteration) {
      ++result_.iterations;
      scale_ = larger(scale_, largest_component(next.w));
      const Simplex<D> last = simplex();
      add(next);
      const bool is_full = simplex().count == D::k_linear + 1;
      const Enclosed enclosed = is_full ? enclose_zero(simplex()) : Enclosed::no;
      if (enclosed == Enclosed::yes) return overlapping();
      const double distance = drop_superfluous();
      if (!(distance < last_distance_)) {  // rounding makes it no better, or the new point is 0 itself
        if (last.count > 0) simplex() = last;
        return refined();
      }
      if (enclosed == Enclosed::barely) return refined();
      last_distance_ = distance;
      next = difference_.lowest(n_, next);
      const double separation = dot(next.w, n_), gap = height_ - separation;
      if (gap <= k_converged * scale_) return separated(separation);
      if (curved_ ? gap <= k_converged_curved * scale_ || iteration >= most_curved_iterations_
                  : iteration >= k_most_iterations || is_repeated(next))
        return refined();
    }
  }

  void add(const Point& p) {
    simplex().weights[simplex().count] = simplex().count == 0 ? 1 : 0;
    simplex().points[simplex().count++] = p;
  }
  bool is_repeated(const Point& p) {
    for (int k = 0; k < simplex().count; ++k)
      if (simplex().points[k].same_generators(p)) return true;
    return false;
  }

  // Reduces the simplex to the points that hold its nearest point to 0: of all its faces that have the newest point,
  // and whose own nearest point lies inside, the nearest. Sets n and the height along it, and returns the distance.
  double drop_superfluous() {
    Face best;
    for (unsigned bits = 0; bits < 1u << (simplex().count - 1); ++bits) {
      Face face = face_of(bits);
      if (face.count == 0) continue;
      face.flat = flat_through(std::span<const Point* const>(face.points.data(), face.count));
      bool inside = face.flat.exists;
      for (std::size_t k = 0; k < face.count; ++k) inside = inside && face.flat.weights[k] >= 0;
      if (!inside) continue;
      Vec nearest{};
      for (std::size_t k = 0; k < face.count; ++k) nearest += face.flat.weights[k] * face.points[k]->w;
      face.distance = length(nearest);
      if (face.distance < best.distance) best = face;
    }
    if (best.count == 0) return k_huge;
    n_ = best.flat.normal;
    height_ = smaller(best.flat.height, best.distance);
    Simplex<D> kept;
    for (std::size_t k = 0; k < best.count; ++k) {
      kept.points[k] = *best.points[k];
      kept.weights[k] = best.flat.weights[k];
    }
    kept.count = int(best.count);
    simplex() = kept;
    return best.distance;
  }
  struct Face {
    std::array<const Point*, D::k_linear> points{};
    std::size_t count = 0;
    Flat<D> flat{};
    double distance = k_huge;  // [m] from 0
  };
  // The newest point and those whose bits are set; empty if they are too many.
  Face face_of(unsigned bits) {
    Face face;
    face.points[face.count++] = &simplex().points[simplex().count - 1];
    for (int k = 0; k + 1 < simplex().count; ++k)
      if (bits >> k & 1u) {
        if (face.count == D::k_linear) return {};
        face.points[face.count++] = &simplex().points[k];
      }
    return face;
  }

  void separated(double distance) {
    result_.overlap = false;
    result_.distance = distance;
    result_.normal = n_;
    set_points();
  }
  void overlapping() {
    result_.overlap = true;  // the weights make 0 of the simplex, so the points are one and the same
    result_.distance = 0;
    result_.normal = n_;
    set_points();
  }
  void set_points() {
    Vec a{}, b{};
    for (int k = 0; k < simplex().count; ++k) {
      a += simplex().weights[k] * simplex().points[k].a;
      b += simplex().weights[k] * simplex().points[k].b;
    }
    result_.on_a = difference_.on_a(a);
    result_.on_b = difference_.on_b(b);
  }

  void refined() {
    const Refined<D> best = refine<D>(difference_, simplex(), n_, Goal::distance);
    result_.iterations += best.iterations;
    simplex() = best.simplex;
    n_ = best.normal;
    best.separation > 0 ? separated(best.separation) : overlapping();
  }

  Difference<D> difference_;
  bool curved_;
  int most_curved_iterations_ = k_most_curved_iterations;
  Vec n_;
  double scale_ = 0;
  double height_ = 0;  // [m] of the simplex along n
  double last_distance_ = k_huge;
  Nearest<D> result_;
};

}  // namespace

Nearest<Dim2> nearest(const Core2& a, const Core2& b, const Pose2& b_in_a, const Vec2& guess) {
  return Search<Dim2>(a, b, b_in_a, guess).run();
}
Nearest<Dim3> nearest(const Core3& a, const Core3& b, const Pose3& b_in_a, const Vec3& guess) {
  return Search<Dim3>(a, b, b_in_a, guess).run();
}

}  // namespace cairn
