#include "simulator/analytic/task_profile.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "simulator/program/list_places.hpp"

namespace warpfront::analytic {

namespace {

using program::TaskCondition;

/// Places from the first up to the second.
using Stretches = std::vector<std::pair<std::int64_t, std::int64_t>>;

class EarliestSpans {
public:
    EarliestSpans(const program::TaskLists& lists, const program::TaskNumbers& numbers, const program::TaskList& list,
                  const std::vector<std::int64_t>& around, const TaskTime& time_of)
        : numbers_(numbers),
          places_(lists, numbers, list, around),
          time_of_(time_of),
          all_(static_cast<std::size_t>(places_.count())) {}

    /// Returns the spans of all tasks. In a list whose workers choose, tasks may wait for later ones, so several passes
    /// may be needed.
    std::vector<TaskSpan> spans() {
        constexpr int kMostPasses = 100;  // reached only if tasks wait for each other
        for (int pass = 0; pass < kMostPasses && (pass == 0 || (waits_for_later_ && changed_)); ++pass) {
            changed_ = false;
            known_.clear();
            for (place_ = 0; place_ < places_.count(); ++place_) update();
        }
        return std::move(all_);
    }

private:
    /// Computes the span of the current place.
    void update() {
        const program::Task& task = places_.task(place_, indices_);
        if (numbers_(task.exists, indices_) == 0) return;
        double begin = 0.0;
        for (const TaskCondition& condition : task.after) begin = std::max(begin, end_of(condition));
        const double end = begin + time_of_(task, indices_);
        TaskSpan& span = all_[static_cast<std::size_t>(place_)];
        changed_ = changed_ || span.end != end;
        span = {begin, end};
    }

    /// Returns the time at which the named tasks are done; the same tasks as before are not visited again.
    double end_of(const TaskCondition& condition) {
        Stretches named;
        const auto add = [&](std::int64_t first, std::int64_t end) {
            named.emplace_back(first, end);
            return false;
        };
        places_.any_stretch(condition, indices_, std::ref(add));
        const auto known = known_.find(&condition);
        if (known != known_.end() && known->second.first == named) return known->second.second;
        double latest = 0.0;
        bool waits_for_later = false;
        for (const auto& [first, end] : named) {
            waits_for_later = waits_for_later || end > place_;
            for (auto place = first; place < end; ++place) {
                latest = std::max(latest, all_[static_cast<std::size_t>(place)].end);
            }
        }
        if (!waits_for_later) known_[&condition] = {std::move(named), latest};
        waits_for_later_ = waits_for_later_ || waits_for_later;
        return latest;
    }

    const program::TaskNumbers& numbers_;
    const program::ListPlaces places_;
    const TaskTime& time_of_;
    std::vector<TaskSpan> all_;
    std::int64_t place_ = 0;             // the current one
    std::vector<std::int64_t> indices_;  // of its task
    bool waits_for_later_ = false;
    bool changed_ = false;
    std::map<const TaskCondition*, std::pair<Stretches, double>> known_;  // the latest tasks of each condition
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
