#include "simulator/tasks/critical_path.hpp"

namespace warpfront::tasks {

record::TaskPath sums_of(const Path& path, const std::vector<program::Task>& tasks) {
    record::TaskPath sums;
    for (const program::Task& task : tasks) sums.tasks.push_back({task.name, {}, {}, 0});
    for (const PathLink* link = path.get(); link->before; link = link->before.get()) {
        const WideTime time{link->until - link->before->until};
        if (link->queued) sums.queued += time;
        switch (link->step) {
            case PathStep::compute:
                sums.compute += time;
                sums.tasks[link->task].compute += time;
                if (link->queued) sums.tasks[link->task].queued += time;
                sums.tasks[link->task].blocks += link->count;
                break;
            case PathStep::memory:
                sums.memory += time;
                sums.saturated += WideTime{Wide{link->saturated}};
                break;
            case PathStep::manager: sums.manager += time; break;
            case PathStep::latency: sums.latency += time; break;
            case PathStep::data: sums.data += time; break;
            case PathStep::sharing: sums.sharing += time; break;
            case PathStep::absent: sums.absent += time; break;
        }
    }
    return sums;
}

void MomentPaths::forget() {
    now = nullptr;
    releases_.clear();
    lists_.clear();
}

void MomentPaths::release(SequenceId list, std::int64_t place) {
    releases_[{list, place}] = now;
    lists_[list].released = now;
}

void MomentPaths::note_window(SequenceId list, const Sequence& sequence) {
    std::optional<std::int64_t>& first = lists_[list].behind_window;
    if (!first) first = sequence.behind_window();
}

bool MomentPaths::grant(SequenceId list, Sequence& sequence, std::int64_t place, const Path* asking, bool begins) {
    const Path* const release = release_of(list, sequence, place);
    OfList& latest = lists_[list];
    if (asking != nullptr) {
        now = *asking;
    } else if (release != nullptr) {
        now = *release;
    } else if (latest.granted) {
        now = latest.granted;  // the list's window has moved to the place
    }
    latest.granted = now;
    const bool follows = latest.behind_window && place >= *latest.behind_window;
    const bool queued = asking != nullptr && release == nullptr && !begins;
    // Tasks begin in the order of the list. So a place behind the window waited for the same event as the place before
    // it.
    latest.queued = follows ? latest.queued : queued;
    return latest.queued;
}

/// Returns the path of the event that released the place at this moment: the task was given back, or its last condition
/// became true.
const Path* MomentPaths::release_of(SequenceId list, Sequence& sequence, std::int64_t place) const {
    const auto released_by = sequence.released_by(place);
    auto found = releases_.find({list, place});
    if (found == releases_.end() && released_by) found = releases_.find({list, *released_by});
    return found == releases_.end() ? nullptr : &found->second;
}

Path MomentPaths::of_end(SequenceId list) const {
    const auto found = lists_.find(list);
    return found == lists_.end() || !found->second.released ? now : found->second.released;
}

}  // namespace warpfront::tasks
