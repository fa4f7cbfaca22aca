// Task lists written out for a run on SimGrid: each pass through a list, and each task with its conditions, computing
// and transfers. So the actors evaluate no formula, and share nothing with simulator/tasks, which finds tasks by
// division and their conditions by intervals.
//
// A place is the position of a task in its list, from 0, as simulator/program/task_lists.hpp counts them. A place whose
// `exists` is 0 has no task: nothing waits for it.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::reference {

inline constexpr std::uint64_t kMostReferenceTasks = 1'000'000;  // of all lists written out

/// One item of a record, to or from its server.
struct ItemTransfer {
    std::size_t item = 0;  // of its record
    Bytes bytes;
};

struct ExpandedStep {
    const program::TaskStep* step = nullptr;
    Time compute{};
    std::uint32_t list = 0;                 // of ExpandedTasks::lists
    std::vector<ItemTransfer> transfers{};  // of a read or a write
};

struct Places {
    std::int64_t first = 0;
    std::int64_t end = 0;
};

struct ExpandedTask {
    std::uint32_t number = 0;  // in program::TaskLists::tasks
    bool exists = true;
    std::vector<std::int64_t> indices{};
    std::uint64_t stream = 0;  // variation/task_streams.hpp
    std::vector<Places> after{};
    std::vector<ExpandedStep> steps{};
};

/// One pass through a list, its turns one after another.
struct ExpandedList {
    const program::TaskList* list = nullptr;
    std::vector<ExpandedTask> tasks{};  // by place
    std::int64_t in_turn = 0;           // places
};

struct ExpandedTasks {
    std::vector<std::uint32_t> order;  // the outermost lists, one after another
    std::vector<ExpandedList> lists;
    std::vector<std::size_t> items;           // by record
    Bytes largest;                            // of the items moved
    std::vector<std::vector<Rank>> cores_of;  // by node, by core
};

/// Returns the places that a worker of this many takes at once, request after request, if that depends on the worker
/// alone: shares are fixed, or there is one worker.
std::vector<Places> requests_of(const ExpandedList& list, std::uint32_t worker, std::uint32_t workers);

/// Expands the lists. Throws BadInput at `range` if free workers compete for the tasks of a list (tasks_unknown), or if
/// there are too many tasks (reference_limits); BadInput if a formula fails.
ExpandedTasks expand(const program::Program& program, const machine::Machine& machine, const input::SourceRange& range);

}  // namespace warpfront::reference
