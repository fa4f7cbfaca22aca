#include "tools/answer/difference/serial_sweeps.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "simulator/analytic/fill.hpp"
#include "simulator/analytic/phases.hpp"
#include "simulator/analytic/plug_and_play.hpp"
#include "tools/answer/difference/unblocked_run.hpp"

namespace warpfront::tools {

namespace {

using program::Corner;
using program::Instruction;
using program::Op;
using program::RankClass;
using program::WavefrontPhase;

constexpr std::int32_t kEastWest = 0, kNorthSouth = 1;  // tags
constexpr std::uint32_t kPlaces = 3;                    // along an axis: first, between, last of the sweep

bool begins_east(Corner corner) { return corner == Corner::northeast || corner == Corner::southeast; }
bool begins_south(Corner corner) { return corner == Corner::southwest || corner == Corner::southeast; }

Corner far_of(Corner corner) {
    constexpr std::array kFar{Corner::southeast, Corner::southwest, Corner::northeast, Corner::northwest};
    return kFar[static_cast<std::size_t>(corner)];
}

Rank rank_at(Corner corner, RankGrid grid) {
    return grid.at(begins_east(corner) ? grid.columns : 1, begins_south(corner) ? grid.rows : 1);
}

/// A rank's partners along one axis: the steps to the next rank of the sweep, and whether there is one each way.
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

/// Returns the partners of the `at`-th of `count` ranks along an axis: at the beginning, between, or at the end. A
/// single rank is both ends.
Along along(std::uint32_t at, std::uint32_t count, bool backwards, std::int32_t step) {
    const bool low = at > 1, high = at < count;
    return {backwards ? -step : step, backwards ? high : low, backwards ? low : high};
}

std::uint32_t place_of(Along axis) {
    if (!axis.upstream) return axis.downstream ? 0 : kPlaces - 1;
    return axis.downstream ? 1 : kPlaces - 1;
}

/// The times `stack` by the corner where a sweep begins, each computed once.
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
