// Hardware files: their keys, layers and rows, parts, and limits of eager messages.
#include "simulator/machine/loading/hardware_file.hpp"
#include "tests/loading/hardware_text.hpp"

namespace warpfront::machine {

TEST_CASE("a short hardware file has defaults for the rest") {
    const auto [file, found] = read(kHead + "layers:\n" + kNetwork);
    CHECK(found.render() == "");
    CHECK(file.name == "m");
    CHECK(file.platform.value.filename() == "p.xml");
    CHECK(file.fit.value);
    CHECK(file.parts.front().value.count == 1);
    CHECK(file.links_in_L == 1);
    CHECK_FALSE(file.bus);
}

TEST_CASE("a row has its costs") {
    const auto [file, found] = read(kHead + R"(bus: {o_dma: 2us, G_dma: 1ns/B}
layers:
  network:
    - {up_to: 1KiB, protocol: rendezvous, o_send: 1us, o_recv: 2us, L: 3us, G: 4ns/B, G_recv: 2GBps, holds: [bus]}
    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 0us, G: 1ns/B}
)");
    CHECK(found.render() == "");
    const Profile& network = file.layers.back().profile;
    REQUIRE(network.size() == 2);
    CHECK(network[0].up_to == Bytes{1024});
    CHECK(network[0].protocol == Protocol::rendezvous);
    CHECK(network[0].o_send == Time{1'000'000});
    CHECK(network[0].o_recv == Time{2'000'000});
    CHECK(network[0].L == Time{3'000'000});
    CHECK(cost_of(Bytes{1000}, network[0].G) == Time{4'000'000});
    CHECK(cost_of(Bytes{1000}, network[0].G_recv) == Time{500'000});  // 1000 B / 2 GB/s
    CHECK(network[0].holds_bus);
    CHECK_FALSE(network[1].holds_bus);
}

TEST_CASE("cluster memory has servers, channels of these and of nodes, and what nodes hold; all optional") {
    const std::string rest = "layers:\n" + kNetwork;
    const auto [file, found] =
        read(kHead + "cluster_memory: {servers: 3, node: {read: 2GBps, write: 1GBps}, latency: 5us, buffers: 2}\n" +
             "task_manager: {overhead: 1us, service: 2us}\n" + rest);
    CHECK(found.render() == "");
    CHECK(file.cluster_memory.servers == 3);
    CHECK(file.cluster_memory.node.read == Bandwidth{2e9});
    CHECK(file.cluster_memory.node.write == Bandwidth{1e9});
    CHECK_FALSE(file.cluster_memory.node.shared);
    CHECK_FALSE(file.cluster_memory.server.read);
    CHECK(file.cluster_memory.latency == Time{5'000'000});
    CHECK(file.cluster_memory.buffers == 2);
    CHECK(file.task_manager.overhead == Time{1'000'000});
    CHECK(file.task_manager.service == Time{2'000'000});
    CHECK(read(kHead + "cluster_memory: {node: {read: 2GBps, shared: on}}\n" + rest).file.cluster_memory.node.shared);
    CHECK(summary_of(only(faults(kHead + "cluster_memory: {node: {write: 1GBps, shared: on}}\n" + rest),
                          missing_key)) == "m.yaml:4:24 missing_key [] `node` has no `read`");
}

TEST_CASE("an unknown key names the nearest") {
    CHECK(summary_of(only(faults(kHead + "chip: 2\nlayers:\n" + kNetwork), unknown_key)) ==
          "m.yaml:4:1 unknown_key [chip] unknown key `chip` in a hardware file | did you mean `chips`?");
}

TEST_CASE("each missing required key is reported, all in one run") {
    std::vector<std::string> missing;
    const Diagnostics all = faults("chips: 1\n");
    for (const Diagnostic& fault : all.all()) {
        CHECK(fault.kind == missing_key);
        missing.push_back(fault.message);
    }
    CHECK(missing == std::vector<std::string>{"a hardware file has no `name`", "a hardware file has no `platform`",
                                              "a hardware file has no `size`", "a hardware file has no `layers`"});
}

TEST_CASE("each missing required key of a row is reported; G_recv suffices for G") {
    const Diagnostics found = row_faults(
        "    - {up_to: 8B}\n"
        "    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G_recv: 1ns/B}\n");
    std::vector<std::string> missing;
    for (const Diagnostic& fault : found.all()) missing.push_back(fault.message);
    CHECK(missing == std::vector<std::string>{"a row of `network` has no `protocol`",
                                              "a row of `network` has no `o_send`",
                                              "a row of `network` has no `o_recv`", "a row of `network` has no `L`",
                                              "a row of `network` has no `G`"});
}

TEST_CASE("a rendezvous may cost its processors time, an eager message has none") {
    const std::string rest = " o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, o_request: 2us, o_ack: 3us}\n";
    const auto [file, found] = read(kHead + "layers:\n  network:\n    - {protocol: rendezvous," + rest);
    CHECK(found.render() == "");
    const ProfileRow& row = file.layers.back().profile[0];
    CHECK(row.o_request == Time{2'000'000});
    CHECK(row.o_ack == Time{3'000'000});
    const Diagnostics eager = row_faults("    - {protocol: eager," + rest);
    REQUIRE(eager.count() == 2);
    CHECK(eager.all()[0].kind == conflicting_keys);
    CHECK(eager.all()[0].message == "`o_request` has no meaning for eager messages");
    CHECK(marked(eager.all()[1]) == "3us");
}

TEST_CASE(
    "a row says how a rendezvous makes progress and when its sender goes on, an eager one for synchronous messages") {
    for (const std::string protocol : {"rendezvous", "eager"}) {
        const Read stated = read(kHead + "layers:\n  network:\n    - {protocol: " + protocol +
                                 ", o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, progress: in_calls, "
                                 "sender_goes_on: received}\n");
        CHECK(stated.faults.render() == "");
        CHECK(stated.row(0).progress == MessageProgress::in_calls);
        CHECK(stated.row(0).sender_goes_on == SenderGoesOn::received);
    }
    const Read silent = read(kHead + "layers:\n" + kNetwork);
    CHECK(silent.row(0).progress == MessageProgress::asynchronous);
    CHECK(silent.row(0).sender_goes_on == SenderGoesOn::acknowledged);
    CHECK(summary_of(only(row_faults(row_with(", progress: in_call")), bad_choice)) ==
          "m.yaml:6:79 bad_choice [in_call] `progress` cannot be `in_call` | did you mean `in_calls`?");
    CHECK(only(row_faults(row_with(", sender_goes_on: acked")), bad_choice).message ==
          "`sender_goes_on` cannot be `acked`");
}

TEST_CASE("rows ascend, and the last one alone has no limit") {
    const std::string costs = kCosts + "}\n";
    const std::string rows = "    - {up_to: 2KiB, " + costs + "    - {up_to: 2KiB, " + costs + "    - {" + costs;
    CHECK(summary_of(only(row_faults(rows), profile_row_order)) ==
          "m.yaml:7:15 profile_row_order [2KiB] `up_to` is 2048 B after a row up to 2048 B | expected rows in "
          "ascending order of `up_to`");
    CHECK(line_of(only(row_faults("    - {" + costs + "    - {" + costs), profile_row_order)) == 7);
    CHECK(only(row_faults("    - {up_to: 1KiB, " + costs), profile_row_unlimited).expected ==
          "expected a last row without `up_to`");
    CHECK(only(faults(kHead + "layers:\n  network: []\n"), profile_row_unlimited).message ==
          "layer `network` has no row for the largest messages");
}

TEST_CASE("a row whose largest message takes longer than a cost may is a fault") {
    const std::string costs = "protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, ";
    const std::string rows = "    - {up_to: 1GiB, " + costs + "G: 1s/B}\n    - {" + costs + "G: 1ns/B}\n";
    const Diagnostic fault = only(row_faults(rows), cost_too_large);
    CHECK(marked(fault) == "1s/B");
}

TEST_CASE("kinds of parts are nested, and called as a layer can be") {
    const auto parts = [](const std::string& value) { return faults(kHead + value + "layers:\n" + kNetwork); };
    CHECK(parts("parts: {complex: 16, die: 8, socket: 2}\n").empty());
    CHECK(summary_of(only(parts("parts: {complex: 12, die: 8}\n"), bad_parts)) ==
          "m.yaml:4:18 bad_parts [12] 12 parts `complex` of a node cannot be divided evenly among its 8 parts `die` | "
          "expected the innermost kind of parts first, and each number a multiple of the next");
    CHECK(marked(only(parts("parts: {node: 2}\n"), bad_parts)) == "node");
    CHECK(marked(only(parts("parts: {Die: 2}\n"), bad_parts)) == "Die");
    CHECK(marked(only(parts("parts: {die: 0}\n"), out_of_range)) == "0");
    CHECK(only(parts("parts: 4\n"), wrong_yaml_type).message == "`parts` is not a mapping of kinds to numbers");
    CHECK(marked(only(parts("chips: 2\nparts: {die: 2}\n"), conflicting_keys)) == "2");
}

TEST_CASE("a layer of a kind of parts that the node does not have is unknown") {
    const Diagnostic fault = only(faults(kHead + "parts: {die: 2}\nlayers:\n  dye: []\n" + kNetwork), unknown_key);
    CHECK(fault.expected == "did you mean `die`?");
}

TEST_CASE("layers and rows of the wrong form are faults") {
    CHECK(only(faults(kHead + "layers:\n  network: 5us\n"), wrong_yaml_type).message ==
          "layer `network` is not a list");
    CHECK(line_of(only(faults(kHead + "layers: [1, 2]\n"), wrong_yaml_type)) == 4);
    CHECK(marked(only(row_faults("    - 5us\n"), wrong_yaml_type)) == "5us");
}

TEST_CASE("a hardware file that does not exist is a fault at the position of its name") {
    const Workspace files;
    Diagnostics none;
    const Diagnostics found = faults_of([&] { read_hardware_tree(files.write("x", "") / "m.yaml"); });
    CHECK(only(found, unreadable_file).message.find("m.yaml") != std::string::npos);
}

TEST_CASE("cores and groups are read") {
    const HardwareFile file = read(kHead + "cores: 16\ngroups: 4\nlayers:\n" + kNetwork).file;
    CHECK(file.cores == 16);
    CHECK(file.groups.value == 4);
    CHECK(only(faults(kHead + "cores: 0\nlayers:\n" + kNetwork), out_of_range).range.source);
}

}  // namespace warpfront::machine

// The key `processor` of a hardware file: a speed, its faults, and its overrides.

namespace warpfront::machine::hardware_processor_test {

namespace {

const std::string kMachine = kHead + "layers:\n" + kNetwork;

/// Returns a hardware file with this line about its processor.
Read with(const std::string& line) { return read(kMachine + line + "\n"); }

Diagnostic fault(const std::string& line, DiagnosticKind kind) { return only(with(line).faults, kind); }

HardwareOverrides overrides(const Workspace& files, const std::string& yaml) {
    Diagnostics none;
    return {input::parse_yaml(files.source("overrides", yaml), none), {}};
}

}  // namespace

TEST_CASE("a processor has a name and the speed of one core") {
    const auto [file, found] = with("processor: {name: Pentium 3, speed: 110Mflops}");
    CHECK(found.empty());
    CHECK(file.processor.value().name == "Pentium 3");
    CHECK(file.processor->speed == FlopRate{110e6});
    CHECK(with("processor: {speed: 2Gflops}").file.processor->speed == FlopRate{2e9});
    CHECK_FALSE(with("").file.processor);
}

TEST_CASE("a processor has a speed of its own, above 0 and within what times can be scaled by, and no other keys") {
    CHECK(fault("processor: {name: Pentium 3}", missing_key).message.find("`speed`") != std::string::npos);
    for (const std::string speed : {"0Mflops", "-5Mflops", "1e10Tflops"}) {
        CAPTURE(speed);
        const Diagnostic found = fault(fmt::format("processor: {{speed: {}}}", speed), out_of_range);
        CHECK(marked(found) == speed);
        CHECK(found.expected == "expected a speed from 1flops to 1e9Tflops");
    }
    CHECK(summary_of(fault("processor: {speeed: 1Gflops, speed: 1Gflops}", unknown_key)) ==
          "m.yaml:7:13 unknown_key [speeed] unknown key `speeed` in `processor` | did you mean `speed`?");
}

TEST_CASE("a factor multiplies the speed of the file") {
    const Workspace files;
    const auto file = files.write("m.yaml", kMachine + "processor: {speed: 110Mflops}\n");
    const auto twice = overrides(files, "processor: {speed: 2x}\n");
    CHECK(processor_of(read_hardware_tree(file), twice)->speed == FlopRate{220e6});  // 2 * 110
}

TEST_CASE("a factor of a speed that the hardware file does not state is a fault") {
    const Workspace files;
    const auto file = files.write("m.yaml", kMachine);
    const auto twice = overrides(files, "processor: {speed: 2x}\n");
    Diagnostics faults;
    read_hardware_file(read_hardware_tree(file), faults, twice);
    CHECK(marked(only(faults, unknown_key)) == "processor");
    CHECK_FALSE(processor_of(read_hardware_tree(file), twice));
}

TEST_CASE("a processor comes with the base of a hardware file") {
    const Workspace files;
    files.write("base.yaml", kMachine + "processor: {speed: 110Mflops}\n");
    const HardwareTree own = read_hardware_tree(files.write("own.yaml", "like: base.yaml\n"));
    CHECK(processor_of(own, {})->speed == FlopRate{110e6});
}

}  // namespace warpfront::machine::hardware_processor_test

// `collectives` of a hardware file: the algorithms of MPI's collectives.

namespace warpfront::machine::collectives_test {

namespace {

using collectives::Algorithm;
using collectives::Algorithms;
using collectives::Kind;
using collectives::Offer;
using collectives::Rule;

/// Returns a hardware file with this line, its fourth.
Read with(const std::string& line) { return read(kHead + line + "\nlayers:\n" + kNetwork); }

Algorithms algorithms(const std::string& line) {
    const Read all = with(line);
    CHECK(all.faults.render() == "");
    return all.file.collectives;
}

std::string faulty(const std::string& line) { return summary_of(with(line).faults); }

Algorithm chosen(const Algorithms& algorithms, Kind kind, std::int64_t bytes, std::uint32_t ranks) {
    return algorithms.choose({kind, 0, {bytes}}, ranks).algorithm;
}

}  // namespace

TEST_CASE("a hardware file without collectives has the first available algorithm of each collective") {
    const Algorithms defaults = algorithms("");
    for (const Offer& offer : collectives::offers()) {
        CAPTURE(name_of(offer.kind));
        CHECK(defaults.rules(offer.kind) == std::vector<Rule>{{offer.algorithms.front()}});
    }
}

TEST_CASE("each collective may have each algorithm that is offered for it, by name") {
    for (const Offer& offer : collectives::offers()) {
        for (const Algorithm algorithm : offer.algorithms) {
            CAPTURE(name_of(offer.kind));
            const std::string name(name_of(algorithm));
            const std::string line = "collectives: {" + std::string(name_of(offer.kind)) + ": " + name + "}";
            CHECK(chosen(algorithms(line), offer.kind, 8, 4) == algorithm);
        }
    }
}

TEST_CASE("`like` begins with the rules of a library, others then replace them") {
    using collectives::Library;
    for (const Library library : {Library::smpi, Library::open_mpi, Library::mpich}) {
        const std::string name(collectives::kLibraries[static_cast<std::size_t>(library)]);
        CAPTURE(name);
        const Algorithms like = algorithms("collectives: {like: " + name + "}");
        const Algorithms changed = algorithms("collectives: {like: " + name + ", reduce: chain}");
        for (const Offer& offer : collectives::offers()) {
            CHECK(like.rules(offer.kind) == Algorithms::like(library).rules(offer.kind));
            if (offer.kind != Kind::reduce) CHECK(changed.rules(offer.kind) == like.rules(offer.kind));
        }
        CHECK(changed.rules(Kind::reduce) == std::vector<Rule>{{Algorithm::chain}});
    }
}

TEST_CASE("the former rule of an alltoall, `open_mpi`, is still read, with a note") {
    const Read all = with("collectives: {alltoall: open_mpi}");
    CHECK(all.faults.render() == "");
    REQUIRE(all.file.notes.size() == 1);
    CHECK(all.file.notes[0].ends_with(
        "m.yaml:4:25: `open_mpi` is the rule of Open MPI before 4.1, which the next version refuses: write `like: "
        "open_mpi` for the rules of 4.1, or a list of rules"));
    CHECK(chosen(all.file.collectives, Kind::alltoall, 199, 13) == Algorithm::bruck);
    CHECK(chosen(all.file.collectives, Kind::alltoall, 199, 12) == Algorithm::linear);
    CHECK(chosen(all.file.collectives, Kind::alltoall, 2999, 13) == Algorithm::linear);
    CHECK(chosen(all.file.collectives, Kind::alltoall, 3000, 13) == Algorithm::pairwise);
}

TEST_CASE("a rule by size of a collective whose sizes differ from rank to rank is noted: it never applies") {
    const Read all = with("collectives: {alltoallv: [{up_to: 1KiB, algorithm: linear}, {algorithm: pairwise}]}");
    CHECK(all.faults.render() == "");
    REQUIRE(all.file.notes.size() == 1);
    CHECK(all.file.notes[0].ends_with(
        "m.yaml:4:27: this rule never applies: the sizes of `alltoallv` differ from rank to rank"));
}

TEST_CASE("unknown collectives and algorithms are faults with the nearest name") {
    CHECK(faulty("collectives: {barier: linear}") ==
          "m.yaml:4:15 unknown_key [barier] unknown key `barier` in `collectives` | did you mean `barrier`?");
    CHECK(faulty("collectives: {barrier: disemination}") ==
          "m.yaml:4:24 bad_choice [disemination] `barrier` cannot be `disemination` | did you mean `dissemination`?");
    // known, but not for this one
    CHECK(faulty("collectives: {gatherv: ring}") ==
          "m.yaml:4:24 bad_choice [ring] `gatherv` cannot be `ring` | expected one of `linear`, `sequential`");
    CHECK(faulty("collectives: {like: intel}") ==
          "m.yaml:4:21 bad_choice [intel] `like` cannot be `intel` | expected one of `smpi`, `open_mpi`, `mpich`");
    CHECK(faulty("collectives: smpi") ==
          "m.yaml:4:14 wrong_yaml_type [smpi] `collectives` is a single value | expected keys and values");
}

TEST_CASE("a collective may have rules by size and ranks, the last without a limit") {
    const Algorithms rules = algorithms(
        "collectives: {alltoall: [{up_to: 200B, ranks: 16, algorithm: bruck}, {up_to: 3KiB, algorithm: linear}, "
        "{algorithm: pairwise}]}");
    CHECK(chosen(rules, Kind::alltoall, 200, 16) == Algorithm::bruck);
    CHECK(chosen(rules, Kind::alltoall, 200, 17) == Algorithm::linear);
    CHECK(chosen(rules, Kind::alltoall, 3073, 2) == Algorithm::pairwise);
}

TEST_CASE("a rule that others hide, a last one with a limit, and one without an algorithm are faults") {
    CHECK(faulty("collectives: {alltoall: [{algorithm: bruck}, {algorithm: linear}]}") ==
          "m.yaml:4:26 rule_order [] this rule always applies, so the rules below it never do | expected this rule "
          "last, or with `up_to` or `ranks`");
    CHECK(test::kinds_of(with("collectives: {alltoall: [{up_to: 1KiB, algorithm: bruck}]}").faults) ==
          test::Kinds{rule_order});
    CHECK(faulty("collectives: {alltoall: [{up_to: 1KiB, algorithm: bruck}]}") ==
          "m.yaml:4:26 rule_order [] the last rule does not apply to all sizes and ranks | expected "
          "one more rule after it, `{algorithm: NAME}`");
    CHECK(faulty("collectives: {alltoall: [{}]}") ==
          "m.yaml:4:26 missing_key [] a rule of `alltoall` has no `algorithm`");
    CHECK(faulty("collectives: {alltoall: [{bytes: 1KiB, algorithm: bruck}]}") ==
          "m.yaml:4:27 unknown_key [bytes] unknown key `bytes` in a rule of `alltoall` | expected one of "
          "`up_to`, `ranks`, `algorithm`");
}

}  // namespace warpfront::machine::collectives_test
