// The broad phases against each other and, where it is installed, against Bullet's tree (btDbvtBroadphase).
//
//   benchmark_broadphase [most bodies = 1000000] [most bodies with Bullet = 100000] [least bodies = 1000]
//
// Boxes of about 1 m in a cube in which each meets three others. All methods get the same boxes, step by step in turn,
// so that whatever else the machine does disturbs all of them. Printed are nanoseconds per body for `update` plus
// `find_pairs`: the mean over the steps (work comes in waves), the best of several runs. One thread is measured in the
// time of the thread, two (x2) by the clock on the wall.
//
//   still       no box changes
//   quiet       every box moves by 0.1 % of its size in a step
//   moving      by 5 to 10 %
//   leaping     by a whole size
//   reshuffled  to anywhere
//
// Bullet keeps the set of all pairs, Cairn's methods report those that are new. The column `+kept` is the tree and
// the set of pairs kept from its reports, sorted: what a world needs, and what compares with Bullet.
#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/random.h"
#include "broadphase/any_broad_phase.h"

#ifdef CAIRN_WITH_BULLET
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#endif

namespace cairn {
namespace {

struct Motion {
  const char* name;
  double least, most;  // [m] in a step; reshuffled if negative
};
constexpr Motion k_motions[] = {{"still", 0, 0},
                                {"quiet", 0.001, 0.001},
                                {"moving", 0.05, 0.1},
                                {"leaping", 1, 1},
                                {"reshuffled", -1, -1}};

class Crowd {
 public:
  std::vector<std::uint32_t> proxies;
  std::vector<Bounds3> boxes;

  Crowd(std::size_t n, const Motion& motion) : side_(std::cbrt(8 * double(n) / 3)), motion_(motion) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const Vec3 half = random_.vector(0.3, 0.7), center = random_.vector(0, side_);
      proxies.push_back(i);
      boxes.push_back({center - half, center + half});
      const double speed = random_.uniform(std::max(motion.least, 0.0), std::max(motion.most, 0.0));
      velocities_.push_back(speed * normalized(random_.vector(-1, 1)));
    }
  }
  void step() {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      Vec3 center = 0.5 * (boxes[i].lo + boxes[i].hi);
      const Vec3 half = 0.5 * (boxes[i].hi - boxes[i].lo);
      if (motion_.least < 0) {
        center = random_.vector(0, side_);
      } else {
        Vec3& v = velocities_[i];
        if (center.x + v.x < 0 || center.x + v.x > side_) v.x = -v.x;
        if (center.y + v.y < 0 || center.y + v.y > side_) v.y = -v.y;
        if (center.z + v.z < 0 || center.z + v.z > side_) v.z = -v.z;
        center += v;
      }
      boxes[i] = {center - half, center + half};
    }
  }

 private:
  double side_;
  Motion motion_;
  std::vector<Vec3> velocities_;
  bench::Random random_;
};

double now() {  // [ns]
  return double(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}
// [ns] that this thread has run: where it works alone, others on the machine disturb this less.
double thread_now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * double(t.tv_sec) + double(t.tv_nsec);
}

// Something that is measured: insert(crowd), then step(crowd) again and again.
class Cairn {
 public:
  Cairn(BroadPhase kind, int threads) : method_(kind), team_(threads) {}
  void insert(const Crowd& crowd) {
    for (const std::uint32_t i : crowd.proxies) method_.insert(i, crowd.boxes[i], true);
    method_.find_pairs(team_, found_);
    kept_ = found_;
  }
  void step(const Crowd& crowd) {
    method_.update(team_, crowd.proxies, crowd.boxes);
    method_.find_pairs(team_, found_);
  }
  // As a world does: new pairs in, pairs whose boxes have parted out.
  void keep() {
    merged_.clear();
    std::size_t i = 0;
    for (const ProxyPair& pair : kept_) {
      while (i < found_.size() && found_[i] < pair) merged_.push_back(found_[i++]);
      if (i < found_.size() && found_[i] == pair)
        merged_.push_back(found_[i++]);
      else if (method_.overlaps(pair.a, pair.b))
        merged_.push_back(pair);
    }
    merged_.insert(merged_.end(), found_.begin() + std::ptrdiff_t(i), found_.end());
    kept_.swap(merged_);
  }
  std::size_t pairs() const { return kept_.size(); }

 private:
  AnyBroadPhase<Dim3> method_;
  Team team_;
  std::vector<ProxyPair> found_, kept_, merged_;
};

#ifdef CAIRN_WITH_BULLET
class Bullet {
 public:
  void insert(const Crowd& crowd) {
    prepare(crowd);
    for (std::size_t i = 0; i < lo_.size(); ++i)
      proxies_.push_back(tree_.createProxy(lo_[i], hi_[i], 0, nullptr, 1, -1, nullptr));
    tree_.calculateOverlappingPairs(nullptr);
  }
  // Its own kind of vectors, made before the clock starts.
  void prepare(const Crowd& crowd) {
    const auto converted = [](const Vec3& v) {
      return btVector3(btScalar(v.x), btScalar(v.y), btScalar(v.z));
    };
    lo_.clear(), hi_.clear();
    for (const Bounds3& box : crowd.boxes) lo_.push_back(converted(box.lo)), hi_.push_back(converted(box.hi));
  }
  void step() {
    for (std::size_t i = 0; i < lo_.size(); ++i) tree_.setAabb(proxies_[i], lo_[i], hi_[i], nullptr);
    tree_.calculateOverlappingPairs(nullptr);
  }
  std::size_t pairs() { return std::size_t(tree_.getOverlappingPairCache()->getNumOverlappingPairs()); }

