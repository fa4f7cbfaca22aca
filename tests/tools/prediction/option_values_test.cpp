// Values of options: accepted ones, and the faults of others.
#include "tools/answer/prediction/option_values.hpp"
#include "tools/answer/prediction/timeline.hpp"
#include "tools/study/comparison/comparison.hpp"

#include "tests/faults.hpp"

using namespace warpfront::tools;

namespace {

std::string said_of(const std::string& option, const std::string& text,
                    const std::function<void(const OptionValue&, Diagnostics&)>& read) {
    Diagnostics faults;
    read(option_value(option, text), faults);
    return faults.render();
}

}  // namespace

TEST_CASE("engines and replays are chosen by name") {
    Diagnostics faults;
    CHECK(read_engine(option_value("--engine", "simgrid"), faults) == Engine::simgrid);
    CHECK(read_replay(option_value("--replay", "full"), faults) == engine::Replay::full);
    CHECK(read_engines(option_value("--engines", "analytic,event"), faults) ==
          std::vector<Engine>{Engine::analytic, Engine::event});
    CHECK(faults.render() == "");
}

TEST_CASE("an unknown name is reported with the known ones and the nearest") {
    CHECK(said_of("--engine", "evnt", [](const auto& value, Diagnostics& faults) { read_engine(value, faults); }) ==
          "--engine evnt:1:1: error: unknown engine `evnt`\n"
          "    1 | evnt\n"
          "      | ^^^^ expected " +
              alternatives(engine_names()) + "; did you mean `event`?\n");
    CHECK(said_of("--replay", "x", [](const auto& value, Diagnostics& faults) { read_replay(value, faults); }) ==
          "--replay x:1:1: error: unknown replay `x`\n"
          "    1 | x\n"
          "      | ^ expected `auto` or `full`\n");
}

TEST_CASE("an engine that is named twice is marked") {
    CHECK(said_of("--engines", "event,analytic,event",
                  [](const auto& value, Diagnostics& faults) { read_engines(value, faults); }) ==
          "--engines event,analytic,event:1:16: error: the engine `event` occurs twice\n"
          "    1 | event,analytic,event\n"
          "      |                ^^^^^ expected each engine once\n");
}

TEST_CASE("each wrong name in a list is marked") {
    Diagnostics faults;
    read_engines(option_value("--engines", "event,magic,"), faults);
    CHECK(kinds_of(faults) == Kinds{bad_choice, bad_choice});
    CHECK(faults.all()[0].range.offset == 6);   // past `event,`
    CHECK(faults.all()[1].range.offset == 12);  // past `event,magic,`
}

TEST_CASE("a tolerance is a number of at least 0, without a unit") {
    const auto kinds = [](const std::string& text) {
        Diagnostics faults;
        read_tolerance(option_value("--tolerance", text), faults);
        return kinds_of(faults);
    };
    CHECK(kinds("0").empty());
    CHECK(kinds("2.5").empty());
    CHECK(kinds("-1") == Kinds{out_of_range});
    CHECK(kinds("nan") == Kinds{bad_number});
    CHECK(kinds("inf") == Kinds{bad_number});
    CHECK(kinds("5%") == Kinds{unknown_unit});
}

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
        CHECK(faults.all().front().kind == bad_range);
    }
}

TEST_CASE("an ending without a format, and a window without a file, are faults") {
    TimelineOptions options;
    options.file = option_value("--timeline", "t.txt");
    CHECK(kinds_of(faults_of([&] { timeline_output(options); })) == Kinds{bad_choice});
    TimelineOptions window;
    input::Diagnostics faults;
    read_timeline_ranks(option_value("--timeline-ranks", "0..1"), window, faults);
    CHECK(kinds_of(faults_of([&] { timeline_output(window); })) == Kinds{bad_option});
}
