#include <gtest/gtest.h>

#include "geometry/mass.h"
#include "geometry/shape_samples.h"

namespace cairn {
namespace {

using namespace samples;

void expect_near(const Sym3& a, const Sym3& b, double tolerance) {
  EXPECT_NEAR(a.xx, b.xx, tolerance);
  EXPECT_NEAR(a.yy, b.yy, tolerance);
  EXPECT_NEAR(a.zz, b.zz, tolerance);
  EXPECT_NEAR(a.xy, b.xy, tolerance);
  EXPECT_NEAR(a.xz, b.xz, tolerance);
  EXPECT_NEAR(a.yz, b.yz, tolerance);
}
// Equal to a relative tolerance: of the mass, of the size, and of the largest moment.
void expect_near(const MassProperties3& a, const MassProperties3& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  const double moment = std::max({b.inertia.xx, b.inertia.yy, b.inertia.zz});
  EXPECT_LE(length(a.center - b.center), tolerance * std::sqrt(moment / b.mass));
  expect_near(a.inertia, b.inertia, tolerance * moment);
}

double volume_of_unit_mass(const Shape3& shape) { return mass_properties(shape, 1).mass; }
MassProperties3 of_mass_one(const Shape3& shape) {
  return mass_properties(shape, 1 / volume_of_unit_mass(shape));
}

// -------------------------------------------------------------------------------------------- closed forms

TEST(Mass3, of_the_textbook) {  // and of table 6-1 in the Delft report
  const MassProperties3 sphere = of_mass_one(Sphere{1});
  EXPECT_NEAR(sphere.mass, 1, 1e-15);
  expect_near(sphere.inertia, {0.4, 0.4, 0.4}, 1e-15);
  const MassProperties3 cube = of_mass_one(Box3{{0.5, 0.5, 0.5}});
  expect_near(cube.inertia, {1.0 / 6, 1.0 / 6, 1.0 / 6}, 1e-15);
  const MassProperties3 cylinder = of_mass_one(Cylinder{1, 1});
  expect_near(cylinder.inertia, {7.0 / 12, 7.0 / 12, 0.5}, 1e-15);
  EXPECT_NEAR(volume_of_unit_mass(Sphere{2}), 32 * k_pi / 3, 1e-13);
  EXPECT_NEAR(volume_of_unit_mass(Cylinder{2, 3}), 24 * k_pi, 1e-13);
  EXPECT_NEAR(mass_properties(Box3{{1, 2, 3}}, 1000).mass, 48000, 1e-9);
  const MassProperties3 cone = of_mass_one(Cone{2, 3});  // height 6: 3/20 r² + 3/80 h², 3/10 r²
  EXPECT_NEAR(volume_of_unit_mass(Cone{2, 3}), 8 * k_pi, 1e-13);
  EXPECT_EQ(cone.center, (Vec3{0, 0, -1.5}));
  expect_near(cone.inertia, {0.6 + 1.35, 0.6 + 1.35, 1.2}, 1e-15);
}

// A solid of revolution about z, disc by disc.
MassProperties3 revolve(const std::function<double(double)>& radius_squared,
                        const std::vector<double>& seams) {
  double volume = 0, first = 0, axial = 0, radial = 0;
  for (std::size_t k = 0; k + 1 < seams.size(); ++k) {
    const auto over_z = [&](auto f) {
      return integral(seams[k], seams[k + 1], 1, [&](double z) { return k_pi * f(z, radius_squared(z)); });
    };
    volume += over_z([](double, double r2) { return r2; });
    first += over_z([](double z, double r2) { return r2 * z; });
    axial += over_z([](double, double r2) { return r2 * r2 / 2; });
    radial += over_z([](double z, double r2) { return r2 * (r2 / 4 + z * z); });
  }
  const double center = first / volume, across = radial - volume * center * center;
  return {volume, {0, 0, center}, {across, across, axial}};
}

TEST(Mass3, of_round_shapes_is_the_sum_of_their_slices) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const double r = power_of_ten(random, -1, 1), h = power_of_ten(random, -1, 1);
    expect_near(mass_properties(Sphere{r}, 1), revolve([=](double z) { return r * r - z * z; }, {-r, r}),
                1e-13);
    expect_near(mass_properties(Cylinder{r, h}, 1), revolve([=](double) { return r * r; }, {-h, h}), 1e-13);
    const auto cone = [=](double z) { return std::pow(r * (h - z) / (2 * h), 2); };
    expect_near(mass_properties(Cone{r, h}, 1), revolve(cone, {-h, h}), 1e-13);
    const auto capsule = [=](double z) {
      const double out = std::max(0.0, absolute(z) - h);
      return r * r - out * out;
    };
    expect_near(mass_properties(Capsule3{r, h}, 1), revolve(capsule, {-h - r, -h, h, h + r}), 1e-13);
  }
}

