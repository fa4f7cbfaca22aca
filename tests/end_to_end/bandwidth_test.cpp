// The bandwidth between two Origin 2000 SMPs over HiPPI as measured by tools/measurements/bandwidth, one way, against
// the published values (Hoisie et al., LA-UR-00-308, figure 8): four channels, so four links of about 70 MB/s at best
// in a direction.
#include "tests/end_to_end/program.hpp"

namespace {

const std::vector<int> kPairs{1, 2, 4, 8, 16, 32, 64};
constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;
constexpr int kLinks = 4;  // in a direction

Outcome bandwidth(const std::string& arguments) {
    const std::string command =
        fmt::format("WARPFRONT={} tools/measurements/bandwidth {}", quoted(WARPFRONT_PROGRAM), arguments);
    return run_in(kRoot, command);
}

/// MB/s by size and number of pairs.
using BandwidthTable = std::map<std::int64_t, std::map<int, double>>;

BandwidthTable bandwidth_table(const std::string& arguments, const std::vector<int>& pairs) {
    const Outcome outcome = bandwidth(arguments);
    REQUIRE(outcome.status == 0);
    REQUIRE(outcome.err == "");
    BandwidthTable table;
    for (std::string line : lines_of(outcome.out)) {
        if (line.starts_with("| bytes") || line.starts_with("|---")) continue;
        std::ranges::replace(line, '|', ' ');
        std::istringstream words(line);
        std::int64_t size = 0;
        words >> size;
        for (const int count : pairs) words >> table[size][count];
        REQUIRE(words);
    }
    return table;
}

const BandwidthTable& hippi() {
    static const BandwidthTable measured =
        bandwidth_table("-1 -s '64 2048 32768 38400 131072 1048576 2097152 8388608' -n '1 2 4 8 16 32 64'", kPairs);
    return measured;
}

double at(std::int64_t size, int pairs) { return hippi().at(size).at(pairs); }

}  // namespace

TEST_CASE("up to 2 KB latency dominates, bandwidth rises to 1 MB and falls beyond, the further the longer") {
    for (const int pairs : kPairs) {
        CAPTURE(pairs);
        if (pairs <= 16) CHECK(at(2 * kKiB, pairs) > 16 * at(64, pairs));  // by 32 times the bytes
        CHECK(at(32 * kKiB, pairs) < at(128 * kKiB, pairs));
        CHECK(at(128 * kKiB, pairs) < at(kMiB, pairs));
        if (pairs <= 8) CHECK(at(kMiB, pairs) > 1.5 * at(32 * kKiB, pairs));
        CHECK(at(2 * kMiB, pairs) < 0.8 * at(kMiB, pairs));
        CHECK(at(8 * kMiB, pairs) < at(2 * kMiB, pairs));
    }
    // more than two thirds of the time of 2048 B and of the empty answer are their latencies of 150 us
    CHECK(2048 / at(2 * kKiB, 1) < 1.5 * (2 * 150.0));
    // 38 KB take 150 us and their bytes at 30 MB/s; the empty answer 150 us more
    CHECK(38400 / at(38400, 1) == approx(150.0 + 38400 / 30.0 + 150.0).epsilon(1e-3));
}

TEST_CASE("at best, with 8 to 16 pairs at about 1 MB, a link gives about 70 MB/s of its 100") {
    for (const auto& [size, row] : hippi()) {
        for (const auto& [pairs, rate] : row) {
            CAPTURE(size);
            CAPTURE(pairs);
            CHECK(rate <= at(kMiB, 16));
        }
    }
    CHECK(at(kMiB, 16) / kLinks > 68.0);
    CHECK(at(kMiB, 16) / kLinks < 70.5);
    // eight pairs in step leave the links idle while 334 us of their last packets are copied out and the answers take
    // 150 us, of 30.6 ms in all
    CHECK(at(kMiB, 8) > 0.97 * at(kMiB, 16));
    // few pairs cannot fill the links, since no message moves over two at once; more than 16 lose to arbitration
    for (const int pairs : {1, 2, 4}) CHECK(at(kMiB, pairs) < pairs * 70.0);
    CHECK(at(kMiB, 4) < 0.7 * at(kMiB, 16));
    for (const std::int64_t size : {128 * kKiB, kMiB}) {
        CAPTURE(size);
        CHECK(at(size, 32) < 0.98 * at(size, 16));
        CHECK(at(size, 64) < 0.98 * at(size, 32));
    }
}

TEST_CASE("with two channels half as many links are full with half as many pairs") {
    const BandwidthTable two =
        bandwidth_table("-1 -p platforms/hippi-two-channels.yaml -s 1048576 -n '2 4 8 16 32'", {2, 4, 8, 16, 32});
    CHECK(two.at(kMiB).at(4) > 0.97 * two.at(kMiB).at(8));
    CHECK(two.at(kMiB).at(2) < 0.7 * two.at(kMiB).at(8));
    CHECK(two.at(kMiB).at(16) / (kLinks / 2) > 68.0);
    CHECK(two.at(kMiB).at(16) / (kLinks / 2) < 70.5);
    CHECK(two.at(kMiB).at(32) < two.at(kMiB).at(16));
}

TEST_CASE("to and fro a pair has one message under way, and pairs enough fill nine tenths of both directions") {
    const BandwidthTable both = bandwidth_table("-s '38400 1048576' -n '1 8 16 32'", {1, 8, 16, 32});
    CHECK(38400 / both.at(38400).at(1) == approx(150.0 + 38400 / 30.0).epsilon(1e-3));
    CHECK(both.at(kMiB).at(8) < 8 * 49.083);  // the rate at which a process copies
    CHECK(both.at(kMiB).at(16) / (2 * kLinks) > 0.9 * 70.0);
    CHECK(both.at(kMiB).at(32) < 0.98 * both.at(kMiB).at(16));
}

TEST_CASE("the table and its plot file stay in the requested folder, with gnuplot or without") {
    const Scratch scratch;
    const std::filesystem::path folder = scratch.folder() / "new";
    const Outcome outcome = bandwidth(fmt::format("-s '64 2048' -n '1 2' -o {}", quoted(folder)));
    CHECK(outcome.status == 0);
    const std::string numbers = text_of(folder / "bandwidth.dat");
    CHECK(numbers.starts_with("# bytes"));
    CHECK(holds(outcome.out, "| bytes | 1 | 2 |\n|---|---|---|\n| 64 | "));
    CHECK(lacking(numbers, {"\n64 ", "\n2048 "}) == "");
    CHECK(holds(text_of(folder / "bandwidth.gp"), "for [column=2:3] \"bandwidth.dat\""));
    const bool drawn = std::filesystem::exists(folder / "bandwidth.svg");
    CHECK(drawn == (outcome.err == ""));
    if (!drawn) CHECK(holds(outcome.err, "no gnuplot"));
}

TEST_CASE(
    "fewer processors than pairs are a fault, which leaves no table; words that are no numbers are usage errors") {
    const Scratch scratch;
    const Outcome outcome =
        bandwidth(fmt::format("-p platforms/sp2.yaml -s 64 -n '4 5' -o {}", quoted(scratch.folder())));
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "needs 5 cores, but a node has 4"));
    CHECK_FALSE(std::filesystem::exists(scratch.folder() / "bandwidth.dat"));
    for (const std::string arguments : {"-n few", "-s 1KiB", "64", "-x"}) CHECK(bandwidth(arguments).status == 2);
}
