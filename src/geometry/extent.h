// How large and how thick pieces are.
#pragma once

#include "geometry/piece.h"

namespace cairn {

// [m] the greatest distance of a point of the piece from `center`, in its frame; infinite for planes.
double outer_radius(const Piece2& piece, const Vec2& center);
double outer_radius(const Piece3& piece, const Vec3& center);

// [m] half the piece's smallest width: how far it may move before it can have passed through something unnoticed.
// 0 for surfaces, infinite for planes.
double inner_radius(const Piece2& piece);
double inner_radius(const Piece3& piece);

}  // namespace cairn
