// From tables to rows: known costs are recovered, and costs that a table cannot give are assumptions.
#include "tools/from_code/fitting/layer_costs.hpp"

#include "tests/approx.hpp"
#include "tests/faults.hpp"
#include "tests/tools/experiments.hpp"
#include "tests/tools/fitting/synthetic.hpp"
#include "tools/from_code/fitting/outputs.hpp"

namespace {

const std::vector<KnownRow> kXt4Rows{
    {.up_to = 1024, .o_send = 3.85e-6, .o_recv = 3.85e-6, .L = 0.36e-6, .G = 0.4e-9},
    {.rendezvous = true, .o_send = 3.85e-6, .o_recv = 3.85e-6, .L = 0.36e-6, .G = 0.4e-9}};

const std::vector<KnownRow> kThree{{.up_to = 5000, .o_send = 0.4e-6, .o_recv = 0.5e-6, .L = 1e-6, .G = 1e-9},
                                   {.up_to = 64000, .o_send = 0.5e-6, .o_recv = 1e-6, .L = 3.8e-6, .G = 0.5e-9},
                                   {.rendezvous = true, .o_send = 0.5e-6, .o_recv = 1e-6, .L = 8e-6, .G = 0.25e-9}};

LayerFit fitted(std::vector<std::string> texts, const KnownCosts& known = {}) {
    std::vector<BenchmarkTable> tables;
    for (std::string& text : texts) tables.push_back(table(std::move(text)));
    return fit_layer("network", std::move(tables), known);
}

bool assumes(const FittedRow& row, std::string_view text) {
    return std::any_of(row.assumptions.begin(), row.assumptions.end(),
                       [&](const std::string& each) { return holds(each, text); });
}

/// Returns a table of osu_bw, or of osu_mbw_mr: a message takes a pair at least `call` seconds, and all pairs together
/// the time of the wire.
std::string osu_stream(std::uint32_t pairs, double call, double bytes_per_second, const Disturbed& disturbed = {}) {
    std::string text = pairs == 1 ? std::string("# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n")
                                  : fmt::format(
                                        "# OSU MPI Multiple Bandwidth / Message Rate Test v5.9\n# [ pairs: {} ] "
                                        "[ window size: 64 ]\n# Size   MB/s   Messages/s\n",
                                        pairs);
    for (std::uint64_t bytes = 1; bytes <= 4 << 20; bytes *= 2) {
        const double wire = pairs * static_cast<double>(bytes) / bytes_per_second;
        const double seconds = disturbed.time(std::max(call, wire), bytes + pairs);
        const double rate = pairs * static_cast<double>(bytes) / seconds;
        text += pairs == 1 ? fmt::format("{} {:.6f}\n", bytes, rate * 1e-6)
                           : fmt::format("{} {:.6f} {:.2f}\n", bytes, rate * 1e-6, pairs / seconds);
    }
    return text;
}

/// Returns the standard errors of intercept and slope of the line through a row's times, each with the weight
/// 1 / time^2 and the relative error `relative`: the roots of the diagonal of the inverse of the sums of weights.
Line standard_errors(const KnownRow& known, const FittedRow& row, double relative) {
    double w = 0.0, wx = 0.0, wxx = 0.0;
    for (const std::uint64_t bytes : sizes_up_to(row.most)) {
        if (bytes < row.from) continue;
        const auto x = static_cast<double>(bytes);
        const double weight = std::pow(known.half_trip(bytes), -2.0);
        w += weight;
        wx += weight * x;
        wxx += weight * x * x;
    }
    const double determinant = w * wxx - wx * wx;
    return {relative * std::sqrt(wxx / determinant), relative * std::sqrt(w / determinant)};
}

doctest::Approx about(double value, double share) { return approx(value).epsilon(share); }

}  // namespace

