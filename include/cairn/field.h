// One vocabulary, one source: the field tables.
//
// Each definition (a body, a shape, a material, a method, …) is a plain struct whose member initialisers are
// its defaults. Beside it stands `Fields<Definition>`: a constexpr table with one row per member,
//
//   field("mass", &BodyDef3::mass, "kg", k_positive, "total mass; from the shapes' densities if not given")
//          name    member           unit  range       one line of documentation
//
// from which everything that has to know the members is read: `check` and its error texts here; scene files,
// their schema, command-line overrides, bindings and the reference pages elsewhere. Wherever a table is read, it must
// have a row for every member, or does not compile. (Not beside each table: that took 1.7 of the 3.5 s to compile
// <cairn/cairn.h>.)
#pragma once

#include <cairn/error.h>
#include <cairn/id.h>
#include <cairn/math.h>

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace cairn {

// Which numbers a field accepts. NaN is never accepted; infinity only where `infinite` says so. For vectors
// the range holds for every component.
struct Range {
  double lo = -std::numeric_limits<double>::infinity(), hi = std::numeric_limits<double>::infinity();
  bool lo_open = false, hi_open = false;  // is the end itself excluded?
  bool infinite = false;                  // is an infinite value meaningful?

  constexpr bool contains(double x) const {
    if (x != x) return false;
    if (!infinite && !is_finite(x)) return false;
    return (lo_open ? x > lo : x >= lo) && (hi_open ? x < hi : x <= hi);
  }
  std::string text() const;  // "must be greater than 0"
};
inline constexpr Range k_any{};
inline constexpr Range k_positive{.lo = 0, .lo_open = true};
inline constexpr Range k_non_negative{.lo = 0};
inline constexpr Range k_zero_to_one{.lo = 0, .hi = 1};

template <class Definition, class Member, class Owner = Definition>
struct Field {
  using type = Member;
  std::string_view name;
  Member Owner::*member;
  std::string_view unit;  // SI; empty for a pure number
  Range range;
  std::string_view doc;
};
template <class Owner, class Member>
constexpr auto field(std::string_view name, Member Owner::*member, std::string_view unit, Range range,
                     std::string_view doc) {
  return Field<Owner, Member>{name, member, unit, range, doc};
}

// Specialised for every definition: `static constexpr std::string_view name`, `static constexpr auto table()`
// returning a tuple of fields, and, where members depend on each other, `static void check(const T&, const
// Path&)`. It is a function so that the members' types may be incomplete where the table is declared.
template <class T>
struct Fields;

template <class T>
concept Definition = requires {
  { Fields<T>::name } -> std::convertible_to<std::string_view>;
  Fields<T>::table();
};

// Specialised for every enumeration: `static constexpr std::array<std::pair<E, std::string_view>, n> table`.
template <class E>
struct EnumNames;

template <class E>
constexpr std::string_view name_of(E value) {
  for (const auto& [v, name] : EnumNames<E>::table)
    if (v == value) return name;
  return {};
}

// -------------------------------------------------------------------------------------------- completeness

namespace detail {
struct AnyMember {
  template <class T>
  operator T&() const& noexcept;  // never defined: only whether it would convert matters
  template <class T>
  operator T&&() const&& noexcept;
};
template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(void(I), AnyMember{})...}; };
}
template <class T, std::size_t N = 0>
constexpr std::size_t count_members() {
  if constexpr (!takes<T>(std::make_index_sequence<N + 1>{}))
    return N;
  else
    return count_members<T, N + 1>();
}
}  // namespace detail

// Does the table have one row for each member of the aggregate?
template <Definition T>
constexpr bool covers_every_member() {
  return detail::count_members<T>() == std::tuple_size_v<decltype(Fields<T>::table())>;
}

// f(field) for every row of the table, in order.
template <Definition T, class F>
constexpr void for_each_field(F&& f) {
  static_assert(!std::is_aggregate_v<T> || covers_every_member<T>(), "give each member a row in Fields<T>");
  std::apply([&](const auto&... row) { (f(row), ...); }, Fields<T>::table());
}

// -------------------------------------------------------------------------------------------------- checks

