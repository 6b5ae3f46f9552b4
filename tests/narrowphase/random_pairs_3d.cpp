#include <algorithm>

#include "narrowphase/random_pairs.h"

namespace cairn::test {
namespace {

// A point of the surface with the direction out of it and one along it.
struct Surface {
  Real3 point, normal, along;
};

Real3 rim_direction(const Body3& body, Dice& dice) {
  const Real3 u = across(body.axis), v = cross(body.axis, u);
  const Vec2 around = dice.unit2();
  return Real(around.x) * u + Real(around.y) * v;
}

// Somewhere on a face, or the round side, of a body in its own frame.
Surface on_face(const Body3& body, Dice& dice) {
  if (body.form == Form::half_space) {
    const Real3 along = across(body.axis);
    return {body.half * body.axis + body.half * Real(dice.uniform(-1, 1)) * along, body.axis, along};
  }
  if (body.round()) {
    const Real3 out = rim_direction(body, dice), base = body.centre - body.half * body.axis;
    const Real t = dice.uniform(0, 1);
    if (dice.chance(0.5)) return {base + body.radius * t * out, -body.axis, out};
    const Real3 foot = base + body.radius * out;
    const Real3 top = body.centre + body.half * body.axis + (body.form == Form::cone ? 0 : body.radius) * out;
    const Real3 along = unit(top - foot);
    return {foot + t * (top - foot), unit(cross(cross(body.axis, out), along)), along};
  }
  if (!body.faces.empty()) {
    const Body3::Face& face = body.faces[dice.below(body.faces.size())];
    Real3 middle{};
    for (std::size_t i : face.loop) middle += body.corners[i] * (Real(1) / Real(face.loop.size()));
    const Real3 p = body.corners[face.loop[0]];
    return {p + Real(dice.uniform(0, 1)) * (middle - p), face.normal, unit(body.corners[face.loop[1]] - p)};
  }
  const Real3 p = body.corners.front(), q = body.corners.back();
  const Real3 axis = p == q ? real(dice.unit3()) : unit(q - p);
  const Real3 u = across(unit(axis)), v = cross(unit(axis), u);
  const Vec2 around = dice.unit2();
  const Real3 out = unit(Real(around.x) * u + Real(around.y) * v);
  return {p + Real(dice.uniform(0, 1)) * (q - p) + body.radius * out, out, unit(axis)};
}

// On an edge or a rim; the normal lies between those of the faces beside it.
Surface on_edge(const Body3& body, Dice& dice) {
  if (body.round()) {
    const Real3 out = rim_direction(body, dice);
    const bool top = body.form == Form::cylinder && dice.chance(0.5);
    const Real3 centre = body.centre + (top ? body.half : -body.half) * body.axis;
    return {centre + body.radius * out, unit(out + (top ? body.axis : -body.axis)), cross(body.axis, out)};
  }
  if (body.faces.empty()) return on_face(body, dice);
  const Body3::Edge& edge = body.edges[dice.below(body.edges.size())];
  Real3 normal{};
  for (const Body3::Face& face : body.faces)
    if (std::count(face.loop.begin(), face.loop.end(), edge.from) &&
        std::count(face.loop.begin(), face.loop.end(), edge.to))
      normal += face.normal;
  const Real3 p = body.corners[edge.from], q = body.corners[edge.to];
  return {p + Real(dice.uniform(0, 1)) * (q - p), unit(normal), unit(q - p)};
}

Surface on_corner(const Body3& body, Dice& dice) {
  if (body.form == Form::cone && dice.chance(0.7))
    return {body.centre + body.half * body.axis, body.axis, across(body.axis)};
  if (body.round() || body.faces.empty()) return on_edge(body, dice);
  const std::size_t corner = dice.below(body.corners.size());
  Real3 normal{};
  for (const Body3::Face& face : body.faces)
    if (std::count(face.loop.begin(), face.loop.end(), corner)) normal += face.normal;
  return {body.corners[corner], unit(normal), across(unit(normal))};
}

// Point on point with the normals opposite, b's direction along its surface turned by `turn` from a's.
Pose3 meeting(const Surface& a, const Surface& b, double turn) {
  const Vec3 na = rounded(a.normal), nb = -rounded(b.normal);
  const Vec3 ta = normalized(rounded(a.along - dot(a.along, a.normal) * a.normal));
  const Vec3 tb = normalized(rounded(b.along - dot(b.along, b.normal) * b.normal));
  const Rot3 frame_a = rotation_of(Mat3{ta, cross(na, ta), na}),
             frame_b = rotation_of(Mat3{tb, cross(nb, tb), nb});
  const Rot3 r = normalized(frame_a * Rot3::from_axis_angle({0, 0, 1}, turn) * inverse(frame_b));
  return {rounded(a.point - rotated(r, b.point)), r};
}

// One of the 24 rotations of a cube.
Rot3 quarter_turns(Dice& dice) {
  const double h = std::sqrt(0.5);
  constexpr Rot3 k_halves[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  const Rot3 quarters[] = {{1, 0, 0, 0}, {h, h, 0, 0},         {h, 0, h, 0},
                           {h, 0, 0, h}, {0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, -0.5, -0.5}};
  const Rot3& half = k_halves[dice.below(4)];
  return half * quarters[dice.below(6)];
}

void put(Pair3& pair, const Pose3& pose) {
  pair.b_in_a = pose;
  pair.placed_b = placed(pair.b->body, pose);
}

// Where b's own surface point meets a's, or where centres are close.
void place(Pair3& pair, Dice& dice) {
  const Body3 &a = pair.a->body, &b = pair.b->body;
  const double reach = double(a.extent + b.extent) / 2;
  const double tiny = dice.chance(0.5) ? 0 : dice.signed_power_of_ten(-16, -4);
  const double turn = dice.chance(0.3) ? 0 : dice.chance(0.3) ? tiny : dice.uniform(-3, 3);
  switch (dice.below(10)) {
    case 0:
      pair.how = "concentric";
      return put(pair,
                 {tiny * reach * dice.unit3(), dice.chance(0.5) ? quarter_turns(dice) : dice.rotation3()});
    case 1: {
      pair.how = "along the axes";
      const double steps[] = {0, 0.25, 0.5, 1};
      const auto step = [&] {
        const double sign = dice.sign();
        return sign * steps[dice.below(4)] * reach;
      };
      const double x = step(), y = step(), z = step();
      return put(pair, {{x, y, z}, quarter_turns(dice)});
    }
    case 2: {
      pair.how = "parallel faces";
      const Surface p = on_face(a, dice), q = on_face(b, dice);
      return put(pair, meeting(p, q, turn));
    }
    case 3: {
      pair.how = "parallel edges";
      const Surface p = on_edge(a, dice), q = on_edge(b, dice);
      return put(pair, meeting(p, q, tiny));
    }
    case 4: {
      pair.how = "crossing edges";
      const Surface p = on_edge(a, dice), q = on_edge(b, dice);
      return put(pair, meeting(p, q, turn));
    }
    case 5: {
      pair.how = "corner on corner";
      const Surface p = on_corner(a, dice), q = on_corner(b, dice);
      return put(pair, meeting(p, q, turn));
    }
    case 6: {
      pair.how = "corner on face";
      const Surface p = on_face(a, dice), q = on_corner(b, dice);
      return put(pair, meeting(p, q, turn));
    }
    case 7: {
      pair.how = "edge on face";
      const Surface p = on_edge(a, dice), q = on_face(b, dice);
      return put(pair, meeting(p, q, turn));
    }
    default: {
      pair.how = "anyhow";
      const double distance = dice.uniform(0, 1.1) * reach;
      return put(pair, {distance * dice.unit3(), dice.rotation3()});
    }
  }
}

Pose3 seen_far_away(const Pose3& b_in_a, Dice& dice) {
  const Pose3 a{1e5 * dice.unit3(), dice.rotation3()};
  const Pose3 b = a * b_in_a;
  return {inverse(a.rotation) * (b.position - a.position), normalized(inverse(a.rotation) * b.rotation)};
}

// Moves b along the separation's normal until it is what is asked for.
void separate(Pair3& pair, double wanted) {
  const Separation3 now = separation(pair.a->body, pair.placed_b);
  Pose3 pose = pair.b_in_a;
  pose.position += rounded((Real(wanted) - now.value) * now.normal);
  put(pair, pose);
}

}  // namespace

Pair3 random_pair(const std::deque<Sample3>& as, const std::deque<Sample3>& bs, Dice& dice) {
  Pair3 pair;
  double small = 0;
  do {
    pair.a = &as[dice.below(as.size())];
    pair.b = dice.chance(0.05) && &as == &bs ? pair.a : &bs[dice.below(bs.size())];
    const double a = double(pair.a->body.extent), b = double(pair.b->body.extent);
    pair.size = std::max(a, b);
    small = a > 0 && b > 0 ? std::min(a, b) : pair.size;
  } while (pair.size > 1.001e3 * small);
  const double margins[] = {0, 1e-3, 0.02, 0.5};
  pair.margin = small * margins[dice.below(4)];
  place(pair, dice);
  switch (dice.below(10)) {
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
  pair.separation = separation(pair.a->body, pair.placed_b);
  return pair;
}

Pose3 nudged(const Pair3& pair, Dice& dice) {
  const double much = dice.power_of_ten(-6, -1), far = much * pair.size * dice.uniform(0, 0.3);
  const Vec3 way = dice.unit3(), axis = dice.unit3();
  return {pair.b_in_a.position + far * way,
          normalized(Rot3::from_axis_angle(axis, dice.uniform(-1, 1) * much) * pair.b_in_a.rotation)};
}

}  // namespace cairn::test
