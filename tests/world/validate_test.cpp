// The validation finds nothing wrong in a world where everything happens, and every fault that is put into it.
#include "world/validate.h"

#include <gtest/gtest.h>

#include "busy_world.h"
#include "private_members.h"

namespace cairn {

namespace rob {
using Coll = Collisions<Dim3>;
using Dyn = Dynamics<Dim3>;
using List = ContactList<Dim3>;
using Lanes = SoftStepLanes<Dim3, float>;
using Group = ContactGroup<Dim3, float>;
CAIRN_OPEN(FreeIds, Ids, free_, Roomy<std::vector<std::uint32_t>>)
CAIRN_OPEN(LiveCount, Ids, live_count_, std::uint32_t)
CAIRN_OPEN(JointsOfBodies, Joints, of_body_, std::vector<std::vector<JointId>>)
CAIRN_OPEN(Proxies, Coll, proxies_, std::vector<Proxy<Dim3>>)
CAIRN_OPEN(FreeProxies, Coll, free_proxies_, Roomy<std::vector<std::uint32_t>>)
CAIRN_OPEN(ProxiesOfSlots, Coll, proxies_of_slot_, std::vector<std::vector<std::uint32_t>>)
CAIRN_OPEN(TheBroadPhase, Coll, broad_phase_, AnyBroadPhase<Dim3>)
CAIRN_OPEN(FreeContacts, List, free_, Roomy<std::vector<std::uint32_t>>)
CAIRN_OPEN(TheContacts, Dyn, patches_, std::vector<PatchRef>)
CAIRN_OPEN(TheIslands, Dyn, islands_, Islands)
CAIRN_OPEN(IsBound, Dyn, is_bound_, std::vector<std::uint8_t>)
CAIRN_OPEN(Single, Dyn, single_, std::array<std::unique_ptr<SoftStepLanes<Dim3, float>>, 5>)
CAIRN_OPEN(Groups, Lanes, groups_, Array<Group>)
CAIRN_OPEN(ContactOf, Lanes, contact_of_, std::vector<std::uint32_t>)
}  // namespace rob

namespace {

std::string text_of(const Faults& faults) {
  std::string all;
  for (const std::string& text : faults.texts()) all += text + "\n";
  return all;
}

TEST(Validate, finds_nothing_in_a_busy_world) {
  for (const BroadPhase method : {BroadPhase::tree, BroadPhase::sweep_and_prune, BroadPhase::brute_force}) {
    World3 world({.broad_phase = method});
    busy::build(world);
    std::vector<WorldState3> states;
    for (int k = 0; k < 60; ++k) {
      busy::act(world, k);
      ASSERT_EQ(text_of(faults_of(data_of(world))), "") << "acted, " << k;
      world.step(1.0 / 60);
      ASSERT_EQ(text_of(faults_of(data_of(world))), "") << "stepped, " << k;
      if (k % 20 == 7) states.push_back(world.save());
    }
    for (const WorldState3& state : states) {
      world.restore(state);
      ASSERT_EQ(text_of(faults_of(data_of(world))), "") << "restored";
    }
  }
}

const WorldState3& sound_state() {
  static const WorldState3 state = [] {
    World3 world;
    busy::build(world);
    for (int k = 0; k < 30; ++k) busy::act(world, k), world.step(1.0 / 60);
    world.destroy(world.bodies().back());  // so that a slot is free
    world.create(SpringDef3{.a = world.background(), .b = world.bodies().back(), .stiffness = 1});
    return world.save();
  }();
  return state;
}

// Breaks something in a busy world, and expects a fault with these words.
template <class F>
void expect_found(F&& break_it, std::initializer_list<const char*> words) {
  World3 world;
  world.restore(sound_state());
  WorldData<Dim3>& data = data_of(world);
  ASSERT_EQ(text_of(faults_of(data)), "");
  break_it(data);
  const std::string found = text_of(faults_of(data));
  for (const char* word : words)
    EXPECT_NE(found.find(word), std::string::npos) << "lacks: " << word << "\n" << found;
  world.restore(sound_state());  // so that it can be destroyed
  EXPECT_EQ(text_of(faults_of(data)), "");
}

TEST(Validate, finds_broken_ids) {
  expect_found([](auto& w) { ++(ids_of(w).*way_to(rob::LiveCount{})); }, {"bodies", "counted as"});
  expect_found([](auto& w) { (ids_of(w).*way_to(rob::FreeIds{})).push_back(1); },
               {"slot 1", "live and free"});
  expect_found([](auto& w) { (ids_of(w).*way_to(rob::FreeIds{})).push_back(9999); },
               {"slot 9999 is free, of"});
  expect_found([](auto& w) { (ids_of(w).*way_to(rob::Newest{}))[1] = 0; },
               {"slot 1 has generation 1, newer"});
  expect_found([](auto& w) { (ids_of(w).*way_to(rob::FreeIds{})).clear(); },
               {"neither live, nor free, nor spent"});
  expect_found([](auto& w) { (ids_of(w).*way_to(rob::FreeIds{})).shrink_to_fit(); }, {"destroy might fail"});
}

TEST(Validate, finds_broken_rows_and_masses) {
  expect_found([](auto& w) { std::swap(w.bodies.id_of_row[2], w.bodies.id_of_row[3]); },
               {"its slot says row 3"});
  expect_found([](auto& w) { w.bodies.row_of_slot[w.bodies.id_of_row[4].index()] = 5; },
               {"in row 4: its slot says row 5"});
  expect_found([](auto& w) { w.bodies.applied.pop_back(); }, {"wrenches"});
  expect_found([](auto& w) { w.bodies.masses.back().inverse_inertia.xx *= 1 + 1e-15; },
               {"is not that of its record"});
  expect_found(
      [](auto& w) {
        const BodyId body = w.bodies.id_of_row.back();
        w.bodies.record(body).mass.mass *= 2;
        w.bodies.masses.back() = body_mass(*w.bodies.record(body).def, w.bodies.record(body).mass);
      },
      {"is not that of its shapes"});
  expect_found([](auto& w) { w.bodies.states.back().rotation.w += 1e-6; }, {"its rotation has length"});
}

TEST(Validate, finds_broken_joints_springs_and_exemptions) {
  expect_found([](auto& w) { std::swap(w.joints.id_of_row[0], w.joints.id_of_row[1]); },
               {"joint #", "its slot says row 1"});
  expect_found([](auto& w) { w.joints.records[1].b = w.joints.records[1].a; }, {"twice"});
  expect_found([](auto& w) { w.joints.records[0].b = BodyId(7, 77, 1); }, {"which does not exist"});
  expect_found(
      [](auto& w) {
        auto& lists = w.joints.*way_to(rob::JointsOfBodies{});
        lists[w.joints.records[0].b.index()].clear();
      },
      {"is listed 0 times"});
  expect_found(
      [](auto& w) {
        auto& lists = w.joints.*way_to(rob::JointsOfBodies{});
        lists.resize(200);
        lists[199].push_back(w.joints.id_of_row[0]);
      },
      {"body in slot 199", "does not hold it"});
  expect_found([](auto& w) { w.joints.memory.pop_back(); }, {"memories"});
  expect_found([](auto& w) { w.joints.may_break.pop_back(); }, {"whether they break"});
  expect_found([](auto& w) { w.joints.may_break[0] ^= 1; }, {"is said"});
  expect_found(
      [](auto& w) {
        for (auto& spring : w.springs) spring.a = {};
      },
      {"spring #", "which does not exist"});
  expect_found([](auto& w) { w.broken.clear(), w.broken.shrink_to_fit(); }, {"room for 0 breaks"});
  const auto first = [](auto& w) {  // joint that parts its bodies
    return *std::find_if(w.joints.records.begin(), w.joints.records.end(),
                         [](const auto& joint) { return !joint.collide_connected; });
  };
  expect_found([&](auto& w) { w.collisions.joined.add(first(w).a, first(w).b); },
               {"there are no such joints", "not known"});
  expect_found([&](auto& w) { w.collisions.joined.remove_all_of(first(w).b); }, {"not known to be parted"});
  expect_found([](auto& w) { w.collisions.exemptions.add(BodyId(1, 50, 1), BodyId(2, 50, 1)); },
               {"do not both exist"});
}

// Two islands that sleep, of three boxes each, joined and with a spring; and one box that is awake.
struct Sleepers {
  World3 world{{.sleep = {.mode = SleepMode::on}}};
  std::vector<BodyId> boxes;
  BodyId awake;
  Sleepers() {
    for (int i = 0; i < 6; ++i)
      boxes.push_back(world.create({.position = {2. * i, 0, 0}, .shapes = {Box3{}}}));
    for (int first : {0, 3}) {
      world.create(FixedDef3{.a = boxes[first], .b = boxes[first + 1]});
      world.create(SpringDef3{.a = boxes[first + 1], .b = boxes[first + 2], .stiffness = 1});
    }
    awake = world.create({.position = {0, 0, 9}, .shapes = {Box3{}}});
    world.put_to_sleep(boxes[0]), world.put_to_sleep(boxes[3]);
    for (const BodyId box : boxes) EXPECT_TRUE(world.is_asleep(box));
  }
  Sleeper& sleeper(BodyId body) { return data_of(world).sleep.of_slot[body.index()]; }
  std::string faults() { return text_of(faults_of(data_of(world))); }
};

TEST(Validate, finds_broken_sleepers) {
  const auto expect_found_in = [](auto&& break_it, const char* words) {
    Sleepers s;
    ASSERT_EQ(s.faults(), "");
    break_it(s);
    EXPECT_NE(s.faults().find(words), std::string::npos) << "lacks: " << words << "\n" << s.faults();
  };
  // Rings that lead out of sleep, into another ring, or back to where they did not begin.
  expect_found_in([](Sleepers& s) { s.sleeper(s.boxes[1]).next = s.awake.index(); }, "which does not sleep");
  expect_found_in([](Sleepers& s) { s.sleeper(s.boxes[1]).next = 999; }, "slot 999, which does not sleep");
  expect_found_in([](Sleepers& s) { s.sleeper(s.boxes[4]).next = s.boxes[0].index(); }, "has come before");
  expect_found_in([](Sleepers& s) { s.sleeper(s.boxes[0]).next = s.boxes[4].index(); }, "has come before");
  expect_found_in([](Sleepers& s) { s.sleeper(s.boxes[1]).next = s.boxes[1].index(); }, "has come before");
  // One that wakes alone, or whose ring is only half of what hangs together.
  const auto wake_alone = [](Sleepers& s, BodyId body) {
    std::uint32_t before = body.index();
    while (s.world.contains(body) && data_of(s.world).sleep.of_slot[before].next != body.index())
      before = data_of(s.world).sleep.of_slot[before].next;
    data_of(s.world).sleep.of_slot[before].next = s.sleeper(body).next;
    s.sleeper(body).next = body.index();
  };
  expect_found_in(
      [&](Sleepers& s) { wake_alone(s, s.boxes[0]), data_of(s.world).bodies.raise(s.boxes[0]); },
      "joint #0 (generation 1): its bodies #1 (generation 1) and #2 (generation 1) do not sleep together");
  expect_found_in([&](Sleepers& s) { wake_alone(s, s.boxes[5]); }, "spring #1");
  expect_found_in([](Sleepers& s) { data_of(s.world).bodies.states.back().velocity.x = 1e-9; },
                  "sleeps, and moves");
  expect_found_in(
      [](Sleepers& s) {
        auto& woke = data_of(s.world).sleep.woke;
        woke.clear(), woke.shrink_to_fit();
      },
      "room for 0 that woke");
  expect_found_in([](Sleepers& s) { s.sleeper(s.boxes[2]).woken = true; }, "is listed 0 times");
  expect_found_in([](Sleepers& s) { data_of(s.world).sleep.of_slot.pop_back(); },
                  "there are only 7 sleepers");
}

TEST(Validate, finds_broken_proxies_and_boxes) {
  const auto proxies = [](auto& w) -> auto& { return w.collisions.*way_to(rob::Proxies{}); };
  const auto used = [&](auto& w) {  // a proxy of a body that moves
    std::uint32_t i = 0;
    while (!proxies(w)[i].body || w.bodies.masses[w.bodies.row(proxies(w)[i].body)].motion != Motion::dynamic)
      ++i;
    return i;
  };
  expect_found([&](auto& w) { (w.collisions.*way_to(rob::FreeProxies{})).push_back(used(w)); },
               {"free, and used"});
  expect_found([&](auto& w) { (w.collisions.*way_to(rob::ProxiesOfSlots{}))[1].push_back(used(w)); },
               {"slot 1, which is not its own"});
  expect_found([&](auto& w) { proxies(w)[used(w)].material.static_friction += 1; },
               {"is not that of shape 0"});
  expect_found([&](auto& w) { proxies(w)[used(w)].on_body.piece = proxies(w)[0].on_body.piece; },
               {"is not that of shape 0"});
  expect_found([&](auto& w) { w.bodies.states.back().position.z += 20; }, {"sticks out of its box"});
  expect_found([&](auto& w) { (w.collisions.*way_to(rob::TheBroadPhase{})).remove(used(w)); },
               {"in the broad phase, of"});
  // A box that is not the one in the tree.
  expect_found(
      [&](auto& w) {
        AnyBroadPhase<Dim3>& broad_phase = w.collisions.*way_to(rob::TheBroadPhase{});
        const_cast<FloatBox<Dim3>&>(broad_phase.stored(used(w))).lo[0] = 1e3f;
      },
      {"sticks out of its box"});
}

TEST(Validate, finds_broken_contacts_and_pairs) {
  const auto place_of_touching = [](auto& w) {
    std::size_t i = 0;
    while (w.collisions.contacts()[i].patches.empty()) ++i;
    return i;
  };
  const auto touching = [&](auto& w) -> auto& { return w.collisions.contacts()[place_of_touching(w)]; };
  expect_found([&](auto& w) { ++touching(w).pair.b; }, {"has the contact of"});
  expect_found([&](auto& w) { (w.collisions.contacts().*way_to(rob::FreeContacts{})).push_back(0); },
               {"is not there or used"});
  expect_found([&](auto& w) { touching(w).cache.axis = {0.5, 0, 0}; }, {"its cached axis has length 0.5"});
  expect_found([&](auto& w) { touching(w).patches[0].count = 5; }, {"a patch of 5 points"});
  expect_found([&](auto& w) { touching(w).patches[0].normal = {}; }, {"a normal of length 0"});
  expect_found([&](auto& w) { touching(w).patches[0].element = 100000; }, {"element 100000 of"});
  expect_found([&](auto& w) { touching(w).patches[0].points[0].load = -1; }, {"bears -1 N"});
  expect_found([&](auto& w) { touching(w).patches[0].points[0].anchor_b.y += 50; }, {"from b's centre"});
  expect_found([&](auto& w) { touching(w).separation += 1e-9; }, {"its nearest point"});
  expect_found([&](auto& w) { w.collisions.contacts().set_apart_until(place_of_touching(w), 1e9); },
               {"held to be apart, and near"});
  expect_found(  // a contact is lost
      [&](auto& w) {
        const ProxyPair lost = touching(w).pair;
        std::vector<ProxyPair> found;  // as if all boxes had been there for long
        (w.collisions.*way_to(rob::TheBroadPhase{})).find_pairs(w.team, found);
        w.collisions.contacts().remove_if([&](const auto& contact) { return contact.pair == lost; });
      },
      {"overlap, and nothing knows of it"});
  expect_found(  // two that may not meet
      [&](auto& w) {
        const auto& contact = touching(w);
        w.collisions.exemptions.add(w.collisions.proxy(contact.pair.a).body,
                                    w.collisions.proxy(contact.pair.b).body);
      },
      {"they may not meet"});
}

// Islands and colors last only as long as the solve.
TEST(Validate, finds_broken_islands_and_colors) {
  World3 world({.method = {.solver = SoftStep{}}});
  for (int i = 0; i < 12; ++i) {
    world.create({.position = {3. * (i % 4), 0, 0.5 + 0.99 * (i / 4)}, .shapes = {Box3{}}});
    world.create({.position = {100. + 3 * i, 0, 50}, .shapes = {Sphere{}}});  // alone
  }
  world.create({.motion = Motion::fixed, .shapes = {Plane{}}});
  world.step(1.0 / 60);
  WorldData<Dim3>& data = data_of(world);
  std::vector<Spring<Dim3>> springs;
  const ForceSet<Dim3> forces = data.forces(springs);
  std::vector<BodyState<Dim3>> next(data.bodies.states.begin(), data.bodies.states.end());
  SolveReport report;
  data.dynamics.solve(data.def, data.team, data.collisions, data.bodies, data.joints, forces, 0, 1.0 / 60,
                      next, report);
  const auto faults = [&] {
    Faults found;
    data.dynamics.find_faults(found, data.bodies, forces);
    return text_of(found);
  };
  EXPECT_EQ(faults(), "");
  Islands& islands = data.dynamics.*way_to(rob::TheIslands{});
  const Islands right = islands;
  const std::uint32_t low = data.bodies.row(world.bodies()[0]), other = data.bodies.row(world.bodies()[2]);
  islands.join(low, other);
  EXPECT_NE(faults().find("its island is that of row"), std::string::npos) << faults();
  islands = right;
  auto& bound = data.dynamics.*way_to(rob::IsBound{});
  bound[low] = 0;
  EXPECT_NE(faults().find("is bound and does not know"), std::string::npos) << faults();
  bound[low] = 1;
  EXPECT_EQ(faults(), "");

  auto& contacts = data.dynamics.*way_to(rob::TheContacts{});
  auto& lanes = *(data.dynamics.*way_to(rob::Single{}))[0];  // of islands that nothing pulls taut
  const auto color_faults = [&] {
    Faults found;
    lanes.find_faults(found, contacts, data.bodies.masses);
    return text_of(found);
  };
  ASSERT_GE(contacts.size(), 12u);
  EXPECT_EQ(color_faults(), "");
  auto& groups = lanes.*way_to(rob::Groups{});
  auto& contact_of = lanes.*way_to(rob::ContactOf{});
  auto& group = groups[0];
  ASSERT_NE(contact_of[1], k_nobody);
  const auto other_contact = contact_of[1], other_a = group.a[1], other_b = group.b[1];
  contact_of[1] = contact_of[0];
  EXPECT_NE(color_faults().find("is not contact"), std::string::npos) << color_faults();
  EXPECT_NE(color_faults().find("in no color"), std::string::npos) << color_faults();
  // Another contact of the same body, in the lane beside it.
  std::uint32_t sharing = 0;
  const PatchRef& first = contacts[contact_of[0]];
  const auto body = data.bodies.masses[first.a].motion == Motion::dynamic ? first.a : first.b;
  while (sharing == contact_of[0] || (contacts[sharing].a != body && contacts[sharing].b != body)) ++sharing;
  contact_of[1] = sharing, group.a[1] = contacts[sharing].a, group.b[1] = contacts[sharing].b;
  EXPECT_NE(color_faults().find("is not the only one that moves row"), std::string::npos) << color_faults();
  contact_of[1] = other_contact, group.a[1] = other_a, group.b[1] = other_b;
  EXPECT_EQ(color_faults(), "");
  // Ground that another group writes to as well.
  std::size_t place = 0;
  const auto on_ground = [&] {
    return contact_of[place] != k_nobody &&
           data.bodies.masses[contacts[contact_of[place]].b].motion == Motion::fixed;
  };
  while (place < contact_of.size() && !on_ground()) ++place;
  ASSERT_LT(place, contact_of.size());
  auto& ground = groups[place / k_width].b[place % k_width];
  ++ground;
  EXPECT_NE(color_faults().find("has the record"), std::string::npos) << color_faults();
  --ground;
  EXPECT_EQ(color_faults(), "");
  // A lane without a contact that would undo what another does to a body.
  std::size_t partial = 0;
  while (partial < groups.size() && contact_of[partial * k_width + k_width - 1] != k_nobody) ++partial;
  ASSERT_LT(partial, groups.size());
  auto& nowhere = groups[partial].b[k_width - 1];
  const auto rests = std::exchange(nowhere, groups[partial].b[0]);
  if (rests == nowhere) nowhere = groups[partial].a[0];
  EXPECT_NE(color_faults().find("has no contact, but records"), std::string::npos) << color_faults();
  nowhere = rests;
  EXPECT_EQ(color_faults(), "");
}

TEST(ValidateDeathTest, stops_and_says_what_broke) {
  Faults faults;
  stop_at(faults, "never");
  faults.add("body ", BodyId(3, 2, 1), ": ", 0.5, " of ", 7);
  EXPECT_DEATH(stop_at(faults, "in a test"), "in a test:\n  body #3 .generation 2.: 0.5 of 7");
}

}  // namespace
}  // namespace cairn
