#include "simulator/engine/stepping/calendar.hpp"

#include "simulator/units/time.hpp"

namespace warpfront::engine {

/// Returns the first bin with events, from `bin` on; kMostBins if there is none.
std::size_t EventBins::used_from(std::size_t bin) const {
    if (bin >= kMostBins) return kMostBins;
    std::size_t at = bin / 64;
    std::uint64_t word = used_[at] & (~std::uint64_t{0} << (bin % 64));
    while (word == 0) {
        if (++at == used_.size()) return kMostBins;
        word = used_[at];
    }
    return 64 * at + static_cast<std::size_t>(std::countr_zero(word));
}

void EventBins::add_later(Event event) { later_.push_back(event); }

void EventBins::add_to_new_chunk(Event event, std::size_t bin) {
    std::uint32_t fresh = free_;
    if (fresh == kNoChunk) {
        fresh = static_cast<std::uint32_t>(chunks_.size());
        chunks_.emplace_back();
    } else {
        free_ = chunks_[fresh].next;
        chunks_[fresh].count = 0;
    }
    chunks_[fresh].next = first_[bin];
    first_[bin] = fresh;
    used_[bin / 64] |= std::uint64_t{1} << (bin % 64);
    chunks_[fresh].events[chunks_[fresh].count++] = event;
}

void EventBins::free_chunks(std::uint32_t first) {
    if (first == kNoChunk) return;
    std::uint32_t last = first;
    while (chunks_[last].next != kNoChunk) last = chunks_[last].next;
    chunks_[last].next = std::exchange(free_, first);
}

bool EventBins::go_to_next() {
    free_chunks(std::exchange(present_, kNoChunk));
    std::size_t bin = end_ < year_end_ ? used_from(static_cast<std::size_t>(end_ - year_begin_) >> shift_) : kMostBins;
    if (bin == kMostBins) {
        if (!begin_year()) return false;
        bin = used_from(0);
    }
    begin_ = year_begin_ + (static_cast<std::int64_t>(bin) << shift_);
    end_ = begin_ + (std::int64_t{1} << shift_);
    present_ = std::exchange(first_[bin], kNoChunk);
    used_[bin / 64] &= ~(std::uint64_t{1} << (bin % 64));
    return true;
}

void EventBins::take_out(std::size_t bin, std::vector<Event>& events) {
    const std::uint32_t first = std::exchange(first_[bin], kNoChunk);
    for (std::uint32_t at = first; at != kNoChunk; at = chunks_[at].next) {
        const Chunk& chunk = chunks_[at];
        events.insert(events.end(), chunk.events.begin(), chunk.events.begin() + chunk.count);
    }
    free_chunks(first);
    used_[bin / 64] &= ~(std::uint64_t{1} << (bin % 64));
}

std::size_t EventBins::begin_year_with(std::span<const Event> events) {
    later_.insert(later_.end(), events.begin(), events.end());
    for (std::size_t bin = used_from(0); bin != kMostBins; bin = used_from(bin + 1)) take_out(bin, later_);
    const std::size_t count = later_.size();
    if (begin_year()) begin_ = end_ = year_begin_;
    return count;
}

/// Begins a year: divides the times from the first event on into bins again.
bool EventBins::begin_year() {
    if (later_.empty()) return false;
    std::int64_t first = later_.front().time;
    for (const Event& event : later_) first = std::min(first, event.time);
    Wide sum = 0;
    for (const Event& event : later_) sum += event.time - first;
    const std::size_t bins = std::clamp<std::size_t>(std::bit_ceil(later_.size()) / 4, 1, kMostBins);
    const Wide length = 4 * sum / static_cast<Wide>(later_.size()) / static_cast<Wide>(bins);
    shift_ = std::min(static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(length))), kMostShift);
    first_.resize(std::max(first_.size(), bins), kNoChunk);
    year_begin_ = first;
    year_end_ = first + (static_cast<std::int64_t>(bins) << shift_);
    std::vector<Event> all;
    all.swap(later_);
    for (const Event& event : all) add(event);
    if (!later_.empty()) return true;
    all.clear();
    later_.swap(all);  // the old array is used again, so that no memory is allocated
    return true;
}

std::uint64_t EventBins::bytes() const {
    return later_.capacity() * sizeof(Event) + first_.capacity() * sizeof(std::uint32_t) +
           chunks_.capacity() * sizeof(Chunk);
}

}  // namespace warpfront::engine
