#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "simulator/results/answer.hpp"
#include "simulator/results/context.hpp"
#include "tools/study/outputs.hpp"

namespace warpfront::tools {

namespace {

using nlohmann::ordered_json;

ordered_json axes_json(const StudyPlan& plan) {
    ordered_json axes = ordered_json::array();
    for (const StudyAxis& axis : plan.axes) {
        ordered_json keys = ordered_json::object();
        if (axis.label) keys[axis.label->name] = axis.label->texts;
        for (const AxisKey& key : axis.keys) {
            ordered_json values = ordered_json::array();
            for (const input::YamlNode& value : key.values) values.push_back(text_of(value));
            keys[key.path] = std::move(values);
        }
        axes.push_back(std::move(keys));
    }
    return axes;
}

ordered_json point_json(const StudyResults& results, std::size_t row, const std::vector<ColumnName>& columns) {
    const PointResult& point = results.at(row);
    ordered_json json{{"point", results.points()[row]}, {"set", ordered_json::object()}};
    for (const auto& [path, value] : values_at(results.plan(), results.points()[row])) json["set"][path] = value;
    json["ranks"] = point.ranks;
    json["nodes"] = point.nodes;
    json["engines"] = ordered_json::object();
    for (const ColumnName column : columns) {
        const std::string name(text_of(column).name);
        for (const std::string& engine : results.engines()) {
            if (const auto value = results.value(column, row, engine)) json["engines"][engine][name] = *value;
        }
    }
    return json;
}

}  // namespace

std::string study_csv(const StudyResults& results) {
    const std::vector<ColumnName> columns = results.columns();
    std::string text = "point";
    for (const StudyAxis& axis : results.plan().axes) {
        if (axis.label) text += ',' + results::csv_cell(axis.label->name);
        for (const AxisKey& key : axis.keys) text += ',' + results::csv_cell(key.path);
    }
    text += ",ranks,nodes";
    for (const ColumnName column : columns) {
        for (const std::string& engine : results.engines()) text += ',' + header_of(engine, column);
    }
    text += '\n';
    for (std::size_t row = 0; row < results.rows(); ++row) {
        text += fmt::format("{}", results.points()[row]);
        for (const auto& [path, value] : values_at(results.plan(), results.points()[row]))
            text += ',' + results::csv_cell(value);
        text += fmt::format(",{},{}", results.at(row).ranks, results.at(row).nodes);
        for (const ColumnName column : columns) {
            for (const std::string& engine : results.engines()) {
                const auto value = results.value(column, row, engine);
                text += value ? fmt::format(",{}", *value) : ",";
            }
        }
        text += '\n';
    }
    return text;
}

ordered_json study_json(const StudyResults& results, const std::vector<input::SourceFilePtr>& inputs) {
    const StudyPlan& plan = results.plan();
    const std::vector<ColumnName> columns = results.columns();
    ordered_json json{{"schema", "warpfront.study/1"}, {"study", plan.name}};
    if (!plan.question.empty()) json["question"] = plan.question;
    json["axes"] = axes_json(plan);
    json["labels"] = ordered_json::array();
    for (const StudyAxis& axis : plan.axes) {
        if (axis.label) json["labels"].push_back(axis.label->name);
    }
    if (!plan.axes.empty()) {
        json["x"] = plan.axes[plan.x].name();
        json["over"] = plan.axes[plan.over].name();
    }
    if (const auto scaling = results.scaling()) json["scaling"] = *scaling == Scaling::strong ? "strong" : "weak";
    json["engines"] = results.engines();
    json["units"] = ordered_json::object();
    for (const ColumnName column : columns) json["units"][std::string(text_of(column).name)] = text_of(column).unit;
    json["points"] = ordered_json::array();
    for (std::size_t row = 0; row < results.rows(); ++row) json["points"].push_back(point_json(results, row, columns));
    json["best"] = ordered_json::array();
    for (const BestFound& best : find_best(results)) {
        json["best"].push_back({{"of", text_of(best.what.column).name},
                                {"over", plan.axes[best.what.axis].name()},
                                {"engine", best.engine},
                                {"point", results.points()[best.row]},
                                {"value", best.value}});
    }
    json["notes"] = results.notes();
    ordered_json hashes = ordered_json::object();
    for (const results::InputHash& input : results::hash_inputs(inputs)) hashes[input.path] = input.sha256;
    json["context"] = {{"version", WARPFRONT_VERSION}, {"inputs", std::move(hashes)}};
    return json;
}

}  // namespace warpfront::tools
