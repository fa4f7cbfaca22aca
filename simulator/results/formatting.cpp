#include "simulator/results/formatting.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace warpfront::results {

namespace {

constexpr double kSixDigits = 1e6;        // from this number on, the sixth digit is above the units digit
constexpr double kLeastHalfWidth = 1e-4;  // smallest half-width, as a share of the time, that needs only six digits

std::string six_digits(double seconds, const TimeScale& scale) {
    const double value = seconds / scale.seconds;
    return value < kSixDigits ? fmt::format("{:.6g}{}", value, scale.unit) : fmt::format("{:.0f}{}", value, scale.unit);
}

}  // namespace

TimeScale time_scale(WideTime time) {
    static constexpr std::array scales = {TimeScale{"s", 1.0}, TimeScale{"ms", 1e-3}, TimeScale{"us", 1e-6},
                                          TimeScale{"ns", 1e-9}};
    for (const TimeScale& scale : scales) {
        if (std::stod(fmt::format("{:.6g}", seconds(time) / scale.seconds)) >= 1.0) return scale;
    }
    return {"ps", 1e-12};
}

std::string duration(WideTime time) {
    if (time.ps == 0) return "0s";
    const TimeScale scale = time_scale(time);
    return six_digits(seconds(time), scale);
}

RoundedDuration::RoundedDuration(WideTime time, double half_width_s) : scale_(time_scale(time)) {
    if (!(half_width_s > seconds(time) * kLeastHalfWidth)) return;
    const double step = std::pow(10.0, std::floor(std::log10(half_width_s)) - 1.0);
    const WideTime shown = wide_from_seconds(std::round(seconds(time) / step) * step);
    scale_ = time_scale(std::max(time, shown));
    decimals_ = 1 - static_cast<int>(std::floor(std::log10(half_width_s / scale_.seconds)));
}

std::string RoundedDuration::operator()(double seconds) const {
    if (!decimals_) return six_digits(seconds, scale_);
    const double step = std::pow(10.0, std::max(-*decimals_, 0));
    const double value = seconds / scale_.seconds;
    return fmt::format("{:.{}f}{}", step > 1.0 ? std::round(value / step) * step : value, std::max(*decimals_, 0),
                       scale_.unit);
}

std::string iterations(std::span<const std::pair<WideTime, std::int64_t>> durations) {
    constexpr std::size_t kShown = 6;
    std::vector<std::pair<std::string, std::int64_t>> alike;
    for (const auto& [time, count] : durations) {
        const std::string shown = duration(time);
        if (!alike.empty() && alike.back().first == shown) {
            alike.back().second += count;
        } else if (alike.size() == kShown) {
            alike.emplace_back();
            break;
        } else {
            alike.emplace_back(shown, count);
        }
    }
    std::string text;
    for (const auto& [shown, count] : alike) {
        text += text.empty() ? "" : ", ";
        text += shown.empty() ? "..." : fmt::format("{} x {}", grouped(static_cast<std::uint64_t>(count)), shown);
    }
    return text;
}

std::string significant(double value, int digits) {
    std::string text = fmt::format("{:.{}g}", value, digits);
    constexpr double kMostWhole = 1e6;
    if (std::abs(value) < kMostWhole && text.find("e+") != std::string::npos) {
        text = fmt::format("{:.0f}", std::stod(text));
    }
    return text;
}

std::string size(Bytes bytes) {
    static constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    auto value = static_cast<double>(bytes.count);
    std::size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1024.0;
    return fmt::format("{:.3g} {}", value, units[unit]);
}

std::string rank_text(Rank rank, const RankGrid& grid) {
    return fmt::format("rank {} ({})", rank.index, grid.coordinates(rank));
}

std::string rank_text(Rank rank, const program::Program& program) { return rank_text(rank, program.grid); }

std::string in_statement(std::uint16_t site, const program::Program& program) {
    if (site >= program.sites.size()) return {};
    const program::Site& statement = program.sites[site];
    return fmt::format(" in `{}` at {}:{}:{}", statement.text, statement.file, statement.line, statement.column);
}

std::string wrapped(std::string_view text, std::string_view indent) {
    constexpr std::size_t kWidth = 100;
    std::string lines;
    while (text.size() + (lines.empty() ? 0 : indent.size()) > kWidth) {
        const std::size_t room = kWidth - (lines.empty() ? 0 : indent.size());
        const std::size_t space = std::min(text.rfind(' ', room), text.find(' ', room));
        if (space == std::string_view::npos) break;
        lines += fmt::format("{}{}\n", lines.empty() ? "" : indent, text.substr(0, space));
        text.remove_prefix(space + 1);
    }
    return fmt::format("{}{}{}", lines, lines.empty() ? "" : indent, text);
}

}  // namespace warpfront::results
