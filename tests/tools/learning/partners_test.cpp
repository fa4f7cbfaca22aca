// Partners that are not offsets: butterflies and transposed ranks. And tags that change from iteration to iteration.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/tools/learning/runs.hpp"
#include "tools/from_code/learning/learn.hpp"
#include "tools/from_code/learning/templates.hpp"

using namespace warpfront;
using test::array;
using test::learnt_from;
using test::recorded_runs;
using test::RunDifference;
using test::SmallRun;

namespace {

const std::string kAcross = R"(
function numbered(number: int): peer = rank_at(number % columns + 1, quotient(number, columns) % rows + 1)
function across(distance: int): peer =
    if quotient(rank, distance) % 2 == 0 then numbered(rank + distance) else numbered(rank - distance)
)";

void check_learnt(const std::string& code, const std::vector<SmallRun>& small, const std::vector<SmallRun>& unseen) {
    for (const SmallRun& each : unseen) {
        const RunDifference found = test::learnt_and_predicted(code, small, each);
        CHECK(found.operations > 0);
        CHECK(found.different == 0);
    }
}

}  // namespace

TEST_CASE("a butterfly is learnt from 4, 8 and 16 ranks, with bytes that double from stage to stage") {
    const std::string code = kAcross + R"(
application gathering {
    param n: int
    iteration {
        for both in [1, 2] {
            var distance = 1
            while distance < ranks {
                sendrecv 8B * n * distance to across(distance) from across(distance)
                distance = 2 * distance
            }
        }
        compute 1us * n
        allreduce 8B
    }
}
)";
    check_learnt(code,
                 {{array(4, 1), 3, {{"n", "5"}}}, {array(8, 1), 4, {{"n", "7"}}}, {array(16, 1), 3, {{"n", "9"}}}},
                 {{array(32, 1), 5, {{"n", "11"}}}, {array(2, 1), 5, {{"n", "3"}}}});
}

TEST_CASE("butterflies are calls of the shipped templates, and do the same on 32 ranks") {
    const std::string code = kAcross + R"(
application reducing {
    param n: int
    iteration {
        compute 50us
        var distance = 1
        while distance < ranks {
            sendrecv 8B * n + 16B to across(distance) from across(distance)
            compute 30ns * n
            distance = 2 * distance
        }
        var apart = quotient(ranks, 2)
        while apart > 0 {
            compute 30ns * n
            sendrecv 24B * n * apart to across(apart) from across(apart)
            apart = quotient(apart, 2)
        }
        allreduce 8B
    }
}
)";
    const std::vector<SmallRun> small{
        {array(4, 1), 3, {{"n", "50"}}}, {array(8, 1), 4, {{"n", "71"}}}, {array(16, 1), 3, {{"n", "93"}}}};
    const std::string model = learning::model_text(learnt_from(recorded_runs(code, small)), "learnt");
    CHECK_MESSAGE(model.find("        compute work\n"
                             "        recursive_doubling(1, ranks, 0us, work2 * n, 8B * n + 16B, 0B)\n"
                             "        recursive_halving(1, ranks, work2 * n, 0us, 0B, 24B * n)\n"
                             "        allreduce 8B\n") != std::string::npos,
                  model);
    CHECK(model.find("require is_power_of_two(ranks)") != std::string::npos);
    check_learnt(code, small, {{array(32, 1), 2, {{"n", "64"}}}, {array(2, 1), 5, {{"n", "3"}}}});
}

TEST_CASE("the shipped templates are learnt over the ranks of a row and of a column") {
    const std::string code = std::string(learning::template_text("butterfly")) + R"(
application sums {
    param n: int
    iteration {
        recursive_halving(1, columns, 0us, 0us, 8B * n, 0B)
        recursive_doubling(columns, ranks, 0us, 0us, 0B, 8B * n)
        allreduce 8B
    }
}
)";
    const std::vector<SmallRun> small{
        {array(8, 4), 3, {{"n", "5"}}}, {array(4, 4), 4, {{"n", "7"}}}, {array(4, 2), 2, {{"n", "3"}}}};
    const std::string model = learning::model_text(learnt_from(recorded_runs(code, small)), "learnt");
    CHECK_MESSAGE(model.find("        recursive_halving(1, columns, 0us, 0us, 8B * n, 0B)\n"
                             "        recursive_doubling(columns, ranks, 0us, 0us, 0B, 8B * n)\n") != std::string::npos,
                  model);
    check_learnt(code, small, {{array(16, 8), 2, {{"n", "11"}}}, {array(2, 2), 2, {{"n", "4"}}}});
}

