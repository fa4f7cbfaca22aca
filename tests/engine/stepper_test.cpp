// The event loop is compiled twice (stepping/features.hpp): for plain runs, and for runs that record or decide more.
#include "simulator/engine/stepping/stepper.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/path/critical_paths.hpp"
#include "simulator/engine/stepping/features.hpp"
#include "tests/engine/parts.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;
using engine::Agenda;

namespace {

constexpr RankGrid kArray{6, 4};

program::Program two_sweeps() {
    return wavefront({.grid = kArray,
                      .tiles = 9,
                      .work = 7 * us,
                      .bytes = 1500,
                      .starts = {0, 3},
                      .allreduces = 1,
                      .iterations = 2});
}

std::vector<WideTime> times_of(const engine::Options& options) {
    return engine::run(two_sweeps(), crowded_torus(kArray, {2, 1}), options).rank_finish;
}

/// Of one partition: windows of 2^10 ps.
struct Nodes {
    engine::HugePageArray<engine::NodePlace> places{4};
    Agenda agenda{places, 10};

    /// The nodes that are active in a window, as the agenda has them.
    std::vector<std::uint32_t> served(std::uint64_t window) {
        std::vector<std::uint32_t> nodes;
        agenda.begin(window, static_cast<std::int64_t>((window + 1) << 10));
        for (std::size_t k = 0; k < agenda.active(); ++k) {
            nodes.push_back(agenda.at(k));
            agenda.visit(agenda.at(k));
        }
        agenda.end();
        return nodes;
    }
};

}  // namespace

TEST_CASE("a run that records nothing is plain, one with a path or a timeline is not") {
    Parts parts(two_sweeps(), crowded_torus(kArray, {2, 1}));
    CHECK(engine::is_plain(parts.layout, parts.state, false));
    CHECK_FALSE(engine::is_plain(parts.layout, parts.state, true));
    engine::CriticalPaths paths(parts.layout);
    parts.state.paths = &paths;
    CHECK_FALSE(engine::is_plain(parts.layout, parts.state, false));
}

TEST_CASE("plain runs have the times of runs that record, and of one request of the machine at a time") {
    const std::vector<WideTime> plain = times_of({.replay = engine::Replay::full});
    CHECK(times_of({.replay = engine::Replay::full, .path = true}) == plain);
    CHECK(times_of({.replay = engine::Replay::full, .timeline = engine::TimelineWindow{}}) == plain);
    CHECK(times_of({.replay = engine::Replay::full, .in_order = true}) == plain);
}

TEST_CASE("a node is active once in the window of its first event") {
    Nodes nodes;
    nodes.agenda.add(2, 5000);  // window 4
    nodes.agenda.add(2, 3000);  // window 2
    nodes.agenda.add(1, 3001);
    CHECK(nodes.agenda.first() == 2);
    std::vector<std::uint32_t> active = nodes.served(2);
    std::sort(active.begin(), active.end());
    CHECK(active == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE("an event of a window that has been served is granted in the next one") {
    Nodes nodes;
    nodes.agenda.add(3, 5000);  // window 4
    CHECK(nodes.served(4) == std::vector<std::uint32_t>{3});
    nodes.agenda.add(1, 4500);  // window 4 too, but it has become known only now
    CHECK(nodes.served(5) == std::vector<std::uint32_t>{1});
}

TEST_CASE("a node that is not visited yet, or again, joins the window that is served") {
    Nodes nodes;
    nodes.agenda.add(0, 100);
    nodes.agenda.begin(0, 1024);
    REQUIRE(nodes.agenda.active() == 1);
    nodes.agenda.visit(0);
    nodes.agenda.add(0, 200);   // itself: it looks for its next event before its visit ends
    nodes.agenda.add(3, 300);   // of the window
    nodes.agenda.add(2, 1024);  // of the next
    REQUIRE(nodes.agenda.active() == 2);
    CHECK(nodes.agenda.at(1) == 3);
    nodes.agenda.end();
    CHECK(nodes.agenda.first() == 1);
}
