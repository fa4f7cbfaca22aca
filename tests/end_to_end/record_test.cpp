// `warpfront record`: codes in C and Fortran under Open MPI, MPICH and SMPI, runs that end badly, and refusals.
#include "tests/end_to_end/program.hpp"

namespace {

/// A folder in which codes are compiled and recorded. Compiled tracers stay beside the program.
class RecordedCode {
public:
    Outcome run(const std::string& command) const {
        const auto cache = std::filesystem::path(WARPFRONT_PROGRAM).parent_path() / "cache";
        return run_in(scratch_.folder(), fmt::format("export XDG_CACHE_HOME={} CODES={}; {}", quoted(cache),
                                                     quoted(kRoot / "tests/tracing"), command));
    }
    Outcome record(const std::string& arguments, const std::string& buffer = "1MiB") const {
        return run(fmt::format("timeout 100 {} record --buffer {} {}", quoted(WARPFRONT_PROGRAM), buffer, arguments));
    }
    /// Returns the records of all ranks of a recording, without times and sites.
    std::string events(const std::string& name) const {
        return run(fmt::format("$CODES/dump {}/rank-*.events --events", name)).out;
    }
    std::string sites(const std::string& name) const { return text_of(scratch_.folder() / name / "sites.txt"); }
    std::filesystem::path file(const std::string& name, const std::string& text) const {
        return scratch_.file(name, text);
    }

private:
    Scratch scratch_;
};

constexpr const char* kFortran = "-w -ffree-line-length-none -fallow-argument-mismatch";

}  // namespace

TEST_CASE("a code makes the same records in C, Fortran 77 and Fortran 2008, under Open MPI, MPICH and SMPI") {
    const RecordedCode recorded;
    std::string expected;
    const auto compare = [&](const std::string& name, const std::string& compile, const std::string& options) {
        CAPTURE(name);
        const Outcome compiled = recorded.run(fmt::format("{} -g -o {}", compile, name));
        REQUIRE_MESSAGE(compiled.status == 0, compiled.err);
        const Outcome outcome = recorded.record(fmt::format("-n 4 {0} --out {1}.recording -- ./{1}", options, name));
        REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
        const std::string events = recorded.events(name + ".recording");
        if (expected.empty()) expected = events;
        CHECK(events == expected);
        CHECK(holds(recorded.sites(name + ".recording"), "calls."));
        CHECK(!holds(recorded.sites(name + ".recording"), "??"));
        CHECK(holds(outcome.out, "MPI_Put 4 times"));
    };
    for (const char* const mpi : {"openmpi", "mpich"}) {
        compare(fmt::format("c.{}", mpi), fmt::format("mpicc.{} -w $CODES/calls.c", mpi), "");
        compare(fmt::format("f77.{}", mpi), fmt::format("mpif90.{} {} $CODES/calls.F90", mpi, kFortran), "");
        compare(fmt::format("f08.{}", mpi), fmt::format("mpif90.{} {} -DWITH_F08 $CODES/calls.F90", mpi, kFortran), "");
    }
    recorded.file("platform.xml", platform_xml(R"(<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" )"
                                               R"(bw="1GBps" lat="5us"/>)"));
    recorded.file("hosts", "n0\nn1\nn2\nn3\n");
    CHECK(recorded.record("--mpicc smpicc --object tracer.o").status == 0);
    const std::string smpi =
        "--mpicc smpicc --launcher 'smpirun -platform platform.xml -hostfile hosts --log=root.thres:critical'";
    compare("c.smpi", "smpicc -w $CODES/calls.c tracer.o -lz", smpi);
    // smpif90 writes a file beside its source
    compare("f77.smpi", fmt::format("cp $CODES/calls.F90 . && smpif90 {} -cpp calls.F90 tracer.o -lz", kFortran), smpi);
}

