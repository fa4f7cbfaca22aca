// The registry of closed forms: the inputs that each form applies to, and its refusals.
//
// Not pinned here: the shipped machines and models, with which published values are predicted (tests/agreement), and
// the engine's agreement with these forms (tests/agreement); the blocks of a model that declare a form (tests/psl); the
// output of a prediction (tests/results), and the choice of a form by name (tests/tools).
#include "simulator/analytic/closed_forms.hpp"
#include "simulator/input/diagnostic.hpp"
#include "tests/analytic/forms.hpp"

using namespace warpfront::analytic;
using program::WavefrontPhase;
using test::form_named;
using test::time_by;
using test::us;
using enum program::Corner;

namespace {

WavefrontPhase two_tiles() { return test::sweeping({northwest}, 2); }

/// Returns the message and the expectation of the fault.
std::string fault_of(std::string_view name, const WavefrontPhase& phase, const machine::Machine& machine) {
    try {
        (void)time_by(name, phase, machine);
    } catch (const input::BadInput& bad) {
        const input::Diagnostic& fault = bad.diagnostics().all().front();
        CHECK(fault.kind == input::DiagnosticKind::closed_form_misfit);
        return fault.message + ": " + fault.expected;
    }
    return "";
}

}  // namespace

TEST_SUITE("the registry of closed forms") {
    TEST_CASE("every form has a unique name, a description and a source; its restrictions state its needs") {
        std::set<std::string_view> names;
        for (const ClosedForm& form : closed_forms()) {
            CAPTURE(form.name);
            CHECK(names.insert(form.name).second);
            CHECK(!form.describes.empty());
            CHECK(!form.source.empty());
        }
        CHECK(closed_forms().front().name == "analytic");
    }

    TEST_CASE("the refusal of a form has what was found, what it needs and which forms apply") {
        CHECK(fault_of("plug-and-play-2d", two_tiles(), test::round_machine({3, 2})) ==
              "the closed form `plug-and-play-2d` does not apply: the process grid has 3 x 2 ranks: expected a process "
              "grid of one row or one column; closed forms that apply: `analytic`, `plug-and-play`, `cmp`, `mpp`, "
              "`overlapped`");
    }

    TEST_CASE("a model without a closed form is missing one for every form") {
        const UnequalWork unequal;
        const machine::Machine machine = test::round_machine({2, 2});
        const program::Program program = test::declaring({2, 2}, {});
        for (const ClosedForm& form : closed_forms()) {
            CAPTURE(form.name);
            CHECK_THROWS_AS(predict(form, {program, machine, unequal}), input::BadInput);
        }
    }
}

TEST_SUITE("the parts of a closed form") {
    TEST_CASE("add up to the time, as its fill, stacks, contention and the rest do, whatever the form") {
        WavefrontPhase phase = two_tiles();
        phase.corners = test::kSweep3d;
        phase.tiles = 20;
        phase.iterations = 3;
        machine::Machine machine = test::with_bus(test::round_machine({8, 4}, {2, 2}), us(2));
        machine.memory = machine::Memory{.bandwidth = {3e9}, .per_core = {1e9}};
        machine.links = machine::Links{};
        test::profile(machine, machine.network()).front().holds_links = true;
        const UnequalWork classes{.classes = {{.share = 0.5, .speed = 1.0}, {.share = 0.5, .speed = 0.7}}, .map = {}};
        const UnequalWork map{.classes = {}, .map = {{.rank = Rank{3}, .factor = 1.7}}};
        for (const ClosedForm& form : closed_forms()) {
            CAPTURE(form.name);
            WavefrontPhase of_form = phase;
            if (form.name == "allreduce") of_form.corners.clear();
            if (!form.sweeps_only) {
                of_form.allreduces = 2;
                of_form.allreduce_bytes = Bytes{3};
                of_form.other = us(5);
            }
            machine::Machine placed = machine;
            if (form.name == "plug-and-play-2d") placed.placement = test::placed({8, 1}, {2, 1});
            const UnequalWork& unequal = form.name == "unequal-cells" ? map : classes;
            const bool alike = !form.unequal_work;
            const Prediction prediction =
                test::prediction_by(form.name, of_form, placed, alike ? UnequalWork{} : unequal);
            CHECK(prediction.parts.total() == prediction.total);
            CHECK(prediction.fill + prediction.stack + prediction.contention + prediction.nonwavefront ==
                  prediction.total);
            CHECK(prediction.contention == prediction.parts.bus);
            for (const record::PathPart& part : record::kPathParts) CHECK((prediction.parts.*part.time).ps >= 0);
        }
    }

    TEST_CASE("waiting for the channels between SMPs is of links, steps of messages beyond the four of a wave") {
        // 2 x 2 SMPs of 4 x 4 ranks, one link: from S = 5 L on every second group of waves waits S more; S = 4 here, so
        // one step for each wave after the first
        machine::Machine machine = test::round_machine({8, 8}, {4, 4});
        machine.links = machine::Links{};
        test::profile(machine, machine.network()).front().holds_links = true;
        const Prediction free = test::prediction_by("mpp", two_tiles(), machine);
        const Prediction shared = test::prediction_by("pipeline-bottlenecks", two_tiles(), machine);
        CHECK(shared.parts == free.parts + record::PathParts{.link = us(33)});
    }
}