// Where a value stands inside a definition; becomes text only when something is wrong.
struct Path {
  const Path* parent = nullptr;
  std::string_view name;
  std::ptrdiff_t index = -1;

  std::string text() const;  // "BodyDef3.shapes[2].density"
  Path operator/(std::string_view member) const { return {this, member, -1}; }
  Path operator[](std::size_t i) const { return {this, {}, std::ptrdiff_t(i)}; }
};

std::string to_text(double value);  // the shortest text that reads back as the same number
std::string to_text(const Vec2& value);
std::string to_text(const Vec3& value);
std::string to_text(const Sym3& value);

namespace detail {
[[noreturn]] void refuse(const Path& path, double value, std::string_view unit, const Range& range);
[[noreturn]] void refuse(const Path& path, std::string value, std::string remedy);
void check_rotation(const Path& path, double norm, std::string_view what);

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;
template <class T>
inline constexpr bool is_id = false;
template <class Tag>
inline constexpr bool is_id<Id<Tag>> = true;
template <class T>
inline constexpr bool is_unchecked =
    std::is_same_v<T, bool> || std::is_same_v<T, std::string> || std::is_same_v<T, Axes2> ||
    std::is_same_v<T, Axes3> || is_id<T> || std::is_pointer_v<T>;

inline void check_number(double value, const Path& path, std::string_view unit, const Range& range) {
  if (!range.contains(value)) refuse(path, value, unit, range);
}
}  // namespace detail

template <Definition T>
void check(const T& definition, const Path& path);

// Checks one value, of any type that a definition may hold, against a field's range.
template <class T>
void check_value(const T& value, const Path& path, std::string_view unit, const Range& range) {
  using namespace detail;
  if constexpr (Definition<T>) {
    check(value, path);
  } else if constexpr (is_unchecked<T>) {
  } else if constexpr (std::is_arithmetic_v<T>) {
    check_number(double(value), path, unit, range);
  } else if constexpr (std::is_enum_v<T>) {
    if (name_of(value).empty()) refuse(path, std::to_string(int(value)), "is not one of the named choices");
  } else if constexpr (std::is_same_v<T, Vec2>) {
    check_number(value.x, path / "x", unit, range);
    check_number(value.y, path / "y", unit, range);
  } else if constexpr (std::is_same_v<T, Vec3>) {
    check_number(value.x, path / "x", unit, range);
    check_number(value.y, path / "y", unit, range);
    check_number(value.z, path / "z", unit, range);
  } else if constexpr (std::is_same_v<T, Sym3>) {
    check_value(Vec3{value.xx, value.yy, value.zz}, path / "diagonal", unit, range);
    check_value(Vec3{value.xy, value.xz, value.yz}, path / "off_diagonal", unit, k_any);
  } else if constexpr (std::is_same_v<T, Rot2>) {
    check_rotation(path, norm(value), "a cosine and sine of one angle, such as Rot2::from_angle gives");
  } else if constexpr (std::is_same_v<T, Rot3>) {
    check_rotation(path, norm(value), "a unit quaternion, such as Rot3::from_axis_angle gives");
  } else if constexpr (is_optional<T>) {
    if (value) check_value(*value, path, unit, range);
  } else if constexpr (is_vector<T>) {
    for (std::size_t i = 0; i < value.size(); ++i) check_value(value[i], path[i], unit, range);
  } else if constexpr (is_variant<T>) {
    std::visit([&](const auto& v) { check_value(v, path, unit, range); }, value);
  } else {
    static_assert(Definition<T>, "give this type a field table or teach check_value about it");
  }
}

// Throws cairn::Error, naming field, value and remedy, if any member is out of its range or members clash.
template <Definition T>
void check(const T& definition, const Path& path) {
  for_each_field<T>(
      [&](const auto& row) { check_value(definition.*row.member, path / row.name, row.unit, row.range); });
  if constexpr (requires { Fields<T>::check(definition, path); }) Fields<T>::check(definition, path);
}
template <Definition T>
void check(const T& definition) {
  check(definition, Path{nullptr, Fields<T>::name, -1});
}

}  // namespace cairn
