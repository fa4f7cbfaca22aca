#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "psl/psl.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/results/output.hpp"
#include "simulator/trace/read_run.hpp"
#include "simulator/trace/write_recording.hpp"
#include "tools/from_code/learning/report.hpp"
#include "tools/program/commands/commands.hpp"

namespace warpfront::tools {

namespace {

std::string model_name(const std::filesystem::path& model) { return learning::name_in_model(model.stem().string()); }

std::vector<trace::RecordedRun> recorded_runs(const std::vector<std::filesystem::path>& paths) {
    std::vector<trace::RecordedRun> runs;
    for (const std::filesystem::path& path : paths) runs.push_back(trace::read_recorded_run(path, {}));
    return runs;
}

/// Throws BadInput if a run is given twice: the second would predict the first without an error.
void refuse_repeated(const std::vector<std::filesystem::path>& runs) {
    std::set<std::filesystem::path> known;
    Diagnostics faults;
    for (const std::filesystem::path& run : runs) {
        std::error_code ignored;
        if (known.insert(std::filesystem::weakly_canonical(run, ignored)).second) continue;
        faults.add(DiagnosticKind::duplicate_name, {}, fmt::format("the run `{}` is given twice", run.string()),
                   "expected runs of different sizes, each once");
    }
    faults.raise();
}

std::vector<const trace::RecordedRun*> pointers(const std::vector<trace::RecordedRun>& runs) {
    std::vector<const trace::RecordedRun*> result;
    for (const trace::RecordedRun& run : runs) result.push_back(&run);
    return result;
}

void raise_refusals(const learning::Learnt& learnt) {
    Diagnostics faults;
    for (const learning::Refusal& each : learnt.refused) {
        faults.add(DiagnosticKind::not_learnt, {},
                   each.times > 1 ? fmt::format("{} times: {}", each.times, each.what) : each.what);
    }
    faults.raise();
}

/// Throws BadInput if a part of the runs is not in the model.
void refuse_left_out(const learning::Learnt& learnt) {
    Diagnostics faults;
    for (const learning::Region& region : learnt.regions) {
        if (!region.left_out) continue;
        std::string why = "expected a code that a model describes as a whole";
        if (!learnt.cut_since.empty()) why += ": " + learnt.cut_since.front().what;
        faults.add(DiagnosticKind::not_learnt, {},
                   fmt::format("the model would leave out the {}, {:.2g} % of the operations", region.name,
                               100 * region.operations),
                   why);
    }
    faults.raise();
}

learning::Word word(const OptionValue& value) { return {value.text, value.range}; }

void refuse_without_costs(const OptionValue& value, const char* option) {
    throw BadInput(DiagnosticKind::bad_option, value.range, fmt::format("`{}` has no effect without `--costs`", option),
                   "expected `--costs FILE.psl`, a file of `warpfront costs`");
}

/// Returns the counted kernel of the command line, if there is one.
std::optional<learning::CountedRequest> counted_request(const LearnOptions& options) {
    if (!options.costs) {
        if (options.subtask) refuse_without_costs(*options.subtask, "--subtask");
        if (!options.blocks.empty()) refuse_without_costs(options.blocks.front(), "--block");
        if (!options.bindings.empty()) refuse_without_costs(options.bindings.front(), "--bind");
        if (!options.hardware.empty()) {
            refuse_without_costs(option_value("--hardware", options.hardware.front().string()), "--hardware");
        }
        return std::nullopt;
    }
    learning::CountedRequest request;
    request.model = options.out;
    request.kernel.file = options.costs->text;
    request.kernel.range = options.costs->range;
    if (options.subtask) request.kernel.subtask = word(*options.subtask);
    for (const OptionValue& each : options.blocks) request.kernel.blocks.push_back(word(each));
    for (const OptionValue& each : options.bindings) request.kernel.bindings.push_back(word(each));
    request.kernel.hardware = options.hardware;
    if (!options.speed.empty()) {
        const OptionValue speed = option_value("--speed", options.speed);
        Diagnostics faults;
        request.rate = static_cast<double>(
            input::parse_quantity(speed.text, speed.range, input::Dimension::flop_rate, faults).value);
        faults.raise();
    }
    return request;
}

/// Returns the path of the shipped XT4 for a scenario in `folder`: relative within the tree of the program, else
/// absolute. The program is in build/ or below it, or in bin/ of an installation. Throws BadInput if the program has
/// been moved away from its files.
std::string shipped_platform(const std::filesystem::path& folder) {
    std::filesystem::path tree = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    for (int level = 0; level < 3; ++level, tree = tree.parent_path()) {
        for (const std::filesystem::path& root : {tree, tree / "share/warpfront"}) {
            const std::filesystem::path file = root / "platforms/xt4.yaml";
            if (!std::filesystem::exists(file)) continue;
            const std::filesystem::path from = folder.lexically_relative(root);
            const bool is_within = !from.empty() && *from.begin() != "..";
            return is_within ? file.lexically_relative(folder).string() : file.string();
        }
    }
    throw BadInput(DiagnosticKind::bad_option, {}, "the shipped `platforms/xt4.yaml` is not found",
                   "expected `--platform FILE`, the hardware file of the scenario");
}

/// The recording of a region in a folder beside the model. Throws BadInput if a file there is kept.
class RegionFolder {
public:
    RegionFolder(const trace::RecordedRun& run, const learning::Region& region, const std::filesystem::path& folder)
        : run_(run), region_(region), folder_(folder) {
        std::vector<std::string> names;
        for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
            names.push_back(fmt::format("rank-{}.events", rank));
        folder_.keep_foreign(kFirst, names);
    }

