#include "simulator/engine/wheel.hpp"

namespace warpfront::engine {

namespace {

constexpr std::uint32_t kNoChunk = 0xFFFFFFFF;

}  // namespace

Wheel::Wheel() : free_chunk_(kNoChunk) {
    for (Level* level : {&windows_, &pages_}) {
        level->head.fill(kNoChunk);
        level->occupied.fill(0);
    }
}

std::uint32_t Wheel::Level::first_from(std::uint32_t slot) const {
    std::uint64_t word = occupied[slot / 64] & (~std::uint64_t{0} << (slot % 64));
    for (std::uint32_t index = slot / 64;; word = occupied[index]) {
        if (word != 0) return index * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
        if (++index == occupied.size()) return kSlots;
    }
}

void Wheel::push(std::uint64_t window, std::uint32_t rank) {
    const std::uint64_t page = window / kSlots;
    const std::uint64_t present = now_ / kSlots;
    if (page == present) {
        push(windows_, static_cast<std::uint32_t>(window % kSlots), rank);
    } else if (page / kSlots == present / kSlots) {
        push(pages_, static_cast<std::uint32_t>(page % kSlots), rank);
    } else {
        later_.push_back(rank);
    }
}

void Wheel::push(Level& level, std::uint32_t slot, std::uint32_t rank) {
    std::uint32_t& head = level.head[slot];
    if (head == kNoChunk || chunks_[head].count == chunks_[head].ranks.size()) {
        std::uint32_t fresh = free_chunk_;
        if (fresh == kNoChunk) {
            fresh = static_cast<std::uint32_t>(chunks_.size());
            chunks_.emplace_back();
        } else {
            free_chunk_ = chunks_[fresh].next;
        }
        chunks_[fresh].next = head;
        chunks_[fresh].count = 0;
        head = fresh;
        level.occupied[slot / 64] |= std::uint64_t{1} << (slot % 64);
    }
    Chunk& chunk = chunks_[head];
    chunk.ranks[chunk.count++] = rank;
}

void Wheel::take(Level& level, std::uint32_t slot, std::vector<std::uint32_t>& ranks) {
    std::uint32_t at = level.head[slot];
    while (at != kNoChunk) {
        Chunk& chunk = chunks_[at];
        ranks.insert(ranks.end(), chunk.ranks.begin(), chunk.ranks.begin() + chunk.count);
        const std::uint32_t next = chunk.next;
        chunk.next = free_chunk_;
        free_chunk_ = at;
        at = next;
    }
    level.head[slot] = kNoChunk;
    level.occupied[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
}

}  // namespace warpfront::engine
