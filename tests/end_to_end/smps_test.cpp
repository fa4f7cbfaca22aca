// Sweep3D on clusters of SMPs joined by HiPPI (models/sweep3d/smps.yaml): the event engine, with the three ways of
// choosing a channel, beside the closed form `pipeline-bottlenecks`. If all assumptions of the form hold
// (models/steps), the engine takes the same steps. On HiPPI, messages within an SMP are cheaper than between two, and
// their copies overlap, so only trends can agree.
#include "tests/end_to_end/program.hpp"

namespace {

/// Milliseconds of an iteration.
struct Row {
    double formula = 0;
    double deterministic = 0;
    double adaptive = 0;
    double round_robin = 0;
};

/// By channels and ranks along a side of an SMP, of 4 x 4 SMPs.
using SmpTable = std::map<std::pair<int, int>, Row>;

Row smp_row(int channels, int side, const std::string& work) {
    Row row;
    const auto milliseconds = [&](const std::string& choice, const std::string& engine) {
        const std::string cluster = fmt::format(
            "--set ranks.columns={0} --set ranks.rows={0} --set node.columns={1} --set node.rows={1} "
            "--set platform.links.parallel={2} --set platform.links.choice={3} --set parameters.wg={4}",
            4 * side, side, channels, choice, work);
        const std::string run = "run models/sweep3d/smps.yaml --quiet --engine " + engine + " " + cluster;
        return 1e3 * json_of(run).at("time_s").get<double>();
    };
    row.formula = milliseconds("adaptive", "pipeline-bottlenecks");
    row.deterministic = milliseconds("deterministic", "event");
    row.adaptive = milliseconds("adaptive", "event");
    row.round_robin = milliseconds("round_robin", "event");
    return row;
}

const SmpTable& measured() {
    static const SmpTable rows = [] {
        SmpTable table;
        for (const int channels : {4, 2, 1}) {
            for (const int side : {4, 8}) table[{channels, side}] = smp_row(channels, side, "1.25us");
        }
        return table;
    }();
    return rows;
}

/// Returns the table for a tenth of that computing, where messages dominate.
const SmpTable& communicating() {
    static const SmpTable rows = [] {
        SmpTable table;
        for (const int channels : {4, 2, 1}) table[{channels, 8}] = smp_row(channels, 8, "0.125us");
        return table;
    }();
    return rows;
}

}  // namespace

TEST_CASE("the formula of the cluster, by hand: 4 x 4 SMPs of 8 x 8 ranks, four channels and one") {
    // T_msg is 150 us + 38,400 B / 30 MB/s = 1.43 ms within rounding of the copying rate in platforms/hippi.yaml; a
    // tile of 15 angles and 40 planes 1.25 us * 40 * 64 = 3.2 ms. P = 32, N = 64: 4 * 62 + 4 * 31 + 4 * 63 = 624 steps,
    // 2 * 62 + 2 * 31 + 64 = 250 tiles
    CHECK(measured().at({4, 8}).formula == approx(624 * 1.43 + 250 * 3.2).epsilon(1e-4));
    // one channel: g = 63 is odd, r = 0: 5 + 62 * 8 = 501 in place of the last 4 * 63
    CHECK(measured().at({1, 8}).formula == approx((372 + 501) * 1.43 + 250 * 3.2).epsilon(1e-4));
}

TEST_CASE("without work, in synchronous messages of one step, the engine takes the published steps where S <= 4 L") {
    std::istringstream rows(text_of(kRoot / "tests/analytic/smp_steps.csv"));
    int met = 0;
    for (std::string line; std::getline(rows, line);) {
        if (line.starts_with("#") || line.starts_with("m,")) continue;
        CAPTURE(line);
        std::ranges::replace(line, ',', ' ');
        std::istringstream words(line);
        int m = 0, n = 0, Sx = 0, Sy = 0, L = 0;
        words >> m >> n >> Sx >> Sy >> L;
        REQUIRE(words);
        // from rank (Sx + 1, Sy + 1) to the last
        const int further = 2 * (Sx - 1) + 2 * (Sy - 1) + (m - 2) * 2 * Sx + (n - 2) * 2 * Sy;
        int wave = 0;
        int later = 0;
        for (int step = 0; words >> step;) {
            const std::string run = fmt::format(
                "run models/steps/steps.yaml --quiet --set ranks.columns={} --set ranks.rows={} --set node.columns={} "
                "--set node.rows={} --set platform.links.parallel={} --set parameters.waves={}",
                m * Sx, n * Sy, Sx, Sy, L, ++wave);
            const double us = 1e6 * json_of(run).at("time_s").get<double>();
            if (std::max(Sx, Sy) <= 4 * L) CHECK(us == approx(step + further));
            if (us > step + further + 0.5) ++later;
        }
        // Beyond, the older wave overtakes at a boundary in the formula; the engine serves the earlier request.
        CHECK((later > 0) == (std::max(Sx, Sy) > 4 * L));
        ++met;
    }
    CHECK(met == 6);
}

TEST_CASE("the table of Sweep3D on SMPs that the page shows is the one measured") {
    const std::string page = text_of(kRoot / "platforms/README.md");
    const auto check = [&](const SmpTable& rows, const std::string& work) {
        for (const auto& [cluster, row] : rows) {
            const auto [channels, side] = cluster;
            const std::string line =
                fmt::format("| {} | {} x {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", channels, side, side, work,
                            row.formula, row.deterministic, row.adaptive, row.round_robin);
            CHECK_MESSAGE(holds(page, line), line);
        }
    };
    check(measured(), "1.25 us");
    check(communicating(), "0.125 us");
}
