#include "tools/study/regression/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Dense>

namespace warpfront::regression {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr unsigned kMostSteps = 20;
constexpr unsigned kMostHalvings = 6;
constexpr double kDifference = 0.1;  // step of a finite difference, as a share of the prior's deviation
// a fit has converged if its step is shorter, as a share of each term's standard error
constexpr double kConverged = 0.05;
// a step must decrease S by at least this; one standard error of a term changes S by 1
constexpr double kLeastProgress = 0.05;
constexpr unsigned kMostImprovements = 2000;  // of the variances of rows
constexpr double kNegligible = 1e-8;          // change of these variances, as a share of both

/// The normal equations of the fit, without the rows whose weight is 0.
struct NormalEquations {
    MatrixXd matrix;
    VectorXd gradient;
};

NormalEquations normal_equations(std::span<const FittedTerm> terms, double row_deviation, const VectorXd& values,
                                 const VectorXd& residuals, const MatrixXd& derivatives, const VectorXd& weights) {
    const double weight = 1.0 / (row_deviation * row_deviation);
    NormalEquations equations{weight * derivatives.transpose() * weights.asDiagonal() * derivatives,
                              weight * derivatives.transpose() * weights.cwiseProduct(residuals)};
    for (Eigen::Index k = 0; k < values.size(); ++k) {
        const FittedTerm& term = terms[static_cast<std::size_t>(k)];
        const double precision = 1.0 / (term.deviation * term.deviation);
        equations.matrix(k, k) += precision;
        equations.gradient(k) += precision * (values(k) - term.prior);
    }
    return equations;
}

VectorXd vector_of(const std::vector<double>& numbers) {
    return VectorXd::Map(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

MatrixXd covariance(const NormalEquations& equations) {
    const Eigen::Index terms = equations.gradient.size();
    return equations.matrix.ldlt().solve(MatrixXd::Identity(terms, terms));
}

std::vector<double> row_errors(const MatrixXd& derivatives, const MatrixXd& covariance) {
    const VectorXd errors = (derivatives * covariance).cwiseProduct(derivatives).rowwise().sum().cwiseSqrt();
    return {errors.begin(), errors.end()};
}

class Fit {
public:
    Fit(std::span<const FittedTerm> terms, double row_deviation, const Residuals& model)
        : terms_(terms), row_deviation_(row_deviation), model_(model), values_(VectorXd(terms.size())) {
        for (std::size_t k = 0; k < terms.size(); ++k) values_(index(k)) = terms[k].prior;
        residuals_ = at(values_);
    }

    LeastSquares solve() {
        unsigned steps = 0;
        differentiate();
        while (steps < kMostSteps && step()) {
            ++steps;
            differentiate();
        }
        return result(steps);
    }

private:
    static Eigen::Index index(std::size_t k) { return static_cast<Eigen::Index>(k); }

    VectorXd at(const VectorXd& values) const {
        return vector_of(model_({values.data(), static_cast<std::size_t>(values.size())}));
    }

    double sum(const VectorXd& values, const VectorXd& residuals) const {
        double sum = residuals.squaredNorm() / (row_deviation_ * row_deviation_);
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            const double off = (values(index(k)) - terms_[k].prior) / terms_[k].deviation;
            sum += off * off;
        }
        return sum;
    }

    /// Computes the derivatives. Each term is changed towards the middle of its bounds, so that it remains within them.
    void differentiate() {
        derivatives_.resize(residuals_.size(), values_.size());
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            const bool upper_half = values_(index(k)) > 0.5 * (terms_[k].least + terms_[k].most);
            const double difference = kDifference * terms_[k].deviation * (upper_half ? -1.0 : 1.0);
            VectorXd moved = values_;
            moved(index(k)) += difference;
            derivatives_.col(index(k)) = (at(moved) - residuals_) / difference;
        }
    }

    NormalEquations equations() const {
        return normal_equations(terms_, row_deviation_, values_, residuals_, derivatives_,
                                VectorXd::Ones(residuals_.size()));
    }

    VectorXd within_bounds(VectorXd values) const {
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            values(index(k)) = std::clamp(values(index(k)), terms_[k].least, terms_[k].most);
        }
        return values;
    }