TEST_CASE("the rows of the XT4 come back from its costs with 2 % noise: o_send, o_recv, L, G, the end of a row") {
    const LayerFit fit = fitted({all_kinds(kXt4Rows, {.noise = 0.02})});
    REQUIRE(fit.rows.size() == 2);
    const FittedRow &eager = fit.rows[0], &rendezvous = fit.rows[1];
    CHECK(eager.up_to == 1024);
    CHECK_FALSE(eager.rendezvous);
    CHECK(rendezvous.rendezvous);
    CHECK(eager.o_send == about(3.85e-6, 0.01));
    CHECK(eager.o_recv == about(3.85e-6, 0.01));
    CHECK(eager.o_send + eager.o_recv + eager.L == about(8.06e-6, 0.01));
    CHECK(rendezvous.G == about(0.4e-9, 0.01));
    CHECK(rendezvous.o_send == about(3.85e-6, 0.01));
    const double handshake = 3.0 * rendezvous.L + rendezvous.o_request + rendezvous.o_ack;
    CHECK(rendezvous.o_send + rendezvous.o_recv + handshake == about(8.78e-6, 0.015));
    CHECK(eager.assumptions.empty());
    CHECK_FALSE(rendezvous.assumptions.empty());
}

TEST_CASE("five tables with 2 % noise: ends within the gap between sizes, lines within four standard errors") {
    unsigned of_four_rows = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        std::vector<std::string> tables;
        for (std::uint64_t each = 0; each < 5; ++each) {
            tables.push_back(ping_pongs(kThree, {.noise = 0.02, .outliers = 0.01, .seed = 10 * seed + each}));
        }
        const LayerFit fit = fitted(tables);
        if (fit.rows.size() == 4) ++of_four_rows;
        if (fit.rows.size() == 4) continue;
        REQUIRE(fit.rows.size() == 3);
        CHECK(fit.rows[0].most == 4096);
        CHECK(fit.rows[1].from == 5120);
        CHECK(fit.rows[1].most == 57344);
        CHECK(fit.rows[2].from == 65536);
        for (std::size_t row = 0; row < 3; ++row) {
            const Line& line = fit.rows[row].piece.line;
            const Line errors = standard_errors(kThree[row], fit.rows[row], 0.02 / std::sqrt(5.0));
            CHECK_MESSAGE(std::abs(line.slope - kThree[row].G) < 4.0 * errors.slope, row);
            CHECK_MESSAGE(std::abs(line.intercept - kThree[row].half_trip(0)) < 4.0 * errors.intercept, row);
        }
    }
    CHECK(of_four_rows <= 1);
}

TEST_CASE("a row ends at the threshold where that lies between two sizes, also if a library's limit counts a header") {
    const LayerFit measured = fitted({all_kinds(kThree, {.noise = 0.01})});
    CHECK(measured.rows[1].up_to == 64000);
    CHECK(measured.rows[2].rendezvous);
    CHECK(measured.rows[0].up_to == 4096);
    CHECK(assumes(measured.rows[0], "the row ends at an unknown size between 4,096 and 5,119 B"));

    const std::string text = ping_pongs(kThree, {.noise = 0.01});
    CHECK(fitted({text}, {.eager = 64000, .overhead = {}}).rows[1].up_to == 64000);
    const LayerFit header = fitted({text}, {.eager = 65536, .overhead = {}});
    CHECK(header.rows[1].up_to == 65535);
    CHECK(assumes(header.rows[1], "the limit of 65,536 B includes a header of the MPI library"));
    CHECK(header.rows[2].rendezvous);
}

TEST_CASE("a ping-pong alone does not part overhead and latency, nor eager and rendezvous") {
    const std::string text = ping_pongs(kThree, {});
    const LayerFit alone = fitted({text});
    for (const FittedRow& row : alone.rows) {
        CHECK_FALSE(row.rendezvous);
        CHECK(assumes(row, "all messages are eager, since no threshold was measured"));
        CHECK(assumes(row, "each a quarter"));
    }
    CHECK(alone.rows[0].o_send == about(1.9e-6 / 4.0, 1e-4));
    const LayerFit given = fitted({text}, {.eager = {}, .overhead = 0.5e-6});
    CHECK(given.rows[0].o_send == 0.5e-6);
    CHECK(given.rows[0].L == about(0.9e-6, 1e-4));
    CHECK(assumes(given.rows[0], "are the given overhead"));
}

