// Values and rates of the terms of time functions.
#include <cairn/time_function.h>

#include <algorithm>

namespace cairn {
namespace {

double value_of(const ConstantTerm& f, double) { return f.value; }
double rate_of(const ConstantTerm&, double) { return 0; }

double value_of(const RampTerm& f, double t) { return f.rate * (clamp(t, f.start, f.end) - f.start); }
double rate_of(const RampTerm& f, double t) { return t >= f.start && t < f.end ? f.rate : 0; }

double value_of(const SineTerm& f, double t) {
  return f.amplitude * portable::sin(2 * k_pi * (t / f.period) + f.phase);
}
double rate_of(const SineTerm& f, double t) {
  return f.amplitude * (2 * k_pi / f.period) * portable::cos(2 * k_pi * (t / f.period) + f.phase);
}

double value_of(const SmoothStepTerm& f, double t) {
  const double s = clamp((t - f.start) / f.duration, 0, 1);
  return f.before + (f.after - f.before) * (s * s * s * (10 + s * (6 * s - 15)));
}
double rate_of(const SmoothStepTerm& f, double t) {
  const double s = clamp((t - f.start) / f.duration, 0, 1), rest = 1 - s;
  return (f.after - f.before) / f.duration * (30 * s * s * rest * rest);
}

// How many points stand at or before t.
std::size_t points_until(const TableTerm& f, double t) {
  return std::size_t(std::upper_bound(f.times.begin(), f.times.end(), t) - f.times.begin());
}
double slope_before(const TableTerm& f, std::size_t i) {
  return (f.values[i] - f.values[i - 1]) / (f.times[i] - f.times[i - 1]);
}
double value_of(const TableTerm& f, double t) {
  const std::size_t i = points_until(f, t);
  if (i == 0) return f.values.front();
  if (i == f.times.size()) return f.values.back();
  return f.values[i - 1] + slope_before(f, i) * (t - f.times[i - 1]);
}
double rate_of(const TableTerm& f, double t) {
  const std::size_t i = points_until(f, t);
  return i == 0 || i == f.times.size() ? 0 : slope_before(f, i);
}

}  // namespace

double TimeFunction::value(double t) const {
  double sum = 0;
  for (const TimeTerm& term : terms) sum += std::visit([t](const auto& f) { return value_of(f, t); }, term);
  return sum;
}
double TimeFunction::rate(double t) const {
  double sum = 0;
  for (const TimeTerm& term : terms) sum += std::visit([t](const auto& f) { return rate_of(f, t); }, term);
  return sum;
}

void Fields<RampTerm>::check(const RampTerm& term, const Path& path) {
  if (term.end < term.start)
    detail::refuse(path / "end", to_text(term.end) + " s",
                   "must not be before start, which is " + to_text(term.start) + " s");
}

void Fields<TableTerm>::check(const TableTerm& term, const Path& path) {
  if (term.times.empty()) detail::refuse(path / "times", "[]", "must have at least one point");
  if (term.times.size() != term.values.size())
    detail::refuse(path / "values", std::to_string(term.values.size()) + " numbers",
                   "must be as many as times, which are " + std::to_string(term.times.size()));
  for (std::size_t i = 1; i < term.times.size(); ++i)
    if (!(term.times[i - 1] < term.times[i]))
      detail::refuse((path / "times")[i], to_text(term.times[i]) + " s",
                     "must be later than the time before it, " + to_text(term.times[i - 1]) + " s");
}

}  // namespace cairn
