// The program `cairn`: reads the command line and hands over to a command.
//
// Data goes to stdout, progress and complaints to stderr. Exit codes: 0 good, 2 usage, 3 bad model, 4
// diverged, 5 an accuracy check failed.
#include <cairn/error.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "bench.h"
#include "describe.h"
#include "tour.h"

int main(int argc, char** argv) {
  CLI::App app("Rigid-body dynamics with every error measured.", "cairn");
  app.set_version_flag("--version", "cairn " CAIRN_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n  cairn tour\n  cairn tour --time 600 --step 0.01 --integrator newmark\n  cairn describe "
      "BodyDef3\n  cairn bench wall3d ragdolls --peers bullet");

  const CLI::Validator positive(
      [](std::string& text) {
        double x = 0;
        return CLI::detail::lexical_cast(text, x) && x > 0 && x < 1e300 ? ""
                                                                        : text + " must be greater than 0";
      },
      "", "positive");
  cairn::TourOptions tour;
  CLI::App* command = app.add_subcommand("tour", "A tumbling body and falling shapes, with all their errors");
  command->add_option("--time", tour.time, "Simulated time [s]")->capture_default_str()->check(positive);
  command->add_option("--step", tour.h, "Length of a step [s]")->capture_default_str()->check(positive);
  command->add_option("--threads", tour.threads, "Threads; the results do not depend on it")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  command->add_option("--integrator", tour.integrator, "How motion is carried through time")
      ->capture_default_str()
      ->check(CLI::IsMember(cairn::tour_integrators()));
  command->add_flag("--quiet", tour.quiet, "No progress bar");

  std::string definition;
  CLI::App* describe =
      app.add_subcommand("describe", "The fields of the definitions: defaults, units, ranges");
  describe->add_option("definition", definition,
                       "One definition, such as BodyDef3; all of them if not given");

  cairn::BenchOptions bench;
  CLI::App* bench_command = app.add_subcommand(
      "bench", "Scenes on Cairn and other engines: speed and quality; lists the scenes if none is given");
  bench_command->add_option("scene", bench.scenes, "Scenes to play")
      ->check(CLI::IsMember(cairn::bench_scenes()));
  bench_command->add_option("--peers", bench.peers, "Other engines to compare with: bullet, box2d")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(cairn::bench_peers()));
  bench_command->add_option("--threads", bench.threads, "Threads of Cairn; peers have one")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  bench_command->add_option("--size", bench.size, "Size of the scenes, in the unit that the list tells")
      ->check(CLI::Range(1, 1000000));
  bench_command->add_option("--steps", bench.steps, "Steps, instead of the scene's own number")
      ->check(CLI::Range(1, 100000000));
  bench_command->add_flag("!--no-memory", bench.memory,
                          "Do not measure memory, which takes half of the time");
  bench_command->add_flag("--json", bench.json, "A list of objects in SI units (times in ms, memory in MB)");
  bench_command->add_flag("--quiet", bench.quiet, "No counter of steps");

  constexpr int k_usage = 2, k_bad_model = 3;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : k_usage;
  }
  try {
    if (tour.time / tour.h > 1e12) throw cairn::Error("--time / --step", "", "is more than 1e12 steps");
    if (*bench_command) return cairn::run_bench(bench);
    return *describe ? cairn::describe(definition) : cairn::run_tour(tour);
  } catch (const cairn::Error& e) {
    std::cerr << "cairn: " << e.what() << '\n';
    return k_bad_model;
  }
}