TEST_CASE("a butterfly over other than a power of two of ranks is refused by its template") {
    const std::string code = std::string(learning::template_text("butterfly")) +
                             "application sum { iteration { recursive_doubling(1, ranks, 0us, 0us, 8B, 0B) } }\n";
    CHECK_NOTHROW(test::program_of(code, array(4, 2), 1, {}));
    CHECK_THROWS(test::program_of(code, array(3, 2), 1, {}));
}

TEST_CASE("exchanges in another order than the template's, or other on one rank, are no calls of it") {
    const auto code = [](const std::string& exchange) {
        return kAcross + "application other { iteration { var distance = 1\n while distance < ranks { " + exchange +
               "\n distance = 2 * distance }\n allreduce 8B } }\n";
    };
    const std::vector<SmallRun> small{{array(4, 1), 2, {}}, {array(8, 1), 2, {}}, {array(16, 1), 3, {}}};
    const std::string posted = code("irecv from across(distance)\n isend 8B to across(distance)\n waitall");
    CHECK(learning::model_text(learnt_from(recorded_runs(posted, small)), "m").find("recursive_doubling(1,") ==
          std::string::npos);
    check_learnt(posted, small, {{array(32, 1), 2, {}}});
    // Two ranks do it twice at the distance 1, or send other bytes.
    const std::string exchange = "sendrecv 8B to across(distance) from across(distance)";
    CHECK(!test::refusals_of(code(exchange + "\n if distance == 1 and rank < 2 { " + exchange + " }"), small).empty());
    CHECK(!test::refusals_of(code("sendrecv (if rank == 1 then 24B else 8B) to across(distance) from across(distance)"),
                             small)
               .empty());
    // All ranks send other bytes in the last stage: a mean, and named so.
    const std::string last =
        code("sendrecv (if 2 * distance == ranks then 24B else 8B) to across(distance) from across(distance)");
    CHECK(learning::model_text(learnt_from(recorded_runs(last, small)), "m").find("of the data: a mean") !=
          std::string::npos);
}

TEST_CASE("up to 8 ranks a butterfly may be an array of two ranks on each side, so a run on 16 would decide") {
    const std::string code = kAcross + R"(
application small {
    iteration {
        var distance = 1
        while distance < ranks {
            sendrecv 8B to across(distance) from across(distance)
            distance = 2 * distance
        }
        allreduce 8B
    }
}
)";
    const auto undecided = [&code](std::uint32_t most) {
        return learnt_from(recorded_runs(code, {{array(4, 1), 2, {}}, {array(most, 1), 2, {}}})).open.size();
    };
    CHECK(undecided(8) == 1);
    CHECK(undecided(16) == 0);
}

TEST_CASE("a butterfly from the largest distance on stands beside messages between neighbours") {
    const std::string code = kAcross + R"(
application halving {
    param n: int
    iteration {
        repeat 3 {
            recv from west
            recv from north
            compute 1us * n
            send 8B * n to east
            send 16B * n to south
        }
        var distance = quotient(ranks, 2)
        while distance > 0 {
            irecv from across(distance)
            isend 24B * n to across(distance)
            waitall
            distance = quotient(distance, 2)
        }
    }
}
)";
    check_learnt(code, {{array(4, 4), 3, {{"n", "5"}}}, {array(8, 4), 4, {{"n", "7"}}}, {array(4, 8), 3, {{"n", "9"}}}},
                 {{array(8, 8), 5, {{"n", "11"}}}});
}

TEST_CASE("ranks that exchange with the transposed ones are learnt from square arrays") {
    const std::string code = R"(
application transposing {
    param n: int
    require columns == rows, "a square"
    iteration {
        if column != row {
            irecv from rank_at(row, column)
            isend 8B * share(n, columns) to rank_at(row, column)
        }
        compute 1us * n
        waitall
        allreduce 8B
    }
}
)";
    check_learnt(code,
                 {{array(3, 3), 3, {{"n", "50"}}}, {array(4, 4), 4, {{"n", "70"}}}, {array(2, 2), 2, {{"n", "31"}}}},
                 {{array(6, 6), 5, {{"n", "113"}}}});
    const std::vector<trace::RecordedRun> runs =
        recorded_runs(code, {{array(3, 3), 3, {{"n", "50"}}}, {array(4, 4), 4, {{"n", "70"}}}});
    CHECK(learning::model_text(learnt_from(runs), "m").find("require columns == rows") != std::string::npos);
}

