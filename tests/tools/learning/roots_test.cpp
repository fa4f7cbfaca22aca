// Roots of collectives that follow the iterations of a loop, as the owners of the panels of a distributed matrix.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/tools/learning/runs.hpp"
#include "tools/from_code/learning/learn.hpp"
#include "tools/from_code/learning/roots.hpp"

using namespace warpfront;
using learning::RootRule;

namespace {

/// The column that broadcasts a panel, both from 0.
using Owner = std::function<std::uint32_t(std::int64_t panel, std::int64_t panels, std::uint32_t columns)>;

struct PanelRun {
    std::uint32_t columns;
    std::uint32_t rows;
    std::int64_t steps;
    std::int64_t panels;
};

/// A code that broadcasts panels along the rows, then reduces to another rank in each step.
trace::RecordedRun panel_run(const PanelRun& of, const Owner& owner) {
    const RankGrid grid = test::array(of.columns, of.rows);
    trace::RecordedRun run;
    run.name = as_text(grid);
    run.sites = {{}, {"panels.c", 10, "panels"}, {"panels.c", 20, "panels"}, {"panels.c", 30, "panels"}};
    run.phases.resize(1);
    run.parameters = {{"panels", std::to_string(of.panels)}, {"steps", std::to_string(of.steps)}};
    run.communicators.resize(1 + of.rows);
    for (std::uint32_t rank = 0; rank < grid.ranks(); ++rank) {
        run.communicators[0].push_back(Rank{rank});
        run.communicators[grid.row(Rank{rank})].push_back(Rank{rank});
    }
    for (std::uint32_t rank = 0; rank < grid.ranks(); ++rank) {
        const std::uint32_t row = grid.row(Rank{rank});
        trace::RecordedRank recorded;
        const auto add = [&recorded](collectives::Kind kind, std::uint32_t site, std::uint32_t communicator,
                                     Rank root) {
            trace::Event event;
            event.call = trace::Call::collective;
            event.kind = kind;
            event.site = site;
            event.communicator = communicator;
            event.peer = root;
            event.bytes = {800};
            recorded.events.push_back(event);
        };
        for (std::int64_t step = 0; step < of.steps; ++step) {
            for (std::int64_t panel = 0; panel < of.panels; ++panel) {
                const std::uint32_t column = owner(panel, of.panels, of.columns);
                add(collectives::Kind::bcast, 1, row, grid.at(column + 1, row));
            }
            add(collectives::Kind::allreduce, 2, 0, Rank{});
            const auto next = static_cast<std::uint32_t>(step) % static_cast<std::uint32_t>(grid.ranks());
            add(collectives::Kind::reduce, 3, 0, Rank{next});
        }
        run.ranks.push_back(std::move(recorded));
    }
    return run;
}

std::vector<trace::RecordedRun> panel_runs(const Owner& owner) {
    return {panel_run({3, 3, 4, 7}, owner), panel_run({4, 3, 5, 12}, owner), panel_run({3, 4, 3, 10}, owner)};
}

const learning::Values kNoParameters(learning::Variables::kParameters, 1);

/// One iteration of a loop with its root among five ranks.
learning::RootSample sample(std::int64_t iteration, std::int64_t of, std::uint32_t root) {
    return {{&kNoParameters, iteration, of}, {root, 5}};
}

}  // namespace

TEST_CASE("roots that own panels in turn, in pairs or in blocks follow the iterations on another process grid") {
    const std::map<std::string, Owner> owners{
        {"from rank_at((inner - 1) % columns + 1, row) over row",
         [](std::int64_t panel, std::int64_t, std::uint32_t columns) {
             return static_cast<std::uint32_t>(panel) % columns;
         }},
        {"from rank_at(inner % columns + 1, row) over row",
         [](std::int64_t panel, std::int64_t, std::uint32_t columns) {
             return static_cast<std::uint32_t>(panel + 1) % columns;
         }},
        {"from rank_at(quotient((inner - 1), 2) % columns + 1, row) over row",
         [](std::int64_t panel, std::int64_t, std::uint32_t columns) {
             return static_cast<std::uint32_t>(panel / 2) % columns;
         }},
        {"from rank_at(quotient((inner - 1) * columns, panels) + 1, row) over row",
         [](std::int64_t panel, std::int64_t panels, std::uint32_t columns) {
             return static_cast<std::uint32_t>(panel * columns / panels);
         }}};
    for (const auto& [text, owner] : owners) {
        const std::vector<trace::RecordedRun> runs = panel_runs(owner);
        const learning::Learnt learnt = test::learnt_from(runs);
        REQUIRE(learnt.refused.empty());
        const std::string model = learning::model_text(learnt, "learnt");
        CHECK_MESSAGE(model.find("for inner in 1..panels {") != std::string::npos, model);
        CHECK_MESSAGE(model.find(text) != std::string::npos, model);
        CHECK_MESSAGE(model.find("reduce 800B to rank_at(((k - 1) % ranks) % columns + 1, ") != std::string::npos,
                      model);
        CHECK_NOTHROW(test::program_of(model, test::array(5, 4), 3, {{"panels", "11"}}));
        const trace::RecordedRun unseen = panel_run({5, 4, 23, 17}, owner);
        const learning::Agreement same = learning::agreement(learnt, unseen);
        CHECK(same.operations == 20 * 23 * (17 + 2));
        CHECK(same.operations_equal == same.operations);
        // The next column: all broadcasts differ.
        const trace::RecordedRun other =
            panel_run({5, 4, 23, 17}, [&owner](std::int64_t panel, std::int64_t panels, std::uint32_t columns) {
                return (owner(panel, panels, columns) + 1) % columns;
            });
        CHECK(learning::agreement(learnt, other).operations_equal == 20 * 23 * 2);
    }
}

TEST_CASE("roots that follow no rule are refused with a rank, an operation and the two roots") {
    const std::vector<trace::RecordedRun> runs =
        panel_runs([](std::int64_t panel, std::int64_t, std::uint32_t columns) {
            return static_cast<std::uint32_t>(panel * panel) % columns;
        });
    const learning::Learnt learnt = test::learnt_from(runs);
    REQUIRE(!learnt.refused.empty());
    CHECK(learnt.refused.front().what ==
          "the roots of bcast (panels.c:10) change from iteration to iteration, but neither in turn nor in blocks: in "
          "iteration 3 of 7, the root is rank 1 of a group of 3 (counted from 0), while rank 2 would be next in turn "
          "(`3 x 3`, rank 0, operation 3)");
}

TEST_CASE("the simplest rule of roots is found, and others that agree are its rivals") {
    const learning::Variables variables{{"columns", "rows", "planes", "column", "row", "plane"}};
    const auto found = learning::root_rule({sample(1, 3, 0), sample(2, 3, 1), sample(3, 3, 2)}, variables);
    REQUIRE(found);
    CHECK(found->rule == RootRule{RootRule::Kind::in_turn});
    CHECK(found->rivals.empty());
    const auto few = learning::root_rule({sample(1, 5, 0), sample(2, 5, 1), sample(5, 5, 4)}, variables);
    REQUIRE(few);
    CHECK(few->rule == RootRule{RootRule::Kind::in_turn});
    CHECK(few->rivals == std::vector{RootRule{RootRule::Kind::in_blocks}});
    const auto outside = learning::root_rule({sample(1, 1, 0)}, variables);
    REQUIRE(outside);
    CHECK_FALSE(outside->rule.counts_iterations());
    CHECK_FALSE(learning::root_rule({sample(1, 3, 0), sample(2, 3, 4), sample(3, 3, 1)}, variables));
}
