// The tour: a tumbling asymmetric body and a few falling shapes, with all their errors.
#pragma once

#include <string>
#include <vector>

namespace cairn {

struct TourOptions {
  double time = 60;  // [s]
  double h = 0.002;  // [s]
  int threads = 1;
  std::string integrator = "semi_implicit_euler";
  bool quiet = false;
};

std::vector<std::string> tour_integrators();
int run_tour(const TourOptions& options);  // the program's exit code

}  // namespace cairn
