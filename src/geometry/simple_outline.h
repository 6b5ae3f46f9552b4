// A simple outline: corners that all differ, joined by edges that meet at no other points.
#pragma once

#include <cairn/shape.h>

#include <span>
#include <vector>

namespace cairn {

// Throws cairn::Error, naming the corners or edges in question, for fewer than three corners, numbers that are not
// finite, repeated corners, edges that cross or touch, and edges that fold back. Exact.
void check_simple(std::span<const Vec2> outline, const Path& path);

// The same as a question, for corners that are finite.
bool is_simple(std::span<const Vec2> outline);

// Of a simple outline.
bool is_counter_clockwise(std::span<const Vec2> outline);

// Triangles of a simple counter-clockwise outline, as indices of its corners, counter-clockwise; n − 2 of them, each
// with an area (ear clipping: Meisters 1975, Eberly). Exact decisions; some n·r steps for r corners that are not
// convex.
std::vector<Triangle> ear_clipping(std::span<const Vec2> outline);

}  // namespace cairn
