#include "simulator/results/ensemble.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <boost/math/distributions/students_t.hpp>

#include "simulator/results/formatting.hpp"

namespace warpfront::results {

/// Returns the quantile in double precision. Otherwise Boost.Math would compute with long double before `main`, and
/// would abort under valgrind, whose long double has 64 bits.
double student_quantile(double degrees, double confidence) {
    using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
    const boost::math::students_t_distribution<double, InDouble> law(degrees);
    return boost::math::quantile(law, 0.5 + 0.5 * confidence);
}

/// Sums differences from the first value, so values with equal leading digits lose no precision.
MeanEstimate estimate_mean(std::span<const double> values, double confidence) {
    const auto count = static_cast<double>(values.size());
    const double origin = values.front();
    double beyond = 0.0;
    for (const double value : values) beyond += value - origin;
    const double offset = beyond / count;
    MeanEstimate result{.mean = origin + offset};
    if (values.size() < 2) return result;
    double squares = 0.0;
    for (const double value : values) {
        const double difference = value - origin - offset;
        squares += difference * difference;
    }
    result.sd = std::sqrt(squares / (count - 1.0));
    result.half = student_quantile(count - 1.0, confidence) * result.sd / std::sqrt(count);
    return result;
}

/// Computes statistics of the differences from the first time, which are exact.
Statistics statistics(const Ensemble& ensemble) {
    const WideTime origin = ensemble.times.front();
    std::vector<double> offsets;
    for (const WideTime time : ensemble.times) offsets.push_back(seconds(time - origin));
    const MeanEstimate offset = estimate_mean(offsets);
    Statistics result;
    result.mean_s = seconds(origin) + offset.mean;
    result.sd_s = offset.sd;
    result.low_s = result.mean_s - offset.half;
    result.high_s = result.mean_s + offset.half;
    const auto [least, most] = std::minmax_element(ensemble.times.begin(), ensemble.times.end());
    result.least = *least;
    result.most = *most;
    return result;
}

nlohmann::ordered_json to_json(const Ensemble& ensemble) {
    const Statistics found = statistics(ensemble);
    nlohmann::ordered_json json = {{ensemble.what, ensemble.times.size()},
                                   {"mean_s", found.mean_s},
                                   {"sd_s", found.sd_s},
                                   {"ci95_s", nlohmann::ordered_json::array({found.low_s, found.high_s})},
                                   {"min_s", seconds(found.least)},
                                   {"max_s", seconds(found.most)},
                                   {"times_s", nlohmann::ordered_json::array()}};
    for (const WideTime time : ensemble.times) json["times_s"].push_back(seconds(time));
    json["at_once"] = ensemble.at_once;
    json["wall_s"] = ensemble.wall_s;
    json["cpu_s"] = ensemble.cpu_s;
    return json;
}

std::string summary(const Ensemble& ensemble) {
    const Statistics found = statistics(ensemble);
    const double share = found.mean_s > 0.0 ? 100.0 * found.sd_s / found.mean_s : 0.0;
    const std::uint64_t last = ensemble.first.value + (ensemble.times.size() - 1);
    const RoundedDuration shown(wide_from_seconds(found.mean_s), found.high_s - found.mean_s);
    std::string text = fmt::format("{:<16}{}, 95 % interval {} to {}\n", "mean of runs", shown(found.mean_s),
                                   shown(found.low_s), shown(found.high_s));
    text += fmt::format("{:<16}{} to {}, standard deviation {} ({:.2f} %)\n", "range", duration(found.least),
                        duration(found.most), duration(wide_from_seconds(found.sd_s)), share);
    text += fmt::format("{:<16}{}, seeds {} to {}, {} at a time in {}s\n", "runs", grouped(ensemble.times.size()),
                        ensemble.first.value, last, ensemble.at_once, significant(ensemble.wall_s, 3));
    return text;
}

std::optional<Interval> interval_of(std::span<const WideTime> times, std::optional<PredictionError> error,
                                    std::uint64_t ranks) {
    if (times.size() < 2 && !error) return std::nullopt;
    double mean = seconds(times.front());
    double spread = 0.0;
    if (times.size() >= 2) {
        const Statistics found = statistics({.first = {}, .times = {times.begin(), times.end()}});
        mean = found.mean_s;
        const auto count = static_cast<double>(times.size());
        spread = student_quantile(count - 1.0) * found.sd_s * std::sqrt(1.0 + 1.0 / count);
    }
    const double share = error ? student_quantile(error->groups) * error->deviation_on(ranks) : 0.0;
    const double half = std::hypot(share * mean, spread);
    return Interval{std::max(0.0, mean - half), mean + half};
}

std::optional<Interval> interval_of(const record::Record& record, const Context& context,
                                    const std::optional<Ensemble>& ensemble) {
    if (ensemble) return interval_of(ensemble->times, context.error, context.ranks);
    return interval_of(std::span(&record.finish, 1), context.error, context.ranks);
}

}  // namespace warpfront::results
