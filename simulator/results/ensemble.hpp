// The uncertainty of a time: one run for many seeds with the statistics of its times, and the 95 % interval of a
// result.
//
// With n times t_k: mean m = sum t_k / n; standard deviation s of a sample, s^2 = sum (t_k - m)^2 / (n - 1); the mean
// of all seeds lies within m +- q s / sqrt(n) with 95 % confidence, q being the 0.975 quantile of Student's t with n -
// 1 degrees of freedom (Student 1908), if the times are distributed normally or n is large.
//
// The interval of a result contains one further run, such as a measured one:
//
//   m -+ sqrt((p e m)^2 + q^2 s^2 (1 + 1/n))
//
// e: relative error of predictions of this many ranks, from runs of G groups, where no run of the group was fitted
// (simulator/units/prediction_error.hpp); p: the 0.975 quantile of Student's t with G degrees of freedom. It is G and
// not G - 1, since errors are taken about 0 and not about their mean. Both errors are independent. One run has no
// spread: s = 0. Times are not negative, so the interval ends at 0.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/record/record.hpp"
#include "simulator/results/context.hpp"
#include "simulator/units/prediction_error.hpp"
#include "simulator/units/random.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::results {

/// The largest number of seeds or samples of one run.
inline constexpr std::uint32_t kMostSeeds = 100'000;

/// The confidence of all intervals, unless several intervals must hold together.
inline constexpr double kConfidence = 0.95;

struct Ensemble {
    Seed first;
    std::vector<WideTime> times;  // times of the seeds first, first + 1, ...; at least two
    unsigned at_once = 1;         // number of runs in parallel
    double wall_s = 0.0;          // wall time from the start of the first run to the end of the last
    double cpu_s = 0.0;           // processor time of all runs together
    std::string what = "seeds";   // "seeds", or "samples" if the scenario's uncertain values are drawn as well

    /// Returns the name of the run that the rest of the result describes: the first of several seeds; for samples, the
    /// run without deviations, which is not one of the samples.
    const char* of_record() const { return what == "samples" ? "nominal" : "first seed"; }
};

struct Statistics {
    double mean_s = 0.0;
    double sd_s = 0.0;
    double low_s = 0.0;  // lower end of the 95 % interval of the mean
    double high_s = 0.0;
    WideTime least;
    WideTime most;
};

/// The mean m of independent values, with the half-width q s / sqrt(n) of its confidence interval. A single value has
/// no spread.
struct MeanEstimate {
    double mean = 0.0;
    double sd = 0.0;
    double half = 0.0;

    double low() const { return mean - half; }
    double high() const { return mean + half; }
    bool may_be(double value) const { return low() <= value && value <= high(); }
};
/// Returns the estimate from at least one value.
MeanEstimate estimate_mean(std::span<const double> values, double confidence = kConfidence);

Statistics statistics(const Ensemble& ensemble);

/// Returns the block `ensemble` of a result.
nlohmann::ordered_json to_json(const Ensemble& ensemble);

/// Formats the ensemble's lines of the table, which end with a line break.
std::string summary(const Ensemble& ensemble);

/// The 0.975 quantile of the standard normal distribution.
inline constexpr double kTwoSided = 1.96;

/// Returns the quantile of Student's t that bounds a two-sided interval: with the default confidence, the 0.975
/// quantile.
double student_quantile(double degrees, double confidence = kConfidence);

struct Interval {
    double low_s = 0.0;
    double high_s = 0.0;
    bool holds(Time time) const { return low_s <= seconds(time) && seconds(time) <= high_s; }
};

/// Returns the 95 % interval of one or more runs on `ranks`; nothing for a single run without a known error.
std::optional<Interval> interval_of(std::span<const WideTime> times, std::optional<PredictionError> error,
                                    std::uint64_t ranks);

/// Returns the interval of a result: of its ensemble, or else of its own time.
std::optional<Interval> interval_of(const record::Record& record, const Context& context,
                                    const std::optional<Ensemble>& ensemble);

}  // namespace warpfront::results
