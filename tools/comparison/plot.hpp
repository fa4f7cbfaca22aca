// Predictions over measurements as a picture (SVG), in two panels over one axis of measured time:
//
//   above   predicted time over measured time, both logarithmic, with the diagonal and bands of +-5 % and +-10 %
//   below   the error, 100 * (predicted - measured) / measured, with the same bands
//
// Every method has a colour and a mark: engines are filled, published predictions hollow. The worst row of each method
// is named in the lower panel; rows that several share, once. Bars there are 95 % intervals.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/comparison/comparison.hpp"

namespace warpfront::tools {

struct PlotPoint {
    double measured_s = 0.0;   // above 0
    double predicted_s = 0.0;  // above 0
    std::string label{};
    std::optional<results::Interval> interval{};

    double error_pct() const { return error_pct(predicted_s); }
    double error_pct(double time_s) const { return 100.0 * (time_s - measured_s) / measured_s; }
};

struct PlotSeries {
    std::string method;
    bool published = false;
    std::vector<PlotPoint> points;
};

/// The measured rows by method, engines first. A method without a measured row is omitted.
std::vector<PlotSeries> plot_series(const Comparison& comparison);

/// `series` has at least one point.
std::string comparison_plot(const std::vector<PlotSeries>& series);

}  // namespace warpfront::tools
