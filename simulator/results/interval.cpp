#include "simulator/results/interval.hpp"

#include <algorithm>
#include <cmath>

namespace warpfront::results {

std::optional<Interval> interval_of(std::span<const WideTime> times, std::optional<double> error) {
    if (times.size() < 2 && !error) return std::nullopt;
    double mean = seconds(times.front());
    double spread = 0.0;
    if (times.size() >= 2) {
        const Statistics found = statistics({.first = {}, .times = {times.begin(), times.end()}});
        mean = found.mean_s;
        spread = student_quantile(times.size()) * found.sd_s * std::sqrt(1.0 + 1.0 / static_cast<double>(times.size()));
    }
    const double half = std::hypot(kTwoSided * error.value_or(0.0) * mean, spread);
    return Interval{std::max(0.0, mean - half), mean + half};
}

std::optional<Interval> interval_of(const record::Record& record, const Context& context,
                                    const std::optional<Ensemble>& ensemble) {
    if (ensemble) return interval_of(ensemble->times, context.error);
    return interval_of(std::span(&record.finish, 1), context.error);
}

}  // namespace warpfront::results
