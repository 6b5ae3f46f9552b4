// Concave outlines as convex parts: nothing lost, nothing twice, and not too many.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "geometry/geometry_2d.h"
#include "geometry/predicates.h"
#include "geometry/shape_samples.h"
#include "geometry/simple_outline.h"

namespace cairn {
namespace {

using samples::Random;
using samples::refusal;
using samples::uniform;
using Outline = std::vector<Vec2>;

std::vector<Outline> parts_of(const Outline& outline) {
  std::vector<Outline> parts;
  for (const CompoundPart2& part : convex_decomposition(outline).parts) {
    EXPECT_EQ(part.position, Vec2{});
    parts.push_back(std::get<Polygon>(part.shape).points);
  }
  return parts;
}

long double area(const Outline& outline) {
  long double sum = 0;
  for (std::size_t i = 1; i + 1 < outline.size(); ++i) {
    const Vec2 o = outline[0], p = outline[i], q = outline[i + 1];
    sum += ((long double)(p.x) - o.x) * ((long double)(q.y) - o.y) -
           ((long double)(p.y) - o.y) * ((long double)(q.x) - o.x);
  }
  return sum / 2;
}

int reflex_corners(const Outline& outline) {
  const std::size_t n = outline.size();
  int count = 0;
  for (std::size_t i = 0; i < n; ++i)
    count +=
        orient2d(outline[(i + n - 1) % n], outline[i], outline[(i + 1) % n]) * (area(outline) > 0 ? 1 : -1) <
        0;
  return count;
}

// By the number of edges to the right (PNPOLY's rule).
bool holds(const Outline& outline, const Vec2& p) {
  bool inside = false;
  for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
    const Vec2 a = outline[i], b = outline[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

double distance_to_edges(const Outline& outline, const Vec2& p) {
  double least = 1e300;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2 a = outline[i], u = outline[(i + 1) % outline.size()] - a;
    least = std::min(least, length(p - a - clamp(dot(p - a, u) / dot(u, u), 0, 1) * u));
  }
  return least;
}

void check(const Outline& outline, Random& random, std::size_t most_parts = 0) {
  const std::vector<Outline> parts = parts_of(outline);
  long double sum = 0;
  std::set<std::pair<double, double>> corners;
  Vec2 lo = outline[0], hi = outline[0];
  for (const Vec2& p : outline) {
    corners.insert({p.x, p.y});
    lo = smaller(lo, p);
    hi = larger(hi, p);
  }
  const double size = length(hi - lo);
  for (const Outline& part : parts) {
    const std::size_t n = part.size();
    ASSERT_GE(n, 3u);
    sum += area(part);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_GT(orient2d(part[i], part[(i + 1) % n], part[(i + 2) % n]), 0);
      EXPECT_TRUE(corners.count({part[i].x, part[i].y}));
    }
    EXPECT_NO_THROW(build(Polygon{part}));
  }
  EXPECT_NEAR(double(sum / std::abs(area(outline))), 1, 1e-12);
  EXPECT_LE(parts.size(), std::size_t(2 * reflex_corners(outline) + 1));
  EXPECT_TRUE(most_parts == 0 || parts.size() <= most_parts) << parts.size() << " parts";
  for (int i = 0; i < 300; ++i) {
    const Vec2 p{uniform(random, lo.x, hi.x), uniform(random, lo.y, hi.y)};
    int times = 0;
    double edge = distance_to_edges(outline, p);
    for (const Outline& part : parts) {
      times += holds(part, p);
      edge = std::min(edge, distance_to_edges(part, p));
    }
    EXPECT_TRUE(edge < 1e-9 * size || times == int(holds(outline, p)));
  }
}

void check_everywhere(const Outline& outline, Random& random, std::size_t most_parts = 0) {
  check(outline, random, most_parts);
  Outline changed = outline;
  std::reverse(changed.begin(), changed.end());
  check(changed, random, most_parts);
  std::rotate(changed.begin(), changed.begin() + std::ptrdiff_t(changed.size() / 3), changed.end());
  const Rot2 turn = samples::rotation2(random);
  for (Vec2& p : changed) p = turn * p;
  check(changed, random);
  for (Vec2& p : changed) p = p * 1e-3 + Vec2{0.1, 0.2};  // small
  check(changed, random);
}

Outline star(Random& random, int corners, double least) {
  Outline outline;
  for (int i = 0; i < corners; ++i) {
    const auto [sine, cosine] = portable::sin_cos(2 * k_pi * i / corners);
    outline.push_back(uniform(random, least, 1) * Vec2{cosine, sine});
  }
  return outline;
}
Outline comb(int teeth) {
  Outline outline{{0, 0}, {2. * teeth, 0}};
  for (int i = teeth; i-- > 0;) {
    outline.push_back({2. * i + 1.5, 5});
    outline.push_back({2. * i + 0.5, 5});
    if (i > 0) outline.push_back({2. * i + 0.25, 1});
    if (i > 0) outline.push_back({2. * i - 0.25, 1});
  }
  return outline;
}
Outline spiral(int turns) {
  Outline outline;
  const int n = 40 * turns;
  for (int i = 0; i <= n; ++i) {
    const auto [sine, cosine] = portable::sin_cos(2 * k_pi * i / 40);
    outline.push_back((1 + i / 40.) * Vec2{cosine, sine});
  }
  for (int i = n; i >= 0; --i) {
    const auto [sine, cosine] = portable::sin_cos(2 * k_pi * i / 40);
    outline.push_back((0.6 + i / 40.) * Vec2{cosine, sine});
  }
  return outline;
}

TEST(ConvexDecomposition, small_outlines_have_few_parts) {
  Random random(1);
  check_everywhere({{0, 0}, {1, 0}, {0, 1}}, random, 1);
  check_everywhere({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, random, 2);  // L
  check_everywhere(
      {{1, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {2, 2}, {2, 3}, {1, 3}, {1, 2}, {0, 2}, {0, 1}, {1, 1}},
      random, 5);                                                                                 // plus
  check_everywhere({{0, 0}, {4, 0}, {4, 3}, {3, 3}, {3, 1}, {1, 1}, {1, 3}, {0, 3}}, random, 3);  // U
  check_everywhere({{0, 0}, {2, 0.1}, {4, 0}, {2, 3}}, random, 2);  // an arrowhead
}

TEST(ConvexDecomposition, a_convex_outline_stays_one) {
  Outline circle;
  for (int i = 0; i < 300; ++i) {
    const auto [sine, cosine] = portable::sin_cos(2 * k_pi * i / 300);
    circle.push_back({100 + 3 * cosine, sine});
  }
  EXPECT_EQ(convex_decomposition(circle).parts.size(), 1u);
}

TEST(ConvexDecomposition, stars_combs_and_spirals_of_a_thousand_corners) {
  Random random(2);
  check_everywhere(star(random, 1000, 0.2), random);
  check_everywhere(star(random, 1000, 0.999), random);
  check_everywhere(star(random, 17, 0.01), random);
  check_everywhere(comb(250), random);
  check_everywhere(spiral(12), random);
}

TEST(ConvexDecomposition, random_outlines) {
  Random random(3);
  for (int i = 0; i < 150; ++i) check_everywhere(star(random, 3 + i % 40, 0.05), random);
}

// Edges cut into many pieces, whose corners are on the line only to round-off: the pieces do not become parts.
TEST(ConvexDecomposition, straight_runs_are_no_corners) {
  Random random(4);
  const Outline whole = comb(20);
  for (int round = 0; round < 5; ++round) {
    const Rot2 turn = samples::rotation2(random);
    Outline coarse, fine;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const Vec2 p = whole[i], q = whole[(i + 1) % whole.size()];
      coarse.push_back(turn * p);
      for (int k = 0; k < 10; ++k) fine.push_back(turn * (p + (q - p) * (k / 10.)));
    }
    EXPECT_LE(convex_decomposition(fine).parts.size(), 21u);  // the teeth and the back, as with whole numbers
    long double sum = 0;
    for (const Outline& part : parts_of(fine)) sum += area(part);
    EXPECT_NEAR(double(sum / area(coarse)), 1, 1e-12);
  }
}

TEST(ConvexDecomposition, spikes_slots_and_far_places) {
  Random random(5);
  check_everywhere({{0, 0}, {4, 0}, {4, 1}, {2.0000001, 1}, {2, 1000}, {1.9999999, 1}, {0, 1}},
                   random);  // a spike
  check_everywhere({{0, 0}, {4, 0}, {4, 4}, {2.0000001, 4}, {2, 0.001}, {1.9999999, 4}, {0, 4}},
                   random);  // a slot
  Outline far = comb(30);
  for (Vec2& p : far) p += Vec2{1e6, -3e6};
  check(far, random);
  for (Vec2& p : far) p = 1e30 * p;
  check(far, random);
}

TEST(ConvexDecomposition, mass_is_that_of_the_outline) {
  const Compound2 l = convex_decomposition(Outline{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}});
  const MassProperties2 mass = mass_properties(l, 2);
  EXPECT_NEAR(mass.mass, 6, 1e-14);
  EXPECT_NEAR(mass.center.x, 5. / 6, 1e-14);
  EXPECT_NEAR(mass.center.y, 5. / 6, 1e-14);
}

TEST(ConvexDecomposition, refuses_what_is_not_simple) {
  const auto text = [](const Outline& outline) { return refusal([&] { convex_decomposition(outline); }); };
  EXPECT_EQ(text({{0, 0}, {1, 0}}), "outline = 2 corners: must be at least 3 corners");
  EXPECT_EQ(text({{0, 0}, {1, NAN}, {1, 1}}), "outline[1].y = nan m: must be finite");
  EXPECT_EQ(text({{0, 0}, {2, 2}, {2, 0}, {0, 2}}),
            "outline[0] = the edge from (0, 0) to (2, 2) m: crosses or touches edge 2, the edge from (2, 0) "
            "to (0, 2) "
            "m; list the corners in order around the outline");
  EXPECT_EQ(text({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}),
            "outline[0] = (0, 0) m: is also corner 4; each corner must be listed once, the first one not "
            "again at the "
            "end");
  EXPECT_EQ(
      text({{0, 0}, {4, 0}, {2, 0}, {2, 2}}),
      "outline[1] = (4, 0) m: is the tip of a spike without width: the edges before and after it lie on each "
      "other");
  EXPECT_NE(text({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}), "");  // a corner on an edge
  EXPECT_NE(text({{0, 0}, {1, 1}, {2, 2}}), "");                  // no area
  EXPECT_NE(text({{0, 0}, {3, 0}, {1, 1e-17}}), "");
}

// The exact checks see what rounding hides.
TEST(ConvexDecomposition, sees_corners_that_barely_touch) {
  EXPECT_TRUE(is_simple(Outline{{0, 0}, {4, 0}, {4, 4}, {2, 0x1p-60}, {0, 4}}));
  EXPECT_FALSE(is_simple(Outline{{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}));
  EXPECT_FALSE(is_simple(Outline{{0, 0}, {4, 0}, {4, 4}, {2, -0x1p-60}, {0, 4}}));
  EXPECT_FALSE(is_simple(Outline{{0, 0}, {2, 0}, {2, 4}, {0, 4}, {0, 3}, {2, 2}, {0, 1}}));
}

}  // namespace
}  // namespace cairn
