// Sweep3D on clusters of SMPs as tools/smps runs it, beside the pipeline with bottlenecks of LA-UR-00-308. That the
// engine takes the formula's very steps where all its assumptions hold is shown in tests/engine/smp_steps_test.cpp;
// here messages within an SMP are cheaper than over HiPPI, and their copies overlap, so only trends can agree.
#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

namespace {

struct Row {
    std::string formula;
    std::string deterministic;
    std::string adaptive;
    std::string round_robin;

    double slowest() const { return std::max({std::stod(deterministic), std::stod(adaptive), std::stod(round_robin)}); }
    double fastest() const { return std::min({std::stod(deterministic), std::stod(adaptive), std::stod(round_robin)}); }
};

/// By channels and ranks along a side of an SMP, of 4 x 4 SMPs.
using SmpTable = std::map<std::pair<int, int>, Row>;

Outcome smps(const std::string& arguments) {
    return run_in(kRoot, fmt::format("WARPFRONT={} tools/smps {}", quoted(WARPFRONT_PROGRAM), arguments));
}

SmpTable smp_table(const std::string& arguments) {
    const Outcome outcome = smps("-m 4 " + arguments);
    REQUIRE(outcome.status == 0);
    REQUIRE(outcome.err == "");
    SmpTable rows;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream words(line);
        int channels = 0;
        std::string cluster;
        int side = 0;
        std::string other_side;
        words >> channels >> cluster >> side >> other_side;
        Row& row = rows[{channels, side}];
        words >> row.formula >> row.deterministic >> row.adaptive >> row.round_robin;
        REQUIRE(words);
    }
    return rows;
}

const SmpTable& measured() {
    static const SmpTable rows = smp_table("-s '4 8'");
    return rows;
}

/// Where ranks compute a tenth of that, messages decide.
const SmpTable& communicating() {
    static const SmpTable rows = smp_table("-s 8 -w 0.05");
    return rows;
}

}  // namespace

TEST_CASE("the formula of the cluster, by hand: 4 x 4 SMPs of 8 x 8 ranks, four channels and one") {
    // P = 32, N = 32: 4 * 62 + 4 * 31 + 4 * 31 = 496 steps of 1.28 ms, 2 * 62 + 2 * 31 + 32 = 218 tiles of 3.2 ms
    CHECK(measured().at({4, 8}).formula == fmt::format("{:.1f}", 496 * 1.28 + 218 * 3.2));
    // one channel: g = 31 is odd, r = 0: 5 + 30 * 8 = 245 in place of the last 4 * 31
    CHECK(measured().at({1, 8}).formula == fmt::format("{:.1f}", (372 + 245) * 1.28 + 218 * 3.2));
}

TEST_CASE("the formula charges each message a whole step of both its ranks, and lies above the engine") {
    for (const auto& [cluster, row] : measured()) {
        CAPTURE(cluster.first);
        CAPTURE(cluster.second);
        CHECK(row.slowest() < std::stod(row.formula));
        CHECK(row.fastest() > 0.6 * std::stod(row.formula));
    }
}

TEST_CASE("half as many channels as ranks at a boundary are enough: more change next to nothing, for both") {
    CHECK(measured().at({4, 4}).formula == measured().at({2, 4}).formula);
    CHECK(measured().at({2, 4}).slowest() < 1.01 * measured().at({4, 4}).fastest());
}

TEST_CASE("fewer channels than that cost time, for both") {
    for (const SmpTable* const rows : {&measured(), &communicating()}) {
        CHECK(std::stod(rows->at({1, 8}).formula) > std::stod(rows->at({2, 8}).formula));
        CHECK(std::stod(rows->at({2, 8}).formula) > std::stod(rows->at({4, 8}).formula));
        CHECK(rows->at({1, 8}).fastest() > 1.04 * rows->at({2, 8}).slowest());
        CHECK(rows->at({2, 8}).fastest() > 1.005 * rows->at({4, 8}).slowest());
    }
}

TEST_CASE("the less ranks compute, the more a missing channel costs") {
    const auto cost = [](const SmpTable& rows) { return rows.at({1, 8}).fastest() / rows.at({4, 8}).fastest(); };
    CHECK(cost(communicating()) > 1.5 * cost(measured()));
}

TEST_CASE("how a link is chosen matters little to a wavefront, and nothing where there is one") {
    for (const SmpTable* const rows : {&measured(), &communicating()}) {
        for (const auto& [cluster, row] : *rows) {
            CAPTURE(cluster.first);
            CAPTURE(cluster.second);
            CHECK(row.slowest() < 1.02 * row.fastest());
            if (cluster.first == 1) CHECK(row.slowest() == row.fastest());
        }
    }
}

TEST_CASE("the table of Sweep3D on SMPs that the page shows is the one measured") {
    const std::string page = text_of(kRoot / "platforms/README.md");
    const auto check = [&](const SmpTable& rows, const std::string& work) {
        for (const auto& [cluster, row] : rows) {
            const auto [channels, side] = cluster;
            const std::string line = fmt::format("| {} | {} x {} | {} | {} | {} | {} | {} |\n", channels, side, side,
                                                 work, row.formula, row.deterministic, row.adaptive, row.round_robin);
            CHECK_MESSAGE(holds(page, line), line);
        }
    };
    check(measured(), "0.5 us");
    check(communicating(), "0.05 us");
}

TEST_CASE("what is no number is a usage error") {
    CHECK(smps("-s eight").status == 2);
    CHECK(smps("-w 0.5us").status == 2);
    CHECK(smps("4").status == 2);
}
