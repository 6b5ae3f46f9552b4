#include "narrowphase/collide_3d/patch.h"

#include "narrowphase/collide_3d/witness.h"

namespace cairn {
namespace {

using Point = ManifoldPoint<Dim3>;

// The place of deepest contact: where the features at right angles to the axis cover each other, or else
// where the axis's own routine says. The first is the more exact for round rims, the second where several
// small features compete. Of an axis that is final but not exact, the best there is: where features cover
// each other nearly as deep, or all but do.
std::optional<Point> witness_of(const Piece3& a, const Piece3& b, const Pose3& b_in_a,
                                const ContactAxis& axis, double size, const ClipFrame& frame) {
  constexpr double k_nearly = 1e-5;
  Facing face_a, face_b;
  std::optional<Point> best;
  for (const double lean : {k_tight, 1e-4 * k_tight}) {
    face_towards(a, {}, axis.normal, lean, face_a);
    face_towards(b, b_in_a, -axis.normal, lean, face_b);
    const std::optional<Point> found = common_point(face_a, face_b, frame);
    if (!found) continue;
    if (found->separation <= axis.separation + frame.tolerance)
      return Point{found->point, axis.separation, found->features};
    if (!best || found->separation < best->separation) best = found;
  }
  const Features names{face_a.name, face_b.name};
  if (axis.has_witness) return Point{axis.on_a, axis.separation, names};
  if (!axis.is_final) return std::nullopt;
  if (best && best->separation <= axis.separation + 10 * frame.tolerance) best->separation = axis.separation;
  if (best && best->separation <= axis.separation + k_nearly * size) return best;
  return Point{closest_point(face_a, face_b, frame), axis.separation, names};
}

double least_separation(const PatchPoints& patch) {
  double least = patch.points[0].separation;
  for (std::size_t k = 1; k < std::size_t(patch.count); ++k)
    least = smaller(least, patch.points[k].separation);
  return least;
}

}  // namespace

bool make_patch(const Piece3& a, const Piece3& b, const Pose3& b_in_a, const ContactAxis& axis, double margin,
                double size, Manifold<Dim3>& out) {
  Facing face_a, face_b;
  face_towards(a, {}, axis.normal, k_wide, face_a);
  face_towards(b, b_in_a, -axis.normal, k_wide, face_b);
  // A plane's own point may be far away, where its digits are lost; that of deepest contact is not.
  if (face_a.count == 0) face_a.corners[0] = axis.on_a;
  if (face_b.count == 0) face_b.corners[0] = axis.on_a + axis.separation * axis.normal;
  const ClipFrame frame(face_a.count > 0 ? face_a.corners[0] : face_b.corners[0], axis.normal, size);
  PatchPoints patch;
  clip(face_a, face_b, frame, margin, patch);
  if (patch.count == 0 || least_separation(patch) > axis.separation + frame.tolerance) {
    const std::optional<Point> witness = witness_of(a, b, b_in_a, axis, size, frame);
    if (!witness) return false;
    patch.add(*witness);
  }
  // Faces that are plane only to within the tolerance of their hull may stand out further than its corners.
  for (std::size_t k = 0; k < std::size_t(patch.count); ++k)
    patch.points[k].separation = larger(patch.points[k].separation, axis.separation);

  out.normal = axis.normal;
  out.element = 0;
  out.count =
      reduce(std::span(patch.points).first(std::size_t(patch.count)), axis.normal, 10 * frame.tolerance);
  for (std::size_t k = 0; k < std::size_t(out.count); ++k) out.points[k] = patch.points[k];
  return true;
}

}  // namespace cairn
