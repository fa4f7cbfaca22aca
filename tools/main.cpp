#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include "tools/command_line.hpp"
#include "tools/launched_processes.hpp"

int main(int argc, char** argv) try {
    const warpfront::tools::LaunchedProcesses launched;
    return warpfront::tools::command_line(argc, argv, launched.group());
} catch (const std::exception& fault) {
    fmt::print(stderr, "internal fault: {}\n", fault.what());
    return 3;
}
