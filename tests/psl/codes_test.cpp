// The three wavefront codes of the project: the number, size and direction of their messages, against the formulas.
//
// On n x m ranks one sweep of t tiles sends t messages over each of the (n - 1) m boundaries in x and n (m - 1) in y.
#include "simulator/program/execution.hpp"
#include "simulator/program/mismatches.hpp"
#include "tests/psl/models.hpp"
#include "tests/validation/validate.hpp"

using program::Corner;
using program::Op;

namespace {

const char* const kSweep3d = "sweep3d/sweep3d.psl";
const char* const kChimaera = "chimaera/chimaera.psl";
const char* const kLu = "lu/lu.psl";

/// Returns the number of messages of one size from a rank in one direction.
std::int64_t sent(const Events& events, std::int32_t delta, std::int64_t bytes) {
    return std::count(events.begin(), events.end(), Event{Op::send, bytes, delta, 0});
}

std::int64_t sends(const Events& events) {
    return std::count_if(events.begin(), events.end(), [](const Event& e) { return e.op == Op::send; });
}

/// Runs it = 3, jt = 4 cells per rank; 2 planes and 3 of 6 angles in a block: (6 / 3) * (4 / 2) = 4 steps per octant, 8
/// * 3 * 2 * 4 = 192 bytes east-west and 8 * 3 * 2 * 3 = 144 bytes north-south.
Run small_sweep3d(std::uint32_t columns, std::uint32_t rows) {
    return {columns, rows, 1,
            given(fmt::format("nx {}, ny {}, nz 4, mk 2, mmi 3, mmo 6, wg 1us", 3 * columns, 4 * rows))};
}

/// Runs a billion cells: it = ceil(1000 / 128) = 8, jt = ceil(1000 / 64) = 16, 500 steps.
Run billion() {
    return {128, 64, 12,
            given("nx 1000, ny 1000, nz 1000, mk 2, mmi 6, mmo 6, wg 0.414us, wg_fixup 0.500us, fixup_iterations 5")};
}

}  // namespace

TEST_CASE("every model of the project is a program that keeps its invariants, on any array") {
    struct Shipped {
        const char* name;
        Parameters parameters = {};
    };
    const Parameters work = given("wg 1us");
    for (const auto& [name, parameters] : {Shipped{kSweep3d, work},
                                           {kChimaera, work},
                                           {kLu, work},
                                           {kChimaera, given("wg 1us, wg_pre 1us, nz 4, groups 3")},
                                           {"sweep3d/groups.psl", given("wg 1us, nz 4")},
                                           {"sweep3d/simultaneous.psl", given("wg 1us, nz 4")},
                                           {"chimaera/simultaneous.psl", given("wg 1us, nz 4")},
                                           {"jacobi/jacobi.psl"},
                                           {"kripke/kripke.psl"},
                                           {"multiphysics/multiphysics.psl"},
                                           {"snap/snap.psl"}}) {
        for (const auto& [columns, rows] : {std::pair{1U, 1U}, {2U, 1U}, {1U, 3U}, {2U, 3U}, {5U, 3U}, {5U, 4U}}) {
            INFO(name, " on ", columns, " x ", rows);
            const program::Program program = lowered_model(name, Run{columns, rows, 12, parameters});
            CHECK(program::validate(program) == "");
            CHECK(program::mismatches(program, 1).empty());
        }
    }
    for (const std::uint32_t columns : {1U, 2U, 5U}) {
        for (const auto& [name, rows] :
             {std::pair{"gradients/gradients.psl", columns}, {"master_worker/master_worker.psl", 3U}}) {
            INFO(name, " on ", columns, " x ", rows);
            const program::Program program = lowered_model(name, Run{columns, rows, 2});
            CHECK(program::validate(program) == "");
            CHECK(program::mismatches(program, 1).empty());
        }
    }
}

TEST_CASE("a model has a name, parameters and files") {
    const Model model = load(WARPFRONT_SOURCE_DIR "/models/sweep3d/sweep3d.psl");
    CHECK(model.name() == "sweep3d");
    CHECK(model.sources().size() == 2);
    const auto parameters = model.parameters();
    REQUIRE(parameters.size() == 13);
    CHECK(parameters[0].name == "nx");
    CHECK(parameters[0].type == "int");
    CHECK(!parameters[0].required);
    CHECK(parameters[6].name == "wg");
    CHECK(parameters[6].type == "time");
    CHECK(parameters[6].required);
}

TEST_CASE("ranks fall into corners, edges and interior") {
    const auto classes = [](std::uint32_t columns, std::uint32_t rows) {
        return lowered_model(kSweep3d, small_sweep3d(columns, rows)).classes.size();
    };
    CHECK(classes(1, 1) == 1);
    CHECK(classes(2, 1) == 2);
    CHECK(classes(2, 2) == 4);
    CHECK(classes(3, 3) == 9);
    CHECK(classes(128, 64) == 9);
    CHECK(classes(5, 1) == 3);
}