TEST_CASE("butterflies over rows and over columns are learnt from runs of which some have a single stage, or none") {
    const std::string code = kAcross + R"(
application sums {
    param n: int
    iteration {
        compute 1us * n
        var distance = 1
        while distance < columns {
            sendrecv 8B * share(n, rows) to across(distance) from across(distance)
            distance = 2 * distance
        }
        var apart = quotient(ranks, 2)
        while apart >= columns {
            sendrecv 24B * n * quotient(apart, columns) to across(apart) from across(apart)
            apart = quotient(apart, 2)
        }
        allreduce 8B
    }
}
)";
    check_learnt(code,
                 {{array(8, 4), 3, {{"n", "50"}}}, {array(4, 4), 4, {{"n", "70"}}}, {array(4, 2), 2, {{"n", "31"}}}},
                 {{array(16, 8), 5, {{"n", "113"}}}, {array(2, 4), 5, {{"n", "44"}}}, {array(8, 1), 2, {{"n", "9"}}}});
}

TEST_CASE("conjugate gradients: sums over rows by butterflies, then the transposed rank") {
    const std::string code = kAcross + R"(
application gradients {
    param n: int
    require columns == rows, "a square"
    iteration {
        compute 1us * n
        var distance = 1
        while distance < columns {
            irecv from across(distance)
            send 8B * share(n, columns) to across(distance)
            waitall
            distance = 2 * distance
        }
        if column != row {
            irecv from rank_at(row, column)
            send 16B * n to rank_at(row, column)
            waitall
        }
        var apart = 1
        while apart < columns {
            irecv from across(apart)
            send 8B to across(apart)
            waitall
            apart = 2 * apart
        }
    }
}
)";
    check_learnt(code, {{array(4, 4), 3, {{"n", "50"}}}, {array(2, 2), 4, {{"n", "70"}}}},
                 {{array(8, 8), 5, {{"n", "113"}}}});
}

TEST_CASE("conjugate gradients on two squares side by side: pairs of ranks are transposed") {
    const std::string code = kAcross + R"(
application gradients {
    param n: int
    let squares = quotient(columns, rows)
    let to_column = squares * (row - 1) + (column - 1) % squares + 1
    let to_row = quotient(column - 1, squares) + 1
    iteration {
        compute 1us * n
        var distance = 1
        while distance < columns {
            irecv from across(distance)
            send 8B * share(n, columns) to across(distance)
            waitall
            distance = 2 * distance
        }
        if to_column != column or to_row != row {
            irecv from rank_at(to_column, to_row)
            send 16B * n to rank_at(to_column, to_row)
            waitall
        }
    }
}
)";
    check_learnt(code,
                 {{array(4, 2), 3, {{"n", "50"}}}, {array(2, 2), 4, {{"n", "70"}}}, {array(4, 4), 2, {{"n", "91"}}}},
                 {{array(8, 4), 5, {{"n", "113"}}}, {array(8, 8), 3, {{"n", "55"}}}});
}

TEST_CASE("transposed ranks of square process grids alone: the model and the report name the run that would decide") {
    const std::string code = R"(
application transposing {
    iteration {
        if row != column {
            irecv from rank_at(row, column)
            send 16B to rank_at(row, column)
            waitall
        }
        allreduce 8B
    }
}
)";
    const learning::Learnt learnt = learnt_from(recorded_runs(code, {{array(3, 3), 3, {}}, {array(4, 4), 2, {}}}));
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    CHECK(learning::model_text(learnt, "transposing")
              .find("require columns == rows, \"each rank exchanges messages with its transposed rank; the recorded "
                    "runs show this only on square process grids\"") != std::string::npos);
    const std::string line =
        "partners: each rank exchanges messages with its transposed rank, but all runs have square process grids; a "
        "run on twice as many ranks, such as 8 in place of 4, would show the transposed ranks on a grid of two squares";
    CHECK(std::ranges::find(learnt.open, line) != learnt.open.end());
}

