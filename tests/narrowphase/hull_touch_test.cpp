// Pairs that all but touch along edges that are all but parallel, as random tests found them: directions far from each other
// separate them equally well, to round-off, and sharp corners magnify what the clip lets pass. Their points were off a
// surface, by as much as a third of the piece.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "narrowphase/solid_pairs.h"

namespace cairn {
namespace {

using namespace pairs;

// Past a sharp tip a point may be close to all planes and yet far off; but not within the box around the corners.
void expect_in_box(const Vec3& p, const Piece3& piece, double tolerance) {
  Vec3 lo = corners_of(piece)[0], hi = lo;
  for (const Vec3& corner : corners_of(piece)) lo = smaller(lo, corner), hi = larger(hi, corner);
  const Vec3 beyond = larger(lo - p, p - hi);
  EXPECT_LE(std::max({beyond.x, beyond.y, beyond.z}), tolerance);
}

void expect_sound(const Shape3& shape_a, const Shape3& shape_b, const Pose3& pose, double margin) {
  const Built a(shape_a), b(shape_b);
  const double size = a.size + b.size;
  const double greatest = greatest_separation(a.piece, b.piece, pose);
  const auto found = collide_fresh(a.piece, b.piece, pose, margin),
             mirrored = collide_fresh(b.piece, a.piece, inverse(pose), margin);
  // Stricter than what is promised, 1e-9.
  EXPECT_EQ(defect_of(a.piece, b.piece, pose, margin, size, found, 2e-10), "");
  EXPECT_EQ(defect_of(b.piece, a.piece, inverse(pose), margin, size, mirrored, 2e-10), "");
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(mirrored.size(), 1u);
  EXPECT_NEAR(found[0].points[0].separation, greatest, 1e-10 * size);
  EXPECT_NEAR(mirrored[0].points[0].separation, greatest, 1e-10 * size);
  for (const ManifoldPoint<Dim3>& p : std::span(found[0].points).first(std::size_t(found[0].count))) {
    expect_in_box(p.point, a.piece, 2e-10 * size);
    expect_in_box(to_local(pose, p.point + p.separation * found[0].normal), b.piece, 2e-10 * size);
  }
}

TEST(HullTouch, a_plate_in_the_edge_of_a_box_by_a_billionth) {
  expect_sound(Box3{{1.3643270210737677e-05, 0.00030829516727178636, 0.00050000000000000001}},
               Hull{{{-0.0002805625097114479, 0.00021812442258092399, 1.4403232075651594e-05},
                     {-8.7874679616740413e-05, 0.00021817825708287826, -4.9588025165819461e-05},
                     {0.000306668013454274, 0.000217377751233768, 7.027045797730116e-05},
                     {0.00032649384901973393, 0.00021800061123440544, -8.8339816028686066e-05},
                     {0.00056441352427563716, 0.00021762680844679208, 4.3033096906742477e-05}},
                    1e-13},
               {{-0.00028769423732298111, 0.00013819476189202512, 0.00036192822971668602},
                {0.91455068491616709, 0.37683847470602672, 0.13547688275103265, 0.056884294323370499}},
               1.6909221327933662e-05);
}

TEST(HullTouch, a_pebble_just_off_the_edge_of_a_block) {
  expect_sound(Hull{{{-0.0082463345088825881, -0.00034773714757189381, -0.0025568971775491996},
                     {-0.0018326271284884615, 0.0053283073721096912, -0.0052827980672398101},
                     {0.00093324012817693619, 0.0011899326966884631, -0.00069622847934798504},
                     {0.0022072443075903114, 0.0069602108386503728, -0.0052819190530033148},
                     {0.008039621305708981, 0.0042062349935621645, -0.0008619369597516525},
                     {0.0081219936979016246, 0.0064354297215760302, -0.0027783340579562305}},
                    1e-13},
               box_hull({0.5, 0.5, 0.48583152575765154}),
               {{-0.093674865804211346, 0.77316621136072328, 0.24955573572331596},
                {-0.4940917949682212, 0.093982530837337458, -0.80099700244425698, 0.3247220105225474}},
               1.7719552910604661e-05);
}

TEST(HullTouch, two_plates_that_overlap_by_a_billionth) {
  expect_sound(Hull{{{-0.00023570975977624126, -0.00021048280831615092, 0.00011522945928221528},
                     {-0.00023516825176447313, -0.0002109203567589248, -0.00035123077181267303},
                     {6.6872069239305335e-05, -0.00021027779850170134, -0.00010653202118401028},
                     {0.00035540215351618565, -0.00021084522574405374, -0.00022231535263699318},
                     {0.00036695341304911579, -0.00021094899121800511, -5.9359968315515422e-05}},
                    1e-13},
               Hull{{{-0.0043560824917384397, -0.00019941489854438671, 5.1640063329380523e-06},
                     {-0.0037192095433605716, 0.0011889551598140585, 5.5168875630869195e-06},
                     {-0.0015956150464946648, 0.0030939825867624345, -5.793398550024555e-06},
                     {0.0009736208624302917, 0.00043015915009490585, -6.6745193014213453e-06},
                     {0.0037402261972119479, 0.0047997430798509596, 2.9419987668808117e-06},
                     {0.004461040857476767, 0.00292267142256702, -4.1520222310157473e-06},
                     {0.0049893231953365182, -0.0040273583277770147, -2.1375737029113356e-06}},
                    1e-13},
               {{0.00012463762864305984, -0.00018171695825932102, 0.0040718588741572607},
                {-0.50190764191926329, 0.50639700191053716, 0.49751418469059216, 0.49409556916726083}},
               0.00034034905811394556);
}

// The tip of a blade lies on an edge that passes it by a billionth: where that leaves the face, it is past the tip.
TEST(HullTouch, two_blades_edge_on_tip) {
  const Hull blade{{{-0.089883155860099317, -0.001747301629782261, -0.073237127932940183},
                    {-0.089883155860099317, -0.001747301629782261, 0.0071015391508055109},
                    {-0.08988315586009929, -0.0016513546765147423, -0.073237127932940183},
                    {-0.08988315586009929, -0.0016513546765147423, 0.0071015391508055109},
                    {0.0013678192636407613, -0.001776950868900423, -0.073237127932940183},
                    {0.0013678192636407613, -0.001776950868900423, 0.0071015391508055109},
                    {0.0013678192636407821, -0.0016217054373965803, -0.073237127932940183},
                    {0.0013678192636407821, -0.0016217054373965803, 0.0071015391508055109},
                    {0.057764023396683288, -0.0016993281531485016, -0.073237127932940183},
                    {0.057764023396683288, -0.0016993281531485016, 0.0071015391508055109}},
                   1e-13};
  expect_sound(blade, blade,
               {{0.019711073677593609, -0.00013188075065720395, 0.080338667085076268},
                {0.99999905278775059, 2.7755575615628914e-17, 1.335320742867907e-13, 0.001376380616611772}},
               0.00016808924198987834);
}

}  // namespace
}  // namespace cairn