// ----------------------------------------------------------------------------------------------- polyhedra

TEST(Mass3, of_meshes_and_hulls_of_polyhedra_is_exact) {
  expect_near(mass_properties(box_mesh({1, 2, 3}), 7), mass_properties(Box3{{1, 2, 3}}, 7), 1e-14);
  const MassProperties3 tetrahedron = mass_properties(tetrahedron_mesh(), 1);
  // ∫x² = 1/60 and ∫xy = 1/120 about the corner; less V c², c = 1/4
  const double xx = 1.0 / 60 - 1.0 / 96, xy = 1.0 / 120 - 1.0 / 96;
  expect_near(tetrahedron, {1.0 / 6, {0.25, 0.25, 0.25}, {2 * xx, 2 * xx, 2 * xx, -xy, -xy, -xy}}, 1e-14);
  // A square pyramid, whose corners' mean is not its centroid: side 2, height 3, centroid at a quarter of it.
  const Mesh pyramid{{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 3}},
                     {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}};
  const double across = 4 * (4.0 / 20 + 3 * 9.0 / 80);  // m (a²/20 + 3h²/80), m a²/10
  const MassProperties3 expected{4, {0, 0, 0.75}, {across, across, 1.6}};
  expect_near(mass_properties(pyramid, 1), expected, 1e-14);
  expect_near(mass_properties(Hull{pyramid.vertices}, 1), expected, 1e-14);
  const MassProperties3 octahedron{4.0 / 3, {}, {4.0 / 15, 4.0 / 15, 4.0 / 15}};  // edge √2: I = m a²/10
  expect_near(mass_properties(octahedron_mesh(), 1), octahedron, 1e-14);
  expect_near(mass_properties(Hull{octahedron_mesh().vertices}, 1), octahedron, 1e-14);
  expect_near(mass_properties(Hull{tetrahedron_mesh().vertices}, 1), tetrahedron, 1e-14);
}

TEST(Mass3, of_a_box_turned_and_moved_is_the_box_s) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const double size = power_of_ten(random, -3, 3);
    const Box3 box{
        {size * uniform(random, 0.1, 1), size * uniform(random, 0.1, 1), size * uniform(random, 0.1, 1)}};
    const Pose3 pose{vector3(random, 2 * size), rotation3(random)};
    const Mesh mesh = samples::transformed(pose, box_mesh(box.half));
    const MassProperties3 expected = transformed(pose, mass_properties(box, 3));
    expect_near(mass_properties(mesh, 3), expected, 1e-12);
    expect_near(mass_properties(Hull{mesh.vertices}, 3), expected, 1e-12);

    const Principal3 principal_axes = principal(mass_properties(mesh, 3).inertia);
    const Sym3 own = mass_properties(box, 3).inertia;
    Vec3 sorted{own.xx, own.yy, own.zz};
    if (sorted.y < sorted.x) std::swap(sorted.x, sorted.y);
    if (sorted.z < sorted.y) std::swap(sorted.y, sorted.z);
    if (sorted.y < sorted.x) std::swap(sorted.x, sorted.y);
    EXPECT_LE(length(principal_axes.values - sorted), 1e-12 * sorted.z);
  }
}

