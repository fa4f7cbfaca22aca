#include "simulator/analytic/patch.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace warpfront::analytic {

namespace {

/// Messages of one tile that involve the cores of one bus.
struct BusMessages {
    std::int64_t east_west = 0;
    std::int64_t north_south = 0;
};

/// Counts the messages of each bus of a node. Each core receives from west and north. A message between two cores on
/// the same bus is counted once, at its receiver.
std::vector<BusMessages> messages_by_bus(const machine::Machine& machine) {
    const machine::Patch patch = occupied_patch(machine.placement);
    const std::uint32_t buses = machine.bus ? machine.bus->count : 1;
    const std::uint32_t cores_each = machine.cores_of_each(buses);
    const auto bus_of = [&](std::uint32_t column, std::uint32_t row) {
        return std::min(machine.placement.core_at(column, row) / cores_each, buses - 1);
    };
    std::vector<BusMessages> messages(buses);
    for (std::uint32_t row = 0; row < patch.rows; ++row) {
        for (std::uint32_t column = 0; column < patch.columns; ++column) {
            const std::uint32_t bus = bus_of(column, row);
            messages[bus].east_west += column + 1 < patch.columns && bus_of(column + 1, row) == bus ? 1 : 2;
            messages[bus].north_south += row + 1 < patch.rows && bus_of(column, row + 1) == bus ? 1 : 2;
        }
    }
    return messages;
}

BusHolds holds_of(const BusMessages& messages, RankGrid grid) {
    const bool along_x = grid.columns > 1;
    const bool along_y = grid.rows > 1;
    const std::int64_t collisions_x = along_x ? std::max<std::int64_t>(0, messages.east_west - 2) : 0;
    const std::int64_t collisions_y = along_y ? std::max<std::int64_t>(0, messages.north_south - 2) : 0;

    BusHolds holds{.east_west = collisions_x / 2, .north_south = collisions_y / 2};
    if (collisions_x % 2 != 0) ++(along_y ? holds.north_south : holds.east_west);
    if (collisions_y % 2 != 0) ++(along_x ? holds.east_west : holds.north_south);
    return holds;
}

}  // namespace

machine::Patch occupied_patch(const machine::Placement& placement) {
    return {std::min(placement.patch.columns, placement.grid.columns),
            std::min(placement.patch.rows, placement.grid.rows),
            std::min(placement.patch.planes, placement.grid.planes)};
}

BusHolds bus_holds(const machine::Machine& machine) {
    BusHolds most;
    for (const BusMessages& messages : messages_by_bus(machine)) {
        const BusHolds holds = holds_of(messages, machine.placement.grid);
        if (holds.east_west + holds.north_south > most.east_west + most.north_south) most = holds;
    }
    return most;
}

std::uint32_t most_ranks_of_group(const machine::Machine& machine, std::uint32_t count) {
    const machine::Patch patch = occupied_patch(machine.placement);
    const std::uint32_t cores_each = machine.cores_of_each(count);
    std::map<std::uint32_t, std::uint32_t> ranks;  // by group
    std::uint32_t most = 0;
    for (std::uint32_t plane = 0; plane < patch.planes; ++plane) {
        for (std::uint32_t row = 0; row < patch.rows; ++row) {
            for (std::uint32_t column = 0; column < patch.columns; ++column) {
                most = std::max(most, ++ranks[machine.placement.core_at(column, row, plane) / cores_each]);
            }
        }
    }
    return most;
}

double slowing_of(const machine::Machine& machine) {
    if (!machine.memory) return 1.0;
    const std::uint32_t ranks = most_ranks_of_group(machine, machine.memory->count);
    return std::max(1.0,
                    ranks * machine.memory->per_core.bytes_per_second / machine.memory->bandwidth.bytes_per_second);
}

}  // namespace warpfront::analytic
