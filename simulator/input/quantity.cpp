#include "simulator/input/quantity.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/suggestion.hpp"

namespace warpfront::input {

namespace {

constexpr std::array kUnits = {
    Unit{"ps", Dimension::time, 1e-12},
    Unit{"ns", Dimension::time, 1e-9},
    Unit{"us", Dimension::time, 1e-6},
    Unit{"ms", Dimension::time, 1e-3},
    Unit{"s", Dimension::time, 1.0},
    Unit{"min", Dimension::time, 60.0},
    Unit{"h", Dimension::time, 3600.0},

    Unit{"B", Dimension::bytes, 1.0},
    Unit{"kB", Dimension::bytes, 1e3},
    Unit{"KB", Dimension::bytes, 1e3},
    Unit{"KiB", Dimension::bytes, 1024.0},
    Unit{"MB", Dimension::bytes, 1e6},
    Unit{"MiB", Dimension::bytes, 1048576.0},
    Unit{"GB", Dimension::bytes, 1e9},
    Unit{"GiB", Dimension::bytes, 1073741824.0},

    Unit{"Bps", Dimension::bandwidth, 1.0},
    Unit{"kBps", Dimension::bandwidth, 1e3},
    Unit{"MBps", Dimension::bandwidth, 1e6},
    Unit{"GBps", Dimension::bandwidth, 1e9},
    Unit{"TBps", Dimension::bandwidth, 1e12},
    Unit{"B/s", Dimension::bandwidth, 1.0},
    Unit{"kB/s", Dimension::bandwidth, 1e3},
    Unit{"MB/s", Dimension::bandwidth, 1e6},
    Unit{"GB/s", Dimension::bandwidth, 1e9},
    Unit{"TB/s", Dimension::bandwidth, 1e12},
    Unit{"KiBps", Dimension::bandwidth, 1024.0},
    Unit{"MiBps", Dimension::bandwidth, 1048576.0},
    Unit{"GiBps", Dimension::bandwidth, 1073741824.0},
    Unit{"bps", Dimension::bandwidth, 0.125},
    Unit{"kbps", Dimension::bandwidth, 125.0},
    Unit{"Mbps", Dimension::bandwidth, 125e3},
    Unit{"Gbps", Dimension::bandwidth, 125e6},
    Unit{"Tbps", Dimension::bandwidth, 125e9},

    Unit{"ps/B", Dimension::gap, 1e-12},
    Unit{"ns/B", Dimension::gap, 1e-9},
    Unit{"us/B", Dimension::gap, 1e-6},
    Unit{"ms/B", Dimension::gap, 1e-3},
    Unit{"s/B", Dimension::gap, 1.0},

    Unit{"flops", Dimension::flop_rate, 1.0},
    Unit{"kflops", Dimension::flop_rate, 1e3},
    Unit{"Mflops", Dimension::flop_rate, 1e6},
    Unit{"Gflops", Dimension::flop_rate, 1e9},
    Unit{"Tflops", Dimension::flop_rate, 1e12},
};

constexpr double kMostBytes = 9007199254740992.0;  // 2^53: every whole number up to it is exact

/// `text` after its plus sign, which std::from_chars does not read.
std::string_view without_plus(std::string_view text) {
    const bool signed_number = text.size() > 1 && text[0] == '+' && text[1] != '-';
    return signed_number ? text.substr(1) : text;
}

/// The range of `part`, a piece of `text`; the whole range if the source differs from `text` (escapes, folds).
SourceRange range_of(std::string_view part, std::string_view text, const SourceRange& range) {
    const bool verbatim = range.source && range.offset <= range.source->text().size() &&
                          range.source->text().substr(range.offset, range.length) == text;
    if (!verbatim) return range;
    return {range.source, range.offset + static_cast<std::size_t>(part.data() - text.data()), part.size()};
}

bool fits(Dimension unit, Dimension expected) {
    return unit == expected || (expected == Dimension::gap && unit == Dimension::bandwidth);
}

std::vector<std::string> unit_names(Dimension expected) {
    std::vector<std::string> names;
    for (const Unit& unit : kUnits) {
        if (fits(unit.dimension, expected)) names.emplace_back(unit.name);
    }
    return names;
}

std::string expected_form(Dimension dimension) {
    switch (dimension) {
        case Dimension::number: return "expected a number without a unit";
        case Dimension::time: return "expected a time, such as `0.4us`";
        case Dimension::bytes: return "expected a number of bytes, such as `1024B` or `8KiB`";
        case Dimension::bandwidth: return "expected a bandwidth, such as `6GBps`";
        case Dimension::gap: return "expected a time per byte, such as `0.4ns/B`, or a bandwidth, such as `2.5GBps`";
        case Dimension::flop_rate: return "expected a rate of arithmetic, such as `350Mflops`";
    }
    return {};
}

/// The number at the front of a text, and its unit.
struct Split {
    double number = 0.0;
    std::string_view digits;
    std::string_view unit;
    enum class Outcome : std::uint8_t { good, no_number, too_large } outcome = Outcome::good;
};

Split split(std::string_view text) {
    Split result;
    const std::string_view whole = trimmed(text);
    const std::string_view rest = without_plus(whole);
    const auto number = leading_number<double>(rest);
    const std::size_t used = whole.size() - rest.size() + number.length;
    result.digits = whole.substr(0, used);
    result.unit = trimmed(whole.substr(used));
    const bool digits_follow = result.unit.find_first_of("+-.,_0123456789") == 0;  // as in `1,000` and `1.2.3`
    if (!number.fits) {
        result.outcome = Split::Outcome::too_large;
    } else if (!number || !std::isfinite(number.value) || digits_follow) {
        result.outcome = Split::Outcome::no_number;
    } else {
        result.number = number.value;
    }
    return result;
}

std::string belonging(const Unit& unit) {
    return fmt::format("`{}` is a unit of {}", unit.name, dimension_name(unit.dimension));
}

}  // namespace

std::string_view dimension_name(Dimension dimension) {
    switch (dimension) {
        case Dimension::number: return "number";
        case Dimension::time: return "time";
        case Dimension::bytes: return "bytes";
        case Dimension::bandwidth: return "bandwidth";
        case Dimension::gap: return "time per byte";
        case Dimension::flop_rate: return "rate of arithmetic";
    }
    return {};
}

std::span<const Unit> units() { return kUnits; }

const Unit* find_unit(std::string_view name) {
    for (const Unit& unit : kUnits) {
        if (unit.name == name) return &unit;
    }
    return nullptr;
}

Quantity parse_quantity(std::string_view text, const SourceRange& range, Dimension expected, Diagnostics& faults) {
    const Quantity meaningless{0.0, expected};
    const Split parts = split(text);
    if (parts.outcome == Split::Outcome::no_number) {
        faults.add(DiagnosticKind::bad_number, range, fmt::format("`{}` is not a number", text),
                   expected_form(expected));
        return meaningless;
    }
    if (parts.outcome == Split::Outcome::too_large) {
        faults.add(DiagnosticKind::out_of_range, range_of(parts.digits, text, range),
                   fmt::format("`{}` is beyond the range of numbers", parts.digits), expected_form(expected));
        return meaningless;
    }
    if (parts.unit.empty()) {
        if (expected == Dimension::number) return {parts.number, expected, parts.digits};
        faults.add(DiagnosticKind::missing_unit, range, fmt::format("`{}` has no unit", text), expected_form(expected));
        return meaningless;
    }
    const SourceRange unit_range = range_of(parts.unit, text, range);
    const Unit* unit = find_unit(parts.unit);
    if (unit == nullptr) {
        const bool takes_unit = expected != Dimension::number;
        faults.add(DiagnosticKind::unknown_unit, unit_range, fmt::format("unknown unit `{}`", parts.unit),
                   takes_unit ? suggestion(parts.unit, unit_names(expected)) : expected_form(expected));
        return meaningless;
    }
    if (!fits(unit->dimension, expected)) {
        faults.add(DiagnosticKind::wrong_unit, unit_range, belonging(*unit), expected_form(expected));
        return meaningless;
    }
    const double value = parts.number * unit->factor;
    const double folded = unit->dimension == expected ? value : 1.0 / value;
    if (!std::isfinite(folded)) {
        faults.add(DiagnosticKind::out_of_range, range, fmt::format("`{}` is out of range", text),
                   expected_form(expected));
        return meaningless;
    }
    return {folded, expected, parts.digits, unit};
}

long double picoseconds_of(const Quantity& time) {
    const Decimal number = read_decimal(time.digits);
    if (time.unit == nullptr || number.length != time.digits.size()) {
        return static_cast<long double>(time.value) * 1e12L;
    }
    return scaled(number, picoseconds_of(time.unit->factor));
}

namespace {

/// A quantity that is neither negative nor above `most`; zero after a fault.
double parse_bounded(std::string_view text, const SourceRange& range, Dimension dimension, double most,
                     std::string_view bounds, Diagnostics& faults) {
    const double value = parse_quantity(text, range, dimension, faults).value;
    if (value >= 0.0 && value <= most) return value;
    faults.add(DiagnosticKind::out_of_range, range, fmt::format("`{}` is out of range", text),
               fmt::format("expected {}", bounds));
    return 0.0;
}

constexpr double kUnbounded = std::numeric_limits<double>::max();

}  // namespace

Time parse_time(std::string_view text, const SourceRange& range, Diagnostics& faults) {
    const double most = seconds(kLongestCost);
    const double value = parse_bounded(text, range, Dimension::time, most, "a time from 0 to 576460s", faults);
    return from_seconds(value).value_or(kLongestCost);  // `most` itself may round to one picosecond too many
}

Bytes parse_bytes(std::string_view text, const SourceRange& range, Diagnostics& faults) {
    constexpr std::string_view bounds = "from 0 to 9007199254740992B";
    const double value = parse_bounded(text, range, Dimension::bytes, kMostBytes, bounds, faults);
    const double whole = std::round(value);
    if (std::abs(value - whole) > 1e-9 * value) {
        faults.add(DiagnosticKind::bad_number, range, fmt::format("`{}` is not a whole number of bytes", text));
    }
    return {static_cast<std::int64_t>(whole)};
}

Gap parse_gap(std::string_view text, const SourceRange& range, Diagnostics& faults) {
    return {parse_bounded(text, range, Dimension::gap, kUnbounded, "a time per byte of at least 0", faults)};
}

Bandwidth parse_bandwidth(std::string_view text, const SourceRange& range, Diagnostics& faults) {
    return {parse_bounded(text, range, Dimension::bandwidth, kUnbounded, "a bandwidth of at least 0", faults)};
}

std::int64_t parse_integer(std::string_view text, const SourceRange& range, std::int64_t least, std::int64_t most,
                           Diagnostics& faults) {
    const bool open = most == std::numeric_limits<std::int64_t>::max();
    const std::string expected = open ? fmt::format("expected a whole number of at least {}", least)
                                      : fmt::format("expected a whole number from {} to {}", least, most);
    const std::string_view digits = without_plus(trimmed(text));
    const auto number = leading_number<std::int64_t>(digits);
    const bool whole = number.length > 0 && number.length == digits.size();
    if (whole && number.fits && number.value >= least && number.value <= most) return number.value;
    if (whole) {
        faults.add(DiagnosticKind::out_of_range, range, fmt::format("`{}` is out of range", text), expected);
        return least;
    }
    const Split parts = split(text);
    const Unit* unit = parts.outcome == Split::Outcome::good ? find_unit(parts.unit) : nullptr;
    if (unit != nullptr) {
        faults.add(DiagnosticKind::wrong_unit, range_of(parts.unit, text, range), belonging(*unit), expected);
    } else {
        faults.add(DiagnosticKind::bad_number, range, fmt::format("`{}` is not a whole number", text), expected);
    }
    return least;
}

double parse_real(std::string_view text, const SourceRange& range, Diagnostics& faults) {
    return parse_quantity(text, range, Dimension::number, faults).value;
}

}  // namespace warpfront::input