TEST(Mass3, keeps_its_digits_far_from_the_origin) {
  // Corners that are exact there, so that only the integration could lose anything.
  const Vec3 far{1048576, -2097152, 524288};  // 1e6 times the size
  for (const Mesh& near : {box_mesh({0.5, 1, 0.25}), tetrahedron_mesh(), octahedron_mesh()}) {
    const Mesh moved = samples::transformed({far, {}}, near);
    const MassProperties3 expected = mass_properties(near, 1);
    for (const MassProperties3& mass :
         {mass_properties(moved, 1), mass_properties(Hull{moved.vertices}, 1)}) {
      EXPECT_NEAR(mass.mass, expected.mass, 1e-14 * expected.mass);
      EXPECT_LE(length(mass.center - far - expected.center), 1e-9);  // an ulp there is 2e-10
      expect_near(mass.inertia, expected.inertia, 1e-12 * expected.inertia.xx);
    }
  }
}

// The table of the Delft report, §6-3-4, in which Blender's values do not approach the exact ones.
TEST(Mass3, of_meshes_converges_to_the_smooth_shape_at_second_order) {
  const auto error_of = [](const Mesh& mesh, const Sym3& exact) {
    const Sym3 i = of_mass_one(mesh).inertia;
    return Vec3{absolute(i.xx - exact.xx), absolute(i.yy - exact.yy), absolute(i.zz - exact.zz)};
  };
  const auto expect_second_order = [&](const char* name, std::function<Mesh(int)> refined,
                                       const Sym3& exact) {
    Vec3 coarse = error_of(refined(0), exact);
    for (int level = 1; level <= 3; ++level) {
      const Vec3 fine = error_of(refined(level), exact);
      EXPECT_NEAR(std::log2(coarse.x / fine.x), 2, 0.1) << name << " " << level;
      EXPECT_NEAR(std::log2(coarse.y / fine.y), 2, 0.1) << name << " " << level;
      EXPECT_NEAR(std::log2(coarse.z / fine.z), 2, 0.1) << name << " " << level;
      coarse = fine;
    }
    EXPECT_LE(length(coarse), 0.003 * exact.xx) << name;
  };
  expect_second_order("ico", [](int level) { return ico_sphere(2 + level); }, {0.4, 0.4, 0.4});
  expect_second_order("uv", [](int level) { return uv_sphere(8 << level); }, {0.4, 0.4, 0.4});
  expect_second_order("prism", [](int level) { return prism_mesh(12 << level, 1, 1); },
                      {7.0 / 12, 7.0 / 12, 0.5});
}

TEST(Mass3, of_several_shells) {
  const Mesh a = box_mesh({1, 1, 1}), b = samples::transformed({{5, 0, 0}, {}}, box_mesh({1, 1, 1}));
  const CompoundPart3 at_a{Box3{{1, 1, 1}}}, at_b{Box3{{1, 1, 1}}, {5, 0, 0}};
  expect_near(mass_properties(joined(a, b), 1), mass_properties(Compound3{{at_a, at_b}}, 1), 1e-14);
  // touching along an edge: the edge has four triangles, two each way
  const Mesh c = samples::transformed({{2, 2, 0}, {}}, box_mesh({1, 1, 1}));
  EXPECT_NEAR(mass_properties(joined(a, c), 1).mass, 16, 1e-13);
  // a hollow: the inner shell faces inwards
  Mesh inner = box_mesh({0.5, 0.5, 0.5});
  for (Triangle& t : inner.triangles) std::swap(t[1], t[2]);
  const MassProperties3 hollow = mass_properties(joined(a, inner), 1);
  EXPECT_NEAR(hollow.mass, 7, 1e-14);
  EXPECT_NEAR(hollow.inertia.xx, 8 * 2.0 / 3 - 1 * 2.0 / 12, 1e-14);
}

TEST(Mass3, of_loose_triangles_with_repeated_corners) {
  const Mesh mesh = ico_sphere(1);
  Mesh loose;
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t corner : t) {
      if (loose.vertices.size() % 3 == 0) {
        const auto n = std::uint32_t(loose.vertices.size());
        loose.triangles.push_back({n, n + 1, n + 2});
      }
      loose.vertices.push_back(mesh.vertices[corner]);
    }
  expect_near(mass_properties(loose, 1), mass_properties(mesh, 1), 1e-14);
}

// ------------------------------------------------------------------------------------- compounds and poses

