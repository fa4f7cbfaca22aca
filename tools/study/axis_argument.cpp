#include "tools/study/axis.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/scenario/overrides.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/answer/prediction/option_values.hpp"

namespace warpfront::tools {

namespace {

/// Parses `1..5`, `0..100..25` or `32..512*2`; returns nothing for a single value.
std::optional<ValueRange> range_of_text(std::string_view text, const SourceRange& range) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos || !input::number_with_unit(text.substr(0, dots))) return std::nullopt;
    ValueRange parsed{std::string(text.substr(0, dots)), "", "", false, range};
    std::string_view rest = text.substr(dots + 2);
    const std::size_t next = rest.find("..");
    const std::size_t star = rest.find('*');
    parsed.to = std::string(rest.substr(0, std::min(next, star)));
    parsed.is_factor = star != std::string_view::npos;
    if (parsed.is_factor) {
        parsed.step = std::string(rest.substr(star + 1));
    } else if (next != std::string_view::npos) {
        parsed.step = std::string(rest.substr(next + 2));
    } else {
        parsed.step = fmt::format("1{}", input::number_with_unit(parsed.from)->unit);
    }
    return parsed;
}

/// Reads one value, quoted or braced as in YAML.
std::optional<YamlNode> read_value(const std::string& path, const OptionValue& piece, Diagnostics& faults) {
    if (piece.text.find_first_of("{[\"'") != std::string::npos) {
        const auto parsed = scenario::parse_override(path + "=" + piece.text, faults);
        return parsed ? std::optional(parsed->value) : std::nullopt;
    }
    const std::size_t first = piece.text.find_first_not_of(' ');
    if (first == std::string::npos) {
        faults.add(DiagnosticKind::bad_override, piece.range, "an empty value", "expected a value between separators");
        return std::nullopt;
    }
    return scalar_value(piece.text.substr(first, piece.text.find_last_not_of(' ') - first + 1), piece.range);
}

/// Reads values and ranges joined by commas.
std::vector<YamlNode> read_values(const std::string& path, const OptionValue& list, Diagnostics& faults) {
    std::vector<YamlNode> values;
    for (const OptionValue& piece : pieces_of(list, ",")) {
        if (const auto range = range_of_text(piece.text, piece.range)) {
            std::vector<YamlNode> more = values_in_range(*range, faults);
            values.insert(values.end(), more.begin(), more.end());
        } else if (auto value = read_value(path, piece, faults)) {
            values.push_back(std::move(*value));
        }
    }
    return values;
}

/// Reads linked values such as `1:2,2:4`: one value of each key at a time.
void read_linked_values(const OptionValue& list, std::vector<AxisKey>& keys, Diagnostics& faults) {
    for (const OptionValue& tuple : pieces_of(list, ",")) {
        const std::vector<OptionValue> parts = pieces_of(tuple, ":");
        if (parts.size() != keys.size()) {
            faults.add(DiagnosticKind::uneven_axis, tuple.range,
                       fmt::format("`{}` has {}", tuple.text, results::counted(parts.size(), "value")),
                       fmt::format("expected {} values, one for each key, joined by colons", keys.size()));
            continue;
        }
        for (std::size_t k = 0; k < keys.size(); ++k) {
            if (auto value = read_value(keys[k].path, parts[k], faults)) keys[k].values.push_back(std::move(*value));
        }
    }
}

}  // namespace

StudyAxis parse_axis(const std::string& argument, Diagnostics& faults) {
    const OptionValue whole = option_value("--vary", argument);
    const std::size_t before = faults.count();
    const std::size_t equals = scenario::end_of_path(argument);
    if (equals == std::string::npos || equals == 0) {
        faults.add(DiagnosticKind::bad_override, whole.range, "no path with values in the argument of `--vary`",
                   "expected `PATH=VALUE,VALUE,...`, such as `ranks.columns=16,32` or `parameters.htile=1..5`");
        return {};
    }
    const std::size_t after = equals + 1;
    const OptionValue names{argument.substr(0, equals), {whole.range.source, 0, equals}};
    const OptionValue list{argument.substr(after), {whole.range.source, after, argument.size() - after}};
    StudyAxis axis;
    for (const OptionValue& name : pieces_of(names, ",")) {
        add_key(axis, {name.text, name.range, {}}, faults);
    }
    if (axis.keys.size() == 1) {
        const std::vector<YamlNode> values = read_values(axis.keys.front().path, list, faults);
        axis.keys.front().values.assign(values.begin(), values.end());
    } else {
        read_linked_values(list, axis.keys, faults);
    }
    axis.size = axis.keys.front().values.size();
    if (faults.count() == before) check_values(axis, faults);
    return axis;
}

