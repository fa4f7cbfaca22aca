#include "simulator/input/read_file.hpp"
#include "tools/commands/commands.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "psl/checking/lints.hpp"
#include "psl/editing/format.hpp"
#include "psl/psl.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/build.hpp"
#include "simulator/program/listing.hpp"
#include "simulator/results/output.hpp"
#include "simulator/scenario/calibration.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/scenario/scenario_lints.hpp"
#include "tools/calibration/calibrated_file.hpp"
#include "tools/calibration/rows.hpp"
#include "tools/checking/costs.hpp"
#include "tools/checking/description.hpp"
#include "tools/comparison/points.hpp"
#include "tools/experiment/experiment.hpp"
#include "tools/experiment/machine_request.hpp"
#include "tools/experiment/small_instances.hpp"
#include "tools/prediction/notes.hpp"
#include "tools/study/points.hpp"

namespace warpfront::tools {

namespace {

using input::BadInput;
using input::DiagnosticKind;
using input::Diagnostics;

using Notes = std::vector<std::string>;

/// The plan of a calibration has terms; a calibration has at least one of its keys and none of those that mark other files.
bool check_calibration(const std::filesystem::path& file) {
    const input::SourceFilePtr source = input::read_file(file);
    Diagnostics reported_later;
    const input::YamlNode tree = input::parse_yaml(source, reported_later);
    const auto has = [&](const char* key) { return tree.find(key) != nullptr; };
    if (has("terms")) {
        const CalibrationPlan plan = read_calibration_plan(file);
        check_terms(plan, read_measured_rows(plan));
        return true;
    }
    for (const char* other : {"model", "trace", "ranks", "layers", "like", "comparisons", "axes"}) {
        if (has(other)) return false;
    }
    if (!(has("platform") || has("noise") || has("computing") || has("error") || has("fitted"))) return false;
    scenario::read_calibration(source);
    return true;
}

/// A scenario names its model or trace; a hardware file has `layers` or `like`; a list for `compare` its `comparisons`, a study its
/// `axes`.
/// Every point is built, so that the faults of all of them are reported.
Notes check_study(const std::filesystem::path& file) {
    const StudyPlan plan = read_study(file, {});
    const scenario::ScenarioDocument base = base_document(plan, {});
    Diagnostics faults;
    for (std::size_t point = 0; point < plan.points(); ++point) {
        try {
            build_experiment(scenario_at(plan, base, point));
        } catch (const BadInput& bad) {
            faults.add(bad.faults());
        }
    }
    faults.raise();
    return {fmt::format("{} points by {}", plan.points(), fmt::join(engine_names_of(plan), ", "))};
}

Notes check_yaml(const std::filesystem::path& file) {
    if (check_calibration(file)) return {};
    if (is_study(input::read_file(file))) return check_study(file);
    const scenario::ScenarioDocument document = scenario::read_document(file, {});
    if (document.tree.find("model") != nullptr || document.tree.find("trace") != nullptr) {
        const Experiment prepared = build_experiment(scenario::read_scenario(document));
        const SmallInstances small = walk_small_instances(prepared);
        small.stuck.raise();
        Notes notes = notes_of(prepared, {&Engine::event, 1});
        for (const std::string& text : {small.deadlock, small.eager_only, small.run_ahead}) {
            if (!text.empty()) notes.push_back(text);
        }
        for (std::string& lint : scenario::lints(document, prepared.scenario, prepared.program, prepared.machine)) {
            notes.push_back(std::move(lint));
        }
        return notes;
    }
    if (document.tree.find("comparisons") != nullptr) {
        return comparison_points({.scenario = file}).notes;
    }
    if (document.tree.find("layers") != nullptr || document.tree.find("like") != nullptr) {
        return machine::check(file);
    }
    throw BadInput(DiagnosticKind::unknown_file_kind, document.tree.range, "neither a scenario nor a hardware file",
                   "expected a key `model` or `trace`, one of `layers` and `like`, `comparisons`, `axes`, or `terms`");
}

/// A value of the type for a parameter without default; empty if there is none.
std::string_view stand_in(std::string_view type) {
    if (type == "int" || type == "real") return "64";
    if (type == "time") return "1us";
    if (type == "bytes") return "64B";
    return type == "bool" ? "true" : "";
}

/// What keeps a model from running whatever its ranks are: no array of `kArrays` accepts it with the defaults of its
/// parameters. Throws BadInput where on one of them a value differs from rank to rank and must not; else a note has the
/// requirement that fails on all of them, unless that may be due to a parameter without default.
Notes refused_on_all_arrays(const psl::Model& model) {
    static constexpr std::array kArrays{RankGrid{2, 2}, RankGrid{3, 3}, RankGrid{1, 1},
                                        RankGrid{4, 1}, RankGrid{1, 4}, RankGrid{32, 32}};
    psl::Bindings bindings;
    bool has_stand_ins = false;
    for (const psl::ParameterInfo& each : model.parameters()) {
        if (!each.required) continue;
        has_stand_ins = true;
        bindings.parameters[each.name] = {std::string(stand_in(each.type)), {}};
    }
    std::optional<input::Diagnostic> first;
    Diagnostics rank_dependent;
    bool always_required = !has_stand_ins;
    for (const RankGrid& grid : kArrays) {
        bindings.grid = grid;
        try {
            psl::lower(model, bindings);
            return {};
        } catch (const BadInput& bad) {
            const input::Diagnostic& fault = bad.faults().all().front();
            if (fault.kind == DiagnosticKind::rank_dependent && rank_dependent.empty()) rank_dependent = bad.faults();
            if (!first) first = fault;
            always_required = always_required && fault.kind == DiagnosticKind::requirement_failed &&
                              fault.range.offset == first->range.offset;
        }
    }
    rank_dependent.raise();
    if (!always_required) return {};
    return {fmt::format("{}: no array of up to 32 x 32 ranks runs this model with its defaults: {}: {}",
                        input::text_of(first->range), first->message, first->expected)};
}

Notes check_model(const std::filesystem::path& file) {
    const psl::Model model = psl::load(file);
    Notes notes = psl::lints(model);
    for (std::string& each : refused_on_all_arrays(model)) notes.push_back(std::move(each));
    return notes;
}

/// The alternative for a file that `check` does not accept.
std::string_view expected_instead_of(std::string_view extension) {
    if (extension == ".xml") return "expected the hardware file (.yaml) that names this SimGrid platform";
    if (extension == ".csv") {
        return "expected a scenario; `warpfront compare SCENARIO --against FILE.csv` reads a table";
    }
    return "expected a model (.psl), or a scenario or hardware file (.yaml)";
}

Notes check_file(const std::filesystem::path& file) {
    const std::string extension = file.extension().string();
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        throw BadInput(DiagnosticKind::unknown_file_kind, {}, fmt::format("`{}` is a directory", file.string()),
                       fmt::format("expected files, such as `{}`", (file / "*.yaml").string()));
    }
    if (extension == ".psl") return check_model(file);
    if (extension == ".yaml" || extension == ".yml") return check_yaml(file);
    input::read_file(file);  // reports a file that cannot be read as such
    throw BadInput(DiagnosticKind::unknown_file_kind, {}, fmt::format("`{}` is of no kind to check", file.string()),
                   std::string(expected_instead_of(extension)));
}

void require_hardware_file(const std::filesystem::path& file) {
    const scenario::ScenarioDocument document = scenario::read_document(file, {});
    if (document.tree.find("model") == nullptr && document.tree.find("trace") == nullptr) return;
    throw BadInput(DiagnosticKind::unknown_file_kind, document.tree.range,
                   fmt::format("`{}` is a scenario", file.string()),
                   "expected a hardware file; `--scenario` takes a scenario");
}

/// The scenario's ranks are placed on the platform, as by `--set platform=`.
void describe(const CheckOptions& options) {
    if (options.platform) require_hardware_file(*options.platform);
    if (!options.scenario) {
        const machine::Machine machine = machine::build_without_ranks(*options.platform);
        results::write_stdout(description(machine, std::nullopt, machine.notes));
        return;
    }
    std::vector<std::string> sets = options.sets;
    if (options.platform) {
        const std::filesystem::path file = std::filesystem::absolute(*options.platform);
        sets.insert(sets.begin(), fmt::format("platform=\"{}\"", file.string()));
    }
    const Experiment prepared =
        build_experiment(scenario::read_scenario(scenario::read_document(*options.scenario, sets)));
    const machine::Distances apart =
        machine::distances(prepared.machine, [&](const auto& visit) { visit_channels(prepared.program, visit); });
    results::write_stdout(description(prepared.machine, apart, notes_of(prepared, {&Engine::event, 1})));
}

void check_options(const CheckOptions& options) {
    const auto refuse = [](std::string message, std::string expected) {
        throw BadInput(DiagnosticKind::bad_option, {}, std::move(message), std::move(expected));
    };
    const bool nothing = options.files.empty() && !options.platform && !options.scenario;
    if (nothing) {
        refuse("nothing to check", "expected a FILE, `--platform` or `--scenario`; see `warpfront check --help`");
    }
    if (!options.sets.empty() && !options.scenario && !options.costs && !options.ir) {
        refuse("`--set` changes a scenario", "expected `--scenario`");
    }
    const bool has_scenario = !options.files.empty() && options.files.size() <= 2;
    for (const auto& [wanted, name] : {std::pair(options.costs, "--costs"), std::pair(options.ir, "--ir")}) {
        if (!wanted || has_scenario) continue;
        refuse(fmt::format("`{}` of no scenario", name),
               fmt::format("expected `{0} SCENARIO.yaml` or `{0} MODEL.psl SCENARIO.yaml`", name));
    }
    if (options.costs + options.ir + options.format > 1) {
        refuse("several of `--costs`, `--ir` and `--format`", "expected one of them");
    }
}

void show_formatted(const CheckOptions& options) {
    if (options.files.size() != 1 || options.files.front().extension() != ".psl") {
        throw BadInput(DiagnosticKind::bad_option, {}, "`--format` prints one model", "expected `--format MODEL.psl`");
    }
    results::write_stdout(psl::formatted(input::read_file(options.files.front())));
}

/// A model before the scenario takes the place of its own.
Experiment experiment_of(const CheckOptions& options) {
    std::vector<std::string> sets = options.sets;
    if (options.files.size() == 2) {
        const std::filesystem::path model = std::filesystem::absolute(options.files.front());
        sets.insert(sets.begin(), fmt::format("model=\"{}\"", model.string()));
    }
    return build_experiment(scenario::read_scenario(scenario::read_document(options.files.back(), sets)));
}

}  // namespace

ExitStatus check(const CheckOptions& options) {
    check_options(options);
    if (options.costs) results::write_stdout(costs_text(experiment_of(options)));
    if (options.ir) results::write_stdout(program::listing(experiment_of(options).program));
    if (options.format) show_formatted(options);
    if (options.costs || options.ir || options.format) return ExitStatus::done;
    Diagnostics faults;
    for (const std::filesystem::path& file : options.files) {
        try {
            std::string text = fmt::format("{}: ok\n", file.string());
            for (const std::string& note : check_file(file)) text += fmt::format("note: {}\n", note);
            results::write_stdout(text);
        } catch (const BadInput& bad) {
            faults.add(bad.faults());
        }
    }
    faults.raise();
    if (options.platform || options.scenario) describe(options);
    return ExitStatus::done;
}

}  // namespace warpfront::tools
