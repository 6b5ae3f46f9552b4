// Rays against height fields: only the cells under the ray are asked.
//
// The walk goes along the grid axis on which the ray makes the most cells, strip by strip, and asks the cells
// that the ray crosses in each strip: seen from above
//
//     │   │ . │   │          | strips, one column wide
//     ├───┼─.─┼───┤
//     │   │.##│   │          # cells asked: in each strip those between where the ray comes in and goes out,
//     ├───┼#──┼───┤            at most three
//     │  #│   │   │
//
// Strips and cells are taken a little too large, so that the walk never decides a hit: the exact test of the
// triangles does (ray_surface.h).
#include "geometry/ray_surface.h"

namespace cairn {
namespace {

constexpr double k_slack = 1e-6;  // [cells] coordinates of up to 65536 cells are right to 1e-11

struct Walk {
  const HeightGrid& grid;
  const Line3& line;
  View view{line};

  double first_s = k_infinity;
  Vec3 normal{};  // of the triangle hit there

  void ask(const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto s = view.meet(view.look(a), view.look(b), view.look(c));
    if (!s || *s >= first_s) return;
    first_s = *s;
    normal = cross(b - a, c - a);
  }
  void ask_cell(std::size_t i, std::size_t j) {
    const Vec3 a = grid.sample(i, j), c = grid.sample(i + 1, j + 1);
    ask(a, grid.sample(i + 1, j), c);
    ask(a, c, grid.sample(i, j + 1));
  }
};

// The stretch of the ray that may meet the field: over the grid and between its lowest and highest sample.
Chord near_part(const HeightGrid& grid, const Line3& line, const Vec3& middle, const Vec3& half) {
  const Vec3 slack{k_slack * grid.field.spacing.x, k_slack * grid.field.spacing.y,
                   k_box_slack * (largest_component(half) + absolute(middle.z))};
  const Chord over = chord_in_box(line, middle, half + slack);
  return {larger(over.enter, line.begin - slack.z), smaller(over.exit, line.end + slack.z)};
}

struct CellRange {
  std::ptrdiff_t first, last;  // empty where first > last
};
CellRange cells_between(double a, double b, std::uint32_t samples) {
  const double last_cell = double(samples) - 2;
  return {std::ptrdiff_t(clamp(std::floor(smaller(a, b) - k_slack), 0, last_cell)),
          std::ptrdiff_t(clamp(std::floor(larger(a, b) + k_slack), 0, last_cell))};
}

// Coordinates in cells, of the axis walked along and of the other one: p + s d.
struct GridAxis {
  double p, d;
  std::uint32_t samples;
  double at(double s) const { return p + s * d; }
};

template <class AskCell>
void walk(const GridAxis& main, const GridAxis& side, const Chord& part, AskCell ask_cell) {
  const CellRange strips = cells_between(main.at(part.enter), main.at(part.exit), main.samples);
  const bool forward = main.d >= 0;
  for (std::ptrdiff_t k = 0; k <= strips.last - strips.first; ++k) {
    const std::ptrdiff_t i = forward ? strips.first + k : strips.last - k;
    Chord strip = part;
    if (main.d != 0) {
      const double s0 = (double(i) - k_slack - main.p) / main.d,
                   s1 = (double(i + 1) + k_slack - main.p) / main.d;
      strip = {larger(part.enter, smaller(s0, s1)), smaller(part.exit, larger(s0, s1))};
    }
    const CellRange cells = cells_between(side.at(strip.enter), side.at(strip.exit), side.samples);
    bool hit = false;
    for (std::ptrdiff_t j = cells.first; j <= cells.last; ++j)
      hit |= ask_cell(std::size_t(i), std::size_t(j));
    if (hit) return;
  }
}

}  // namespace

std::optional<RayHit3> cast_surface(const HeightGrid& grid, const Ray3& ray) {
  const HeightField& field = grid.field;
  const Vec3 half{0.5 * (field.columns - 1) * field.spacing.x, 0.5 * (field.rows - 1) * field.spacing.y,
                  0.5 * (grid.highest - grid.lowest)};
  const Vec3 middle{half.x, half.y, grid.lowest + half.z};
  const Line3 line = line_of(ray, middle);
  const Chord part = near_part(grid, line, middle, half);
  if (!(part.enter <= part.exit)) return std::nullopt;

  Walk search{grid, line};
  const GridAxis x{line.origin.x / field.spacing.x, line.direction.x / field.spacing.x, field.columns};
  const GridAxis y{line.origin.y / field.spacing.y, line.direction.y / field.spacing.y, field.rows};
  const auto has_hit_in = [&](std::size_t i, std::size_t j) {
    search.ask_cell(i, j);
    return search.first_s < k_infinity;
  };
  if (absolute(x.d) >= absolute(y.d))
    walk(x, y, part, has_hit_in);
  else
    walk(y, x, part, [&](std::size_t j, std::size_t i) { return has_hit_in(i, j); });
  if (search.first_s == k_infinity) return std::nullopt;
  return hit_surface(line, search.first_s, search.normal);
}

}  // namespace cairn
