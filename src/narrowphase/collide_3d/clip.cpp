// Clipping in the projection along the contact normal.
//
// Polygon against polygon follows Sutherland and Hodgman (1974): b's outline is cut by one side of a's after
// the other. Each side of the outline remembers whose it is, so that a corner of the result can be named by
// what made it: a corner of b inside a's outline, the crossing of two sides, or (two sides of a) a corner of
// a. Rounding cannot lose the polygon or order its corners wrongly, as it could if corners inside and
// crossings were collected one by one.
#include "narrowphase/collide_3d/clip.h"

#include <utility>

#include "narrowphase/collide_3d/shadow.h"

namespace cairn {
namespace {

// Where a point lies on a feature.
struct Place {
  enum Kind { corner, side, inside } kind = inside;
  std::size_t index = 0;
};

class Clipper {
 public:
  Clipper(const Facing& a, const Facing& b, const ClipFrame& frame, double margin, PatchPoints& out)
      : a_(a, frame), b_(b, frame), frame_(frame), margin_(margin), out_(out) {}

  void run() {
    if (a_.count == 1 || b_.count == 1) return;
    if (a_.count == 0 || b_.count == 0) return take_all();
    if (a_.count == 2 && b_.count == 2) return two_segments();
    if (a_.count == 2) return segment_and_polygon(a_, b_, -1);
    if (b_.count == 2) return segment_and_polygon(b_, a_, 1);
    two_polygons();
  }

 private:
  static std::uint32_t name(const Shadow& s, const Place& at) {
    if (at.kind == Place::corner) return s.feature.corner_names[at.index];
    return at.kind == Place::side ? s.feature.side_names[at.index] : s.feature.name;
  }
  static double height(const Shadow& s, const Place& at, double x, double y) {
    if (at.kind == Place::corner) return s.corners[at.index].height;
    return at.kind == Place::side ? s.side_height(at.index, x, y) : s.plane_height(x, y);
  }
  void emit(double x, double y, double height_a, double height_b, const Features& names) {
    const double separation = height_b - height_a;
    if (!(separation <= margin_)) return;
    out_.add({frame_.origin + x * frame_.u + y * frame_.v + height_a * frame_.n, separation, names});
  }
  void emit(double x, double y, const Place& on_a, const Place& on_b) {
    emit(x, y, height(a_, on_a, x, y), height(b_, on_b, x, y), {name(a_, on_a), name(b_, on_b)});
  }

  // One of the two is a plane: every corner of the other.
  void take_all() {
    const bool plane_is_a = a_.count == 0;
    const Shadow& s = plane_is_a ? b_ : a_;
    for (std::size_t k = 0; k < s.count; ++k) {
      const Place corner{Place::corner, k};
      emit(s.corners[k].x, s.corners[k].y, plane_is_a ? Place{} : corner, plane_is_a ? corner : Place{});
    }
  }

  // Near a sharp corner, what is just outside two sides may be far outside the polygon.
  bool is_over(const Shadow& polygon, double sense, const Flat& p) const {
    return distance(nearest_point(polygon, sense, p), p) <= 2 * frame_.tolerance;
  }

  // The stretch of the segment inside the polygon, which is counter-clockwise for sense = 1 (Cyrus and Beck,
  // 1978).
  void segment_and_polygon(const Shadow& segment, const Shadow& polygon, double sense) {
    const Flat &from = segment.corners[0], &to = segment.corners[1];
    double begin = 0, end = 1;
    bool certain = true;  // no tolerance was needed
    Place begin_on{Place::corner, 0}, end_on{Place::corner, 1}, begin_under, end_under;
    for (std::size_t k = 0; k < polygon.count; ++k) {
      const Flat &p = polygon.corners[k], &q = polygon.corners[polygon.next(k)];
      const double slack = frame_.tolerance * distance(p, q);
      const double d0 = sense * cross(p, q, from), d1 = sense * cross(p, q, to);
      if (d0 < -slack && d1 < -slack) return;
      certain = certain && (d0 >= 0 || d0 < -slack) && (d1 >= 0 || d1 < -slack);
      if (d0 < -slack && d0 / (d0 - d1) > begin) {
        begin = d0 / (d0 - d1);
        begin_on = {Place::side, 0};
        begin_under = {Place::side, k};
      } else if (d1 < -slack && d0 / (d0 - d1) < end) {
        end = d0 / (d0 - d1);
        end_on = {Place::side, 0};
        end_under = {Place::side, k};
      }
    }
    if ((begin - end) * distance(from, to) > frame_.tolerance) return;
    certain = certain && begin <= end;
    const auto emit_at = [&](double t, const Place& on, const Place& under) {
      const Flat p = between(from, to, clamp(t, 0, 1));
      if (!certain && !is_over(polygon, sense, p)) return;
      if (&segment == &a_)
        emit(p.x, p.y, on, under);
      else
        emit(p.x, p.y, under, on);
    };
    emit_at(begin, begin_on, begin_under);
    if ((end - begin) * distance(from, to) > frame_.tolerance) emit_at(end, end_on, end_under);
  }