TEST(Mass3, of_a_box_in_parts_is_the_box_s) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Vec3 half{uniform(random, 0.5, 1), uniform(random, 0.5, 1), uniform(random, 0.5, 1)};
    const double cut = uniform(random, -0.4, 0.4);
    const Pose3 pose{vector3(random, 3), rotation3(random)};
    const auto part = [&](double from, double to) {
      const Pose3 at = pose * Pose3{{(from + to) / 2, 0, 0}, {}};
      return CompoundPart3{Box3{{(to - from) / 2, half.y, half.z}}, at.position, at.rotation};
    };
    const Compound3 inner{{part(-half.x, cut)}};
    const Compound3 parts{{{inner}, part(cut, half.x)}};  // one of them in a compound of its own
    expect_near(mass_properties(parts, 5), transformed(pose, mass_properties(Box3{half}, 5)), 1e-13);
  }
}

TEST(Mass3, combined_and_transformed_commute) {
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    std::vector<MassProperties3> parts, moved;
    const Pose3 pose{vector3(random, 10), rotation3(random)};
    for (int k = 0; k < 5; ++k) {
      const Pose3 place{vector3(random, 2), rotation3(random)};
      parts.push_back(transformed(place, mass_properties(Box3{{0.3, uniform(random, 0.1, 1), 0.7}}, 2)));
      moved.push_back(transformed(pose, parts.back()));
    }
    expect_near(combined(moved), transformed(pose, combined(parts)), 1e-13);
    expect_near(transformed(inverse(pose), combined(moved)), combined(parts), 1e-13);
  }
  EXPECT_EQ(combined(std::span<const MassProperties3>{}).mass, 0);
}

TEST(Mass3, of_no_density_keeps_the_centre) {
  const MassProperties3 none = mass_properties(Cone{1, 1}, 0);
  EXPECT_EQ(none.mass, 0);
  EXPECT_EQ(none.center.z, -0.5);
  const MassProperties3 both[] = {none, none};
  EXPECT_EQ(combined(both).center.z, -0.5);
}

// ------------------------------------------------------------------------------------------------ refusals

TEST(Mass3, refuses_surfaces_that_bound_nothing) {
  EXPECT_EQ(refusal([] { mass_properties(Plane{}, 1); }),
            "Plane: a plane is infinite, hence has no mass; use it on a fixed body, or use a Box3");
  EXPECT_EQ(
      refusal([] {
        mass_properties(HeightField{2, 2, {1, 1}, {0, 0, 0, 0}}, 1);
      }),
      "HeightField: a height field is a surface, hence has no mass; use it on a fixed body, or use a closed "
      "Mesh");
  EXPECT_EQ(
      refusal([] {
        mass_properties(Compound3{{{Sphere{}}, {Compound3{{{Plane{}}}}}}}, 1);
      }),
      "Compound3.parts[1].shape.parts[0].shape: a plane is infinite, hence has no mass; use it on a fixed "
      "body, or use a Box3");
  EXPECT_EQ(refusal([] { mass_properties(Sphere{}, -1); }),
            "density = -1 kg/m³: must be at least 0 and finite");
  EXPECT_EQ(refusal([] { mass_properties(Sphere{1e-80}, 1); }),
            "Sphere: is too small or too large for its mass and inertia to be numbers");
}

