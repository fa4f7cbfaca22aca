// Algorithms of collectives as a user chooses and sees them; their times equal those of SMPI's own replay.
#include <regex>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;
using nlohmann::json;

namespace {

/// Returns a machine without shared resources, with eager messages and no processor time; rates and latencies of the
/// network are given.
std::string machine(const std::string& collectives, const std::string& latency, const std::string& bandwidth) {
    return "name: nothing shared\n"
           "topology: {kind: fat_tree, children: [64], bandwidth: 100GBps, latency: 0ns}\n"
           "cores: 1\nsize: exact\nlinks_in_L: 9\n"
           "collectives: " +
           collectives +
           "\n"
           "layers:\n  network:\n    - {protocol: eager, o_send: 0us, o_recv: 0us, L: " +
           latency + ", G: " + bandwidth + "}\n";
}

/// Runs one iteration of a statement on ranks in a row.
json result_of(const std::string& statement, std::uint32_t ranks, const std::string& collectives) {
    const Scratch scratch;
    scratch.file("m.psl", "application one {\n    iteration k {\n        " + statement + "\n    }\n}\n");
    scratch.file("hw.yaml", machine(collectives, "1us", "50GBps"));
    const auto scenario = scratch.file(
        "s.yaml", fmt::format("model: m.psl\nplatform: hw.yaml\nranks: {{columns: {}, rows: 1}}\n", ranks));
    return json_of("run " + quoted(scenario));
}

double seconds(const json& result) { return result.at("time_s").get<double>(); }

}  // namespace

TEST_CASE("100 MB on 8 ranks at 50 GB/s: an allreduce takes 6.0 ms by doubling, 3.5 ms by a ring or by halves") {
    const auto time = [](const std::string& algorithm) {
        return seconds(result_of("allreduce 100MB", 8, "{allreduce: " + algorithm + "}"));
    };
    // log2 8 = 3 messages of 100 MB, 2 ms and 1 us each
    CHECK(time("recursive_doubling") == doctest::Approx(3 * (2e-3 + 1e-6)).epsilon(1e-9));
    // 2 (8 - 1) = 14 messages of 100 MB / 8, 0.25 ms and 1 us each
    CHECK(time("ring") == doctest::Approx(14 * (0.25e-3 + 1e-6)).epsilon(1e-9));
    // 50, 25 and 12.5 MB to halve, and as many to put together: 175 MB in 6 messages
    for (const std::string algorithm : {"rabenseifner", "halving_doubling"}) {
        CHECK(time(algorithm) == doctest::Approx(3.5e-3 + 6e-6).epsilon(1e-9));
    }
    // 1 -> 0, 2 -> 0, 4 -> 0 and back: 6 messages of 100 MB
    CHECK(time("reduce_bcast") == doctest::Approx(6 * (2e-3 + 1e-6)).epsilon(1e-9));
}

TEST_CASE("`like: open_mpi` and `like: mpich` choose by size, and the result has the algorithm and the reason") {
    const auto use = [](const std::string& statement, std::uint32_t ranks, const std::string& like) {
        const json result = result_of(statement, ranks, "{like: " + like + "}");
        const json& first = result.at("collectives").at(0);
        return fmt::format("{}: {}, {} to {} B", first.at("algorithm").get<std::string>(),
                           first.at("because").get<std::string>(), first.at("bytes").at(0).get<int>(),
                           first.at("bytes").at(1).get<int>());
    };
    CHECK(use("allreduce 8B", 8, "open_mpi") ==
          "recursive_doubling: Open MPI 4.1: up to 8191 B on 8 to 15 ranks, 8 to 8 B");
    CHECK(use("allreduce 100MB", 8, "open_mpi") ==
          "rabenseifner: Open MPI 4.1: more than 8191 B on 8 to 15 ranks, 100000000 to 100000000 B");
    CHECK(use("allreduce 8B\n        allreduce 4B", 8, "mpich") == "recursive_doubling: MPICH 4: up to 8 B, 4 to 8 B");
    CHECK(use("alltoall 1KiB", 4, "mpich") == "scattered: MPICH 4: up to 32768 B on up to 7 ranks, 1024 to 1024 B");
}

TEST_CASE("the table of a result has a row for each algorithm, and parts of a collective have theirs") {
    const Scratch scratch;
    scratch.file("m.psl", "application one {\n    iteration k {\n        allreduce 8B\n        barrier\n    }\n}\n");
    scratch.file("hw.yaml", machine("{like: smpi, barrier: dissemination}", "1us", "50GBps"));
    const auto scenario = scratch.file("s.yaml", "model: m.psl\nplatform: hw.yaml\nranks: {columns: 8, rows: 1}\n");
    const Outcome outcome = invoke("run " + quoted(scenario));
    CHECK(outcome.out.find("collectives     allreduce of 8 B on 8 ranks: reduce_bcast (SMPI 3.32)\n"
                           "                reduce in allreduce of 8 B on 8 ranks: linear (SMPI 3.32)\n"
                           "                bcast in allreduce of 8 B on 8 ranks: binomial (SMPI 3.32)\n"
                           "                barrier on 8 ranks: dissemination (hardware file)\n") != std::string::npos);
}

