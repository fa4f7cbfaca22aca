// Means of numbers that depend on the code's data, such as the bytes of a list of particles.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tools/from_code/learning/atoms.hpp"

namespace warpfront::learning {

/// A parameter, the inverse of a size of the process grid, or the product of both, which is a real share.
struct Unit {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    std::uint32_t factor = kNone;  // variables
    std::uint32_t divisor = kNone;
    friend constexpr bool operator==(const Unit&, const Unit&) = default;
};
/// The mean of a number that varies from time to time and is no expression of the variables: a coefficient times a
/// product of units. If three or more runs require it, `outer` units times the sum of a constant and a coefficient
/// times the `inner` units.
struct Mean {
    std::vector<Unit> inner;
    std::vector<Unit> outer;
    double slope = 0.0;
    double constant = 0.0;  // added to the inner product
    double residual = 0.0;  // the largest relative difference of a run's mean
};
struct MeanSample {
    const Values* at = nullptr;
    double mean = 0.0;
    double error = 0.0;  // standard error of the mean
};
/// The partners between which the bytes are sent.
struct Partners {
    /// Sizes of the axes of the process grid along which the partners lie. A mean that uses one of them is less likely:
    /// a face between neighbours in a row has a share along the other sides.
    std::vector<std::uint32_t> along{};
    bool all = false;                  // of a collective: a size may divide twice, once for each of two ranks
    std::set<std::uint32_t> unused{};  // variables that are in no mean, since they count iterations
};
double value_of(const Mean& mean, const Values& values);
/// Formats the mean in PSL, with these texts for its two coefficients.
std::string text_of(const Mean& mean, const Variables& variables, const std::string& slope,
                    const std::string& constant);
/// Fits a mean to one sample for each run. Chooses the form with the fewest numbers whose residual is below 1 % or
/// within the standard errors; if there is none, the form with the smallest residual.
/// Appends equally good forms to `others`.
Mean mean_law(const std::vector<MeanSample>& samples, const Variables& variables, const Partners& partners,
              std::vector<Mean>& others);

}  // namespace warpfront::learning
