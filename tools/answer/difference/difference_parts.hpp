// The event engine's time minus the closed form's, in named parts that add up to it to the picosecond.
//
// A chain of runs leads from one to the other. Each run switches off one effect that the runs before it still had; the
// part of that name is the time before minus the time after. The size of a part therefore depends on the order, which
// is
//
//   event           as given; with several seeds their mean, rounded down
//   - calibration   without the terms that were fitted to measured runs, noise of the calibration included
//   - noise         every block takes its nominal time, ranks are identical
//   - placement     nodes in the order `block`, and every two of them at the distance that L includes
//   - links         not shared
//   - nic           not shared
//   - bus           neither the bus nor message processing is shared; minus the closed form's term for the bus, so the
//                   part is simulated minus booked
//   - memory        not shared; minus the closed form's term
//   - wires         every two nodes have the bandwidth of the slowest wire of the machine, as in the closed form
//   - eager         messages of every size take the protocol of their row; unexpected messages have no additional cost
//   - back_pressure senders wait neither for receivers nor at an eager limit (unblocked_run.hpp). The part is zero
//                   if all messages are eager and no limit is set
//   - messages      receives and allreduces take their times from the closed form: it charges an eager receive L even
//                   if the message has arrived, and an allreduce by a formula
//   - overlap       a sweep begins at the time of the closed form, when fill and stack of the previous sweep have ended
//                   (below). Operations between sweeps, such as the exchanges of LU's stencil, take their full time
//   - stack         every tile after the fill takes its time from the closed form: the messages of an interior rank,
//                   all between nodes
//   = closed form   without bus and memory; its terms for them are in those parts
//
// Resources are removed from the network inwards, so the effect of a resource is measured while those nearer to the
// rank are shared. All times are whole picoseconds and no mean is taken after the first, so there is no rounding error.
// A step that changes nothing is not run, and its part is zero.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/experiment/experiment.hpp"

namespace warpfront::tools {

struct DifferencePart {
    std::string_view name;
    WideTime time;
};

struct DifferenceParts {
    WideTime event;
    WideTime closed_form;
    std::vector<DifferencePart> parts;  // in the order of the chain

    WideTime sum() const;
};

/// A function that returns the time of one experiment by the event engine.
using EventTime = std::function<WideTime(const Experiment&)>;

/// Experiments of the chain that must be built from the scenario anew.
struct RebuiltExperiments {
    std::optional<Experiment> uncalibrated{};  // empty if no calibration is in use
    std::optional<Experiment> in_order{};  // nodes in the order `block`; empty if the scenario already has this order
};
/// Rebuilds the experiments of `scenario`; `given` is its own experiment.
RebuiltExperiments rebuild(const scenario::Scenario& scenario, const Experiment& given);

/// Computes the parts. `rebuilt` are the experiments of the scenario of `given`; `event` is the time of `given`. Throws
/// the exceptions of `event_time`, and BadInput as the closed form does. May be called on several threads at once if
/// `event_time` may.
DifferenceParts difference_parts(const Experiment& given, const RebuiltExperiments& rebuilt, WideTime event,
                                 const EventTime& event_time);

// A run whose sweeps do not overlap. Each sweep fills the pipeline in the time of the closed form, and the next one
// begins at the place and time of the closed form. Only the part of a sweep after its fill is simulated, one sweep at a
// time.
//
//   T        = sum over phases of iterations * sum over sweeps of [ Start(until) + stack ]  + T_nonwavefront
//   stack    = finish(far) - Start(far)
//   Start    of analytic/fill.hpp; until is the corner where the next sweep begins, far the last one of the sweep
//   finish   of the sweep alone, by unblocked_run.hpp with the formulas of the closed form: for every tile compute
//            W_pre, receive from W, then from N, compute W, send to E, then to S
//
// The closed form has T_stack in place of `stack`: the messages of an interior rank, all between nodes, for every tile.

/// Returns one sweep of `phase` from `corner`, as every rank's program.
program::Program sweep_program(const program::WavefrontPhase& phase, program::Corner corner, RankGrid grid);

/// Returns the time T of the equations above. `program` must have a closed form that analytic::predict accepts. Throws
/// the exceptions of analytic::predict and unblocked_run.
WideTime serial_sweeps(const program::Program& program, const machine::Machine& machine);

}  // namespace warpfront::tools