TEST_CASE("sweep3d works before its first iteration and after its last, if its parameters require it") {
    Run run{1, 1, 3, given("nx 3, ny 4, nz 4, mk 2, mmi 3, mmo 6, wg 1us, w_before 3us, w_after 2us")};
    const program::Program program = lowered_model(kSweep3d, run);
    const auto events = steps(program, {0});
    REQUIRE(events.size() == 3 * (8 * 4 + 2) + 2);
    CHECK(events.front() == Event{Op::compute, 3'000'000});
    CHECK(events.back() == Event{Op::compute, 2'000'000});
    REQUIRE(program.closed_form.size() == 3);
    CHECK(program.closed_form[0].other.ps == 3'000'000);
    CHECK(program.closed_form[1].other.ps == 0);
    CHECK(program.closed_form[2].other.ps == 2'000'000);
}

TEST_CASE("sweep3d's octants come in pairs from southeast, northeast, southwest, northwest") {
    const auto centre = steps(lowered_model(kSweep3d, small_sweep3d(3, 3)), {4});
    REQUIRE(centre.size() == 8 * 4 * 5 + 2);  // recv, recv, compute, send, send
    // partners of a step's receives and sends: x, y, x, y; west -1, east +1, north -3, south +3
    const std::vector<std::vector<std::int32_t>> octants{{+1, +3, -1, -3}, {+1, +3, -1, -3}, {+1, -3, -1, +3},
                                                         {+1, -3, -1, +3}, {-1, +3, +1, -3}, {-1, +3, +1, -3},
                                                         {-1, -3, +1, +3}, {-1, -3, +1, +3}};
    for (std::size_t octant = 0; octant < 8; ++octant) {
        for (std::size_t step = 0; step < 4; ++step) {
            CAPTURE(octant);
            const std::size_t at = (octant * 4 + step) * 5;
            CHECK(centre[at] == Event{Op::recv, 0, octants[octant][0]});
            CHECK(centre[at + 1] == Event{Op::recv, 0, octants[octant][1]});
            CHECK(centre[at + 2] == Event{Op::compute, 12'000'000});
            CHECK(centre[at + 3] == Event{Op::send, 192, octants[octant][2]});
            CHECK(centre[at + 4] == Event{Op::send, 144, octants[octant][3]});
        }
    }
}

