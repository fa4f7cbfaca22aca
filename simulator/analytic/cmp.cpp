#include "simulator/analytic/cmp.hpp"

#include "simulator/analytic/plug_and_play.hpp"

namespace warpfront::analytic {

Prediction cmp(const Inputs& inputs) {
    const NeighbourLocalities localities(inputs.machine);
    return over_phases(inputs.program, [&](const program::WavefrontPhase& phase) {
        return iteration_of(phase, inputs.machine, localities);
    });
}

}  // namespace warpfront::analytic
