#include "geometry/refinement.h"

namespace cairn {
namespace {

template <class D>
class Search {
 public:
  using Vec = typename D::Vec;
  using Point = DifferencePoint<D>;

  Search(const Difference<D>& difference, const Simplex<D>& known, const Vec& start, Goal goal)
      : difference_(difference), best_{start, -k_huge, known, 0}, goal_(goal), axis_(start) {
    for (int k = 0; k < known.count; ++k) add(known.points[k]);
    nearest_ = length(nearest_point(known));
  }

  Refined<D> run() {
    ask(axis_);
    if (count_ <= D::k_linear) {  // mostly the right generators are known
      std::array<int, D::k_linear> all{};
      for (int k = 0; k < count_; ++k) all[k] = k;
      try_subset(all, count_);
      if (!take_best_candidate() && settled_) return best_;
    }
    std::array<Vec, 4> space;
    for (const Vec& n : disc_axes(difference_, space)) ask(n);
    add_siblings(difference_.lowest(axis_));
    for (int newest = 0, round = 0; round < k_most_rounds; ++round) {
      try_subsets(newest);
      newest = count_;
      if (!take_best_candidate() || count_ == newest) break;
    }
    return best_;
  }

 private:
  static constexpr int k_most = 32, k_most_rounds = 48;
  static constexpr double k_huge = 1e300;
  static constexpr double k_round_off = 1e-15, k_settled = 1e-13;  // of the scale

  struct Candidate {
    Flat<D> flat;
    std::array<int, D::k_linear> members{};
    int count = 0;
    double lowest = -k_huge;  // over the list, along the flat's normal
    double smallest_weight = -1;
  };

  void add(const Point& p) {
    for (int k = 0; k < count_; ++k)
      if (list_[k].same_generators(p)) return;
    if (count_ == k_most) return;
    list_[count_++] = p;
    scale_ = larger(scale_, largest_component(p.w));
  }

  // The other disc, or the apex, of a curved core: where the axis is held by both, only one is the lowest.
  void add_siblings(const Point& p) {
    const std::uint32_t flip_a = difference_.a().is_curved(), flip_b = difference_.b().is_curved();
    for (const std::uint32_t id_a : {p.id_a, p.id_a ^ flip_a})
      for (const std::uint32_t id_b : {p.id_b, p.id_b ^ flip_b}) {
        Point sibling = p;
        sibling.id_a = id_a;
        sibling.id_b = id_b;
        add(lowest_of(difference_, sibling, axis_));
      }
  }

  // The true separation along n.
  double ask(const Vec& n) {
    const Point p = difference_.lowest(n, list_[0]);
    const double separation = dot(p.w, n);
    ++best_.iterations;
    add(p);
    if (separation > best_.separation) {
      best_.separation = separation;
      best_.normal = n;
      axis_ = n;
    }
    return separation;
  }

  double lowest_in_list(const Vec& n) const {
    double lowest = k_huge;
    for (int k = 0; k < count_; ++k) lowest = smaller(lowest, dot(lowest_of(difference_, list_[k], n).w, n));
    return lowest;
  }

  // All subsets with a member from `newest` on; the candidate is kept if it is still the best for the longer list.
  void try_subsets(int newest) {
    if (candidate_.count) candidate_.lowest = lowest_in_list(candidate_.flat.normal);
    std::array<int, D::k_linear> members{};
    const auto extend = [&](const auto& self, int size, int from) -> void {
      if (size > 0 && members[size - 1] >= newest) try_subset(members, size);
      if (size == D::k_linear) return;
      for (int k = from; k < count_; ++k) {
        members[size] = k;
        self(self, size + 1, k + 1);
      }
    };
    extend(extend, 0, 0);
  }

  void try_subset(const std::array<int, D::k_linear>& members, int size) {
    std::array<const Point*, D::k_linear> points{};
    for (int k = 0; k < size; ++k) points[k] = &list_[members[k]];
    Candidate c;
    c.flat =
        best_axis(difference_, std::span<const Point* const>(points.data(), std::size_t(size)), axis_, goal_);
    if (!c.flat.exists) return;
    c.members = members;
    c.count = size;
    c.lowest = lowest_in_list(c.flat.normal);
    c.smallest_weight = c.flat.weights[0];
    for (int k = 1; k < size; ++k) c.smallest_weight = smaller(c.smallest_weight, c.flat.weights[k]);
    const double tie = k_round_off * scale_;
    if (c.lowest > candidate_.lowest + tie ||
        (c.lowest > candidate_.lowest - tie && c.smallest_weight > candidate_.smallest_weight))
      candidate_ = c;
  }

  // False where nothing lies lower than the list.
  bool take_best_candidate() {
    if (!candidate_.count) return false;
    const Vec n = candidate_.flat.normal;
    const double separation = ask(n);
    if (separation >= best_.separation - k_round_off * scale_ || goal_ == Goal::distance)
      keep_simplex(n, separation);
    return candidate_.lowest - separation > k_round_off * scale_;
  }

  // A point of the difference, and the nearer to 0 the better.
  void keep_simplex(const Vec& n, double separation) {
    Simplex<D> s;
    s.count = candidate_.count;
    double sum = 0;
    for (int k = 0; k < s.count; ++k) {
      s.points[k] = lowest_of(difference_, list_[candidate_.members[k]], n);
      s.weights[k] = larger(candidate_.flat.weights[k], 0);
      sum += s.weights[k];
    }
    for (int k = 0; k < s.count; ++k) s.weights[k] /= sum;
    if (goal_ == Goal::depth && candidate_.smallest_weight < 0) return;  // not on the surface
    const Vec nearest = nearest_point(s);
    settled_ = length(nearest - separation * n) <= k_settled * scale_;
    const double distance = length(nearest);
    if (distance >= nearest_ && goal_ == Goal::distance) return;
    nearest_ = distance;
    best_.simplex = s;
  }

  const Difference<D>& difference_;
  Refined<D> best_;
  Goal goal_;
  Vec axis_;  // the best so far, where curved subsets start
  std::array<Point, k_most> list_{};
  int count_ = 0;
  double scale_ = 0;
  double nearest_ = k_huge;
  bool settled_ = false;  // the last simplex has its point just where the axis says
  Candidate candidate_;
};

}  // namespace

template <class D>
Refined<D> refine(const Difference<D>& difference, const Simplex<D>& known, const typename D::Vec& start,
                  Goal goal) {
  return Search<D>(difference, known, start, goal).run();
}
template Refined<Dim2> refine(const Difference<Dim2>&, const Simplex<Dim2>&, const Vec2&, Goal);
template Refined<Dim3> refine(const Difference<Dim3>&, const Simplex<Dim3>&, const Vec3&, Goal);

}  // namespace cairn