TEST_CASE("sweep3d on a billion cells, as published") {
    const program::Program program = lowered_model(kSweep3d, billion());
    // 12 iterations, 8 octants, 500 steps, 127 * 64 + 128 * 63 = 16,192 boundaries
    CHECK(program::traffic(program).messages == std::uint64_t{12} * 8 * 500 * (127 * 64 + 128 * 63));
    // 8 * 6 * 2 * 16 = 1536 bytes in x, 8 * 6 * 2 * 8 = 768 in y
    CHECK((program::traffic(program).bytes == std::int64_t{12} * 8 * 500 * (127 * 64 * 1536 + 128 * 63 * 768)));
    REQUIRE(program.closed_form.size() == 2);
    CHECK(program.closed_form[0].iterations == 7);
    CHECK(program.closed_form[0].work.ps == 414'000 * 2 * 8 * 16);  // tile height 2 * 6 / 6 = 2
    CHECK(program.closed_form[1].iterations == 5);
    CHECK(program.closed_form[1].work.ps == 500'000 * 2 * 8 * 16);
    CHECK(program.closed_form[0].tiles == 500);
    CHECK(program.closed_form[0].east_west.count == 1536);
    CHECK(program.closed_form[0].north_south.count == 768);
    CHECK(program.closed_form[0].allreduces == 2);
    CHECK(program.closed_form[0].allreduce_bytes.count == 8);
    CHECK((program.closed_form[0].corners ==
           std::vector<Corner>{Corner::southeast, Corner::southeast, Corner::northeast, Corner::northeast,
                               Corner::southwest, Corner::southwest, Corner::northwest, Corner::northwest}));
    CHECK(program.notes ==
          std::vector<std::string>{"5 of 12 iterations with fix-ups",
                                   "`share` divides nx = 1000 by columns = 128 and rounds 7.8125 up to 8",
                                   "`share` divides ny = 1000 by rows = 64 and rounds 15.625 up to 16"});
    Run one = billion();
    one.iterations = 1;
    CHECK(lowered_model(kSweep3d, one).notes.front() == "1 of 1 iterations with fix-ups");
}

TEST_CASE("a million ranks and thirty-six million iterations have nine classes and one loop") {
    Run run = billion();
    run.columns = run.rows = 1024;
    run.iterations = 36'000'000;
    run.parameters.resize(7);  // no fix-ups
    const program::Program program = lowered_model(kSweep3d, run);
    CHECK(program.classes.size() == 9);
    CHECK(program.classes[0].code[0].amount == 36'000'000);
    CHECK(program.closed_form.size() == 1);
}

TEST_CASE("mk is capped at nz, partial blocks are whole ones") {
    Run run = small_sweep3d(2, 2);
    run.parameters[2].second = "3";  // nz = 3
    run.parameters[3].second = "7";  // mk = 7: 3 planes, 1 block, 2 angle blocks
    CHECK(lowered_model(kSweep3d, run).closed_form[0].tiles == 2);
    CHECK(lowered_model(kSweep3d, run).closed_form[0].east_west.count == 8 * 3 * 3 * 4);
    run.parameters[3].second = "2";  // 2 planes: ceil(3 / 2) = 2 blocks, 4 steps
    CHECK(lowered_model(kSweep3d, run).closed_form[0].tiles == 4);
}

TEST_CASE("sizes of a code must be positive, and angle blocks divide the angles") {
    const auto kinds_of = [](const char* model, const std::string& name, const std::string& value) {
        const Folder none(Texts{});
        return refusal(none, [&] { lowered_model(model, Run{2, 2, 1, {{"wg", "1us"}, {name, value}}}); }).kinds;
    };
    const Kinds failed{requirement_failed};
    for (const char* name : {"nx", "ny", "nz", "mk", "mmi"}) CHECK(kinds_of(kSweep3d, name, "0") == failed);
    CHECK(kinds_of(kSweep3d, "mmi", "4") == failed);
    CHECK(kinds_of(kSweep3d, "fixup_iterations", "-1") == failed);
    for (const char* name : {"nx", "ny", "nz", "htile", "angles"}) CHECK(kinds_of(kChimaera, name, "-5") == failed);
    for (const char* name : {"nx", "ny", "nz", "htile"}) CHECK(kinds_of(kLu, name, "0") == failed);
}

TEST_CASE("chimaera's eight sweeps, bytes and one allreduce") {
    // it = 120 / 3 = 40, jt = 120 / 2 = 60; 120 tiles; 8 * 1 * 10 * 60 = 4800 bytes in x, 8 * 1 * 10 * 40 = 3200 in y
    const program::Program program =
        lowered_model(kChimaera, Run{3, 2, 419, {{"nx", "120"}, {"ny", "120"}, {"nz", "120"}, {"wg", "0.866us"}}});
    CHECK(program::traffic(program).messages == std::uint64_t{419} * 8 * 120 * (2 * 2 + 3 * 1));
    CHECK((program::traffic(program).bytes == std::int64_t{419} * 8 * 120 * (2 * 2 * 4800 + 3 * 1 * 3200)));
    REQUIRE(program.closed_form.size() == 1);
    const program::WavefrontPhase& phase = program.closed_form[0];
    CHECK(phase.iterations == 419);
    CHECK(phase.work.ps == 866'000 * 40 * 60);
    CHECK(phase.tiles == 120);
    CHECK(phase.allreduces == 1);
    CHECK((phase.corners == std::vector<Corner>{Corner::southeast, Corner::southeast, Corner::northeast,
                                                Corner::southwest, Corner::northeast, Corner::southwest,
                                                Corner::northwest, Corner::northwest}));
}

TEST_CASE("chimaera's energy groups sweep one after another, with one allreduce after the last") {
    const Parameters three = given("nx 6, ny 4, nz 5, wg 2us, wg_pre 1us, groups 3");
    const program::Program program = lowered_model(kChimaera, Run{3, 2, 1, three});
    CHECK(program::traffic(program).messages == std::uint64_t{3} * 8 * 5 * (2 * 2 + 3 * 1));
    const program::WavefrontPhase& phase = program.closed_form[0];
    CHECK(phase.pre_work.ps == 1'000'000 * 2 * 2);
    CHECK(phase.work.ps == 2'000'000 * 2 * 2);
    CHECK(phase.allreduces == 1);
    const auto one = lowered_model(kChimaera, Run{3, 2, 1, given("wg 2us")}).closed_form[0].corners;
    std::vector<Corner> all;
    for (int group = 0; group < 3; ++group) all.insert(all.end(), one.begin(), one.end());
    CHECK((phase.corners == all));
}

TEST_CASE("lu's backward sweep has a work of its own, and its closed form the mean of both") {
    const program::Program program =
        lowered_model(kLu, Run{2, 2, 1, given("nx 32, ny 24, nz 5, wg 2us, wg_backward 5us")});
    const auto southeast = steps(program, {3});
    const auto computed = [&](std::int64_t ps) {
        return std::count(southeast.begin(), southeast.end(), Event{Op::compute, ps * 16 * 12});
    };
    CHECK(computed(2'000'000) == 5);
    CHECK(computed(5'000'000) == 5);
    CHECK(program.closed_form[0].work.ps == 3'500'000 * 16 * 12);
}

TEST_CASE("every position of eight sweeps on cores of their own is 2 x 2 ranks") {
    for (const char* name : {"sweep3d/separate.psl", "chimaera/separate.psl"}) {
        CAPTURE(name);
        const program::Program program = lowered_model(name, Run{6, 4, 2, given("wg 1us, nz 4")});
        CHECK(program::validate(program) == "");
        CHECK(program::mismatches(program, 1).empty());
        CHECK_THROWS_AS(lowered_model(name, Run{5, 4, 2, given("wg 1us, nz 4")}), input::BadInput);
    }
}

TEST_CASE("lu's two sweeps and its halo") {
    // it = 32 / 2 = 16, jt = 24 / 2 = 12, 5 tiles; sweeps 40 * 12 = 480 bytes in x, 40 * 16 = 640 in y;
    // halo 80 * 12 * 5 = 4800 bytes in x, 80 * 16 * 5 = 6400 in y
    const program::Program program = lowered_model(
        kLu,
        Run{2, 2, 1, {{"nx", "32"}, {"ny", "24"}, {"nz", "5"}, {"wg", "2us"}, {"wg_pre", "1us"}, {"wg_rhs", "3us"}}});
    const auto northwest = steps(program, {0});
    CHECK(sent(northwest, +1, 480) == 5);  // forward only
    CHECK(sent(northwest, +2, 640) == 5);
    CHECK(sent(northwest, +1, 4800) == 1);
    CHECK(sent(northwest, +2, 6400) == 1);
    CHECK(sends(northwest) == 12);
    CHECK(northwest[0] == Event{Op::compute, 1'000'000 * 16 * 12});
    CHECK(northwest[1] == Event{Op::compute, 2'000'000 * 16 * 12});
    CHECK(northwest.back() == Event{Op::compute, std::int64_t{3'000'000} * 16 * 12 * 5});
    const program::WavefrontPhase& phase = program.closed_form[0];
    CHECK(phase.pre_work.ps == 1'000'000 * 16 * 12);
    CHECK(phase.work.ps == 2'000'000 * 16 * 12);
    CHECK((phase.exchanges == std::vector<program::Exchange>{{2, {6400}}, {2, {4800}}}));
    CHECK(phase.other.ps == std::int64_t{3'000'000} * 16 * 12 * 5);
    CHECK(phase.allreduces == 0);
    CHECK((phase.corners == std::vector<Corner>{Corner::northwest, Corner::southeast}));
}

TEST_CASE("lu posts the receives of its halo before it sends") {
    const auto centre = steps(lowered_model(kLu, Run{3, 3, 1, {{"nz", "1"}, {"wg", "1us"}}}), {4});
    // two sweeps of one tile: recv, recv, compute, send, send each; then the halo: irecv 2, send 2, wait 2, twice
    REQUIRE(centre.size() == 2 * 5 + 2 * 6);
    for (std::size_t half = 0; half < 2; ++half) {
        const std::size_t at = 10 + 6 * half;
        CHECK(centre[at].op == Op::irecv);
        CHECK(centre[at + 1].op == Op::irecv);
        CHECK(centre[at + 2].op == Op::send);
        CHECK(centre[at + 3].op == Op::send);
        CHECK(centre[at + 4].op == Op::wait_recv);
        CHECK(centre[at + 5].op == Op::wait_recv);
    }
}

TEST_CASE("a tile in the interior is its messages and its work, and no instruction more") {
    using Ops = std::vector<Op>;
    const Ops tile{Op::recv, Op::recv, Op::compute, Op::send, Op::send};
    const Ops with_pre_work{Op::compute, Op::recv, Op::recv, Op::compute, Op::send, Op::send};
    const auto check = [](const char* model, const std::string& parameters, const Ops& expected) {
        CAPTURE(model);
        const auto centre = steps(lowered_model(model, Run{3, 3, 1, given(parameters)}), {4});
        REQUIRE(centre.size() > 2 * expected.size());
        for (std::size_t k = 0; k < 2 * expected.size(); ++k) CHECK(centre[k].op == expected[k % expected.size()]);
    };
    check(kChimaera, "wg 1us", tile);
    check(kChimaera, "wg 1us, wg_pre 1us", with_pre_work);
    check(kLu, "wg 1us, wg_pre 1us", with_pre_work);
}
