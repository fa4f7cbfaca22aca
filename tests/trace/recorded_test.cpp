// Traces as SMPI 3.32 writes them; `recorded/record` makes them from the C programs beside them.
#include <filesystem>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "simulator/input/read_file.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/program/mismatches.hpp"
#include "simulator/trace/read.hpp"
#include "simulator/trace/words.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/trace/traces.hpp"

using namespace warpfront;
using namespace warpfront::trace;
using test::holds;

namespace {

const std::filesystem::path kRecorded = std::filesystem::path(WARPFRONT_SOURCE_DIR) / "tests/trace/recorded";

Loaded read_recorded(const std::string& list, RankGrid grid, const collectives::Algorithms& collectives = {}) {
    return read({kRecorded / list, {}, grid, {}, {{1e12}, collectives}});
}

}  // namespace

TEST_CASE("every datatype has the size that SMPI gives it: `datatypes.c` broadcasts as many elements as it has bytes") {
    std::istringstream lines(std::string(input::read_file(kRecorded / "datatypes.txt_files/rank-1.txt", {})->text()));
    int known = 0;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string rank, verb;
        std::int64_t size = 0, root = 0, type = 0;
        if (!(words >> rank >> verb >> size >> root >> type) || type == kDerivedType) continue;
        CAPTURE(line);
        CHECK(size_of_type(type) == Bytes{size});
        ++known;
    }
    CHECK(known == 55);  // 0 to 59 but for those of the next test
}

TEST_CASE("C++'s datatypes and SMPI's pointer, which C cannot name, are as long as SMPI's replay takes for them") {
    // On a wire of 1 GB/s, `send 1 3 1000000000 TYPE` takes as many seconds as the datatype has bytes.
    CHECK(size_of_type(51) == Bytes{1});   // bool
    CHECK(size_of_type(52) == Bytes{8});   // complex<float>
    CHECK(size_of_type(53) == Bytes{16});  // complex<double>
    CHECK(size_of_type(54) == Bytes{32});  // complex<long double>
    CHECK(size_of_type(58) == Bytes{8});
    CHECK(size_of_type(kDerivedType) == Bytes{0});
    CHECK_FALSE(size_of_type(60));
    CHECK_FALSE(size_of_type(-2));
}

TEST_CASE("traces of all datatypes are read; the lost size of a derived one is reported") {
    const program::Program program = read_recorded("datatypes.txt", {1, 1}).program;
    REQUIRE(program.notes.size() == 4);
    CHECK(holds(program.notes[2], "collectives are taken to be of all ranks"));
    CHECK(holds(program.notes[3], "1 actions have derived datatypes"));
}

TEST_CASE("a code like Sweep3D as SMPI traces it: blocks of eight octants from rank to rank, an allreduce") {
    // 2 iterations x 8 octants x 3 blocks; 3 rows of 3 messages along x of 240 doubles, 4 columns of 2 along y of 300.
    // Besides, a bcast of 4 ints to 11 ranks, and a barrier: of 4 steps of 12 empty messages.
    const program::Program program = read_recorded("sweep.txt", {4, 3}).program;
    CHECK(program::validate(program) == "");
    CHECK(program::mismatches(program, 1).empty());
    CHECK(program::has_allreduce(program));
    const program::Traffic all = program::traffic(program);
    CHECK(all.messages == 2 * 8 * 3 * (3 * 3 + 4 * 2) + 11 + 4 * 12);
    CHECK(static_cast<std::int64_t>(all.bytes) == 2 * 8 * 3 * (9 * 240 * 8 + 8 * 300 * 8) + 11 * 16);
}

TEST_CASE(
    "a code like LU as SMPI traces it: planes back and forth, halos, norms, and parameters of several datatypes") {
    // 2 iterations x 2 sweeps x 6 planes, each 9 + 8 messages of 60 doubles; then halos of 960 doubles, both ways;
    // bcasts of 4 uint32_t, a long double and a float to 11 ranks; 2 barriers of 4 x 12; a reduce of 5 doubles from 11.
    const program::Program program = read_recorded("lu.txt", {4, 3}).program;
    CHECK(program::validate(program) == "");
    CHECK(program::mismatches(program, 1).empty());
    const program::Traffic all = program::traffic(program);
    CHECK(all.messages == 2 * 2 * 6 * 17 + 2 * 2 * 17 + 3 * 11 + 2 * 4 * 12 + 11);
    CHECK(static_cast<std::int64_t>(all.bytes) == 24 * 17 * 480 + 4 * 17 * 7680 + 11 * (16 + 16 + 4) + 11 * 40);
}

TEST_CASE("the notes name the algorithms of the collectives that the traces have, and SMPI's where it differs") {
    const auto note = [](const collectives::Algorithms& collectives) {
        return read_recorded("lu.txt", {4, 3}, collectives).program.notes.at(1);
    };
    CHECK(note({}) ==
          "traces: collectives are barrier dissemination (SMPI's default: linear), bcast binomial, "
          "reduce binomial (SMPI's default: linear), "
          "allreduce recursive_doubling (SMPI's default: reduce_bcast)");
    CHECK(note(collectives::Algorithms::of_smpi()) ==
          "traces: collectives are barrier linear, bcast binomial, reduce linear, allreduce reduce_bcast");
}

TEST_CASE("a list may have any name, and its names may be relative to a folder above it") {
    const test::Scratch scratch;
    scratch.file("codes/run/a.txt", "0 init\n0 send 1 0 8\n0 finalize\n");
    scratch.file("codes/run/b.txt", "1 init\n1 recv 0 0 8\n1 finalize\n");
    scratch.file("codes/run/beside.list", "a.txt\nb.txt\n");
    scratch.file("codes/run/above.list", "run/a.txt\nrun/b.txt\n");  // as smpirun writes it when run in `codes`
    for (const char* list : {"beside.list", "above.list"}) {
        CAPTURE(list);
        const Loaded loaded = read({scratch.folder() / "codes/run" / list, {}, {2, 1}, {}, {{1e12}, {}}});
        CHECK(program::mismatches(loaded.program, 1).empty());
        CHECK(loaded.program.sites.front().file == (scratch.folder() / "codes/run/*").string());
    }
    scratch.file("codes/run/nowhere.list", "a.txt\nrun/c.txt\n");
    const input::Diagnostics faults = test::faults_of([&] {
        read({scratch.folder() / "codes/run/nowhere.list", {}, {2, 1}, {}, {{1e12}, {}}});
    });
    CHECK(test::kinds_of(faults) == test::Kinds{input::DiagnosticKind::unreadable_file});
    CHECK(holds(faults.render(), "nowhere.list:2:1: error: cannot read `run/c.txt`"));
    CHECK(holds(faults.render(), "expected the path of a trace from the folder of this list, or from one above it"));
}
