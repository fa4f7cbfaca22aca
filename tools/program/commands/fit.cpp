#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <nlohmann/json.hpp>

#include "simulator/input/read_file.hpp"
#include "simulator/machine/loading/build.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"
#include "simulator/results/output.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/from_code/fitting/layer_costs.hpp"
#include "tools/from_code/fitting/outputs.hpp"
#include "tools/program/commands/commands.hpp"

namespace warpfront::tools {

namespace {

struct LayerTables {
    std::string layer;
    std::vector<BenchmarkTable> tables;
};

/// Returns the layers that the machine may have: those of its base or, without a base, those that
/// tools/from_code/fitting writes.
std::vector<std::string> layer_names(const FitOptions& options, Diagnostics& faults) {
    if (!options.like) return {"chip", "node", "network"};
    std::vector<std::string> names;
    const machine::HardwareFile base = machine::read_hardware_file(machine::read_hardware_tree(*options.like), faults);
    for (const machine::Layer& each : base.layers) names.push_back(each.name);
    return names;
}

/// Returns the tables by layer, those of the network first.
std::vector<LayerTables> tables_of(const FitOptions& options) {
    Diagnostics faults;
    const std::vector<std::string> names = layer_names(options, faults);
    faults.raise();
    std::vector<LayerTables> layers;
    const auto read = [&](const std::string& layer, const std::filesystem::path& file) {
        auto known = std::ranges::find_if(layers, [&](const auto& each) { return each.layer == layer; });
        if (known == layers.end()) {
            if (std::ranges::find(names, layer) == names.end()) {
                faults.add(DiagnosticKind::bad_choice, {},
                           fmt::format("no layer is called `{}`", input::escaped(layer, 40)),
                           input::suggestion(layer, names));
            }
            known = layers.insert(layers.end(), {layer, {}});
        }
        faults.collect([&] { known->tables.push_back(read_benchmark_table(input::read_file(file), faults)); });
    };
    for (const std::filesystem::path& file : options.tables) read("network", file);
    for (const std::string& each : options.layers) {
        const std::size_t equals = each.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == each.size()) {
            faults.add(DiagnosticKind::bad_option, {},
                       fmt::format("`--layer {}` has no layer and table", input::escaped(each, 80)),
                       "expected LAYER=TABLE, such as chip=build/chip.csv");
            continue;
        }
        read(each.substr(0, equals), each.substr(equals + 1));
    }
    const bool has_network = std::ranges::any_of(layers, [](const auto& each) { return each.layer == "network"; });
    if (layers.empty()) {
        faults.add(DiagnosticKind::bad_option, {}, "a table is missing", "expected TABLE or `--layer LAYER=TABLE`");
    } else if (!has_network && !options.like) {
        faults.add(DiagnosticKind::bad_option, {}, "a table of the network is missing",
                   "expected a table, or `--like FILE` with a machine that has this layer");
    }
    faults.raise();
    return layers;
}

}  // namespace

ExitStatus fit(const FitOptions& options) {
    if (options.like && machine::plain(*options.like) == machine::plain(options.out)) {
        throw BadInput(DiagnosticKind::bad_option, {}, "`--like` and `--out` name the same file",
                       "expected a different file for `--out`, since it refers to the file of `--like`");
    }
    const results::Answer answer(options.json, options.csv);
    const results::Output out(options.out);
    std::vector<LayerFit> layers;
    Diagnostics faults;
    for (LayerTables& each : tables_of(options)) {
        faults.collect([&] {
            layers.push_back(fit_layer(each.layer, std::move(each.tables), {options.eager, options.overhead}));
        });
    }
    faults.raise();
    const std::string text = hardware_text(layers, options.like, out.to_stdout() ? "machine.yaml" : options.out);
    guard_signals([&] {
        answer.write(answer.has_data() ? to_json(layers) : nlohmann::ordered_json(),
                     out.to_stdout() ? "" : summary(layers), [&] { out.write(text); });
    });
    if (!out.to_stdout()) {
        for (const std::string& note : machine::check(options.out)) spdlog::info("note: {}", note);
    }
    return ExitStatus::done;
}

}  // namespace warpfront::tools
