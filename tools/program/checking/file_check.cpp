#include "tools/program/checking/checking.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "psl/checking/lints.hpp"
#include "psl/psl.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/build.hpp"
#include "simulator/scenario/calibration.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/scenario/scenario_lints.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/experiment/lowering.hpp"
#include "tools/answer/experiment/small_instances.hpp"
#include "tools/answer/jobs/jobs.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/study/calibration/plan.hpp"
#include "tools/study/comparison/rows.hpp"
#include "tools/study/points.hpp"

namespace warpfront::tools {

namespace {

using Notes = std::vector<std::string>;

/// Checks a calibration or a plan, and returns false for any other file. A plan of a calibration has terms. A
/// calibration has at least one of its own keys and none of the keys that mark other files.
bool check_calibration(const std::filesystem::path& file) {
    const SourceFilePtr source = input::read_file(file);
    Diagnostics reported_later;
    const YamlNode tree = input::parse_yaml(source, reported_later);
    const auto has = [&](const char* key) { return tree.find(key) != nullptr; };
    if (has("terms")) {
        const CalibrationPlan plan = read_calibration_plan(file);
        check_terms(plan, read_measured_rows(plan));
        return true;
    }
    for (const char* other : {"model", "trace", "ranks", "layers", "like", "comparisons", "axes", "variants", "jobs"}) {
        if (has(other)) return false;
    }
    if (!(has("platform") || has("noise") || has("computing") || has("error") || has("fitted"))) return false;
    scenario::read_calibration(source);
    return true;
}

void refuse_sets(const std::filesystem::path& file, const std::vector<std::string>& sets) {
    if (sets.empty()) return;
    throw BadInput(DiagnosticKind::bad_option, {},
                   fmt::format("`--set` changes a scenario, but `{}` is not one", file.string()),
                   "expected a scenario, a study or jobs; to change a machine, check a scenario that uses it, for "
                   "example with `--set platform.links.enabled=off`");
}

/// Checks a study. Every point is built, so that the faults of all points are reported.
Notes check_study(const std::filesystem::path& file, const std::vector<std::string>& sets) {
    const StudyPlan plan = read_study(file, {});
    const scenario::ScenarioDocument base = scenario::read_document(plan.scenario, sets);
    Diagnostics faults;
    for (std::size_t point = 0; point < plan.points(); ++point) {
        faults.collect([&] { build_experiment(scenario_at(plan, base, point)); });
    }
    faults.raise();
    return {fmt::format("{} points by {}", plan.points(), fmt::join(engine_names_of(plan), ", "))};
}

/// Checks a YAML file by its kind. A scenario names its model or trace, a hardware file has `layers` or `like`, a list
/// for `compare` has `comparisons`, a study has `axes` or `variants`, and jobs side by side have `jobs`.
Notes check_yaml(const std::filesystem::path& file, const std::vector<std::string>& sets) {
    if (check_calibration(file)) {
        refuse_sets(file, sets);
        return {};
    }
    if (is_study(input::read_file(file))) return check_study(file, sets);
    if (is_jobs_file(file)) return build_jobs(read_jobs_file(file), sets).notes;
    const scenario::ScenarioDocument as_written = scenario::read_document(file, {});
    if (as_written.tree.find("model") != nullptr || as_written.tree.find("trace") != nullptr) {
        const scenario::ScenarioDocument document = scenario::read_document(file, sets);
        const Experiment prepared = build_experiment(scenario::read_scenario(document));
        const SmallInstances small = walk_small_instances(prepared);
        small.stuck.raise();
        Notes notes = notes_of(prepared, {&Engine::event, 1});
        for (const std::string& text : {small.deadlock, small.eager_only, small.run_ahead}) {
            if (!text.empty()) notes.push_back(text);
        }
        for (std::string& lint :
             scenario::lints(document, prepared.scenario, prepared.program, prepared.hardware, prepared.machine)) {
            notes.push_back(std::move(lint));
        }
        return notes;
    }
    refuse_sets(file, sets);
    if (as_written.tree.find("comparisons") != nullptr) {
        return comparison_cases({.scenario = file}).notes;
    }
    if (as_written.tree.find("layers") != nullptr || as_written.tree.find("like") != nullptr) {
        return machine::check(file);
    }
    throw BadInput(
        DiagnosticKind::unknown_file_kind, as_written.tree.range,
        "the keys of this file do not show which kind of file it is",
        "expected one of the keys `model`, `trace`, `layers`, `like`, `comparisons`, `axes`, `variants`, `jobs` and "
        "`terms`");
}

/// Returns a value of the type for a parameter without default; empty if there is none.
std::string_view stand_in(std::string_view type) {
    if (type == "int" || type == "real") return "64";
    if (type == "time") return "1us";
    if (type == "bytes") return "64B";
    return type == "bool" ? "true" : "";
}

/// Returns a note if the model cannot run on any process grid of `kGrids` with the defaults of its parameters. The note
/// has the requirement that fails on all of them, or the tasks that wait for ever. There is no note if a parameter has
/// no default, since another value might help. Throws BadInput if a value that must be the same on all ranks differs
/// between them on one of the grids.
Notes refused_on_all_grids(const psl::Model& model) {
    static constexpr std::array kGrids{RankGrid{2, 2}, RankGrid{3, 3}, RankGrid{1, 1},
                                       RankGrid{4, 1}, RankGrid{1, 4}, RankGrid{32, 32}};
    psl::Bindings bindings;
    bindings.list_time = list_time_on_one_core;
    bool has_stand_ins = false;
    for (const psl::ParameterInfo& each : model.parameters()) {
        if (!each.required) continue;
        has_stand_ins = true;
        bindings.parameters[each.name] = {std::string(stand_in(each.type)), {}};
    }
    std::optional<Diagnostic> first;
    Diagnostics rank_dependent;
    bool always_refused = !has_stand_ins;
    for (const RankGrid& grid : kGrids) {
        bindings.grid = grid;
        try {
            psl::lower(model, bindings);
            return {};
        } catch (const BadInput& bad) {
            const Diagnostic& fault = bad.diagnostics().all().front();
            if (fault.kind == DiagnosticKind::rank_dependent && rank_dependent.empty())
                rank_dependent = bad.diagnostics();
            if (!first) first = fault;
            always_refused =
                always_refused && fault.range.offset == first->range.offset &&
                (fault.kind == DiagnosticKind::requirement_failed || fault.kind == DiagnosticKind::task_order);
        }
    }
    rank_dependent.raise();
    if (!always_refused) return {};
    return {fmt::format("{}: no process grid of up to 32 x 32 ranks runs this model with its defaults: {}: {}",
                        input::text_of(first->range), first->message, first->expected)};
}

Notes check_model(const std::filesystem::path& file) {
    const psl::Model model = psl::load(file);
    Notes notes = psl::lints(model);
    for (std::string& each : refused_on_all_grids(model)) notes.push_back(std::move(each));
    return notes;
}

/// Returns the alternative for a file that `check` does not accept.
std::string_view expected_instead_of(std::string_view extension) {
    if (extension == ".xml") return "expected the hardware file (.yaml) that names this SimGrid platform";
    if (extension == ".csv") {
        return "expected a scenario; `warpfront compare SCENARIO --against FILE.csv` checks a table";
    }
    return "expected a model (.psl), a scenario or hardware file (.yaml), or a recorded run";
}

}  // namespace

std::vector<std::string> check_file(const std::filesystem::path& file, const std::vector<std::string>& sets) {
    const std::string extension = file.extension().string();
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        throw BadInput(DiagnosticKind::unknown_file_kind, {}, fmt::format("`{}` is a directory", file.string()),
                       fmt::format("expected files, such as `{}`", (file / "*.yaml").string()));
    }
    if (extension == ".yaml" || extension == ".yml") return check_yaml(file, sets);
    refuse_sets(file, sets);
    if (extension == ".psl") return check_model(file);
    input::read_file(file);  // reports unreadable files
    throw BadInput(DiagnosticKind::unknown_file_kind, {},
                   fmt::format("`check` does not accept files such as `{}`", file.string()),
                   std::string(expected_instead_of(extension)));
}

}  // namespace warpfront::tools
