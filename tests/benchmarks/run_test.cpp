#include "benchmarks/run.h"

#include <cairn/error.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "benchmarks/peak_memory.h"
#include "benchmarks/report.h"

namespace cairn::bench {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool k_sanitized = true;  // there is shadow memory beside what is asked for
#else
constexpr bool k_sanitized = false;
#endif

bool installed(std::string_view name) {
  return std::any_of(engines().begin(), engines().end(),
                     [&](const EngineInfo& info) { return info.name == name && info.installed; });
}

TEST(Run, gives_a_row_for_each_engine_of_the_dimension) {
  int watched = 0;
  const std::vector<Result> rows =
      run("stack20", {.engines = {"cairn", "bullet", "box2d"}, .scene = {.size = 3, .steps = 20}},
          [&](const std::string& scene, int step, int steps) {
            EXPECT_EQ(scene, "stack20");
            EXPECT_EQ(step, watched++);
            EXPECT_EQ(steps, 20);
          });
  EXPECT_EQ(watched, 20);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].engine, "cairn");
  EXPECT_EQ(rows[1].engine, "bullet");
  for (const Result& row : rows) {
    EXPECT_EQ(row.bodies, 4u);
    EXPECT_EQ(row.steps, 20);
    if (!installed(row.engine)) {
      EXPECT_EQ(row.note, "not installed");
      EXPECT_FALSE(row.median_ms.has_value());
      continue;
    }
    EXPECT_EQ(row.note, "");
    EXPECT_GT(*row.median_ms, 0);
    EXPECT_GE(*row.p99_ms, *row.median_ms);
    EXPECT_FALSE(row.peak_mb.has_value());
    EXPECT_TRUE(row.quality.drift_max && row.quality.v_rms && row.quality.stands);
  }
}

TEST(Run, refuses_engines_that_are_not_known) {
  EXPECT_THROW(run("stack20", {.engines = {"newton"}}), Error);
}

TEST(Run, small_scenes_stand_on_the_peers) {
  for (const auto& [scene, engine] : {std::pair{"wall3d", "bullet"}, std::pair{"large_pyramid", "box2d"}}) {
    if (!installed(engine)) continue;
    const Result row = run(scene, {.engines = {engine}, .scene = {.size = 6, .steps = 120}})[0];
    EXPECT_TRUE(*row.quality.stands) << scene;
    EXPECT_LT(*row.quality.penetration_max, 0.02) << scene;
    EXPECT_LT(*row.quality.v_rms, 0.05) << scene;
  }
}

TEST(PeakMemory, is_what_the_work_touches) {
  const auto touch = [](std::size_t megabytes) {
    return peak_memory([&] {
      std::vector<char> block(megabytes * 1000000, 1);
      volatile char* data = block.data();
      for (std::size_t i = 0; i < block.size(); i += 1000) data[i] = 2;
    });
  };
  const double tolerance = k_sanitized ? 10 : 3;
  EXPECT_NEAR(*touch(50), 50, tolerance);
  EXPECT_NEAR(*touch(10), 10, tolerance);
  EXPECT_FALSE(peak_memory([] { throw 1; }).has_value());
}

TEST(Report, json_has_every_key_and_null_for_what_is_missing) {
  Result row{.engine = "a \"quoted\" name", .scene = "wall3d", .threads = 2, .bodies = 991, .steps = 3};
  row.median_ms = 1.25;
  row.quality.stands = true;
  const std::string json = json_of({row, row});
  for (const char* text :
       {"\"engine\": \"a \\\"quoted\\\" name\"", "\"scene\": \"wall3d\"", "\"threads\": 2", "\"bodies\": 991",
        "\"median_ms\": 1.25", "\"p99_ms\": null", "\"penetration_max\": null", "\"penetration_mean\": null",
        "\"joint_error_max\": null", "\"joint_error_end\": null", "\"drift_max\": null", "\"v_rms\": null",
        "\"energy_gain\": null", "\"stands\": true", "\"peak_mb\": null"})
    EXPECT_NE(json.find(text), std::string::npos) << text << " is not in\n" << json;
  EXPECT_EQ(std::count(json.begin(), json.end(), '{'), 2);
  EXPECT_EQ(json.front(), '[');
  EXPECT_EQ(json_of({}), "[]\n");
}

TEST(Report, the_table_is_aligned_and_shows_units) {
  Result row{.engine = "cairn", .scene = "wall3d", .bodies = 991};
  row.quality.penetration_max = 0.0025;
  Result missing{.engine = "bullet", .scene = "a_longer_name", .note = "not installed"};
  const std::string table = table_of({row, missing});
  std::vector<std::string> lines;
  for (std::size_t at = 0, end; (end = table.find('\n', at)) != std::string::npos; at = end + 1)
    lines.push_back(table.substr(at, end - at));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_NE(lines[1].find("mm"), std::string::npos);
  const std::size_t column = lines[0].find("pen. max") + 8;  // numbers end where the titles do
  EXPECT_EQ(lines[2].substr(column - 3, 3), "2.5");
  EXPECT_EQ(lines[3][column - 1], '-');
  EXPECT_NE(lines[3].find("not installed"), std::string::npos);
}

}  // namespace
}  // namespace cairn::bench
