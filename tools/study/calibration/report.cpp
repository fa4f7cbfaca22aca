#include "tools/study/calibration/report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "simulator/input/diagnostic.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/results/formatting.hpp"
#include "tools/study/calibration/plan.hpp"

namespace warpfront::tools {

namespace {

constexpr std::size_t kLongestName = 200;  // longest file name, in code points
constexpr unsigned kHalvings = 60;
constexpr double kSmallest = 1e-6;  // least model error that is searched, as a share of the largest error
// if the sum of squared doublings is smaller, all runs count as having the same number of ranks
constexpr double kLeastDoublings = 1e-6;
// if a term has more than this share of its prior's deviation, the rows determine it poorly
constexpr double kMostlyPrior = 0.8;

/// The mean errors of several rows, such as those of one problem.
struct RowGroup {
    std::string name;
    std::size_t rows = 0;
    double uncalibrated = 0.0;  // mean absolute error
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

/// Returns a group for each problem, then one for all fitted rows, one for the rows beyond them, and one for all rows.
std::vector<RowGroup> groups_of(const CalibrationReport& report) {
    std::vector<RowGroup> groups;
    for (const RowErrors& row : report.rows) {
        const auto known = [&](const RowGroup& group) { return group.name == row.problem; };
        if (std::ranges::any_of(groups, known)) continue;
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

/// Returns half of the width of a left-out row's interval, as a share of the predicted time.
std::optional<double> left_out_half_width(const CalibrationReport& report, const RowErrors& row) {
    const auto error = report.left_out_error_of(row);
    if (!error) return std::nullopt;
    return results::student_quantile(error->groups) * error->deviation_on(row.ranks);
}

/// Returns true if the measured time differs from the predicted time by at most this share.
bool is_held(const RowErrors& row, double half_width) {
    return std::abs(row.left_out) <= half_width * (1.0 + row.left_out);
}

std::string interval(const CalibrationReport& report, std::size_t term) {
    const double half = report.half_interval(term);
    const PlannedTerm& planned = report.plan.terms[term];
    return fmt::format("{} to {}", planned.text(report.fitted.values[term] - half),
                       planned.text(report.fitted.values[term] + half));
}

/// Formats remarks in parentheses. Returns an empty text if there are none.
std::string in_parentheses(const std::vector<std::string>& remarks) {
    return remarks.empty() ? "" : fmt::format("  ({})", fmt::join(remarks, "; "));
}

YamlNode scalar(std::string text) {
    YamlNode node;
    node.scalar = std::move(text);
    return node;
}

YamlNode percent(double share) { return scalar(fmt::format("{:.2f} %", 100.0 * share)); }

YamlNode mapping() {
    YamlNode node;
    node.kind = YamlNode::Kind::mapping;
    return node;
}

void add(YamlNode& mapping, std::string key, YamlNode value) {
    mapping.entries.push_back({std::move(key), {}, std::move(value)});
}

bool depends_on(const regression::LeastSquares& fitted, std::size_t term) {
    return std::ranges::any_of(fitted.derivatives, [&](const std::vector<double>& row) { return row[term] != 0.0; });
}

std::size_t width(const std::vector<RowGroup>& groups) {
    std::size_t widest = 0;
    for (const RowGroup& group : groups) widest = std::max(widest, group.name.size());
    return widest;
}

}  // namespace

double root_mean_square(std::span<const double> numbers) {
    double squares = 0.0;
    for (const double number : numbers) squares += number * number;
    return numbers.empty() ? 0.0 : std::sqrt(squares / static_cast<double>(numbers.size()));
}

double CalibrationReport::half_interval(std::size_t term) const {
    const std::set<std::size_t> problems(errors_of_rows.groups.begin(), errors_of_rows.groups.end());
    double quantile = results::kTwoSided;
    if (!depends_on(fitted, term)) return quantile * fitted.errors[term];
    if (problems.size() > 1) {
        quantile = results::student_quantile(static_cast<double>(problems.size() - 1));
    } else if (plan.other_problems) {
        quantile = results::student_quantile(plan.other_problems->groups);
    }
    return quantile * fitted.errors[term];
}

double CalibrationReport::left_out_error() const {
    std::vector<double> errors;
    for (const RowErrors& row : rows) errors.push_back(row.left_out);
    return root_mean_square(errors);
}

double CalibrationReport::left_out_factor() const {
    std::vector<double> logarithms;
    for (const RowErrors& row : rows) logarithms.push_back(std::log1p(row.left_out));
    return std::exp(root_mean_square(logarithms));
}

double CalibrationReport::model_error() const {
    double largest = 0.0;
    for (const RowErrors& row : rows) largest = std::max(largest, std::abs(row.left_out));
    const auto is_too_small = [&](double model) {
        double slope = 0.0;  // derivative of the likelihood
        for (const RowErrors& row : rows) {
            const double expected = model * model + row.left_out_terms * row.left_out_terms;
            slope += (row.left_out * row.left_out / expected - 1.0) / expected;
        }
        return slope > 0.0;
    };
    double low = kSmallest * largest, high = largest;
    if (largest == 0.0 || !is_too_small(low)) return 0.0;
    for (unsigned halving = 0; halving < kHalvings; ++halving) {
        const double middle = 0.5 * (low + high);
        (is_too_small(middle) ? low : high) = middle;
    }
    return high;
}

std::optional<PredictionError> CalibrationReport::error_with(double terms) const {
    PredictionError error{.deviation = std::hypot(model_error(), terms), .per_doubling = plan.per_doubling};
    std::set<std::string> problems;
    for (const RowErrors& row : rows) {
        problems.insert(row.problem);
        if (row.is_fitted) error.ranks = std::max(error.ranks, row.ranks);
    }
    error.groups = static_cast<std::uint32_t>(problems.size());
    if (left_out == LeftOut::problem) return error;
    if (!plan.other_problems) return std::nullopt;
    error.deviation = std::hypot(error.deviation, plan.other_problems->deviation);
    error.groups = plan.other_problems->groups;
    return error;
}

std::optional<PredictionError> CalibrationReport::error() const {
    return error_with(root_mean_square(fitted.row_errors));
}

std::optional<PredictionError> CalibrationReport::left_out_error_of(const RowErrors& row) const {
    return error_with(row.left_out_terms);
}

std::optional<CalibrationReport::Drift> CalibrationReport::drift() const {
    struct Sums {
        double rows = 0.0, doublings = 0.0, squares = 0.0, errors = 0.0, products = 0.0;
    };
    std::map<std::string, Sums> problems;
    for (const RowErrors& row : rows) {
        Sums& sums = problems[row.problem];
        const double doublings = std::log2(static_cast<double>(row.ranks));
        sums.rows += 1.0;
        sums.doublings += doublings;
        sums.squares += doublings * doublings;
        sums.errors += row.left_out;
        sums.products += doublings * row.left_out;
    }
    double weights = 0.0, squares = 0.0;
    for (const auto& [problem, sums] : problems) {
        const double weight = sums.squares - sums.doublings * sums.doublings / sums.rows;
        if (weight < kLeastDoublings) continue;
        const double slope = (sums.products - sums.doublings * sums.errors / sums.rows) / weight;
        weights += weight;
        squares += weight * slope * slope;
    }
    if (weights == 0.0) return std::nullopt;
    return Drift{std::sqrt(squares / weights), weights};
}

std::vector<std::string> CalibrationReport::remarks(std::size_t term) const {
    const PlannedTerm& planned = plan.terms[term];
    const double value = fitted.values[term];
    const double half = half_interval(term);
    std::vector<std::string> found;
    const auto remark_bound = [&](double bound, bool passed) {
        if (planned.text(value) == planned.text(bound)) {
            found.push_back(fmt::format("is at its bound {}", planned.text(bound)));
        } else if (passed) {
            found.push_back(fmt::format("the interval passes the bound {}", planned.text(bound)));
        }
    };
    remark_bound(planned.fitted.least, value - half < planned.fitted.least);
    remark_bound(planned.fitted.most, value + half > planned.fitted.most);
    if (!depends_on(fitted, term)) {
        found.emplace_back("no row depends on it");
    } else if (fitted.errors[term] > kMostlyPrior * planned.fitted.deviation) {
        found.emplace_back("the rows determine it poorly");
    }
    return found;
}

namespace {

/// Formats the errors of rows, from which the intervals of the terms follow.
std::string errors_line(const CalibrationReport& report) {
    const regression::RowCovariance& rows = report.errors_of_rows;
    std::string text = fmt::format(
        "the intervals follow from an error of {:.2f} % of each row and {:.2f} % that the rows of a problem "
        "have in common",
        100.0 * rows.row, 100.0 * rows.group);
    if (report.left_out == LeftOut::row) {
        text += report.plan.other_problems ? " (`other_problems`)"
                                           : ": all rows are of one problem, and the plan has no `other_problems`";
    }
    return results::wrapped(text) + '\n';
}

}  // namespace

std::string summary(const CalibrationReport& report) {
    std::size_t name = 0;
    for (const PlannedTerm& term : report.plan.terms) name = std::max(name, term.name.size());
    std::string text = fmt::format("{:<{}}  {:>10}  {:>22}  prior\n", "term", name, "value", "95 % interval");
    for (std::size_t k = 0; k < report.plan.terms.size(); ++k) {
        const PlannedTerm& term = report.plan.terms[k];
        text += fmt::format("{:<{}}  {:>10}  {:>22}  {} +- {}{}\n", term.name, name, term.text(report.fitted.values[k]),
                            interval(report, k), term.text(term.fitted.prior), term.text(term.fitted.deviation),
                            in_parentheses(report.remarks(k)));
    }
    text += "\n" + errors_line(report);
    const std::vector<RowGroup> groups = groups_of(report);
    text += fmt::format("\n{:<{}}  {:>4}  {:>12}  {:>6}  {:>8}\n", "mean absolute error", width(groups), "rows",
                        "uncalibrated", "fitted", "left out");
    for (const RowGroup& group : groups) {
        text += fmt::format("{:<{}}  {:>4}  {:>10.2f} %  {:>4.2f} %  {:>6.2f} %\n", group.name, width(groups),
                            group.rows, 100.0 * group.uncalibrated, 100.0 * group.calibrated, 100.0 * group.left_out);
    }
    if (report.left_out == LeftOut::row) {
        text +=
            "\nall fitted rows are of one problem, so each row is left out separately; this does not show how well "
            "other problems are predicted\n";
    }
    text += fmt::format("\nstandard error of predictions {:.2f} % (rows left out)", 100.0 * report.left_out_error());
    const auto error = report.error();
    if (!error) return text + "; no 95 % interval, since the plan has no `other_problems`\n";
    text += fmt::format(", for 95 % intervals {:.2f} % from {} problems\n", 100.0 * error->deviation, error->groups);
    text += fmt::format("the model contributes {:.2f} %, the terms {:.2f} %", 100.0 * report.model_error(),
                        100.0 * root_mean_square(report.fitted.row_errors));
    if (const auto drift = report.drift()) {
        text += fmt::format("; drift {:.2f} % per doubling of ranks", 100.0 * drift->per_doubling);
    }
    std::size_t held = 0;
    double half_widths = 0.0;
    for (const RowErrors& row : report.rows) {
        const double half = left_out_half_width(report, row).value_or(0.0);
        half_widths += half;
        if (is_held(row, half)) ++held;
    }
    const std::size_t rows = report.rows.size();
    return text + fmt::format("\n{} of {} left-out rows lie within their intervals, which are -+ {:.1f} % on average\n",
                              held, rows, 100.0 * half_widths / static_cast<double>(rows));
}

nlohmann::ordered_json to_json(const CalibrationReport& report) {
    nlohmann::ordered_json json;
    json["schema"] = "warpfront.calibration/1";
    json["writes"] = report.plan.writes.string();
    for (std::size_t k = 0; k < report.plan.terms.size(); ++k) {
        const PlannedTerm& term = report.plan.terms[k];
        json["terms"].push_back(
            {{"name", term.name},
             {"unit", term.unit},
             {"value", report.fitted.values[k]},
             {"standard_error", report.fitted.errors[k]},
             {"ci95",
              {report.fitted.values[k] - report.half_interval(k), report.fitted.values[k] + report.half_interval(k)}},
             {"prior", term.fitted.prior},
             {"prior_deviation", term.fitted.deviation},
             {"least", term.fitted.least},
             {"most", term.fitted.most},
             {"remarks", report.remarks(k)}});
    }
    json["row_error"] = report.errors_of_rows.row;
    json["problem_error"] = report.errors_of_rows.group;
    json["left_out_together"] = report.left_out == LeftOut::row ? "row" : "problem";
    for (const RowErrors& row : report.rows) {
        json["rows"].push_back({{"problem", row.problem},
                                {"line", row.line},
                                {"ranks", row.ranks},
                                {"exec_s", row.measured_s},
                                {"fitted", row.is_fitted},
                                {"uncalibrated_pct", 100.0 * row.uncalibrated},
                                {"calibrated_pct", 100.0 * row.calibrated},
                                {"left_out_pct", 100.0 * row.left_out},
                                {"left_out_terms_pct", 100.0 * row.left_out_terms}});
        if (const auto half = left_out_half_width(report, row)) {
            json["rows"].back()["left_out_half_width_pct"] = 100.0 * *half;
        }
    }
    json["left_out_error"] = report.left_out_error();
    json["model_error"] = report.model_error();
    json["terms_error"] = root_mean_square(report.fitted.row_errors);
    if (const auto drift = report.drift()) {
        json["drift"] = {{"per_doubling", drift->per_doubling}, {"weight", drift->weight}};
    }
    if (const auto error = report.error()) {
        json["error"] = {{"deviation", error->deviation}, {"groups", error->groups}};
        if (error->per_doubling > 0.0) {
            json["error"]["ranks"] = error->ranks;
            json["error"]["per_doubling"] = error->per_doubling;
        }
    }
    return json;
}

std::string calibration_text(const CalibrationReport& report) {
    const bool by_row = report.left_out == LeftOut::row;
    YamlNode terms = mapping(), errors = mapping();
    for (std::size_t k = 0; k < report.plan.terms.size(); ++k) {
        add(terms, report.plan.terms[k].name, scalar(interval(report, k) + in_parentheses(report.remarks(k))));
    }
    for (const RowGroup& group : groups_of(report)) {
        YamlNode each = mapping();
        add(each, "rows", scalar(fmt::format("{}", group.rows)));
        add(each, "uncalibrated", percent(group.uncalibrated));
        add(each, "fitted", percent(group.calibrated));
        add(each, by_row ? "each_row_left_out" : "left_out", percent(group.left_out));
        add(errors, group.name, std::move(each));
    }
    YamlNode fitted = mapping();
    add(fitted, "terms", std::move(terms));
    add(fitted, "mean_absolute_error", std::move(errors));
    YamlNode file = calibration_tree(report.plan, report.fitted.values);
    if (const auto error = report.error()) {
        YamlNode stated = mapping();
        add(stated, "deviation", scalar(fmt::format("{:.3f}", error->deviation)));
        add(stated, "groups", scalar(fmt::format("{}", error->groups)));
        if (error->per_doubling > 0.0) {
            add(stated, "ranks", scalar(fmt::format("{}", error->ranks)));
            add(stated, "per_doubling", scalar(fmt::format("{:.4g}", error->per_doubling)));
        }
        add(file, "error", std::move(stated));
    }
    add(file, "fitted", std::move(fitted));
    return fmt::format("# Written by `warpfront calibrate {}`; platforms/README.md describes it.\n",
                       input::escaped(report.plan.source->name(), kLongestName)) +
           input::yaml_text(file, kOpenLevels);
}

}  // namespace warpfront::tools
