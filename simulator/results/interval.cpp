#include "simulator/results/interval.hpp"

#include <algorithm>
#include <cmath>

namespace warpfront::results {

std::optional<Interval> interval_of(const record::Record& record, const Context& context,
                                    const std::optional<Ensemble>& ensemble) {
    constexpr double kTwoSided = 1.96;  // 0.975 quantile of the standard normal distribution
    if (!context.error && !ensemble) return std::nullopt;
    double time = seconds(record.finish);
    double deviation = 0.0;
    if (ensemble) {
        const Statistics found = statistics(*ensemble);
        time = found.mean_s;
        deviation = found.sd_s;
    }
    const double half = kTwoSided * std::hypot(context.error.value_or(0.0) * time, deviation);
    return Interval{std::max(0.0, time - half), time + half};
}

}  // namespace warpfront::results
