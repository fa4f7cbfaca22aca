#include "simulator/analytic/memory.hpp"

#include <algorithm>

#include "simulator/analytic/patch.hpp"
#include "simulator/analytic/terms.hpp"

namespace warpfront::analytic {

program::WavefrontPhase slowed(program::WavefrontPhase phase, const machine::Machine& machine) {
    if (!machine.memory) return phase;
    const std::uint32_t ranks =
        std::min(machine.cores_of_each(machine.memory->count), occupied_patch(machine.placement).ranks());
    const double factor =
        std::max(1.0, ranks * machine.memory->per_core.bytes_per_second / machine.memory->bandwidth.bytes_per_second);
    for (Time* const computing : {&phase.pre_work, &phase.work, &phase.other}) {
        *computing = scaled(*computing, factor, "with shared memory bandwidth");
    }
    return phase;
}

}  // namespace warpfront::analytic
