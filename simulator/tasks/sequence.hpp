// A task list under way: which places are done, which tasks may begin, which one a worker takes next. It knows no time.
//
//   candidates     the first places that are not taken, as many as the list's window has. One is ready once its
//                  conditions hold; until then it watches one place that is missing, and looks again when that is
//                  done
//   taking         the first ready candidate; where tasks have preferences the greatest, of equal ones the first. With
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

/// A list has more than kMostTaskPlaces.
class TooManyPlaces : public std::length_error {
public:
    /// `statement`: that of the list, an index into Program::sites.
    explicit TooManyPlaces(std::uint16_t statement)
        : std::length_error("a task list has more than 10^15 places"), site(statement) {}
    std::uint16_t site;
};

class Sequence {
public:
    /// `around`: the indices around the list. `workers`: how many it has. `poll` is called every 65,536 places that are
    /// passed since they have no task; what it throws ends the construction or the call in which it was called. Throws
    /// TooManyPlaces.
    Sequence(const program::TaskLists& lists, const program::TaskNumbers& numbers, std::uint32_t list,
             std::vector<std::int64_t> around, std::uint32_t workers, std::function<void()> poll = {});

    /// The places of such a sequence. Throws TooManyPlaces.
    static std::int64_t count_places(const program::TaskLists& lists, const program::TaskNumbers& numbers,
                                     std::uint32_t list, std::span<const std::int64_t> around);

    const program::TaskList& list() const { return list_; }
    std::uint32_t workers() const { return workers_; }
    bool finished() const { return done_.front() == places_; }
    std::int64_t places() const { return places_; }
    /// All places before it are done.
    std::int64_t front() const { return done_.front(); }

    /// No task is left to be taken; never where shares are fixed.
    bool exhausted() const { return !has_fixed_shares() && next_ == places_ && window_.empty() && returned_.empty(); }

    /// The task of a place, and its indices: those around, of the list, of the task.
    const program::Task& task(std::int64_t place, std::vector<std::int64_t>& indices) const;
    std::uint32_t task_number(std::int64_t place) const;

    /// Places that worker `worker`, from 0, takes now; nothing: none may begin, or none is left.
    std::optional<Chunk> take(std::uint32_t worker);
    /// Whether the conditions of a place that a worker has taken hold; if not, `woken` says when to ask again.
    bool ready(std::int64_t place);
    bool exists(std::int64_t place) const;
    /// A worker that had taken the place does not do it: another one may take it, before all others.
    void give_back(std::int64_t place) { returned_.insert(place); }
    /// The turn of the place that `take` would give first; nothing: none may begin, or shares are fixed.
    std::optional<std::int64_t> next_turn();
    /// The task of the place is done, or there is none.
    void done(std::int64_t place);
    /// No place from it on is a candidate, or has been; never one where shares are fixed.
    std::int64_t behind_window() const { return has_fixed_shares() ? places_ : next_; }
    /// From now on released_by() knows.
    void keep_releases() { keeps_releases_ = true; }
    /// The place whose task was the last that this one waited for; nothing: it never waited. Answers once for a place.
    std::optional<std::int64_t> released_by(std::int64_t place) {
        const auto found = releases_.extract(place);
        return found ? std::optional(found.mapped()) : std::nullopt;
    }
    /// Taken places whose watched place was done since the last call.
    std::vector<std::int64_t> woken() { return std::exchange(woken_, {}); }

    /// A place that may not begin, of those that are next, and what it waits for; for messages.
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
    std::vector<std::int64_t> indices_;  // of the task whose conditions are looked at

    std::int64_t next_ = 0;  // no place from it on is a candidate or taken
    std::set<std::int64_t> returned_;
    std::set<std::int64_t> window_;                                         // candidates
    std::set<std::int64_t> ready_;                                          // those that are ready
    std::unordered_map<std::int64_t, std::vector<std::int64_t>> watching_;  // by a missing place: which look again
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
