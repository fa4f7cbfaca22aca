#include "simulator/engine/stepping/calendar.hpp"

#include "simulator/units/time.hpp"

namespace warpfront::engine {

namespace {

/// The first bit that is set, from `first` on; 64 * words.size() if there is none.
template <typename Words>
std::size_t first_bit(const Words& words, std::size_t first) {
    const std::size_t count = words.size();
    std::size_t at = first / 64;
    if (at >= count) return 64 * count;
    std::uint64_t word = words[at] & (~std::uint64_t{0} << (first % 64));
    while (word == 0) {
        if (++at == count) return 64 * count;
        word = words[at];
    }
    return 64 * at + static_cast<std::size_t>(std::countr_zero(word));
}

}  // namespace

EventBins::EventBins() : bins_(kBins), first_(64), occupied_(1) {}

bool EventBins::take_bucket(std::vector<Event>& bucket) {
    std::size_t next = first_bit(occupied_, bucket_);
    if (next == 64 * occupied_.size()) {
        if (!open_next_bin()) return false;
        next = first_bit(occupied_, 0);
    }
    bucket_ = next;
    for (std::uint32_t at = first_[bucket_]; at != kNoEvent; at = open_[at].next) bucket.push_back(open_[at]);
    occupied_[bucket_ / 64] &= ~(std::uint64_t{1} << (bucket_ % 64));
    taken_until_ = open_begin_ + (static_cast<std::int64_t>(bucket_ + 1) << bucket_shift_);
    return true;
}

bool EventBins::open_next_bin() {
    const auto present = static_cast<std::size_t>(open_end_ - year_begin_) >> bin_shift_;  // the one behind it
    std::size_t bin = first_bit(used_, present);
    if (bin == kBins) {
        if (!begin_year()) return false;
        bin = first_bit(used_, 0);
    }
    used_[bin / 64] &= ~(std::uint64_t{1} << (bin % 64));
    open_.clear();
    if (open_.capacity() > 0) spare_.push_back(std::exchange(open_, {}));
    open_.swap(bins_[bin]);
    open_begin_ = year_begin_ + (static_cast<std::int64_t>(bin) << bin_shift_);
    open_end_ = open_begin_ + (std::int64_t{1} << bin_shift_);
    const std::size_t buckets = std::clamp(std::bit_ceil(open_.size()), std::size_t{64}, kMostBuckets);
    bucket_shift_ = bin_shift_ - static_cast<unsigned>(std::countr_zero(buckets));
    if (first_.size() < buckets) first_.resize(buckets);
    occupied_.assign(buckets / 64, 0);
    bucket_ = 0;
    visited_ = 0;
    for (std::uint32_t number = 0; number < open_.size(); ++number) link(number);
    return true;
}

/// The times from the first event on are cut into bins anew.
bool EventBins::begin_year() {
    if (later_.empty()) return false;
    std::int64_t first = later_.front().time;
    for (const Event& event : later_) first = std::min(first, event.time);
    const Wide count = later_.size();
    Wide sum = 0;
    for (const Event& event : later_) sum += event.time - first;
    const auto bin = static_cast<std::uint64_t>(4 * sum / count / kBins);
    bin_shift_ = std::clamp(static_cast<unsigned>(std::bit_width(bin)), kLeastShift, kMostShift);
    year_begin_ = first;
    year_end_ = first + (std::int64_t{kBins} << bin_shift_);
    open_end_ = first;
    std::vector<Event> later;
    later.swap(later_);
    for (const Event& event : later) add(event);
    if (later_.empty()) {
        later.clear();
        later_.swap(later);  // its memory is used again
    }
    return true;
}

std::uint64_t EventBins::bytes() const {
    std::uint64_t sum = (later_.capacity() + open_.capacity()) * sizeof(Event) + first_.capacity() * sizeof(std::uint32_t) +
                        occupied_.capacity() * sizeof(std::uint64_t) + bins_.capacity() * sizeof(std::vector<Event>);
    for (const auto* const lists : {&bins_, &spare_}) {
        for (const std::vector<Event>& list : *lists) sum += list.capacity() * sizeof(Event);
    }
    return sum;
}

}  // namespace warpfront::engine
