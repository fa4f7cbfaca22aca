// The pipeline over a cluster of SMPs whose boundaries have few channels, after Hoisie, Lubeck, Wasserman, Petrini and
// Alme, A General Predictive Performance Model for Wavefront Algorithms on Clusters of SMPs (LA-UR-00-308), 2000.
//
// m x n SMPs of Sx x Sy ranks; L messages at a time cross the boundary of two SMPs in each direction. Every wave a rank
// receives from the west, receives from the north, sends east, sends south. Messages are synchronous: one starts when
// both ends are ready and, at a boundary, a channel is free, and keeps both busy for one step. Computing takes no time.
// At a full boundary the older wave is first.
//
// The protocol is stepped here one step at a time, and compared with steps found by hand and with the closed form of
// simulator/analytic/pipeline_bottlenecks.hpp.
#include "simulator/analytic/pipeline.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/analytic/table.hpp"

using namespace warpfront;

namespace {

using analytic::SmpCluster;

class Protocol {
public:
    Protocol(const SmpCluster& cluster, std::int64_t waves)
        : cluster_(cluster),
          columns_(cluster.columns * cluster.ranks_x),
          rows_(cluster.rows * cluster.ranks_y),
          waves_(waves),
          ranks_(static_cast<std::size_t>(columns_ * rows_)) {
        for (std::int64_t rank = 0; rank < std::ssize(ranks_); ++rank) skip_missing_neighbours(rank);
    }

    /// By wave, the step at which the rank in this column and row, from 1, has received it.
    std::vector<std::int64_t> received_at(std::int64_t column, std::int64_t row) {
        const std::int64_t probe = (row - 1) * columns_ + column - 1;
        std::vector<std::int64_t> steps;
        for (std::int64_t step = 1; std::ssize(steps) < waves_; ++step) {
            advance();
            const Position& at = at_of(probe);
            const std::int64_t next = std::ssize(steps);
            const bool received = at.wave > next || (at.wave == next && at.part > kFromNorth);
            if (received) steps.push_back(step);
        }
        return steps;
    }

private:
    enum Part : std::uint8_t { kFromWest, kFromNorth, kToEast, kToSouth, kParts };
    struct Position {
        std::int64_t wave = 0;
        std::uint8_t part = kFromWest;
    };
    struct Message {
        std::int64_t wave;
        std::int64_t from, to;
    };

    Position& at_of(std::int64_t rank) { return ranks_[static_cast<std::size_t>(rank)]; }

    bool has(std::int64_t rank, std::uint8_t part) const {
        const std::int64_t column = rank % columns_, row = rank / columns_;
        switch (part) {
            case kFromWest: return column > 0;
            case kFromNorth: return row > 0;
            case kToEast: return column + 1 < columns_;
            default: return row + 1 < rows_;
        }
    }

    void skip_missing_neighbours(std::int64_t rank) {
        Position& at = at_of(rank);
        while (at.wave < waves_ && !has(rank, at.part)) next_part(at);
    }
    static void next_part(Position& at) {
        if (++at.part < kParts) return;
        at.part = kFromWest;
        ++at.wave;
    }

    std::int64_t smp_of(std::int64_t rank) const {
        return rank / columns_ / cluster_.ranks_y * cluster_.columns + rank % columns_ / cluster_.ranks_x;
    }

    /// All messages that can start in a step do, and have ended with it.
    void advance() {
        std::vector<Message> ready;
        for (std::int64_t rank = 0; rank < std::ssize(ranks_); ++rank) {
            const Position& at = at_of(rank);
            if (at.wave == waves_ || at.part < kToEast) continue;
            const std::int64_t to = at.part == kToEast ? rank + 1 : rank + columns_;
            const Position& peer = at_of(to);
            const bool meets = peer.wave == at.wave && peer.part == (at.part == kToEast ? kFromWest : kFromNorth);
            if (meets) ready.push_back({at.wave, rank, to});
        }
        std::stable_sort(ready.begin(), ready.end(),
                         [](const Message& a, const Message& b) { return a.wave < b.wave; });
        std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> crossing;
        for (const Message& message : ready) {
            const std::pair boundary{smp_of(message.from), smp_of(message.to)};
            if (boundary.first != boundary.second && ++crossing[boundary] > cluster_.channels) continue;
            for (const std::int64_t rank : {message.from, message.to}) {
                next_part(at_of(rank));
                skip_missing_neighbours(rank);
            }
        }
    }

