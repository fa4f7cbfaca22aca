#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "simulator/results/formatting.hpp"
#include "simulator/results/output.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/study/outputs.hpp"
#include "tools/study/points.hpp"

namespace warpfront::tools {

namespace {

namespace fs = std::filesystem;

/// Returns all points, or the one of `--point`.
std::vector<std::size_t> points_of(const StudyPlan& plan, const StudyOptions& options) {
    if (options.point) {
        if (*options.point < plan.points()) return {*options.point};
        throw BadInput(DiagnosticKind::bad_option, {},
                       fmt::format("there is no point {} in a study with {}", *options.point,
                                   results::counted(plan.points(), "point")),
                       plan.points() == 1 ? "expected 0" : fmt::format("expected 0 to {}", plan.points() - 1));
    }
    return all_points(plan);
}

/// Names each failed run with its point and its fault.
ExitStatus report_failures(const StudyResults& results) {
    ExitStatus status = ExitStatus::done;
    for (std::size_t row = 0; row < results.rows(); ++row) {
        for (const EngineFailure& failure : results.at(row).failures) {
            const std::size_t point = results.points()[row];
            spdlog::error("point {} ({}), {}: {}", point, describe_point(results.plan(), point), failure.engine,
                          failure.fault);
            status = ExitStatus::run_failed;
        }
    }
    return status;
}

}  // namespace

ExitStatus study(const StudyOptions& options) {
    StudyPlan plan = read_study(options.study, {.vary = options.vary,
                                                .ranks = options.ranks,
                                                .sets = options.sets,
                                                .seeds = options.seeds,
                                                .x = options.x,
                                                .best = options.best});
    if (!options.engines.empty()) {
        plan.engines = options.engines;
        for (StudyAxis& axis : plan.axes) axis.engines.clear();
    }
    if (options.count) {
        results::write_stdout(fmt::format("{}\n", plan.points()));
        return ExitStatus::done;
    }
    const scenario::ScenarioDocument base = scenario::read_document(plan.scenario, options.sets);
    const std::vector<std::size_t> points = points_of(plan, options);
    std::vector<Problem> problems = problems_of(plan, base, points);
    const bool helps = options.process.helps;
    const results::Answer answer(helps ? std::nullopt : options.json, std::nullopt);
    const fs::path folder = options.out.value_or(plan.name + ".study");
    const PointStore store(folder);
    CaseRuns runs = runs_of(plan, base, points);
    runs.processes = options.process.on_this_computer;
    runs.threads = options.jobs.value_or(std::max(1U, std::thread::hardware_concurrency() / runs.processes));
    runs.store = &store;
    if (helps) {
        run_unclaimed_cases(runs);
        return ExitStatus::done;
    }
    const FolderFiles files(folder, "study");
    runs.mode = progress_mode();
    if (!options.point) require_random(runs);
    const StudyResults results(plan, points, run_cases(runs).all, std::move(problems));
    nlohmann::ordered_json data = study_json(results, base);
    data["context"]["command"] = command_words(options);
    std::string table;
    if (answer.has_table()) {
        table = options.quiet ? study_findings(results) : study_table(results);
        if (results.complete()) table += fmt::format("results in {}\n", folder.string());
    }
    guard_signals([&] {
        answer.write(data, table, [&] {
            if (results.complete()) files.write(data, study_csv(results));
        });
    });
    return report_failures(results);
}

}  // namespace warpfront::tools
