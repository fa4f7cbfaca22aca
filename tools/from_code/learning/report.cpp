#include "tools/from_code/learning/report.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/answer/rendering/text_table.hpp"

namespace warpfront::learning {

namespace {

std::string percent(double share) {
    constexpr double kHundredths = 1e4;
    return fmt::format("{:.2f} %", std::round(kHundredths * share) / 100 + 0.0);  // not -0.00
}

double error_of(const Agreement& run) { return run.work > 0 ? run.work_predicted / run.work - 1 : 0.0; }

void add_rows(const std::vector<Agreement>& runs, const std::string& what, std::vector<tools::TextColumn>& columns) {
    for (const Agreement& run : runs) {
        const bool none = run.ranks == 0;
        std::size_t column = 0;
        for (const std::string& cell :
             {what, run.run, none ? std::string("not learnt") : fmt::format("{} of {}", run.ranks_explained, run.ranks),
              none ? std::string(tools::kEmptyCell) : fmt::format("{} of {}", run.operations_equal, run.operations),
              none ? std::string(tools::kEmptyCell) : fmt::format("{:.6g}", run.work),
              none ? std::string(tools::kEmptyCell) : percent(error_of(run)),
              none ? std::string(tools::kEmptyCell) : percent(run.worst_rank),
              none ? std::string(tools::kEmptyCell) : fmt::format("{:.6g}", run.all_work),
              none ? std::string(tools::kEmptyCell) : fmt::format("{:.6g}", run.all_work_predicted)}) {
            columns[column++].cells.push_back(cell);
        }
    }
}

nlohmann::ordered_json json_of(const std::vector<Agreement>& runs) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Agreement& run : runs) {
        rows.push_back({{"run", run.run},
                        {"ranks", run.ranks},
                        {"ranks_explained", run.ranks_explained},
                        {"operations", run.operations},
                        {"operations_equal", run.operations_equal},
                        {"compute_s", run.work},
                        {"compute_predicted_s", run.work_predicted},
                        {"worst_rank", run.worst_rank},
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

/// Formats the first of the reasons.
std::string reasons(const std::vector<Refusal>& refused) {
    constexpr std::size_t kMost = 3;
    std::set<std::string> all;
    std::string text;
    for (const Refusal& each : refused) {
        if (all.insert(each.what).second && all.size() <= kMost) text += (text.empty() ? "" : "; ") + each.what;
    }
    return all.size() > kMost ? fmt::format("{}; and {} more", text, all.size() - kMost) : text;
}

/// Formats the messages whose sizes depend on the code's data, by function.
std::vector<std::string> sizes_of_data(const Report& report) {
    const Learnt& learnt = report.learnt;
    struct Function {
        double share = 0.0;
        double spread = 0.0;
        double residual = 0.0;
    };
    std::map<std::string, Function> functions;
    for (const auto& [part, size] : learnt.sizes) {
        if (!size.mean) continue;
        Function& own = functions[size.place];
        own.share += size.share;
        own.spread = std::max(own.spread, size.spread);
        own.residual = std::max(own.residual, size.mean->residual);
    }
    std::vector<std::string> lines;
    for (const auto& [name, own] : functions) {
        lines.push_back(
            fmt::format("bytes{} depend on data, {} of all: they are means, from which runs differ by up to "
                        "{} and messages by {} (standard deviation)",
                        name.empty() ? std::string() : " in " + name, percent(own.share), percent(own.residual),
                        percent(own.spread)));
    }
    if (lines.empty()) return lines;
    const auto add = [&lines](const std::vector<Agreement>& runs) {
        for (const Agreement& run : runs) {
            if (run.bytes <= 0 || run.operations_equal < run.operations) continue;
            lines.push_back(
                fmt::format("bytes of `{}`: {:.6g}, predicted {:.6g}; the worst phase or function differs "
                            "by {}",
                            run.run, run.bytes, run.bytes_predicted, percent(run.worst_bytes)));
        }
    };
    add(learnt.agreement);
    add(report.left_out);
    add(report.checked);
    return lines;
}

/// Returns the run whose `share` is farthest from 1, by ratio; null if all are within a tenth.
template <class Share>
const Agreement* farthest(const std::vector<Agreement>& runs, const Share& share) {
    constexpr double kTenth = 0.1;
    const auto distance = [&](const Agreement& run) { return std::abs(std::log(share(run))); };
    const auto most = std::ranges::max_element(runs, {}, distance);
    return most == runs.end() || distance(*most) <= -std::log(1.0 - kTenth) ? nullptr : &*most;
}

/// Formats the share of the recorded computing that the model contains, if it differs by a tenth or more: for the runs
/// of the model, unless it has regions, which have computing of their own; and for runs that were left out.
std::string unlike_computing(const Report& report) {
    const auto ratio = [](double predicted, double recorded) { return recorded > 0.0 ? predicted / recorded : 1.0; };
    const auto all = [&](const Agreement& run) { return ratio(run.all_work_predicted, run.all_work); };
    const auto usual = [&](const Agreement& run) { return ratio(run.work_predicted, run.work); };
    std::string text;
    const Agreement* const known = report.learnt.regions.empty() ? farthest(report.learnt.agreement, all) : nullptr;
    if (known != nullptr) {
        text +=
            fmt::format("the model computes {} of what was recorded of `{}`: {}\n", percent(all(*known)), known->run,
                        all(*known) < 1.0 ? "what some ranks alone compute, or all now and then, is not learnt, nor "
                                            "what other programs add"
                                          : "its laws of computing do not fit all runs");
    }
    if (const Agreement* const unknown = farthest(report.left_out, usual)) {
        text += fmt::format(
            "learnt without `{}`, it computes {} of what was recorded of that run: expect as much "
            "error of computing at other sizes\n",
            unknown->run, percent(usual(*unknown)));
    }
    return text;
}

/// Formats the process grids on which the model runs, and the checked runs that it refuses or does not explain.
std::string sizes_text(const Report& report) {
    std::string text;
    for (const Agreement& run : report.checked) {
        if (!run.refused.empty()) text += fmt::format("the model refuses `{}`: {}\n", run.run, run.refused);
        if (run.refused.empty() && run.ranks_explained == 0) {
            text += fmt::format("no rank of `{}` does what the model says{}\n", run.run,
                                run.difference.empty() ? std::string() : ": " + run.difference);
        }
    }
    std::vector<std::string> sound;
    for (const SizeCheck& each : report.sizes) {
        if (each.refused.empty()) {
            sound.push_back(as_text(each.grid));
        } else {
            text += fmt::format("the model does not run on {} ranks: {}\n", as_text(each.grid), each.refused);
        }
    }
    if (!sound.empty()) text += fmt::format("the model runs on {} ranks\n", fmt::join(sound, ", "));
    return text;
}

/// Returns the paths of the kernel's files relative to the folder of the model.
std::vector<std::string> imports_of(const Kernel& kernel, const std::filesystem::path& model) {
    const std::filesystem::path folder = std::filesystem::absolute(model).parent_path();
    std::vector<std::string> names;
    for (const std::filesystem::path& file : kernel.files()) {
        names.push_back(std::filesystem::relative(std::filesystem::absolute(file), folder).string());
    }
    return names;
}

/// Puts the kernel in a model that was learnt without one of the runs. If it does not fit that model, the laws remain.
void try_to_put_in_place(Learnt& learnt, const CountedRequest& counted, const std::shared_ptr<const Kernel>& kernel) {
    try {
        put_in_place(learnt, counted.kernel, kernel, counted.rate);
    } catch (const input::BadInput&) {
        return;
    }
}

/// Formats a name for YAML within braces.
std::string yaml_text(const std::string& name) {
    const bool is_word = std::ranges::all_of(
        name, [](char each) { return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_'; });
    if (is_word) return name;
    std::string text;
    for (const char each : name) text += each == '\'' ? "''" : std::string(1, each);
    return "'" + text + "'";
}

/// Returns the median of the spreads of all works.
double spread_of(const Learnt& learnt) {
    std::vector<double> spreads;
    for (const auto& [part, work] : learnt.works) spreads.push_back(work.spread);
    std::sort(spreads.begin(), spreads.end());
    return spreads.empty() ? 0.0 : spreads[spreads.size() / 2];
}

}  // namespace

Report report_on(const std::vector<const trace::RecordedRun*>& runs,
                 const std::vector<const trace::RecordedRun*>& checked, const std::optional<CountedRequest>& counted) {
    const std::shared_ptr<const Kernel> kernel = counted ? std::make_shared<const Kernel>(counted->kernel) : nullptr;
    Report report{learn(runs), {}, {}, {}};
    if (report.learnt.iteration) report.iterations = trips_text(report.learnt, *report.learnt.iteration);
    if (!report.learnt.refused.empty()) return report;
    if (kernel) {
        put_in_place(report.learnt, counted->kernel, kernel, counted->rate);
        report.learnt.counted->imports = imports_of(*kernel, counted->model);
        report.learnt.agreement.clear();
        for (const trace::RecordedRun* run : runs) report.learnt.agreement.push_back(agreement(report.learnt, *run));
    }
    const std::filesystem::path model = counted ? counted->model : std::filesystem::path("the model");
    for (const trace::RecordedRun* run : checked) {
        for (const std::string& each : missing_parameters(report.learnt, *run)) {
            report.learnt.refused.push_back(
                {fmt::format("`{}` has no parameter `{}`, which the model uses", run->name, each), 1});
        }
        if (!report.learnt.refused.empty()) continue;
        report.checked.push_back(agreement(report.learnt, *run));
        report.checked.back().refused = refusal_on(report.learnt, *run, model);
    }
    if (report.learnt.refused.empty()) report.sizes = check_sizes(report.learnt, model);
    if (kernel && report.learnt.refused.empty()) report.counted = check_counted(report.learnt, checked);
    if (runs.size() < 3) return report;
    for (std::size_t out = 0; out < runs.size(); ++out) {
        std::vector<const trace::RecordedRun*> others = runs;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(out));
        Learnt learnt = learn(others, report.learnt.cut);
        if (kernel && learnt.refused.empty()) try_to_put_in_place(learnt, *counted, kernel);
        Agreement one;
        one.run = runs[out]->name;
        report.left_out.push_back(learnt.refused.empty() ? agreement(learnt, *runs[out]) : one);
    }
    return report;
}

std::string scenario_text(const Report& report, const std::string& model, const std::string& platform,
                          const std::string& given_speed) {
    const std::vector<Run>& runs = report.learnt.runs;
    const auto most = runs.begin() + static_cast<std::ptrdiff_t>(largest(runs));
    const std::optional<CountedWork>& counted = report.learnt.counted;
    const std::string speed =
        given_speed.empty() && counted ? fmt::format("{:.6g}Mflops", counted->rate * 1e-6) : given_speed;
    const std::string processor = counted ? yaml_text(counted->kernel->processor()) : "recorded";
    const std::string machine =
        speed.empty() ? platform
                      : fmt::format("{{file: {}, processor: {{name: {}, speed: {}}}}}", platform, processor, speed);
    std::string text =
        fmt::format("# The recorded run `{}`.\nmodel: {}\nplatform: {}\n", most->recorded->name, model, machine);
    text += fmt::format("ranks: {{columns: {}, rows: {}", most->grid.columns, most->grid.rows);
    if (most->grid.planes > 1) text += fmt::format(", planes: {}", most->grid.planes);
    text += "}\n";
    if (report.learnt.iteration) {
        const auto at = static_cast<std::size_t>(most - runs.begin());
        for (const Part& part : report.learnt.structure.parts) {
            if (part.id == *report.learnt.iteration) text += fmt::format("iterations: {}\n", part.trips[at]);
        }
    }
    std::string parameters;
    const std::set<std::uint32_t> used = used_parameters(report.learnt);
    for (std::size_t v = 0; v < report.learnt.variables.parameters(); ++v) {
        if (!used.contains(static_cast<std::uint32_t>(Variables::kParameters + v))) continue;
        parameters +=
            fmt::format("  {}: {}\n", report.learnt.variables.names[Variables::kParameters + v], most->parameters[v]);
    }
    if (!speed.empty()) {
        for (const auto& [name, value] : time_parameters(report.learnt)) {
            parameters += fmt::format("  {}: {}\n", name, value);
        }
    }
    if (!parameters.empty()) text += "parameters:\n" + parameters;
    if (const double spread = spread_of(report.learnt); spread >= 0.001) {
        text += fmt::format("noise: {{cv: {:.3g}}}  # of single blocks of computing, as recorded\n", spread);
    }
    return text;
}

std::string table(const Report& report) {
    using Side = tools::TextColumn::Side;
    std::vector<tools::TextColumn> columns{{"", {}, Side::left},     {"run", {}, Side::left}, {"ranks explained", {}},
                                           {"operations equal", {}}, {"compute, s", {}},      {"predicted", {}},
                                           {"worst rank", {}},       {"in all, s", {}},       {"predicted, s", {}}};
    add_rows(report.learnt.agreement, "learnt from", columns);
    add_rows(report.left_out, "left out", columns);
    add_rows(report.checked, "not learnt from", columns);
    tools::TextTable rows(2);
    for (tools::TextColumn& column : columns) rows.add(std::move(column));
    std::string text = rows.render();
    if (report.learnt.iteration && report.iterations.empty()) {
        text += "\niterations differ from run to run, and no parameter says how many: a scenario does\n";
    }
    if (!report.iterations.empty()) text += fmt::format("\niterations are {}\n", report.iterations);
    if (report.learnt.left_out >= 0.0005) {
        text += fmt::format("{} of the computing lies in places with less than a fiftieth of it, and is left out\n",
                            percent(report.learnt.left_out));
    }
    for (const Run& run : report.learnt.runs) {
        const std::string note = trace::computing_note(*run.recorded);
        if (!note.empty()) text += fmt::format("`{}`: {}\n", run.recorded->name, note);
    }
    text += unlike_computing(report);
    for (const Region& region : report.learnt.regions) {
        const Run& run = report.learnt.runs[largest(report.learnt.runs)];
        const std::string time = region.time > 0 ? ", " + percent(region.time) + " of the time" : "";
        if (region.left_out) {
            text += fmt::format("the {} is left out: {} of the operations{}. Not learnt: {}\n", region.name,
                                percent(region.operations), time, reasons(report.learnt.cut_since));
            continue;
        }
        text += fmt::format("the {} is a trace of `{}`, for {} ranks alone: {} of the operations{}. Not learnt: {}\n",
                            region.name, run.recorded->name, run.ranks.size(), percent(region.operations), time,
                            reasons(report.learnt.cut_since));
    }
    for (const std::string& line : sizes_of_data(report)) text += line + "\n";
    if (!report.learnt.unvaried.empty()) {
        text += fmt::format("all runs have {}: nothing is learnt of what depends on that\n",
                            fmt::join(report.learnt.unvaried, ", "));
    }
    if (!report.learnt.open.empty()) text += "\nOther runs would decide:\n";
    for (const std::string& line : report.learnt.open) text += "  " + line + "\n";
    text += sizes_text(report);
    if (report.counted) text += text_of(*report.counted);
    return text;
}

bool all_explained(const Report& report) {
    const auto is_explained = [](const Agreement& run) { return run.refused.empty() && run.ranks_explained > 0; };
    return std::ranges::all_of(report.checked, is_explained);
}

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
                                {"compute_left_out", report.learnt.left_out},
                                {"traces", traces},
                                {"in_all_runs", report.learnt.unvaried},
                                {"undecided", report.learnt.open},
                                {"sizes", sizes_json(report.sizes)}};
    if (report.counted) json["counted"] = to_json(*report.counted);
    return json;
}

}  // namespace warpfront::learning
