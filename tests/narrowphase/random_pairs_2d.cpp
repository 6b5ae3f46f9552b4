#include <algorithm>

#include "narrowphase/random_pairs.h"

namespace cairn::test {
namespace {

// A point of the outline with the direction out of it there; of a corner, some direction between its edges'.
struct Outline {
  Vec2 point, normal;
};
Outline on_edge(const Body2& body, double t, Dice& dice) {
  const std::size_t n = body.corners.size(), i = dice.below(n);
  const Vec2 p = rounded(body.corners[i]), q = rounded(body.corners[(i + 1) % n]);
  const Vec2 normal = n == 1 ? dice.unit2() : normalized(-perpendicular(q - p));
  return {p + t * (q - p) + double(body.radius) * normal, normal};
}
Outline on_corner(const Body2& body, Dice& dice) {
  const std::size_t n = body.corners.size(), i = dice.below(n);
  const Vec2 before = on_edge(body, 0, dice).normal;
  const Real2 middle =
      n > 1 ? unit(body.corners[i] - 0.5L * (body.corners[(i + 1) % n] + body.corners[(i + n - 1) % n]))
            : real(before);
  return {rounded(body.corners[i] + body.radius * middle), rounded(middle)};
}

// Turns q against p, so that they are opposite.
Rot2 opposing(const Vec2& p, const Vec2& q) { return normalized(Rot2{-dot(p, q), cross(p, q)}); }

Rot2 quarter_turns(Dice& dice) {
  constexpr Rot2 k_turns[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  return k_turns[dice.below(4)];
}

void put(Pair2& pair, const Pose2& pose) {
  pair.b_in_a = pose;
  pair.placed_b = placed(pair.b->body, pose);
  pair.separation = separation(pair.a->body, pair.placed_b);
}

// Point on point, the outward directions opposite.
Pose2 meeting(const Outline& a, const Outline& b, double turn) {
  const Rot2 r = normalized(Rot2::from_angle(turn) * opposing(-a.normal, -b.normal));
  return {a.point - r * b.point, r};
}

void place(Pair2& pair, Dice& dice) {
  const Body2 &a = pair.a->body, &b = pair.b->body;
  const double reach = double(a.extent + b.extent) / 2;
  const double tiny = dice.chance(0.5) ? 0 : dice.signed_power_of_ten(-16, -4);
  switch (dice.below(7)) {
    case 0:
      pair.how = "concentric";
      return put(pair,
                 {tiny * reach * dice.unit2(), dice.chance(0.5) ? quarter_turns(dice) : dice.rotation2()});
    case 1: {
      pair.how = "along the axes";
      const double steps[] = {0, 0.25, 0.5, 1};
      const auto step = [&] {
        const double sign = dice.sign();
        return sign * steps[dice.below(4)] * reach;
      };
      const double x = step(), y = step();
      return put(pair, {{x, y}, quarter_turns(dice)});
    }
    case 2: {
      pair.how = "parallel edges";
      const Outline p = on_edge(a, dice.uniform(-0.2, 1.2), dice),
                    q = on_edge(b, dice.uniform(-0.2, 1.2), dice);
      return put(pair, meeting(p, q, dice.chance(0.6) ? 0 : tiny));
    }
    case 3: {
      pair.how = "corner on corner";
      const Outline p = on_corner(a, dice), q = on_corner(b, dice);
      return put(pair, meeting(p, q, dice.uniform(-1, 1)));
    }
    case 4: {
      pair.how = "corner on edge";
      const Outline p = on_edge(a, dice.uniform(0, 1), dice), q = on_corner(b, dice);
      return put(pair, meeting(p, q, dice.uniform(-1, 1)));
    }
    default: {
      pair.how = "anyhow";
      const double distance = dice.uniform(0, 1.2) * reach;
      return put(pair, {distance * dice.unit2(), dice.rotation2()});
    }
  }
}

Pose2 seen_far_away(const Pose2& b_in_a, Dice& dice) {
  const Pose2 a{1e5 * dice.unit2(), dice.rotation2()};
  const Pose2 b = a * b_in_a;
  return {inverse(a.rotation) * (b.position - a.position), normalized(inverse(a.rotation) * b.rotation)};
}

// Moves b along the separation's normal until it is what is asked for.
void separate(Pair2& pair, double wanted) {
  Pose2 pose = pair.b_in_a;
  pose.position += rounded((Real(wanted) - pair.separation.value) * pair.separation.normal);
  put(pair, pose);
}

}  // namespace

Pair2 random_pair(const std::deque<Sample2>& as, const std::deque<Sample2>& bs, Dice& dice) {
  Pair2 pair;
  double small = 0;
  do {
    pair.a = &as[dice.below(as.size())];
    pair.b = dice.chance(0.05) && &as == &bs ? pair.a : &bs[dice.below(bs.size())];
    pair.size = double(std::max(pair.a->body.extent, pair.b->body.extent));
    small = double(std::min(pair.a->body.extent, pair.b->body.extent));
  } while (pair.size > 1.001e3 * small);
  const double margins[] = {0, 1e-3, 0.02, 0.5};
  pair.margin = small * margins[dice.below(4)];
  place(pair, dice);
  switch (dice.below(8)) {
    case 0:
      separate(pair, dice.uniform(0, 1.1) * pair.margin);
      break;
    case 1:
      separate(pair, 0);
      break;
    case 2:
      separate(pair, dice.sign() * 1e-12 * pair.size);
      break;
    case 3:
      separate(pair, -dice.power_of_ten(-9, -1) * small);
      break;
    case 4:
      put(pair, seen_far_away(pair.b_in_a, dice));
      break;
    default:
      break;
  }
  return pair;
}

Pose2 nudged(const Pair2& pair, Dice& dice) {
  const double much = dice.power_of_ten(-6, -1), far = much * pair.size * dice.uniform(0, 0.3);
  return {pair.b_in_a.position + far * dice.unit2(),
          normalized(Rot2::from_angle(dice.uniform(-1, 1) * much) * pair.b_in_a.rotation)};
}

}  // namespace cairn::test
