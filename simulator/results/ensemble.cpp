#include "simulator/results/ensemble.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <boost/math/distributions/students_t.hpp>

#include "simulator/results/formatting.hpp"

namespace warpfront::results {

namespace {

constexpr double kConfidence = 0.95;

}  // namespace

/// Returns the quantile in double precision. Otherwise Boost.Math would compute with long double before `main`, and
/// would abort under valgrind, whose long double has 64 bits.
double student_quantile(double degrees) {
    using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
    const boost::math::students_t_distribution<double, InDouble> law(degrees);
    return boost::math::quantile(law, 0.5 + 0.5 * kConfidence);
}

/// Computes statistics. The sums are of differences from the first time, which are exact, so times with equal leading
/// digits lose no precision.
Statistics statistics(const Ensemble& ensemble) {
    const auto count = static_cast<double>(ensemble.times.size());
    const WideTime origin = ensemble.times.front();
    WideTime beyond;
    for (const WideTime time : ensemble.times) beyond += time - origin;
    const double offset = seconds(beyond) / count;
    double squares = 0.0;
    for (const WideTime time : ensemble.times) {
        const double difference = seconds(time - origin) - offset;
        squares += difference * difference;
    }
    Statistics result;
    result.mean_s = seconds(origin) + offset;
    result.sd_s = std::sqrt(squares / (count - 1.0));
    const double half = student_quantile(count - 1.0) * result.sd_s / std::sqrt(count);
    result.low_s = result.mean_s - half;
    result.high_s = result.mean_s + half;
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
    std::string text = fmt::format("{:<16}{} to {} (95 % interval of the mean)\n", "of the mean", shown(found.low_s),
                                   shown(found.high_s));
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
