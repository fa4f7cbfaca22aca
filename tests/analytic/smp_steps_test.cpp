// The pipelines in steps of one message: mpp, and SMPs with bottlenecks. The steps published for clusters of SMPs are
// in tests/analytic/smp_steps.csv; the protocol is simulated below and compared with the same functions.
#include "simulator/analytic/pipeline.hpp"
#include "simulator/input/diagnostic.hpp"
#include "tests/analytic/forms.hpp"
#include "tests/analytic/table.hpp"

using namespace warpfront::analytic;
using program::WavefrontPhase;
using test::misfit;
using test::sweeping;
using test::time_by;
using test::us;
using enum program::Corner;

namespace {

/// Messages are of 20 bytes at most: Total 13 + 20 = 33 us on the round machine.
machine::Machine smps(RankGrid grid, machine::Patch patch, std::uint32_t channels) {
    machine::Machine machine = test::round_machine(grid, patch);
    machine.links = machine::Links{.parallel = channels};
    test::profile(machine, machine.network()).front().holds_links = true;
    return machine;
}

SmpCluster square(std::int64_t side, std::int64_t channels) {
    return {.columns = 2, .rows = 2, .ranks_x = side, .ranks_y = side, .channels = channels};
}

}  // namespace

TEST_SUITE("the pipeline without bottlenecks") {
    TEST_CASE("one sweep of two waves over 3 x 2 ranks") {
        // T_comp = [(3 + 2 - 1) + (2 - 1)] * 100, T_comm = [2 (3 + 2 - 2) + 4 (2 - 1)] * 33
        CHECK(time_by("mpp", sweeping({northwest}, 2), test::round_machine({3, 2})) == us(5 * 100 + 10 * 33));
    }

    TEST_CASE("Sweep3D's eight sweeps are one stream of waves, which fills four times") {
        // N = 16; two fills across the array and two along a column cross 2 * 2 + 4 * 1 = 8 ranks:
        // (8 + 16) * 100 + (2 * 8 + 4 * 15) * 33
        CHECK(time_by("mpp", sweeping(test::kSweep3d, 2), test::round_machine({3, 2})) == us(24 * 100 + 76 * 33));
    }

    TEST_CASE("work before the receives counts, what lies between sweeps does not") {
        WavefrontPhase phase = sweeping({northwest}, 2);
        phase.pre_work = us(7);
        phase.allreduces = 2;
        phase.other = us(1000);
        CHECK(time_by("mpp", phase, test::round_machine({3, 2})) == us(5 * 107 + 10 * 33));
    }

    TEST_CASE("it needs sweeps, and ranks in both directions") {
        CHECK(misfit("mpp", sweeping({northwest}, 2), test::round_machine({3, 2})) == "none");
        CHECK(misfit("mpp", sweeping({northwest}, 2), test::round_machine({3, 1})) ==
              "the process grid has 3 x 1 ranks");
        CHECK_THROWS_AS(time_by("mpp", WavefrontPhase{}, test::round_machine({3, 2})), input::BadInput);
    }

    TEST_CASE("more waves than a pipeline may have are refused") {
        CHECK_THROWS_AS(time_by("mpp", sweeping(test::kSweep3d, kMostWaves / 8 + 1), test::round_machine({3, 2})),
                        input::BadInput);
    }
}

TEST_SUITE("the pipeline over SMPs with bottlenecks") {
    TEST_CASE("as many ranks at a boundary as twice its channels do not collide, one more does") {
        CHECK(steps_behind_first(square(4, 2), 5) == 4 * 4);
        CHECK(steps_behind_first(square(5, 2), 5) == 4 * 4 + 2);  // floor((5 - 1) / 2) groups before
    }

    TEST_CASE("from four times the channels plus one on, groups of waves come in pairs") {
        // S = 8, L = 1: wave 2 at 4 * 0 + 5, wave 3 at 2 * 8, wave 4 at 5 + 2 * 8
        CHECK(steps_behind_first(square(8, 1), 2) == 5);
        CHECK(steps_behind_first(square(8, 1), 3) == 16);
        CHECK(steps_behind_first(square(8, 1), 4) == 21);
    }

    TEST_CASE("in one dimension the ranks along the one boundary decide") {
        CHECK(SmpCluster{.columns = 3, .rows = 1, .ranks_x = 9, .ranks_y = 2, .channels = 1}.boundary() == 2);
        CHECK(SmpCluster{.columns = 1, .rows = 3, .ranks_x = 9, .ranks_y = 2, .channels = 1}.boundary() == 9);
        CHECK(SmpCluster{.ranks_x = 9, .ranks_y = 9}.boundary() == 0);
    }

    TEST_CASE("a run charges its waves by these steps") {
        // 2 x 2 SMPs of 4 x 4 ranks, one channel, ten waves of one sweep: S = 4 < 4 L + 1, so wave 10 comes 4 * 9 + 9
        // steps after wave 1. hops = 7 + 7: (14 + 10) * 100 + (28 + 45) * 33
        const machine::Machine machine = smps({8, 8}, {4, 4}, 1);
        CHECK(time_by("pipeline-bottlenecks", sweeping({northwest}, 10), machine) == us(24 * 100 + 73 * 33));
    }

    TEST_CASE("with channels enough it is the pipeline without bottlenecks") {
        const machine::Machine machine = smps({8, 8}, {4, 4}, 2);
        CHECK(time_by("pipeline-bottlenecks", sweeping(test::kSweep3d, 10), machine) ==
              time_by("mpp", sweeping(test::kSweep3d, 10), machine));
    }

    TEST_CASE("it needs full nodes of several ranks behind shared links") {
        CHECK(misfit("pipeline-bottlenecks", sweeping({northwest}, 2), smps({8, 8}, {4, 4}, 1)) == "none");
        CHECK(misfit("pipeline-bottlenecks", sweeping({northwest}, 2), smps({8, 8}, {1, 1}, 1)) ==
              "each rank has its own node");
        CHECK(misfit("pipeline-bottlenecks", sweeping({northwest}, 2), smps({8, 6}, {4, 4}, 1)) ==
              "nodes of 4 x 4 ranks do not divide the process grid of 8 x 6");
        CHECK(misfit("pipeline-bottlenecks", sweeping({northwest}, 2), test::round_machine({8, 8}, {4, 4})) ==
              "links are not shared");
        CHECK(misfit("pipeline-bottlenecks", sweeping({northwest}, 2), smps({8, 1}, {4, 1}, 1)) ==
              "the process grid has 8 x 1 ranks");
    }
}

