// Lowers a model, or reads traces, for given hardware, and finds the messages of the program. The machine is built for
// these messages.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "psl/psl.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/build.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/trace/read_run.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tools {

struct Lowered {
    std::optional<program::Program> program;    // empty after an error of the model or the traces
    std::optional<psl::Model> model;            // empty for traces, or after an error
    std::vector<input::SourceFilePtr> sources;  // files of the model or of the traces
    input::Diagnostics faults;  // includes errors of the placement, if the model needs the places of ranks
};

/// Reads the traces of a scenario from the files `run`, or lowers its model for the hardware. The calibration of the
/// hardware is not applied. Analytic regions take the time of the closed form, as with the engine `analytic`. Lists
/// that ranks run take the time on the cores of a rank. If `hardware` is null because it has errors, both times are
/// zero.
Lowered lower(const scenario::Scenario& scenario, const trace::RunFiles& run, machine::Hardware* hardware);

/// Returns the request for a machine with the scenario's ranks. It refers to `program`. Without a program, the machine
/// has no routes. This suffices for task lists, which use only cores and nodes.
machine::RankRequest rank_request(const scenario::Scenario& scenario, const program::Program* program);

/// Calls `visit` with the sender and the receiver of every channel of the program.
void visit_channels(const program::Program& program, const std::function<void(Rank, Rank)>& visit);
/// Calls `visit` with every pair of ranks that exchange messages, on a channel of the program or in an allreduce. If a
/// closed form charges all messages of the program, every pair of neighbours is visited instead.
void visit_pairs(const program::Program& program, const std::function<void(Rank, Rank)>& visit);
/// Returns all different sizes of messages, descending.
std::vector<Bytes> sizes_of(const program::Program& program);

/// Returns the time of a list on one core, without a manager and without a machine.
Time list_time_on_one_core(const program::Program& lists);

/// The times of task lists that ranks run on their cores. They are costs of the model (psl::Bindings::list_time). A
/// list runs alone, on a node of the machine. A rank has the cores of its node divided by the number of ranks on a
/// node, but at least one. The machine's manager of tasks applies. Noise applies to the list as one block, during the
/// run.
class ListTimes {
public:
    explicit ListTimes(machine::Machine machine);

    /// Returns the time of a list. Throws std::runtime_error if tasks wait for each other, or if a list is too long.
    Time operator()(const program::Program& lists) const;
    /// Describes how many cores a rank has, for the user.
    std::string note() const;

private:
    machine::Machine machine_;
    std::uint32_t idle_ = 0;  // number of cores of a node without a rank
};

}  // namespace warpfront::tools
