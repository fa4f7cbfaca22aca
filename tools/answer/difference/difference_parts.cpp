#include "tools/answer/difference/difference_parts.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "simulator/analytic/plug_and_play.hpp"
#include "simulator/machine/wires.hpp"
#include "tools/answer/difference/serial_sweeps.hpp"
#include "tools/answer/difference/unblocked_run.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/experiment/lowering.hpp"
#include "tools/answer/prediction/engines.hpp"

namespace warpfront::tools {

namespace {

/// The times along the chain, and the parts between them.
class Chain {
public:
    Chain(WideTime event, const EventTime& event_time) : now_(event), event_time_(event_time) {}

    void step_to(std::string_view part, WideTime time) {
        parts_.push_back({part, now_ - time});
        now_ = time;
    }

    /// Adds a step with a run of the event engine, if the step has changed anything.
    void step_by_event(std::string_view part, bool changed, const Experiment& experiment) {
        step_to(part, changed ? event_time_(experiment) : now_);
    }

    /// Subtracts `booked`, the closed form's own term for the last part.
    void subtract_booked(WideTime booked) { parts_.back().time = parts_.back().time - booked; }

    std::vector<DifferencePart> parts() && { return std::move(parts_); }

private:
    WideTime now_;
    const EventTime& event_time_;
    std::vector<DifferencePart> parts_;
};

/// Places nodes in order, at the distance that L includes. Returns true if that is a change.
bool place_ideally(const std::optional<Experiment>& in_order, Experiment& experiment) {
    if (in_order) {
        experiment.machine.placement = in_order->machine.placement;
        experiment.machine.routes = in_order->machine.routes;
    }
    const auto farther = [&](Rank a, Rank b) { return experiment.machine.extra_latency(a, b) != Time{}; };
    bool distant = program::has_allreduce(experiment.program);
    visit_channels(experiment.program, [&](Rank from, Rank to) { distant = distant || farther(from, to); });
    experiment.machine.routes.links_in_L = std::numeric_limits<std::uint32_t>::max();
    return in_order || distant;
}

/// Switches a shared resource off. Returns true if it was on.
template <typename Resource>
bool switch_off(std::optional<Resource>& resource) {
    const bool was_on = resource.has_value();
    resource.reset();
    return was_on;
}

/// Sends every message with the protocol of its row, and charges nothing for unexpected ones. Returns true if that is a
/// change.
bool send_by_tables(machine::Machine& machine) {
    bool changed = false;
    for (machine::Profile& profile : machine.profiles) {
        for (machine::ProfileRow& row : profile) changed = switch_off(row.eager) || changed;
    }
    return changed;
}

/// Limits all messages between nodes by the slowest wire of any. Returns true if that is a change.
bool equalise_wires(bool placed_anew, machine::Machine& machine) {
    const machine::Wire slowest = machine.slowest_wire;
    machine.nic_wires = {slowest.gap, slowest.gap};
    const auto is_limited = [&](const machine::ProfileRow& row) { return machine::limits(slowest, row); };
    return (machine.wires_differ || placed_anew) && std::ranges::any_of(machine.profile(machine.network()), is_limited);
}

WideTime last_of(const std::vector<WideTime>& finish) { return *std::max_element(finish.begin(), finish.end()); }

}  // namespace

WideTime DifferenceParts::sum() const {
    WideTime sum;
    for (const DifferencePart& part : parts) sum += part.time;
    return sum;
}

RebuiltExperiments rebuild(const scenario::Scenario& scenario, const Experiment& given) {
    RebuiltExperiments rebuilt;
    if (given.calibrated) rebuilt.uncalibrated = build_experiment(scenario, std::nullopt);
    const machine::PlacementRequest& placement = scenario.placement.request;
    if (placement.rule == machine::PlacementRule::block && placement.fragmentation == machine::Share{}) return rebuilt;
    scenario::Scenario in_order = scenario;
    in_order.placement = {};
    rebuilt.in_order = build_experiment(std::move(in_order), std::nullopt);
    return rebuilt;
}

DifferenceParts difference_parts(const Experiment& given, const RebuiltExperiments& rebuilt, WideTime event,
                                 const EventTime& event_time) {
    refuse_without_closed_form(given);
    const auto closed_form = [&given](const machine::Machine& machine) {
        return analytic::predict(given.program, machine).total;
    };
    const WideTime booked_all = closed_form(given.published_machine());
    Chain chain(event, event_time);
    Experiment now = rebuilt.uncalibrated ? *rebuilt.uncalibrated : given;

    chain.step_by_event("calibration", rebuilt.uncalibrated.has_value(), now);
    const bool noisy = !now.noise.off();
    now.noise = {};
    chain.step_by_event("noise", noisy, now);
    chain.step_by_event("placement", place_ideally(rebuilt.in_order, now), now);
    chain.step_by_event("links", switch_off(now.machine.links), now);
    chain.step_by_event("nic", switch_off(now.machine.nic), now);
    const bool processes = switch_off(now.machine.processing);
    chain.step_by_event("bus", switch_off(now.machine.bus) || processes, now);
    const WideTime without_bus = closed_form(now.machine);
    chain.subtract_booked(booked_all - without_bus);
    chain.step_by_event("memory", switch_off(now.machine.memory), now);
    const WideTime bare = closed_form(now.machine);
    chain.subtract_booked(without_bus - bare);
    chain.step_by_event("wires", equalise_wires(rebuilt.in_order.has_value(), now.machine), now);
    chain.step_by_event("eager", send_by_tables(now.machine), now);

    const auto unblocked = [&now](MessageFormulas formulas) {
        return last_of(unblocked_run(now.program, now.machine, formulas));
    };
    chain.step_to("back_pressure", unblocked(MessageFormulas::simulated));
    chain.step_to("messages", unblocked(MessageFormulas::closed_form));
    chain.step_to("overlap", serial_sweeps(now.program, now.machine));
    chain.step_to("stack", bare);
    return {event, booked_all, std::move(chain).parts()};
}

}  // namespace warpfront::tools
