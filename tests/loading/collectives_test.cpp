// `collectives` of a hardware file: which algorithms MPI uses.
#include "simulator/machine/collectives.hpp"

#include <doctest/doctest.h>

#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/hardware_reader.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;

/// Of a hardware file with this line, its fifth.
Collectives collectives(const std::string& line, Diagnostics& faults) {
    const Workspace files;
    const std::string text =
        "name: m\nplatform: p.xml\nsize: fit\n"
        "layers: {network: [{protocol: eager, o_send: 0us, o_recv: 0us, L: 1us, G: 1ns/B}]}\n";
    return read_hardware_file(files.write("m.yaml", text + line + "\n"), {}, faults).collectives;
}

Collectives collectives(const std::string& line) {
    Diagnostics faults;
    const Collectives read = collectives(line, faults);
    CHECK(faults.render() == "");
    return read;
}

Diagnostics faults(const std::string& line) {
    Diagnostics found;
    collectives(line, found);
    return found;
}

}  // namespace

TEST_CASE("a hardware file that says nothing has the first algorithm that is offered of each collective") {
    const Collectives defaults = collectives("");
    for (const CollectiveChoice& choice : collective_choices()) {
        CAPTURE(choice.name);
        CHECK(defaults.*choice.member == choice.offered.front());
    }
}

TEST_CASE("each collective may have each algorithm that is offered for it, by name") {
    for (const CollectiveChoice& choice : collective_choices()) {
        for (const Algorithm algorithm : choice.offered) {
            CAPTURE(choice.name);
            const std::string name(name_of(algorithm));
            CHECK(collectives("collectives: {" + choice.name + ": " + name + "}").*choice.member == algorithm);
        }
    }
}

TEST_CASE("`like: smpi` begins with the algorithms of SMPI's selector `default`, others then replace them") {
    const Collectives smpi = collectives("collectives: {like: smpi}");
    CHECK(smpi.barrier == Algorithm::linear);
    CHECK(smpi.bcast == Algorithm::binomial);
    CHECK(smpi.reduce == Algorithm::linear);
    CHECK(smpi.allreduce == Algorithm::reduce_bcast);
    CHECK(smpi.allgather == Algorithm::linear);
    CHECK(smpi.alltoall == Algorithm::open_mpi);
    CHECK(smpi.alltoallv == Algorithm::linear);
    const Collectives changed = collectives("collectives: {like: smpi, barrier: dissemination}");
    CHECK(changed.barrier == Algorithm::dissemination);
    CHECK(changed.reduce == Algorithm::linear);
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

}  // namespace warpfront::machine
