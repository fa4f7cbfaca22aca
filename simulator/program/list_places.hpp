// The places of one list of tasks, numbered as in task_lists.hpp. They are computed on request, since a list may be too
// large to store. Only one thread may use them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "simulator/program/task_lists.hpp"

namespace warpfront::program {

/// A function that is called with the positions or places from `first` up to `end`. If it returns true, no further
/// calls follow.
using VisitStretch = std::function<bool(std::int64_t first, std::int64_t end)>;

/// Returns the number of combinations of the indices. A result above kMostTaskPlaces is not exact.
std::int64_t count_of(std::span<const Extent> extents);

/// Sets `indices` to the combination with the number `position`. The last of `extents` varies fastest.
void set_indices(std::span<const Extent> extents, std::int64_t position, std::int64_t* indices);

/// Visits the stretches of positions that the subscripts select within the bounds, until a visit returns true. An index
/// without a subscript takes all values. Returns true if a visit returned true.
bool any_stretch(std::span<const Subscript> subscripts, std::span<const Extent> extents, const TaskNumbers& numbers,
                 std::span<const std::int64_t> indices, const VisitStretch& visit);

class ListPlaces {
public:
    /// The places of one task of the list within one turn, that is, for one combination of the list's indices.
    struct Kind {
        std::uint32_t task = 0;
        std::int64_t offset = 0;  // number of the first place of the task within a turn
        std::int64_t count = 0;
        std::vector<Extent> extents;
    };

    /// `around` contains the indices of the enclosing lists and tasks. `lists` and `numbers` must outlive the object.
    ListPlaces(const TaskLists& lists, const TaskNumbers& numbers, const TaskList& list,
               std::vector<std::int64_t> around);

    const TaskList& list() const { return list_; }
    const std::vector<std::int64_t>& around() const { return around_; }
    /// Returns the number of places of the list. A result above kMostTaskPlaces is not exact.
    std::int64_t count() const { return count_; }
    std::int64_t in_turn() const { return in_turn_; }
    std::uint32_t task_number(std::int64_t place) const { return kind_of(place).task; }
    /// Returns the task of a place. Sets `indices` to `around`, followed by the indices of the list and of the task.
    const Task& task(std::int64_t place, std::vector<std::int64_t>& indices) const;
    bool exists(std::int64_t place) const;
    /// Visits the stretches of places that the condition of a task selects, until a visit returns true. `indices` are
    /// those of the task. Returns true if a visit returned true.
    bool any_stretch(const TaskCondition& condition, std::span<const std::int64_t> indices,
                     const VisitStretch& visit) const;

private:
    const Kind& kind_of(std::int64_t place) const;

    const TaskLists& lists_;
    const TaskNumbers& numbers_;
    const TaskList& list_;
    std::vector<std::int64_t> around_;
    std::vector<Extent> turns_;
    std::vector<Kind> kinds_;
    std::int64_t in_turn_ = 0;
    std::int64_t count_ = 0;
};

}  // namespace warpfront::program
