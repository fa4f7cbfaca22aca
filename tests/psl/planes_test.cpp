// Process grids of three dimensions: planes, neighbours above and below, ranks by coordinates, collectives, notes.
//
// On n x m x l ranks the number of a rank is ((plane - 1) * m + row - 1) * n + column - 1.
#include "simulator/program/mismatches.hpp"
#include "tests/psl/models.hpp"
#include "tests/texts.hpp"
#include "tests/validation/validate.hpp"

using program::Op;

namespace {

Run cube(std::uint32_t columns, std::uint32_t rows, std::uint32_t planes) {
    Run run{columns, rows};
    run.planes = planes;
    return run;
}

const char* const kSixNeighbours = R"(
        irecv from west
        irecv from east
        irecv from north
        irecv from south
        irecv from up
        irecv from down
        isend 8B to west
        isend 8B to east
        isend 8B to north
        isend 8B to south
        isend 8B to up
        isend 8B to down
        waitall
)";

/// Returns the partners of the messages that a rank sends.
std::vector<std::int32_t> partners(const program::Program& program, std::uint32_t rank) {
    std::vector<std::int32_t> all;
    for (const Event& event : steps(program, {rank})) {
        if (event.op == Op::isend || event.op == Op::send) all.push_back(event.delta);
    }
    return all;
}

}  // namespace

TEST_CASE("a rank has a column, a row and a plane: rank 17 of 3 x 2 x 4 is column 3, row 2 of plane 3") {
    // ((3 - 1) * 2 + 2 - 1) * 3 + 3 - 1 = 17
    const Run run = cube(3, 2, 4);
    CHECK(figure("column", run, 17) == 3);
    CHECK(figure("row", run, 17) == 2);
    CHECK(figure("plane", run, 17) == 3);
    CHECK(figure("planes", run, 17) == 4);
    CHECK(figure("ranks", run, 17) == 24);
    CHECK(figure("plane", cube(3, 2, 1), 5) == 1);
}

TEST_CASE("up is the next plane, down the one before: a plane of ranks away") {
    const program::Program program = lowered(iterating(kSixNeighbours), cube(3, 3, 3));
    CHECK(partners(program, 13) == std::vector<std::int32_t>{-1, 1, -3, 3, 9, -9});  // the rank in the middle
    CHECK(partners(program, 0) == std::vector<std::int32_t>{1, 3, 9});
    CHECK(partners(program, 26) == std::vector<std::int32_t>{-1, -3, -9});
    CHECK(program::validate(program).empty());
    CHECK(program::mismatches(program, 1).empty());
}

TEST_CASE("on an array of one plane there is nobody above or below") {
    const program::Program program = lowered(iterating(kSixNeighbours), Run{3, 3});
    CHECK(partners(program, 4) == std::vector<std::int32_t>{-1, 1, -3, 3});
    CHECK(figure("if exists(up) or exists(down) then 1 else 2", Run{2, 2}, 3) == 2);
}