TEST_CASE("a model that was learnt from one process grid is for this one alone") {
    const std::string code = R"(
application alone {
    param n: int
    iteration {
        sendrecv 2B * n to east from west
        allreduce 8B
    }
}
)";
    const learning::Learnt learnt =
        learnt_from(recorded_runs(code, {{array(4, 2), 3, {{"n", "30"}}}, {array(4, 2), 2, {{"n", "50"}}}}));
    CHECK(learning::model_text(learnt, "alone")
              .find("require columns == 4 and rows == 2, \"all recorded runs have 4 x 2 ranks\"") != std::string::npos);
    const std::string line =
        "process grids: all runs have 4 x 2 ranks, and the model is valid only for this process grid; a run with other "
        "columns and rows would show which numbers depend on the grid";
    CHECK(std::ranges::find(learnt.open, line) != learnt.open.end());
}

TEST_CASE("a butterfly that lacks a stage is refused") {
    const std::string code = kAcross + R"(
application short {
    iteration {
        var distance = 1
        while distance < ranks {
            if distance != 4 or iterations == 1 {
                sendrecv 8B to across(distance) from across(distance)
            }
            distance = 2 * distance
        }
    }
}
)";
    CHECK(!test::refusals_of(code, {{array(8, 1), 2, {}}, {array(16, 1), 2, {}}}).empty());
}

TEST_CASE("a sendrecv waits before the code goes on, and what a rank sends to itself is left out") {
    const std::string code = R"(
application exchanging {
    param n: int
    iteration {
        irecv from west
        send 8B * n to east
        waitall
        compute 1us * n
        allreduce 8B
    }
}
)";
    const std::vector<SmallRun> small{{array(4, 1), 3, {{"n", "50"}}}, {array(5, 1), 4, {{"n", "70"}}}};
    std::vector<trace::RecordedRun> runs = recorded_runs(code, small);
    for (trace::RecordedRun& run : runs) {
        for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
            std::vector<trace::Event> merged;
            for (const trace::Event& event : run.ranks[rank].events) {
                const bool first = rank == 0 || rank + 1 == run.ranks.size();
                if (first || event.call == trace::Call::collective) {
                    merged.push_back(event);
                } else if (event.call == trace::Call::send) {
                    trace::Event both = event;
                    both.call = trace::Call::sendrecv;
                    both.from = Rank{rank - 1};
                    merged.push_back(both);
                }
                if (event.call != trace::Call::collective) continue;
                trace::Event own = event;
                own.call = trace::Call::send;
                own.peer = Rank{rank};
                merged.push_back(own);
            }
            run.ranks[rank].events = merged;
        }
    }
    const RunDifference found = test::difference_on({array(9, 1), 4, {{"n", "60"}}}, learnt_from(runs), code);
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("of a sendrecv with nobody on one side, as at the sides of the array, the rest is as on other ranks") {
    const std::string code = R"(
application shifting {
    param n: int
    iteration {
        sendrecv 8B * n to east from west
        compute 1us * n
        allreduce 8B
    }
}
)";
    std::vector<trace::RecordedRun> runs =
        recorded_runs(code, {{array(4, 1), 3, {{"n", "50"}}}, {array(5, 1), 4, {{"n", "70"}}}});
    for (trace::RecordedRun& run : runs) {
        for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
            std::vector<trace::Event> merged;
            for (trace::Event event : run.ranks[rank].events) {
                event.site = event.call == trace::Call::collective ? 1 : 2;
                const bool last = rank + 1 == run.ranks.size();
                if (event.call == trace::Call::wait || (event.call == trace::Call::irecv && !last)) continue;
                if (event.call == trace::Call::irecv) event.call = trace::Call::recv;
                if (event.call == trace::Call::send && rank > 0) {
                    event.call = trace::Call::sendrecv;
                    event.from = Rank{rank - 1};
                }
                merged.push_back(event);
            }
            run.ranks[rank].events = merged;
        }
    }
    const RunDifference found = test::difference_on({array(9, 1), 4, {{"n", "60"}}}, learnt_from(runs), code);
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
}

