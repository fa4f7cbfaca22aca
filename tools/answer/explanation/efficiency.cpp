#include "tools/answer/explanation/efficiency.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "simulator/results/formatting.hpp"
#include "tools/answer/runs/runs.hpp"

namespace warpfront::tools {

namespace {

machine::ProfileRow without_costs(const machine::ProfileRow& row) {
    machine::ProfileRow free;
    free.up_to = row.up_to;
    free.protocol = row.protocol;
    free.progress = row.progress;
    free.sender_goes_on = row.sender_goes_on;
    free.receiver_hold = row.receiver_hold;
    if (row.eager) free.eager = machine::EagerSends{.limit = row.eager->limit};
    return free;
}

WideTime most_compute(const record::Record& record) {
    WideTime most;
    for (const record::Breakdown& each : record.rank_breakdown) most = std::max(most, each.compute);
    return most;
}

}  // namespace

Experiment on_ideal_network(Experiment experiment) {
    machine::Machine& machine = experiment.machine;
    for (machine::Profile& profile : machine.profiles) std::ranges::transform(profile, profile.begin(), without_costs);
    machine.bus.reset();
    machine.processing.reset();
    machine.nic.reset();
    machine.links.reset();
    machine.nic_wires = {};
    machine.routes.scale_gaps(0.0);
    machine.routes.drop_extra_latency();
    return experiment;
}

std::optional<Efficiency> efficiency_of(const Experiment& prepared, const record::Record& record,
                                        const engine::Options& options, ProgressMode mode) {
    WideTime sum;
    for (const record::Breakdown& each : record.rank_breakdown) sum += each.compute;
    Efficiency efficiency{.most_compute = most_compute(record), .time = record.finish};
    if (efficiency.most_compute.ps == 0) return std::nullopt;
    efficiency.mean_compute = WideTime{sum.ps / static_cast<Wide>(record.rank_breakdown.size())};
    const record::Record ideal = predict_with_progress(Engine::event, on_ideal_network(prepared), options, mode).record;
    efficiency.ideal = ideal.finish;
    efficiency.ideal_most_compute = most_compute(ideal);
    return efficiency;
}

namespace {

std::string transfer_is(const Efficiency& efficiency) {
    const std::string of_time = fmt::format("100 % if messages cost nothing: {} on an ideal network over the time",
                                            results::duration(efficiency.ideal));
    if (efficiency.ideal_most_compute == efficiency.most_compute) return of_time;
    return fmt::format("{}, per {} and {} of computing", of_time, results::duration(efficiency.ideal_most_compute),
                       results::duration(efficiency.most_compute));
}

}  // namespace

std::string efficiency_text(const Efficiency& efficiency) {
    const auto line = [](std::string_view name, double value, std::string_view is) {
        return fmt::format("  {:<26}{:>6.1f} %   {}\n", name, 100.0 * value, is);
    };
    return "the efficiency of the run\n" + line("parallel", efficiency.parallel(), "load balance x communication") +
           line("load balance", efficiency.load_balance(), "mean over longest computing of a rank") +
           line("communication", efficiency.communication(), "serialisation x transfer") +
           line("serialisation", efficiency.serialisation(),
                "100 % if ranks did not wait for each other: longest computing over the time on an ideal network") +
           line("transfer", efficiency.transfer(), transfer_is(efficiency));
}

nlohmann::ordered_json efficiency_json(const Efficiency& efficiency) {
    return {{"parallel", efficiency.parallel()},
            {"load_balance", efficiency.load_balance()},
            {"communication", efficiency.communication()},
            {"serialisation", efficiency.serialisation()},
            {"transfer", efficiency.transfer()},
            {"ideal_s", seconds(efficiency.ideal)},
            {"ideal_compute_s", seconds(efficiency.ideal_most_compute)}};
}

}  // namespace warpfront::tools
