// Ranks that take messages in the order of arrival, from the user's view: the shipped master and its workers, and
// features that do not support such a model.
//
// Not pinned here, in the whole suite: the rules of a language, key, unit or table and the layout of their faults (psl,
// scenario, input, loading, trace); the cost of a resource for a message, and independence of threads and skipping
// (engine, properties, agreement); closed forms (analytic); layouts of tables, JSON and CSV (results, tools); pages
// (page), installed files (installation), commands of READMEs (pages), speed (clock). This suite runs the program as a
// user does: it checks exit statuses, written outputs, messages, and results that need a whole run, such as agreement
// with measurements, SimGrid's replay and foreign readers.
#include "tests/end_to_end/program.hpp"

namespace {

const std::string kMaster = "models/master_worker/master_worker.yaml ";

}  // namespace

TEST_CASE("the shipped master hands out its tasks") {
    const json one = json_of("run " + kMaster);
    CHECK(one["work"]["messages"] ==
          63 * 41 + 6 * 64);  // 20 requests, 20 answers, a last result; a barrier of 64 ranks
    CHECK(one["work"]["messages_replayed"] == one["work"]["messages"]);
}

TEST_CASE("parts without support for messages in the order of arrival report this") {
    for (const std::string& command : {"explain " + kMaster, "run " + kMaster + "--path"}) {
        CAPTURE(command);
        const Outcome outcome = invoke(command);
        CHECK(outcome.status == 2);
        CHECK(holds(outcome.err, "cannot follow ranks that take messages in the order of arrival"));
        CHECK(holds(outcome.err, "expected a model without `from any` and `waitany`"));
    }
    const Outcome simgrid = invoke("run " + kMaster + "--engine simgrid");
    CHECK(simgrid.status == 2);
    CHECK(holds(simgrid.err, "simgrid cannot receive messages in the order of their arrival"));
}
TEST_CASE("SimGrid's ranks send synchronously as the event engine does") {
    const OwnModel model(iterating("ssend 8B to east recv from west"));
    CHECK(json_of("run " + model.argument() + "--engine simgrid")["digest"] ==
          json_of("run " + model.argument())["digest"]);
}
