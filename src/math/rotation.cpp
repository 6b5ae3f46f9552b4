// Rotations to and from vectors and matrices, and the principal axes of symmetric tensors.
#include <cairn/math.h>

#include <utility>

namespace cairn {

Rot2 rotation_of(double rotation_vector) { return Rot2::from_angle(rotation_vector); }

Rot3 rotation_of(const Vec3& v) {
  // q = (cos θ/2, v sin(θ/2)/θ). Below 1e-4 rad the series of sin(θ/2)/θ is exact to round-off: its first
  // omitted term is θ⁴/3840.
  const double angle_squared = length_squared(v);
  const double angle = square_root(angle_squared);
  const portable::SinCos half = portable::sin_cos(0.5 * angle);
  const double scale = angle < 1e-4 ? 0.5 - angle_squared / 48 : half.sin / angle;
  return normalized(Rot3{half.cos, scale * v.x, scale * v.y, scale * v.z});
}

double rotation_vector(const Rot2& r) { return r.angle(); }

Vec3 rotation_vector(const Rot3& r) {
  const Vec3 u = r.w < 0 ? Vec3{-r.x, -r.y, -r.z} : Vec3{r.x, r.y, r.z};  // q and −q are one rotation
  const double s = length(u);
  if (s < 1e-12) return 2 * u;
  return u * (2 * portable::atan2(s, absolute(r.w)) / s);
}

Rot3 rotation_of(const Mat3& m) {
  // Shepperd's method: divide by the largest of the four components.
  const double t = m.c0.x + m.c1.y + m.c2.z;
  if (t >= m.c0.x && t >= m.c1.y && t >= m.c2.z)
    return normalized(Rot3{1 + t, m.c1.z - m.c2.y, m.c2.x - m.c0.z, m.c0.y - m.c1.x});
  if (m.c0.x >= m.c1.y && m.c0.x >= m.c2.z)
    return normalized(Rot3{m.c1.z - m.c2.y, 1 + 2 * m.c0.x - t, m.c0.y + m.c1.x, m.c0.z + m.c2.x});
  if (m.c1.y >= m.c2.z)
    return normalized(Rot3{m.c2.x - m.c0.z, m.c0.y + m.c1.x, 1 + 2 * m.c1.y - t, m.c1.z + m.c2.y});
  return normalized(Rot3{m.c0.y - m.c1.x, m.c0.z + m.c2.x, m.c1.z + m.c2.y, 1 + 2 * m.c2.z - t});
}

Principal3 principal(const Sym3& a) {
  // Cyclic Jacobi: rotate away the off-diagonal elements one by one. It converges quadratically, and unlike
  // the closed form of the cubic it keeps nearly equal values and their axes accurate.
  double m[3][3] = {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  constexpr int k_most_sweeps = 30;  // four or five suffice in practice
  for (int sweep = 0; sweep < k_most_sweeps; ++sweep) {
    bool done = true;
    for (int k = 0; k < 3; ++k) {
      const int p = k == 2 ? 1 : 0, q = k == 0 ? 1 : 2;  // (0, 1), (0, 2), (1, 2)
      if (m[p][q] == 0) continue;
      done = false;
      const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
      if (!is_finite(theta * theta)) {  // so small that turning by it changes nothing
        m[p][q] = m[q][p] = 0;
        continue;
      }
      const double t = (theta < 0 ? -1 : 1) / (absolute(theta) + square_root(theta * theta + 1));
      const double c = 1 / square_root(t * t + 1), s = t * c;
      const auto turn_columns = [&](double(&x)[3][3]) {
        for (auto& row : x) {
          const double xp = row[p], xq = row[q];
          row[p] = c * xp - s * xq;
          row[q] = s * xp + c * xq;
        }
      };
      turn_columns(m);
      turn_columns(v);
      for (int j = 0; j < 3; ++j) {
        const double mp = m[p][j], mq = m[q][j];
        m[p][j] = c * mp - s * mq;
        m[q][j] = s * mp + c * mq;
      }
      m[p][q] = m[q][p] = 0;
    }
    if (done) break;
  }
  int order[3] = {0, 1, 2};
  if (m[order[1]][order[1]] < m[order[0]][order[0]]) std::swap(order[0], order[1]);
  if (m[order[2]][order[2]] < m[order[1]][order[1]]) std::swap(order[1], order[2]);
  if (m[order[1]][order[1]] < m[order[0]][order[0]]) std::swap(order[0], order[1]);
  const auto axis = [&](int k) { return Vec3{v[0][order[k]], v[1][order[k]], v[2][order[k]]}; };
  const Vec3 x = axis(0), y = axis(1);
  return {{m[order[0]][order[0]], m[order[1]][order[1]], m[order[2]][order[2]]},
          rotation_of(Mat3{x, y, cross(x, y)})};
}

}  // namespace cairn
