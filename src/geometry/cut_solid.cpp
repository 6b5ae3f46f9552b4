#include "geometry/cut_solid.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "geometry/cut_face.h"
#include "geometry/groups.h"
#include "geometry/predicates.h"

namespace cairn {
namespace {

using Edge = CutSolid::Edge;
using Face = CutSolid::Face;

constexpr std::uint32_t k_none = ~std::uint32_t(0);

// One cut: keeps what is above.
class Cutter {
 public:
  Cutter(const CutSolid& solid, const CutPlane& plane, double on) : solid_(solid), plane_(plane), on_(on) {}

  CutSolid cut() {
    measure();
    find_crossings();
    for (std::size_t f = 0; f < solid_.faces.size(); ++f) cut_face(f);
    cancel_opposite(rim_);
    add_faces(-plane_.normal, rim_, true);
    return std::move(out_);
  }

 private:
  bool is_in(std::uint32_t v) const { return height_[v] > on_; }

  void measure() {
    height_.reserve(solid_.vertices.size());
    for (const Vec3& v : solid_.vertices) height_.push_back(plane_.distance(v));
    place_.assign(solid_.vertices.size(), k_none);
  }

  // The edges that properly cross the plane, sorted, each once: crossing k is the vertex crossing_place_[k].
  void find_crossings() {
    for (const auto [a, b] : solid_.edges)
      if (is_in(a) != is_in(b) && height_[is_in(a) ? b : a] < -on_)
        crossings_.push_back({std::min(a, b), std::max(a, b)});
    std::sort(crossings_.begin(), crossings_.end(), before);
    crossings_.erase(
        std::unique(crossings_.begin(), crossings_.end(),
                    [](const Edge& a, const Edge& b) { return a.from == b.from && a.to == b.to; }),
        crossings_.end());
    crossing_place_.assign(crossings_.size(), k_none);
  }
  static bool before(const Edge& a, const Edge& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); }

  std::uint32_t added(const Vec3& v) {
    out_.vertices.push_back(v);
    return std::uint32_t(out_.vertices.size() - 1);
  }
  std::uint32_t kept(std::uint32_t v) {
    if (place_[v] == k_none) place_[v] = added(solid_.vertices[v]);
    return place_[v];
  }
  // Where the edge between a vertex above and one that is not meets the plane.
  std::uint32_t crossing(std::uint32_t in, std::uint32_t out) {
    if (height_[out] >= -on_) return kept(out);
    const Edge key{std::min(in, out), std::max(in, out)};
    const auto at = std::lower_bound(crossings_.begin(), crossings_.end(), key, before) - crossings_.begin();
    std::uint32_t& place = crossing_place_[std::size_t(at)];
    if (place == k_none) {
      // From the lower index, so that the other side of the plane gets the same bits.
      const double low = height_[key.from], high = height_[key.to];
      const Vec3 &a = solid_.vertices[key.from], &b = solid_.vertices[key.to];
      place = added(a + (low / (low - high)) * (b - a));
    }
    return place;
  }

  void cut_face(std::size_t f) {
    const Face& face = solid_.faces[f];
    const std::size_t begin = face.begin, end = solid_.end_of(f);
    std::size_t inside = 0;
    for (std::size_t e = begin; e < end; ++e) inside += is_in(solid_.edges[e].from);
    if (inside == 0) return;
    edges_.clear();
    if (inside == end - begin) {
      for (std::size_t e = begin; e < end; ++e)
        edges_.push_back({kept(solid_.edges[e].from), kept(solid_.edges[e].to)});
      append_face(face.normal, edges_, face.is_cut);
      return;
    }
    ways_out_.clear();
    ways_in_.clear();
    for (std::size_t e = begin; e < end; ++e) {
      const auto [a, b] = solid_.edges[e];
      if (!is_in(a) && !is_in(b)) continue;
      const std::uint32_t from = is_in(a) ? kept(a) : crossing(b, a),
                          to = is_in(b) ? kept(b) : crossing(a, b);
      edges_.push_back({from, to});
      if (!is_in(b)) ways_out_.push_back(to);
      if (!is_in(a)) ways_in_.push_back(from);
    }
    join_crossings(face.normal);
    add_faces(face.normal, edges_, face.is_cut);
  }

