#include "simulator/analytic/allreduce.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "simulator/analytic/message.hpp"
#include "simulator/analytic/patch.hpp"
#include "simulator/analytic/phases.hpp"

namespace warpfront::analytic {

WideTime allreduce_time(const machine::Machine& machine, Bytes size) {
    const double ranks = static_cast<double>(machine.placement.grid.ranks());
    const std::uint32_t on_node = occupied_patch(machine.placement).ranks();
    // Rounded once per locality; for powers of two the product is whole and nothing is lost.
    const auto stages = [&](double among, double within, machine::Locality locality) {
        if (among == within) return WideTime{};  // no such stage, and possibly no such locality
        const double total = static_cast<double>(message_cost(machine.profile(locality), size).total.ps);
        return WideTime{static_cast<Wide>(std::round((std::log2(among) - std::log2(within)) * on_node * total))};
    };
    WideTime sum = stages(ranks, on_node, machine.network());
    std::uint32_t among = on_node;
    for (std::size_t kind = machine.parts.size(); kind-- > 0;) {
        const std::uint32_t within = std::clamp(machine.cores_of_each(machine.parts[kind].count), 1u, on_node);
        sum += stages(among, within, {static_cast<std::uint8_t>(kind + 1)});
        among = within;
    }
    return sum + stages(among, 1, {0});
}

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
        const WideTime each = allreduce_time(inputs.machine, phase.allreduce_bytes);
        return Iteration{.nonwavefront = times(each, phase.allreduces, "the allreduces") + phase.other};
    });
}

}  // namespace warpfront::analytic
