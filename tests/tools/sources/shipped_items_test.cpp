// The items that are shipped: closed forms, and the event engine where it takes a moment, agree with what the sources
// state or the items say why not. `ninja sources` judges the event engine on all of them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/scratch.hpp"
#include "tools/sources/items.hpp"

using namespace warpfront;
using namespace warpfront::tools;

TEST_CASE("no statement of a shipped item differs without a reason") {
    const test::Scratch scratch;
    const PointStore points(scratch.folder());
    for (const auto& file : item_files({WARPFRONT_SOURCE_DIR "/models/sources"})) {
        const SourceItem item = run_item(file, {.points = &points, .threads = 2, .most_messages = 100'000});
        CHECK_MESSAGE(!item.source.empty(), file.string(), " does not say where it stands");
        for (const Statement& statement : item.statements) {
            CHECK_MESSAGE(statement.verdict() != Statement::Verdict::differs, item.name, ": ", statement.states);
        }
    }
}