TEST_CASE("the closed form has one algorithm of allreduces, and a note reports if the machine has another one") {
    const auto notes = [](const std::string& algorithm) {
        return json_of("run models/allreduce/allreduce.yaml --engine analytic --set platform.collectives.allreduce=" +
                       algorithm)
            .at("notes")
            .dump();
    };
    CHECK(notes("ring").find("the closed form takes allreduces as recursive_doubling, not as ring") !=
          std::string::npos);
    CHECK(notes("recursive_doubling").find("the closed form takes") == std::string::npos);
}

// Traces of one collective, beside `smpirun -replay`.

namespace {

struct Case {
    std::string action;  // without the rank
    std::uint32_t ranks;
};

class Replayed {
public:
    explicit Replayed(const Case& of) : ranks_(of.ranks) {
        std::string list;
        std::string hosts;
        std::string platform =
            "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n";
        for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
            scratch_.file(fmt::format("rank-{}.txt", rank),
                          fmt::format("{0} init\n{0} {1}\n{0} finalize\n", rank, of.action));
            list += fmt::format("rank-{}.txt\n", rank);
            hosts += fmt::format("n{}\n", rank);
            platform += fmt::format("<host id=\"n{}\" speed=\"1Tf\"/>\n", rank);
        }
        platform += "<link id=\"w\" bandwidth=\"1GBps\" latency=\"10us\" sharing_policy=\"FATPIPE\"/>\n";
        for (std::uint32_t a = 0; a < ranks_; ++a) {
            for (std::uint32_t b = a; b < ranks_; ++b) {
                platform += fmt::format("<route src=\"n{}\" dst=\"n{}\"><link_ctn id=\"w\"/></route>\n", a, b);
            }
        }
        scratch_.file("traces.txt", list);
        scratch_.file("hosts.txt", hosts);
        scratch_.file("platform.xml", platform + "</zone></platform>\n");
        scratch_.file("hw.yaml", machine("{like: smpi}", "10us", "1GBps"));
        scratch_.file("s.yaml",
                      fmt::format("trace: traces.txt\nplatform: hw.yaml\nranks: {{columns: {}, rows: 1}}\n", ranks_));
    }

    json here() const { return json_of("run " + quoted(scratch_.folder() / "s.yaml")); }
    double by_smpi() const {
        const Outcome outcome =
            run_in(scratch_.folder(),
                   fmt::format("smpirun -np {} -platform platform.xml -hostfile hosts.txt -replay traces.txt "
                               "--cfg=network/model:CM02 --cfg=network/TCP-gamma:1e15 --cfg=network/weight-S:0 "
                               "--cfg=network/crosstraffic:0 --cfg=smpi/async-small-thresh:1000000000 "
                               "--cfg=smpi/send-is-detached-thresh:1000000000 --cfg=smpi/display-timing:yes "
                               "--cfg=surf/precision:1e-12",
                               ranks_));
        const std::string said = outcome.out + outcome.err;
        std::smatch found;
        REQUIRE_MESSAGE(std::regex_search(said, found, std::regex("Simulated time: ([0-9.e+-]+)")), said);
        return std::stod(found[1]);
    }

private:
    std::uint32_t ranks_;
    Scratch scratch_;
};

}  // namespace

TEST_CASE("traces of collectives take as long as in SMPI's replay, but for the 16 B that it adds to each message") {
    // The most messages one after another; 16 ns each, and half a unit of the last of SMPI's six digits.
    const std::vector<std::pair<Case, int>> cases{{{"alltoall 100000 100000", 4}, 1},
                                                  {{"alltoall 1 1", 13}, 1},
                                                  {{"alltoall 200 200", 16}, 4},
                                                  {{"alltoall 600000 600000", 4}, 3},
                                                  {{"reducescatter 1000 2000 3000 4000 0", 4}, 2},
                                                  {{"reducescatter 300000 1 2 300000 5 0", 5}, 4},
                                                  {{"reducescatter 1000 2000 3000 4000 5 6 7 0", 7}, 4},
                                                  {{"reducescatter 9 9 9 9 9 0", 5}, 2},
                                                  {{"allreduce 8 0", 13}, 5},
                                                  {{"bcast 100000", 13}, 4},
                                                  {{"barrier", 5}, 2},
                                                  {{"allgather 1000 1000", 7}, 1}};
    for (const auto& [of, messages] : cases) {
        CAPTURE(of.action);
        CAPTURE(of.ranks);
        const Replayed replayed(of);
        const double here = seconds(replayed.here());
        const double smpi = replayed.by_smpi();
        CHECK(smpi - here <= 16e-9 * messages + 0.51e-5 * smpi);
        CHECK(smpi - here >= -0.51e-5 * smpi);
    }
}

TEST_CASE("actions that do nothing in SMPI's replay do nothing here") {
    for (const std::string action : {"comm_size 2", "comm_split 0 1", "comm_dup 3", "location code.c 12"}) {
        CAPTURE(action);
        const Replayed replayed({action, 2});
        CHECK(seconds(replayed.here()) == 0.0);
        CHECK(replayed.by_smpi() < 1e-9);
    }
    const Replayed sleep({"sleep 0.25", 2});
    CHECK(seconds(sleep.here()) == 0.25);
    CHECK(sleep.by_smpi() == doctest::Approx(0.25));
}