// The pipeline over a cluster of SMPs whose boundaries have few channels, after Hoisie, Lubeck, Wasserman, Petrini and
// Alme, A General Predictive Performance Model for Wavefront Algorithms on Clusters of SMPs (LA-UR-00-308), 2000.
//
// m x n SMPs of Sx x Sy ranks; L messages at a time cross the boundary of two SMPs in each direction. Every wave a rank
// receives from the west, receives from the north, sends east, sends south. Messages are synchronous: one starts when
// both ends are ready and, at a boundary, a channel is free, and keeps both busy for one step. Computing takes no time.
// At a full boundary the older wave is first, or the message that has been ready the longest.
//
// The protocol is simulated here one step at a time, and compared with steps found by hand and with the closed form of
// simulator/analytic/pipeline.hpp.

namespace {

using analytic::SmpCluster;

/// Returns the step at which wave `wave` has reached rank (Sx + 1, Sy + 1), in the SMP to the southeast of the first.
std::int64_t step_at_second_smp(const SmpCluster& cluster, std::int64_t wave) {
    return 2 * cluster.ranks_x + 2 * cluster.ranks_y + steps_behind_first(cluster, wave);
}

enum class Service : std::uint8_t { older_wave_first, longest_ready_first };

class Protocol {
public:
    Protocol(const SmpCluster& cluster, std::int64_t waves, Service service = Service::older_wave_first)
        : cluster_(cluster),
          service_(service),
          columns_(cluster.columns * cluster.ranks_x),
          rows_(cluster.rows * cluster.ranks_y),
          waves_(waves),
          ranks_(static_cast<std::size_t>(columns_ * rows_)) {
        for (std::int64_t rank = 0; rank < std::ssize(ranks_); ++rank) skip_missing_neighbours(rank);
    }

    /// Returns, by wave, the step at which the rank in this column and row, from 1, has received it.
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
        std::int64_t ready_since;  // a step
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

    /// Runs all messages that can start in a step; they end with it.
    void advance() {
        ++step_;
        std::vector<Message> ready;
        for (std::int64_t rank = 0; rank < std::ssize(ranks_); ++rank) {
            const Position& at = at_of(rank);
            if (at.wave == waves_ || at.part < kToEast) continue;
            const std::int64_t to = at.part == kToEast ? rank + 1 : rank + columns_;
            const Position& peer = at_of(to);
            const bool meets = peer.wave == at.wave && peer.part == (at.part == kToEast ? kFromWest : kFromNorth);
            if (!meets) continue;
            const std::int64_t since = ready_since_.try_emplace({at.wave, rank, to}, step_).first->second;
            ready.push_back({at.wave, rank, to, since});
        }
        std::stable_sort(ready.begin(), ready.end(), [this](const Message& a, const Message& b) {
            if (service_ == Service::longest_ready_first && a.ready_since != b.ready_since)
                return a.ready_since < b.ready_since;
            return a.wave < b.wave;
        });
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
    Service service_;
    std::int64_t columns_;
    std::int64_t rows_;
    std::int64_t waves_;
    std::int64_t step_ = 0;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::int64_t> ready_since_;  // wave, from, to
    std::vector<Position> ranks_;
};

/// Returns the steps at which waves 1, 2, ... `waves` have reached rank (Sx+1, Sy+1). Further waves follow, so that the
/// pipeline stays full.
std::vector<std::int64_t> steps(const SmpCluster& cluster, std::int64_t waves) {
    Protocol protocol(cluster, waves + cluster.ranks_x + cluster.ranks_y);
    std::vector<std::int64_t> reached = protocol.received_at(cluster.ranks_x + 1, cluster.ranks_y + 1);
    reached.resize(static_cast<std::size_t>(waves));
    return reached;
}

}  // namespace

TEST_CASE("the protocol and the closed form take the steps that were published, found by hand") {
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
        CHECK(by_hand.size() >= 8);
        CHECK(steps(cluster, std::ssize(by_hand)) == by_hand);
        for (std::int64_t wave = 1; wave <= std::ssize(by_hand); ++wave) {
            CHECK(step_at_second_smp(cluster, wave) == by_hand[static_cast<std::size_t>(wave - 1)]);
        }
    }
}

