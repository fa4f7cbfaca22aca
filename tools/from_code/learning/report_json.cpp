// Converts the report to JSON.
#include "tools/from_code/learning/report.hpp"

namespace warpfront::learning {

namespace {

nlohmann::ordered_json json_of(const std::vector<Agreement>& runs) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Agreement& run : runs) {
        nlohmann::ordered_json phases = nlohmann::ordered_json::object();
        for (const auto& [phase, work] : run.phases) {
            phases[phase] = {{"compute_s", work.measured}, {"compute_predicted_s", work.predicted}};
        }
        rows.push_back({{"run", run.run},
                        {"ranks", run.ranks},
                        {"ranks_explained", run.ranks_explained},
                        {"operations", run.operations},
                        {"operations_equal", run.operations_equal},
                        {"compute_s", run.work},
                        {"compute_predicted_s", run.work_predicted},
                        {"worst_rank", run.worst_rank},
                        {"phases", phases},
                        {"moved_waits", run.moved_waits},
                        {"all_compute_s", run.all_work},
                        {"all_compute_predicted_s", run.all_work_predicted},
                        {"bytes", run.bytes},
                        {"bytes_predicted", run.bytes_predicted},
                        {"worst_bytes", run.worst_bytes}});
        if (!run.refused.empty()) rows.back()["refused"] = run.refused;
    }
    return rows;
}

nlohmann::ordered_json sizes_json(const std::vector<SizeCheck>& sizes) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const SizeCheck& each : sizes) {
        nlohmann::ordered_json row{{"ranks", as_text(each.grid)}, {"runs", each.refused.empty()}};
        if (!each.refused.empty()) row["refused"] = each.refused;
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

nlohmann::ordered_json to_json(const Report& report, const std::string& model) {
    nlohmann::ordered_json works = nlohmann::ordered_json::array();
    for (const auto& [part, work] : report.learnt.works) {
        works.push_back({{"place", work.place},
                         {"residual", work.law.residual},
                         {"spread", work.spread},
                         {"first_iteration", work.first}});
    }
    nlohmann::ordered_json traces = nlohmann::ordered_json::array();
    for (const Region& region : report.learnt.regions) {
        traces.push_back({{"region", region.name}, {"operations", region.operations}, {"time", region.time}});
    }
    nlohmann::ordered_json json{{"schema", "warpfront.learn/1"},
                                {"model", model},
                                {"runs", json_of(report.learnt.agreement)},
                                {"left_out", json_of(report.left_out)},
                                {"checked", json_of(report.checked)},
                                {"iterations", report.iterations},
                                {"work", works},
                                {"compute_joined", report.learnt.structure.work_joined},
                                {"traces", traces},
                                {"in_all_runs", report.learnt.unvaried},
                                {"undecided", report.learnt.open},
                                {"sizes", sizes_json(report.sizes)}};
    if (report.counted) json["counted"] = to_json(*report.counted);
    return json;
}

}  // namespace warpfront::learning
