#include "simulator/analytic/task_profile.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

namespace warpfront::analytic {

namespace {

using program::Extent;
using program::Subscript;
using program::TaskCondition;
using Indices = std::vector<std::int64_t>;

/// Positions of an index, from the first up to the end.
struct Stretch {
    std::int64_t first = 0;
    std::int64_t end = 0;
    friend bool operator==(const Stretch&, const Stretch&) = default;
};
/// The positions that a condition names, by index.
using Box = std::vector<std::vector<Stretch>>;

std::int64_t positions_in(std::span<const Extent> extents) {
    std::int64_t count = 1;
    for (const Extent& extent : extents) count *= extent.count;
    return count;
}

class EarliestSpans {
public:
    EarliestSpans(const program::TaskLists& lists, const program::TaskNumbers& numbers, const program::TaskList& list,
                  Indices around, const TaskTime& time_of)
        : lists_(lists),
          numbers_(numbers),
          list_(list),
          indices_(std::move(around)),
          time_of_(time_of),
          turns_(numbers.extents(list.indices, indices_)) {
        for (const std::uint32_t task : list.tasks) {
            Kind kind{turns_, in_turn_};
            const std::vector<Extent> own = numbers.extents(lists.tasks[task].indices, indices_);
            kind.extents.insert(kind.extents.end(), own.begin(), own.end());
            in_turn_ += positions_in(own);
            kinds_.push_back(std::move(kind));
        }
        all_.resize(static_cast<std::size_t>(positions_in(turns_) * in_turn_));
    }

    /// Returns the spans of all tasks. In a list whose workers choose, tasks may wait for later ones, so several passes
    /// may be needed.
    std::vector<TaskSpan> spans() {
        constexpr int kMostPasses = 100;  // reached only if tasks wait for each other
        for (int pass = 0; pass < kMostPasses && (pass == 0 || (waits_for_later_ && changed_)); ++pass) {
            place_ = 0;
            changed_ = false;
            known_.clear();
            each_of(turns_, [&] {
                for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
                    const std::span<const Extent> own(kinds_[kind].extents);
                    each_of(own.subspan(turns_.size()), [&] { place(lists_.tasks[list_.tasks[kind]]); });
                }
            });
        }
        return std::move(all_);
    }

private:
    struct Kind {
        std::vector<Extent> extents;  // of the list and the task
        std::int64_t offset = 0;      // of its first place in a turn
    };

    /// Calls `visit` with each combination of indices that follow `indices_`, the last index fastest.
    template <class Visit>
    void each_of(std::span<const Extent> extents, const Visit& visit) {
        if (extents.empty()) return visit();
        for (std::int64_t at = 0; at < extents[0].count; ++at) {
            indices_.push_back(extents[0].first + at);
            each_of(extents.subspan(1), visit);
            indices_.pop_back();
        }
    }

    void place(const program::Task& task) {
        TaskSpan& span = all_[static_cast<std::size_t>(place_)];
        if (numbers_(task.exists, indices_) != 0) {
            double begin = 0.0;
            for (const TaskCondition& condition : task.after) begin = std::max(begin, end_of(condition));
            const double end = begin + time_of_(task, indices_);
            changed_ = changed_ || span.end != end;
            span = {begin, end};
        }
        ++place_;
    }

    /// Returns the time at which the named tasks are done; tasks of the same box as before are not visited again.
    double end_of(const TaskCondition& condition) {
        const auto found = std::ranges::find(list_.tasks, condition.task);
        const Kind& kind = kinds_[static_cast<std::size_t>(found - list_.tasks.begin())];
        Box box;
        for (std::size_t at = 0; at < kind.extents.size(); ++at) {
            box.push_back(at < condition.subscripts.size() ? named(condition.subscripts[at], kind.extents[at])
                                                           : std::vector<Stretch>{{0, kind.extents[at].count}});
        }
        const auto known = known_.find(&condition);
        if (known != known_.end() && known->second.first == box) return known->second.second;
        const bool waited_before = std::exchange(waits_for_later_, false);
        const double end = latest(kind, box, 0, 0);
        if (!waits_for_later_) known_[&condition] = {std::move(box), end};
        waits_for_later_ = waits_for_later_ || waited_before;
        return end;
    }

    std::vector<Stretch> named(const Subscript& subscript, const Extent& extent) const {
        std::vector<Stretch> all;
        const auto add = [&](std::int64_t first, std::int64_t last) {
            first = std::max(first, extent.first) - extent.first;
            last = std::min(last, extent.first + extent.count - 1) - extent.first;
            if (first <= last) all.push_back({first, last + 1});
        };
        if (subscript.is_range) {
            add(numbers_(subscript.numbers[0], indices_), numbers_(subscript.numbers[1], indices_));
        } else {
            for (const program::TaskNumber& number : subscript.numbers) {
                const std::int64_t value = numbers_(number, indices_);
                add(value, value);
            }
        }
        return all;
    }

    /// Returns the latest end in the box; `position` is that of the indices before `at`, within the turns, then within
    /// the tasks of the kind.
    double latest(const Kind& kind, const Box& box, std::size_t at, std::int64_t position) {
        if (at == turns_.size()) position = position * in_turn_ + kind.offset;
        if (at == box.size()) return end_at(position);
        const std::int64_t stride = positions_in(std::span(kind.extents).subspan(at + 1, behind(at, box.size())));
        double end = 0.0;
        for (const Stretch& stretch : box[at]) {
            for (std::int64_t k = stretch.first; k < stretch.end; ++k) {
                end = std::max(end, latest(kind, box, at + 1, position + k * stride));
            }
        }
        return end;
    }

    /// Returns the number of indices after `at` of the same part, turns or tasks.
    std::size_t behind(std::size_t at, std::size_t all) const {
        return (at < turns_.size() ? turns_.size() : all) - at - 1;
    }

    double end_at(std::int64_t place) {
        waits_for_later_ = waits_for_later_ || place >= place_;
        return all_[static_cast<std::size_t>(place)].end;
    }

    const program::TaskLists& lists_;
    const program::TaskNumbers& numbers_;
    const program::TaskList& list_;
    Indices indices_;
    const TaskTime& time_of_;
    std::vector<Extent> turns_;
    std::vector<Kind> kinds_;
    std::int64_t in_turn_ = 0;  // places
    std::vector<TaskSpan> all_;
    std::int64_t place_ = 0;  // of the current task
    bool waits_for_later_ = false;
    bool changed_ = false;
    std::map<const TaskCondition*, std::pair<Box, double>> known_;  // the latest box of each condition
};

}  // namespace

std::vector<TaskSpan> earliest_spans(const program::TaskLists& lists, const program::TaskNumbers& numbers,
                                     const program::TaskList& list, const std::vector<std::int64_t>& around,
                                     const TaskTime& time_of) {
    return EarliestSpans(lists, numbers, list, around, time_of).spans();
}

double time_in_rounds(const std::vector<TaskSpan>& spans, double workers) {
    std::vector<std::pair<double, int>> changes;  // of the number of tasks
    for (const TaskSpan& span : spans) {
        if (span.begin == span.end) continue;
        changes.emplace_back(span.begin, 1);
        changes.emplace_back(span.end, -1);
    }
    std::ranges::sort(changes);
    double time = 0.0;
    double now = 0.0;
    int running = 0;
    for (const auto& [at, change] : changes) {
        time += (at - now) * std::ceil(running / workers);
        now = at;
        running += change;
    }
    return time;
}

}  // namespace warpfront::analytic
