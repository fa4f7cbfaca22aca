#include "tools/commands.hpp"

#include <fmt/format.h>

#include "psl/psl.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/machine.hpp"
#include "tools/case.hpp"
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

}  // namespace

ExitStatus check(const std::vector<std::filesystem::path>& files) {
    Faults faults;
    for (const std::filesystem::path& file : files) {
        try {
            check_file(file);
            fmt::print("{}: ok\n", file.string());
        } catch (const BadInput& bad) {
            faults.add(bad.faults());
        }
    }
    faults.raise();
    return ExitStatus::done;
}

}  // namespace warpfront::tools
