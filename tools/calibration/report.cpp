#include "tools/calibration/report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "simulator/results/interval.hpp"
#include "tools/calibration/calibrated_file.hpp"

namespace warpfront::tools {

namespace {

constexpr double kMostlyPrior = 0.8;  // of the prior's deviation: then the rows say little about a term

/// Rows with something in common.
struct RowGroup {
    std::string name;
    std::size_t rows = 0;
    double uncalibrated = 0.0;  // mean absolute errors
    double calibrated = 0.0;
    double left_out = 0.0;
};

RowGroup group_of(const CalibrationReport& report, std::string name, const std::function<bool(const RowErrors&)>& has) {
    RowGroup group{.name = std::move(name)};
    for (const RowErrors& row : report.rows) {
        if (!has(row)) continue;
        ++group.rows;
        group.uncalibrated += std::abs(row.uncalibrated);
        group.calibrated += std::abs(row.calibrated);
        group.left_out += std::abs(row.left_out);
    }
    const auto count = static_cast<double>(std::max<std::size_t>(group.rows, 1));
    group.uncalibrated /= count;
    group.calibrated /= count;
    group.left_out /= count;
    return group;
}

/// Every problem, then all fitted rows, rows beyond, and all.
std::vector<RowGroup> groups_of(const CalibrationReport& report) {
    std::vector<RowGroup> groups;
    for (const RowErrors& row : report.rows) {
        const auto known = [&](const RowGroup& group) { return group.name == row.problem; };
        if (std::any_of(groups.begin(), groups.end(), known)) continue;
        groups.push_back(
            group_of(report, row.problem, [&](const RowErrors& each) { return each.problem == row.problem; }));
    }
    groups.push_back(group_of(report, "all fitted rows", [](const RowErrors& row) { return row.is_fitted; }));
    RowGroup large =
        group_of(report, "larger machines, not fitted", [](const RowErrors& row) { return !row.is_fitted; });
    if (large.rows > 0) groups.push_back(std::move(large));
    groups.push_back(group_of(report, "all rows", [](const RowErrors&) { return true; }));
    return groups;
}

bool is_mostly_prior(const CalibrationReport& report, std::size_t term) {
    return report.fitted.errors[term] > kMostlyPrior * report.plan.terms[term].fitted.deviation;
}

std::string interval(const CalibrationReport& report, std::size_t term) {
    const double half = results::kTwoSided * report.fitted.errors[term];
    const PlannedTerm& planned = report.plan.terms[term];
    return fmt::format("{} to {}", planned.text(report.fitted.values[term] - half),
                       planned.text(report.fitted.values[term] + half));
}

std::size_t width(const std::vector<RowGroup>& groups) {
    std::size_t widest = 0;
    for (const RowGroup& group : groups) widest = std::max(widest, group.name.size());
    return widest;
}

}  // namespace

double CalibrationReport::error() const {
    double squares = 0.0;
    for (const RowErrors& row : rows) squares += row.left_out * row.left_out;
    return std::sqrt(squares / static_cast<double>(rows.size()));
}

std::string summary(const CalibrationReport& report) {
    std::size_t name = 0;
    for (const PlannedTerm& term : report.plan.terms) name = std::max(name, term.name.size());
    std::string text = fmt::format("{:<{}}  {:>10}  {:>22}  prior\n", "term", name, "value", "95 % interval");
    for (std::size_t k = 0; k < report.plan.terms.size(); ++k) {
        const PlannedTerm& term = report.plan.terms[k];
        text += fmt::format("{:<{}}  {:>10}  {:>22}  {} +- {}{}\n", term.name, name, term.text(report.fitted.values[k]),
                            interval(report, k), term.text(term.fitted.prior), term.text(term.fitted.deviation),
                            is_mostly_prior(report, k) ? "  (the rows say little about it)" : "");
    }
    const std::vector<RowGroup> groups = groups_of(report);
    text += fmt::format("\n{:<{}}  {:>4}  {:>12}  {:>6}  {:>8}\n", "mean absolute error", width(groups), "rows",
                        "uncalibrated", "fitted", "left out");
    for (const RowGroup& group : groups) {
        text += fmt::format("{:<{}}  {:>4}  {:>10.2f} %  {:>4.2f} %  {:>6.2f} %\n", group.name, width(groups),
                            group.rows, 100.0 * group.uncalibrated, 100.0 * group.calibrated, 100.0 * group.left_out);
    }
    return text + fmt::format("\nstandard error of predictions {:.2f} % (rows left out)\n", 100.0 * report.error());
}

nlohmann::ordered_json to_json(const CalibrationReport& report) {
    nlohmann::ordered_json json;
    json["schema"] = "warpfront.calibration/1";
    json["writes"] = report.plan.writes.string();
    for (std::size_t k = 0; k < report.plan.terms.size(); ++k) {
        const PlannedTerm& term = report.plan.terms[k];
        json["terms"].push_back({{"name", term.name},
                                 {"unit", term.unit},
                                 {"value", report.fitted.values[k]},
                                 {"standard_error", report.fitted.errors[k]},
                                 {"prior", term.fitted.prior},
                                 {"prior_deviation", term.fitted.deviation}});
    }
    for (const RowErrors& row : report.rows) {
        json["rows"].push_back({{"problem", row.problem},
                                {"line", row.line},
                                {"ranks", row.ranks},
                                {"exec_s", row.measured_s},
                                {"fitted", row.is_fitted},
                                {"uncalibrated_pct", 100.0 * row.uncalibrated},
                                {"calibrated_pct", 100.0 * row.calibrated},
                                {"left_out_pct", 100.0 * row.left_out}});
    }
    json["error"] = report.error();
    return json;
}

std::string calibration_text(const CalibrationReport& report) {
    std::string text = fmt::format("# Written by `warpfront calibrate {}`; platforms/README.md describes it.\n",
                                   report.plan.source->name());
    text += yaml_text(calibration_tree(report.plan, report.fitted.values), 2);
    text += fmt::format("error: {:.3f}\n", report.error());
    text += "fitted:\n  terms:\n";
    for (std::size_t k = 0; k < report.plan.terms.size(); ++k) {
        text += fmt::format("    {}: {}\n", report.plan.terms[k].name, interval(report, k));
    }
    text += "  mean_absolute_error:  # rows, uncalibrated, fitted, left out\n";
    for (const RowGroup& group : groups_of(report)) {
        text += fmt::format("    {}: [{}, {:.2f} %, {:.2f} %, {:.2f} %]\n", group.name, group.rows,
                            100.0 * group.uncalibrated, 100.0 * group.calibrated, 100.0 * group.left_out);
    }
    return text;
}

}  // namespace warpfront::tools
