// An active task list: the places that are done, the tasks that may begin, and the next task of a worker. A sequence
// has no notion of time.
//
//   candidates     the first places that are not taken, at most as many as the list's window. A candidate is ready once
//                  its conditions hold. Until then it watches one place that is missing, and is examined again when
//                  that place is done
//   taking         a worker takes the first ready candidate. If tasks have preferences, it takes the one with the
//                  greatest preference, and the first of those if several are equal. If the rule takes several tasks
//                  at once, the worker also takes the following places, at most to the end of the turn, whether they
//                  are ready or not
//   fixed shares   each worker has places of its own in every turn, whether they are ready or not
//
// Used by one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/program/list_places.hpp"
#include "simulator/tasks/done_places.hpp"

namespace warpfront::tasks {

using SequenceId = std::uint32_t;

/// The places from `next` up to `end`, which a worker has taken and not yet begun.
struct Chunk {
    std::int64_t next = 0;
    std::int64_t end = 0;
    bool empty() const { return next == end; }
};

/// An exception for a list with more than kMostTaskPlaces.
class TooManyPlaces : public std::length_error {
public:
    /// Stores the statement of the list, an index into Program::sites.
    explicit TooManyPlaces(std::uint16_t statement)
        : std::length_error("a task list has more than 10^15 places"), site(statement) {}
    std::uint16_t site;
};

/// Returns the number of places. Throws TooManyPlaces.
std::int64_t checked_count(const program::ListPlaces& places);

class Sequence {
public:
    /// Makes the sequence. `around` are the indices of the enclosing lists and tasks. `poll` is called every 65,536
    /// places that are skipped because they have no task; if it throws, the construction or the current call ends.
    /// Throws TooManyPlaces.
    Sequence(const program::TaskLists& lists, const program::TaskNumbers& numbers, std::uint32_t list,
             std::vector<std::int64_t> around, std::uint32_t workers, std::function<void()> poll = {});

    const program::TaskList& list() const { return places_.list(); }
    std::uint32_t workers() const { return workers_; }
    bool finished() const { return done_.front() == places(); }
    std::int64_t places() const { return places_.count(); }
    /// Returns the front: all places before it are done.
    std::int64_t front() const { return done_.front(); }

    /// Returns true if no task is left to be taken. Always returns false for a list with fixed shares.
    bool exhausted() const { return !has_fixed_shares() && next_ == places() && window_.empty() && returned_.empty(); }

    const program::Task& task(std::int64_t place, std::vector<std::int64_t>& indices) const {
        return places_.task(place, indices);
    }
    std::uint32_t task_number(std::int64_t place) const { return places_.task_number(place); }
    bool exists(std::int64_t place) const { return places_.exists(place); }

    /// Returns the places that the worker (numbered from 0) takes now. Returns nothing if no place is ready, or none is
    /// left.
    std::optional<Chunk> take(std::uint32_t worker);
    /// Returns true if the conditions of a place that a worker has taken are true. Otherwise the call must be repeated
    /// when `woken` returns the place.
    bool ready(std::int64_t place);
    /// Gives back a place that its worker does not execute. Workers take this place before all other places.
    void give_back(std::int64_t place) { returned_.insert(place); }
    /// Returns the turn of the first place that `take` would return. Returns nothing if no place is ready, or if shares
    /// are fixed.
    std::optional<std::int64_t> next_turn();
    /// Marks the place as done: its task is done, or there is none.
    void done(std::int64_t place);
    /// Returns the end of the window: the first place that has not yet been a candidate. Returns the number of places
    /// if shares are fixed.
    std::int64_t behind_window() const { return has_fixed_shares() ? places() : next_; }
    /// Begins to store the data that released_by() returns.
    void keep_releases() { keeps_releases_ = true; }
    /// Returns the place of the last task for which this place waited. Returns nothing if it never waited, and for
    /// every further call with the same place.
    std::optional<std::int64_t> released_by(std::int64_t place) {
        const auto found = releases_.extract(place);
        return found ? std::optional(found.mapped()) : std::nullopt;
    }
    /// Returns the taken places that may have become ready since the last call, because the place that they watch is
    /// done.
    std::vector<std::int64_t> woken() { return std::exchange(woken_, {}); }

    /// A place whose task may not begin, and the place for which it waits, for messages to the user.
    struct Blocked {
        std::int64_t place;
        std::int64_t missing;
    };
    std::optional<Blocked> blocked() const;

private:
    bool has_fixed_shares() const { return list().take.rule == program::Take::Rule::fixed; }
    void fill();
    void look(std::int64_t place);
    std::optional<std::int64_t> missing(std::int64_t place);
    std::int64_t chunk_size(std::int64_t place);
    std::optional<Chunk> fixed_share(std::uint32_t worker);
    std::int64_t choose(std::uint32_t worker) const;

    const program::TaskLists& lists_;
    const program::TaskNumbers& numbers_;
    program::ListPlaces places_;
    std::uint32_t workers_;
    std::function<void()> poll_;
    bool has_preferences_ = false;
    std::vector<std::int64_t> indices_;  // indices of the task whose conditions are being evaluated

    std::int64_t next_ = 0;  // the first place that is neither taken nor has been a candidate
    std::set<std::int64_t> returned_;
    std::set<std::int64_t> window_;  // the candidates
    std::set<std::int64_t> ready_;   // the candidates that are ready
    std::unordered_map<std::int64_t, std::vector<std::int64_t>>
        watching_;  // by missing place: the places that watch it
    DonePlaces done_;
    std::vector<std::int64_t> woken_;
    bool keeps_releases_ = false;
    std::unordered_map<std::int64_t, std::int64_t> releases_;  // by place
    std::int64_t batch_left_ = 0;                              // factoring: chunks that are left in the batch
    std::int64_t batch_size_ = 0;                              // factoring: places of each chunk of the batch
    std::int64_t batch_turn_ = -1;                             // factoring and trapezoid: turn of the latest chunk
    std::int64_t chunks_ = 0;                                  // trapezoid: chunks taken in this turn
    std::vector<std::int64_t> fixed_turn_;                     // by worker: the turn of its next share
};

}  // namespace warpfront::tasks
