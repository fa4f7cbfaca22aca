#include "simulator/engine/state/eager_window.hpp"

#include <algorithm>

namespace warpfront::engine {

std::int64_t EagerWindow::Queue::pop() {
    const std::int64_t value = values_[first_++];
    if (first_ * 2 >= values_.size()) {
        values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }
    return value;
}

bool EagerWindow::begin_eager(Bytes size, const machine::EagerLimit& limit) {
    ++sent_;
    sizes_.push(size.count);
    held_ += size.count;
    const auto beyond = [&] {
        return (limit.messages && sizes_.size() > *limit.messages) || (limit.bytes && held_ > limit.bytes->count);
    };
    const std::uint64_t needed_before = needed_;
    while (!sizes_.empty() && beyond()) need_next();
    return needed_ > needed_before;
}

void EagerWindow::begin_rendezvous() {
    ++sent_;
    sizes_.push(0);
    while (!sizes_.empty()) need_next();
}

void EagerWindow::need_next() {
    held_ -= sizes_.pop();
    ++needed_;
    if (!times_.empty()) needed_at_ = times_.pop();
}

void EagerWindow::add_post(std::int64_t posted) {
    ++posted_;
    if (posted_ <= needed_) {
        needed_at_ = posted;
    } else {
        times_.push(posted);
    }
}

void EagerWindow::describe(std::int64_t cut, std::vector<std::uint64_t>& words) const {
    const auto since = [cut](std::int64_t time) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(time - cut, 0));
    };
    words.push_back(needed_ - posted_);  // wraps where more posts are known than needed, and compares all the same
    words.push_back(since(needed_at_));
    words.push_back(sizes_.size());
    for (std::size_t k = 0; k < sizes_.size(); ++k) words.push_back(static_cast<std::uint64_t>(sizes_[k]));
    words.push_back(times_.size());
    for (std::size_t k = 0; k < times_.size(); ++k) words.push_back(since(times_[k]));
}

std::uint64_t EagerWindow::bytes() const { return sizeof(EagerWindow) + sizes_.bytes() + times_.bytes(); }

}  // namespace warpfront::engine