TEST_SUITE("plug-and-play and its CMP extension") {
    TEST_CASE("without nodes of several ranks and without a bus they are one") {
        for (const RankGrid grid : {RankGrid{1, 1}, {5, 1}, {1, 4}, {4, 3}}) {
            const machine::Machine machine = test::round_machine(grid);
            CHECK(time_by("plug-and-play", two_tiles(), machine) == time_by("cmp", two_tiles(), machine));
            CHECK(time_by("plug-and-play", two_tiles(), machine) == time_by("analytic", two_tiles(), machine));
        }
    }

    TEST_CASE("plug-and-play charges a message inside a node as one between nodes, cmp as one on the chip") {
        // Two ranks of a node, side by side. Fill: 100 + Total_E, off-node 14 and on-chip 8. Both stack two tiles of
        // Recv_W 12 + 100 + Send_E 1, off-node.
        const machine::Machine machine = test::round_machine({2, 1}, {2, 1});
        CHECK(time_by("plug-and-play", two_tiles(), machine) == us(114 + 2 * 113));
        CHECK(time_by("cmp", two_tiles(), machine) == us(108 + 2 * 113));
    }

    TEST_CASE("only cmp books the bus, only analytic the memory") {
        machine::Machine machine = test::with_bus(test::round_machine({8, 8}, {2, 1}), us(2));
        machine.memory = machine::Memory{.bandwidth = {1e9}, .per_core = {1e9}};
        const auto contention = [&](std::string_view name) {
            return test::prediction_by(name, two_tiles(), machine).contention;
        };
        CHECK(contention("plug-and-play") == us(0));
        CHECK(contention("cmp") == us(2 * 2 * 2));  // two tiles, two occupancies of 2 us (plug_and_play_test.cpp)
        CHECK(contention("analytic") == us(2 * 2 * 2));
        // Two cores draw twice the available bandwidth: 100 us of work become 200 in 2 tiles and 14 steps of the fill.
        const auto longer = time_by("analytic", two_tiles(), machine) - time_by("cmp", two_tiles(), machine);
        CHECK(longer == us(100 * (14 + 2)));
        const record::PathParts slowed = test::prediction_by("analytic", two_tiles(), machine).parts;
        const record::PathParts alone = test::prediction_by("cmp", two_tiles(), machine).parts;
        CHECK(slowed == alone + record::PathParts{.memory = us(100 * (14 + 2))});
    }

    TEST_CASE("the parts of the two-dimensional form, by hand: five ranks in a row") {
        // Four times work and Total_E 1 + 10 + 1 + 2; two tiles of Recv_W 10 + 2, work and Send_E 1
        CHECK(test::prediction_by("plug-and-play-2d", two_tiles(), test::round_machine({5, 1})).parts ==
              record::PathParts{
                  .compute = us(6 * 100), .overhead = us(4 * 3 + 2 * 3), .latency = us(6 * 10), .bandwidth = us(4)});
    }

    TEST_CASE("the two-dimensional form, by hand: five ranks in a row") {
        // Start(5) = 7 + 4 * (100 + 14); the sweep back starts where the first ends, the third where the second
        // started. T_stack = (12 + 100 + 1 + 7) * 2 - 7
        WavefrontPhase phase = two_tiles();
        phase.pre_work = us(7);
        phase.corners = {northwest, northeast, southeast};
        CHECK(time_by("plug-and-play-2d", phase, test::round_machine({5, 1})) ==
              us((7 + 4 * 114) + 7 + (7 + 4 * 114) + 3 * (120 * 2 - 7)));
    }

    TEST_CASE("the two-dimensional form is the general one on an array of one row or column") {
        WavefrontPhase phase = two_tiles();
        phase.pre_work = us(7);
        phase.corners = {southeast, southeast, northeast, southwest, northwest};
        phase.other = us(11);
        for (const RankGrid grid : {RankGrid{1, 1}, {2, 1}, {1, 2}, {9, 1}, {1, 6}}) {
            CAPTURE(grid.columns);
            const machine::Machine machine = test::round_machine(grid);
            CHECK(time_by("plug-and-play-2d", phase, machine) == time_by("plug-and-play", phase, machine));
        }
    }
}

