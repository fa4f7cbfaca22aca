#include "tools/study/regression/least_squares.hpp"

#include <algorithm>

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

std::vector<FitWithout> fits_without(const LeastSquares& fitted, std::span<const FittedTerm> terms,
                                     double row_deviation, std::span<const std::size_t> groups) {
    const VectorXd values = vector_of(fitted.values);
    const VectorXd residuals = vector_of(fitted.residuals);
    MatrixXd derivatives(residuals.size(), values.size());
    for (Eigen::Index row = 0; row < residuals.size(); ++row) {
        derivatives.row(row) = vector_of(fitted.derivatives[static_cast<std::size_t>(row)]);
    }
    std::vector<FitWithout> all;
    const std::size_t count = groups.empty() ? 0 : *std::ranges::max_element(groups) + 1;
    for (std::size_t group = 0; group < count; ++group) {
        VectorXd weights(residuals.size());
        for (std::size_t row = 0; row < groups.size(); ++row) {
            weights(static_cast<Eigen::Index>(row)) = groups[row] == group ? 0.0 : 1.0;
        }
        const NormalEquations without = normal_equations(terms, row_deviation, values, residuals, derivatives, weights);
        const VectorXd moved = values - without.matrix.ldlt().solve(without.gradient);
        FitWithout& found = all.emplace_back();
        found.row_errors = row_errors(derivatives, covariance(without));
        for (std::size_t k = 0; k < terms.size(); ++k) {
            found.values.push_back(std::clamp(moved(static_cast<Eigen::Index>(k)), terms[k].least, terms[k].most));
        }
    }
    return all;
}

}  // namespace warpfront::regression
