// `mpirun -n N warpfront ...`: the processes share the points of a study; every other command refuses several
// processes.
#include "tests/end_to_end/program.hpp"

namespace {

/// Launches processes, even as root, and on any number of cores.
Outcome mpirun(int processes, const std::string& arguments) {
    return run_in(WARPFRONT_SOURCE_DIR, fmt::format("timeout 60 mpirun --allow-run-as-root --oversubscribe -n {} {} {}",
                                                    processes, quoted(WARPFRONT_PROGRAM), arguments));
}

}  // namespace

TEST_CASE("processes share the points of a study, which ends with the bytes of one process") {
    const Scratch scratch;
    const std::string study =
        "study models/sweep3d/billion.yaml --vary parameters.mmi=1,2,3,6 --set iterations=1 "
        "--set 'ranks={columns: 8, rows: 8}' --quiet --out ";
    const auto one = scratch.folder() / "one";
    const auto three = scratch.folder() / "three";
    CHECK(invoke(study + quoted(one)).status == 0);
    const Outcome shared = mpirun(3, study + quoted(three));
    CHECK(shared.status == 0);
    CHECK(shared.out == "results in " + three.string() + "\n");
    CHECK(text_of(three / "study.csv") == text_of(one / "study.csv"));
    CHECK(text_of(three / "study.json") == text_of(one / "study.json"));
}

TEST_CASE("a fault of several processes is reported once, with status 2") {
    const std::string study =
        "study models/sweep3d/billion.yaml --vary parameters.mmi=1,2 --set ranks.colums=4 --quiet";
    const Outcome two = mpirun(2, study);
    CHECK(two.status == 2);
    CHECK(count(two.err, "colums") == count(invoke(study).err, "colums"));
}

TEST_CASE("of other commands several processes are a fault, with what to do instead") {
    const Outcome two = mpirun(2, "run " + kSmall);
    CHECK(two.status == 2);
    CHECK(two.out.empty());
    CHECK(count(two.err, "a launcher has started 2 processes of this command") == 1);
    CHECK(holds(two.err, "only the points of `study` can be shared"));
    CHECK(holds(two.err, "`--threads N`"));
}

TEST_CASE("one process of a launcher is as one without it") {
    const Outcome one = mpirun(1, "run " + kSmall + "--quiet");
    CHECK(one.status == 0);
    CHECK(one.out == invoke("run " + kSmall + "--quiet").out);
}