// --- --ranks ---------------------------------------------------------------------------------------------------------

namespace {

constexpr double kFurthest = 2.0;  // largest allowed factor between the requested ratio and that of the result

double columns_per_row(const Extents& shape) {
    return static_cast<double>(shape.columns) / static_cast<double>(shape.rows);
}

/// Returns the factor between two ratios: 1 if they are equal, 2 if one is twice the other.
double apart(double one, double other) { return std::max(one / other, other / one); }

std::string numbered(const Extents& shape) { return fmt::format("{} ({})", shape.count(), as_text(shape)); }

/// Formats the nearest numbers below and above that have a process grid.
std::string nearest_numbers(std::uint64_t ranks, const Extents& base) {
    std::string text;
    for (std::uint64_t below = ranks - 1; below > 0; --below) {
        if (const auto shape = shape_of_ranks(below, base)) {
            text = numbered(*shape);
            break;
        }
    }
    for (std::uint64_t above = ranks + 1; above <= scenario::kMostScenarioRanks; ++above) {
        if (const auto shape = shape_of_ranks(above, base)) {
            return text.empty() ? numbered(*shape) : text + " or " + numbered(*shape);
        }
    }
    return text;
}

}  // namespace

std::optional<Extents> shape_of_ranks(std::uint64_t ranks, const Extents& base) {
    if (ranks % base.planes != 0) return std::nullopt;
    const std::uint64_t of_plane = ranks / base.planes;
    const double wanted = columns_per_row(base);
    std::optional<Extents> best;
    const auto is_better = [&](const Extents& shape) {
        if (!best) return true;
        const double here = apart(columns_per_row(shape), wanted), there = apart(columns_per_row(*best), wanted);
        if (here != there) return here < there;
        const double square = apart(columns_per_row(shape), 1.0), square_there = apart(columns_per_row(*best), 1.0);
        return square < square_there || (square == square_there && shape.columns > best->columns);
    };
    for (std::uint64_t side = 1; side * side <= of_plane; ++side) {
        if (of_plane % side != 0) continue;
        const auto one = static_cast<std::uint32_t>(side), other = static_cast<std::uint32_t>(of_plane / side);
        for (const Extents& shape : {Extents{one, other, base.planes}, Extents{other, one, base.planes}}) {
            if (is_better(shape)) best = shape;
        }
    }
    return best && apart(columns_per_row(*best), wanted) <= kFurthest ? best : std::nullopt;
}

StudyAxis parse_ranks(const std::string& argument, const Extents& base, Diagnostics& faults) {
    const OptionValue whole = option_value("--ranks", argument);
    StudyAxis axis;
    axis.follows_shape = true;
    axis.keys = {{"ranks.columns", whole.range, {}}, {"ranks.rows", whole.range, {}}};
    for (const YamlNode& value : read_values("ranks", {argument, whole.range}, faults)) {
        const std::size_t before = faults.count();
        const auto ranks = static_cast<std::uint64_t>(
            input::parse_integer(value.scalar, value.range, 1, scenario::kMostScenarioRanks, faults));
        if (faults.count() != before) continue;
        const auto shape = shape_of_ranks(ranks, base);
        if (!shape) {
            faults.add(DiagnosticKind::out_of_range, value.range,
                       fmt::format("no process grid of {} has proportions of about {} to {}{}",
                                   results::counted(ranks, "rank"), base.columns, base.rows,
                                   base.planes == 1 ? "" : fmt::format(" in {} planes", base.planes)),
                       "the nearest numbers with such a grid are " + nearest_numbers(ranks, base));
            continue;
        }
        axis.keys[0].values.push_back(scalar_value(fmt::format("{}", shape->columns), value.range));
        axis.keys[1].values.push_back(scalar_value(fmt::format("{}", shape->rows), value.range));
    }
    axis.size = axis.keys.front().values.size();
    check_values(axis, faults);
    return axis;
}

}  // namespace warpfront::tools
