// Sweeps simulated by plain code that takes the order of events from a queue: rendezvous, one core and a first-come
// first-served bus per node, three events per message, a monotone radix heap. There are no programs, NICs, links or
// breakdown. It is the reference for the engine's rate with shared resources.
//
//   requests_departure     the sender's bus: granted, the message arrives one `flight` later, its sender resumes
//   requests_receive  the receiver's bus
//   goes_on          `o` after that was granted
//
// Radix heap: Ahuja, Mehlhorn, Orlin & Tarjan 1990: an event is in the bucket of the highest bit in which
// its time differs from that of the last event taken.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "tests/benchmarks/bare_loop.hpp"

namespace warpfront::test {

struct PlainEvent {
    enum Kind : std::uint32_t { requests_departure, requests_receive, goes_on };
    std::int64_t time = 0;
    std::uint32_t rank = 0;
    Kind kind = goes_on;
};

class RadixHeap {
public:
    bool empty() const { return count_ == 0; }
    /// Adds an event, which must be no earlier than the last event taken.
    void push(const PlainEvent& event) {
        buckets_[bucket_of(event.time)].push_back(event);
        ++count_;
    }
    PlainEvent pop() {
        if (buckets_[0].empty()) refill();
        const PlainEvent event = buckets_[0].back();
        buckets_[0].pop_back();
        --count_;
        return event;
    }

private:
    std::size_t bucket_of(std::int64_t time) const {
        return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(time ^ last_)));
    }
    void refill() {
        std::size_t first = 1;
        while (buckets_[first].empty()) ++first;
        const auto earlier = [](const PlainEvent& a, const PlainEvent& b) { return a.time < b.time; };
        last_ = std::min_element(buckets_[first].begin(), buckets_[first].end(), earlier)->time;
        for (const PlainEvent& event : buckets_[first]) buckets_[bucket_of(event.time)].push_back(event);
        buckets_[first].clear();
    }

    std::array<std::vector<PlainEvent>, 65> buckets_;
    std::int64_t last_ = 0;
    std::size_t count_ = 0;
};

class PlainSweeps {
public:
    /// Creates sweeps in which each message occupies the bus for `hold`, on either side.
    PlainSweeps(std::uint32_t columns, std::uint32_t rows, BareCosts costs, std::int64_t hold)
        : columns_(columns), rows_(rows), costs_(costs), hold_(hold), ranks_(std::size_t{columns} * rows) {}

    /// Runs `tiles` tiles of one sweep from the north-west; returns the number of messages.
    std::uint64_t run(std::int64_t tiles) {
        const std::uint64_t before = messages_;
        for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
            ranks_[rank].tiles = tiles;
            heap_.push({last_, rank, PlainEvent::goes_on});
        }
        while (!heap_.empty()) take(heap_.pop());
        return messages_ - before;
    }

    std::int64_t last() const { return last_; }

private:
    static constexpr std::int64_t kNot = -1;
    enum Step : std::uint32_t { from_west, from_north, to_east, to_south };
    struct RankState {
        std::array<std::int64_t, 2> posted{kNot, kNot};        // from the west, from the north
        std::array<std::int64_t, 2> sender_since{kNot, kNot};  // waits for a post
        std::int64_t bus_free = 0;
        std::int64_t tiles = 0;
        std::uint32_t step = from_west;
    };

    std::uint32_t receiver(std::uint32_t rank) const {
        return ranks_[rank].step == to_east ? rank + 1 : rank + columns_;
    }

    void take(const PlainEvent& event) {
        RankState& rank = ranks_[event.rank];
        last_ = std::max(last_, event.time);
        if (event.kind == PlainEvent::goes_on) {
            step(event.rank, event.time);
            return;
        }
        const std::int64_t granted = std::max(event.time, rank.bus_free);
        rank.bus_free = granted + hold_;
        if (event.kind == PlainEvent::requests_receive) {
            ++rank.step;
            heap_.push({granted + costs_.o, event.rank, PlainEvent::goes_on});
            return;
        }
        ++messages_;
        heap_.push({granted + costs_.flight, receiver(event.rank), PlainEvent::requests_receive});
        ++rank.step;
        step(event.rank, granted);
    }

    /// Runs the rank until it must wait.
    void step(std::uint32_t rank, std::int64_t clock) {
        RankState& state = ranks_[rank];
        const std::uint32_t x = rank % columns_;
        const std::uint32_t y = rank / columns_;
        while (state.tiles > 0) {
            switch (state.step) {
                case from_west:
                    if (x > 0) return post(rank, rank - 1, 0, clock);
                    break;
                case from_north:
                    if (y > 0) return post(rank, rank - columns_, 1, clock);
                    break;
                case to_east:
                    clock += costs_.work;
                    if (x + 1 < columns_) return request(rank, rank + 1, 0, clock + costs_.o);
                    break;
                default:
                    if (y + 1 < rows_ && state.step == to_south) {
                        return request(rank, rank + columns_, 1, clock + costs_.o);
                    }
                    state.step = from_west;
                    --state.tiles;
                    continue;
            }
            ++state.step;
        }
        last_ = std::max(last_, clock);
    }

    void post(std::uint32_t rank, std::uint32_t sender, std::size_t from, std::int64_t clock) {
        RankState& state = ranks_[rank];
        if (state.sender_since[from] == kNot) {
            state.posted[from] = clock;
            return;
        }
        const std::int64_t met = std::max(clock, state.sender_since[from] + costs_.L);
        state.sender_since[from] = kNot;
        heap_.push({met + costs_.L, sender, PlainEvent::requests_departure});
    }

    void request(std::uint32_t rank, std::uint32_t to, std::size_t from, std::int64_t clock) {
        RankState& receiver = ranks_[to];
        if (receiver.posted[from] == kNot) {
            receiver.sender_since[from] = clock;
            return;
        }
        const std::int64_t met = std::max(receiver.posted[from], clock + costs_.L);
        receiver.posted[from] = kNot;
        heap_.push({met + costs_.L, rank, PlainEvent::requests_departure});
    }

    std::uint32_t columns_;
    std::uint32_t rows_;
    BareCosts costs_;
    std::int64_t hold_;
    std::vector<RankState> ranks_;
    RadixHeap heap_;
    std::int64_t last_ = 0;
    std::uint64_t messages_ = 0;
};

}  // namespace warpfront::test