TEST(Mass3, refuses_meshes_that_are_not_closed_solids) {
  Mesh open = tetrahedron_mesh();
  open.triangles.pop_back();
  EXPECT_EQ(refusal([&] { mass_properties(open, 1); }),
            "Mesh.triangles = 3 triangles: leave the surface open at 3 edges with only one triangle, such as "
            "the one "
            "from (0, 1, 0) to (1, 0, 0); close the surface to give it a volume, or give it no density");
  EXPECT_EQ(refusal([&] {
              mass_properties(Compound3{{{Sphere{}}, {open}}}, 1);
            }).substr(0, 54),
            "Compound3.parts[1].shape.triangles = 3 triangles: leav");
  Mesh twisted = tetrahedron_mesh();
  std::swap(twisted.triangles[3][0], twisted.triangles[3][1]);
  EXPECT_EQ(
      refusal([&] { mass_properties(twisted, 1); }),
      "Mesh.triangles = 4 triangles: use 3 edges more often one way than the other, such as the one from (0, "
      "1, "
      "0) to (1, 0, 0), 2 times and 0 times back; list the corners of every triangle counter-clockwise seen "
      "from outside, and let two triangles meet at an edge");
  Mesh fin = tetrahedron_mesh();
  fin.vertices.push_back({2, 2, 2});
  fin.triangles.push_back({0, 1, 4});
  fin.triangles.push_back({1, 0, 4});  // both its sides: a fin without volume, which changes nothing
  EXPECT_NEAR(mass_properties(fin, 1).mass, 1.0 / 6, 1e-15);
  Mesh inside_out = tetrahedron_mesh();
  for (Triangle& t : inside_out.triangles) std::swap(t[1], t[2]);
  EXPECT_EQ(refusal([&] { mass_properties(inside_out, 1); }).substr(0, 35),
            "Mesh.triangles = a volume of -0.166");
  EXPECT_TRUE(refusal([&] {
                mass_properties(inside_out, 1);
              }).ends_with("m³: is inside out: reverse the order of each triangle's corners"));
  const Mesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_EQ(refusal([&] { mass_properties(flat, 1); }), "Mesh: encloses no volume, hence has no mass");
  EXPECT_EQ(
      refusal([&] { mass_properties(joined(tetrahedron_mesh(), tetrahedron_mesh()), 1); }),
      "Mesh.triangles = 8 triangles: have the one with the corners (0, 0, 0), (0, 1, 0), (1, 0, 0) more than "
      "once; remove the copies");
}

TEST(Mass3, has_volume_tells) {
  EXPECT_TRUE(has_volume(Shape3(tetrahedron_mesh())));
  EXPECT_TRUE(has_volume(Shape3(Cone{})));
  EXPECT_TRUE(has_volume(Shape3(Hull{octahedron_mesh().vertices})));
  EXPECT_FALSE(has_volume(Shape3(Plane{})));
  EXPECT_FALSE(has_volume(Shape3(HeightField{2, 2, {1, 1}, {0, 0, 0, 0}})));
  EXPECT_TRUE(has_volume(Shape3(Compound3{{{Sphere{}}, {Box3{}}}})));
  EXPECT_FALSE(has_volume(Shape3(Compound3{{{Sphere{}}, {Plane{}}}})));
}

TEST(Mass3, checks_what_a_user_gives) {
  const Path path{nullptr, "mass", -1};
  const auto text = [&](const MassProperties3& m) {
    return refusal([&] { check_mass_properties(m, path); });
  };
  EXPECT_EQ(text({2, {}, {1, 1, 1}}), "");
  EXPECT_EQ(text({2, {}, {1, 1, 2}}), "");  // a flat body
  EXPECT_EQ(text({0, {}, {1, 1, 1}}), "mass.mass = 0 kg: must be greater than 0 and finite");
  EXPECT_EQ(text({2, {0, NAN, 0}, {1, 1, 1}}), "mass.center.y = nan m: must be finite");
  EXPECT_EQ(
      text({2, {}, {1, 2, 4}}),
      "mass.inertia = [xx 1, yy 2, zz 4, xy 0, xz 0, yz 0] kg·m²: has the principal values (1, 2, 4), but no "
      "body has one that is larger than the sum of the other two");
  EXPECT_EQ(
      text({2, {}, {2, 2, 0}}),
      "mass.inertia = [xx 2, yy 2, zz 0, xy 0, xz 0, yz 0] kg·m²: has the principal values (0, 2, 2), which "
      "must all be greater than 0");
  EXPECT_TRUE(text({2, {}, {1, 1, 1, 3, 0, 0}}).ends_with("which must all be greater than 0"));
  Random random(5);  // every real body passes, and the flattest ones too
  for (int i = 0; i < 200; ++i) {
    const Box3 box{{1, power_of_ten(random, -6, 0), power_of_ten(random, -6, 0)}};
    check_mass_properties(transformed({{}, rotation3(random)}, mass_properties(box, 1)), path);
  }
}

}  // namespace
}  // namespace cairn
