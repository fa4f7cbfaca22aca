#include "tools/rendering/plot_axis.hpp"

#include <cmath>

#include <fmt/format.h>

namespace warpfront::tools {

namespace {

constexpr double kNarrow = 4.0;  // highest over lowest value

}  // namespace

double Axis::at(double value) const {
    const double share = logarithmic_ ? (std::log10(value) - std::log10(low_)) / (std::log10(high_) - std::log10(low_))
                                      : (value - low_) / (high_ - low_);
    return at_low_ + share * (at_high_ - at_low_);
}

std::vector<double> linear_ticks(double low, double high) {
    double step = std::pow(10.0, std::floor(std::log10((high - low) / 5.0)));
    for (const double factor : {2.0, 2.5, 2.0}) {
        if ((high - low) / step > 8.0) step *= factor;
    }
    std::vector<double> ticks;
    for (double tick = std::ceil(low / step) * step; tick <= high; tick += step) ticks.push_back(tick);
    return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high) {
    if (high / low < kNarrow) return linear_ticks(low, high);
    const bool many = std::log10(high / low) > 4.0;
    std::vector<double> ticks;
    for (double power = std::pow(10.0, std::floor(std::log10(low))); power <= high; power *= 10.0) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            if (many && factor != 1.0) continue;
            const double tick = factor * power;
            if (tick >= low && tick <= high) ticks.push_back(tick);
        }
    }
    return ticks;
}

std::string tick_text(double value) { return fmt::format("{:.6g}", value); }

}  // namespace warpfront::tools
