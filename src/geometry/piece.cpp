#include "geometry/piece.h"

namespace cairn {
namespace {

template <class D>
void append(std::vector<PlacedPiece<D>>& list, const Pose<D>& pose, const auto& shape) {
  list.push_back({pose, &shape});
}
void append(std::vector<PlacedPiece<Dim2>>& list, const Pose2&, const PartList2& parts) {
  for (const Part2& part : parts.parts)
    std::visit([&](const auto& shape) { append<Dim2>(list, part.pose, shape); }, part.shape);
}
void append(std::vector<PlacedPiece<Dim3>>& list, const Pose3&, const PartList3& parts) {
  for (const Part3& part : parts.parts)
    std::visit([&](const auto& shape) { append<Dim3>(list, part.pose, shape); }, part.shape);
}

}  // namespace

std::vector<PlacedPiece<Dim2>> pieces_of(const Geometry2& shape) {
  std::vector<PlacedPiece<Dim2>> list;
  std::visit([&](const auto& s) { append(list, Pose2{}, s); }, shape.form);
  return list;
}
std::vector<PlacedPiece<Dim3>> pieces_of(const Geometry3& shape) {
  std::vector<PlacedPiece<Dim3>> list;
  std::visit([&](const auto& s) { append(list, Pose3{}, s); }, shape.form);
  return list;
}

bool is_convex(const Piece2& piece) { return !std::holds_alternative<const PolyLine*>(piece); }
bool is_convex(const Piece3& piece) {
  return !std::holds_alternative<const Plane*>(piece) &&
         !std::holds_alternative<const TriangleMesh*>(piece) &&
         !std::holds_alternative<const HeightGrid*>(piece);
}

}  // namespace cairn
