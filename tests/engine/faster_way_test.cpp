// Threads side by side or one alone: which way a run goes on, by how many messages each has stepped lately.
#include "simulator/engine/parallel/faster_way.hpp"

#include <doctest/doctest.h>

using namespace warpfront::engine;
using namespace std::chrono_literals;
using Way = FasterWay::Way;

namespace {

/// A run of phases of 100 us in which each way steps so many messages.
struct Phases {
    std::uint64_t side_by_side = 0;
    std::uint64_t alone = 0;
    FasterWay::Clock::time_point now{};
    std::uint64_t messages = 0;
    FasterWay faster{now};

    /// How much of `time` one thread stepped alone.
    double share_alone(std::chrono::nanoseconds time) {
        std::chrono::nanoseconds spent{0};
        for (const auto end = now + time; now < end;) {
            const bool is_alone = faster.way() == Way::alone;
            now += 100us;
            messages += is_alone ? alone : side_by_side;
            if (is_alone) spent += 100us;
            faster.note(now, messages);
        }
        return std::chrono::duration<double>(spent) / time;
    }
};

}  // namespace

TEST_CASE("a run begins side by side") { CHECK(Phases{}.faster.way() == Way::side_by_side); }

TEST_CASE("where threads have their cores one alone is tried a hundredth of the time") {
    Phases phases{.side_by_side = 150, .alone = 100};
    CHECK(phases.share_alone(10s) < 0.02);
}

TEST_CASE("one alone that is a little faster does not take over, since the work of two trials is not alike") {
    Phases phases{.side_by_side = 100, .alone = 120};
    CHECK(phases.share_alone(10s) < 0.02);
}

TEST_CASE("where a thread has lost its core one alone goes on, and the others are tried a hundredth of the time") {
    Phases phases{.side_by_side = 3, .alone = 100};
    CHECK(phases.share_alone(10s) > 0.98);
}

TEST_CASE("when the other programs have ended threads go on side by side within the longest time between trials") {
    Phases phases{.side_by_side = 3, .alone = 100};
    phases.share_alone(10s);
    phases.side_by_side = 150;
    phases.share_alone(FasterWay::kLongest + 2 * FasterWay::kTrial);
    CHECK(phases.share_alone(1s) < 0.1);
}
