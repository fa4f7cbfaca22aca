// The cost of sharing a bus or a NIC for a tile, measured by tools/measurements/contention: with the resource minus
// without it. The script takes seconds, so its tables are read from the pages; page_tables_test.cpp tests that they are
// its output.
#include "tests/end_to_end/program.hpp"

namespace {

/// One line of a table of tools/measurements/contention: the waiting per tile, in I for the bus, in microseconds for
/// the NIC.
struct Waiting {
    double compute_us = 0.0;  // a compute-bound tile without the resource
    double compute = 0.0;
    double communicate_us = 0.0;
    double communicate = 0.0;
    double guess = 0.0;  // the closed form's, of the bus
};

/// Returns the table of a page that `tools/measurements/contention RESOURCE` prints. It is indexed by node, "4x4"; for
/// the NIC by message and node, "1536 2x2".
std::map<std::string, Waiting> table(const std::string& resource, const std::string& page) {
    const std::string text = text_of(kRoot / page);
    const std::string mark = fmt::format("\n<!-- table: tools/measurements/contention {} -->\n", resource);
    const std::size_t at = text.find(mark);
    REQUIRE(at != std::string::npos);
    std::map<std::string, Waiting> rows;
    for (std::string line : lines_of(text.substr(at + mark.size(), text.find("\n\n", at) - at - mark.size()))) {
        if (!line.starts_with("| ") || holds(line, ", us |")) continue;
        std::ranges::replace(line, '|', ' ');
        std::istringstream words(line);
        std::string key;
        words >> key;
        if (resource == "nic") {
            std::string node;
            words >> node;
            key += ' ' + node;
        }
        Waiting& row = rows[key];
        words >> row.compute_us >> row.compute >> row.communicate_us >> row.communicate;
        REQUIRE(words);
        words >> row.guess;
    }
    return rows;
}

const std::map<std::string, Waiting>& bus() {
    static const std::map<std::string, Waiting> rows = table("bus", "simulator/analytic/README.md");
    return rows;
}

const std::map<std::string, Waiting>& nic() {
    static const std::map<std::string, Waiting> rows = table("nic", "platforms/README.md");
    return rows;
}

constexpr double kPrinted = 0.00501;          // of two decimals
constexpr double I = 1.79 + 1536 * 0.000091;  // microseconds that one message occupies the bus

bool near(double value, double expected) { return std::abs(value - expected) <= kPrinted; }

}  // namespace

TEST_CASE("waiting for a bus: none of a core alone, the longer the more cores share it, less than the closed form's") {
    const std::map<std::string, double> published{{"1x1", 0}, {"2x1", 2}, {"2x2", 4},
                                                  {"4x2", 9}, {"2x4", 9}, {"4x4", 18}};
    for (const auto& [node, waiting] : published) {
        CAPTURE(node);
        const Waiting& row = bus().at(node);
        CHECK(row.guess == waiting);  // whatever the tile computes
        if (node == "1x1") continue;
        CHECK(row.compute < row.communicate);  // a compute-bound tile waits less than a communication-bound one
        CHECK(row.communicate < row.guess);
    }
    CHECK(near(bus().at("1x1").compute, 0.0));  // its holds lie within its overheads
    CHECK(near(bus().at("1x1").communicate, 0.0));
    using Pair = std::pair<const char*, const char*>;
    for (const auto& [fewer, more] : {Pair{"1x1", "2x1"}, Pair{"2x1", "2x2"}, Pair{"2x2", "4x2"}, Pair{"2x2", "2x4"},
                                      Pair{"4x2", "4x4"}, Pair{"2x4", "4x4"}}) {
        CAPTURE(more);
        CHECK(bus().at(fewer).communicate < bus().at(more).communicate);
    }
    // Sixteen cores cannot make a tile shorter than their bus is held: four messages in from the west, four from the
    // north, four out to the east, four to the south.
    const Waiting& row = bus().at("4x4");
    CHECK(row.communicate_us < 16 * I);  // without the bus it is shorter
    CHECK(row.communicate_us + row.communicate * I > 16 * I);
}

TEST_CASE("waiting for a NIC: of a rank alone what injection takes beyond a send, longer where four ranks share it") {
    // 6144 B at 1 GB/s: 6.144 us; the message south follows the one east by o_send, 3.63 us.
    CHECK(near(nic().at("6144 1x1").compute, 6.144 - 3.63));
    // 1536 B: 1.536 us, over before the next o_send of 2.64 us is.
    CHECK(near(nic().at("1536 1x1").compute, 0.0));
    for (const std::string message : {"1536 ", "6144 "}) {
        CAPTURE(message);
        CHECK(nic().at(message + "2x2").communicate > nic().at(message + "1x1").communicate);
        CHECK(nic().at(message + "4x1").communicate > nic().at(message + "1x1").communicate);
    }
    for (const auto& [row, waiting] : nic()) {
        CAPTURE(row);
        CHECK(waiting.compute < 0.003 * waiting.compute_us);  // a compute-bound tile hardly notices
    }
}

TEST_CASE("contention of anything except bus and NIC is a usage error") {
    CHECK(run_in(kRoot, "tools/measurements/contention links").status == 2);
    CHECK(run_in(kRoot, "tools/measurements/contention").status == 2);
}
