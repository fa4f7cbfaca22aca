#include "tools/study/comparison/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "tools/answer/rendering/text_table.hpp"

namespace warpfront::tools {

namespace {

constexpr std::string_view kPrediction = "pred";
constexpr std::string_view kMeasurement = "exec";
constexpr std::string_view kSimgrid = "simgrid";

void add_difference(std::vector<Difference>& all, const MethodTime& of, std::string_view to, WideTime reference) {
    if (const auto percent = difference(of.time, reference)) all.push_back({of.method, std::string(to), *percent});
}

const MethodTime* find_method(const std::vector<MethodTime>& times, std::string_view method) {
    const auto found = std::ranges::find_if(times, [&](const MethodTime& time) { return time.method == method; });
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
            messages.push_back(fmt::format("{}: {} differs from {} by {:+.2f} %, more than {:g} %", name_of(row),
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

namespace {

constexpr std::string_view kAllTables = "all";

void add_new(std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// Returns the methods, engines first. Each group is in the order of first appearance.
std::vector<std::string> methods_of(const Comparison& comparison) {
    std::vector<std::string> methods;
    for (const ComparisonRow& row : comparison.rows) {
        for (const MethodTime& time : row.times) add_new(methods, time.method);
    }
    for (const ComparisonRow& row : comparison.rows) {
        for (const MethodTime& time : row.predictions) add_new(methods, time.method);
    }
    return methods;
}

std::optional<ErrorStatistics> statistics_of(const Comparison& comparison, const std::string& table,
                                             const std::string& method) {
    ErrorStatistics result{.table = table, .method = method};
    double sum = 0.0, sum_of_sizes = 0.0;
    std::size_t intervals = 0, covered = 0;
    for (const ComparisonRow& row : comparison.rows) {
        const MethodTime* time = time_of(row, method);
        if (time == nullptr || !row.measurement || (!table.empty() && row.table != table)) continue;
        const std::optional<Percent> error = difference(time->time, *row.measurement);
        if (!error) continue;
        if (time->interval) {
            ++intervals;
            if (time->interval->holds(*row.measurement)) ++covered;
        }
        sum += error->value;
        sum_of_sizes += std::abs(error->value);
        if (result.rows++ == 0 || std::abs(error->value) > std::abs(result.worst.value)) {
            result.worst = *error;
            result.worst_row = name_of(row);
        }
    }
    if (result.rows == 0) return std::nullopt;
    const auto rows = static_cast<double>(result.rows);
    result.mean_absolute = {sum_of_sizes / rows};
    result.bias = {sum / rows};
    if (intervals > 0) result.coverage = {100.0 * static_cast<double>(covered) / static_cast<double>(intervals)};
    return result;
}

}  // namespace

std::vector<ErrorStatistics> error_statistics(const Comparison& comparison) {
    std::vector<std::string> tables;
    for (const ComparisonRow& row : comparison.rows) add_new(tables, row.table);
    if (tables.size() == 1) tables.clear();
    tables.emplace_back();
    const std::vector<std::string> methods = methods_of(comparison);
    std::vector<ErrorStatistics> all;
    for (const std::string& table : tables) {
        for (const std::string& method : methods) {
            if (auto statistics = statistics_of(comparison, table, method)) all.push_back(std::move(*statistics));
        }
    }
    return all;
}

std::string render(const std::vector<ErrorStatistics>& statistics) {
    const bool several =
        std::ranges::any_of(statistics, [](const ErrorStatistics& each) { return !each.table.empty(); });
    TextTable table(2);
    if (several) {
        table.add_texts("table", statistics, [](const ErrorStatistics& each) {
            return each.table.empty() ? std::string(kAllTables) : each.table;
        });
    }
    table.add_texts("against exec", statistics, [](const ErrorStatistics& each) { return each.method; });
    table.add("rows", statistics, [](const ErrorStatistics& each) { return fmt::format("{}", each.rows); });
    table.add("mean |error|", statistics,
              [](const ErrorStatistics& each) { return fmt::format("{:.2f} %", each.mean_absolute.value); });
    table.add("bias", statistics,
              [](const ErrorStatistics& each) { return fmt::format("{:+.2f} %", each.bias.value); });
    table.add("worst", statistics,
              [](const ErrorStatistics& each) { return fmt::format("{:+.2f} %", each.worst.value); });
    table.add("covered", statistics, [](const ErrorStatistics& each) {
        return each.coverage ? fmt::format("{:.0f} %", each.coverage->value) : std::string(kEmptyCell);
    });
    table.add_texts("worst row", statistics, [](const ErrorStatistics& each) { return each.worst_row; });
    return table.render();
}

nlohmann::ordered_json to_json(const std::vector<ErrorStatistics>& statistics) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const ErrorStatistics& each : statistics) {
        nlohmann::ordered_json json;
        if (!each.table.empty()) json["table"] = each.table;
        json["method"] = each.method;
        json["rows"] = each.rows;
        json["mean_absolute_error_pct"] = each.mean_absolute.value;
        json["bias_pct"] = each.bias.value;
        json["worst_pct"] = each.worst.value;
        json["worst_row"] = each.worst_row;
        if (each.coverage) json["coverage_pct"] = each.coverage->value;
        all.push_back(std::move(json));
    }
    return all;
}

}  // namespace warpfront::tools
