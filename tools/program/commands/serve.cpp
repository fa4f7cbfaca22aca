#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/file_kind.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/sha256.hpp"
#include "simulator/results/output.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/report/page/page.hpp"
#include "tools/report/server/answers.hpp"
#include "tools/report/server/exploration.hpp"
#include "tools/report/server/server.hpp"

namespace warpfront::tools {

namespace {

using nlohmann::ordered_json;

/// A scenario's text, and the file that its relative names start from.
struct Named {
    std::filesystem::path file;
    SourceFilePtr source;
};

/// Warns about inputs that have changed since the run: a repeated run would differ from its result.
void note_changed_inputs(const NamedResult& named, const ordered_json& inputs) {
    for (const auto& [path, hash] : inputs.items()) {
        if (hash == input::sha256_hex(input::read_file(path)->text())) continue;
        spdlog::warn("note: `{}` has changed since the run of `{}`", path, named.name);
    }
}

/// Returns the scenario of a run as it was run, including `--set`.
std::optional<Named> scenario_of(const NamedResult& named) {
    const ordered_json::json_pointer scenario("/context/scenario");
    const ordered_json::json_pointer inputs("/context/inputs");
    const bool has_both = named.result.contains(scenario) && named.result.contains(inputs);
    if (!has_both || !named.result[inputs].is_object() || named.result[inputs].empty()) return std::nullopt;
    note_changed_inputs(named, named.result[inputs]);
    const auto source = std::make_shared<const input::SourceFile>(fmt::format("the scenario in {}", named.name),
                                                                  named.result[scenario].dump(2));
    return Named{named.result[inputs].begin().key(), source};  // the file of the scenario is the first input
}

struct Given {
    std::vector<NamedResult> results;
    std::vector<Named> scenarios;  // scenarios that are given as files
    std::vector<Named> run;        // scenarios of the given results
};

Given read(const std::vector<std::filesystem::path>& files) {
    Diagnostics faults;
    Given given;
    for (const std::filesystem::path& path : files) {
        faults.collect([&] {
            const bool is_scenario = path.extension() != ".json";
            const SourceFilePtr file = input::read_file(path, {}, is_scenario ? input::kLargestFile : kLargestResult);
            if (is_scenario) {
                input::refuse_other_name(path, "a scenario (.yaml) or a result of `--json` (.json)");
                given.scenarios.push_back({path, file});
                return;
            }
            given.results.push_back(read_result(file));
            if (const auto scenario = scenario_of(given.results.back())) given.run.push_back(*scenario);
        });
    }
    faults.raise();
    return given;
}

/// Returns the given scenario, or that of the first run.
Named explored(const Given& given) {
    if (given.scenarios.size() == 1) return given.scenarios.front();
    if (given.scenarios.empty() && !given.run.empty()) return given.run.front();
    throw BadInput(DiagnosticKind::bad_option, {},
                   given.scenarios.empty() ? "none of these files has a scenario" : "several scenarios are given",
                   "expected one scenario (.yaml), or a result of `run --json` (.json)");
}

/// Describes the knobs for the page.
ordered_json described(const Exploration& exploration, const ServeOptions& options) {
    ordered_json knobs = ordered_json::array();
    for (const Knob& knob : exploration.knobs()) {
        ordered_json choices = ordered_json::array();
        for (const Choice& choice : knob.choices) choices.push_back(choice.label);
        knobs.push_back(
            {{"id", knob.id}, {"label", knob.label}, {"what", knob.what}, {"start", knob.start}, {"choices", choices}});
    }
    return {
        {"scenario", exploration.file().generic_string()}, {"folder", options.out.generic_string()}, {"knobs", knobs}};
}

}  // namespace

ExitStatus serve(const ServeOptions& options) {
    const Given given = read(options.files);
    Named scenario = explored(given);
    const Exploration exploration(std::move(scenario.file), std::move(scenario.source), options.sets);
    const unsigned threads = options.threads.value_or(std::max(1U, std::thread::hardware_concurrency()));
    const SignalGuard guard;
    Curves curves(exploration, threads);
    EventPoints points(exploration, threads);
    const Server server(live_page(given.results, described(exploration, options)),
                        {exploration, curves, points, options.out}, static_cast<std::uint16_t>(options.port));
    results::write_stdout(
        fmt::format("{}\nopen this address in a browser on this host; Ctrl-C ends the server\n", server.address()));
    while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return ExitStatus::done;
}

}  // namespace warpfront::tools
