#include "simulator/program/task_order.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace warpfront::program {

namespace {

using Indices = std::vector<std::int64_t>;

constexpr std::size_t kMostPlaces = 1'000;   // of a list, from its beginning
constexpr std::size_t kMostInner = 10'000;   // places and steps of lists within tasks, in all
constexpr std::size_t kMostNamed = 64;       // values of an index in a condition, from each end
constexpr std::size_t kMostTried = 1'000;    // tasks of a condition, from the last one
constexpr std::size_t kMostSteps = 100'000;  // from a place to one that it waits for
constexpr std::size_t kLongestChain = 1'000;

/// Advances indices to the next values within the bounds, the last one fastest; returns false after the last of them.
bool to_next(const std::vector<Extent>& extents, Indices& indices) {
    for (std::size_t at = extents.size(); at-- > 0;) {
        if (++indices[at] < extents[at].first + extents[at].count) return true;
        indices[at] = extents[at].first;
    }
    return false;
}

bool is_empty(const std::vector<Extent>& extents) {
    return std::ranges::any_of(extents, [](const Extent& extent) { return extent.count == 0; });
}

Indices first_of(const std::vector<Extent>& extents) {
    Indices indices;
    for (const Extent& extent : extents) indices.push_back(extent.first);
    return indices;
}

/// One list, with the indices around it.
class Order {
public:
    Order(const TaskLists& lists, const TaskNumbers& numbers, std::uint32_t list, Indices around)
        : lists_(lists),
          numbers_(numbers),
          list_(lists.lists[list]),
          around_(std::move(around)),
          turns_(numbers.extents(list_.indices, around_)) {
        for (const std::uint32_t number : list_.tasks) {
            own_[number] = numbers.extents(lists.tasks[number].indices, around_);
        }
        find_places();
    }

    /// Returns the first kMostPlaces places, without those that have no task.
    const std::vector<TaskPlace>& places() const { return places_; }
    /// Returns the number of examined places, including those without a task, and of steps to others.
    std::size_t looked_at() const { return seen_ + steps_; }

    std::optional<EndlessWait> endless_wait() {
        const bool is_strict = list_.window == 1 && list_.take.rule == Take::Rule::chunk && list_.take.chunk == 1;
        for (const TaskPlace& place : places_) {
            auto found = is_strict ? waits_for_later(place) : waits_for_itself(place);
            if (found) return found;
        }
        return list_.window > 1 ? waits_beyond_window() : std::nullopt;
    }

    Indices all_indices(const TaskPlace& place) const {
        Indices all = around_;
        all.insert(all.end(), place.indices.begin(), place.indices.end());
        return all;
    }

private:
    bool exists(const TaskPlace& place) const {
        return numbers_(lists_.tasks[place.task].exists, all_indices(place)) != 0;
    }

    void find_places() {
        if (is_empty(turns_)) return;
        Indices turn = first_of(turns_);
        do {
            for (const std::uint32_t task : list_.tasks) {
                const std::vector<Extent>& extents = own_.at(task);
                if (is_empty(extents)) continue;
                Indices own = first_of(extents);
                do {
                    TaskPlace place{task, turn};
                    place.indices.insert(place.indices.end(), own.begin(), own.end());
                    if (exists(place)) places_.push_back(std::move(place));
                } while (++seen_ < kMostPlaces && to_next(extents, own));
            }
            if (seen_ == 0) break;
        } while (seen_ < kMostPlaces && to_next(turns_, turn));
    }

    /// Returns the position in the list; smaller positions come first.
    std::tuple<Indices, std::ptrdiff_t, Indices> position(const TaskPlace& place) const {
        const auto behind_turn = place.indices.begin() + static_cast<std::ptrdiff_t>(turns_.size());
        return {Indices(place.indices.begin(), behind_turn),
                std::ranges::find(list_.tasks, place.task) - list_.tasks.begin(),
                Indices(behind_turn, place.indices.end())};
    }

