// The closed form's prediction of a whole run, printed by `--engine analytic`. It uses only the `closed_form` block of
// the model and the machine's profiles, never the rank programs.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

/// The last four are disjoint shares and add up to `total` exactly.
struct Prediction {
    WideTime total;
    std::vector<std::pair<WideTime, std::int64_t>> iterations;  // duration and number of equal iterations, in order
    WideTime contention;                                        // waiting for the nodes' buses
    WideTime fill;                                              // of pipelines, before the next sweep can start
    WideTime stack;                                             // the tiles of every sweep, without contention
    WideTime nonwavefront;                                      // allreduces, exchanges, other compute
};

/// The plug-and-play model of plug_and_play.hpp over all phases. `machine` must be placed for `program`'s rank array.
/// Throws BadInput: closed_form_missing (the model declares none), closed_form_range (all values out of range),
/// closed_form_overflow (a term beyond 39 million years).
Prediction predict(const program::Program& program, const machine::Machine& machine);

}  // namespace warpfront::analytic