    /// Takes one step. Returns false if no step decreases S any further.
    bool step() {
        const NormalEquations now = equations();
        const VectorXd full = -now.matrix.ldlt().solve(now.gradient);
        const VectorXd errors = standard_errors(now);
        const double before = sum(values_, residuals_);
        double share = 1.0;
        for (unsigned halving = 0; halving <= kMostHalvings; ++halving, share *= 0.5) {
            const VectorXd moved = within_bounds(values_ + share * full);
            if (is_converged(moved, errors)) return false;
            const VectorXd residuals = at(moved);
            if (sum(moved, residuals) >= before - kLeastProgress) continue;
            values_ = moved;
            residuals_ = residuals;
            return true;
        }
        return false;
    }

    bool is_converged(const VectorXd& moved, const VectorXd& errors) const {
        return ((moved - values_).cwiseAbs().array() <= kConverged * errors.array()).all();
    }

    static VectorXd standard_errors(const NormalEquations& equations) {
        return covariance(equations).diagonal().cwiseSqrt();
    }

    LeastSquares result(unsigned steps) const {
        LeastSquares result;
        result.steps = steps;
        result.values.assign(values_.begin(), values_.end());
        result.residuals.assign(residuals_.begin(), residuals_.end());
        const NormalEquations at_solution = equations();
        const VectorXd errors = standard_errors(at_solution);
        result.errors.assign(errors.begin(), errors.end());
        result.row_errors = row_errors(derivatives_, covariance(at_solution));
        for (Eigen::Index row = 0; row < residuals_.size(); ++row) {
            const VectorXd of_row = derivatives_.row(row);
            result.derivatives.emplace_back(of_row.begin(), of_row.end());
        }
        return result;
    }

    std::span<const FittedTerm> terms_;
    double row_deviation_;
    const Residuals& model_;
    VectorXd values_;
    VectorXd residuals_;
    MatrixXd derivatives_;
};

}  // namespace

LeastSquares fit(std::span<const FittedTerm> terms, double row_deviation, const Residuals& residuals) {
    return Fit(terms, row_deviation, residuals).solve();
}

namespace {

MatrixXd derivatives_of(const LeastSquares& fitted) {
    MatrixXd derivatives(fitted.residuals.size(), fitted.values.size());
    for (Eigen::Index row = 0; row < derivatives.rows(); ++row) {
        derivatives.row(row) = vector_of(fitted.derivatives[static_cast<std::size_t>(row)]);
    }
    return derivatives;
}

/// Returns the matrix of rows and groups, which contains 1 for a row of a group.
MatrixXd matrix_of(std::span<const std::size_t> groups) {
    const std::size_t count = groups.empty() ? 0 : std::ranges::max(groups) + 1;
    MatrixXd matrix = MatrixXd::Zero(static_cast<Eigen::Index>(groups.size()), static_cast<Eigen::Index>(count));
    for (std::size_t row = 0; row < groups.size(); ++row) {
        matrix(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(groups[row])) = 1.0;
    }
    return matrix;
}

VectorXd prior_variances(std::span<const FittedTerm> terms) {
    VectorXd variances(terms.size());
    for (std::size_t k = 0; k < terms.size(); ++k) {
        variances(static_cast<Eigen::Index>(k)) = terms[k].deviation * terms[k].deviation;
    }
    return variances;
}

/// Returns C for the rows whose weight is not 0.
MatrixXd covariance(const MatrixXd& independent, std::span<const FittedTerm> terms, double row_deviation,
                    const MatrixXd& derivatives, const VectorXd& weights, const RowCovariance& rows) {
    const MatrixXd used = weights.asDiagonal() * derivatives / (row_deviation * row_deviation);
    const MatrixXd by_group = matrix_of(rows.groups).transpose() * used;
    MatrixXd scores =
        rows.row * rows.row * used.transpose() * used + rows.group * rows.group * by_group.transpose() * by_group;
    scores.diagonal() += prior_variances(terms).cwiseInverse();
    return independent * scores * independent;
}

/// Estimates the two variances of rows by expectation maximisation.
class ComponentSearch {
public:
    ComponentSearch(const LeastSquares& fitted, std::span<const FittedTerm> terms, std::span<const std::size_t> groups)
        : at_priors_(vector_of(fitted.residuals)), groups_(matrix_of(groups)) {
        const MatrixXd derivatives = derivatives_of(fitted);
        for (std::size_t k = 0; k < terms.size(); ++k) {
            at_priors_ += derivatives.col(static_cast<Eigen::Index>(k)) * (terms[k].prior - fitted.values[k]);
        }
        of_terms_ = derivatives * prior_variances(terms).asDiagonal() * derivatives.transpose();
    }

