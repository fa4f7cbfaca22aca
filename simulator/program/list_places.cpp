#include "simulator/program/list_places.hpp"

#include <algorithm>
#include <utility>

namespace warpfront::program {

namespace {

std::int64_t bounded_product(std::int64_t a, std::int64_t b) {
    return b > 0 && a > kMostTaskPlaces / b ? kMostTaskPlaces + 1 : a * b;
}

/// Visits the stretches of positions that one subscript selects within the bounds of its index.
bool any_stretch_of(const Subscript& subscript, const Extent& extent, const TaskNumbers& numbers,
                    std::span<const std::int64_t> indices, const VisitStretch& visit) {
    const auto clipped = [&](std::int64_t first, std::int64_t last) {
        const std::int64_t begin = std::max(first - extent.first, std::int64_t{0});
        const std::int64_t end = std::min(last - extent.first + 1, extent.count);
        return begin < end && visit(begin, end);
    };
    if (subscript.is_range)
        return clipped(numbers(subscript.numbers[0], indices), numbers(subscript.numbers[1], indices));
    return std::ranges::any_of(subscript.numbers, [&](const TaskNumber& number) {
        const std::int64_t value = numbers(number, indices);
        return clipped(value, value);
    });
}

}  // namespace

std::int64_t count_of(std::span<const Extent> extents) {
    std::int64_t count = 1;
    for (const Extent& extent : extents) {
        if (extent.count == 0) return 0;
        count = bounded_product(count, extent.count);
    }
    return count;
}

void set_indices(std::span<const Extent> extents, std::int64_t position, std::int64_t* indices) {
    for (std::size_t at = extents.size(); at-- > 0;) {
        indices[at] = extents[at].first + position % extents[at].count;
        position /= extents[at].count;
    }
}

bool any_stretch(std::span<const Subscript> subscripts, std::span<const Extent> extents, const TaskNumbers& numbers,
                 std::span<const std::int64_t> indices, const VisitStretch& visit) {
    if (subscripts.empty()) return visit(0, count_of(extents));
    const std::int64_t stride = count_of(extents.subspan(1));
    const auto visit_each = [&](std::int64_t begin, std::int64_t end) {
        if (subscripts.size() == 1) return visit(begin * stride, end * stride);
        for (std::int64_t at = begin; at < end; ++at) {
            const auto shifted = [&](std::int64_t first, std::int64_t behind) {
                return visit(at * stride + first, at * stride + behind);
            };
            // std::ref, so that std::function allocates no memory
            if (any_stretch(subscripts.subspan(1), extents.subspan(1), numbers, indices, std::ref(shifted)))
                return true;
        }
        return false;
    };
    return any_stretch_of(subscripts[0], extents[0], numbers, indices, std::ref(visit_each));
}

ListPlaces::ListPlaces(const TaskLists& lists, const TaskNumbers& numbers, const TaskList& list,
                       std::vector<std::int64_t> around)
    : lists_(lists),
      numbers_(numbers),
      list_(list),
      around_(std::move(around)),
      turns_(numbers.extents(list.indices, around_)) {
    for (const std::uint32_t number : list.tasks) {
        Kind kind{number, in_turn_, 0, numbers.extents(lists.tasks[number].indices, around_)};
        kind.count = count_of(kind.extents);
        in_turn_ += kind.count;
        kinds_.push_back(std::move(kind));
    }
    count_ = bounded_product(count_of(turns_), in_turn_);
}

const ListPlaces::Kind& ListPlaces::kind_of(std::int64_t place) const {
    const std::int64_t in_turn = place % in_turn_;
    auto kind = kinds_.begin();
    while (in_turn >= kind->offset + kind->count) ++kind;
    return *kind;
}

const Task& ListPlaces::task(std::int64_t place, std::vector<std::int64_t>& indices) const {
    const Kind& kind = kind_of(place);
    indices.assign(around_.begin(), around_.end());
    indices.resize(around_.size() + turns_.size() + kind.extents.size());
    std::int64_t* const own = indices.data() + around_.size();
    set_indices(turns_, place / in_turn_, own);
    set_indices(kind.extents, place % in_turn_ - kind.offset, own + turns_.size());
    return lists_.tasks[kind.task];
}

bool ListPlaces::exists(std::int64_t place) const {
    const TaskNumber& exists = lists_.tasks[task_number(place)].exists;
    if (!exists.formula) return exists.known != 0;
    std::vector<std::int64_t> indices;
    task(place, indices);
    return numbers_(exists, indices) != 0;
}

bool ListPlaces::any_stretch(const TaskCondition& condition, std::span<const std::int64_t> indices,
                             const VisitStretch& visit) const {
    const Kind& kind = *std::ranges::find(kinds_, condition.task, &Kind::task);
    const std::span<const Subscript> all = condition.subscripts;
    const std::size_t of_list = std::min(all.size(), turns_.size());
    const auto in_turns = [&](std::int64_t turn, std::int64_t end_turn) {
        if (kinds_.size() == 1 && all.size() <= turns_.size()) return visit(turn * in_turn_, end_turn * in_turn_);
        for (; turn < end_turn; ++turn) {
            const std::int64_t origin = turn * in_turn_ + kind.offset;
            const auto shifted = [&](std::int64_t first, std::int64_t end) {
                return visit(origin + first, origin + end);
            };
            if (program::any_stretch(all.subspan(of_list), kind.extents, numbers_, indices, std::ref(shifted)))
                return true;
        }
        return false;
    };
    return program::any_stretch(all.first(of_list), turns_, numbers_, indices, std::ref(in_turns));
}

}  // namespace warpfront::program
