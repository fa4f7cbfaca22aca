// Means of numbers that depend on the code's data, such as the bytes of a list of particles.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tools/from_code/learning/atoms.hpp"

namespace warpfront::learning {

/// A factor of a mean: a parameter, the inverse of a size of the process grid, or the product of both, which is a
/// share.
struct Unit {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    std::uint32_t factor = kNone;  // indices of variables
    std::uint32_t divisor = kNone;
    friend constexpr bool operator==(const Unit&, const Unit&) = default;
};
/// The mean of a number that varies from time to time and has no exact expression. It is a coefficient times the
/// product of the `inner` units. If three or more runs require it, a constant is added, and the sum is multiplied by
/// the `outer` units.
struct Mean {
    std::vector<Unit> inner;
    std::vector<Unit> outer;
    double slope = 0.0;
    double constant = 0.0;  // added to the product of the inner units
    double residual = 0.0;  // largest relative difference of a run's mean
};
struct MeanSample {
    const Values* at = nullptr;
    double mean = 0.0;
    double error = 0.0;  // standard error of the mean
};
/// The ranks that exchange the messages whose bytes are fitted.
struct Partners {
    /// Sizes of those axes of the process grid along which messages are sent. A mean with one of them is less likely: a
    /// face between neighbours in a row has shares along the other sides.
    std::vector<std::uint32_t> along{};
    /// true for collectives; then a size may occur twice as a divisor, once for each of the two ranks
    bool all = false;
    std::set<std::uint32_t> unused{};  // variables that means do not contain, since they count iterations
};
double value_of(const Mean& mean, const Values& values);
/// Formats the mean in PSL. `slope` and `constant` are the texts of its two coefficients.
std::string text_of(const Mean& mean, const Variables& variables, const std::string& slope,
                    const std::string& constant);
/// Fits a mean to one sample for each run. Chooses the formula with the fewest numbers among those whose residual is
/// below 1 % or within the standard errors. If there are none, chooses the formula with the smallest residual. Appends
/// equally good formulas to `others`.
Mean mean_law(const std::vector<MeanSample>& samples, const Variables& variables, const Partners& partners,
              std::vector<Mean>& others);

}  // namespace warpfront::learning
