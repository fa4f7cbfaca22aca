#include "tools/experiment/list_times.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "simulator/machine/loading/build.hpp"
#include "simulator/tasks/run.hpp"

namespace warpfront::tools {

Time ListTimes::operator()(const program::Program& lists) {
    if (!std::exchange(built_, true)) build();
    if (!machine_) return {};
    program::Program alone = lists;
    alone.grid.columns = machine_->cores;
    try {
        return Time{static_cast<std::int64_t>(tasks::run(alone, *machine_, {}).finish.ps)};
    } catch (const std::length_error& size) {
        throw std::runtime_error(size.what());
    }
}

void ListTimes::build() {
    try {
        machine_ = machine::build(request_).machine;
    } catch (const input::BadInput&) {
        return;
    }
    machine_->cores = std::max(machine_->cores / machine_->placement.patch.ranks(), 1U);
    machine_->placement = machine::cut(RankGrid{{machine_->cores, 1, 1}}, machine::Patch{{machine_->cores, 1, 1}});
}

}  // namespace warpfront::tools