TEST_CASE("calls that take longer than the ping-pong are scaled; a rendezvous shorter than three L has a third") {
    std::string text = ping_pongs({{.o_send = 1e-6, .o_recv = 1e-6, .G = 1e-9}}, {}, 4096);
    for (const std::uint64_t bytes : sizes_up_to(4096)) {
        text += fmt::format("isend,{0},1,2e-6\nsend,{0},1,3e-6\nrecv,{0},1,2e-6\n", bytes);
    }
    // Scaled to the 2 us beyond bytes and the half per cent that is negligible: 2.01 us / 2.
    const FittedRow row = fitted({text}).rows.front();
    CHECK(row.o_send == about(1.005e-6, 1e-4));
    CHECK(row.L == about(0.0, 1e-3));
    CHECK(assumes(row, "are scaled down to the time of the ping-pong, since the measured calls take longer"));

    std::vector<KnownRow> fast = kThree;
    fast[2].L = 0.2e-6;
    const FittedRow last = fitted({all_kinds(fast, {})}).rows.back();
    CHECK(last.L == about(0.2e-6, 0.02));
    CHECK(last.o_request == 0.0);
    CHECK(assumes(last, "L is a third"));
}

TEST_CASE("all sizes on one side of the threshold have one protocol") {
    CHECK_FALSE(fitted({ping_pongs(kThree, {}, 4096)}, {.eager = 1 << 20, .overhead = {}}).rows.back().rendezvous);
    const LayerFit above = fitted({ping_pongs(kThree, {}, 4096)}, {.eager = 0, .overhead = 0.1e-6});
    CHECK(above.rows.front().rendezvous);
    CHECK(above.rows.front().L == about((1.9e-6 - 0.2e-6) / 3.0, 1e-3));
}

TEST_CASE("streams of more pairs give what they share, where they saturate it") {
    const std::string text = ping_pongs(kThree, {});
    CHECK_FALSE(fitted({text}).shared.has_value());
    const LayerFit saturated = fitted({text + streams(4, 0.3e-6, 0.2e-6, 0.5e-9)});
    REQUIRE(saturated.shared.has_value());
    CHECK(saturated.shared->pairs == 4);
    CHECK(saturated.shared->saturated == 21);
    CHECK(saturated.shared->hold.intercept == about(0.2e-6, 1e-3));
    CHECK(saturated.shared->hold.slope == about(0.5e-9, 1e-3));
    const LayerFit free = fitted({text + streams(4, 1.0, 0.0, 0.5e-9)});
    CHECK(free.shared->saturated == 0);
    CHECK(free.shared->most_per_second == about(4.0 * (1 << 20), 1e-9));
}

TEST_CASE("a table with too few sizes is refused, and so are more times than a curve can have") {
    CHECK(kinds_of(faults_of([] { fitted({ping_pongs(kThree, {}, 2)}); })) ==
          Kinds{input::DiagnosticKind::too_few_sizes});
    std::string many(kHeading);
    for (unsigned bytes = 1; bytes <= 2001; ++bytes) many += fmt::format("pingpong,{},1,1e-6\n", bytes);
    CHECK(holds(summary_of(faults_of([&] { fitted({many}); })),
                "out_of_range [] the layer `network` has 2001 times of a ping-pong"));
    std::string streams = ping_pongs(kThree, {});
    for (unsigned bytes = 1; bytes <= 2001; ++bytes) streams += fmt::format("stream,{},1,1e-6\n", bytes);
    CHECK(holds(summary_of(faults_of([&] { fitted({streams}); })),
                "out_of_range [] the layer `network` has 2001 sizes of a stream"));
    CHECK(summary_of(faults_of([] { fitted({"kind,bytes,pairs,seconds\npingpong,1,1,1e-6\n"}); })) ==
          "t.csv:1:1 too_few_sizes [] the layer `network` has only 1 size of a ping-pong | expected at least 3 sizes");
    CHECK(holds(summary_of(faults_of([] { fitted({ping_pongs(kThree, {}, 4096)}, {.eager = 1, .overhead = {}}); })),
                "too_few_sizes [] the tables have fewer than 3 sizes on one side of the threshold of 1 B"));
}

