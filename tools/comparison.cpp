#include "tools/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace warpfront::tools {

namespace {

constexpr std::string_view kPrediction = "pred";
constexpr std::string_view kMeasurement = "exec";

void add_difference(std::vector<Difference>& all, const EngineTime& of, std::string_view to, WideTime reference) {
    if (reference.ps == 0) return;
    const double percent = 100.0 * static_cast<double>((of.time - reference).ps) / static_cast<double>(reference.ps);
    all.push_back({std::string(name_of(of.engine)), std::string(to), {percent}});
}

/// How a message names the row.
std::string name_of(const ComparisonRow& row) {
    const std::string ranks = fmt::format("{} x {} ranks", row.grid.columns, row.grid.rows);
    if (row.line == 0 || row.label.starts_with("line ")) return fmt::format("{}, {}", row.label, ranks);
    return fmt::format("line {}, {}, {}", row.line, row.label, ranks);
}

}  // namespace

const EngineTime* time_of(const ComparisonRow& row, Engine engine) {
    const auto found =
        std::find_if(row.times.begin(), row.times.end(), [&](const EngineTime& time) { return time.engine == engine; });
    return found == row.times.end() ? nullptr : &*found;
}

std::vector<Difference> differences(const ComparisonRow& row) {
    std::vector<Difference> all;
    for (const EngineTime& time : row.times) {
        if (row.prediction) add_difference(all, time, kPrediction, *row.prediction);
        if (row.measurement) add_difference(all, time, kMeasurement, *row.measurement);
    }
    const EngineTime* event = time_of(row, Engine::event);
    const EngineTime* analytic = time_of(row, Engine::analytic);
    const EngineTime* simgrid = time_of(row, Engine::simgrid);
    if (event != nullptr && analytic != nullptr) add_difference(all, *event, name_of(Engine::analytic), analytic->time);
    for (const EngineTime* judged : {event, analytic}) {
        if (judged != nullptr && simgrid != nullptr) {
            add_difference(all, *judged, name_of(Engine::simgrid), simgrid->time);
        }
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

nlohmann::ordered_json to_json(std::span<const ComparisonRow> rows) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const ComparisonRow& row : rows) {
        nlohmann::ordered_json json;
        json["label"] = row.label;
        if (row.line != 0) json["line"] = row.line;
        json["ranks"] = row.grid.ranks();
        json["columns"] = row.grid.columns;
        json["rows"] = row.grid.rows;
        for (const EngineTime& time : row.times) json["time_s"][std::string(name_of(time.engine))] = seconds(time.time);
        if (row.prediction) json["pred_s"] = seconds(*row.prediction);
        if (row.measurement) json["exec_s"] = seconds(*row.measurement);
        for (const Difference& difference : differences(row)) {
            json["difference_pct"][difference.of + "/" + difference.to] = difference.percent.value;
        }
        for (const EngineTime& time : row.times) {
            if (time.engine == Engine::event && time.waiting) {
                json["bus_wait_s"] = seconds(time.waiting->bus);
                json["network_wait_s"] = seconds(time.waiting->network);
            }
            if (time.engine == Engine::simgrid && time.waiting) json["flow_wait_s"] = seconds(time.waiting->network);
            if (time.contention_term) json["contention_term_s"] = seconds(*time.contention_term);
        }
        for (const auto& [name, text] : row.information) json["published"][name] = text;
        if (!row.scenario.is_null()) json["scenario"] = row.scenario;
        all.push_back(std::move(json));
    }
    return all;
}

}  // namespace warpfront::tools
