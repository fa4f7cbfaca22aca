#include "simulator/analytic/prediction.hpp"

#include <cassert>

#include "simulator/analytic/memory.hpp"
#include "simulator/analytic/plug_and_play.hpp"

namespace warpfront::analytic {

Prediction predict(const program::Program& program, const machine::Machine& machine) {
    check_closed_form(program);
    assert(program.grid == machine.placement.grid);
    const NeighbourLocalities localities(machine);
    return over_phases(program, [&](const program::WavefrontPhase& phase) {
        return iteration_of(slowed(phase, machine), machine, localities);
    });
}

WideTime predict(const program::WavefrontPhase& phase, const machine::Machine& machine) {
    check_planes(phase, machine.placement.grid);
    return iteration_of(slowed(phase, machine), machine, NeighbourLocalities(machine)).total();
}

}  // namespace warpfront::analytic
