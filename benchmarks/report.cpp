#include "benchmarks/report.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace cairn::bench {
namespace {

std::string text(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

// How wide a text looks: bytes that continue a UTF-8 character take no room.
std::size_t width(const std::string& text) {
  return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// A number as a column shows it, in the column's unit.
struct Column {
  const char *name, *unit;
  double in_unit;  // the unit's worth
  const char* format;
  std::optional<double> (*value)(const Result&);
};
constexpr std::array<Column, 11> k_columns{{
    {"median", "ms", 1, "%.3f", [](const Result& r) { return r.median_ms; }},
    {"p99", "ms", 1, "%.3f", [](const Result& r) { return r.p99_ms; }},
    {"pen. max", "mm", 1e-3, "%.3g", [](const Result& r) { return r.quality.penetration_max; }},
    {"mean", "mm", 1e-3, "%.3g", [](const Result& r) { return r.quality.penetration_mean; }},
    {"joint max", "mm", 1e-3, "%.4g", [](const Result& r) { return r.quality.joint_error_max; }},
    {"end", "mm", 1e-3, "%.4g", [](const Result& r) { return r.quality.joint_error_end; }},
    {"drift", "mm", 1e-3, "%.4g", [](const Result& r) { return r.quality.drift_max; }},
    {"v_rms", "mm/s", 1e-3, "%.3g", [](const Result& r) { return r.quality.v_rms; }},
    {"energy gain", "J", 1, "%.3g", [](const Result& r) { return r.quality.energy_gain; }},
    {"of all", "%", 1e-2, "%.3g", [](const Result& r) { return r.quality.energy_gain_relative; }},
    {"memory", "MB", 1, "%.1f", [](const Result& r) { return r.peak_mb; }},
}};

class Json {
 public:
  void key(const char* name) {
    out_ += std::string(first_ ? "" : ", ") + '"' + name + "\": ", first_ = false;
  }
  void add(const char* name, const std::string& value) {
    key(name);
    out_ += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\')
        out_ += std::string{'\\', c};
      else
        out_ += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    out_ += '"';
  }
  void add(const char* name, double value) {
    key(name);
    out_ += is_finite(value) ? text("%.9g", value) : "null";
  }
  void add(const char* name, const std::optional<double>& value) {
    if (value) return add(name, *value);
    key(name);
    out_ += "null";
  }
  void add(const char* name, const std::optional<bool>& value) {
    key(name);
    out_ += !value ? "null" : *value ? "true" : "false";
  }
  std::string object() const { return "{" + out_ + "}"; }

 private:
  std::string out_;
  bool first_ = true;
};

}  // namespace

std::string table_of(const std::vector<Result>& results) {
  std::vector<std::vector<std::string>> rows{{"scene", "engine", "threads", "bodies"}, {"", "", "", ""}};
  for (const Column& column : k_columns) {
    rows[0].push_back(column.name);
    rows[1].push_back(column.unit);
  }
  rows[0].push_back("stands"), rows[1].push_back("");
  for (const Result& r : results) {
    rows.push_back({r.scene, r.engine, std::to_string(r.threads), std::to_string(r.bodies)});
    for (const Column& column : k_columns) {
      const std::optional<double> value = column.value(r);
      rows.back().push_back(value ? text(column.format, *value / column.in_unit) : "-");
    }
    rows.back().push_back(!r.quality.stands ? "-" : *r.quality.stands ? "yes" : "no");
  }
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  std::string out;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (std::size_t i = 0; i < rows[n].size(); ++i) {
      const std::string gap(widths[i] - width(rows[n][i]), ' ');
      out += (i < 2 ? rows[n][i] + gap : gap + rows[n][i]) + (i + 1 < rows[n].size() ? "  " : "");
    }
    if (n >= 2 && !results[n - 2].note.empty()) out += "  " + results[n - 2].note;
    out += '\n';
  }
  return out;
}

std::string json_of(const std::vector<Result>& results) {
  std::string out = "[";
  for (const Result& r : results) {
    Json json;
    json.add("engine", r.engine);
    json.add("scene", r.scene);
    json.add("threads", double(r.threads));
    json.add("bodies", double(r.bodies));
    json.add("steps", double(r.steps));
    json.add("median_ms", r.median_ms);
    json.add("p99_ms", r.p99_ms);
    json.add("penetration_max", r.quality.penetration_max);
    json.add("penetration_mean", r.quality.penetration_mean);
    json.add("joint_error_max", r.quality.joint_error_max);
    json.add("joint_error_end", r.quality.joint_error_end);
    json.add("drift_max", r.quality.drift_max);
    json.add("v_rms", r.quality.v_rms);
    json.add("energy_gain", r.quality.energy_gain);
    json.add("energy_gain_relative", r.quality.energy_gain_relative);
    json.add("stands", r.quality.stands);
    json.add("peak_mb", r.peak_mb);
    json.add("note", r.note);
    out += (out.size() > 1 ? ",\n " : "") + json.object();
  }
  return out + "]\n";
}

}  // namespace cairn::bench
