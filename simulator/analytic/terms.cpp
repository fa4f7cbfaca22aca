#include "simulator/analytic/terms.hpp"

#include <cmath>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::analytic {

namespace {

constexpr double kLongestPicoseconds = 4e18;  // less than 2^62

}  // namespace

WideTime times(WideTime cost, std::int64_t count, std::string_view what) {
    if (count > 0 && cost.ps > kLongestTerm.ps / count) {
        throw input::BadInput(
            input::DiagnosticKind::closed_form_overflow, {},
            fmt::format("the closed form cannot hold {}: {:.3g} s, {} times", what, seconds(cost), count),
            fmt::format("expected at most {:.3g} s in all", seconds(kLongestTerm)));
    }
    return WideTime{cost.ps * count};
}

Time scaled(Time computing, double factor, std::string_view why) {
    const double ps = static_cast<double>(computing.ps) * factor;
    if (ps <= kLongestPicoseconds) return Time{std::llround(ps)};
    throw input::BadInput(
        input::DiagnosticKind::closed_form_overflow, {},
        fmt::format("{:.3g} s of computing take {:.3g} times as long {}", seconds(computing), factor, why),
        fmt::format("expected at most {:.3g} s in all", 1e-12 * kLongestPicoseconds));
}

Time byte_time(Bytes size, Gap gap) {
    const std::optional<Time> time = cost_of(size, gap);
    if (!time) {
        throw input::BadInput(input::DiagnosticKind::closed_form_overflow, {},
                              fmt::format("a message of {} bytes at {} s per byte is longer than a cost may be",
                                          size.count, gap.seconds_per_byte),
                              fmt::format("expected at most {:.3g} s", seconds(kLongestCost)));
    }
    return *time;
}

}  // namespace warpfront::analytic
