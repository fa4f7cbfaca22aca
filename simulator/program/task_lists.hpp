// Self-scheduled tasks, as data. A list contains big tasks, which nodes execute. Each task reads records of cluster
// memory, runs lists of small tasks on the cores of its node, and writes records back (Woodward and Anderson, "Portable
// Petaflop/s Programming"). Lists are not expanded: the data are the bounds of their indices.
//
// Order. Tasks have the order of nested loops. The outer loops are the indices of the list, the last one fastest; each
// combination of them is a turn. A turn contains the tasks of the list in the order of the text. Each of them loops
// over its own indices, the last one fastest. Places are numbered in this order from 0. Bounds depend only on the
// indices around a list. So every turn has the same number of places, and a place is found by division. A place whose
// `exists` is 0 has no task.
//
// Numbers. A number that does not depend on indices is known. Any other number is a formula of the indices of all
// enclosing lists and tasks, from the outermost: those of a list, then those of its task, then those of a list within
// that task.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpfront::program {

struct TaskNumber {
    std::int64_t known = 0;                  // the value: picoseconds, bytes, an index, 0 or 1
    std::optional<std::uint32_t> formula{};  // index of a formula that replaces `known`
};

/// The formulas of a program. One object serves one run and one thread.
class TaskFormulas {
public:
    virtual ~TaskFormulas() = default;
    /// Returns the value of a formula. Throws BadInput if the arithmetic of the model fails for these indices.
    virtual std::int64_t value(std::uint32_t formula, std::span<const std::int64_t> indices) = 0;
};

struct TaskIndex {
    std::string name;
    TaskNumber first, last;  // the bounds, both included; no values if last < first
};

/// The values of one index: a list of numbers, or the range from the first number to the second.
struct Subscript {
    std::vector<TaskNumber> numbers;
    bool is_range = false;
};

/// Tasks of the same list that must be done before a task begins. The subscripts are for the indices of the list, then
/// for those of `task`. An index without a subscript takes all values. Values out of bounds select no task.
struct TaskCondition {
    std::uint32_t task = 0;
    std::vector<Subscript> subscripts;
    std::uint16_t site = 0;
};

/// One step of a task. A task executes its steps one after another.
struct TaskStep {
    enum class Form : std::uint8_t { compute, list, read, write };
    Form form = Form::compute;
    std::uint16_t site = 0;
    std::uint32_t operand = 0;            // index of the list or of the record
    TaskNumber amount{};                  // duration of a compute step in picoseconds
    std::vector<Subscript> subscripts{};  // elements of the record that a read or write step accesses
};

struct Task {
    std::string name;
    std::vector<TaskIndex> indices;
    TaskNumber exists{1, {}};
    /// if workers choose among tasks, the task with the greatest value wins; the last index of the formula is the
    /// worker
    std::optional<TaskNumber> preference{};
    std::vector<TaskCondition> after{};
    std::vector<TaskStep> steps{};
    /// number of steps at the beginning, all reads, that are executed ahead of the task
    std::uint32_t prefetched = 0;
    /// number of steps at the end, all writes, that are executed while the worker continues
    std::uint32_t written_behind = 0;
    std::uint16_t site = 0;
};

/// The rule for the number of tasks that a worker takes at once. In the rules, R is the number of tasks left in a turn,
/// P the number of workers that take tasks, and N the number of places of a turn.
struct Take {
    enum class Rule : std::uint8_t {
        chunk,      // a given number of tasks
        guided,     // ceil(R / P) tasks
        factoring,  // batches of P chunks of ceil(R / 2P) tasks each
        trapezoid,  // chunks from ceil(N / 2P) tasks linearly down to one (Tzen and Ni 1993)
        fixed,      // worker w of P takes the places from w N / P up to (w + 1) N / P
    };
    Rule rule = Rule::chunk;
    std::int64_t chunk = 1;
};

struct TaskList {
    std::string name;
    /// True if the workers are nodes. False if they are the cores of the enclosing task's node, or of all nodes.
    bool on_nodes = false;
    std::vector<TaskIndex> indices;
    std::int64_t ahead = 0;   // tasks that a worker takes in addition to the one that it computes
    std::int64_t window = 1;  // workers choose among at most this many tasks, the first ones that are not taken
    Take take;
    std::vector<std::uint32_t> tasks;  // indices of the list's tasks, in the order of the text
    std::uint16_t site = 0;
};

/// A record of cluster memory, or an array of records if it has indices.
struct TaskRecord {
    std::string name;
    std::vector<TaskIndex> indices;
    TaskNumber bytes;
    bool given = false;  // true if the record exists from the beginning
    std::uint16_t site = 0;
};

struct TaskLists {
    std::vector<std::uint32_t> order;  // the outermost lists, in the order of execution
    std::vector<TaskList> lists;
    std::vector<Task> tasks;
    std::vector<TaskRecord> records;
    std::function<std::unique_ptr<TaskFormulas>()> formulas;  // creates the formulas; empty if all numbers are known
};

/// The largest number of places of a list, about 10^15.
inline constexpr std::int64_t kMostTaskPlaces = std::int64_t{1} << 50;

/// The values of an index: `count` values from `first` on. The count is at most 2^63 - 1.
struct Extent {
    std::int64_t first = 1;
    std::int64_t count = 0;
};

/// Evaluates the numbers of lists, which are constants or formulas. Only one thread may use it.
class TaskNumbers {
public:
    explicit TaskNumbers(const TaskLists& lists) {
        if (lists.formulas) formulas_ = lists.formulas();
    }
    std::int64_t operator()(const TaskNumber& number, std::span<const std::int64_t> indices) const {
        return number.formula ? formulas_->value(*number.formula, indices) : number.known;
    }
    std::vector<Extent> extents(const std::vector<TaskIndex>& indices, std::span<const std::int64_t> around) const {
        std::vector<Extent> extents;
        for (const TaskIndex& index : indices) {
            const std::int64_t first = (*this)(index.first, around);
            const std::int64_t last = (*this)(index.last, around);
            const std::uint64_t beyond_first = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
            constexpr auto kMost = std::uint64_t{std::numeric_limits<std::int64_t>::max()};
            extents.push_back(
                {first, last < first ? 0 : static_cast<std::int64_t>(std::min(beyond_first, kMost - 1) + 1)});
        }
        return extents;
    }

private:
    std::unique_ptr<TaskFormulas> formulas_;
};

}  // namespace warpfront::program