TEST_SUITE("allreduces alone") {
    TEST_CASE("their number times the butterfly, and other compute") {
        WavefrontPhase phase;
        phase.allreduces = 3;
        phase.allreduce_bytes = Bytes{8};
        phase.other = us(5);
        // 4 stages of 21 (message_test.cpp)
        CHECK(time_by("allreduce", phase, test::round_machine({4, 4})) == us(3 * 4 * 21 + 5));
    }

    TEST_CASE("not of a code with sweeps, with exchanges, or without allreduces") {
        const machine::Machine machine = test::round_machine({2, 2});
        CHECK(fault_of("allreduce", two_tiles(), machine).find("`example` has sweeps") != std::string::npos);
        WavefrontPhase phase;
        CHECK(fault_of("allreduce", phase, machine).find("`example` has no allreduce") != std::string::npos);
        phase.allreduces = 1;
        phase.exchanges = {{.count = 1, .bytes = Bytes{8}}};
        CHECK(fault_of("allreduce", phase, machine).find("`example` exchanges") != std::string::npos);
    }
}

TEST_SUITE("eager messages that arrive while their receiver computes") {
    TEST_CASE("`overlapped` has no L in a tile of the full pipeline; the published form has it for each receive") {
        // A tile: 100 us of work, Send 1 and Recv 2 + 10 = 12 us in each of two directions; 100 tiles.
        const WavefrontPhase phase = test::sweeping({northwest}, 100);
        const machine::Machine machine = test::round_machine({3, 3});
        const Prediction published = test::prediction_by("analytic", phase, machine);
        const Prediction overlapped = test::prediction_by("overlapped", phase, machine);
        CHECK(published.eager_waits == WideTime(us(100 * 2 * 10)));
        CHECK(published.stack == WideTime(us(100 * (100 + 2 * (1 + 12)))));
        CHECK(overlapped.stack == WideTime(us(100 * (100 + 2 * (1 + 2)))));
        CHECK(overlapped.eager_waits == WideTime{});
        CHECK(overlapped.fill == published.fill);
    }

    TEST_CASE("of two ranks in a direction none both receives and sends") {
        const WavefrontPhase phase = test::sweeping({northwest}, 100);
        const Prediction wide = test::prediction_by("overlapped", phase, test::round_machine({3, 2}));
        const Prediction square = test::prediction_by("overlapped", phase, test::round_machine({2, 2}));
        CHECK(wide.stack - square.stack == WideTime(us(100 * 1)));  // Send + Recv is 3, the longer of them 2
    }

    TEST_CASE("rendezvous are the same in both forms on three ranks and more in either direction") {
        const WavefrontPhase phase = test::sweeping({northwest}, 100);
        machine::Machine machine = test::round_machine({3, 3});
        test::profile(machine, machine.network()).front().protocol = machine::Protocol::rendezvous;
        const Prediction published = test::prediction_by("analytic", phase, machine);
        CHECK(published.eager_waits == WideTime{});
        CHECK(test::prediction_by("overlapped", phase, machine).total == published.total);
    }
}
