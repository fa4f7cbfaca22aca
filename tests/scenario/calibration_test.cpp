// Calibration files, and which of them a scenario uses.
#include "simulator/scenario/calibration.hpp"

#include <doctest/doctest.h>

#include "simulator/scenario/scenario.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront;
using namespace warpfront::scenario;
using namespace warpfront::test;
using input::DiagnosticKind;

namespace {

Calibration terms_of(std::string_view text) {
    const Scratch scratch;
    return read_calibration(scratch.file("c.yaml", text), {});
}

Kinds refused_terms(std::string_view text) {
    return kinds_of(faults_of([&] { terms_of(text); }));
}

CalibrationKey key_of(std::string_view value) {
    const Scratch scratch;
    const auto file = scratch.file("s.yaml", "model: m.psl\nplatform: p.yaml\nranks: {columns: 1, rows: 1}\n" +
                                                 (value.empty() ? "" : "calibration: " + std::string(value) + "\n"));
    return read_scenario(read_document(file, {})).calibration;
}

}  // namespace

TEST_CASE("all of a calibration") {
    const Calibration all = terms_of(
        "platform: {bus: {o_dma: 4us}}\n"
        "noise: {cv: 0.05, jitter: 3us, redrawn: off}\n"
        "computing:\n  chimaera: {factor: 1.07, per_block: 1us}\n  sweep3d: {}\n"
        "error: 0.03\n"
        "fitted: {rows: 12}\n");
    CHECK(all.platform.find("bus")->find("o_dma")->scalar == "4us");
    REQUIRE(all.noise);
    CHECK(all.noise->cv == 0.05);
    CHECK(all.noise->jitter == Time{3'000'000});
    CHECK_FALSE(all.noise->redrawn);
    CHECK(all.computing.at("chimaera") == program::Computing{1.07, {1'000'000}});
    CHECK(all.computing.at("sweep3d") == program::Computing{});
    CHECK(all.error == 0.03);
}

TEST_CASE("an empty calibration changes nothing") {
    const Calibration none = terms_of("{}\n");
    CHECK(none.platform.entries.empty());
    CHECK_FALSE(none.noise);
    CHECK(none.computing.empty());
    CHECK_FALSE(none.error);
}

TEST_CASE("faults of a calibration") {
    CHECK(refused_terms("computng: {}\n") == Kinds{DiagnosticKind::unknown_key});
    CHECK(refused_terms("computing: {chimaera: {fctor: 1}}\n") == Kinds{DiagnosticKind::unknown_key});
    CHECK(refused_terms("computing: {chimaera: {factor: 0}}\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_terms("computing: {chimaera: {factor: 101}}\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_terms("computing: {chimaera: {per_block: 3}}\n") == Kinds{DiagnosticKind::missing_unit});
    CHECK(refused_terms("error: 1.5\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_terms("noise: {cv: 11}\n") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_terms("platform: 3\n") == Kinds{DiagnosticKind::wrong_yaml_type});
}

TEST_CASE("a scenario uses the calibration of its machine, none, or another") {
    CHECK(key_of("").on);
    CHECK(key_of("").file.empty());
    CHECK(key_of("on").file.empty());
    for (const char* no : {"off", "false", "no", "False", "OFF"}) {
        CAPTURE(no);
        CHECK_FALSE(key_of(no).on);
        CHECK(key_of(no).as_written == "off");
    }
    for (const char* yes : {"on", "true", "yes"}) {
        CAPTURE(yes);
        CHECK(key_of(yes).on);
        CHECK(key_of(yes).file.empty());
        CHECK(key_of(yes).as_written == "on");
    }
    CHECK(key_of("other.yaml").on);
    CHECK(key_of("other.yaml").file.filename() == "other.yaml");
}

TEST_CASE("a hardware file names its calibration, relative to its own folder") {
    const Scratch scratch;
    const auto named = scratch.file("machines/xt4.yaml", "name: a\ncalibration: fitted/xt4.yaml\n");
    scratch.file("machines/fitted/xt4.yaml", "error: 0.02\n");
    CHECK(calibration_for({}, named)->error == 0.02);
    CalibrationKey off;
    off.on = false;
    CHECK_FALSE(calibration_for(off, named));
    CHECK_FALSE(calibration_for({}, scratch.file("silent.yaml", "name: c\n")));
}

TEST_CASE("a machine like another one has a calibration only if it names one itself") {
    const Scratch scratch;
    scratch.file("xt4.yaml", "name: a\ncalibration: fitted.yaml\n");
    scratch.file("fitted.yaml", "error: 0.02\n");
    CHECK_FALSE(calibration_for({}, scratch.file("like.yaml", "like: xt4.yaml\nname: b\n")));
    CHECK(calibration_for({}, scratch.file("own.yaml", "like: xt4.yaml\ncalibration: fitted.yaml\n")));
}
