// The joint progress of several runs.
#include "tools/runs/progress.hpp"

#include <doctest/doctest.h>

using namespace warpfront;
using namespace warpfront::tools;
using engine::Progress;
using Seconds = ProgressReporter::Seconds;

namespace {

/// A run of 1000 messages of which `messages` are stepped.
Progress stepped(std::uint64_t messages) { return {.stepped = messages, .messages = 1000, .expected = 1000}; }

record::Work all_stepped() { return {.messages = 1000, .messages_replayed = 1000, .events = {}, .state_bytes = {}}; }

}  // namespace

TEST_CASE("runs done of all, share of all, messages of all per second, time left of all") {
    EnsembleProgress joint(8);
    for (const std::uint32_t number : {0U, 1U, 2U}) joint.end(number, all_stepped());
    joint.report(3, stepped(200));
    joint.report(4, stepped(600));
    // 3 + 0.2 + 0.6 of 8 runs are 47.5 %; 3800 messages in 10 s are 380 a second. Left are 800 and 400 of those under
    // way and 3 x 1000 of those not begun: 4200 / 380 = 11.05 s.
    CHECK(joint.describe(Seconds{10.0}) == "3 of 8 runs done, 47.5 % of all, 380 messages/s, 0:11 left");
}

TEST_CASE("a run counts with its last report until it is done") {
    EnsembleProgress joint(2);
    joint.report(0, stepped(100));
    joint.report(0, stepped(500));
    // 0.5 of 2 runs; 500 stepped in 1 s, 500 left of this run and 1000 of the other: 3 s.
    CHECK(joint.describe(Seconds{1.0}) == "0 of 2 runs done, 25.0 % of all, 500 messages/s, 0:03 left");
    joint.end(0, all_stepped());
    CHECK(joint.describe(Seconds{1.0}) == "1 of 2 runs done, 50.0 % of all, 1,000 messages/s, 0:01 left");
}

TEST_CASE("runs not begun are assumed to step as many messages as those that are done") {
    EnsembleProgress joint(3);
    // 1000 messages of which 200 were stepped and the others skipped: 2 x 200 are left, at 200 a second 2 s.
    joint.end(0, {.messages = 1000, .messages_replayed = 200, .events = {}, .state_bytes = {}});
    CHECK(joint.describe(Seconds{1.0}) == "1 of 3 runs done, 33.3 % of all, 200 messages/s, 0:02 left");
}

TEST_CASE("before any run has reported no time left is shown") {
    CHECK(EnsembleProgress(4).describe(Seconds{1.0}) == "0 of 4 runs done, 0.0 % of all, 0 messages/s");
}

TEST_CASE("all done, nothing is left") {
    EnsembleProgress joint(1);
    joint.end(0, all_stepped());
    CHECK(joint.describe(Seconds{1.0}) == "1 of 1 runs done, 100.0 % of all, 1,000 messages/s, 0:00 left");
}
