// A timing wheel of windows: which nodes have a timed request in which window of virtual time.
//
// Virtual time is cut into windows no wider than the lookahead, numbered from 0. Inside a window nothing that happens
// on one node can reach another, so a window's entries may be taken in any order. Three levels: the 4,096 windows of
// the present page one by one, the 4,096 pages of the present book page by page, everything later in one list. Each
// entry is moved at most twice. Of the present page, nodes lie in chunks from a pool: pushing does not allocate once
// warm. (Varghese & Lauck 1987, scheme 6.)
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/units/ids.hpp"

namespace warpfront::engine {

inline constexpr std::uint64_t kNoWindow = ~std::uint64_t{0};

class TimingWheel {
public:
    static constexpr unsigned kBits = 12;
    static constexpr std::uint32_t kSlots = 1U << kBits;

    TimingWheel();

    /// `window` is not before the present one.
    void push(std::uint64_t window, Node node) {
        if (window / kSlots == now_ / kSlots) {
            push_near(static_cast<std::uint32_t>(window % kSlots), node);
        } else {
            push_far({window, node});
        }
    }

    /// The first window that holds entries; kNoWindow if there is none.
    std::uint64_t first() const;
    /// Goes to `window`, which is not before the present one nor after first(), and adds its entries to `nodes`.
    void take(std::uint64_t window, std::vector<Node>& nodes);

    /// Entries of `window`, so far as it is of the present page; 0 for others.
    std::size_t count(std::uint64_t window) const;

    std::uint64_t bytes() const;

private:
    struct Entry {
        std::uint64_t window;
        Node node;
    };
    static constexpr std::uint32_t kNoChunk = 0xFFFFFFFF;
    struct Chunk {
        std::uint32_t next;
        std::uint32_t count;
        std::array<Node, 30> nodes;
    };
    struct Page {
        std::vector<Entry> entries;
        std::uint64_t first = kNoWindow;
    };
    using Occupied = std::array<std::uint64_t, kSlots / 64>;

    void push_near(std::uint32_t slot, Node node) {
        std::uint32_t head = head_[slot];
        if (head == kNoChunk || chunks_[head].count == chunks_[head].nodes.size()) head = open_chunk(slot);
        Chunk& chunk = chunks_[head];
        chunk.nodes[chunk.count++] = node;
    }
    std::uint32_t open_chunk(std::uint32_t slot);
    void push_far(Entry entry);
    void turn_to(std::uint64_t window);
    static std::uint32_t first_from(const Occupied& occupied, std::uint32_t slot);  // kSlots if none

    std::array<std::uint32_t, kSlots> head_;  // of the present page
    Occupied windows_{};
    std::vector<Page> pages_;  // of the present book
    Occupied occupied_pages_{};
    Page later_;
    std::vector<Chunk> chunks_;
    std::uint32_t free_chunk_;
    std::uint64_t now_ = 0;  // a window of the present page
};

}  // namespace warpfront::engine