  // The face goes on along the plane with the inside on the left: along normal of the plane × normal of the face.
  void join_crossings(const Vec3& face_normal) {
    if (ways_out_.size() > 1) {
      const Vec3 along = cross(plane_.normal, face_normal);
      const auto sort_along = [&](std::vector<std::uint32_t>& list) {
        std::sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) {
          const double x = dot(along, out_.vertices[a] - plane_.point);
          const double y = dot(along, out_.vertices[b] - plane_.point);
          return x != y ? x < y : a < b;
        });
      };
      sort_along(ways_out_);
      sort_along(ways_in_);
    }
    for (std::size_t k = 0; k < ways_out_.size(); ++k) {
      if (ways_out_[k] == ways_in_[k]) continue;
      edges_.push_back({ways_out_[k], ways_in_[k]});
      rim_.push_back({ways_in_[k], ways_out_[k]});
    }
  }

  void append_face(const Vec3& normal, std::span<const Edge> edges, bool is_cut) {
    out_.faces.push_back({normal, std::uint32_t(out_.edges.size()), is_cut});
    out_.edges.insert(out_.edges.end(), edges.begin(), edges.end());
  }
  // What is left of a triangle is convex, hence in one piece; anything else may fall apart.
  void add_faces(const Vec3& normal, std::vector<Edge>& edges, bool is_cut) {
    if (edges.empty()) return;
    if (!is_cut) return append_face(normal, edges, false);
    for (const std::vector<Edge>& face : separate_faces(edges, out_.vertices, normal))
      append_face(normal, face, true);
  }

  const CutSolid& solid_;
  const CutPlane& plane_;
  const double on_;
  std::vector<double> height_;                     // of each vertex over the plane
  std::vector<std::uint32_t> place_;               // of each vertex in the result
  std::vector<Edge> crossings_;                    // lower index first
  std::vector<std::uint32_t> crossing_place_;      // in the result
  std::vector<std::uint32_t> ways_out_, ways_in_;  // of the face at hand, vertices of the result
  std::vector<Edge> edges_, rim_;                  // of the face at hand, of the new face
  CutSolid out_;
};

void append(CutSolid& to, const CutSolid& from) {
  const auto vertices = std::uint32_t(to.vertices.size()), edges = std::uint32_t(to.edges.size());
  to.vertices.insert(to.vertices.end(), from.vertices.begin(), from.vertices.end());
  for (const Edge& e : from.edges) to.edges.push_back({e.from + vertices, e.to + vertices});
  for (const Face& f : from.faces) to.faces.push_back({f.normal, f.begin + edges, f.is_cut});
}

// The surfaces that hang together, each by itself.
std::vector<CutSolid> shells_of(const CutSolid& solid, Groups& groups) {
  std::vector<std::uint32_t> shell_of(solid.vertices.size(), k_none), place(solid.vertices.size(), k_none);
  std::vector<CutSolid> shells;
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    std::uint32_t& number = shell_of[groups.find(solid.edges[solid.faces[f].begin].from)];
    if (number == k_none) {
      number = std::uint32_t(shells.size());
      shells.emplace_back();
    }
    CutSolid& shell = shells[number];
    shell.faces.push_back({solid.faces[f].normal, std::uint32_t(shell.edges.size()), solid.faces[f].is_cut});
    const auto kept = [&](std::uint32_t v) {
      if (place[v] == k_none) {
        place[v] = std::uint32_t(shell.vertices.size());
        shell.vertices.push_back(solid.vertices[v]);
      }
      return place[v];
    };
    for (std::size_t e = solid.faces[f].begin; e < solid.end_of(f); ++e) {
      const std::uint32_t from = kept(solid.edges[e].from);
      shell.edges.push_back({from, kept(solid.edges[e].to)});
    }
  }
  return shells;
}

}  // namespace

