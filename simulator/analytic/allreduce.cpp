#include "simulator/analytic/allreduce.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "simulator/analytic/message.hpp"
#include "simulator/analytic/patch.hpp"

namespace warpfront::analytic {

WideTime allreduce_time(const machine::Machine& machine, Bytes size) {
    const double ranks = static_cast<double>(machine.placement.grid.ranks());
    const std::uint32_t on_node = occupied_patch(machine.placement).ranks();
    const std::uint32_t on_chip = std::clamp(machine.cores / machine.chips, 1u, on_node);

    // Rounded once per locality; for powers of two the product is whole and nothing is lost.
    const auto stages = [&](double among, double within, machine::Locality locality) {
        if (among == within) return WideTime{};  // no such stage, and possibly no such locality
        const double total = static_cast<double>(message_cost(machine.profile(locality), size).total.ps);
        return WideTime{static_cast<Wide>(std::round((std::log2(among) - std::log2(within)) * on_node * total))};
    };
    return stages(ranks, on_node, machine::Locality::network) + stages(on_node, on_chip, machine::Locality::node) +
           stages(on_chip, 1, machine::Locality::chip);
}

}  // namespace warpfront::analytic
