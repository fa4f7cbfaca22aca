// The Python module as built.
#include "tests/end_to_end/program.hpp"

namespace {

Outcome python(const std::string& arguments) {
    return run_in(kRoot, fmt::format("PYTHONPATH={} /usr/bin/python3 {}",
                                     quoted(std::filesystem::path(WARPFRONT_BUILD_DIR) / "python"), arguments));
}

Outcome script(const std::string& text) {
    const Scratch scratch;
    return python(quoted(scratch.file("script.py", "import warpfront\n" + text)));
}

const std::string kRun =
    "run = warpfront.predict('models/sweep3d/billion.yaml', ['ranks.columns=4', 'ranks.rows=4', 'cells_per_rank.x=5',"
    " 'cells_per_rank.y=5', 'parameters.nz=20', 'calibration=off'])\n";

}  // namespace

TEST_CASE("Python: the times of every rank are those of `warpfront run --ranks`") {
    const Outcome outcome = script(kRun + R"(
import numpy
parts = [run.compute_s, run.send_s, run.recv_s, run.wait_s, run.bus_wait_s, run.processing_wait_s, run.nic_wait_s,
         run.link_wait_s, run.collective_s]
assert all(type(each) is numpy.ndarray and each.shape == (16,) for each in [run.finish_s] + parts)
assert (run.columns, run.rows, run.planes) == (4, 4, 1)
assert numpy.allclose(sum(parts), run.finish_s, rtol=1e-12, atol=0)
assert run.finish_s.max() == run.time_s
print(run.digest, *run.compute_s.tolist())
)");
    REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
    const Scratch scratch;
    const auto ranks = scratch.folder() / "ranks.csv";
    const nlohmann::json result = json_of("run " + kSmall + "--ranks " + quoted(ranks));
    std::istringstream printed(outcome.out);
    std::string digest;
    printed >> digest;
    CHECK(digest == result.at("digest").get<std::string>());
    std::istringstream lines(text_of(ranks));
    std::string line;
    std::getline(lines, line);
    std::vector<std::string> names;
    std::istringstream head(line);
    for (std::string name; std::getline(head, name, ',');) names.push_back(name);
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), "compute_s") - names.begin());
    REQUIRE(at < names.size());
    for (int rank = 0; rank < 16; ++rank) {
        REQUIRE(std::getline(lines, line));
        std::istringstream cells(line);
        std::string cell;
        for (std::size_t k = 0; k <= at; ++k) std::getline(cells, cell, ',');
        double computed = 0.0;
        printed >> computed;
        CHECK(computed == warpfront::test::approx(std::stod(cell)).epsilon(1e-12));
    }
}

TEST_CASE("Python: faults are exceptions with the program's text, and closed forms have no ranks") {
    const Outcome outcome = script(R"(
try:
    warpfront.predict('models/lu/lu.yaml', ['parameters.ny2=3'])
except ValueError as fault:
    assert type(fault) is warpfront.InvalidInput
    print(fault)
closed = warpfront.predict('models/lu/lu.yaml', engine='analytic')
assert closed.finish_s is None and closed.compute_s is None and closed.time_s > 0
model = warpfront.predict_model('models/sweep3d/sweep3d.psl', 'platforms/xt4.yaml', (4, 2),
                                parameters={'nx': '20', 'ny': '20', 'nz': '20', 'wg': '0.414us'})
assert model.finish_s.shape == (8,)
assert 'simgrid' in warpfront.engine_names()
)");
    CHECK_MESSAGE(outcome.status == 0, outcome.err);
    CHECK(holds(outcome.out, "did you mean `ny`?"));
}

TEST_CASE("Python: other threads continue during a run, and Ctrl-C ends it") {
    const Outcome outcome = script(R"(
import os, signal, threading, time
ticks = 0
def tick():
    global ticks
    while ticks < 10:
        time.sleep(0.01)
        ticks += 1
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=tick).start()
began = time.monotonic()
try:
    warpfront.predict('models/sweep3d/billion.yaml', full_replay=True)
except KeyboardInterrupt:
    print('interrupted', ticks, time.monotonic() - began < 20)
)");
    CHECK_MESSAGE(outcome.status == 0, outcome.err);
    CHECK(outcome.out == "interrupted 10 True\n");
}

TEST_CASE("Python: the example of the page runs") {
    const Outcome outcome = python("tools/embedding/example.py");
    CHECK_MESSAGE(outcome.status == 0, outcome.err);
    CHECK(holds(outcome.out, "s on 8 x 4 ranks; the rank in column "));
    CHECK(holds(outcome.out, "the best tile height of [1, 2, 5, 10]: "));
    CHECK(holds(outcome.out, "has no parameter `htle`"));
}
