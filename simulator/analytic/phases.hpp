// The prediction of a run from its iterations. A closed form gives one iteration of a phase; equal ones are multiplied.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "simulator/program/program.hpp"
#include "simulator/program/wavefront.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

/// The parts of one iteration, which add up to it.
struct Iteration {
    WideTime fill{};
    WideTime stack{};       // of all sweeps, without contention
    WideTime contention{};  // of all sweeps
    WideTime nonwavefront{};
    WideTime total() const { return fill + stack + contention + nonwavefront; }
};

/// The last four are disjoint shares and add up to `total` exactly.
struct Prediction {
    WideTime total;
    std::vector<std::pair<WideTime, std::int64_t>> iterations;  // duration and number of equal iterations, in order
    WideTime contention;                                        // waiting for the nodes' buses
    WideTime fill;                                              // of pipelines, before the next sweep can start
    WideTime stack;                                             // the tiles of every sweep, without contention
    WideTime nonwavefront;                                      // allreduces, exchanges, other compute
};

/// Throws BadInput (closed_form_misfit) if the phase has sweeps and the array several planes, which they do not cross.
void check_planes(const program::WavefrontPhase& phase, const RankGrid& grid);

/// Throws BadInput: closed_form_missing if the model declares none, closed_form_range for each impossible value,
/// closed_form_misfit as check_planes.
void check_closed_form(const program::Program& program);

/// All iterations of all phases, each phase as `iteration_of` says. Throws BadInput (closed_form_overflow).
Prediction over_phases(const program::Program& program,
                       const std::function<Iteration(const program::WavefrontPhase&)>& iteration_of);

}  // namespace warpfront::analytic
