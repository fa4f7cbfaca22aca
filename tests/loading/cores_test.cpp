// The cores of a node's ranks on a machine: the division of the cores by the hardware file, notes and faults.
//
// Not pinned here: the distribution of ranks over the parts (tests/placement/cores_test.cpp).
#include "tests/loading/workspace.hpp"

namespace warpfront::machine::cores_test {

namespace {

using Cores = std::vector<std::uint32_t>;

/// Returns a machine of sixteen cores; `more` describes their parts and shared resources.
Machine built(const std::string& more, const Patch& patch, const CoreRequest& cores) {
    const Workspace files;
    const std::string row = "[{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n";
    MachineRequest request = request_for(
        files.write("m.yaml",
                    "name: m\nsize: fit\ncores: 16\ntopology: {kind: torus, dimensions: [4], bandwidth: 1GBps, "
                    "latency: 0us}\n" +
                        more + "layers:\n  socket: " + row + "  node: " + row + "  network: " + row),
        RankGrid{{patch.columns * 2, patch.rows, patch.planes}}, patch);
    request.cores = cores;
    return build(request).machine;
}

const std::string kSockets = "parts: {socket: 2}\n";
constexpr const char* kNic = "nic: {count: 4, injection: 1GBps, ejection: 1GBps}\n";
const CoreRequest kSpread{.fill = NodeFill::spread};

bool notes(const Machine& machine, const std::string& part) {
    for (const std::string& note : machine.notes) {
        if (note.find(part) != std::string::npos) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("ranks are spread over every kind of parts, buses, NICs and memories, the fewest first") {
    const Machine machine =
        built(kSockets + kNic + "memory: {count: 8, bandwidth: 1GBps, per_core: 1GBps}\n", {8, 1}, kSpread);
    CHECK(machine.divisions == Cores{2, 4, 8});
    CHECK(machine.placement.cores == Cores{0, 8, 4, 12, 2, 10, 6, 14});
}

TEST_CASE("a resource that is switched off moves no rank") {
    const auto cores = [](const std::string& enabled) {
        return built(kSockets + "nic: {enabled: " + enabled + ", count: 4, injection: 1GBps, ejection: 1GBps}\n",
                     {4, 1}, kSpread)
            .placement.cores;
    };
    CHECK(cores("on") == Cores{0, 8, 4, 12});
    CHECK(cores("off") == cores("on"));
}

TEST_CASE("the cores decide what two ranks share: a socket, a NIC") {
    const Machine packed = built(kSockets + kNic, {2, 1}, {});
    CHECK(packed.locality({0}, {1}) == Locality{0});  // one socket
    CHECK(packed.group_of({1}, packed.nics()) == 0);
    const Machine spread = built(kSockets + kNic, {2, 1}, kSpread);
    CHECK(spread.locality({0}, {1}) == Locality{1});  // one node
    CHECK(spread.group_of({1}, spread.nics()) == 2);  // core 8 of 16, four to a NIC
    const Machine listed = built(kSockets + kNic, {2, 1}, {.listed = {{15}, {4}}});
    CHECK(listed.group_of({0}, listed.nics()) == 3);
    CHECK(listed.group_of({1}, listed.nics()) == 1);
}

TEST_CASE("a listed core that the node does not have is refused") {
    const input::Diagnostic fault = only(faults_of([] {
                                             built(kSockets, {2, 1}, {.listed = {{3}, {16}}});
                                         }),
                                         out_of_range);
    CHECK(fault.message == "a node has no core 16");
    CHECK(fault.expected == "expected a core from 0 to 15, or a larger `cores` of the machine");
}

TEST_CASE("a node without parts reports that it cannot spread its ranks, nor can one rank be spread") {
    const std::string note = "`node.fill: spread` has no effect";
    CHECK(notes(built("parts: {socket: 1}\n", {4, 1}, kSpread), note));
    CHECK(notes(built(kSockets, {1, 1}, kSpread), note));
    CHECK_FALSE(notes(built(kSockets, {2, 1}, kSpread), note));
    CHECK_FALSE(notes(built(kSockets, {2, 1}, {}), note));
}

TEST_CASE("square groups that no block of the patch fits are noted where they have several ranks") {
    const std::string squares = kSockets + kNic + "groups: 4\ncore_order: squares\n";
    const std::string note = "`core_order: squares` has the effect of `rows`: the ranks of a patch of ";
    CHECK(notes(built(squares, {3, 2}, {}), note + "3 x 2 cannot be divided into a block for each of 4 groups"));
    CHECK_FALSE(notes(built(squares, {3, 1}, {}), note));       // all of one group
    CHECK_FALSE(notes(built(squares, {4, 4}, {}), note));       // 2 x 2 each
    CHECK_FALSE(notes(built(squares, {4, 2}, kSpread), note));  // 2 x 1 each
    CHECK(notes(built(squares, {3, 2}, kSpread), note));
    CHECK(built(squares, {4, 2}, kSpread).placement.cores == Cores{0, 1, 4, 5, 8, 9, 12, 13});
}

}  // namespace warpfront::machine::cores_test
