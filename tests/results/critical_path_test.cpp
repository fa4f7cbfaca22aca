// The critical path as a table, in words and as JSON.
#include "simulator/results/critical_path.hpp"

#include <doctest/doctest.h>

#include "tests/results/example.hpp"

using namespace warpfront;
using namespace warpfront::results;

namespace {

/// 100 us in all: 60 computing, 10 overhead, 20 latency, 6 bandwidth, 3 bus, 1 link.
record::PathParts example_path() {
    record::PathParts path;
    path.compute = microseconds(60);
    path.overhead = microseconds(10);
    path.latency = microseconds(20);
    path.bandwidth = microseconds(6);
    path.bus = microseconds(3);
    path.link = microseconds(1);
    return path;
}

}  // namespace

TEST_CASE("the first five parts of the JSON add up to the time; contention is made of four") {
    const auto json = path_json(example_path(), microseconds(30));
    double sum = 0.0;
    for (const char* part : {"compute_s", "overhead_s", "latency_s", "bandwidth_s", "contention_s"}) {
        sum += json.at(part).get<double>();
    }
    CHECK(sum == doctest::Approx(100e-6));
    CHECK(json["contention_s"].get<double>() == doctest::Approx(4e-6));  // 3 bus + 1 link
    CHECK(json["bus_s"].get<double>() == doctest::Approx(3e-6));
    CHECK(json["link_s"].get<double>() == doctest::Approx(1e-6));
    CHECK(json["memory_s"] == 0.0);
    CHECK(json["fill_s"].get<double>() == doctest::Approx(30e-6));
    CHECK(json["steady_s"].get<double>() == doctest::Approx(70e-6));
}

TEST_CASE("a program without loops of tiles has neither fill nor steady state") {
    const auto json = path_json(example_path(), std::nullopt);
    CHECK(!json.contains("fill_s"));
    CHECK(!json.contains("steady_s"));
}

TEST_CASE("the paragraph says what binds and what would help, what helps most first") {
    CHECK(path_paragraph(example_path()) ==
          "Computing binds: 60.0 % of the longest chain of events. By the path, half the latency would save\n"
          "10us (10.0 %), computing 10 % faster would save 6us (6.0 %), half the processors' time for messages\n"
          "would save 5us (5.0 %), twice the bandwidth would save 3us (3.0 %), buses twice as fast would save\n"
          "1.5us (1.5 %), links twice as fast would save 500ns (0.5 %). These are exact for small changes;\n"
          "large ones make another chain the longest, and mostly save less.");
}

TEST_CASE("the paragraph leaves out what would save less than 0.05 %") {
    record::PathParts path;
    path.compute = microseconds(100'000);
    path.latency = microseconds(99);  // half of it: 0.049 %
    CHECK(path_paragraph(path).find("latency") == std::string::npos);
}

TEST_CASE("what the path says of a change is its part of it") {
    // 0.9 of 20 us of latency: 2 us less than 100
    CHECK(foreseen(example_path(), record::kPathParts[2], 0.9) == WideTime{microseconds(98)});
}

TEST_CASE("runs tried stand beside what the path says") {
    const std::vector<Rerun> reruns{{record::kPathParts[2], 0.9, WideTime{microseconds(99)}}};
    const std::string text = path_table(example_path(), microseconds(30), reruns);
    CHECK(text.find("  compute           60.000us    60.0 %\n") != std::string::npos);
    CHECK(text.find("  latency x 0.9                             98us         99us\n") != std::string::npos);
}
