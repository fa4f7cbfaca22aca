// The program as one of several processes: process 0 prints and writes, all end together and with the same status.
#pragma once

#include <functional>

#include "simulator/engine/process_group.hpp"

namespace warpfront::tools {

/// Runs `command` to its exit status in each process; returns the first, by process, that is not 0. What another process
/// than process 0 would print is lost, but for the messages with which it fails where process 0 does not.
int among_processes(engine::ProcessGroup& processes, const std::function<int()>& command);

}  // namespace warpfront::tools
