// From a model or traces, and the hardware, to a program; and the messages of a program, for the machine.
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
    std::optional<program::Program> program;    // nothing after a fault of the model or the traces
    std::optional<psl::Model> model;            // empty for traces, or after a fault
    std::vector<input::SourceFilePtr> sources;  // files of the model or the traces
    input::Diagnostics faults;  // including those of ranks that cannot be placed, if the model needs their places
};

/// Reads the traces of a scenario from the files `run`, or lowers its model for the hardware. The calibration of the
/// hardware is not applied. Analytic regions take the time of the closed form on it, as in the engine `analytic`; lists
/// that ranks run take the time of their cores. If `hardware` is null because it has faults, such times are zero.
Lowered lower(const scenario::Scenario& scenario, const trace::RunFiles& run, machine::Hardware* hardware);

/// Returns the request for the machine of the scenario's ranks. A null program gives no routes, which is enough for
/// task lists: they use only cores and nodes. The request refers to the program.
machine::RankRequest rank_request(const scenario::Scenario& scenario, const program::Program* program);

/// Calls `visit` with the sender and the receiver of every channel of the program.
void visit_channels(const program::Program& program, const std::function<void(Rank, Rank)>& visit);
/// Calls `visit` with every pair of ranks that a channel of the program or a step of its allreduce joins. If a closed
/// form charges all messages of the program, it visits every pair of neighbours instead.
void visit_pairs(const program::Program& program, const std::function<void(Rank, Rank)>& visit);
/// Returns the sizes of all messages, each once, descending.
std::vector<Bytes> sizes_of(const program::Program& program);

/// Returns the time of a list without a machine: on one core without a manager.
Time list_time_on_one_core(const program::Program& lists);

/// The times of task lists that ranks run on their cores, as entries of costs (psl::Bindings::list_time). A list runs
/// alone, on a node of the machine. A rank has the cores of its node divided by the number of ranks on a node, at least
/// one. The manager of tasks is that of the machine. Noise applies to the block as a whole, during the run.
class ListTimes {
public:
    explicit ListTimes(machine::Machine machine);

    /// Returns the time of a list. Throws std::runtime_error if tasks wait for one another, or a list is too long.
    Time operator()(const program::Program& lists) const;
    /// Describes the cores of a rank.
    std::string note() const;

private:
    machine::Machine machine_;
    std::uint32_t idle_ = 0;  // number of cores of a node without a rank
};

}  // namespace warpfront::tools
