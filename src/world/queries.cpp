// Questions to a world. The broad phase says which pieces may be concerned, the geometry decides.
//
// Answers do not depend on the broad phase: lists are sorted, and of equals the one with the lower id counts.
#include <cairn/world.h>

#include <algorithm>

#include "base/float_control.h"
#include "geometry/box.h"
#include "geometry/closest_points.h"
#include "geometry/direction.h"
#include "geometry/time_of_impact.h"
#include "narrowphase/collide.h"
#include "world/data.h"

namespace cairn {
namespace {

template <class T>
void check_argument(const T& value, std::string_view what, std::string_view unit) {
  check_value(value, Path{nullptr, what, -1}, unit, k_any);
}

template <class D>
bool is_asked(const Proxy<D>& proxy, const QueryFilter& filter) {
  return (filter.sensors || !proxy.sensor) && proxy.body != filter.ignore &&
         (proxy.filter.category & filter.mask) != 0 && (proxy.filter.mask & filter.category) != 0;
}

// A shape that the user asks with: built, and its pieces.
template <class D>
struct Probe {
  Probe(const Shape<D>& shape, const Pose<D>& at)
      : geometry(build(shape)), pieces(pieces_of(geometry)), pose{at.position, normalized(at.rotation)} {}
  Geometry<D> geometry;
  std::vector<PlacedPiece<D>> pieces;
  Pose<D> pose;
};

template <class D>
void check_ray(const Ray<D>& ray) {
  check_argument(ray.origin, "Ray.origin", "m");
  check_argument(ray.translation, "Ray.translation", "m");
  if (ray.translation == typename D::Vec{})
    throw Error("Ray.translation", to_text(ray.translation) + " m", "must not be zero");
}

// The pose of a proxy's piece relative to a place in the world, taken as a difference of positions before anything
// is rounded.
template <class D>
Pose<D> pose_from(const typename D::Vec& place, const Collisions<D>& collisions, const Proxy<D>& proxy) {
  const BodyState<D>& s = collisions.state_of(proxy);
  return Pose<D>{s.position - place, s.rotation} * proxy.on_body.pose;
}

template <class D>
std::optional<CastHit<D>> cast_at(const Collisions<D>& collisions, const Proxy<D>& proxy, const Ray<D>& ray) {
  const Pose<D> pose = pose_from(ray.origin, collisions, proxy);
  const Ray<D> local{to_local(pose, typename D::Vec{}), inverse(pose.rotation) * ray.translation};
  const std::optional<RayHit<D>> hit = ray_cast(proxy.on_body.piece, local);
  if (!hit) return std::nullopt;
  return CastHit<D>{proxy.ref(), hit->fraction, ray.origin + to_world(pose, hit->point),
                    pose.rotation * hit->normal};
}

template <class D>
bool nearer(const CastHit<D>& a, const CastHit<D>& b) {
  return a.fraction != b.fraction ? a.fraction < b.fraction : a.shape < b.shape;
}
template <class D>
void keep_nearer(std::optional<CastHit<D>>& best, const std::optional<CastHit<D>>& hit) {
  if (hit && (!best || nearer(*hit, *best))) best = hit;
}

// How far the broad phase should look on. Never 0, which would stop it: of two shapes met at once it must show both.
template <class D>
double go_on_to(const std::optional<CastHit<D>>& best) {
  return best ? larger(best->fraction, std::numeric_limits<double>::min()) : 1;
}

template <class D>
std::optional<CastHit<D>> first_hit(const Collisions<D>& collisions, const Ray<D>& ray,
                                    const QueryFilter& filter) {
  std::optional<CastHit<D>> best;
  collisions.broad_phase().cast(ray, typename D::Vec{}, [&](std::uint32_t index, double) {
    const Proxy<D>& proxy = collisions.proxy(index);
    if (is_asked(proxy, filter)) keep_nearer(best, cast_at(collisions, proxy, ray));
    return go_on_to(best);
  });
  return best;
}

// Each shape once, in the order of ids.
void sort_and_unite(std::vector<ShapeRef>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

template <class D>
std::optional<CastHit<D>> World<D>::ray_cast(const Ray<D>& ray, const QueryFilter& filter) const {
  const FloatControl control;
  check_ray(ray);
  return first_hit(data_->collisions, ray, filter);
}

template <class D>
std::vector<std::optional<CastHit<D>>> World<D>::ray_cast(std::span<const Ray<D>> rays,
                                                          const QueryFilter& filter) const {
  const FloatControl control;
  for (const Ray<D>& ray : rays) check_ray(ray);
  std::vector<std::optional<CastHit<D>>> hits(rays.size());
  data_->team.for_blocks(rays.size(), 16, [&](const Block& block) {
    for (std::size_t i = block.begin; i < block.end; ++i)
      hits[i] = first_hit(data_->collisions, rays[i], filter);
  });
  return hits;
}

template <class D>
std::vector<CastHit<D>> World<D>::ray_cast_all(const Ray<D>& ray, const QueryFilter& filter) const {
  const FloatControl control;
  check_ray(ray);
  std::vector<CastHit<D>> hits;
  data_->collisions.broad_phase().cast(ray, Vec{}, [&](std::uint32_t index, double) {
    const Proxy<D>& proxy = data_->collisions.proxy(index);
    if (is_asked(proxy, filter))
      if (const auto hit = cast_at(data_->collisions, proxy, ray)) hits.push_back(*hit);
    return 1.0;
  });
  // Of the parts of a compound the first one hit counts.
  std::sort(hits.begin(), hits.end(), [](const CastHit<D>& a, const CastHit<D>& b) {
    return a.shape != b.shape ? a.shape < b.shape : a.fraction < b.fraction;
  });
  hits.erase(std::unique(hits.begin(), hits.end(),
                         [](const CastHit<D>& a, const CastHit<D>& b) { return a.shape == b.shape; }),
             hits.end());
  std::sort(hits.begin(), hits.end(), nearer<D>);
  return hits;
}

template <class D>
std::optional<CastHit<D>> World<D>::shape_cast(const Shape<D>& shape, const Pose<D>& pose,
                                               const Vec& translation, const QueryFilter& filter) const {
  const FloatControl control;
  check_argument(pose.position, "pose.position", "m");
  check_argument(pose.rotation, "pose.rotation", "");
  check_argument(translation, "translation", "m");
  if (translation == Vec{}) throw Error("translation", to_text(translation) + " m", "must not be zero");
  const Probe<D> probe(shape, pose);
  const double target = 1e-5 * data_->def.length_scale;
  std::optional<CastHit<D>> best;
  for (const PlacedPiece<D>& placed : probe.pieces) {
    if (!is_convex(placed.piece))
      throw Error(root_path(shape).text(), "not convex", "a shape that is cast must be of convex parts");
    const Sweep<D> sweep{{}, probe.pose.rotation, translation, {}};  // from the probe's own place
    const Bounds<D> box = bounds(placed.piece, probe.pose * placed.pose);
    const Vec half = 0.5 * (box.hi - box.lo);
    data_->collisions.broad_phase().cast(
        Ray<D>{box.lo + half, translation}, half, [&](std::uint32_t index, double) {
          const Proxy<D>& proxy = data_->collisions.proxy(index);
          if (is_asked(proxy, filter)) {
            const BodyState<D>& s = data_->collisions.state_of(proxy);
            const Sweep<D> still{s.position - probe.pose.position, s.rotation, {}, {}};
            const Impact<D> found = time_of_impact(proxy.on_body.piece, proxy.on_body.pose, still,
                                                   placed.piece, placed.pose, sweep, target);
            if (found.status != ImpactStatus::separated)
              keep_nearer(best, std::optional(CastHit<D>{proxy.ref(), found.time, s.position + found.point,
                                                         found.normal}));
          }
          return go_on_to(best);
        });
  }
  return best;
}

template <class D>
std::vector<ShapeRef> World<D>::overlapping(const Shape<D>& shape, const Pose<D>& pose,
                                            const QueryFilter& filter) const {
  const FloatControl control;
  check_argument(pose.position, "pose.position", "m");
  check_argument(pose.rotation, "pose.rotation", "");
  const Probe<D> probe(shape, pose);
  std::vector<ShapeRef> list;
  for (const PlacedPiece<D>& placed : probe.pieces) {
    data_->collisions.broad_phase().query(
        bounds(placed.piece, probe.pose * placed.pose), [&](std::uint32_t index) {
          const Proxy<D>& proxy = data_->collisions.proxy(index);
          if (!is_asked(proxy, filter) || !(proxy.convex || is_convex(placed.piece))) return true;
          const Pose<D> there = pose_from(probe.pose.position, data_->collisions, proxy);
          const Pose<D> here = Pose<D>{{}, probe.pose.rotation} * placed.pose;
          PairCache<D> cache;
          ManifoldList<D> manifolds;
          collide(placed.piece, proxy.on_body.piece, inverse(here) * there, 0, cache, manifolds);
          if (!manifolds.empty()) list.push_back(proxy.ref());
          return true;
        });
  }
  sort_and_unite(list);
  return list;
}

template <class D>
std::vector<ShapeRef> World<D>::overlapping(const Bounds<D>& box, const QueryFilter& filter) const {
  const FloatControl control;
  check_argument(box.lo, "Bounds.lo", "m");
  check_argument(box.hi, "Bounds.hi", "m");
  std::vector<ShapeRef> list;
  data_->collisions.broad_phase().query(box, [&](std::uint32_t index) {
    const Proxy<D>& proxy = data_->collisions.proxy(index);
    const Pose<D> pose = data_->collisions.pose_of(proxy, data_->collisions.state_of(proxy));
    if (is_asked(proxy, filter) && overlap(box, bounds(proxy.on_body.piece, pose)))
      list.push_back(proxy.ref());
    return true;
  });
  sort_and_unite(list);
  return list;
}

template <class D>
std::vector<ShapeRef> World<D>::containing(const Vec& point, const QueryFilter& filter) const {
  const FloatControl control;
  check_argument(point, "point", "m");
  std::vector<ShapeRef> list;
  data_->collisions.broad_phase().query({point, point}, [&](std::uint32_t index) {
    const Proxy<D>& proxy = data_->collisions.proxy(index);
    const Pose<D> pose = pose_from(point, data_->collisions, proxy);
    if (is_asked(proxy, filter) && cairn::contains(proxy.on_body.piece, to_local(pose, Vec{})))
      list.push_back(proxy.ref());
    return true;
  });
  sort_and_unite(list);
  return list;
}

template <class D>
std::optional<Closest<D>> World<D>::closest(const Vec& point, double max_distance,
                                            const QueryFilter& filter) const {
  const FloatControl control;
  check_argument(point, "point", "m");
  check_value(max_distance, Path{nullptr, "max_distance", -1}, "m", k_non_negative);
  std::optional<Closest<D>> best;
  const typename PieceOf<D>::Ball place{.radius = 0};
  data_->collisions.broad_phase().query(
      grown(Bounds<D>{point, point}, max_distance), [&](std::uint32_t index) {
        const Proxy<D>& proxy = data_->collisions.proxy(index);
        if (!is_asked(proxy, filter)) return true;
        const ClosestPoints<D> found =
            closest_points(Piece<D>{&place}, proxy.on_body.piece, pose_from(point, data_->collisions, proxy));
        if (found.distance > max_distance) return true;
        const Closest<D> candidate{{}, proxy.ref(), found.distance, point, point + found.on_b};
        if (!best || std::tuple(candidate.distance, candidate.b) < std::tuple(best->distance, best->b))
          best = candidate;
        return true;
      });
  return best;
}

template <class D>
std::optional<Closest<D>> World<D>::closest(BodyId a, BodyId b) const {
  const FloatControl control;
  const Collisions<D>& collisions = data_->collisions;
  const Vec origin = center(a);
  center(b);  // is there such a body?
  std::optional<Closest<D>> best;
  for (const std::uint32_t i : collisions.proxies_of(a))
    for (const std::uint32_t j : collisions.proxies_of(b)) {
      const Proxy<D>&p = collisions.proxy(i), &q = collisions.proxy(j);
      if (!p.convex && !q.convex) continue;
      const Pose<D> at = pose_from(origin, collisions, p), to = pose_from(origin, collisions, q);
      const ClosestPoints<D> found = closest_points(p.on_body.piece, q.on_body.piece, inverse(at) * to);
      if (best && best->distance <= found.distance) continue;
      best = {p.ref(), q.ref(), found.distance, origin + to_world(at, found.on_a),
              origin + to_world(at, found.on_b)};
    }
  return best;
}

#define CAIRN_MEMBERS(D)                                                                                    \
  template std::optional<CastHit<D>> World<D>::ray_cast(const Ray<D>&, const QueryFilter&) const;           \
  template std::vector<std::optional<CastHit<D>>> World<D>::ray_cast(std::span<const Ray<D>>,               \
                                                                     const QueryFilter&) const;             \
  template std::vector<CastHit<D>> World<D>::ray_cast_all(const Ray<D>&, const QueryFilter&) const;         \
  template std::optional<CastHit<D>> World<D>::shape_cast(const Shape<D>&, const Pose<D>&, const Vec&,      \
                                                          const QueryFilter&) const;                        \
  template std::vector<ShapeRef> World<D>::overlapping(const Shape<D>&, const Pose<D>&, const QueryFilter&) \
      const;                                                                                                \
  template std::vector<ShapeRef> World<D>::overlapping(const Bounds<D>&, const QueryFilter&) const;         \
  template std::vector<ShapeRef> World<D>::containing(const Vec&, const QueryFilter&) const;                \
  template std::optional<Closest<D>> World<D>::closest(const Vec&, double, const QueryFilter&) const;       \
  template std::optional<Closest<D>> World<D>::closest(BodyId, BodyId) const;
CAIRN_MEMBERS(Dim2)
CAIRN_MEMBERS(Dim3)
#undef CAIRN_MEMBERS

}  // namespace cairn
