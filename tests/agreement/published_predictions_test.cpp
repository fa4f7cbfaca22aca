// The closed form against every prediction published for the three codes (models/*/measured), with the setup of a user:
// the shipped models lowered with each row's parameters, on the shipped platforms.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include "simulator/analytic/plug_and_play.hpp"
#include "tests/agreement/setting.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

double predicted(const Setting& setting, RankGrid grid, machine::Patch patch, std::int64_t nx, std::int64_t ny) {
    const Ready ready = prepare(setting, grid, patch, nx, ny);
    return seconds(analytic::predict(ready.program, ready.machine).total);
}

void check_within_one_percent(double value, const TableRow& row) {
    CAPTURE(row.count("ranks"));
    CAPTURE(row.real("pred"));
    CAPTURE(value);
    CHECK(std::abs(value / row.real("pred") - 1) < 0.01);
}

/// Checks compute and communication within `within` seconds, after subtracting the communication that the table leaves
/// out.
void check_split(const record::PathParts& parts, WideTime left_out, double within, const TableRow& row) {
    CAPTURE(row.count("ranks"));
    const double compute = seconds(parts.compute + parts.contention());
    const double communication = seconds(parts.overhead + parts.latency + parts.bandwidth - left_out);
    CAPTURE(compute);
    CAPTURE(communication);
    CHECK(std::abs(compute - row.real("comp")) < within);
    CHECK(std::abs(communication - row.real("comm")) < within);
}

}  // namespace

TEST_SUITE("published predictions through the models") {
    TEST_CASE("Sweep3D on the XT4") {
        const auto rows = read_table("models/sweep3d/measured/xt4.csv");
        REQUIRE(rows.size() == 19);
        for (const TableRow& row : rows) {
            const machine::Patch patch{row.count("cores_per_node"), 1};
            const double time = predicted(sweep3d_row(row), grid_of(row), patch, row.integer("nx"), row.integer("ny"));
            check_within_one_percent(time, row);
        }
    }

    TEST_CASE("Chimaera on the XT4") {
        const auto rows = read_table("models/chimaera/measured/xt4.csv");
        REQUIRE(rows.size() == 5);
        for (const TableRow& row : rows) {
            const double time =
                predicted(chimaera_row(row), grid_of(row), {1, 1}, row.integer("nx"), row.integer("ny"));
            check_within_one_percent(time, row);
        }
    }

    TEST_CASE("Chimaera on InfiniBand, 2 x 2 ranks per node") {
        for (const TableRow& row : read_table("models/chimaera/measured/infiniband.csv")) {
            if (row.count("ranks") > 512) continue;  // missed by up to 3.5 %: tests/analytic/published_test.cpp
            const double time =
                predicted(chimaera_on_infiniband(), grid_of(row), {2, 2}, row.integer("nx"), row.integer("ny"));
            check_within_one_percent(time, row);
        }
    }

    TEST_CASE("LU on the XT3") {
        const auto rows = read_table("models/lu/measured/xt3.csv");
        REQUIRE(rows.size() == 10);
        for (const TableRow& row : rows) {
            check_within_one_percent(predicted(lu_on_xt3(), grid_of(row), {1, 1}, 64, 64), row);
        }
    }

    // The tables print time, compute and communication to two decimals each, so the sum of the parts may differ from
    // the time by a hundredth. Contention is part of compute.

    TEST_CASE("Sweep3D on the XT4: compute and communication to 0.01 s, of the billion cells to 0.025 s") {
        for (const TableRow& row : read_table("models/sweep3d/measured/xt4.csv")) {
            const machine::Patch patch{row.count("cores_per_node"), 1};
            const auto [program, machine] =
                prepare(sweep3d_row(row), grid_of(row), patch, row.integer("nx"), row.integer("ny"));
            const double within = row.text("problem") == "1000^3" ? 0.025 : 0.01;
            check_split(analytic::predict(program, machine).parts, WideTime{}, within, row);
        }
    }

    TEST_CASE("Chimaera on the XT4: both to 0.01 s without the allreduces, which the table leaves out") {
        for (const TableRow& row : read_table("models/chimaera/measured/xt4.csv")) {
            const auto [program, machine] =
                prepare(chimaera_row(row), grid_of(row), {1, 1}, row.integer("nx"), row.integer("ny"));
            const analytic::Prediction prediction = analytic::predict(program, machine);
            check_split(prediction.parts, prediction.nonwavefront, 0.01, row);
        }
    }

    TEST_CASE("LU on the XT3: both to 0.01 s with one of the four exchanges, as the table has it") {
        for (const TableRow& row : read_table("models/lu/measured/xt3.csv")) {
            const auto [program, machine] = prepare(lu_on_xt3(), grid_of(row), {1, 1}, 64, 64);
            const analytic::Prediction prediction = analytic::predict(program, machine);
            check_split(prediction.parts, WideTime{prediction.nonwavefront.ps / 4 * 3}, 0.01, row);
        }
    }
}