 private:
  btDbvtBroadphase tree_;
  std::vector<btBroadphaseProxy*> proxies_;
  std::vector<btVector3> lo_, hi_;
};
#endif

enum Column { k_tree, k_kept, k_tree2, k_sweep, k_sweep2, k_brute, k_bullet, k_columns };
using Row = std::array<double, k_columns>;  // [ns] per body; 0: not measured

Row measure(std::size_t n, const Motion& motion, bool with_bullet, std::size_t& pairs,
            std::size_t& bullet_pairs) {
  Crowd crowd(n, motion);
  Cairn tree(BroadPhase::tree, 1), tree2(BroadPhase::tree, 2), sweep(BroadPhase::sweep_and_prune, 1),
      sweep2(BroadPhase::sweep_and_prune, 2);
  std::optional<Cairn> brute;
  tree.insert(crowd), tree2.insert(crowd), sweep.insert(crowd), sweep2.insert(crowd);
  if (n <= 3000) brute.emplace(BroadPhase::brute_force, 1), brute->insert(crowd);
#ifdef CAIRN_WITH_BULLET
  std::optional<Bullet> bullet;
  if (with_bullet) bullet.emplace(), bullet->insert(crowd);
#else
  (void)with_bullet, (void)bullet_pairs;
#endif
  Row sum{};
  const int warm_up = n > 300000 ? 2 : 4, steps = n > 300000 ? 4 : n > 30000 ? 12 : 40;
  for (int s = -warm_up; s < steps; ++s) {
    Row row{};
    const auto timed = [&](Column column, const auto& f) {
      const bool alone = column != k_tree2 && column != k_sweep2;
      const double start = alone ? thread_now() : now();
      f();
      row[column] += (alone ? thread_now() : now()) - start;
    };
    crowd.step();
    timed(k_tree, [&] { tree.step(crowd); });
    timed(k_kept, [&] { tree.keep(); });
    row[k_kept] += row[k_tree];
    timed(k_tree2, [&] { tree2.step(crowd); });
    timed(k_sweep, [&] { sweep.step(crowd); });
    timed(k_sweep2, [&] { sweep2.step(crowd); });
    if (brute) timed(k_brute, [&] { brute->step(crowd); });
#ifdef CAIRN_WITH_BULLET
    if (bullet) {
      bullet->prepare(crowd);
      timed(k_bullet, [&] { bullet->step(); });
      bullet_pairs = bullet->pairs();
    }
#endif
    if (s < 0) continue;
    for (int c = 0; c < k_columns; ++c) sum[std::size_t(c)] += row[std::size_t(c)] / double(n) / steps;
  }
  pairs = tree.pairs();
  return sum;
}

void print(double value) {
  if (value > 0)
    std::printf(" %9.1f", value);
  else
    std::printf(" %9s", "-");
}

void run(std::size_t least, std::size_t most, std::size_t most_bullet) {
  std::printf("ns per body: update + find_pairs\n%9s %-11s", "bodies", "");
  for (const char* name : {"tree", "+kept", "tree x2", "sweep", "sweep x2", "brute", "Bullet"})
    std::printf(" %9s", name);
  std::printf(" %9s %9s %9s\n", "+kept/B", "pairs", "Bullet's");
  for (const std::size_t n : {1000, 3000, 10000, 30000, 100000, 300000, 1000000}) {
    if (n < least || n > most) continue;
    for (const Motion& motion : k_motions) {
      Row best{};
      std::size_t pairs = 0, bullet_pairs = 0;
      for (int repeat = 0; repeat < (n > 30000 ? 1 : 3); ++repeat) {
        const Row row = measure(n, motion, n <= most_bullet, pairs, bullet_pairs);
        for (std::size_t c = 0; c < k_columns; ++c)
          best[c] = repeat == 0 ? row[c] : std::min(best[c], row[c]);
      }
      std::printf("%9zu %-11s", n, motion.name);
      for (const double value : best) print(value);
      if (best[k_bullet] > 0)
        std::printf(" %9.3f", best[k_kept] / best[k_bullet]);
      else
        std::printf(" %9s", "-");
      std::printf(" %9zu %9zu\n", pairs, bullet_pairs);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace cairn

int main(int argc, char** argv) {
  const auto number = [&](int i, std::size_t otherwise) {
    return argc > i ? std::size_t(std::strtoull(argv[i], nullptr, 10)) : otherwise;
  };
  cairn::run(number(3, 1000), number(1, 1000000), number(2, 100000));
}
