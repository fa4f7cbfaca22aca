// `collectives` of a hardware file: which algorithms MPI uses.
#include <doctest/doctest.h>

#include "simulator/machine/loading/hardware_file.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine::collectives_test {

namespace {

using collectives::Algorithm;
using collectives::Algorithms;
using collectives::Kind;
using collectives::Offer;
using collectives::Rule;
using input::DiagnosticKind;
using input::Diagnostics;

/// The algorithms of a hardware file with this line, its fifth.
Algorithms read(const std::string& line, Diagnostics& faults) {
    const Workspace files;
    const std::string text =
        "name: m\nplatform: p.xml\nsize: fit\n"
        "layers: {network: [{protocol: eager, o_send: 0us, o_recv: 0us, L: 1us, G: 1ns/B}]}\n";
    return read_hardware_file(files.write("m.yaml", text + line + "\n"), {}, faults).collectives;
}

Algorithms read(const std::string& line) {
    Diagnostics faults;
    const Algorithms algorithms = read(line, faults);
    CHECK(faults.render() == "");
    return algorithms;
}

Diagnostics faults(const std::string& line) {
    Diagnostics found;
    read(line, found);
    return found;
}

}  // namespace

TEST_CASE("a hardware file that says nothing has the first algorithm that is offered of each collective") {
    const Algorithms defaults = read("");
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
            CHECK(read(line).of(offer.kind, {8}, 4) == algorithm);
        }
    }
}

TEST_CASE("`like: smpi` begins with the algorithms of SMPI's selector `default`, others then replace them") {
    const Algorithms smpi = read("collectives: {like: smpi}");
    CHECK(smpi.of(Kind::barrier, {8}, 4) == Algorithm::linear);
    CHECK(smpi.of(Kind::bcast, {8}, 4) == Algorithm::binomial);
    CHECK(smpi.of(Kind::reduce, {8}, 4) == Algorithm::linear);
    CHECK(smpi.of(Kind::allreduce, {8}, 4) == Algorithm::reduce_bcast);
    CHECK(smpi.of(Kind::allgather, {8}, 4) == Algorithm::linear);
    CHECK(smpi.of(Kind::alltoall, {8}, 4) == Algorithm::open_mpi);
    CHECK(smpi.of(Kind::alltoallv, {8}, 4) == Algorithm::linear);
    const Algorithms changed = read("collectives: {like: smpi, barrier: dissemination}");
    CHECK(changed.of(Kind::barrier, {8}, 4) == Algorithm::dissemination);
    CHECK(changed.of(Kind::reduce, {8}, 4) == Algorithm::linear);
}

TEST_CASE("unknown collectives and algorithms are faults with the nearest name") {
    const Diagnostics key = faults("collectives: {barier: linear}");
    REQUIRE(key.count() == 1);
    CHECK(key.all()[0].kind == DiagnosticKind::unknown_key);
    CHECK(key.all()[0].expected == "did you mean `barrier`?");
    CHECK(key.all()[0].range.source->position(key.all()[0].range.offset).line == 5);

    const Diagnostics name = faults("collectives: {barrier: disemination}");
    REQUIRE(name.count() == 1);
    CHECK(name.all()[0].kind == DiagnosticKind::bad_choice);
    CHECK(name.all()[0].expected == "did you mean `dissemination`?");

    const Diagnostics other = faults("collectives: {bcast: ring}");  // known, but not for this one
    REQUIRE(other.count() == 1);
    CHECK(other.all()[0].expected == "expected one of `binomial`, `linear`");

    CHECK(faults("collectives: {like: mpich}").all()[0].expected == "expected `smpi`");
    CHECK(faults("collectives: smpi").all()[0].kind == DiagnosticKind::wrong_yaml_type);
}

TEST_CASE("a collective may have rules by size and ranks, the last without a limit") {
    const Algorithms rules = read(
        "collectives: {alltoall: [{up_to: 200B, ranks: 16, algorithm: bruck}, {up_to: 3KiB, algorithm: linear}, "
        "{algorithm: pairwise}]}");
    CHECK(rules.of(Kind::alltoall, {200}, 16) == Algorithm::bruck);
    CHECK(rules.of(Kind::alltoall, {200}, 17) == Algorithm::linear);
    CHECK(rules.of(Kind::alltoall, {3073}, 2) == Algorithm::pairwise);
}

TEST_CASE("a rule that others hide, a last one with a limit, and one without an algorithm are faults") {
    const Diagnostics hides = faults("collectives: {alltoall: [{algorithm: bruck}, {algorithm: linear}]}");
    REQUIRE(hides.count() == 1);
    CHECK(hides.all()[0].kind == DiagnosticKind::rule_order);
    CHECK(hides.all()[0].expected == "expected it last, or `up_to` or `ranks`");
    const Diagnostics ends = faults("collectives: {alltoall: [{up_to: 1KiB, algorithm: bruck}]}");
    REQUIRE(ends.count() == 1);
    CHECK(ends.all()[0].kind == DiagnosticKind::rule_order);
    CHECK(faults("collectives: {alltoall: [{}]}").all()[0].kind == DiagnosticKind::missing_key);
    CHECK(faults("collectives: {alltoall: [{bytes: 1KiB, algorithm: bruck}]}").all()[0].kind ==
          DiagnosticKind::unknown_key);
}

}  // namespace warpfront::machine::collectives_test
