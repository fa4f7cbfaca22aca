// Sweeps as hand-written loops: the reference for the rate of any engine on this host. They have no programs and no
// state except clocks; the order of ranks is known in advance, and nothing is shared.
//
// One tile of a sweep on rank (x, y): receive west, receive north, work, send east, send south. With rendezvous a send
// lasts until the receiver has posted, and the south rank posts for north only after it has received west. So the ranks
// of one diagonal first run up to their send east, then all send south.
//
// Not pinned here, nor anywhere: rates. Benchmarks print them, and tests/clock compares one with another. Both engines
// take the event engine's time, which is pinned in tests/engine/bare_loop_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpfront::test {

struct BareCosts {
    std::int64_t o = 0;
    std::int64_t L = 0;
    std::int64_t flight = 0;  // L + S*G
    std::int64_t work = 0;
};

class BareSweeps {
public:
    BareSweeps(std::uint32_t columns, std::uint32_t rows, BareCosts costs)
        : columns_(columns),
          rows_(rows),
          costs_(costs),
          end_(columns * rows),
          west_(end_.size()),
          north_(end_.size()) {}

    /// Runs `tiles` tiles of one sweep from the north-west with rendezvous messages; returns their number.
    std::uint64_t rendezvous(std::int64_t tiles) {
        for (std::int64_t tile = 0; tile < tiles; ++tile) {
            for (std::uint32_t diagonal = 0; diagonal < columns_ + rows_ - 1; ++diagonal) {
                each_on(diagonal,
                        [this](std::uint32_t x, std::uint32_t y, std::size_t rank) { send_east(x, y, rank); });
                each_on(diagonal,
                        [this](std::uint32_t x, std::uint32_t y, std::size_t rank) { send_south(x, y, rank); });
            }
        }
        return messages(tiles);
    }

    /// Runs the sweep with eager messages.
    std::uint64_t eager(std::int64_t tiles) {
        for (std::int64_t tile = 0; tile < tiles; ++tile) {
            std::size_t rank = 0;
            for (std::uint32_t y = 0; y < rows_; ++y) {
                for (std::uint32_t x = 0; x < columns_; ++x, ++rank) {
                    std::int64_t clock = end_[rank];
                    if (x > 0) clock = std::max(clock, west_[rank]) + costs_.o;
                    if (y > 0) clock = std::max(clock, north_[rank]) + costs_.o;
                    clock += costs_.work;
                    if (x + 1 < columns_) west_[rank + 1] = (clock += costs_.o) + costs_.flight;
                    if (y + 1 < rows_) north_[rank + columns_] = (clock += costs_.o) + costs_.flight;
                    end_[rank] = clock;
                }
            }
        }
        return messages(tiles);
    }

    std::int64_t last() const { return end_.back(); }

private:
    template <typename Do>
    void each_on(std::uint32_t diagonal, const Do& act) {
        const std::uint32_t first = diagonal < rows_ ? 0 : diagonal - rows_ + 1;
        const std::uint32_t last = std::min(diagonal, columns_ - 1);
        for (std::uint32_t x = first; x <= last; ++x) {
            const std::uint32_t y = diagonal - x;
            act(x, y, std::size_t{y} * columns_ + x);
        }
    }

    void send_east(std::uint32_t x, std::uint32_t y, std::size_t rank) {
        std::int64_t clock = received_west(x, rank);
        if (y > 0) clock = std::max(clock, north_[rank]) + costs_.o;
        clock += costs_.work;
        if (x + 1 < columns_) {
            clock += costs_.o;
            clock = std::max(clock + costs_.L, end_[rank + 1]) + costs_.L;
            west_[rank + 1] = clock + costs_.flight;
        }
        end_[rank] = clock;
    }

    void send_south(std::uint32_t x, std::uint32_t y, std::size_t rank) {
        if (y + 1 == rows_) return;
        const std::size_t south = rank + columns_;
        const std::int64_t posted = received_west(x, south);
        const std::int64_t clock = std::max(end_[rank] + costs_.o + costs_.L, posted) + costs_.L;
        north_[south] = clock + costs_.flight;
        end_[rank] = clock;
    }

    std::int64_t received_west(std::uint32_t x, std::size_t rank) const {
        return x > 0 ? std::max(end_[rank], west_[rank]) + costs_.o : end_[rank];
    }
    std::uint64_t messages(std::int64_t tiles) const {
        const std::uint64_t per_tile = std::uint64_t{columns_ - 1} * rows_ + std::uint64_t{columns_} * (rows_ - 1);
        return per_tile * static_cast<std::uint64_t>(tiles);
    }

    std::uint32_t columns_;
    std::uint32_t rows_;
    BareCosts costs_;
    std::vector<std::int64_t> end_;   // by rank: the end of its last tile
    std::vector<std::int64_t> west_;  // arrival of the message from the west
    std::vector<std::int64_t> north_;
};

}  // namespace warpfront::test
