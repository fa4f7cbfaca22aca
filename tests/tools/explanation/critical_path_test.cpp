// The engines and models that have a critical path, and experiments with one kind of cost multiplied.
#include "tools/answer/explanation/explanation.hpp"

#include "tests/faults.hpp"
#include "tests/tools/experiments.hpp"

namespace {

Experiment experiment(const std::vector<std::string>& sets = {}) {
    std::vector<std::string> all{"iterations=1", "ranks={columns: 4, rows: 2}", "calibration=off"};
    all.insert(all.end(), sets.begin(), sets.end());
    const std::string scenario = WARPFRONT_SOURCE_DIR "/models/chimaera/chimaera.yaml";
    return experiment_of(scenario, all);
}

const record::PathPart& part_named(std::string_view name) {
    return *std::find_if(record::kPathParts.begin(), record::kPathParts.end(),
                         [&](const record::PathPart& part) { return part.name == name; });
}

}  // namespace

TEST_CASE("half the latency is half of every row's L, and nothing else") {
    const Experiment whole = experiment();
    const Experiment half = scaled(whole, part_named("latency"), 0.5);
    const machine::ProfileRow& before = whole.machine.profiles.back().front();
    const machine::ProfileRow& after = half.machine.profiles.back().front();
    CHECK(after.L.ps == (before.L.ps + 1) / 2);
    CHECK(after.o_send == before.o_send);
    CHECK(after.G == before.G);
    CHECK(half.program.classes == whole.program.classes);
}

TEST_CASE("half the latency is half of that of every link too, which the path counts as latency") {
    const Experiment whole = experiment();
    const Experiment half = scaled(whole, part_named("latency"), 0.5);
    const auto beyond_L = [](const Experiment& each) {
        const Rank last{each.program.grid.columns * each.program.grid.rows - 1};
        return each.machine.extra_latency(Rank{0}, last).ps;
    };
    REQUIRE(beyond_L(whole) > 0);
    CHECK(beyond_L(half) == beyond_L(whole) / 2);
    CHECK(beyond_L(scaled(whole, part_named("bandwidth"), 0.5)) == beyond_L(whole));
}

TEST_CASE("half the packets' costs is half of overhead, full buffers and arbitration, and of no byte") {
    const Experiment whole = experiment({"platform.links.packet=1kB", "platform.links.overhead=4us",
                                         "platform.links.buffers={size: 2kB, overhead: 6us}",
                                         "platform.links.arbitration={pairs: 1, overhead: 8us}"});
    const Experiment half = scaled(whole, part_named("packets"), 0.5);
    const machine::ProfileRow& row = half.machine.profiles.back().front();
    CHECK(row.packet.overhead == Time{2'000'000});
    CHECK(row.packet.full == Time{3'000'000});
    CHECK(half.machine.links->arbitration->overhead == Time{4'000'000});
    CHECK(row.G == whole.machine.profiles.back().front().G);
}

TEST_CASE("computing a tenth faster shortens delays too, which the path counts as computing") {
    Experiment whole = experiment();
    whole.program.classes[0].code = {{.op = program::Op::delay, .amount = 1000}};
    CHECK(scaled(whole, part_named("compute"), 0.9).program.classes[0].code[0].amount == 900);
}

TEST_CASE("computing a tenth faster shortens every block and no message") {
    const Experiment whole = experiment();
    const Experiment faster = scaled(whole, part_named("compute"), 0.9);
    for (std::size_t k = 0; k < whole.program.classes.size(); ++k) {
        for (std::size_t at = 0; at < whole.program.classes[k].code.size(); ++at) {
            const program::Instruction& before = whole.program.classes[k].code[at];
            const program::Instruction& after = faster.program.classes[k].code[at];
            const bool computes = before.op == program::Op::compute;
            CHECK(after.amount == (computes ? std::llround(0.9 * static_cast<double>(before.amount)) : before.amount));
        }
    }
}

TEST_CASE("a tenth less memory, NIC, link or wire is a machine with more of that bandwidth") {
    const Experiment whole = experiment({"platform.memory={bandwidth: 9GBps, per_core: 8GBps}"});
    const machine::LinkId link{0};
    const auto changes = [&](std::string_view part) {
        const machine::Machine machine = scaled(whole, part_named(part), 0.5).machine;
        return std::array{machine.memory->bandwidth.bytes_per_second / whole.machine.memory->bandwidth.bytes_per_second,
                          whole.machine.nic->injection.seconds_per_byte / machine.nic->injection.seconds_per_byte,
                          whole.machine.nic->ejection.seconds_per_byte / machine.nic->ejection.seconds_per_byte,
                          whole.machine.routes.gap(link).seconds_per_byte / machine.routes.gap(link).seconds_per_byte};
    };
    CHECK(changes("memory") == std::array{2.0, 1.0, 1.0, 1.0});
    CHECK(changes("nic") == std::array{1.0, 2.0, 2.0, 1.0});
    CHECK(changes("link") == std::array{1.0, 1.0, 1.0, 2.0});
    CHECK(changes("wire") == std::array{1.0, 2.0, 2.0, 2.0});
}

namespace {

std::vector<std::string> reasons(const std::vector<std::string>& sets, const record::PathParts& path) {
    record::Record record;
    record.path = path;
    return reasons_for_estimates(experiment(sets), record);
}

}  // namespace

TEST_CASE("savings by the path are estimates under periodic noise, and exact under other noise") {
    const record::PathParts computing{.compute = WideTime{1000}};
    CHECK(reasons({"noise.jitter=5us", "noise.interruptions={per_second: 100, length: 10us}"}, computing).empty());
    CHECK(reasons({"noise.periodic={period: 1ms, length: 10us}"}, computing).size() == 1);
    CHECK(reasons({"noise.periodic={period: 1ms, length: 10us}"}, {.latency = WideTime{1000}}).empty());
}

TEST_CASE("half the noise is half of jitter and of each interruption, and no less computing") {
    const Experiment whole = experiment({"noise.jitter=6us", "noise.interruptions={per_second: 100, length: 10us}"});
    const Experiment half = scaled(whole, part_named("noise"), 0.5);
    CHECK(half.noise.jitter == Time{3'000'000});
    CHECK(half.noise.interruptions->length == Time{5'000'000});
    CHECK(half.noise.interruptions->per_second == 100);
}

TEST_CASE("savings by the path are estimates if messages within a node wait for its bus") {
    const record::PathParts bus{.bus = WideTime{1000}};
    const std::string own = "platform.message_processing.enabled=off";
    CHECK(reasons({own}, bus).empty());
    CHECK(reasons({own, "platform.layers.chip.holds=[bus]"}, bus).size() == 1);
    CHECK(reasons({own, "platform.layers.chip.holds=[bus]"}, {.latency = WideTime{1000}}).empty());
    CHECK(reasons({"platform.layers.chip.holds=[bus]"}, bus).empty());  // message processing replaces the bus
}

TEST_CASE("a tenth less message rate is a tenth less g, and no other bandwidth") {
    const Experiment whole = experiment({"platform.nic.g=2us"});
    const machine::Machine machine = scaled(whole, part_named("message rate"), 0.9).machine;
    CHECK(machine.nic->g == Time{1'800'000});
    CHECK(machine.nic->injection == whole.machine.nic->injection);
}