TEST_CASE("a stream of one pair determines the time of a byte on the wire, with a note if a ping-pong is faster") {
    const std::string ping_pong = ping_pongs(kThree, {});  // 4 GB/s beyond 64,000 B
    const LayerFit fit = fitted({ping_pong, osu_stream(1, 0.4e-6, 3.8e9)});
    REQUIRE(fit.shared.has_value());
    CHECK(fit.shared->pairs == 1);
    CHECK(fit.shared->per_second() == about(3.8e9, 1e-3));
    CHECK(fit.shared->hold.intercept == 0.0);
    CHECK(fit.shared->faster_ping_pong == 0.0);
    const LayerFit slow = fitted({ping_pong, osu_stream(1, 4e-6, 0.38e9)});
    CHECK(slow.shared->per_second() == about(0.38e9, 1e-3));
    CHECK(slow.shared->faster_ping_pong == about(4e9, 1e-3));
    // Ranks of one node copy; their stream shares nothing with another one.
    std::vector<BenchmarkTable> tables;
    tables.push_back(table(ping_pong));
    tables.push_back(table(osu_stream(1, 0.4e-6, 3.8e9)));
    const LayerFit within = fit_layer("chip", std::move(tables), {});
    CHECK_FALSE(within.shared.has_value());
    CHECK(within.unused_streams);
}

TEST_CASE("the NIC is fitted where bytes bind, not across the sizes at which the rate of messages does") {
    // 100 ns for a message, 11 GB/s for bytes: up to 1,100 B the message rate limits.
    std::vector<std::string> tables{ping_pongs(kThree, {})};
    for (const std::uint32_t pairs : {1U, 2U, 4U, 8U}) {
        std::string table = osu_stream(pairs, std::max(0.4e-6, pairs * 0.1e-6), 11e9, {.noise = 0.01});
        tables.push_back(std::move(table));
    }
    const LayerFit fit = fitted(tables);
    REQUIRE(fit.shared.has_value());
    CHECK_FALSE(fit.shared->one_saturates);
    CHECK(fit.shared->per_second() == about(11e9, 0.03));
    CHECK(fit.shared->hold.intercept == about(0.1e-6, 0.03));
    CHECK(fit.shared->deviation > 0.005);
    CHECK(fit.shared->deviation < 0.05);
    CHECK(fit.shared->exceeds_measured() == (fit.shared->per_second() > 1.005 * fit.shared->most_per_second));
}

TEST_CASE("four pairs that send no more than the ping-pong saturate the wire, as one pair does") {
    const LayerFit fit = fitted({ping_pongs(kThree, {}), osu_stream(4, 0.4e-6, 4.1e9)});
    CHECK(fit.shared->one_saturates);
    CHECK(fit.shared->per_second() == about(4.1e9, 1e-3));
    CHECK(holds(summary({fit}), "network: a stream of 4 pairs, which is no faster than one pair, needs 0.2439ns/B"));
    const LayerFit faster = fitted({ping_pongs(kThree, {}), osu_stream(4, 0.4e-6, 16e9)});
    CHECK(faster.shared->saturated == 0);
    CHECK(faster.shared->most_per_second == about(16e9, 1e-3));
}

TEST_CASE("sizes whose bytes take no time do not determine G, so the table is refused") {
    const std::string fault = summary_of(faults_of(
        [] { fitted({"# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n0 1.73\n1 1.74\n2 1.70\n"}); }));
    CHECK(fault ==
          "t.csv:1:1 too_few_sizes [] the tables of the layer `network` do not determine G: from 0 to 2 B, the time "
          "grows by less than the scatter of single times | expected larger messages too, for example up to 4 MiB");
}

TEST_CASE("a limit of eager messages beyond the measured sizes is an assumption of the row that it decides") {
    CHECK(assumes(fitted({ping_pongs(kThree, {}, 4096)}, {.eager = 1 << 20, .overhead = {}}).rows.back(),
                  "the limit of 1,048,576 B is above the largest measured size, 4,096 B"));
    std::string without_small(kHeading);
    for (std::uint64_t bytes = 64; bytes <= 1 << 20; bytes *= 2) {
        without_small += fmt::format("pingpong,{},1,{:.9g}\n", bytes, 1e-6 + 1e-9 * static_cast<double>(bytes));
    }
    CHECK(assumes(fitted({without_small}, {.eager = 32, .overhead = {}}).rows.front(),
                  "the limit of 32 B is below the smallest measured size, 64 B"));
}
