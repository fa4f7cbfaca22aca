#include "tools/commands.hpp"

#include <fmt/format.h>

#include "psl/psl.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/machine.hpp"
#include "tools/case.hpp"
#include "tools/description.hpp"
#include "tools/scenario.hpp"

namespace warpfront::tools {

namespace {

using input::BadInput;
using input::FaultKind;
using input::Faults;

/// A scenario names its model or trace, a hardware file describes its layers or what it is like.
void check_yaml(const std::filesystem::path& file) {
    const ScenarioDocument document = read_document(file, {});
    if (document.tree.find("model") != nullptr || document.tree.find("trace") != nullptr) {
        build_case(read_scenario(document));
    } else if (document.tree.find("layers") != nullptr || document.tree.find("like") != nullptr) {
        machine::check(file);
    } else {
        throw BadInput(FaultKind::unknown_file_kind, document.tree.place, "neither a scenario nor a hardware file",
                       "expected a key `model` or `trace`, or one of `layers` and `like`");
    }
}

void check_file(const std::filesystem::path& file) {
    const std::string extension = file.extension().string();
    if (extension == ".psl") {
        psl::load(file);
    } else if (extension == ".yaml" || extension == ".yml") {
        check_yaml(file);
    } else {
        throw BadInput(FaultKind::unknown_file_kind, {}, fmt::format("cannot read `{}`: unknown kind", file.string()),
                       "expected a model (.psl), or a scenario or hardware file (.yaml)");
    }
}

/// The platform's ranks are the scenario's, as if `--set platform=` had named it.
void describe(const CheckOptions& options) {
    if (!options.scenario) {
        fmt::print("{}", description(machine::as_shipped(*options.platform), std::nullopt));
        return;
    }
    std::vector<std::string> sets = options.sets;
    if (options.platform) {
        const std::filesystem::path file = std::filesystem::absolute(*options.platform);
        sets.insert(sets.begin(), fmt::format("platform=\"{}\"", file.string()));
    }
    const Case prepared = build_case(read_scenario(read_document(*options.scenario, sets)));
    const machine::Distances apart =
        machine::distances(prepared.machine, [&](const auto& visit) { visit_channels(prepared.program, visit); });
    fmt::print("{}", description(prepared.machine, apart));
}

void check_options(const CheckOptions& options) {
    const auto refuse = [](std::string message, std::string expected) {
        throw BadInput(FaultKind::bad_option, {}, std::move(message), std::move(expected));
    };
    const bool nothing = options.files.empty() && !options.platform && !options.scenario;
    if (nothing) refuse("nothing to check", "expected a FILE, `--platform` or `--scenario`");
    if (!options.sets.empty() && !options.scenario) refuse("`--set` changes a scenario", "expected `--scenario`");
}

}  // namespace

ExitStatus check(const CheckOptions& options) {
    check_options(options);
    Faults faults;
    for (const std::filesystem::path& file : options.files) {
        try {
            check_file(file);
            fmt::print("{}: ok\n", file.string());
        } catch (const BadInput& bad) {
            faults.add(bad.faults());
        }
    }
    faults.raise();
    if (options.platform || options.scenario) describe(options);
    return ExitStatus::done;
}

}  // namespace warpfront::tools
