// The difference between the time of the event engine and that of the closed form, in named parts. The parts add up to
// the difference, exact to the picosecond.
//
// A chain of runs leads from the event engine to the closed form. Each run switches off one effect, in addition to
// those that earlier runs have switched off. The part with the name of the effect is the time before minus the time
// after. So the size of a part depends on the order of the effects:
//
//   event           as given; with several seeds the mean of their times, rounded down
//   - calibration   without the terms that were fitted to measured runs, including the calibration's noise
//   - noise         every block takes its nominal time, and ranks are identical
//   - placement     the nodes have the order `block`, and any two of them have the distance that L includes
//   - links         not shared
//   - nic           not shared
//   - bus           neither the bus nor message processing is shared; the part is the simulated effect minus the closed
//                   form's term for the bus
//   - memory        not shared; the part is the simulated effect minus the closed form's term
//   - wires         any two nodes have the bandwidth of the slowest wire of the machine, as in the closed form
//   - eager         messages of every size have the protocol of their row; unexpected messages have no additional cost
//   - back_pressure senders wait neither for receivers nor at an eager limit (unblocked_run.hpp). The part is zero if
//                   all messages are eager and no limit is set
//   - messages      receives and allreduces take their times from the closed form: it charges an eager receive L even
//                   if the message has already arrived, and an allreduce by a formula
//   - overlap       a sweep begins at the time of the closed form, when fill and stack of the previous sweep have ended
//                   (below). Operations between sweeps, such as the exchanges of LU's stencil, take their full time
//   - stack         every tile after the fill takes its time from the closed form: the messages of an interior rank,
//                   all between nodes
//   = closed form   without its terms for bus and memory, which the parts of these names contain
// Resources are removed from the network towards the rank. So the effect of a resource is measured while resources
// nearer to the rank are still shared. All times are whole picoseconds, and only the first may be a mean, so there are
// no rounding errors. If a change has no effect, its run is omitted and its part is zero.
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

/// Returns the time of an experiment by the event engine.
using EventTime = std::function<WideTime(const Experiment&)>;

/// Experiments of the chain that are built again from the scenario.
struct RebuiltExperiments {
    std::optional<Experiment> uncalibrated{};  // empty if no calibration is used
    std::optional<Experiment> in_order{};  // nodes in the order `block`; empty if the scenario already has this order
};
/// Builds these experiments. `given` is the experiment of `scenario`.
RebuiltExperiments rebuild(const scenario::Scenario& scenario, const Experiment& given);

/// Computes the parts. `given` is the experiment of the scenario, `event` its time, and `rebuilt` the other experiments
/// of the scenario. Throws the exceptions of `event_time`, and BadInput like the closed form. Several threads may call
/// this function at once if `event_time` permits it.
DifferenceParts difference_parts(const Experiment& given, const RebuiltExperiments& rebuilt, WideTime event,
                                 const EventTime& event_time);

// A run in which sweeps do not overlap. Each sweep fills the pipeline in the time of the closed form. The next sweep
// begins at the corner and the time of the closed form. Only the rest of a sweep, after the fill, is simulated, one
// sweep at a time.
//
//   T        = sum over phases of iterations * sum over sweeps of [ Start(until) + stack ]  + T_nonwavefront
//   stack    = finish(far) - Start(far)
//   Start    from analytic/fill.hpp; `until` is the corner where the next sweep begins, `far` the sweep's last corner
//   finish   from unblocked_run.hpp, for the sweep alone with the formulas of the closed form. For every tile, a rank
//            computes W_pre, receives from W and then from N, computes W, and sends to E and then to S
//
// In the closed form, T_stack replaces `stack`. T_stack contains the messages of an interior rank, all between nodes,
// for every tile.

/// Returns a program that performs one sweep of `phase` from `corner`.
program::Program sweep_program(const program::WavefrontPhase& phase, program::Corner corner, RankGrid grid);

/// Returns the time T of the equations above. `program` must have a closed form that analytic::predict accepts. Throws
/// the exceptions of analytic::predict and unblocked_run.
WideTime serial_sweeps(const program::Program& program, const machine::Machine& machine);

}  // namespace warpfront::tools