    void write() const {
        folder_.fill(
            kFirst, [&](const std::filesystem::path& filled) { trace::write_recording(run_, region_.events, filled); });
    }

private:
    static constexpr std::string_view kFirst = "rank-0.events";

    const trace::RecordedRun& run_;
    const learning::Region& region_;
    results::OutputFolder folder_;
};

std::vector<RegionFolder> region_folders(const learning::Learnt& learnt, const std::filesystem::path& model) {
    std::vector<RegionFolder> folders;
    for (const learning::Region& region : learnt.regions) {
        if (region.left_out) continue;
        folders.emplace_back(*learnt.runs[learning::largest(learnt.runs)].recorded, region,
                             model.parent_path() / (model_name(model) + "." + region.name));
    }
    return folders;
}

}  // namespace

ExitStatus learn(const LearnOptions& options) {
    refuse_repeated(options.runs);
    const std::optional<learning::CountedRequest> counted = counted_request(options);
    const std::filesystem::path scenario = std::filesystem::path(options.out).replace_extension(".yaml");
    const std::string platform =
        options.platform.empty()
            ? shipped_platform(std::filesystem::absolute(options.out).lexically_normal().parent_path())
            : options.platform;
    const results::Output model(options.out.string());
    const results::Output described(scenario.string());
    const std::optional<results::Output> json = output_of(options.json);
    const std::vector<trace::RecordedRun> runs = recorded_runs(options.runs);
    const std::vector<trace::RecordedRun> checked = recorded_runs(options.checks);
    const learning::Report report = learning::report_on(pointers(runs), pointers(checked), counted);
    raise_refusals(report.learnt);
    if (options.strict) refuse_left_out(report.learnt);
    const std::string text = learning::model_text(report.learnt, model_name(options.out));
    if (report.counted) psl::load_text(options.out, text);  // its names may clash with those of the model
    const std::vector<RegionFolder> regions = region_folders(report.learnt, options.out);
    const auto write_regions = [&] {
        for (const RegionFolder& each : regions) each.write();
    };
    const auto write_scenario = [&] {
        described.write(learning::scenario_text(report, options.out.filename().string(), platform, options.speed));
    };
    const auto write_json = [&] {
        if (json) json->write(learning::to_json(report, options.out.string()).dump(2) + "\n");
    };
    const auto write_table = [&] {
        if (!json || !json->to_stdout()) results::write_stdout(learning::table(report));
    };
    results::write_each({[&] { model.write(text); }, write_regions, write_scenario, write_json, write_table});
    return learning::all_explained(report) ? ExitStatus::done : ExitStatus::run_failed;
}

}  // namespace warpfront::tools
