// The closed form against every prediction published for the three codes (models/*/measured), with the setup of a user:
// the shipped models lowered with each row's parameters, on the shipped platforms.
#include "simulator/analytic/plug_and_play.hpp"
#include "tests/agreement/setting.hpp"

namespace {

analytic::Prediction predicted(const Setting& setting, const TableRow& row, machine::Patch patch = {1, 1}) {
    const Ready ready = prepare(setting, grid_of(row), patch, row.integer("nx"), row.integer("ny"));
    return analytic::predict(ready.program, ready.machine);
}

double relative_difference(const analytic::Prediction& prediction, const TableRow& row) {
    return seconds(prediction.total) / row.real("pred") - 1;
}

/// Checks the time within 1 %, and compute and communication within `within` seconds, after subtracting the
/// communication that the table leaves out. The tables print all three to two decimals each, so the sum of the parts
/// may differ from the time by a hundredth. Contention is part of compute.
void check_row(const analytic::Prediction& prediction, WideTime left_out, double within, const TableRow& row) {
    CAPTURE(row.count("ranks"));
    CHECK(std::abs(relative_difference(prediction, row)) < 0.01);
    const record::PathParts& parts = prediction.parts;
    CHECK(std::abs(seconds(parts.compute + parts.contention()) - row.real("comp")) < within);
    const double communication = seconds(parts.overhead + parts.latency + parts.bandwidth - left_out);
    CHECK(std::abs(communication - row.real("comm")) < within);
}

}  // namespace

TEST_SUITE("published predictions through the models") {
    TEST_CASE("Sweep3D on the XT4: compute and communication to 0.01 s, of the billion cells to 0.025 s") {
        const auto rows = read_table("models/sweep3d/measured/xt4.csv");
        REQUIRE(rows.size() == 19);
        for (const TableRow& row : rows) {
            const analytic::Prediction prediction = predicted(sweep3d_row(row), row, {row.count("cores_per_node"), 1});
            check_row(prediction, WideTime{}, row.text("problem") == "1000^3" ? 0.025 : 0.01, row);
        }
    }

    TEST_CASE("Chimaera on the XT4: both to 0.01 s without the allreduces, which the table leaves out") {
        const auto rows = read_table("models/chimaera/measured/xt4.csv");
        REQUIRE(rows.size() == 5);
        for (const TableRow& row : rows) {
            const analytic::Prediction prediction = predicted(chimaera_row(row), row);
            check_row(prediction, prediction.nonwavefront, 0.01, row);
        }
    }

    TEST_CASE("LU on the XT3: both to 0.01 s with one of the four exchanges, as the table has it") {
        const auto rows = read_table("models/lu/measured/xt3.csv");
        REQUIRE(rows.size() == 10);
        for (const TableRow& row : rows) {
            const Ready ready = prepare(lu_on_xt3(), grid_of(row), {1, 1}, 64, 64);
            const analytic::Prediction prediction = analytic::predict(ready.program, ready.machine);
            check_row(prediction, WideTime{prediction.nonwavefront.ps / 4 * 3}, 0.01, row);
        }
    }

    TEST_CASE("Chimaera on InfiniBand, 2 x 2 ranks per node: 1 % up to 512 ranks, below by up to 3.5 % beyond") {
        const auto rows = read_table("models/chimaera/measured/infiniband.csv");
        REQUIRE(rows.size() == 10);
        for (const TableRow& row : rows) {
            CAPTURE(row.count("ranks"));
            const double difference = relative_difference(predicted(chimaera_on_infiniband(), row, {2, 2}), row);
            if (row.count("ranks") <= 512) {
                CHECK(std::abs(difference) < 0.01);
            } else {
                CHECK(difference < -0.01);
                CHECK(difference > -0.035);
            }
        }
    }

    // Neither the ranks per node of the published predictions nor the shapes n x m beyond 256 ranks are known.
    TEST_CASE("Chimaera on InfiniBand with one rank per node: 1 %, but for 1.05 % on 2,048 ranks") {
        for (const TableRow& row : read_table("models/chimaera/measured/infiniband.csv")) {
            CAPTURE(row.count("ranks"));
            const double difference = relative_difference(predicted(chimaera_on_infiniband(), row), row);
            CHECK(std::abs(difference) < (row.count("ranks") == 2048 ? 0.0105 : 0.01));
        }
    }
}
