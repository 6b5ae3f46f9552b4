#include <cairn/cairn.h>
#include <gtest/gtest.h>

#include <set>

namespace cairn {
namespace {

struct Two {
  double a = 1;
  std::vector<int> b{};
};
}  // namespace

template <>
struct Fields<Two> {
  static constexpr std::string_view name = "Two";
  static constexpr auto table() { return std::tuple{field("a", &Two::a, "m", k_any, "the first")}; }
};

namespace {

TEST(Fields, notice_a_member_without_a_row) { static_assert(!covers_every_member<Two>()); }

// Every definition of the API, with what a reader of its table must be able to rely on.
template <class... T>
void check_tables() {
  const auto check_one = []<class Def>(std::type_identity<Def>) {
    std::set<std::string_view> names;
    for_each_field<Def>([&](const auto& row) {
      EXPECT_TRUE(names.insert(row.name).second) << Fields<Def>::name << "." << row.name << " stands twice";
      EXPECT_GE(row.doc.size(), 5u) << Fields<Def>::name << "." << row.name;
      EXPECT_NE(row.doc.back(), '.') << Fields<Def>::name << "." << row.name;
      for (char c : row.name) EXPECT_TRUE((c >= 'a' && c <= 'z') || c == '_') << row.name;
      // defaults come from the member initialisers, and are in range unless the field has to be given
      const Def def{};
      using Member = typename std::remove_cvref_t<decltype(row)>::type;
      if constexpr (std::is_arithmetic_v<Member> || std::is_same_v<Member, Vec3> ||
                    std::is_same_v<Member, Vec2>) {
        EXPECT_NO_THROW(check_value(def.*row.member, Path{nullptr, row.name, -1}, row.unit, row.range))
            << Fields<Def>::name << "." << row.name;
      }
    });
  };
  (check_one(std::type_identity<T>{}), ...);
}
TEST(Fields, tables_are_usable_and_defaults_are_in_range) {
  check_tables<Material, BodyDef2, BodyDef3, ShapeDef2, ShapeDef3, Locks2, Locks3, SpringDef2, SpringDef3,
               WorldDef2, WorldDef3, Method, Newmark, ImplicitEuler, Conserving, Sphere, Box3, Capsule3,
               Cylinder, Cone, Hull, Plane, Mesh, HeightField, Compound3, Circle, Box2, Capsule2, Polygon,
               Segment, Chain, Compound2>();
}

TEST(Range, says_what_it_accepts) {
  EXPECT_EQ(k_positive.text(), "must be greater than 0 and finite");
  EXPECT_EQ(k_zero_to_one.text(), "must be from 0 to 1");
  EXPECT_EQ(k_any.text(), "must be finite");
  const Range effort{.lo = 0, .infinite = true};
  EXPECT_EQ(effort.text(), "must be at least 0");
  EXPECT_TRUE(effort.contains(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(effort.contains(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(k_positive.contains(0));
  EXPECT_FALSE(k_positive.contains(std::numeric_limits<double>::infinity()));
}

TEST(Path, names_where_a_value_stands) {
  const Path root{nullptr, "BodyDef3", -1};
  const Path shapes = root / "shapes";
  const Path second = shapes[1];
  EXPECT_EQ((second / "density").text(), "BodyDef3.shapes[1].density");
}

TEST(ToText, reads_back_as_the_same_number) {
  for (double x : {0.1, 1.0 / 3, 1e-300, 123456789.0, -0.0}) EXPECT_EQ(std::stod(to_text(x)), x);
  EXPECT_EQ(to_text(0.5), "0.5");
  EXPECT_EQ(to_text(Vec3{1, 2.5, -3}), "(1, 2.5, -3)");
}

}  // namespace
}  // namespace cairn