    /// Returns the values within the bounds that a condition of the place gives to each index of its task, ascending;
    /// of more than twice kMostNamed values, the first and the last kMostNamed.
    std::vector<Indices> named(const TaskPlace& place, const TaskCondition& condition) const {
        const Indices indices = all_indices(place);
        std::vector<Extent> extents = turns_;
        const std::vector<Extent>& own = own_.at(condition.task);
        extents.insert(extents.end(), own.begin(), own.end());
        std::vector<Indices> all;
        for (std::size_t at = 0; at < extents.size(); ++at) {
            const std::int64_t least = extents[at].first;
            const std::int64_t most = least + extents[at].count - 1;
            Indices values;
            const auto add = [&](std::int64_t from, std::int64_t to) {
                from = std::max(from, least);
                to = std::min(to, most);
                constexpr auto kEach = static_cast<std::int64_t>(kMostNamed);
                for (std::int64_t k = 0; k < kEach && from <= to; ++k) values.push_back(from++);
                if (from <= to && to - from >= kEach) from = to - kEach + 1;
                for (; from <= to; ++from) values.push_back(from);
            };
            if (at >= condition.subscripts.size()) {
                add(least, most);
            } else if (const Subscript& subscript = condition.subscripts[at]; subscript.is_range) {
                add(numbers_(subscript.numbers[0], indices), numbers_(subscript.numbers[1], indices));
            } else {
                for (const TaskNumber& number : subscript.numbers) {
                    const std::int64_t value = numbers_(number, indices);
                    add(value, value);
                }
                std::ranges::sort(values);
            }
            all.push_back(std::move(values));
        }
        return all;
    }

    std::optional<EndlessWait> waits_for_later(const TaskPlace& place) {
        const std::vector<TaskCondition>& after = lists_.tasks[place.task].after;
        for (std::size_t k = 0; k < after.size(); ++k) {
            const std::vector<Indices> values = named(place, after[k]);
            if (std::ranges::any_of(values, &Indices::empty)) continue;
            auto last = last_that_exists(after[k].task, values, place);
            if (!last) continue;
            const bool is_later = *last != place;
            return EndlessWait{{place, std::move(*last)}, k, is_later};
        }
        return std::nullopt;
    }

    /// Returns the last place of the task with these values of its indices, unless it comes before `place`.
    std::optional<TaskPlace> last_that_exists(std::uint32_t task, const std::vector<Indices>& values,
                                              const TaskPlace& place) {
        std::vector<Extent> choice;  // the distance from the last value
        for (const Indices& each : values) choice.push_back({0, static_cast<std::int64_t>(each.size())});
        Indices which = first_of(choice);
        std::size_t tried = 0;
        do {
            TaskPlace last{task, {}};
            for (std::size_t at = 0; at < values.size(); ++at) {
                last.indices.push_back(values[at][values[at].size() - 1 - static_cast<std::size_t>(which[at])]);
            }
            if (position(last) < position(place) || ++steps_ > kMostSteps) break;
            if (exists(last)) return last;
        } while (++tried < kMostTried && to_next(choice, which));
        return std::nullopt;
    }

    /// Returns the existing tasks among the first kMostNamed that the condition of the place names.
    std::vector<TaskPlace> named_places(const TaskPlace& place, const TaskCondition& condition) {
        std::vector<TaskPlace> places;
        const std::vector<Indices> values = named(place, condition);
        if (std::ranges::any_of(values, &Indices::empty)) return places;
        std::vector<Extent> choice;  // the index of the value
        for (const Indices& each : values) choice.push_back({0, static_cast<std::int64_t>(each.size())});
        Indices which = first_of(choice);
        std::size_t tried = 0;
        do {
            if (++steps_ > kMostSteps) break;
            TaskPlace next{condition.task, {}};
            for (std::size_t at = 0; at < values.size(); ++at) {
                next.indices.push_back(values[at][static_cast<std::size_t>(which[at])]);
            }
            if (exists(next)) places.push_back(std::move(next));
        } while (++tried < kMostNamed && to_next(choice, which));
        return places;
    }

    std::optional<EndlessWait> waits_for_itself(const TaskPlace& place) {
        chain_.clear();
        return follow(place);
    }

    /// Follows conditions from the place, the last of the chain. A place that was followed to its end is not followed
    /// again.
    std::optional<EndlessWait> follow(const TaskPlace& place) {
        const auto [found, is_new] = followed_.try_emplace({place.task, place.indices}, true);
        if (!is_new) {
            if (!found->second) return std::nullopt;
            const auto begin = std::ranges::find(chain_, place, &Link::place);
            EndlessWait wait{{}, begin->condition};
            for (auto link = begin; link != chain_.end(); ++link) wait.chain.push_back(link->place);
            wait.chain.push_back(place);
            return wait;
        }
        const std::vector<TaskCondition>& after = lists_.tasks[place.task].after;
        for (std::size_t k = 0; k < after.size(); ++k) {
            if (chain_.size() == kLongestChain) break;
            chain_.push_back({place, k});
            for (const TaskPlace& next : named_places(place, after[k])) {
                if (auto wait = follow(next)) return wait;
            }
            chain_.pop_back();
        }
        followed_[{place.task, place.indices}] = false;
        return std::nullopt;
    }

