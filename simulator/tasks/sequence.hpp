// An active task list: the places that are done, the tasks that may begin, the next task of a worker. It does not use
// time.
//
//   candidates     the first places that are not taken, as many as the list's window has. One is ready once its
//                  conditions hold; until then it watches one place that is missing, and looks again when that is
//                  done
//   taking         the first ready candidate; if tasks have preferences the greatest, of equal ones the first. With
//                  a rule other than one at a time the places behind it, to the end of the turn, as the rule has it
//   fixed shares   each worker has places of its own in every turn, whether ready or not, as in the rest of a chunk
//
// Used by one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/program/task_lists.hpp"
#include "simulator/tasks/done_places.hpp"

namespace warpfront::tasks {

using program::Extent;

using SequenceId = std::uint32_t;

/// Places from `next` up to `end` that a worker has taken and not begun.
struct Chunk {
    std::int64_t next = 0;
    std::int64_t end = 0;
    bool empty() const { return next == end; }
};

/// An exception for a list with more than kMostTaskPlaces.
class TooManyPlaces : public std::length_error {
public:
    /// Stores `statement`, that of the list, an index into Program::sites.
    explicit TooManyPlaces(std::uint16_t statement)
        : std::length_error("a task list has more than 10^15 places"), site(statement) {}
    std::uint16_t site;
};

class Sequence {
public:
    /// Makes the sequence. `around` are the indices around the list, `workers` is the number of its workers. `poll` is
    /// called every 65,536 places that are skipped since they have no task; an exception of it ends the construction or
    /// the current call. Throws TooManyPlaces.
    Sequence(const program::TaskLists& lists, const program::TaskNumbers& numbers, std::uint32_t list,
             std::vector<std::int64_t> around, std::uint32_t workers, std::function<void()> poll = {});

    /// Returns the number of places of such a sequence. Throws TooManyPlaces.
    static std::int64_t count_places(const program::TaskLists& lists, const program::TaskNumbers& numbers,
                                     std::uint32_t list, std::span<const std::int64_t> around);

    const program::TaskList& list() const { return list_; }
    std::uint32_t workers() const { return workers_; }
    bool finished() const { return done_.front() == places_; }
    std::int64_t places() const { return places_; }
    /// Returns the front: all places before it are done.
    std::int64_t front() const { return done_.front(); }

    /// Returns true if no task is left to be taken; never if shares are fixed.
    bool exhausted() const { return !has_fixed_shares() && next_ == places_ && window_.empty() && returned_.empty(); }

    /// Returns the task of a place, and its indices: the enclosing ones, those of the list, those of the task.
    const program::Task& task(std::int64_t place, std::vector<std::int64_t>& indices) const;
    std::uint32_t task_number(std::int64_t place) const;

    /// Returns the places that worker `worker`, from 0, takes now; nothing if none may begin, or none is left.
    std::optional<Chunk> take(std::uint32_t worker);
    /// Returns true if the conditions of a place that a worker has taken hold; if not, `woken` reports when to repeat
    /// the call.
    bool ready(std::int64_t place);
    bool exists(std::int64_t place) const;
    /// Gives back a place that its worker does not execute: another worker may take it, before all others.
    void give_back(std::int64_t place) { returned_.insert(place); }
    /// Returns the turn of the place that `take` would return first; nothing if none may begin, or shares are fixed.
    std::optional<std::int64_t> next_turn();
    /// Marks the place as done: its task is done, or there is none.
    void done(std::int64_t place);
    /// Returns the place from which on no place is or has been a candidate; the number of places if shares are fixed.
    std::int64_t behind_window() const { return has_fixed_shares() ? places_ : next_; }
    /// Stores from now on the releases that released_by() returns.
    void keep_releases() { keeps_releases_ = true; }
    /// Returns the place whose task was the last that this one waited for; nothing if it never waited. Returns it only
    /// once for a place.
    std::optional<std::int64_t> released_by(std::int64_t place) {
        const auto found = releases_.extract(place);
        return found ? std::optional(found.mapped()) : std::nullopt;
    }
    /// Returns taken places whose watched place was done since the last call.
    std::vector<std::int64_t> woken() { return std::exchange(woken_, {}); }

    /// A next place that may not begin, and the place that it waits for; for messages.
    struct Blocked {
        std::int64_t place;
        std::int64_t missing;
    };
    std::optional<Blocked> blocked() const;

private:
    struct Kind {
        std::uint32_t task = 0;
        std::int64_t offset = 0;  // of its first place in a turn
        std::int64_t count = 0;
        std::vector<Extent> extents;
    };

    bool has_fixed_shares() const { return list_.take.rule == program::Take::Rule::fixed; }
    const Kind& kind_of(std::int64_t in_turn) const;
    void decode(std::int64_t place, const Kind& kind, std::vector<std::int64_t>& indices) const;
    void fill();
    void look(std::int64_t place);
    std::optional<std::int64_t> missing(std::int64_t place);
    std::optional<std::int64_t> missing(const program::TaskCondition& condition, std::span<const std::int64_t> indices);
    std::int64_t chunk_size(std::int64_t place);
    std::optional<Chunk> fixed_share(std::uint32_t worker);
    std::int64_t choose(std::uint32_t worker) const;

    const program::TaskLists& lists_;
    const program::TaskNumbers& numbers_;
    const program::TaskList& list_;
    std::vector<std::int64_t> around_;
    std::uint32_t workers_;
    std::function<void()> poll_;
    std::vector<Extent> extents_;  // of the list
    std::vector<Kind> kinds_;
    std::int64_t in_turn_ = 0;  // places
    std::int64_t places_ = 0;   // of all turns
    bool has_preferences_ = false;
    std::vector<std::int64_t> indices_;  // of the task whose conditions are being evaluated

    std::int64_t next_ = 0;  // no place from it on is a candidate or taken
    std::set<std::int64_t> returned_;
    std::set<std::int64_t> window_;                                         // the candidates
    std::set<std::int64_t> ready_;                                          // the candidates that are ready
    std::unordered_map<std::int64_t, std::vector<std::int64_t>> watching_;  // by a missing place: the places to be
                                                                            // examined again
    DonePlaces done_;
    std::vector<std::int64_t> woken_;
    bool keeps_releases_ = false;
    std::unordered_map<std::int64_t, std::int64_t> releases_;  // by place
    std::int64_t batch_left_ = 0;                              // factoring: chunks of this size to come
    std::int64_t batch_size_ = 0;                              // factoring and trapezoid: of the latest chunk
    std::int64_t batch_turn_ = -1;                             // of both
    std::int64_t chunks_ = 0;                                  // trapezoid: in this turn
    std::vector<std::int64_t> fixed_turn_;                     // by worker: the turn of its next share
};

}  // namespace warpfront::tasks
