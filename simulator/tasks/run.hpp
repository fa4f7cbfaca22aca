// A run of task lists on a machine: the time of every task, and what cores wait for.
//
//   worker    a node, or a core of it. Takes tasks of its list as they may begin: of workers that ask at the same time
//             the one of the lowest number first, of tasks the one that comes first in the list. Holds the task that it
//             computes, and `ahead` more, of which it takes one once the records of the one before are there; a node no
//             more than its buffers hold, those that are written back counted
//   request   the manager of the list serves one after another, `service` each; then the worker takes `overhead`. One
//             for each chunk
//   task      its records are read, then it computes: blocks one after another, and lists for the cores of its node,
//             each until all its tasks are done; then its records are written, while the worker goes on. It is done,
//             and its records are there for others, when the last has been written
//   absence   a core that goes ends the tasks that it has taken. A node that is lost loses what it has taken: these
//             tasks are taken before all others, by the next workers that ask, those included whose records are not all
//             written. So every task is done once, and its records are there once, whichever node was lost
//   ties      at one time first all that ends, by worker; then tasks are taken, in lists within tasks before those
//             around them
//
// Compute blocks vary as those of ranks do (variation/noise.hpp), with a stream for each core and task. Everything is
// stepped by one thread, so nothing depends on their number.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/random.hpp"
#include "simulator/variation/availability.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::tasks {

/// How far a run is: of the places of its outermost lists.
struct Progress {
    Time simulated;
    std::int64_t done = 0;
    std::int64_t places = 0;
};

struct Options {
    variation::Noise noise{};
    Seed seed{};
    variation::Availability availability{};
    std::function<void(const Progress&)> poll{};  // called every few thousand events; ends the run by what it throws
    bool path = false;                            // wanted: TaskUse::path
    std::optional<record::TimelineWindow> timeline{};  // wanted of these cores: computing, else waiting
};

/// Tasks wait for one another, or read what nothing has written; what() names them, with their places in the model.
class Stuck : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The cores of the machine are those on which ranks stand: each rank is a core. Throws Stuck; std::length_error for
/// lists of more than 10^15 places; std::overflow_error beyond kHorizon; BadInput where a formula fails.
record::Record run(const program::Program& program, const machine::Machine& machine, const Options& options);

}  // namespace warpfront::tasks