    struct Wait {
        std::size_t place;      // by its number in places_
        std::size_t condition;  // that names it
    };

    /// Returns the waits of each of places_ for others among them.
    std::vector<std::vector<Wait>> all_waits() {
        std::map<std::pair<std::uint32_t, Indices>, std::size_t> numbers;
        for (const TaskPlace& place : places_) numbers.emplace(std::pair{place.task, place.indices}, numbers.size());
        std::vector<std::vector<Wait>> waits(places_.size());
        for (std::size_t k = 0; k < places_.size(); ++k) {
            const std::vector<TaskCondition>& after = lists_.tasks[places_[k].task].after;
            for (std::size_t condition = 0; condition < after.size(); ++condition) {
                for (const TaskPlace& each : named_places(places_[k], after[condition])) {
                    const auto found = numbers.find({each.task, each.indices});
                    if (found != numbers.end()) waits[k].push_back({found->second, condition});
                }
            }
        }
        return waits;
    }

    /// Executes all tasks that can be executed, in any order: a task that can begin still can once others are done. The
    /// tasks that are left at the end fill the window, or end the list.
    std::optional<EndlessWait> waits_beyond_window() {
        const std::vector<std::vector<Wait>> waits = all_waits();
        std::vector<bool> is_done(places_.size());
        const auto is_open = [&](const Wait& wait) { return !is_done[wait.place]; };
        std::vector<std::size_t> left;
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            left.clear();
            for (std::size_t k = 0; k < places_.size() && std::ssize(left) < list_.window; ++k) {
                if (is_done[k]) continue;
                if (std::ranges::any_of(waits[k], is_open)) {
                    left.push_back(k);
                } else {
                    is_done[k] = goes_on = true;
                }
            }
        }
        if (left.empty()) return std::nullopt;
        EndlessWait wait{{places_[left[0]]}, std::ranges::find_if(waits[left[0]], is_open)->condition, false};
        for (std::size_t at = left[0]; std::ranges::binary_search(left, at);) {
            if (wait.chain.size() > left.size()) return std::nullopt;  // for itself, over more tasks than were followed
            at = std::ranges::find_if(waits[at], is_open)->place;
            wait.chain.push_back(places_[at]);
        }
        wait.beyond = list_.window;
        return wait;
    }

    struct Link {
        TaskPlace place;
        std::size_t condition;  // by which it waits for the next
    };

    const TaskLists& lists_;
    const TaskNumbers& numbers_;
    const TaskList& list_;
    Indices around_;
    std::vector<Extent> turns_;
    std::map<std::uint32_t, std::vector<Extent>> own_;  // by task
    std::vector<TaskPlace> places_;
    std::size_t seen_ = 0;
    std::vector<Link> chain_;
    std::map<std::pair<std::uint32_t, Indices>, bool> followed_;  // true: it is in the chain
    std::size_t steps_ = 0;
};

class Search {
public:
    explicit Search(const TaskLists& lists) : lists_(lists), numbers_(lists) {}

    std::optional<EndlessWait> in(std::uint32_t list) {
        Order order(lists_, numbers_, list, {});
        if (auto found = order.endless_wait()) return found;
        std::vector<bool> is_known(lists_.tasks.size());
        for (const TaskPlace& place : order.places()) {  // for each task the first place, before all others
            if (is_known[place.task]) continue;
            is_known[place.task] = true;
            if (auto found = within(order, place)) return found;
        }
        for (const TaskPlace& place : order.places()) {
            if (inner_ >= kMostInner) break;
            if (auto found = within(order, place)) return found;
        }
        return std::nullopt;
    }

private:
    /// Searches the lists of the task.
    std::optional<EndlessWait> within(const Order& outer, const TaskPlace& place) {
        for (const TaskStep& step : lists_.tasks[place.task].steps) {
            if (step.form != TaskStep::Form::list) continue;
            Order order(lists_, numbers_, step.operand, outer.all_indices(place));
            if (auto found = order.endless_wait()) return found;
            inner_ += order.looked_at();
        }
        return std::nullopt;
    }

    const TaskLists& lists_;
    TaskNumbers numbers_;
    std::size_t inner_ = 0;  // examined in lists within tasks
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
