#include "simulator/tasks/sequence.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace warpfront::tasks {

using Rule = program::Take::Rule;

namespace {

constexpr std::int64_t kBetweenSequencePolls = 65'536;

std::int64_t quotient_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

std::int64_t checked_count(const program::ListPlaces& places) {
    if (places.count() > program::kMostTaskPlaces) throw TooManyPlaces(places.list().site);
    return places.count();
}

Sequence::Sequence(const program::TaskLists& lists, const program::TaskNumbers& numbers, std::uint32_t list,
                   std::vector<std::int64_t> around, std::uint32_t workers, std::function<void()> poll)
    : lists_(lists),
      numbers_(numbers),
      places_(lists, numbers, lists.lists[list], std::move(around)),
      workers_(workers),
      poll_(std::move(poll)) {
    checked_count(places_);
    for (const std::uint32_t number : places_.list().tasks) {
        has_preferences_ = has_preferences_ || lists.tasks[number].preference.has_value();
    }
    if (has_fixed_shares()) {
        fixed_turn_.resize(workers);
    } else {
        fill();
    }
}

/// Extends the window: makes the next places candidates.
void Sequence::fill() {
    while (static_cast<std::int64_t>(window_.size()) < list().window && next_ < places()) {
        const std::int64_t place = next_++;
        if (exists(place)) {
            window_.insert(place);
            look(place);
        } else {
            done(place);
            if (poll_ && next_ % kBetweenSequencePolls == 0) poll_();
        }
    }
}

void Sequence::look(std::int64_t place) {
    if (const auto first = missing(place)) {
        watching_[*first].push_back(place);
    } else {
        ready_.insert(place);
    }
}

bool Sequence::ready(std::int64_t place) {
    const auto first = missing(place);
    if (first) watching_[*first].push_back(place);
    return !first;
}

void Sequence::done(std::int64_t place) {
    if (done_.has(place)) return;  // `missing` has found that the place has no task
    done_.add(place);
    const auto found = watching_.find(place);
    if (found == watching_.end()) return;
    const std::vector<std::int64_t> again = std::move(found->second);
    watching_.erase(found);
    for (const std::int64_t each : again) {
        if (keeps_releases_) releases_[each] = place;
        if (window_.contains(each)) {
            look(each);
        } else {
            woken_.push_back(each);
        }
    }
}

/// Returns the first place for which this place still waits. A place without a task counts as done.
std::optional<std::int64_t> Sequence::missing(std::int64_t place) {
    const std::vector<program::TaskCondition>& after = lists_.tasks[task_number(place)].after;
    if (after.empty()) return std::nullopt;
    task(place, indices_);
    std::optional<std::int64_t> found;
    const auto check = [&](std::int64_t first, std::int64_t end) {
        std::int64_t open = done_.first_missing(first, end);
        for (; open < end && !exists(open); open = done_.first_missing(open, end)) {
            done_.add(open);
            if (poll_ && open % kBetweenSequencePolls == 0) poll_();
        }
        if (open < end) found = open;
        return found.has_value();
    };
    for (const program::TaskCondition& condition : after) {
        if (places_.any_stretch(condition, indices_, std::ref(check))) break;
    }
    return found;
}

std::optional<std::int64_t> Sequence::next_turn() {
    if (!returned_.empty()) return *returned_.begin() / places_.in_turn();
    if (list().take.rule == Rule::fixed) return std::nullopt;
    fill();
    return ready_.empty() ? std::nullopt : std::optional(*ready_.begin() / places_.in_turn());
}

std::optional<Chunk> Sequence::take(std::uint32_t worker) {
    if (!returned_.empty()) {
        const std::int64_t place = *returned_.begin();
        returned_.erase(returned_.begin());
        return Chunk{place, place + 1};
    }
    if (list().take.rule == Rule::fixed) return fixed_share(worker);
    fill();
    if (ready_.empty()) return std::nullopt;
    const std::int64_t place = choose(worker);
    ready_.erase(place);
    window_.erase(place);
    Chunk chunk{place, place + chunk_size(place)};
    if (chunk.end > place + 1) next_ = chunk.end;  // the window is one place wide
    fill();
    return chunk;
}

std::int64_t Sequence::choose(std::uint32_t worker) const {
    if (!has_preferences_ || ready_.size() == 1) return *ready_.begin();
    std::int64_t best = *ready_.begin();
    std::optional<std::int64_t> greatest;
    std::vector<std::int64_t> indices;
    for (const std::int64_t place : ready_) {
        const auto& preference = task(place, indices).preference;
        indices.push_back(worker);
        const std::int64_t value = preference ? numbers_(*preference, indices) : 0;
        if (greatest && value <= *greatest) continue;
        greatest = value;
        best = place;
    }
    return best;
}

/// Returns the number of places from this one that a worker takes, by the rule of the list.
std::int64_t Sequence::chunk_size(std::int64_t place) {
    const std::int64_t left = places_.in_turn() - place % places_.in_turn();
    if (batch_turn_ != place / places_.in_turn()) {
        batch_turn_ = place / places_.in_turn();
        batch_left_ = 0;
        chunks_ = 0;
    }
    std::int64_t size = list().take.chunk;
    switch (list().take.rule) {
        case Rule::chunk:
        case Rule::fixed: break;
        case Rule::guided: size = quotient_up(left, workers_); break;
        case Rule::factoring:
            if (batch_left_ == 0) {
                batch_left_ = workers_;
                batch_size_ = quotient_up(left, 2 * std::int64_t{workers_});
            }
            --batch_left_;
            size = batch_size_;
            break;
        case Rule::trapezoid: {
            // The size of chunks falls from f to 1 in C = ceil(2 N / (f + 1)) steps of (f - 1) / (C - 1), rounded.
            const std::int64_t largest = quotient_up(places_.in_turn(), 2 * std::int64_t{workers_});
            const std::int64_t steps = quotient_up(2 * places_.in_turn(), largest + 1);
            size = largest - (steps > 1 ? quotient_up(chunks_ * (largest - 1), steps - 1) : 0);
            ++chunks_;
            break;
        }
    }
    return std::clamp(size, std::int64_t{1}, left);
}

std::optional<Chunk> Sequence::fixed_share(std::uint32_t worker) {
    const std::int64_t each = places_.in_turn();
    while (each > 0 && fixed_turn_[worker] < places() / each) {
        const std::int64_t origin = fixed_turn_[worker]++ * each;
        const Chunk share{origin + each * worker / workers_, origin + each * (worker + 1) / workers_};
        if (!share.empty()) return share;
    }
    return std::nullopt;
}

std::optional<Sequence::Blocked> Sequence::blocked() const {
    std::optional<Blocked> first;
    for (const auto& [missing, places] : watching_) {
        for (const std::int64_t place : places) {
            if (!first || place < first->place) first = Blocked{place, missing};
        }
    }
    return first;
}

}  // namespace warpfront::tasks