  // ---------------------------------------------------------------------------------- polygon and polygon

  struct Corner {
    double x, y;
    Place on_a, on_b;
    bool side_of_b;    // the side that leaves here: b's or a's,
    std::size_t side;  // and which
    bool certain;      // inside without a tolerance; or between two that are
  };
  using Outline = std::array<Corner, 2 * Facing::k_most_corners>;

  // Where the side of the outline from p to q crosses side k of a. `leaving`: a is left there.
  Corner crossing(const Corner& p, const Corner& q, double t, std::size_t k, bool leaving) const {
    Corner c{p.x + t * (q.x - p.x), p.y + t * (q.y - p.y),         {Place::side, k},
             {Place::side, p.side}, leaving ? false : p.side_of_b, leaving ? k : p.side,
             p.certain && q.certain};
    if (p.side_of_b) return c;
    // Two sides of a meet in one of its corners.
    const std::size_t corner = a_.next(p.side) == k ? k : a_.next(k);
    c.on_a = {Place::corner, corner};
    c.on_b = {Place::inside, 0};
    if (a_.next(p.side) == k || a_.next(k) == p.side) {
      c.x = a_.corners[corner].x;
      c.y = a_.corners[corner].y;
    }
    return c;
  }

  // What of the outline is on the inner side of side k of a.
  std::size_t cut(std::size_t k, const Outline& in, std::size_t count, Outline& out) const {
    const Flat &p = a_.corners[k], &q = a_.corners[a_.next(k)];
    const double slack = frame_.tolerance * distance(p, q);
    const auto inside_by = [&](const Corner& c) { return cross(p, q, Flat{c.x, c.y, 0}); };
    std::size_t n = 0;
    const auto add = [&](const Corner& c) {
      if (n < out.size()) out[n++] = c;
    };
    double d = count > 0 ? inside_by(in[0]) : 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Corner &here = in[i], &then = in[i + 1 == count ? 0 : i + 1];
      const double d_then = inside_by(then);
      const bool is_in = d >= -slack, then_in = d_then >= -slack;
      if (is_in) {
        add(here);
        out[n - 1].certain &= d >= 0;
        if (!then_in && d <= slack) {  // on the line, and out: goes on along the line
          out[n - 1].side_of_b = false;
          out[n - 1].side = k;
        } else if (!then_in) {
          add(crossing(here, then, d / (d - d_then), k, true));
        }
      } else if (then_in && d_then > slack) {
        add(crossing(here, then, d / (d - d_then), k, false));
      }
      d = d_then;
    }
    return n;
  }

  void two_polygons() {
    Outline first, second;
    std::size_t count = b_.count;
    for (std::size_t k = 0; k < count; ++k)
      first[k] = {b_.corners[k].x, b_.corners[k].y, {Place::inside, 0}, {Place::corner, k}, true, k, true};
    Outline *now = &first, *then = &second;
    for (std::size_t k = 0; k < a_.count && count > 0; ++k) {
      count = cut(k, *now, count, *then);
      std::swap(now, then);
    }
    for (const Corner& c : std::span(*now).first(count))
      if (c.certain || is_over(a_, 1, Flat{c.x, c.y, 0})) emit(c.x, c.y, c.on_a, c.on_b);
  }

  // ---------------------------------------------------------------------------------- segment and segment

  void two_segments() {
    constexpr double k_nearly_parallel = 0.17, k_parallel = 1e-12;  // sines
    const Flat &p = a_.corners[0], &q = a_.corners[1], &r = b_.corners[0], &s = b_.corners[1];
    const double along_a = distance(p, q), along_b = distance(r, s);
    const double turn = (q.x - p.x) * (s.y - r.y) - (q.y - p.y) * (s.x - r.x);
    if (absolute(turn) < k_nearly_parallel * along_a * along_b) side_by_side(along_a);
    if (absolute(turn) < k_parallel * along_a * along_b) return;
    const double t = cross(r, s, p) / turn, w = -cross(p, q, r) / turn;
    const double slack_a = frame_.tolerance / along_a, slack_b = frame_.tolerance / along_b;
    if (t < -slack_a || t > 1 + slack_a || w < -slack_b || w > 1 + slack_b) return;
    Flat at = between(p, q, clamp(t, 0, 1));
    // Nearly parallel segments cross anywhere, but for rounding: somewhere on both of them will do.
    at = nearest_on(r, s, at);
    at = nearest_on(p, q, at);
    emit(at.x, at.y, Place{Place::side, 0}, Place{Place::side, 0});
  }

