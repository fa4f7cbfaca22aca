#include "simulator/program/task_order.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "simulator/program/list_places.hpp"

namespace warpfront::program {

namespace {

using Place = std::int64_t;

constexpr Place kMostPlaces = 1'000;         // places of a list that are examined, from its beginning
constexpr std::size_t kMostInner = 10'000;   // places and steps of lists within tasks that are examined in total
constexpr std::size_t kMostNamed = 64;       // tasks selected by a condition whose own conditions are examined
constexpr std::size_t kMostTried = 1'000;    // tasks selected by a condition that are examined, from the last one
constexpr std::size_t kMostSteps = 100'000;  // steps from a place to a place for which it waits
constexpr std::size_t kLongestChain = 1'000;

/// One list, for given indices of the enclosing lists and tasks.
class Order {
public:
    Order(const TaskLists& lists, const TaskNumbers& numbers, const TaskList& list, std::vector<std::int64_t> around)
        : lists_(lists), list_(list), all_(lists, numbers, list, std::move(around)) {
        if (all_.count() > kMostTaskPlaces) return;
        for (Place place = 0; place < std::min(all_.count(), kMostPlaces); ++place) {
            if (all_.exists(place)) places_.push_back(place);
        }
    }

    /// Returns those of the first kMostPlaces places that have a task.
    const std::vector<Place>& places() const { return places_; }
    /// Returns the number of places that were examined, including those without a task, plus the number of steps.
    std::size_t looked_at() const { return static_cast<std::size_t>(std::min(all_.count(), kMostPlaces)) + steps_; }

    std::optional<EndlessWait> endless_wait() {
        const bool is_strict = list_.window == 1 && list_.take.rule == Take::Rule::chunk && list_.take.chunk == 1;
        for (const Place place : places_) {
            auto found = is_strict ? waits_for_later(place) : waits_for_itself(place);
            if (found) return found;
        }
        return list_.window > 1 ? waits_beyond_window() : std::nullopt;
    }

    /// Returns the task of a place. Sets `indices` to all indices of the place.
    std::uint32_t task(Place place, std::vector<std::int64_t>& indices) const {
        all_.task(place, indices);
        return all_.task_number(place);
    }

private:
    const std::vector<TaskCondition>& conditions_of(Place place) const {
        return lists_.tasks[all_.task_number(place)].after;
    }

    TaskPlace named(Place place) const {
        TaskPlace named;
        named.task = task(place, named.indices);
        named.indices.erase(named.indices.begin(), named.indices.begin() + std::ssize(all_.around()));
        return named;
    }

    /// Returns the stretches of places that a condition of `place` selects, in ascending order.
    std::vector<std::pair<Place, Place>> stretches(Place place, const TaskCondition& condition) {
        std::vector<std::int64_t> indices;
        all_.task(place, indices);
        std::vector<std::pair<Place, Place>> found;
        const auto add = [&](Place first, Place end) {
            found.emplace_back(first, end);
            return ++steps_ > kMostSteps;
        };
        all_.any_stretch(condition, indices, std::ref(add));
        std::ranges::sort(found);
        return found;
    }

    std::optional<EndlessWait> waits_for_later(Place place) {
        const std::vector<TaskCondition>& after = conditions_of(place);
        for (std::size_t k = 0; k < after.size(); ++k) {
            const auto last = last_that_exists(place, after[k]);
            if (last) return EndlessWait{{named(place), named(*last)}, k, *last != place};
        }
        return std::nullopt;
    }

    /// Returns the last task that the condition selects, unless it precedes `place`.
    std::optional<Place> last_that_exists(Place place, const TaskCondition& condition) {
        const auto all = stretches(place, condition);
        std::size_t tried = 0;
        for (auto stretch = all.rbegin(); stretch != all.rend(); ++stretch) {
            for (Place last = stretch->second; last-- > std::max(stretch->first, place);) {
                if (++tried > kMostTried || ++steps_ > kMostSteps) return std::nullopt;
                if (all_.exists(last)) return last;
            }
        }
        return std::nullopt;
    }

    /// Returns the tasks among the first kMostNamed places that the condition selects.
    std::vector<Place> named_places(Place place, const TaskCondition& condition) {
        std::vector<Place> places;
        std::size_t tried = 0;
        for (auto [next, end] : stretches(place, condition)) {
            for (; next < end; ++next) {
                if (++tried > kMostNamed || ++steps_ > kMostSteps) return places;
                if (all_.exists(next)) places.push_back(next);
            }
        }
        return places;
    }

    std::optional<EndlessWait> waits_for_itself(Place place) {
        chain_.clear();
        return follow(place);
    }

