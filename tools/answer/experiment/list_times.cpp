#include "tools/answer/experiment/list_times.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "simulator/machine/loading/build.hpp"
#include "simulator/tasks/run.hpp"

namespace warpfront::tools {

namespace {

Time time_on(const machine::Machine& machine, program::Program lists) {
    lists.grid.columns = machine.cores;
    try {
        return Time{static_cast<std::int64_t>(tasks::run(lists, machine, {}).finish.ps)};
    } catch (const std::length_error& size) {
        throw std::runtime_error(size.what());
    }
}

}  // namespace

Time list_time_on_one_core(const program::Program& lists) {
    machine::Machine machine;
    machine.placement = machine::cut(RankGrid{{1, 1, 1}}, machine::Patch{{1, 1, 1}});
    return time_on(machine, lists);
}

Time ListTimes::operator()(const program::Program& lists) {
    if (!std::exchange(built_, true)) build();
    return machine_ ? time_on(*machine_, lists) : Time{};
}

void ListTimes::build() {
    try {
        machine_ = machine::build(request_).machine;
    } catch (const input::BadInput&) {
        return;
    }
    const std::uint32_t ranks = machine_->placement.patch.ranks();
    idle_ = machine_->cores % ranks;
    machine_->cores = std::max(machine_->cores / ranks, 1U);
    machine_->placement = machine::cut(RankGrid{{machine_->cores, 1, 1}}, machine::Patch{{machine_->cores, 1, 1}});
}

}  // namespace warpfront::tools
