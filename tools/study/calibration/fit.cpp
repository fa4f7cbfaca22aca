#include "tools/study/calibration/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/results/formatting.hpp"
#include "tools/study/calibration/plan.hpp"

namespace warpfront::tools {

namespace {

using RowPointers = std::vector<const MeasuredRow*>;

constexpr std::size_t kRowsPerTerm = 2;

void require_rows(const CalibrationPlan& plan, std::size_t rows) {
    if (rows >= kRowsPerTerm * plan.terms.size()) return;
    throw BadInput(DiagnosticKind::too_many_terms, plan.terms_range,
                   fmt::format("{} cannot be fitted to only {}", results::counted(plan.terms.size(), "term"),
                               results::counted(rows, "row")),
                   fmt::format("expected at least {} rows for each term", kRowsPerTerm));
}

/// Returns the values, rounded as in the calibration file.
std::vector<double> rounded(const CalibrationPlan& plan, std::vector<double> values) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = std::stod(plan.terms[k].text(values[k]));
    return values;
}

/// Rows that are left out together, as a group: all rows of a problem, including those of large machines. If there is
/// only one problem, each fitted row is a group of its own. Rows of a problem without fitted rows belong to no group.
struct LeftOutGroups {
    std::vector<std::size_t> of_fitted;          // group of each fitted row
    std::vector<std::vector<std::size_t>> rows;  // indices of the rows of each group
};

LeftOutGroups groups_left_out(const RowPointers& all, LeftOut left_out) {
    LeftOutGroups groups;
    std::map<std::string, std::size_t> numbers;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (!all[k]->is_fitted) continue;
        const std::size_t next = groups.rows.size();
        const std::size_t group =
            left_out == LeftOut::row ? next : numbers.emplace(all[k]->problem, next).first->second;
        if (group == next) groups.rows.emplace_back();
        groups.rows[group].push_back(k);
        groups.of_fitted.push_back(group);
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
        const auto known = numbers.find(all[k]->problem);
        if (!all[k]->is_fitted && known != numbers.end()) groups.rows[known->second].push_back(k);
    }
    return groups;
}

/// Returns the problem of each row, counted from 0.
std::vector<std::size_t> problems_of(const RowPointers& rows) {
    std::map<std::string, std::size_t> numbers;
    std::vector<std::size_t> problems;
    for (const MeasuredRow* row : rows) problems.push_back(numbers.emplace(row->problem, numbers.size()).first->second);
    return problems;
}

/// Sets the errors of the terms, and the errors of rows that follow from them. If all rows are of one problem, its part
/// of the errors is that of `other_problems`. The error of predictions adds this part separately, so it is not in
/// `row_errors`. Returns the covariance of rows to which `row_errors` belong.
regression::RowCovariance set_errors(CalibrationReport& report, std::span<const regression::FittedTerm> terms,
                                     const RowPointers& fitted) {
    const CalibrationPlan& plan = report.plan;
    const auto covariance = [&](std::optional<double> of_problem) {
        return regression::row_covariance(report.fitted, terms, plan.row_error, problems_of(fitted), of_problem);
    };
    report.errors_of_rows = covariance(report.left_out == LeftOut::problem ? std::nullopt : std::optional(0.0));
    regression::set_errors(report.fitted, terms, plan.row_error, report.errors_of_rows);
    const regression::RowCovariance of_predictions = report.errors_of_rows;
    if (report.left_out == LeftOut::problem || !plan.other_problems) return of_predictions;
    report.errors_of_rows.group = plan.other_problems->deviation;
    regression::LeastSquares of_terms = report.fitted;
    regression::set_errors(of_terms, terms, plan.row_error, report.errors_of_rows);
    report.fitted.errors = std::move(of_terms.errors);
    return of_predictions;
}

LeftOut left_out_of(const RowPointers& fitted) {
    const bool several =
        std::ranges::any_of(fitted, [&](const MeasuredRow* row) { return row->problem != fitted.front()->problem; });
    return several ? LeftOut::problem : LeftOut::row;
}

/// Returns the root mean square of the errors of the group's rows that follow from the errors of the terms. It includes
/// fitted rows only, because the derivatives of other rows are not computed.
double terms_error(const regression::FitWithout& without, const std::vector<std::size_t>& of_fitted,
                   std::size_t group) {
    std::vector<double> errors;
    for (std::size_t k = 0; k < of_fitted.size(); ++k) {
        if (of_fitted[k] == group) errors.push_back(without.row_errors[k]);
    }
    return root_mean_square(errors);
}

}  // namespace

CalibrationReport fit_calibration(const CalibrationPlan& plan, std::span<const MeasuredRow> measured,
                                  const RowPredictor& predictor) {
    RowPointers all, fitted;
    for (const MeasuredRow& row : measured) {
        all.push_back(&row);
        if (row.is_fitted) fitted.push_back(&row);
    }
    require_rows(plan, fitted.size());
    std::vector<regression::FittedTerm> terms;
    for (const PlannedTerm& term : plan.terms) terms.push_back(term.fitted);

    CalibrationReport report{plan, {}, {}, left_out_of(fitted)};
    report.fitted = regression::fit(terms, plan.row_error, [&](std::span<const double> values) {
        std::vector<double> residuals = predictor.predict(fitted, calibration_of(plan, values));
        for (std::size_t k = 0; k < fitted.size(); ++k) {
            residuals[k] = std::log(residuals[k] / seconds(fitted[k]->measured));
        }
        return residuals;
    });
    report.fitted.values = rounded(plan, std::move(report.fitted.values));
    const regression::RowCovariance of_rows = set_errors(report, terms, fitted);
    const LeftOutGroups groups = groups_left_out(all, report.left_out);
    const auto without = regression::fits_without(report.fitted, terms, plan.row_error, groups.of_fitted, of_rows);
    const std::vector<double> before = predictor.predict(all, std::nullopt);
    const std::vector<double> after = predictor.predict(all, calibration_of(plan, report.fitted.values));
    for (std::size_t k = 0; k < all.size(); ++k) {
        const MeasuredRow& row = *all[k];
        const double exec = seconds(row.measured);
        report.rows.push_back({row.problem, row.line, row.ranks, exec, row.is_fitted, before[k] / exec - 1.0,
                               after[k] / exec - 1.0, after[k] / exec - 1.0,
                               root_mean_square(report.fitted.row_errors)});
    }
    for (std::size_t group = 0; group < without.size(); ++group) {
        RowPointers rows;
        for (const std::size_t k : groups.rows[group]) rows.push_back(all[k]);
        const std::vector<double> predicted = predictor.predict(rows, calibration_of(plan, without[group].values));
        for (std::size_t k = 0; k < rows.size(); ++k) {
            RowErrors& errors = report.rows[groups.rows[group][k]];
            errors.left_out = predicted[k] / seconds(rows[k]->measured) - 1.0;
            errors.left_out_terms = terms_error(without[group], groups.of_fitted, group);
        }
    }
    return report;
}

}  // namespace warpfront::tools