TEST_CASE("the array is that of the communicators where collectives alone are called") {
    const std::string code = R"(
application transposes {
    param n: int
    iteration {
        allreduce 8B * n
        allreduce 16B * n
    }
}
)";
    std::vector<trace::RecordedRun> runs = recorded_runs(
        code, {{array(3, 3), 2, {{"n", "5"}}}, {array(4, 3), 3, {{"n", "7"}}}, {array(3, 4), 2, {{"n", "8"}}}});
    const std::vector<std::uint32_t> columns{3, 4, 3};
    for (std::size_t at = 0; at < runs.size(); ++at) {
        trace::RecordedRun& run = runs[at];
        const auto ranks = static_cast<std::uint32_t>(run.ranks.size());
        const std::uint32_t rows = ranks / columns[at];
        run.communicators.resize(1 + rows + columns[at]);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            const std::uint32_t row = 1 + rank / columns[at];
            const std::uint32_t column = 1 + rows + rank % columns[at];
            run.communicators[row].push_back(Rank{rank});
            run.communicators[column].push_back(Rank{rank});
            bool first = true;
            for (trace::Event& event : run.ranks[rank].events) {
                event.communicator = first ? row : column;
                first = !first;
            }
        }
    }
    const learning::Learnt learnt = learnt_from(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    REQUIRE(learnt.runs.size() == 3);
    CHECK(as_text(learnt.runs[1].grid) == "4 x 3");
    CHECK(learning::model_text(learnt, "m")
              .find("        allreduce 8B * n over row\n"
                    "        allreduce 16B * n over column\n") != std::string::npos);
}

TEST_CASE("tags that count iterations are learnt where messages overtake each other") {
    // The second of each iteration's two messages is received first.
    const std::string code = R"(
application overtaking {
    param n: int
    iteration k {
        for i in 1..6 {
            irecv second from west tag 2 * i + 1
            irecv first from west tag 2 * i
            isend a 8B * n to east tag 2 * i
            isend b 16B * n to east tag 2 * i + 1
            wait second
            wait first
            wait a
            wait b
        }
        compute 1us * n
        allreduce 8B
    }
}
)";
    const std::vector<trace::RecordedRun> runs = recorded_runs(
        code, {{array(4, 1), 2, {{"n", "5"}}}, {array(5, 1), 2, {{"n", "7"}}}, {array(6, 1), 2, {{"n", "12"}}}});
    const learning::Learnt learnt = learnt_from(runs);
    for (const learning::Refusal& each : learnt.refused) FAIL_CHECK(each.what);
    CHECK(learnt.structure.tags);
    check_learnt(code,
                 {{array(4, 1), 2, {{"n", "5"}}}, {array(5, 1), 2, {{"n", "7"}}}, {array(6, 1), 2, {{"n", "12"}}}},
                 {{array(8, 1), 2, {{"n", "11"}}}});
}

namespace {

const std::string kShifted = R"(
function shifted(number: int): peer = rank_at(number % columns + 1, quotient(number, columns) % rows + 1)
)";

}  // namespace

TEST_CASE("partners at all distances in turn are learnt as a loop, in both directions and in either order of calls") {
    const auto code = [](const std::string& exchange) {
        return kShifted + "application all_to_all {\n param n: int\n iteration {\n compute 5us * n\n" +
               "for k in 1..ranks - 1 {\n" + exchange + "\n compute 1us * share(n, ranks) * share(n, ranks)\n }\n" +
               "allreduce 8B\n }\n }\n";
    };
    const std::string size = "8B * share(n, ranks) * share(n, ranks)";
    const std::vector<SmallRun> small{
        {array(4, 1), 3, {{"n", "20"}}}, {array(5, 1), 4, {{"n", "35"}}}, {array(7, 1), 2, {{"n", "49"}}}};
    const std::vector<SmallRun> unseen{{array(9, 1), 3, {{"n", "81"}}}, {array(2, 1), 5, {{"n", "6"}}}};
    for (const std::string& exchange :
         {"irecv from shifted((rank + k) % ranks)\n isend " + size +
              " to shifted((rank - k + ranks) % ranks)\n waitall",
          "sendrecv " + size + " to shifted((rank + k) % ranks) from shifted((rank - k + ranks) % ranks)",
          "isend " + size +
              " to shifted((rank + ranks - k) % ranks)\n recv from shifted((rank + k) % ranks)\n waitall"}) {
        check_learnt(code(exchange), small, unseen);
    }
    // The messages are parts of a block rather than its faces.
    const learning::Learnt learnt = learnt_from(recorded_runs(
        code("sendrecv " + size + " to shifted((rank + k) % ranks) from shifted((rank - k + ranks) % ranks)"), small));
    const std::string model = learning::model_text(learnt, "learnt");
    CHECK_MESSAGE(model.find("for inner in 1..ranks - 1 {") != std::string::npos, model);
    CHECK_MESSAGE(model.find("compute work * (n_share * n_share)") != std::string::npos, model);
}

