#include "tools/study/comparison/comparison.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "simulator/input/quantity.hpp"

namespace warpfront::tools {

namespace {

constexpr std::string_view kPrediction = "pred";
constexpr std::string_view kMeasurement = "exec";
constexpr std::string_view kSimgrid = "simgrid";

void add_difference(std::vector<Difference>& all, const MethodTime& of, std::string_view to, WideTime reference) {
    if (const auto percent = difference(of.time, reference)) all.push_back({of.method, std::string(to), *percent});
}

const MethodTime* find_method(const std::vector<MethodTime>& times, std::string_view method) {
    const auto found =
        std::find_if(times.begin(), times.end(), [&](const MethodTime& time) { return time.method == method; });
    return found == times.end() ? nullptr : &*found;
}

}  // namespace

const MethodTime* time_of(const ComparisonRow& row, std::string_view method) {
    const MethodTime* engine = find_method(row.times, method);
    return engine != nullptr ? engine : find_method(row.predictions, method);
}

std::optional<Percent> share_of(WideTime part, WideTime whole) {
    if (whole.ps == 0) return std::nullopt;
    return Percent{100.0 * static_cast<double>(part.ps) / static_cast<double>(whole.ps)};
}

std::optional<Percent> difference(WideTime of, WideTime to) { return share_of(of - to, to); }

std::vector<Difference> differences(const ComparisonRow& row) {
    std::vector<Difference> all;
    const MethodTime* published = find_method(row.predictions, kPrediction);
    for (const MethodTime& time : row.times) {
        if (published != nullptr) add_difference(all, time, kPrediction, published->time);
        if (row.measurement) add_difference(all, time, kMeasurement, *row.measurement);
    }
    for (const MethodTime& prediction : row.predictions) {
        if (row.measurement) add_difference(all, prediction, kMeasurement, *row.measurement);
    }
    const MethodTime* event = find_method(row.times, "event");
    const MethodTime* simgrid = find_method(row.times, kSimgrid);
    for (const MethodTime& other : row.times) {
        if (event != nullptr && &other != event) add_difference(all, *event, other.method, other.time);
    }
    for (const MethodTime& other : row.times) {
        if (simgrid == nullptr || &other == event || &other == simgrid) continue;
        add_difference(all, other, kSimgrid, simgrid->time);
    }
    return all;
}

std::vector<std::string> beyond(const Comparison& comparison, Percent tolerance, bool between_engines) {
    std::vector<std::string> messages;
    const auto judged = [between_engines](const Difference& difference) {
        return (difference.to == kPrediction) != between_engines && difference.to != kMeasurement;
    };
    for (const ComparisonRow& row : comparison.rows) {
        for (const Difference& difference : differences(row)) {
            if (!judged(difference) || std::abs(difference.percent.value) <= tolerance.value) continue;
            messages.push_back(fmt::format("{}: {} differs from {} by {:+.2f} %, beyond {:g} %", name_of(row),
                                           difference.of, difference.to, difference.percent.value, tolerance.value));
        }
    }
    return messages;
}

std::string name_of(const ComparisonRow& row) {
    std::string name = row.table.empty() ? "" : row.table + ", ";
    const bool label_has_line = row.label.starts_with("line ");
    if (row.line != 0 && !label_has_line) name += fmt::format("line {}, ", row.line);
    return name + fmt::format("{}, {} ranks", row.label, as_text(row.grid));
}

}  // namespace warpfront::tools