CutSolid solid_of(const TriangleMesh& mesh) {
  CutSolid solid;
  solid.vertices = mesh.vertices;
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 normal = unit_normal(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
    solid.faces.push_back({normal, std::uint32_t(solid.edges.size()), false});
    solid.edges.insert(solid.edges.end(), {{a, b}, {b, c}, {c, a}});
  }
  return solid;
}

CutSolid above(const CutSolid& solid, const CutPlane& plane, double on) {
  return Cutter(solid, plane, on).cut();
}

// Signed tetrahedra from one vertex to the triangles of a fan in each face.
double volume(const CutSolid& solid) {
  if (solid.vertices.empty()) return 0;
  const Vec3 apex = solid.vertices[0];
  double sum = 0;
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    const Vec3 o = solid.vertices[solid.edges[solid.faces[f].begin].from];
    Vec3 area;
    for (std::size_t e = solid.faces[f].begin; e < solid.end_of(f); ++e)
      area += cross(solid.vertices[solid.edges[e].from] - o, solid.vertices[solid.edges[e].to] - o);
    sum += dot(o - apex, area);
  }
  return sum / 6;
}

// The solid angle of each triangle of the fans, after Van Oosterom & Strackee (1983):
// tan(Ω/2) = a·(b × c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|).
double winding(const CutSolid& solid, const Vec3& point) {
  double sum = 0;
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    const Vec3 a = solid.vertices[solid.edges[solid.faces[f].begin].from] - point;
    const double la = length(a);
    for (std::size_t e = solid.faces[f].begin; e < solid.end_of(f); ++e) {
      const Vec3 b = solid.vertices[solid.edges[e].from] - point,
                 c = solid.vertices[solid.edges[e].to] - point;
      const double lb = length(b), lc = length(c), triple = dot(a, cross(b, c));
      if (triple != 0)
        sum += portable::atan2(triple, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
  }
  return sum / (2 * k_pi);
}

std::vector<CutSolid> connected_pieces(CutSolid&& solid) {
  Groups groups(solid.vertices.size());
  for (std::size_t f = 0; f < solid.faces.size(); ++f)
    for (std::size_t e = solid.faces[f].begin; e < solid.end_of(f); ++e) {
      groups.join(solid.edges[e].from, solid.edges[e].to);
      groups.join(solid.edges[e].from, solid.edges[solid.faces[f].begin].from);
    }
  bool is_one = true;
  for (std::uint32_t v = 1; v < solid.vertices.size() && is_one; ++v)
    is_one = groups.find(v) == groups.find(0);
  std::vector<CutSolid> pieces, voids;
  if (is_one) {
    if (!solid.faces.empty()) pieces.push_back(std::move(solid));
    return pieces;
  }
  for (CutSolid& shell : shells_of(solid, groups))
    (volume(shell) < 0 ? voids : pieces).push_back(std::move(shell));
  if (pieces.empty()) return voids;
  // A void belongs to the smallest piece around it.
  std::vector<double> volumes;
  for (const CutSolid& piece : pieces) volumes.push_back(volume(piece));
  std::vector<std::size_t> owner;
  for (const CutSolid& hollow : voids) {
    std::size_t best = pieces.size();
    for (std::size_t p = 0; p < pieces.size(); ++p)
      if (winding(pieces[p], hollow.vertices[0]) > 0.5 &&
          (best == pieces.size() || volumes[p] < volumes[best]))
        best = p;
    owner.push_back(best);
  }
  for (std::size_t k = 0; k < voids.size(); ++k) {
    if (owner[k] < volumes.size())
      append(pieces[owner[k]], voids[k]);
    else
      pieces.push_back(std::move(voids[k]));
  }
  return pieces;
}

}  // namespace cairn
