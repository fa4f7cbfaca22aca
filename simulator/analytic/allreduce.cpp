#include "simulator/analytic/allreduce.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "simulator/analytic/message.hpp"
#include "simulator/analytic/patch.hpp"
#include "simulator/analytic/phases.hpp"

namespace warpfront::analytic {

namespace {

/// Returns `cost` taken `count` times, a real number: the sum to the nearest picosecond, each part to one less or more.
record::PathParts taken(const record::PathParts& cost, double count) {
    record::PathParts all;
    double until = 0.0;
    Wide before = 0;
    for (const record::PathPart& part : record::kPathParts) {
        until += static_cast<double>((cost.*part.time).ps);
        const Wide end = static_cast<Wide>(std::round(count * until));
        all.*part.time = WideTime{end - before};
        before = end;
    }
    return all;
}

}  // namespace

record::PathParts allreduce_parts(const machine::Machine& machine, Bytes size) {
    const double ranks = static_cast<double>(machine.placement.grid.ranks());
    const std::uint32_t on_node = occupied_patch(machine.placement).ranks();
    // Rounded once per locality; for powers of two the product is whole, so the rounding is exact.
    const auto stages = [&](double among, double within, machine::Locality locality) {
        if (among == within) return record::PathParts{};  // no such stage, and possibly no such locality
        return taken(message_parts(machine.profile(locality), size).total,
                     (std::log2(among) - std::log2(within)) * on_node);
    };
    record::PathParts sum = stages(ranks, on_node, machine.network());
    std::uint32_t among = on_node;
    for (std::size_t kind = machine.parts.size(); kind-- > 0;) {
        const std::uint32_t within = most_ranks_of_group(machine, machine.parts[kind].count);
        sum += stages(among, within, {static_cast<std::uint8_t>(kind + 1)});
        among = within;
    }
    return sum + stages(among, 1, {0});
}

WideTime allreduce_time(const machine::Machine& machine, Bytes size) { return allreduce_parts(machine, size).total(); }

std::optional<std::string> not_only_allreduces(const Inputs& inputs) {
    const auto any = [&](auto of) { return std::ranges::any_of(inputs.program.closed_form, of); };
    const auto sweeps = [](const program::WavefrontPhase& phase) { return !phase.corners.empty(); };
    const auto exchanges = [](const program::WavefrontPhase& phase) { return !phase.exchanges.empty(); };
    const auto reduces = [](const program::WavefrontPhase& phase) { return phase.allreduces > 0; };
    if (any(sweeps)) return fmt::format("`{}` has sweeps", inputs.program.name);
    if (any(exchanges)) return fmt::format("`{}` exchanges messages with neighbours", inputs.program.name);
    if (!any(reduces)) return fmt::format("`{}` has no allreduce", inputs.program.name);
    return std::nullopt;
}

Prediction allreduces(const Inputs& inputs) {
    return over_phases(inputs.program, [&](const program::WavefrontPhase& phase) {
        const record::PathParts each = allreduce_parts(inputs.machine, phase.allreduce_bytes);
        return Iteration{.nonwavefront = times(each, phase.allreduces, "the allreduces") +
                                         record::PathParts{.compute = phase.other}};
    });
}

}  // namespace warpfront::analytic
