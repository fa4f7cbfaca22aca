// The times of task lists that ranks run on their cores, as entries of costs (psl::Bindings::list_time).
//
// A list runs alone, on a node of the scenario's machine; a rank has the cores of its node divided by the ranks that a
// node has, at least one. The manager of tasks is that of the machine. Noise is that of the block as a whole, in the
// run.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "simulator/machine/loading/request.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tools {

/// Where there is no machine: one core without a manager.
Time list_time_on_one_core(const program::Program& lists);

class ListTimes {
public:
    explicit ListTimes(machine::MachineRequest machine) : request_(std::move(machine)) {}

    /// Nothing where the machine cannot be built, which building that of the program reports. Throws std::runtime_error
    /// where tasks wait for one another, or a list is too long.
    Time operator()(const program::Program& lists);
    /// How many cores a rank has; nothing where no list was run.
    std::optional<std::uint32_t> cores() const { return machine_ ? std::optional(machine_->cores) : std::nullopt; }
    /// How many cores of a node no rank has.
    std::uint32_t idle() const { return idle_; }

private:
    void build();

    machine::MachineRequest request_;
    bool built_ = false;
    std::optional<machine::Machine> machine_;
    std::uint32_t idle_ = 0;
};

}  // namespace warpfront::tools