    /// Returns true if some group has several rows. Otherwise the data determine only the sum of the variances.
    bool has_pairs() const { return groups_.rows() > groups_.cols(); }

    /// Improves both variances, or only that of rows.
    void improve(double& row, double& group, bool is_group_given) const {
        const auto rows = static_cast<double>(at_priors_.size());
        MatrixXd expected = of_terms_ + group * groups_ * groups_.transpose();
        expected.diagonal().array() += row;
        const MatrixXd inverse = expected.llt().solve(MatrixXd::Identity(expected.rows(), expected.cols()));
        const VectorXd weighted = inverse * at_priors_;
        row += row * row * (weighted.squaredNorm() - inverse.trace()) / rows;
        if (is_group_given) return;
        const double trace = (groups_.transpose() * inverse * groups_).trace();
        group += group * group * ((groups_.transpose() * weighted).squaredNorm() - trace) /
                 static_cast<double>(groups_.cols());
    }

private:
    VectorXd at_priors_;
    MatrixXd groups_;
    MatrixXd of_terms_;
};

}  // namespace

RowCovariance row_covariance(const LeastSquares& fitted, std::span<const FittedTerm> terms, double row_deviation,
                             std::vector<std::size_t> groups, std::optional<double> group) {
    const double expected = row_deviation * row_deviation;
    const ComponentSearch search(fitted, terms, groups);
    double of_row = expected, of_group = group ? *group * *group : expected;
    for (unsigned step = 0; step < kMostImprovements; ++step) {
        const double row_before = of_row, group_before = of_group;
        search.improve(of_row, of_group, group.has_value());
        const double change = std::abs(of_row - row_before) + std::abs(of_group - group_before);
        if (change <= kNegligible * (of_row + of_group)) break;
    }
    if (!group && !search.has_pairs()) {
        of_row += of_group;
        of_group = 0.0;
    }
    of_row = std::max(of_row, expected - (group ? 0.0 : of_group));
    return {std::move(groups), std::sqrt(of_row), std::sqrt(of_group)};
}

void set_errors(LeastSquares& fitted, std::span<const FittedTerm> terms, double row_deviation,
                const RowCovariance& rows) {
    const MatrixXd derivatives = derivatives_of(fitted);
    const VectorXd all = VectorXd::Ones(derivatives.rows());
    const NormalEquations equations =
        normal_equations(terms, row_deviation, vector_of(fitted.values), vector_of(fitted.residuals), derivatives, all);
    const MatrixXd of_terms = covariance(covariance(equations), terms, row_deviation, derivatives, all, rows);
    const VectorXd errors = of_terms.diagonal().cwiseSqrt();
    fitted.errors.assign(errors.begin(), errors.end());
    fitted.row_errors = row_errors(derivatives, of_terms);
}

std::vector<FitWithout> fits_without(const LeastSquares& fitted, std::span<const FittedTerm> terms,
                                     double row_deviation, std::span<const std::size_t> left_out,
                                     const RowCovariance& rows) {
    const VectorXd values = vector_of(fitted.values);
    const VectorXd residuals = vector_of(fitted.residuals);
    const MatrixXd derivatives = derivatives_of(fitted);
    std::vector<FitWithout> all;
    const MatrixXd groups = matrix_of(left_out);
    for (Eigen::Index group = 0; group < groups.cols(); ++group) {
        const VectorXd weights = (1.0 - groups.col(group).array()).matrix();
        const NormalEquations without = normal_equations(terms, row_deviation, values, residuals, derivatives, weights);
        const VectorXd moved = values - without.matrix.ldlt().solve(without.gradient);
        FitWithout& found = all.emplace_back();
        found.row_errors =
            row_errors(derivatives, covariance(covariance(without), terms, row_deviation, derivatives, weights, rows));
        for (std::size_t k = 0; k < terms.size(); ++k) {
            found.values.push_back(std::clamp(moved(static_cast<Eigen::Index>(k)), terms[k].least, terms[k].most));
        }
    }
    return all;
}

}  // namespace warpfront::regression
