// A plain simulation of task lists, with which random lists are compared. Lists are written out task by task, with the
// places that each waits for; every event scans all workers of all lists. It shares only the data of lists, and the
// formulas in it, with simulator/tasks. It has neither noise nor absence, and no places beyond what memory holds.
#pragma once

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "tests/preamble.hpp"

namespace warpfront::test {

/// Runs the lists. The result has the finish, and of record::TaskUse the tasks, the bytes, the updates and the margins
/// of tasks fetched ahead; `compute` is by rank.
struct PlainRun {
    std::int64_t finish = 0;  // picoseconds
    std::vector<std::int64_t> compute;
    record::TaskUse use;
};
PlainRun plain_run(const program::Program& program, const machine::Machine& machine);

}  // namespace warpfront::test
