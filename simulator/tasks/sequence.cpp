#include "simulator/tasks/sequence.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace warpfront::tasks {

using program::Subscript;
using program::TaskCondition;
using Rule = program::Take::Rule;

namespace {

constexpr std::int64_t kBetweenSequencePolls = 65'536;

std::int64_t product(std::int64_t a, std::int64_t b, const program::TaskList& list) {
    if (a == 0 || b == 0) return 0;
    if (a > program::kMostTaskPlaces / b) throw TooManyPlaces(list.site);
    return a * b;
}

std::int64_t count_of(const std::vector<Extent>& extents, const program::TaskList& list) {
    if (std::ranges::any_of(extents, [](const Extent& extent) { return extent.count == 0; })) return 0;
    std::int64_t count = 1;
    for (const Extent& extent : extents) count = product(count, extent.count, list);
    return count;
}

std::int64_t quotient_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

Sequence::Sequence(const program::TaskLists& lists, const program::TaskNumbers& numbers, std::uint32_t list,
                   std::vector<std::int64_t> around, std::uint32_t workers, std::function<void()> poll)
    : lists_(lists),
      numbers_(numbers),
      list_(lists.lists[list]),
      around_(std::move(around)),
      workers_(workers),
      poll_(std::move(poll)),
      extents_(numbers.extents(list_.indices, around_)) {
    for (const std::uint32_t number : list_.tasks) {
        const program::Task& task = lists.tasks[number];
        Kind kind{number, in_turn_, 0, numbers.extents(task.indices, around_)};
        kind.count = count_of(kind.extents, list_);
        in_turn_ += kind.count;
        has_preferences_ = has_preferences_ || task.preference.has_value();
        kinds_.push_back(std::move(kind));
    }
    places_ = product(count_of(extents_, list_), in_turn_, list_);
    if (list_.take.rule == Rule::fixed) fixed_turn_.resize(workers);
    if (list_.take.rule != Rule::fixed) fill();
}

std::int64_t Sequence::count_places(const program::TaskLists& lists, const program::TaskNumbers& numbers,
                                    std::uint32_t list, std::span<const std::int64_t> around) {
    const program::TaskList& own = lists.lists[list];
    std::int64_t in_turn = 0;
    for (const std::uint32_t task : own.tasks) {
        in_turn += count_of(numbers.extents(lists.tasks[task].indices, around), own);
    }
    return product(count_of(numbers.extents(own.indices, around), own), in_turn, own);
}

const Sequence::Kind& Sequence::kind_of(std::int64_t in_turn) const {
    auto kind = kinds_.begin();
    while (in_turn >= kind->offset + kind->count) ++kind;
    return *kind;
}

std::uint32_t Sequence::task_number(std::int64_t place) const { return kind_of(place % in_turn_).task; }

void Sequence::decode(std::int64_t place, const Kind& kind, std::vector<std::int64_t>& indices) const {
    const std::size_t depth = around_.size();
    indices.assign(around_.begin(), around_.end());
    indices.resize(depth + extents_.size() + kind.extents.size());
    std::int64_t rest = place / in_turn_;
    for (std::size_t at = extents_.size(); at-- > 0;) {
        indices[depth + at] = extents_[at].first + rest % extents_[at].count;
        rest /= extents_[at].count;
    }
    rest = place % in_turn_ - kind.offset;
    for (std::size_t at = kind.extents.size(); at-- > 0;) {
        indices[depth + extents_.size() + at] = kind.extents[at].first + rest % kind.extents[at].count;
        rest /= kind.extents[at].count;
    }
}

const program::Task& Sequence::task(std::int64_t place, std::vector<std::int64_t>& indices) const {
    const Kind& kind = kind_of(place % in_turn_);
    decode(place, kind, indices);
    return lists_.tasks[kind.task];
}

bool Sequence::exists(std::int64_t place) const {
    const Kind& kind = kind_of(place % in_turn_);
    const program::TaskNumber& exists = lists_.tasks[kind.task].exists;
    if (!exists.formula) return exists.known != 0;
    std::vector<std::int64_t> indices;
    decode(place, kind, indices);
    return numbers_(exists, indices) != 0;
}

/// Makes candidates of the next places.
void Sequence::fill() {
    while (static_cast<std::int64_t>(window_.size()) < list_.window && next_ < places_) {
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
    if (done_.has(place)) return;  // has no task, and another place would have waited for it
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

std::optional<std::int64_t> Sequence::missing(std::int64_t place) {
    const Kind& kind = kind_of(place % in_turn_);
    const program::Task& task = lists_.tasks[kind.task];
    if (task.after.empty()) return std::nullopt;
    decode(place, kind, indices_);
    for (const TaskCondition& condition : task.after) {
        if (const auto first = missing(condition, indices_)) return first;
    }
    return std::nullopt;
}

namespace {

using Visit = std::function<bool(std::int64_t first, std::int64_t end)>;  // of references, which allocate nothing

/// Calls `visit` with each stretch of positions, from 0, that the subscript names within the bounds of an index; ends
/// early if it returns true.
bool any_stretch(const Subscript& subscript, const Extent& extent, const program::TaskNumbers& numbers,
                 std::span<const std::int64_t> indices, const Visit& visit) {
    const auto clipped = [&](std::int64_t first, std::int64_t last) {
        const std::int64_t begin = std::max(first - extent.first, std::int64_t{0});
        const std::int64_t end = std::min(last - extent.first + 1, extent.count);
        return begin < end && visit(begin, end);
    };
    if (subscript.is_range)
        return clipped(numbers(subscript.numbers[0], indices), numbers(subscript.numbers[1], indices));
    return std::ranges::any_of(subscript.numbers, [&](const program::TaskNumber& number) {
        const std::int64_t value = numbers(number, indices);
        return clipped(value, value);
    });
}

/// Visits stretches of positions in a box whose last index is the fastest; indices without a subscript take all values.
bool any_stretch_of_box(std::span<const Subscript> subscripts, std::span<const Extent> extents,
                        const program::TaskNumbers& numbers, std::span<const std::int64_t> indices,
                        const Visit& visit) {
    if (subscripts.empty()) {
        std::int64_t count = 1;
        for (const Extent& extent : extents) count *= extent.count;
        return visit(0, count);
    }
    std::int64_t stride = 1;
    for (const Extent& extent : extents.subspan(1)) stride *= extent.count;
    const auto visit_each = [&](std::int64_t begin, std::int64_t end) {
        if (subscripts.size() == 1) return visit(begin * stride, end * stride);
        for (std::int64_t at = begin; at < end; ++at) {
            const auto shifted = [&](std::int64_t first, std::int64_t behind) {
                return visit(at * stride + first, at * stride + behind);
            };
            const auto inner = subscripts.subspan(1);
            if (any_stretch_of_box(inner, extents.subspan(1), numbers, indices, std::ref(shifted))) return true;
        }
        return false;
    };
    return any_stretch(subscripts[0], extents[0], numbers, indices, std::ref(visit_each));
}

}  // namespace

std::optional<std::int64_t> Sequence::missing(const TaskCondition& condition, std::span<const std::int64_t> indices) {
    const auto kind = std::ranges::find_if(kinds_, [&](const Kind& each) { return each.task == condition.task; });
    const std::span<const Subscript> all = condition.subscripts;
    const std::size_t of_list = std::min(all.size(), extents_.size());
    std::optional<std::int64_t> found;
    const auto check = [&](std::int64_t first, std::int64_t end) {
        std::int64_t place = done_.first_missing(first, end);
        for (; place < end && !exists(place); place = done_.first_missing(place, end)) {
            done_.add(place);
            if (poll_ && place % kBetweenSequencePolls == 0) poll_();
        }
        if (place < end) found = place;
        return found.has_value();
    };
    const auto check_turns = [&](std::int64_t turn, std::int64_t end_turn) {
        if (kinds_.size() == 1 && all.size() <= extents_.size()) return check(turn * in_turn_, end_turn * in_turn_);
        for (; turn < end_turn && !found; ++turn) {
            const std::int64_t origin = turn * in_turn_ + kind->offset;
            const auto in_turn = [&](std::int64_t first, std::int64_t end) {
                return check(origin + first, origin + end);
            };
            any_stretch_of_box(all.subspan(of_list), kind->extents, numbers_, indices, std::ref(in_turn));
        }
        return found.has_value();
    };
    any_stretch_of_box(all.first(of_list), extents_, numbers_, indices, std::ref(check_turns));
    return found;
}

std::optional<std::int64_t> Sequence::next_turn() {
    if (!returned_.empty()) return *returned_.begin() / in_turn_;
    if (list_.take.rule == Rule::fixed) return std::nullopt;
    fill();
    return ready_.empty() ? std::nullopt : std::optional(*ready_.begin() / in_turn_);
}

std::optional<Chunk> Sequence::take(std::uint32_t worker) {
    if (!returned_.empty()) {
        const std::int64_t place = *returned_.begin();
        returned_.erase(returned_.begin());
        return Chunk{place, place + 1};
    }
    if (list_.take.rule == Rule::fixed) return fixed_share(worker);
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
        const Kind& kind = kind_of(place % in_turn_);
        const auto& preference = lists_.tasks[kind.task].preference;
        decode(place, kind, indices);
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
    const std::int64_t left = in_turn_ - place % in_turn_;
    if (batch_turn_ != place / in_turn_) {
        batch_turn_ = place / in_turn_;
        batch_left_ = 0;
        chunks_ = 0;
    }
    std::int64_t size = list_.take.chunk;
    switch (list_.take.rule) {
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
            // Chunks fall from f to 1 in C = ceil(2 N / (f + 1)) steps, by (f - 1) / (C - 1) each; whole ones.
            const std::int64_t largest = quotient_up(in_turn_, 2 * std::int64_t{workers_});
            const std::int64_t steps = quotient_up(2 * in_turn_, largest + 1);
            size = largest - (steps > 1 ? quotient_up(chunks_ * (largest - 1), steps - 1) : 0);
            ++chunks_;
            break;
        }
    }
    return std::clamp(size, std::int64_t{1}, left);
}

std::optional<Chunk> Sequence::fixed_share(std::uint32_t worker) {
    const std::int64_t turns = in_turn_ == 0 ? 0 : places_ / in_turn_;
    while (fixed_turn_[worker] < turns) {
        const std::int64_t origin = fixed_turn_[worker]++ * in_turn_;
        const Chunk share{origin + in_turn_ * worker / workers_, origin + in_turn_ * (worker + 1) / workers_};
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