    SmpCluster cluster_;
    std::int64_t columns_;
    std::int64_t rows_;
    std::int64_t waves_;
    std::vector<Position> ranks_;
};

/// When wave 1, 2, ... `waves` has reached rank (Sx+1, Sy+1). Further waves follow, so that the pipeline stays full.
std::vector<std::int64_t> steps(const SmpCluster& cluster, std::int64_t waves) {
    Protocol protocol(cluster, waves + cluster.ranks_x + cluster.ranks_y);
    std::vector<std::int64_t> reached = protocol.received_at(cluster.ranks_x + 1, cluster.ranks_y + 1);
    reached.resize(static_cast<std::size_t>(waves));
    return reached;
}

}  // namespace

TEST_CASE("the protocol takes the steps that were found by hand") {
    const auto rows = test::read_table("tests/analytic/smp_steps.csv");
    REQUIRE(rows.size() == 6);
    for (const test::TableRow& row : rows) {
        const SmpCluster cluster{.columns = row.integer("m"),
                                 .rows = row.integer("n"),
                                 .ranks_x = row.integer("Sx"),
                                 .ranks_y = row.integer("Sy"),
                                 .channels = row.integer("L")};
        CAPTURE(row.text("steps"));
        std::istringstream figures(row.text("steps"));
        const std::vector<std::int64_t> by_hand{std::istream_iterator<std::int64_t>(figures), {}};
        CHECK(steps(cluster, std::ssize(by_hand)) == by_hand);
    }
}

// No shape differs. By hand as in the protocol stepped here, S = 2 L does not collide (the paper prints its threshold
// as S >= 2 L), and S = 4 L + 1 is the first whose groups of L waves come in pairs. Were a boundary served first come,
// first served, wave 2 of 8 x 8 ranks would still come at step 37, but wave 3 at 46: the older wave must overtake.
TEST_CASE("wave by wave the closed form gives the steps of the protocol: SMPs of 2 .. 10 by 2 .. 10, 1 .. 4 channels") {
    for (std::int64_t L = 1; L <= 4; ++L) {
        for (std::int64_t Sx = 2; Sx <= 10; ++Sx) {
            for (std::int64_t Sy = 2; Sy <= 10; ++Sy) {
                CAPTURE(L);
                CAPTURE(Sx);
                CAPTURE(Sy);
                const std::int64_t S = std::max(Sx, Sy);
                const std::int64_t waves = std::max(2 * (S + 1), L * (S + 3));  // more than the S + 1 groups of filling
                const SmpCluster cluster{.columns = 2, .rows = 2, .ranks_x = Sx, .ranks_y = Sy, .channels = L};
                std::vector<std::int64_t> expected;
                for (std::int64_t I = 1; I <= waves; ++I) expected.push_back(step_at_second_smp(cluster, I));
                CHECK(steps(cluster, waves) == expected);
            }
        }
    }
}

TEST_CASE("the closed form of the whole cluster gives when the last rank ends, in one dimension and in two") {
    for (const auto& [m, n] : {std::pair{1, 3}, {3, 1}, {2, 2}, {2, 3}, {4, 2}}) {
        for (const auto& [Sx, Sy] : {std::pair{2, 2}, {3, 5}, {5, 3}, {6, 6}}) {
            for (std::int64_t L = 1; L <= 3; ++L) {
                for (const std::int64_t I : {1, 2, 3, 4, 7, 14}) {
                    CAPTURE(m);
                    CAPTURE(n);
                    CAPTURE(Sx);
                    CAPTURE(Sy);
                    CAPTURE(L);
                    CAPTURE(I);
                    const SmpCluster cluster{.columns = m, .rows = n, .ranks_x = Sx, .ranks_y = Sy, .channels = L};
                    CHECK(Protocol(cluster, I).received_at(m * Sx, n * Sy).back() == step_at_last_rank(cluster, I));
                }
            }
        }
    }
}
