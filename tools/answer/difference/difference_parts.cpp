#include "tools/answer/difference/difference_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "simulator/analytic/fill.hpp"
#include "simulator/analytic/phases.hpp"
#include "simulator/analytic/plug_and_play.hpp"
#include "simulator/machine/wires.hpp"
#include "tools/answer/difference/unblocked_run.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/experiment/lowering.hpp"
#include "tools/answer/prediction/engines.hpp"

namespace warpfront::tools {

namespace {

/// A chain of runs and their times. Each part is the difference between two consecutive times.
class Chain {
public:
    Chain(WideTime event, const EventTime& event_time) : now_(event), event_time_(event_time) {}

    void step_to(std::string_view part, WideTime time) {
        parts_.push_back({part, now_ - time});
        now_ = time;
    }

    /// Adds a part. Its time comes from a run of the event engine, unless the change has no effect.
    void step_by_event(std::string_view part, bool changed, const Experiment& experiment) {
        step_to(part, changed ? event_time_(experiment) : now_);
    }

    /// Subtracts the closed form's own term from the last part.
    void subtract_booked(WideTime booked) { parts_.back().time = parts_.back().time - booked; }

    std::vector<DifferencePart> parts() && { return std::move(parts_); }

private:
    WideTime now_;
    const EventTime& event_time_;
    std::vector<DifferencePart> parts_;
};

/// Places the nodes in order, at the distance that L includes. Returns true if this changes the experiment.
bool place_ideally(const std::optional<Experiment>& in_order, Experiment& experiment) {
    if (in_order) {
        experiment.machine.placement = in_order->machine.placement;
        experiment.machine.routes = in_order->machine.routes;
    }
    const auto farther = [&](Rank a, Rank b) { return experiment.machine.extra_latency(a, b) != Time{}; };
    bool distant = program::has_allreduce(experiment.program);
    visit_channels(experiment.program, [&](Rank from, Rank to) { distant = distant || farther(from, to); });
    experiment.machine.routes.drop_extra_latency();
    return in_order || distant;
}

/// Switches off a shared resource. Returns true if it was on.
template <typename Resource>
bool switch_off(std::optional<Resource>& resource) {
    const bool was_on = resource.has_value();
    resource.reset();
    return was_on;
}

/// Gives every message the protocol of its row, and removes the cost of unexpected messages. Returns true if this
/// changes the machine.
bool send_by_tables(machine::Machine& machine) {
    bool changed = false;
    for (machine::Profile& profile : machine.profiles) {
        for (machine::ProfileRow& row : profile) changed = switch_off(row.eager) || changed;
    }
    return changed;
}

/// Gives all messages between nodes the slowest wire of the machine. Returns true if this changes the machine.
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

namespace {

using program::Corner;
using program::Instruction;
using program::Op;
using program::RankClass;
using program::WavefrontPhase;

constexpr std::int32_t kEastWest = 0, kNorthSouth = 1;  // tags of messages
// kinds of positions along an axis: first rank, interior rank, last rank
constexpr std::uint32_t kPlaces = 3;

bool begins_east(Corner corner) { return corner == Corner::northeast || corner == Corner::southeast; }
bool begins_south(Corner corner) { return corner == Corner::southwest || corner == Corner::southeast; }

Corner far_of(Corner corner) {
    constexpr std::array kFar{Corner::southeast, Corner::southwest, Corner::northeast, Corner::northwest};
    return kFar[static_cast<std::size_t>(corner)];
}

Rank rank_at(Corner corner, RankGrid grid) {
    return grid.at(begins_east(corner) ? grid.columns : 1, begins_south(corner) ? grid.rows : 1);
}

/// The partners of a rank along one axis: the distance to the next rank of the sweep, and whether there are partners
/// behind and ahead.
struct Along {
    std::int32_t step = 0;
    bool upstream = false;
    bool downstream = false;
};

RankClass class_of(const WavefrontPhase& phase, Along x, Along y) {
    RankClass made;
    const auto add = [&](Op op, std::uint32_t operand, std::int64_t amount) {
        made.code.push_back({.op = op, .operand = operand, .amount = amount});
    };
    const auto receive = [&](Along along, std::int32_t tag) {
        if (!along.upstream) return;
        add(Op::recv, static_cast<std::uint32_t>(made.receive_endpoints.size()), 0);
        made.receive_endpoints.push_back({-along.step, tag});
    };
    const auto send = [&](Along along, std::int32_t tag, Bytes size) {
        if (!along.downstream) return;
        add(Op::send, static_cast<std::uint32_t>(made.send_endpoints.size()), size.count);
        made.send_endpoints.push_back({along.step, tag});
    };
    add(Op::loop, 0, phase.tiles);
    add(Op::compute, 0, phase.pre_work.ps);
    receive(x, kEastWest);
    receive(y, kNorthSouth);
    add(Op::compute, 0, phase.work.ps);
    send(x, kEastWest, phase.east_west);
    send(y, kNorthSouth, phase.north_south);
    made.code.front().operand = static_cast<std::uint32_t>(made.code.size());
    add(Op::end_loop, 0, 0);
    add(Op::finish, 0, 0);
    return made;
}

/// Returns the partners of rank number `at` of `count` ranks along an axis. A single rank has none.
Along along(std::uint32_t at, std::uint32_t count, bool backwards, std::int32_t step) {
    const bool low = at > 1, high = at < count;
    return {backwards ? -step : step, backwards ? high : low, backwards ? low : high};
}

std::uint32_t place_of(Along axis) {
    if (!axis.upstream) return axis.downstream ? 0 : kPlaces - 1;
    return axis.downstream ? 1 : kPlaces - 1;
}

/// The times `stack`, by the corner where a sweep begins. Each is computed once.
class Stacks {
public:
    Stacks(const WavefrontPhase& phase, const machine::Machine& machine) : phase_(phase), machine_(machine) {}

