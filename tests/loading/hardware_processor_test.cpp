// The key `processor` of a hardware file: a speed, its faults, and its overrides.
#include "simulator/machine/loading/hardware_file.hpp"

#include <doctest/doctest.h>

#include "tests/loading/workspace.hpp"

namespace warpfront::machine::hardware_processor_test {

namespace {

using input::Diagnostic;
using input::DiagnosticKind;
using input::Diagnostics;

const std::string kMachine =
    "name: m\nplatform: p.xml\nsize: exact\n"
    "layers:\n  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n";

struct Read {
    std::optional<Processor> processor;
    Diagnostics faults;
};

/// A hardware file with this line about its processor.
Read read(const std::string& line) {
    const Workspace files;
    Read result;
    result.processor = read_hardware_file(files.write("m.yaml", kMachine + line + "\n"), {}, result.faults).processor;
    return result;
}

Diagnostic fault(const std::string& line, DiagnosticKind kind) { return only(read(line).faults, kind); }

HardwareOverrides overrides(const Workspace& files, const std::string& yaml) {
    Diagnostics none;
    return {input::parse_yaml(files.source("overrides", yaml), none), {}};
}

}  // namespace

TEST_CASE("a processor has a name and the speed of one core") {
    const Read here = read("processor: {name: Pentium 3, speed: 110Mflops}");
    CHECK(here.faults.empty());
    REQUIRE(here.processor);
    CHECK(here.processor->name == "Pentium 3");
    CHECK(here.processor->speed == FlopRate{110e6});
    CHECK(read("processor: {speed: 2Gflops}").processor->speed == FlopRate{2e9});
    CHECK_FALSE(read("").processor);
}

TEST_CASE("a processor without a speed is a fault") {
    CHECK(fault("processor: {name: Pentium 3}", DiagnosticKind::missing_key).message.find("`speed`") !=
          std::string::npos);
}

TEST_CASE("a speed of 0, or beyond what times can be scaled by, is a fault at the value") {
    for (const char* speed : {"0Mflops", "-5Mflops", "1e10Tflops"}) {
        CAPTURE(speed);
        const Diagnostic found = fault(fmt::format("processor: {{speed: {}}}", speed), DiagnosticKind::out_of_range);
        CHECK(marked(found) == speed);
        CHECK(found.expected == "expected a speed from 1flops to 1e9Tflops");
    }
}

TEST_CASE("a speed with an unknown unit is a fault at the unit, with the nearest one") {
    const Diagnostic found = fault("processor: {speed: 110Mflop}", DiagnosticKind::unknown_unit);
    CHECK(marked(found) == "Mflop");
    CHECK(found.expected.find("`Mflops`") != std::string::npos);
}

TEST_CASE("a speed with a unit of something else is a fault") {
    CHECK(marked(fault("processor: {speed: 3GBps}", DiagnosticKind::wrong_unit)) == "GBps");
}

TEST_CASE("an unknown key of a processor is a fault with the nearest one") {
    const Diagnostic found = fault("processor: {speeed: 1Gflops, speed: 1Gflops}", DiagnosticKind::unknown_key);
    CHECK(marked(found) == "speeed");
    CHECK(found.expected == "did you mean `speed`?");
}

TEST_CASE("a factor multiplies the speed of the file") {
    const Workspace files;
    const auto file = files.write("m.yaml", kMachine + "processor: {speed: 110Mflops}\n");
    const auto twice = overrides(files, "processor: {speed: 2x}\n");
    CHECK(processor_of(file, twice).processor->speed == FlopRate{220e6});  // 2 * 110
}

TEST_CASE("a factor without a speed to multiply is a fault") {
    const Workspace files;
    const auto file = files.write("m.yaml", kMachine);
    const auto twice = overrides(files, "processor: {speed: 2x}\n");
    Diagnostics faults;
    read_hardware_file(file, {}, faults, twice);
    CHECK(marked(only(faults, DiagnosticKind::missing_key)) == "2x");
    CHECK_FALSE(processor_of(file, twice).processor);
}

TEST_CASE("a processor comes with the base of a hardware file, and both are sources") {
    const Workspace files;
    files.write("base.yaml", kMachine + "processor: {speed: 110Mflops}\n");
    const DescribedProcessor found = processor_of(files.write("own.yaml", "like: base.yaml\n"), {});
    CHECK(found.processor->speed == FlopRate{110e6});
    CHECK(found.sources.size() == 2);
}

TEST_CASE("a hardware file that cannot be read describes no processor") {
    CHECK_FALSE(processor_of("none.yaml", {}).processor);
}

}  // namespace warpfront::machine::hardware_processor_test
