// From three recorded runs and a counted kernel to the time of an unrecorded run: `record`, `costs`, `learn --costs`,
// `run`.
//
// The wavefront code of tests/codes runs under SMPI on hosts of 2 Gflop/s, where a cell takes 9 operations. The code
// that runs on localhost is counted, and has 9 operations in a cell. So every visit of the block implies 2 Gflop/s, and
// on a processor of 500 Mflop/s it takes four times as long.
#include "tests/end_to_end/program.hpp"

namespace {

/// An MPI of one rank. Its program starts in a tenth of the instructions of a real one, which are counted nine times.
constexpr const char* kMpiOfOneRank = R"(
#define MPI_COMM_WORLD 0
#define MPI_DOUBLE 0
#define MPI_SUM 0
#define MPI_STATUS_IGNORE 0
#define MPI_Init(count, words) (void)(count)
#define MPI_Comm_rank(world, rank) (*(rank) = 0)
#define MPI_Comm_size(world, ranks) (*(ranks) = 1)
#define MPI_Recv(buffer, count, type, from, tag, world, status) (void)(from)
#define MPI_Send(buffer, count, type, to, tag, world) (void)(to)
#define MPI_Allreduce(in, out, count, type, operation, world) (*(out) = *(in))
#define MPI_Finalize()
)";

class Walk {
public:
    Walk() {
        scratch_.file("platform.xml", platform_xml(R"(<cluster id="c" prefix="n" suffix="" radical="0-29" speed="2Gf" )"
                                                   R"(bw="1GBps" lat="5us"/>)"));
        std::string hosts;
        for (int host = 0; host < 30; ++host) hosts += fmt::format("n{}\n", host);
        scratch_.file("hosts", hosts);
        const std::string code = quoted(kRoot / "tests/codes/sweep.c");
        warpfront("record --mpicc smpicc --object tracer.o");
        shell("smpicc -w -g -O2 -DSMPI_FLOPS=9 " + code + " tracer.o -lz -o simulated");
        scratch_.file("alone/mpi.h", kMpiOfOneRank);
        shell("gcc -g -O2 -Ialone " + code + " -o native");
        record("3x3", 3, 9, {24, 25, 10, 4});
        record("4x3", 4, 12, {26, 24, 23, 5});
        record("3x4", 3, 12, {25, 26, 31, 7});
        record("6x5", 6, 30, {80, 75, 37, 8});
        warpfront(
            "costs ./native --kernel block --deck nx=2..9,ny=2..6,mk=2..6 -o block.psl -- 1 {nx} {ny} {mk} {mk} 1");
    }

    Outcome shell(const std::string& command) const {
        const auto cache = std::filesystem::path(WARPFRONT_PROGRAM).parent_path() / "cache";
        const Outcome outcome =
            run_in(scratch_.folder(), fmt::format("export XDG_CACHE_HOME={}; {}", quoted(cache), command));
        CAPTURE(command);
        REQUIRE_MESSAGE(outcome.status == 0, outcome.out, outcome.err);
        return outcome;
    }
    Outcome warpfront(const std::string& arguments) const {
        return shell(fmt::format("timeout 300 {} {}", quoted(WARPFRONT_PROGRAM), arguments));
    }
    nlohmann::json learn(const std::string& options) const {
        return nlohmann::json::parse(
            warpfront(fmt::format("learn 3x3 4x3 3x4 --check 6x5 -o sweep.psl --platform {} --json - {}",
                                  quoted(kRoot / "platforms/xt4.yaml"), options))
                .out);
    }
    std::string text(const std::string& name) const { return text_of(scratch_.folder() / name); }

private:
    struct Problem {
        int nx, ny, nz, mk;
    };

    void record(const std::string& name, int columns, int ranks, const Problem& problem) const {
        const auto [nx, ny, nz, mk] = problem;
        warpfront(fmt::format(
            "record --buffer 4MiB --mpicc smpicc --launcher 'smpirun -platform platform.xml -hostfile hosts "
            "--log=root.thres:critical --cfg=smpi/simulate-computation:no' -n {} --out {} --parameter nx={} "
            "--parameter ny={} --parameter nz={} --parameter mk={} -- ./simulated {} {} {} {} {} 3",
            ranks, name, nx, ny, nz, mk, columns, nx, ny, nz, mk));
    }

    Scratch scratch_;
};

const Walk& walk() {
    static const Walk recorded;
    return recorded;
}

/// Returns the computing of the rank that finishes last, in seconds.
double computing_of(const std::string& options) {
    return nlohmann::json::parse(walk().warpfront("run sweep.yaml --set noise=off --quiet --json - " + options).out)
        .at("breakdown")
        .at("compute_s");
}

}  // namespace

TEST_CASE("a counted kernel explains the recorded blocks, and predicts those of a run of another size") {
    const nlohmann::json learnt = walk().learn("--costs block.psl");
    const nlohmann::json& counted = learnt.at("counted");
    CHECK(counted.at("call") == "block_by_rate(nx = nx_share, ny = ny_share, mk)");
    // A visit also has 8 ns of calls beside its cells.
    CHECK(counted.at("rate").get<double>() == approx(2e9).epsilon(0.02));
    CHECK(counted.at("residual").get<double>() < 0.01);
    CHECK(counted.at("warnings").empty());
    double visits = 0.0;
    double operations = 0.0;
    double predicted_s = 0.0;
    double time_s = 0.0;
    for (const nlohmann::json& row : counted.at("rows")) {  // one for each block of each run
        if (row.at("run") != "6x5") continue;
        CHECK(row.at("learnt_from") == false);
        const double of_row = row.at("visits").get<double>();
        visits += of_row;
        operations += of_row * row.at("operations").get<double>();
        predicted_s += of_row * row.at("predicted_s").get<double>();
        time_s += of_row * row.at("time_s").get<double>();
    }
    // 80 x 75 x 37 cells on 30 ranks in 5 tiles, 9 operations each; tiles of 8, 8, 8, 8 and 5 planes.
    CHECK(operations / visits == approx(9.0 * 80 * 75 * 37 / 30 / 5).epsilon(1e-3));
    CHECK(predicted_s / time_s == approx(1).epsilon(0.02));
}

TEST_CASE("the written scenario runs, and on a processor of a quarter of the rate its blocks take four times as long") {
    walk().learn("--costs block.psl");
    CHECK(holds(walk().text("sweep.psl"), "block_by_rate(nx_share, ny_share, nz_last)"));
    const double here = computing_of("");
    CHECK(here > 0);
    // The scenario's processor achieves the implied 2 Gflop/s, within 2 %.
    CHECK(computing_of("--set platform.processor.speed=500Mflops") / here == approx(4).epsilon(0.02));
}

TEST_CASE("a scenario that names no machine of the user's runs on the shipped XT4, wherever it is written") {
    walk().warpfront("learn 3x3 4x3 3x4 -o plain.psl");
    const std::string platform = (kRoot / "platforms/xt4.yaml").string();
    CHECK(holds(walk().text("plain.yaml"), "\nplatform: " + platform + "\n"));
    walk().warpfront("run plain.yaml --quiet");
}

TEST_CASE("a kernel that is bound to the wrong size is reported") {
    const nlohmann::json learnt = walk().learn("--costs block.psl --bind nx=1");
    CHECK(!learnt.at("counted").at("warnings").empty());
    const Outcome table = walk().warpfront("learn 3x3 4x3 3x4 -o wrong.psl --costs block.psl --bind nx=1");
    CHECK(holds(table.out, "\nwarning: "));
}