  // Segments that are nearly parallel touch along all that they have in common, if they are in line. Round
  // sides touch each other beside their lines as well: where the lines are `offset` apart, the gap is
  // smallest at a distance from them in the proportion of the radii.
  void side_by_side(double length_a) {
    const Flat &p = a_.corners[0], &q = a_.corners[1];
    const Vec2 e = Vec2{q.x - p.x, q.y - p.y} / length_a;  // coordinates along a, from p, and to the left
    const auto along = [&](const Flat& x) { return e.x * (x.x - p.x) + e.y * (x.y - p.y); };
    const auto beside = [&](const Flat& x) { return e.x * (x.y - p.y) - e.y * (x.x - p.x); };
    const std::size_t low = along(b_.corners[1]) > along(b_.corners[0]) ? 0 : 1, high = 1 - low;
    const double b_low = along(b_.corners[low]), b_high = along(b_.corners[high]);
    const double begin = larger(0, b_low), end = smaller(length_a, b_high);
    if (begin - end > frame_.tolerance || !(b_high > b_low)) return;

    const double round_a = a_.feature.radius, round_b = b_.feature.radius, round = round_a + round_b;
    const auto emit_at = [&](double s, double inwards, const Place& on_a, const Place& on_b) {
      for (int tries = 0; tries < 3; ++tries) {
        const double share = clamp((s - b_low) / (b_high - b_low), 0, 1);
        const double offset = beside(between(b_.corners[low], b_.corners[high], share));
        if (absolute(offset) > 0.25 * round + frame_.tolerance) return;
        const double from_a = offset * (round > 0 ? round_a / round : 0.5);
        const double x = p.x + s * e.x - from_a * e.y, y = p.y + s * e.y + from_a * e.x;
        const RoundHeight at_a = round_height(a_, x, y), at_b = round_height(b_, x, y);
        const double beyond = larger(at_a.beyond, at_b.beyond);
        if (beyond <= frame_.tolerance)
          return emit(x, y, at_a.height, at_b.height, {name(a_, on_a), name(b_, on_b)});
        s += inwards * beyond;
      }
    };
    const Place side{Place::side, 0};
    if (b_low > 0)
      emit_at(begin, 1, side, {Place::corner, low});
    else
      emit_at(begin, 1, {Place::corner, 0}, side);
    if (end - begin <= frame_.tolerance) return;
    if (b_high < length_a)
      emit_at(end, -1, side, {Place::corner, high});
    else
      emit_at(end, -1, {Place::corner, 1}, side);
  }

  struct RoundHeight {
    double height;  // [m] of the round side above (x, y)
    double beyond;  // [m] by how much that is beyond the ends of the side; negative within
  };
  // With m from the axis to the line and l at right angles to both, the side is line + y l − (r − √(r² − y²))
  // m.
  RoundHeight round_height(const Shadow& s, double x, double y) const {
    const Flat &from = s.corners[0], &to = s.corners[1];
    const double length = distance(from, to);
    const Vec2 e = Vec2{to.x - from.x, to.y - from.y} / length;
    const double r = s.feature.radius, beside = e.x * (y - from.y) - e.y * (x - from.x);
    double inward = 0;
    if (r > 0) inward = beside * beside / (r + square_root(larger(0, (r - beside) * (r + beside))));
    const Vec3 shift = r > 0 ? -inward * s.feature.from_axis : Vec3{};
    const double shift_along = e.x * dot(frame_.u, shift) + e.y * dot(frame_.v, shift);
    const double along = e.x * (x - from.x) + e.y * (y - from.y) - shift_along;
    return {between(from, to, clamp(along / length, 0, 1)).height + dot(frame_.n, shift),
            larger(-along, along - length)};
  }

  const Shadow a_, b_;
  const ClipFrame& frame_;
  const double margin_;
  PatchPoints& out_;
};

}  // namespace

void clip(const Facing& a, const Facing& b, const ClipFrame& frame, double margin, PatchPoints& out) {
  Clipper(a, b, frame, margin, out).run();
}

}  // namespace cairn
