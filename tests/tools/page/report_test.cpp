// Results as a page: which files are results, and how their text reaches the page.
#include "tools/page/page.hpp"

#include <memory>

#include <doctest/doctest.h>

#include "tests/faults.hpp"
#include "tools/commands/command_words.hpp"

using namespace warpfront;
using namespace warpfront::tools;

namespace {

input::SourceFilePtr file(const char* text) { return std::make_shared<const input::SourceFile>("r.json", text); }

}  // namespace

TEST_CASE("the page holds the results with every bracket and ampersand escaped") {
    const NamedResult result = read_result(file(R"({"schema": "warpfront.result/1", "notes": ["</script>&amp;"]})"));
    const std::string text = page({&result, 1});
    CHECK(text.find(R"("notes":["\u003c/script\u003e\u0026amp;"])") != std::string::npos);
    CHECK(text.find(page_script()) != std::string::npos);
    CHECK(text.find(page_style()) != std::string::npos);
}

TEST_CASE("a file that is no result is refused, with what it is in place of one") {
    const auto said = [](const char* text) {
        const auto faults = test::faults_of([&] { read_result(file(text)); });
        CHECK(test::kinds_of(faults) == test::Kinds{input::DiagnosticKind::not_a_result});
        return faults.render();
    };
    CHECK(said("{\"schema\": nothing}")
              .starts_with("r.json:1:13: error: `r.json` is no result: it is not JSON from here"));
    CHECK(said("[1, 2]").find("it names no schema") != std::string::npos);
    CHECK(said("{\"schema\": 1}").find("it names no schema") != std::string::npos);
    CHECK(said("{\"schema\": \"warpfront.estimate/1\"}").find("its schema is `warpfront.estimate/1`") !=
          std::string::npos);
    CHECK(said("{\"otherData\": {\"schema\": \"x\"}}").find("its schema is `x`") != std::string::npos);
    CHECK(said("").find("is no result") != std::string::npos);
    CHECK(said("{}").find("or a timeline of `run --timeline FILE.json`") != std::string::npos);
}

TEST_CASE("neither script nor style ends its own element") {
    CHECK(page_script().find("</script") == std::string_view::npos);
    CHECK(page_script().find("<!--") == std::string_view::npos);
    CHECK(page_style().find("</style") == std::string_view::npos);
}

TEST_CASE("a command is words that a shell reads back: what needs quotes has them") {
    RunOptions run;
    run.scenario = "my deck.yaml";
    run.sets = {"ranks.columns=4", "node={columns: 1}", "title=it's"};
    run.seeds = 3;
    run.threads = 8;  // the answer does not depend on it
    CHECK(command_words(run) ==
          "warpfront run 'my deck.yaml' --set ranks.columns=4 "
          "--set 'node={columns: 1}' --set 'title=it'\\''s' --seeds 3");
    StudyOptions study;
    study.study = "s.yaml";
    study.vary = {"parameters.mk=1..5"};
    study.engines = {Engine::event, Engine::analytic};
    CHECK(command_words(study) == "warpfront study s.yaml --vary parameters.mk=1..5 --engines event,analytic");
}
