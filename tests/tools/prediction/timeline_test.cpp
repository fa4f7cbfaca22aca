// Options of timelines.
#include "tools/prediction/timeline.hpp"

#include <doctest/doctest.h>

#include "tests/faults.hpp"

using namespace warpfront;
using namespace warpfront::tools;
using namespace warpfront::test;
using input::DiagnosticKind;

TEST_CASE("ranks and times are ranges, both ends of ranks included") {
    TimelineOptions options;
    input::Diagnostics faults;
    read_timeline_ranks(option_value("--timeline-ranks", "3..3"), options, faults);
    read_timeline_time(option_value("--timeline-time", "1us..2ms"), options, faults);
    CHECK(faults.empty());
    CHECK(options.ranks == std::pair{Rank{3}, Rank{3}});
    CHECK(options.time == std::pair{Time{1'000'000}, Time{2'000'000'000}});
}

TEST_CASE("a range that is none, or that holds nothing, is a fault") {
    for (const char* text : {"3", "4..3"}) {
        TimelineOptions options;
        input::Diagnostics faults;
        read_timeline_ranks(option_value("--timeline-ranks", text), options, faults);
        REQUIRE(faults.count() == 1);
        CHECK(faults.all().front().kind == DiagnosticKind::bad_range);
    }
}

TEST_CASE("an ending without a format, and a window without a file, are faults") {
    TimelineOptions options;
    options.file = option_value("--timeline", "t.txt");
    CHECK(kinds_of(faults_of([&] { timeline_output(options); })) == Kinds{DiagnosticKind::bad_choice});
    TimelineOptions window;
    input::Diagnostics faults;
    read_timeline_ranks(option_value("--timeline-ranks", "0..1"), window, faults);
    CHECK(kinds_of(faults_of([&] { timeline_output(window); })) == Kinds{DiagnosticKind::bad_option});
}
