#include "simulator/engine/stepping/timing_wheel.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpfront::engine {

namespace {

void mark(std::array<std::uint64_t, TimingWheel::kSlots / 64>& occupied, std::uint32_t slot) {
    occupied[slot / 64] |= std::uint64_t{1} << (slot % 64);
}
void clear(std::array<std::uint64_t, TimingWheel::kSlots / 64>& occupied, std::uint32_t slot) {
    occupied[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
}

}  // namespace

TimingWheel::TimingWheel() : pages_(kSlots), free_chunk_(kNoChunk) { head_.fill(kNoChunk); }

std::uint32_t TimingWheel::first_from(const Occupied& occupied, std::uint32_t slot) {
    std::uint64_t word = occupied[slot / 64] & (~std::uint64_t{0} << (slot % 64));
    for (std::uint32_t index = slot / 64;; word = occupied[index]) {
        if (word != 0) return index * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
        if (++index == occupied.size()) return kSlots;
    }
}

std::uint64_t TimingWheel::first() const {
    const std::uint32_t slot = first_from(windows_, static_cast<std::uint32_t>(now_ % kSlots));
    if (slot < kSlots) return now_ / kSlots * kSlots + slot;
    const std::uint32_t page = first_from(occupied_pages_, static_cast<std::uint32_t>(now_ / kSlots % kSlots));
    return page < kSlots ? pages_[page].first : later_.first;
}

std::size_t TimingWheel::count(std::uint64_t window) const {
    if (window / kSlots != now_ / kSlots) return 0;
    std::size_t sum = 0;
    for (std::uint32_t at = head_[window % kSlots]; at != kNoChunk; at = chunks_[at].next) sum += chunks_[at].count;
    return sum;
}

void TimingWheel::take(std::uint64_t window, std::vector<Node>& nodes) {
    if (window / kSlots != now_ / kSlots) turn_to(window);
    now_ = window;
    const auto slot = static_cast<std::uint32_t>(window % kSlots);
    std::uint32_t at = head_[slot];
    while (at != kNoChunk) {
        Chunk& chunk = chunks_[at];
        nodes.insert(nodes.end(), chunk.nodes.begin(), chunk.nodes.begin() + chunk.count);
        const std::uint32_t next = chunk.next;
        chunk.next = free_chunk_;
        free_chunk_ = at;
        at = next;
    }
    head_[slot] = kNoChunk;
    clear(windows_, slot);
}

/// Puts an empty chunk before those of the slot.
std::uint32_t TimingWheel::open_chunk(std::uint32_t slot) {
    std::uint32_t fresh = free_chunk_;
    if (fresh == kNoChunk) {
        fresh = static_cast<std::uint32_t>(chunks_.size());
        chunks_.emplace_back();
    } else {
        free_chunk_ = chunks_[fresh].next;
    }
    chunks_[fresh].next = head_[slot];
    chunks_[fresh].count = 0;
    head_[slot] = fresh;
    mark(windows_, slot);
    return fresh;
}

void TimingWheel::push_far(Entry entry) {
    const std::uint64_t page = entry.window / kSlots;
    const bool in_book = page / kSlots == now_ / kSlots / kSlots;
    Page& list = in_book ? pages_[page % kSlots] : later_;
    if (in_book) mark(occupied_pages_, static_cast<std::uint32_t>(page % kSlots));
    list.entries.push_back(entry);
    list.first = std::min(list.first, entry.window);
}

/// Opens the page of `window`, and its book if that is another; the pages before it are used up.
void TimingWheel::turn_to(std::uint64_t window) {
    const bool other_book = window / kSlots / kSlots != now_ / kSlots / kSlots;
    now_ = window;
    if (other_book) {
        const Page later = std::exchange(later_, Page{});
        for (const Entry& entry : later.entries) push(entry.window, entry.node);
    }
    const auto slot = static_cast<std::uint32_t>(window / kSlots % kSlots);
    const Page page = std::exchange(pages_[slot], Page{});
    clear(occupied_pages_, slot);
    for (const Entry& entry : page.entries) push_near(static_cast<std::uint32_t>(entry.window % kSlots), entry.node);
}

std::uint64_t TimingWheel::bytes() const {
    std::uint64_t sum = sizeof(TimingWheel) + pages_.capacity() * sizeof(Page) + chunks_.capacity() * sizeof(Chunk);
    for (const Page& page : pages_) sum += page.entries.capacity() * sizeof(Entry);
    return sum + later_.entries.capacity() * sizeof(Entry);
}

}  // namespace warpfront::engine
