// A timing wheel of windows: which ranks have a timed request in which window of virtual time.
//
// Virtual time is cut into windows no wider than the lookahead, numbered from 0. Inside a window nothing that happens
// on one node can reach another, so a window's entries may be taken in any order. Three levels: the 4,096 windows of
// the present page one by one, the 4,096 pages of the present book page by page, everything later in one list. Each
// entry is moved at most twice. Entries are rank numbers in chunks from a pool: pushing never allocates once warm.
// (Varghese & Lauck 1987, scheme 6.)
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace warpfront::engine {

class Wheel {
public:
    static constexpr unsigned kBits = 12;
    static constexpr std::uint32_t kSlots = 1U << kBits;

    Wheel();

    /// `window` is not before the one that advance() last returned.
    void push(std::uint64_t window, std::uint32_t rank);

    /// Moves to the first window that holds entries and takes them out into `entries`; false if there is none.
    /// `window_of(rank)` tells the window that a rank was pushed with.
    template <typename WindowOf>
    bool advance(std::uint64_t& window, std::vector<std::uint32_t>& entries, const WindowOf& window_of);

    std::uint64_t bytes() const { return chunks_.capacity() * sizeof(Chunk) + later_.capacity() * sizeof(std::uint32_t); }

private:
    struct Chunk {
        std::uint32_t next;
        std::uint32_t count;
        std::array<std::uint32_t, 30> ranks;
    };
    /// Lists of ranks by slot, and which slots have one.
    struct Level {
        std::array<std::uint32_t, kSlots> head;
        std::array<std::uint64_t, kSlots / 64> occupied;
        std::uint32_t first_from(std::uint32_t slot) const;  // kSlots if none
    };

    void push(Level& level, std::uint32_t slot, std::uint32_t rank);
    void take(Level& level, std::uint32_t slot, std::vector<std::uint32_t>& ranks);
    template <typename WindowOf>
    bool turn_page(const WindowOf& window_of);

    Level windows_;  // of the present page
    Level pages_;    // of the present book
    std::vector<std::uint32_t> later_;
    std::vector<std::uint32_t> moving_;
    std::vector<Chunk> chunks_;
    std::uint32_t free_chunk_;
    std::uint64_t now_ = 0;  // a window of the present page
};

template <typename WindowOf>
bool Wheel::advance(std::uint64_t& window, std::vector<std::uint32_t>& entries, const WindowOf& window_of) {
    entries.clear();
    for (;;) {
        const std::uint32_t slot = windows_.first_from(static_cast<std::uint32_t>(now_ % kSlots));
        if (slot < kSlots) {
            now_ = now_ / kSlots * kSlots + slot;
            window = now_;
            take(windows_, slot, entries);
            return true;
        }
        if (!turn_page(window_of)) return false;
    }
}

/// Brings the next page that has entries, opening the next book that has some where this one is used up.
template <typename WindowOf>
bool Wheel::turn_page(const WindowOf& window_of) {
    const std::uint64_t page = now_ / kSlots;
    const std::uint32_t slot = pages_.first_from(static_cast<std::uint32_t>(page % kSlots));
    moving_.clear();
    if (slot < kSlots) {
        now_ = (page / kSlots * kSlots + slot) * kSlots;
        take(pages_, slot, moving_);
    } else {
        if (later_.empty()) return false;
        std::uint64_t first = window_of(later_.front());
        for (const std::uint32_t rank : later_) first = std::min(first, window_of(rank));
        now_ = first / kSlots * kSlots;
        moving_.swap(later_);
    }
    for (const std::uint32_t rank : moving_) push(window_of(rank), rank);
    return true;
}

}  // namespace warpfront::engine
