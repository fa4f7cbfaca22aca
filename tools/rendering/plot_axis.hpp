// The axes of plots: values to pixels, and where ticks stand.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tools/rendering/svg.hpp"

namespace warpfront::tools {

/// Okabe & Ito 2008: distinguishable with all forms of colour vision.
inline constexpr std::array<std::string_view, 6> kColours{"#0072B2", "#D55E00", "#009E73",
                                                          "#CC79A7", "#E69F00", "#444444"};
inline constexpr std::array kMarks{Mark::circle, Mark::square, Mark::triangle, Mark::diamond, Mark::cross, Mark::plus};
inline constexpr std::string_view kInk = "#222222", kFaint = "#666666", kGrid = "#e4e4e4", kFrame = "#999999";

/// A range of values and where they lie, in pixels.
class Axis {
public:
    Axis(double low, double high, double at_low, double at_high, bool logarithmic)
        : low_(low), high_(high), at_low_(at_low), at_high_(at_high), logarithmic_(logarithmic) {}

    double low() const { return low_; }
    double high() const { return high_; }
    double at(double value) const;

private:
    double low_, high_, at_low_, at_high_;
    bool logarithmic_;
};

/// About five whole steps of 1, 2 or 5 times a power of ten.
std::vector<double> linear_ticks(double low, double high);

/// 1, 2 and 5 times the powers of ten in [low, high]; only the powers if there are many. In a narrow range these are too
/// few, so its ticks are linear.
std::vector<double> logarithmic_ticks(double low, double high);

/// "0.05", "20", "5000"
std::string tick_text(double value);

}  // namespace warpfront::tools