    /// Extends the chain of waits from its last element, `place`, by each of its conditions, recursively. Returns the
    /// chain if it closes a cycle. A place is followed only once.
    std::optional<EndlessWait> follow(Place place) {
        const auto [found, is_new] = followed_.try_emplace(place, true);
        if (!is_new) {
            if (!found->second) return std::nullopt;
            const auto begin = std::ranges::find(chain_, place, &Link::place);
            EndlessWait wait{{}, begin->condition};
            for (auto link = begin; link != chain_.end(); ++link) wait.chain.push_back(named(link->place));
            wait.chain.push_back(named(place));
            return wait;
        }
        const std::vector<TaskCondition>& after = conditions_of(place);
        for (std::size_t k = 0; k < after.size(); ++k) {
            if (chain_.size() == kLongestChain) break;
            chain_.push_back({place, k});
            for (const Place next : named_places(place, after[k])) {
                if (auto wait = follow(next)) return wait;
            }
            chain_.pop_back();
        }
        followed_[place] = false;
        return std::nullopt;
    }

    /// Executes tasks until none can begin. Their order has no effect, since a task that can begin can also begin
    /// later. If tasks are left, they either fill the window or include the last task of the list.
    std::optional<EndlessWait> waits_beyond_window() {
        std::map<Place, std::vector<Link>> waits;  // for each of places_, the other examined places for which it waits
        for (const Place place : places_) {
            std::vector<Link>& own = waits[place];
            const std::vector<TaskCondition>& after = conditions_of(place);
            for (std::size_t condition = 0; condition < after.size(); ++condition) {
                for (const Place each : named_places(place, after[condition])) {
                    if (each <= places_.back()) own.push_back({each, condition});
                }
            }
        }
        std::map<Place, bool> is_done;
        const auto is_open = [&](const Link& wait) { return !is_done[wait.place]; };
        std::vector<Place> left;
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            left.clear();
            for (const Place place : places_) {
                if (std::ssize(left) == list_.window) break;
                if (is_done[place]) continue;
                if (std::ranges::any_of(waits[place], is_open)) {
                    left.push_back(place);
                } else {
                    is_done[place] = goes_on = true;
                }
            }
        }
        if (left.empty()) return std::nullopt;
        EndlessWait wait{{named(left[0])}, std::ranges::find_if(waits[left[0]], is_open)->condition, false};
        for (Place at = left[0]; std::ranges::binary_search(left, at);) {
            // the chain leads to tasks that are not in `left`
            if (wait.chain.size() > left.size()) return std::nullopt;
            at = std::ranges::find_if(waits[at], is_open)->place;
            wait.chain.push_back(named(at));
        }
        wait.beyond = list_.window;
        return wait;
    }

    struct Link {
        Place place;
        std::size_t condition;  // index of the condition of this place, by which it waits for the next place
    };

    const TaskLists& lists_;
    const TaskList& list_;
    const ListPlaces all_;
    std::vector<Place> places_;
    std::vector<Link> chain_;
    std::map<Place, bool> followed_;  // places that were followed; true while they are in the chain
    std::size_t steps_ = 0;
};

class Search {
public:
    explicit Search(const TaskLists& lists) : lists_(lists), numbers_(lists) {}

    std::optional<EndlessWait> in(std::uint32_t list) {
        Order order(lists_, numbers_, lists_.lists[list], {});
        if (auto found = order.endless_wait()) return found;
        std::vector<bool> is_known(lists_.tasks.size());
        std::vector<std::int64_t> indices;
        for (const Place place : order.places()) {  // the first place of each task precedes all other places
            const std::uint32_t task = order.task(place, indices);
            if (is_known[task]) continue;
            is_known[task] = true;
            if (auto found = within(order, place)) return found;
        }
        for (const Place place : order.places()) {
            if (inner_ >= kMostInner) break;
            if (auto found = within(order, place)) return found;
        }
        return std::nullopt;
    }

private:
    /// Searches for waits in the lists that the task of `place` contains.
    std::optional<EndlessWait> within(const Order& outer, Place place) {
        std::vector<std::int64_t> indices;
        for (const TaskStep& step : lists_.tasks[outer.task(place, indices)].steps) {
            if (step.form != TaskStep::Form::list) continue;
            Order order(lists_, numbers_, lists_.lists[step.operand], indices);
            if (auto found = order.endless_wait()) return found;
            inner_ += order.looked_at();
        }
        return std::nullopt;
    }

    const TaskLists& lists_;
    TaskNumbers numbers_;
    std::size_t inner_ = 0;  // places and steps of lists within tasks that have been examined
};

}  // namespace

std::optional<EndlessWait> endless_wait(const TaskLists& lists) {
    Search search(lists);
    for (const std::uint32_t list : lists.order) {
        if (auto found = search.in(list)) return found;
    }
    return std::nullopt;
}

}  // namespace warpfront::program