TEST_CASE("one call may wait for the messages of all distances") {
    const std::string code = kShifted + R"(
application posted {
    param n: int
    iteration {
        var distance = 1
        while distance < ranks {
            irecv from shifted((rank - distance + ranks) % ranks)
            distance = distance + 1
        }
        var there = 1
        while there < ranks {
            compute 2us * n
            isend 8B * n to shifted((rank + there) % ranks)
            there = there + 1
        }
        waitall
        compute 1us * n
        allreduce 8B
    }
}
)";
    const std::vector<SmallRun> small{
        {array(4, 1), 3, {{"n", "20"}}}, {array(5, 1), 4, {{"n", "35"}}}, {array(7, 1), 2, {{"n", "49"}}}};
    check_learnt(code, small, {{array(9, 1), 3, {{"n", "81"}}}, {array(2, 1), 2, {{"n", "9"}}}});
    const std::string model = learning::model_text(learnt_from(recorded_runs(code, small)), "learnt");
    CHECK_MESSAGE(
        model.find("            distance2 = distance2 + 1\n        }\n        waitall\n") != std::string::npos, model);
}

TEST_CASE("a run on two ranks has a loop over one distance, and neighbours in a process grid remain offsets") {
    const std::string code = kShifted + R"(
application mixed {
    param n: int
    iteration {
        recv from west
        recv from north
        compute 1us * n
        send 8B * n to east
        send 16B * n to south
        for k in 1..ranks - 1 {
            sendrecv 24B * n to shifted((rank + k) % ranks) from shifted((rank - k + ranks) % ranks)
        }
        allreduce 8B
    }
}
)";
    check_learnt(code, {{array(3, 3), 3, {{"n", "5"}}}, {array(4, 3), 4, {{"n", "7"}}}, {array(3, 4), 3, {{"n", "9"}}}},
                 {{array(5, 4), 2, {{"n", "11"}}}});
    const std::string alone = kShifted + R"(
application alone {
    iteration {
        for k in 1..ranks - 1 {
            sendrecv 24B to shifted((rank + k) % ranks) from shifted((rank - k + ranks) % ranks)
        }
        allreduce 8B
    }
}
)";
    check_learnt(alone, {{array(2, 1), 3, {}}, {array(5, 1), 2, {}}}, {{array(8, 1), 2, {}}, {array(4, 2), 2, {}}});
}

TEST_CASE("partners at some distances alone, or at other distances in one run, are refused") {
    const auto refusals = [](const std::string& distances) {
        return test::refusals_of(kShifted + "application some { iteration { for k in " + distances + " {\n" +
                                     "sendrecv 24B to shifted((rank + k) % ranks) from shifted((rank - k + ranks) % "
                                     "ranks) }\n allreduce 8B } }\n",
                                 {{array(5, 1), 3, {}}, {array(7, 1), 2, {}}, {array(9, 1), 4, {}}});
    };
    CHECK(refusals("1..ranks - 1").empty());
    REQUIRE(!refusals("1..quotient(ranks, 2)").empty());
    CHECK(refusals("1..quotient(ranks, 2)").front().find("rank ") != std::string::npos);
    CHECK(!refusals("2..ranks - 1").empty());
}

TEST_CASE("rows and columns that shift by their number before the products of Cannon's algorithm") {
    const std::string code = R"(
application cannon {
    param n: int
    require columns == rows, "a square"
    let bytes = 8B * quotient(n, columns) * quotient(n, rows)
    iteration {
        irecv from (if row > 1 then rank_at((column + row - 2) % columns + 1, row) else nobody)
        send bytes to (if row > 1 then rank_at((column - row + columns) % columns + 1, row) else nobody)
        waitall
        irecv from (if column > 1 then rank_at(column, (column + row - 2) % rows + 1) else nobody)
        send bytes to (if column > 1 then rank_at(column, (row - column + rows) % rows + 1) else nobody)
        waitall
        repeat columns {
            irecv from rank_at(column % columns + 1, row)
            send bytes to rank_at((column + columns - 2) % columns + 1, row)
            waitall
            irecv from rank_at(column, row % rows + 1)
            send bytes to rank_at(column, (row + rows - 2) % rows + 1)
            waitall
        }
        allreduce 8B
    }
}
)";
    const std::vector<SmallRun> small{
        {array(3, 3), 3, {{"n", "51"}}}, {array(4, 4), 4, {{"n", "64"}}}, {array(5, 5), 2, {{"n", "105"}}}};
    check_learnt(code, small, {{array(6, 6), 5, {{"n", "132"}}}});
    CHECK(learning::model_text(learnt_from(recorded_runs(code, small)), "m").find("require columns == rows") !=
          std::string::npos);
}