TEST_CASE("six neighbours have a class of ranks for each kind of boundary, 3 * 3 * 3, whatever the number of ranks") {
    CHECK(lowered(iterating(kSixNeighbours), cube(2, 2, 2)).classes.size() == 8);
    CHECK(lowered(iterating(kSixNeighbours), cube(3, 3, 3)).classes.size() == 27);
    const program::Program large = lowered(iterating(kSixNeighbours), cube(64, 64, 32));
    CHECK(large.class_of.size() == 131'072);
    CHECK(large.classes.size() == 27);
}

TEST_CASE("the seven-point code sends the faces of its blocks: 8 B * 5 * 6, 4 * 6 and 4 * 5") {
    Run run = cube(3, 3, 3);
    run.parameters = {{"nx", "12"}, {"ny", "15"}, {"nz", "18"}};
    const Events middle = steps(lowered_model("halo3d/halo3d.psl", run), {13});
    const auto sends = [&](std::int64_t bytes, std::int32_t delta) {
        return std::count(middle.begin(), middle.end(), Event{Op::isend, bytes, delta, 0});
    };
    for (const std::int32_t side : {-1, 1}) {
        CHECK(sends(240, side) == 1);
        CHECK(sends(192, 3 * side) == 1);
        CHECK(sends(160, 9 * side) == 1);
    }
    run.parameters[2].second = "2";  // nz below the planes
    const Folder none(Texts{});
    CHECK(refusal(none, [&] { lowered_model("halo3d/halo3d.psl", run); }).kinds == Kinds{requirement_failed});
}

TEST_CASE("rank_at with a column and a row is in the own plane, with a plane in that one") {
    const std::string ring =
        "        send 8B to rank_at(column % columns + 1, row)\n"
        "        recv from rank_at((column + columns - 2) % columns + 1, row)\n";
    CHECK(partners(lowered(iterating(ring), cube(3, 1, 2)), 5) == std::vector<std::int32_t>{-2});
    const std::string turn =
        "        if column == 1 {\n            isend 8B to rank_at(1, row, plane % planes + 1)\n"
        "            recv from rank_at(1, row, (plane + planes - 2) % planes + 1)\n"
        "            waitall\n        }\n";
    CHECK(partners(lowered(iterating(turn), cube(2, 2, 3)), 8) == std::vector<std::int32_t>{-8});  // plane 3 to plane 1
}

TEST_CASE("a rank outside the array is named with its plane where that matters") {
    const auto text = [](const std::string& peer, const Run& run) {
        return refused_run(iterating("        send 8B to " + peer + "\n"), run).text;
    };
    CHECK(holds(text("rank_at(3, 1)", Run{2, 2}), "column 3, row 1 is outside the process grid of 2 x 2 ranks"));
    CHECK(holds(text("rank_at(1, 1, 2)", Run{2, 2}),
                "column 1, row 1, plane 2 is outside the process grid of 2 x 2 ranks"));
    CHECK(holds(text("rank_at(1, 1, 3)", cube(2, 2, 2)),
                "column 1, row 1, plane 3 is outside the process grid of 2 x 2 x 2 ranks"));
    CHECK(holds(text("rank_at(3 - column, row, 2 * plane - 1)", cube(2, 1, 2)),
                "found on rank 2 (column 1, row 1, plane 2)"));
    const Refusal four = refused_in("send 8B to rank_at(1, 1, 1, 1)");
    CHECK(four.kinds == Kinds{wrong_arity});
    CHECK(holds(four.text, "expected a column, a row, and, if it is not the rank's own, a plane"));
    CHECK(refused_in("send 8B to rank_at(1, 1, true)").kinds == Kinds{wrong_type});
}

TEST_CASE("collectives are over planes, over lines through the planes, or over any other value that ranks share") {
    const std::int32_t own = -1 - static_cast<std::int32_t>(collectives::Kind::bcast);
    const auto second = [&](const std::string& over) {
        return steps(lowered(iterating("broadcast 8B over " + over), cube(2, 1, 2)), {3});
    };
    CHECK(second("plane") == Events{{Op::recv, 0, -1, own}});                    // ranks 2 and 3
    CHECK(second("rank % (columns * rows)") == Events{{Op::recv, 0, -2, own}});  // ranks 1 and 3
    for (const std::string over : {"plane", "row", "column", "rank % (columns * rows)", "quotient(rank, columns)"}) {
        CAPTURE(over);
        const program::Program all = lowered(iterating(std::string("alltoall 100B over ") + over), cube(3, 2, 3));
        CHECK(program::mismatches(all, 1).empty());
    }
}

TEST_CASE("a model may have names of its own for plane, planes, up and down, which then hide the built-in ones") {
    for (const std::string name : {"plane", "planes", "up", "down"}) {
        CAPTURE(name);
        const std::string body = std::string("        let ") + name + " = 7\n        compute 1us * " + name + "\n";
        CHECK(steps(lowered(iterating(body), cube(1, 1, 2)), {1}) == Events{{Op::compute, 7'000'000}});
    }
    CHECK(refused_in("let row = 7").kinds == Kinds{duplicate_name});
}

TEST_CASE("a code of two dimensions on several planes is noted: the planes are copies") {
    const std::string pair = "        send 8B to east\n        recv from west\n";
    const std::vector<std::string> notes = lowered(iterating(pair), cube(2, 1, 3)).notes;
    REQUIRE(notes.size() == 1);
    CHECK(notes[0] ==
          "the model has columns and rows of ranks, but no planes: each of the 3 planes is an independent copy, except "
          "for collectives over all ranks");
    CHECK(lowered(iterating(pair), Run{2, 1}).notes.empty());
    CHECK(lowered(iterating(kSixNeighbours), cube(2, 2, 2)).notes.empty());
    CHECK(lowered(iterating("        allreduce 8B\n        compute 1us * rank\n"), cube(2, 2, 2)).notes.empty());
    // no rank above or below: a note helps users who mean north and south
    CHECK(
        lowered(iterating(kSixNeighbours), Run{2, 2}).notes ==
        std::vector<std::string>{"`up` and `down` are `nobody`, since this process grid has only one plane of ranks"});
    Run flat{2, 2};
    flat.parameters = {{"nx", "12"}, {"ny", "15"}, {"nz", "18"}};
    CHECK(lowered_model("halo3d/halo3d.psl", flat).notes.size() == 1);  // a share that is rounded up: 15 over 2
}

TEST_CASE("no planes and too many ranks are refused") {
    CHECK(refused_run(iterating("barrier"), cube(1, 1, 0)).kinds == Kinds{out_of_range});
    CHECK(refused_run(iterating("barrier"), cube(4096, 4096, 4096)).kinds == Kinds{out_of_range});
    // 2^96, which would be 0 in 64 bits
    CHECK(refused_run(iterating("barrier"), cube(1U << 31, 1U << 31, 1U << 31)).kinds == Kinds{out_of_range});
}
