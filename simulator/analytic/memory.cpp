#include "simulator/analytic/memory.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "simulator/analytic/patch.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::analytic {

namespace {

constexpr double kLongestPicoseconds = 4e18;  // less than 2^62

Time slower(Time computing, double factor) {
    const double ps = static_cast<double>(computing.ps) * factor;
    if (ps <= kLongestPicoseconds) return Time{std::llround(ps)};
    throw input::BadInput(input::DiagnosticKind::closed_form_overflow, {},
                          fmt::format("{:.3g} s of computing take {:.3g} times as long with shared memory bandwidth",
                                      seconds(computing), factor),
                          fmt::format("expected at most {:.3g} s in all", 1e-12 * kLongestPicoseconds));
}

}  // namespace

program::WavefrontPhase slowed(program::WavefrontPhase phase, const machine::Machine& machine) {
    if (!machine.memory) return phase;
    const std::uint32_t ranks =
        std::min(machine.cores_of_each(machine.memory->count), occupied_patch(machine.placement).ranks());
    const double factor =
        std::max(1.0, ranks * machine.memory->per_core.bytes_per_second / machine.memory->bandwidth.bytes_per_second);
    for (Time* const computing : {&phase.pre_work, &phase.work, &phase.other}) {
        *computing = slower(*computing, factor);
    }
    return phase;
}

}  // namespace warpfront::analytic
