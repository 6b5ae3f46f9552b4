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

// [m] by how much a point or a segment must be grown to become the piece, as a ball or a capsule; 0 for all others. When
// such a piece turns, its outline does not turn with it.
double rounding(const Piece2& piece);
double rounding(const Piece3& piece);

}  // namespace cairn