// All shapes agree. By hand, as in the protocol simulated here, S = 2 L does not collide (the paper prints its
// threshold as S >= 2 L), and S = 4 L + 1 is the first whose groups of L waves come in pairs.
TEST_CASE("wave by wave the closed form gives the steps of the protocol: SMPs of 2 .. 10 by 2 .. 10, 1 .. 4 channels") {
    for (std::int64_t L = 1; L <= 4; ++L) {
        for (std::int64_t Sx = 2; Sx <= 10; ++Sx) {
            for (std::int64_t Sy = 2; Sy <= 10; ++Sy) {
                INFO("L ", L, ", Sx ", Sx, ", Sy ", Sy);
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

// The paper states that the order of service does not matter. It matters if S > 4 L. The event engine serves a full
// boundary in the order of requests, and has the second of these two lists: models/sources/hoisie-2000/figure-6.yaml.
TEST_CASE("a full boundary that serves the longest-waiting message first delays the waves of figure 6") {
    const SmpCluster cluster{.columns = 2, .rows = 2, .ranks_x = 3, .ranks_y = 8, .channels = 1};
    const auto last_wave_at = [&](std::int64_t waves, Service service) {
        constexpr std::int64_t kFromProbeToEnd = 2 * (3 - 1) + 2 * (8 - 1);
        return Protocol(cluster, waves, service).received_at(2 * 3, 2 * 8).back() - kFromProbeToEnd;
    };
    std::vector<std::int64_t> older, longest;
    for (std::int64_t waves = 1; waves <= 10; ++waves) {
        older.push_back(last_wave_at(waves, Service::older_wave_first));
        longest.push_back(last_wave_at(waves, Service::longest_ready_first));
    }
    CHECK(older == std::vector<std::int64_t>{22, 27, 38, 43, 54, 59, 70, 75, 86, 91});
    CHECK(longest == std::vector<std::int64_t>{22, 27, 38, 48, 57, 65, 73, 81, 89, 97});
}

TEST_CASE("on SMPs of 8 x 8 ranks with one channel the order of service matters as well") {
    const SmpCluster cluster = square(8, 1);
    std::vector<std::int64_t> longest;
    for (std::int64_t waves = 1; waves <= 8; ++waves) {
        const auto last = Protocol(cluster, waves, Service::longest_ready_first).received_at(16, 16).back();
        longest.push_back(last - (2 * 7 + 2 * 7));  // from rank (9, 9) to the last
    }
    CHECK(longest == std::vector<std::int64_t>{32, 37, 49, 59, 68, 76, 84, 92});
}

TEST_CASE("up to four ranks of a boundary for each channel the order of service does not matter") {
    for (const std::int64_t side : {3, 4}) {
        const SmpCluster cluster = square(side, 1);
        for (std::int64_t waves = 1; waves <= 10; ++waves) {
            CHECK(Protocol(cluster, waves, Service::longest_ready_first).received_at(2 * side, 2 * side) ==
                  Protocol(cluster, waves).received_at(2 * side, 2 * side));
        }
    }
}

TEST_CASE("the closed form of the whole cluster gives when the last rank ends, in one dimension and in two") {
    for (const auto& [m, n] : {std::pair{1, 3}, {3, 1}, {2, 2}, {2, 3}, {4, 2}}) {
        for (const auto& [Sx, Sy] : {std::pair{2, 2}, {3, 5}, {5, 3}, {6, 6}}) {
            for (std::int64_t L = 1; L <= 3; ++L) {
                for (const std::int64_t I : {1, 2, 3, 4, 7, 14}) {
                    INFO("m ", m, ", n ", n, ", Sx ", Sx, ", Sy ", Sy, ", L ", L, ", I ", I);
                    const SmpCluster cluster{.columns = m, .rows = n, .ranks_x = Sx, .ranks_y = Sy, .channels = L};
                    CHECK(Protocol(cluster, I).received_at(m * Sx, n * Sy).back() ==
                          2 * (m * Sx + n * Sy - 2) + steps_behind_first(cluster, I));
                }
            }
        }
    }
}