TEST_CASE("replay makes the recorded messages, however they are begun and ended") {
    const RecordedCode recorded;
    std::string expected;
    for (const char* const mpi : {"openmpi", "mpich"}) {
        CAPTURE(mpi);
        REQUIRE(recorded.run(fmt::format("mpicc.{} -w $CODES/begun.c -o begun", mpi)).status == 0);
        const Outcome outcome = recorded.record("-n 4 --out recording -- ./begun");
        REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
        const std::string_view name =
            mpi == std::string("mpich") ? "mpi             MPICH Version: " : "mpi             Open MPI v";
        CHECK(lacking(outcome.out, {name, "status          0\n", "MPI_Cancel 4 times: the receive took no message\n",
                                    "MPI_Request_free 4 times: the send is waited for at the end of the run\n"}) == "");
        CHECK_FALSE(holds(outcome.out, "refused"));
        if (expected.empty()) expected = recorded.events("recording");
        CHECK(recorded.events("recording") == expected);
        recorded.file("replay.yaml", fmt::format("trace: recording\nplatform: {}\nranks: {{columns: 2, rows: 2}}\n",
                                                 (kRoot / "platforms/xt4.yaml").string()));
        const Outcome compared =
            recorded.run(fmt::format("$CODES/replayed {} recording replay.yaml", quoted(WARPFRONT_PROGRAM)));
        CHECK_MESSAGE(compared.out == "12 messages of 288 bytes, 0 differences\n", compared.out, compared.err);
    }
}

TEST_CASE("a killed rank leaves what it called before, a full buffer what it holds, and both are reported") {
    const RecordedCode recorded;
    REQUIRE(recorded
                .run(fmt::format("mpicc -g -w -no-pie -I{} $CODES/ended.c -o ended",
                                 quoted(kRoot / "tools/from_code/tracing")))
                .status == 0);
    const Outcome killed = recorded.record("-n 2 --out killed -- ./ended killed");
    CHECK(killed.status == 1);
    CHECK(holds(killed.out, "40 calls of 2 ranks"));
    CHECK(holds(killed.out, "rank 1: killed, without MPI_Finalize"));
    CHECK(holds(recorded.events("killed"), "define_phase 1001 ring\nphase 1001\nsendrecv 0 1 0 4 1 0 4 1 0 4\n"));
    CHECK(holds(recorded.sites("killed"), "ended.c\t18\tmain"));  // a program without -pie
    const Outcome beheaded = recorded.record("-n 2 --out beheaded -- ./ended beheaded");
    CHECK(beheaded.status == 1);
    CHECK(holds(beheaded.err, "`./ended` ended with status"));
    CHECK(holds(beheaded.err, "the recording in `beheaded` cannot be read"));
    const Outcome full = recorded.record("-n 2 --out full -- ./ended long", "64KiB");
    CHECK(full.status == 1);
    CHECK(holds(full.err, "the recording is incomplete: full buffers have lost 38,0"));
    CHECK(holds(full.err, "the buffer of rank 1, 64 KiB, is full, so the recording of this rank ends"));
    CHECK(holds(full.out, "ranks 0, 1: full buffers, which lost 38,0"));
}

TEST_CASE("a code or a launcher that is not there and a program without MPI are refused, a recording is not lost") {
    const RecordedCode recorded;
    const auto fault = [&recorded](const std::string& arguments) {
        const Outcome outcome = recorded.record(arguments);
        CHECK(outcome.status == 2);
        return outcome.err;
    };
    recorded.file("recording/rank-0.events", "an earlier one");
    recorded.file("other/notes.txt", "of somebody");
    CHECK(holds(fault("-- ./nowhere"), "there is no program `./nowhere`"));
    CHECK(holds(fault("-- /bin/true"), "not linked to an MPI library"));
    CHECK(holds(fault("--mpicc mpicc --launcher nowhere -- /bin/true"), "there is no launcher `nowhere`"));
    CHECK(holds(fault("--mpicc nowhere --launcher env -- /bin/true"), "`libopenmpi-dev`"));
    CHECK(recorded.run("cat recording/rank-0.events").out == "an earlier one");
    CHECK(holds(fault("--mpicc mpicc --out other -- /bin/true"), "exists, but is not a recording"));
    CHECK(holds(fault("--mpicc mpicc -- /bin/true"), "has recorded nothing"));
}
