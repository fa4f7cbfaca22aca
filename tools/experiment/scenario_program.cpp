#include "tools/experiment/scenario_program.hpp"

#include <optional>
#include <utility>

#include "psl/psl.hpp"
#include "simulator/analytic/prediction.hpp"
#include "simulator/machine/loading/build.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/hardware_reader.hpp"
#include "simulator/trace/read.hpp"
#include "tools/experiment/machine_request.hpp"

namespace warpfront::tools {

using input::SourceFilePtr;

namespace {

/// The times of analytic regions. The machine is built for the first of them.
class RegionTimes {
public:
    explicit RegionTimes(const scenario::Scenario& scenario) : scenario_(scenario) {}

    WideTime operator()(const program::WavefrontPhase& phase) {
        if (!std::exchange(built_, true)) build();
        return machine_ ? analytic::predict(phase, *machine_) : WideTime{};
    }

private:
    void build() {
        try {
            machine_ = machine::build(machine_request(scenario_, nullptr)).machine;
        } catch (const input::BadInput&) {
            // reported by building the machine of the program
        }
    }

    const scenario::Scenario& scenario_;
    bool built_ = false;
    std::optional<machine::Machine> machine_;
};

/// The traces of the list or folder `from`, named at `range`.
program::Program read_traces(const scenario::Scenario& scenario, const std::filesystem::path& from,
                             const input::SourceRange& range, FlopRate speed, std::vector<SourceFilePtr>& sources) {
    trace::TraceRequest request{
        from, range, scenario.bindings.grid, scenario.grid_range, {speed, collectives_of(scenario)}};
    if (scenario.trace && scenario.trace->communicators) {
        request.communicators = scenario.trace->communicators->file;
        request.communicators_mentioned_at = scenario.trace->communicators->range;
    }
    trace::Loaded loaded = trace::read(request);
    sources.insert(sources.end(), loaded.sources.begin(), loaded.sources.end());
    return std::move(loaded.program);
}

}  // namespace

program::Program program_of(const scenario::Scenario& scenario, std::vector<SourceFilePtr>& sources) {
    if (scenario.trace) {
        return read_traces(scenario, scenario.trace->list, scenario.trace->range, scenario.trace->speed, sources);
    }
    const psl::Model model = psl::load(scenario.model, scenario.model_range);
    const std::vector<SourceFilePtr> files = model.sources();
    sources.insert(sources.end(), files.begin(), files.end());
    psl::Bindings bindings = scenario.bindings;
    bindings.algorithms = [&] { return collectives_of(scenario); };
    bindings.closed_form = RegionTimes(scenario);
    bindings.trace = [&](const psl::TraceRegion& region) {
        return read_traces(scenario, region.list, region.range, region.speed, sources);
    };
    return psl::lower(model, bindings);
}

collectives::Algorithms collectives_of(const scenario::Scenario& scenario) {
    input::Diagnostics reported_later;
    return machine::read_hardware_file(scenario.platform, scenario.platform_range, reported_later, scenario.overrides)
        .collectives;
}

}  // namespace warpfront::tools
