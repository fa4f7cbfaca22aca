// The times of task lists that ranks run on their cores, as entries of costs (psl::Bindings::list_time).
//
// A list runs alone, on a node of the scenario's machine. A rank has the cores of its node divided by the number of
// ranks on a node, at least one. The manager of tasks is that of the machine. Noise applies to the block as a whole,
// during the run.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "simulator/machine/loading/request.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tools {

/// Returns the time of a list without a machine: on one core without a manager.
Time list_time_on_one_core(const program::Program& lists);

class ListTimes {
public:
    explicit ListTimes(machine::MachineRequest machine) : request_(std::move(machine)) {}

    /// Returns the time of a list. Returns a zero time if the machine cannot be built; building the machine of the
    /// program reports the fault. Throws std::runtime_error if tasks wait for one another, or a list is too long.
    Time operator()(const program::Program& lists);
    /// Returns the cores of a rank; nothing if no list was run.
    std::optional<std::uint32_t> cores() const { return machine_ ? std::optional(machine_->cores) : std::nullopt; }
    /// Returns the number of cores of a node that no rank has.
    std::uint32_t idle() const { return idle_; }

private:
    void build();

    machine::MachineRequest request_;
    bool built_ = false;
    std::optional<machine::Machine> machine_;
    std::uint32_t idle_ = 0;
};

}  // namespace warpfront::tools
