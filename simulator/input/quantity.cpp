#include "simulator/input/quantity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::input {

namespace {

struct Prefix {
    std::string_view name;
    double factor;
};
constexpr std::array kDecimalPrefixes{Prefix{"", 1.0},  Prefix{"k", 1e3}, Prefix{"K", 1e3},
                                      Prefix{"M", 1e6}, Prefix{"G", 1e9}, Prefix{"T", 1e12}};
constexpr std::array kBinaryPrefixes{Prefix{"Ki", 1024.0}, Prefix{"Mi", 1048576.0}, Prefix{"Gi", 1073741824.0},
                                     Prefix{"Ti", 1099511627776.0}};

std::vector<Unit> all_units() {
    std::vector<Unit> all;
    for (const Prefix& time : {Prefix{"ps", 1e-12}, Prefix{"ns", 1e-9}, Prefix{"us", 1e-6}, Prefix{"ms", 1e-3},
                               Prefix{"s", 1.0}, Prefix{"min", 60.0}, Prefix{"h", 3600.0}}) {
        all.push_back({std::string(time.name), Dimension::time, time.factor});
        all.push_back({fmt::format("{}/B", time.name), Dimension::gap, time.factor});
    }
    const auto add_with = [&all](std::span<const Prefix> prefixes, std::string_view form, Dimension dimension,
                                 double factor) {
        for (const Prefix& prefix : prefixes) {
            all.push_back({fmt::format("{}{}", prefix.name, form), dimension, prefix.factor * factor});
        }
    };
    for (const std::span<const Prefix> prefixes :
         {std::span<const Prefix>(kDecimalPrefixes), std::span<const Prefix>(kBinaryPrefixes)}) {
        add_with(prefixes, "B", Dimension::bytes, 1.0);
        for (const std::string_view form : {"Bps", "B/s"}) add_with(prefixes, form, Dimension::bandwidth, 1.0);
        for (const std::string_view form : {"bps", "b/s"}) add_with(prefixes, form, Dimension::bandwidth, 0.125);
    }
    add_with(kDecimalPrefixes, "flops", Dimension::flop_rate, 1.0);
    return all;
}

constexpr std::size_t kLongestUnit = 20;           // a longer name is not a typing error
constexpr double kMostBytes = 9007199254740992.0;  // 2^53: every whole number up to it is exact

/// Returns `text` after its plus sign, which std::from_chars does not read.
std::string_view without_plus(std::string_view text) {
    const bool signed_number = text.size() > 1 && text[0] == '+' && text[1] != '-';
    return signed_number ? text.substr(1) : text;
}

/// Returns the range of `part`, a piece of `text`; the whole range if the source differs from `text` (escapes, folds).
SourceRange range_of(std::string_view part, std::string_view text, const SourceRange& range) {
    const bool verbatim = range.source && range.offset <= range.source->text().size() &&
                          range.source->text().substr(range.offset, range.length) == text;
    if (!verbatim) return range;
    return {range.source, range.offset + static_cast<std::size_t>(part.data() - text.data()), part.size()};
}

bool fits(Dimension unit, Dimension expected) {
    return unit == expected || (expected == Dimension::gap && unit == Dimension::bandwidth);
}

std::string expected_form(Dimension dimension) {
    switch (dimension) {
        case Dimension::number: return "expected a number without a unit";
        case Dimension::time: return "expected a time, such as `0.4us`";
        case Dimension::bytes: return "expected a number of bytes, such as `1024B` or `8KiB`";
        case Dimension::bandwidth: return "expected a bandwidth, such as `6GB/s` or `48Gb/s`";
        case Dimension::gap: return "expected a time per byte, such as `0.4ns/B`, or a bandwidth, such as `2.5GB/s`";
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

bool fits_one(const Unit& unit, std::span<const Dimension> expected) {
    return std::any_of(expected.begin(), expected.end(), [&](Dimension each) { return fits(unit.dimension, each); });
}

/// Returns true if names that are one edit apart differ in a letter, such as `Kb` and `KB`; false if one is longer or
/// two letters are swapped.
bool differ_in_letter(std::string_view a, std::string_view b) {
    return a.size() == b.size() && !std::is_permutation(a.begin(), a.end(), b.begin());
}

/// Returns the unit that is one edit away from `name`. Returns nullptr if `name` may mean another amount: units of
/// different amounts are equally near, a letter is replaced (`ks`, `Kb`), or `name` is a single letter (`m`, with which
/// `ms` and `min` begin).
const Unit* near_unit(std::string_view name, std::span<const Dimension> expected) {
    if (name.size() == 1 || name.size() > kLongestUnit) return nullptr;
    const Unit* near = nullptr;
    for (const Unit& unit : units()) {
        if (!fits_one(unit, expected) || edit_distance(name, unit.name) != 1) continue;
        if (near == nullptr) near = &unit;
        const bool same_amount = unit.factor == near->factor && unit.dimension == near->dimension;
        if (!same_amount || differ_in_letter(name, unit.name)) return nullptr;
    }
    return near;
}

/// Lists the units of some dimensions: their names, or for bandwidths the construction of a name.
std::string listed_units(std::span<const Dimension> expected) {
    std::string names;
    bool bandwidths = false;
    for (const Unit& unit : units()) {
        if (!fits_one(unit, expected)) continue;
        if (unit.dimension == Dimension::bandwidth) {
            bandwidths = true;
        } else {
            names += fmt::format("{}`{}`", names.empty() ? "one of " : ", ", unit.name);
        }
    }
    if (bandwidths) {
        names += names.empty() ? "" : "; or ";
        names += "`B/s` or `Bps` (bytes), `b/s` or `bps` (bits), alone or after k, M, G, T, Ki, Mi, Gi or Ti";
    }
    return "expected " + names;
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

std::span<const Unit> units() {
    static const std::vector<Unit> all = all_units();
    return all;
}

const Unit* find_unit(std::string_view name) {
    for (const Unit& unit : units()) {
        if (unit.name == name) return &unit;
    }
    return nullptr;
}

std::string unit_suggestion(std::string_view name, std::span<const Dimension> expected) {
    const Unit* const near = near_unit(name, expected);
    return near != nullptr ? fmt::format("did you mean `{}`?", near->name) : listed_units(expected);
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
                   takes_unit ? unit_suggestion(parts.unit, {&expected, 1}) : expected_form(expected));
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

/// Parses a quantity that is neither negative nor above `most`; returns zero after an error.
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
    constexpr std::string_view bounds = "a number of bytes from 0 to 9007199254740992B";
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

namespace {

/// Returns the text of the range if it is `text` with a deviation; else an empty text.
std::string_view written_with_deviation(std::string_view text, const SourceRange& range) {
    if (!range.source || range.offset > range.source->text().size()) return {};
    const std::string_view written = range.source->text().substr(range.offset, range.length);
    const auto parts = split_deviation(written);
    return parts && parts->value == text ? written : std::string_view();
}

}  // namespace

std::int64_t parse_integer(std::string_view text, const SourceRange& range, std::int64_t least, std::int64_t most,
                           Diagnostics& faults) {
    const bool open = most == std::numeric_limits<std::int64_t>::max();
    const bool any = open && least == std::numeric_limits<std::int64_t>::min();
    const std::string expected = any    ? "expected a whole number"
                                 : open ? fmt::format("expected a whole number of at least {}", least)
                                        : fmt::format("expected a whole number from {} to {}", least, most);
    if (const std::string_view written = written_with_deviation(text, range); !written.empty()) {
        faults.add(DiagnosticKind::bad_number, range, fmt::format("`{}`: a whole number has no deviation", written),
                   expected);
        return least;
    }
    const std::string_view digits = without_plus(trimmed(text));
    const auto number = leading_number<std::int64_t>(digits);
    const bool whole = number.length > 0 && number.length == digits.size();
    if (whole && number.fits && number.value >= least && number.value <= most) return number.value;
    if (whole) {
        const std::string bounds =
            number.fits ? expected : fmt::format("expected a whole number from {} to {}", least, most);
        faults.add(DiagnosticKind::out_of_range, range, fmt::format("`{}` is out of range", text), bounds);
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

Percent parse_percent(std::string_view text, const SourceRange& range, Diagnostics& faults) {
    if (!text.ends_with('%')) {
        faults.add(DiagnosticKind::missing_unit, range, fmt::format("`{}` has no unit", text),
                   "expected a percentage, such as `5 %`");
        return {};
    }
    text.remove_suffix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    const Percent percent{parse_real(text, range, faults)};
    if (percent.value < 0.0) {
        faults.add(DiagnosticKind::out_of_range, range, fmt::format("`{} %` is negative", text),
                   "expected a percentage of at least 0");
    }
    return percent;
}

}  // namespace warpfront::input