    WideTime of(Corner corner, const analytic::CornerStarts& starts) {
        std::optional<WideTime>& stack = known_[static_cast<std::size_t>(corner)];
        if (!stack) {
            const RankGrid grid = machine_.placement.grid;
            const Corner far = far_of(corner);
            const std::vector<WideTime> finish =
                unblocked_run(sweep_program(phase_, corner, grid), machine_, MessageFormulas::closed_form);
            stack = finish[rank_at(far, grid).index] - starts[static_cast<std::size_t>(far)];
        }
        return *stack;
    }

private:
    const WavefrontPhase& phase_;
    const machine::Machine& machine_;
    std::array<std::optional<WideTime>, 4> known_;
};

WideTime sweeps_of(const WavefrontPhase& phase, const machine::Machine& machine) {
    const analytic::NeighbourLocalities localities(machine);
    const analytic::TileCosts tile = analytic::tile_costs(phase, machine);
    Stacks stacks(phase, machine);
    WideTime sum;
    for (std::size_t sweep = 0; sweep < phase.corners.size(); ++sweep) {
        const Corner from = phase.corners[sweep];
        const Corner until = sweep + 1 < phase.corners.size() ? phase.corners[sweep + 1] : far_of(from);
        const analytic::CornerStarts starts = analytic::corner_starts(localities, from, tile);
        sum += starts[static_cast<std::size_t>(until)] + stacks.of(from, starts);
    }
    return sum;
}

}  // namespace

program::Program sweep_program(const WavefrontPhase& phase, Corner corner, RankGrid grid) {
    program::Program made;
    made.name = "sweep";
    made.grid = grid;
    made.iterations = 0;
    made.classes.resize(std::size_t{kPlaces} * kPlaces);
    for (std::uint32_t row = 1; row <= grid.rows; ++row) {
        const Along y = along(row, grid.rows, begins_south(corner), static_cast<std::int32_t>(grid.columns));
        for (std::uint32_t column = 1; column <= grid.columns; ++column) {
            const Along x = along(column, grid.columns, begins_east(corner), 1);
            const std::uint32_t number = place_of(y) * kPlaces + place_of(x);
            made.class_of.push_back(number);
            if (made.classes[number].code.empty()) made.classes[number] = class_of(phase, x, y);
        }
    }
    return made;
}

WideTime serial_sweeps(const program::Program& program, const machine::Machine& machine) {
    WideTime sum = analytic::predict(program, machine).nonwavefront;
    for (const WavefrontPhase& phase : program.closed_form) {
        sum += analytic::times(sweeps_of(phase, machine), phase.iterations, "all iterations");
    }
    return sum;
}

}  // namespace warpfront::tools
