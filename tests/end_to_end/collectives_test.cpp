// Algorithms of collectives as a user chooses and sees them. Their times beside SMPI's: tests/collectives, and
// random_programs_test.cpp.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;
using nlohmann::json;

namespace {

/// Runs one iteration of a statement on ranks in a row.
json result_of(const std::string& statement, std::uint32_t ranks, const std::string& collectives) {
    const Scratch scratch;
    scratch.file("m.psl", "application one {\n    iteration k {\n        " + statement + "\n    }\n}\n");
    scratch.file("hw.yaml",
                 "name: nothing shared\ncores: 1\nsize: exact\nlinks_in_L: 9\n"
                 "topology: {kind: fat_tree, children: [64], bandwidth: 100GBps, latency: 0ns}\ncollectives: " +
                     collectives +
                     "\nlayers:\n  network: [{protocol: eager, o_send: 0us, o_recv: 0us, L: 1us, G: 50GBps}]\n");
    const auto scenario = scratch.file(
        "s.yaml", fmt::format("model: m.psl\nplatform: hw.yaml\nranks: {{columns: {}, rows: 1}}\n", ranks));
    return json_of("run " + quoted(scenario));
}

}  // namespace

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
