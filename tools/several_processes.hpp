// The program as one of several processes: process 0 prints and writes, all end together and with the same status.
#pragma once

#include <functional>

#include "tools/launched_processes.hpp"

namespace warpfront::tools {

/// Runs `command` to its exit status in each process; where they have joined each other, returns the first, by process, that
/// is not 0. What another process than process 0 would print is lost, but for the messages with which it fails where
/// process 0 does not.
int among_processes(const LaunchedProcesses& launched, const std::function<int()>& command);

}  // namespace warpfront::tools
