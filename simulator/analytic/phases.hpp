// The common parts of closed forms: their inputs, and the prediction of a run. The inputs do not include the programs
// of ranks. A closed form computes one iteration of a phase, which is multiplied by the number of equal iterations.
//
// The terms of a closed form are products of a cost and a count. Costs and counts have 64 bits, so a product may exceed
// WideTime. Such a product is an error and never wraps. Invariant: no term exceeds `kLongestTerm`, so no sum of the
// terms that fit in memory can wrap.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

/// A class of ranks of one speed: its share of all ranks, in (0, 1], and its speed relative to the nominal speed, above
/// 0. The shares of all classes add up to 1.
struct SpeedClass {
    double share = 1.0;
    double speed = 1.0;
};

/// A factor by which the work of a rank is multiplied, for all of its tiles or for the tile of one wave. Waves number
/// the tiles of all sweeps of an iteration, from 0. Each (rank, wave) occurs once. Factors are at least 0.
struct CostFactor {
    Rank rank;
    std::optional<std::uint32_t> wave{};
    double factor = 1.0;
};

/// Heterogeneous work of ranks and cells; none by default. If both are given, both apply.
struct UnequalWork {
    std::vector<SpeedClass> classes{};
    std::vector<CostFactor> map{};
};

/// The inputs of a closed form: the program with its `closed_form` block, and a machine with a placement for the
/// process grid of the program. Both must outlive the call.
struct Inputs {
    const program::Program& program;
    const machine::Machine& machine;
    const UnequalWork& unequal;

    RankGrid grid() const { return machine.placement.grid; }
};

/// The time of one iteration as a sum of shares, each with its parts.
struct Iteration {
    record::PathParts fill{};
    record::PathParts stack{};  // the stacks of all sweeps, without contention for buses
    WideTime contention{};      // the contention for buses in all sweeps
    record::PathParts nonwavefront{};
    record::PathParts eager_waits{};  // the part of `stack` that waits for eager messages (message.hpp)
    record::PathParts overlapped{};   // replaces `stack` in the form `overlapped` (plug_and_play.hpp)
    record::PathParts parts() const { return fill + stack + record::PathParts{.bus = contention} + nonwavefront; }
    WideTime total() const { return parts().total(); }
};

/// The prediction of a run. `contention`, `fill`, `stack` and `nonwavefront` are disjoint shares that add up to `total`
/// exactly; so do `parts`.
struct Prediction {
    WideTime total;
    record::PathParts parts;                                    // along the path that the maxima of the fills select
    std::vector<std::pair<WideTime, std::int64_t>> iterations;  // duration and number of equal iterations, in order
    WideTime contention;                                        // waiting for the nodes' buses
    WideTime fill;                                              // the fills before the next sweep can start
    WideTime stack;                                             // the tiles of every sweep, without contention
    WideTime nonwavefront;                                      // allreduces, exchanges, other compute
    WideTime eager_waits;                                       // the part of `stack` that waits for eager messages
};

/// Throws BadInput (closed_form_misfit) if the phase has sweeps and the process grid has several planes. Sweeps run
/// only within a plane.
void check_planes(const program::WavefrontPhase& phase, const RankGrid& grid);

/// Checks the closed form. Throws BadInput: closed_form_missing if the model declares none, closed_form_range for each
/// impossible value, closed_form_misfit for the reason of check_planes.
void check_closed_form(const program::Program& program);

/// Returns the sum of all iterations of all phases. `iteration_of` computes one iteration of a phase. Throws BadInput
/// (closed_form_overflow).
Prediction over_phases(const program::Program& program,
                       const std::function<Iteration(const program::WavefrontPhase&)>& iteration_of);

inline constexpr WideTime kLongestTerm{Wide{1} << 90};  // 39 million years

/// Returns `cost` times `count` (both at least 0). Throws BadInput (closed_form_overflow) with `what` in the message.
WideTime times(WideTime cost, std::int64_t count, std::string_view what);

/// Returns each part times `count`. Throws BadInput (closed_form_overflow) with `what` in the message.
record::PathParts times(const record::PathParts& cost, std::int64_t count, std::string_view what);

/// Returns `computing` times `factor` (at least 0), to the nearest picosecond. Throws BadInput (closed_form_overflow)
/// if that exceeds 46 days; `why` describes the factor in the message.
Time scaled(Time computing, double factor, std::string_view why);

/// Returns S * G as a cost. Throws BadInput (closed_form_overflow) if that exceeds the longest cost.
Time byte_time(Bytes size, Gap gap);

}  // namespace warpfront::analytic
