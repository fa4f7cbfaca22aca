// Collectives `like: smpi` take the same time as in SMPI 3.32: its times of all collectives on 2 to 64 ranks, recorded
// by `record_smpi_times` from `smpirun -replay`, are compared with those of the exchanges here.
//
// Every pair of ranks has its own wire with a latency of 10 us and 1 GB/s; messages are eager and take no processor
// time. A message of S bytes arrives 10 us + (S + 16) ns after it is sent: SMPI adds an envelope of 16 B.
#include "tests/collectives/exchanged.hpp"

using namespace warpfront::collectives;
using test::Contributions;

namespace {

/// Times, in place of contributions.
using Nanoseconds = std::uint64_t;
constexpr Nanoseconds kLatency = 10'000;
constexpr std::int64_t kEnvelope = 16;

/// A line of the table.
struct Times {
    std::string operation;  // as in the traces of SMPI; `reducescatter_unequal` has shares of 1, 2 and 3 times the size
    std::uint32_t ranks = 0;
    std::vector<std::string> seconds;  // by size; `-` if SMPI stops
};

struct Table {
    std::vector<std::int64_t> sizes;
    std::vector<Times> lines;
};

Table table() {
    Table all;
    std::ifstream file(WARPFRONT_SOURCE_DIR "/tests/collectives/smpi_times.txt");
    for (std::string text; std::getline(file, text);) {
        std::istringstream words(text);
        Times line;
        words >> line.operation;
        if (line.operation == "#" || line.operation.empty()) continue;
        if (line.operation == "sizes") {
            for (std::int64_t size = 0; words >> size;) all.sizes.push_back(size);
            continue;
        }
        words >> line.ranks;
        for (std::string seconds; words >> seconds;) line.seconds.push_back(seconds);
        all.lines.push_back(line);
    }
    return all;
}

/// Builds a collective as the reader of traces does.
Collective call(const std::string& operation, std::int64_t size, std::uint32_t member, std::uint32_t ranks) {
    using enum Kind;
    static const std::map<std::string, Kind> kinds{{"barrier", barrier},
                                                   {"bcast", bcast},
                                                   {"reduce", reduce},
                                                   {"allreduce", allreduce},
                                                   {"gather", gather},
                                                   {"scatter", scatter},
                                                   {"gatherv", gatherv},
                                                   {"scatterv", scatterv},
                                                   {"allgather", allgather},
                                                   {"allgatherv", allgatherv},
                                                   {"alltoall", alltoall},
                                                   {"alltoallv", alltoallv},
                                                   {"reducescatter", reduce_scatter},
                                                   {"reducescatter_unequal", reduce_scatter},
                                                   {"scan", scan},
                                                   {"exscan", exscan}};
    Collective made{kinds.at(operation), 0, {size}, {}, {1}};
    const bool equal = operation == "reducescatter";
    const bool shared = made.kind == gatherv || made.kind == scatterv || made.kind == allgatherv ||
                        made.kind == alltoallv || made.kind == reduce_scatter;
    if (!shared) return made;
    for (std::uint32_t other = 0; other < ranks; ++other)
        made.shares.push_back({equal ? size : size * (1 + other % 3)});
    made.bytes = made.shares[member];
    return made;
}

Nanoseconds time_of(const std::string& operation, std::int64_t size, std::uint32_t ranks) {
    static const Algorithms smpi = Algorithms::like(Library::smpi);
    std::vector<Nanoseconds> clocks(ranks);
    std::vector<test::Participant> participants;
    for (std::uint32_t member = 0; member < ranks; ++member) {
        participants.push_back({[&clocks, member](const Exchange& step) {
                                    return std::vector<Contributions>{
                                        clocks[member] + kLatency +
                                        static_cast<Nanoseconds>(step.bytes.count + kEnvelope)};
                                },
                                [&clocks, member](std::uint32_t, const std::vector<Contributions>& arrival) {
                                    clocks[member] = std::max(clocks[member], arrival[0]);
                                }});
    }
    const test::Schedule schedule =
        test::schedule_of([&](std::uint32_t member) { return call(operation, size, member, ranks); }, smpi, ranks);
    CHECK(test::perform(schedule, participants) == "");
    return *std::ranges::max_element(clocks);
}

}  // namespace

TEST_CASE("all collectives of 1 B to 4 MiB on 2 to 64 ranks take as long as in SMPI, to all six digits of its times") {
    const Table all = table();
    REQUIRE(all.lines.size() > 100);
    std::size_t stops = 0;
    for (const Times& line : all.lines) {
        CAPTURE(line.operation);
        CAPTURE(line.ranks);
        REQUIRE(line.seconds.size() == (line.operation == "barrier" ? 1 : all.sizes.size()));
        for (std::size_t at = 0; at < line.seconds.size(); ++at) {
            const std::int64_t size = line.operation == "barrier" ? 0 : all.sizes[at];
            CAPTURE(size);
            if (line.seconds[at] == "-") {
                ++stops;
                continue;
            }
            const double smpi = std::stod(line.seconds[at]);
            const double here = 1e-9 * static_cast<double>(time_of(line.operation, size, line.ranks));
            CHECK(std::abs(here - smpi) <= 0.51e-5 * smpi);
        }
    }
    // alltoall of 512 KiB to 1 MiB on 3, 5 and 7 ranks: its exchange between pairs is for powers of two alone
    CHECK(stops > 0);
}

TEST_CASE("if SMPI stops, an alltoall is pairwise, with the reason that it would be an exchange between pairs") {
    const Algorithms smpi = Algorithms::like(Library::smpi);
    const Choice choice = smpi.choose({Kind::alltoall, 0, {524'288}}, 5);
    CHECK(choice.algorithm == Algorithm::pairwise);
    CHECK(reason_of(choice) ==
          "SMPI 3.32: 524288 to 1048575 B on 3 to 7 ranks; pairwise_xor needs a power of two of ranks");
}
