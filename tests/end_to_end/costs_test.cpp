// `warpfront costs` and `warpfront opcodes` on programs that are compiled here: counted, predicted, written, and read
// back by `check --costs`.
//
// Not pinned here: the text processing of each part (tests/tools/kernels).
#include "tests/end_to_end/program.hpp"

namespace {

/// The two kernels of tests/codes, compiled once.
class Programs {
public:
    Programs() {
        compile("gfortran -O2 -g -fno-inline tests/codes/kernel.f -o ", "f");
        compile("gcc -O2 -g tests/codes/kernel.c -o ", "c");
        compile("gcc -O1 -g --coverage tests/codes/kernel.c -o ", "coverage");
    }
    std::string path(const std::string& name) const { return quoted(folder_.folder() / name); }
    const Scratch& folder() const { return folder_; }

private:
    void compile(const std::string& command, const std::string& name) {
        const Outcome outcome = run_in(kRoot, command + path(name));
        REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
    }
    Scratch folder_;
};

const Programs& programs() {
    static const Programs compiled;
    return compiled;
}

/// Returns the column of the report after the name of a row.
std::string row_of(const std::string& report, const std::string& name) {
    for (const std::string& line : lines_of(report)) {
        const std::size_t at = line.find_first_not_of(' ');
        if (at != std::string::npos && line.substr(at).starts_with(name + " ")) {
            return line.substr(line.find_first_not_of(' ', at + name.size()));
        }
    }
    return "";
}

}  // namespace

TEST_CASE("a Fortran kernel is counted, an unseen deck is predicted exactly, and both subtasks of its model agree") {
    const Scratch& folder = programs().folder();
    const Outcome counted = run_in(folder.folder(), quoted(WARPFRONT_PROGRAM) +
                                                        " costs ./f --kernel sweep_ --deck i=2..23,j=2..17,k=3,m=2 "
                                                        "--time i=40,j=9 -o sweep.psl -- {i} {j} {k} {m}");
    CHECK(counted.status == 0);
    CHECK(counted.err == "");
    CHECK(holds(counted.out, "kernel          sweep_, called 3 times on each deck\n"));
    CHECK(holds(counted.out, "i=23, j=17, k=3, m=2 "));
    CHECK(holds(counted.out, "decks that the fit did not use: equal\n"));
    CHECK(row_of(counted.out, "divide") == "6 i j");
    CHECK(row_of(counted.out, "flops").ends_with(" i j"));
    CHECK(holds(counted.out, "the median of 3 calls\nachieved rate   "));

    const Outcome measured =
        run_in(folder.folder(), quoted(WARPFRONT_PROGRAM) + " opcodes --rate 1Gflops -o hardware.psl");
    CHECK(measured.status == 0);
    CHECK(measured.err == "");
    const std::string hardware = text_of(folder.folder() / "hardware.psl");
    CHECK(holds(hardware, "    rate = 1Gflops  // given\n"));
    const std::string processor = hardware.substr(hardware.find("{name: "));
    folder.file("machine.yaml",
                "name: here\ncores: 1\nsize: fit\nprocessor: " + processor.substr(0, processor.find('\n')) +
                    "\ntopology: {kind: torus, dimensions: [4], bandwidth: 1GBps, latency: 1us}\nlayers:\n  network: "
                    "[{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n");
    const std::string page = text_of(kRoot / "tools/from_code/kernels/README.md");
    const std::string model =
        "import \"sweep.psl\"\nimport \"hardware.psl\"\n\napplication block {\n    param side: int = 40\n    let "
        "by_rate = sweep_by_rate(side, side)\n    iteration {\n        compute sweep(side, side)\n    }\n}\n";
    CHECK(holds(page, model));
    folder.file("block.psl", model);
    folder.file("block.yaml", "model: block.psl\nplatform: machine.yaml\nranks: {columns: 1, rows: 1}\n");
    CHECK(holds(page, "    warpfront check --costs block.yaml\n"));
    const Outcome shown = run_in(folder.folder(), quoted(WARPFRONT_PROGRAM) + " check --costs block.yaml");
    CHECK_MESSAGE(shown.status == 0, shown.err);
    CHECK(holds(shown.out, "count divide 6 "));
    CHECK(holds(shown.out, "rate = 1000 Mflops"));
    CHECK(run_in(folder.folder(), quoted(WARPFRONT_PROGRAM) + " run block.yaml").status == 0);
}

TEST_CASE("a branch that depends on data is a case, by gcov; without it the kernel is refused with its line") {
    const std::string arguments = "costs " + programs().path("c") + " --kernel sweep --deck i=6..20,j=9 ";
    const Outcome counted = invoke(arguments + "--gcov " + programs().path("coverage") + " -o - -- {i} {j}");
    CHECK(counted.status == 0);
    CHECK(counted.err == "");
    CHECK(holds(counted.out, "        // kernel.c:13: "));
    CHECK(holds(counted.out, "        case {\n            0.0"));
    CHECK(holds(counted.out, "                count divide 1\n"));
    const Outcome refused = invoke(arguments + "-- {i} {j}");
    CHECK(refused.status == 2);
    CHECK(holds(refused.err, "tests/codes/kernel.c:14:17: error: the counts of "));
    CHECK(holds(refused.err, "`--gcov` with the program compiled with --coverage"));
}

TEST_CASE("kernels that cannot be counted are refused, with remedies") {
    const auto refused = [](const std::string& arguments) {
        const Outcome outcome = invoke("costs " + arguments);
        CHECK(outcome.status == 2);
        return outcome.err;
    };
    const std::string f = programs().path("f");
    CHECK(holds(refused(f + " --kernel sweep --deck i=2..4 -- {i} 2 2 2"), "did you mean `sweep_`?"));
    CHECK(holds(refused(f + " --kernel sweep_ --deck i=2..4 -- 2 2 2 2"),
                "the program does not receive the value of `i`"));
    CHECK(holds(refused(f + " --kernel sweep_ --deck i=2..4 -- {i} x 2 2"), "fails on i=2: exit status 2"));
    CHECK(holds(refused("absent --kernel sweep_ --deck i=2..4 -- {i}"), "no program `absent`"));
    const Outcome without = run_in(kRoot, "PATH=/absent " + quoted(WARPFRONT_PROGRAM) + " costs " + f +
                                              " --kernel sweep_ --deck i=2..4 -- {i} 2 2 2");
    CHECK(without.status == 2);
    CHECK(holds(without.err, "`nm` cannot be started"));
    CHECK(holds(without.err, "expected the Debian package `binutils`"));
}
