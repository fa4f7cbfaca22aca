// Results as a page: which files are results, and how their text reaches the page.
#include "tools/report/page/page.hpp"

#include "tests/faults.hpp"
#include "tests/tools/experiments.hpp"
#include "tools/program/commands/commands.hpp"

namespace {

input::SourceFilePtr file(const char* text) { return std::make_shared<const input::SourceFile>("r.json", text); }

}  // namespace

TEST_CASE("the page holds the results with every bracket and ampersand escaped") {
    const NamedResult result = read_result(file(R"({"schema": "warpfront.result/1", "notes": ["</script>&amp;"]})"));
    const std::string text = page({&result, 1});
    CHECK(holds(text, R"("notes":["\u003c/script\u003e\u0026amp;"])"));
    CHECK(holds(text, page_script()));
    CHECK(holds(text, page_style()));
}

TEST_CASE("a file that is not a result is refused, with the kind of file that it is") {
    const auto said = [](const char* text) {
        const auto faults = test::faults_of([&] { read_result(file(text)); });
        CHECK(test::kinds_of(faults) == test::Kinds{not_a_result});
        return faults.render();
    };
    CHECK(said("{\"schema\": nothing}")
              .starts_with("r.json:1:13: error: `r.json` is not a result: it is not JSON from this place on"));
    CHECK(holds(said("[1, 2]"), "it has no schema"));
    CHECK(holds(said("{\"schema\": 1}"), "it has no schema"));
    CHECK(holds(said("{\"schema\": \"warpfront.estimate/1\"}"), "its schema is `warpfront.estimate/1`"));
    CHECK(holds(said("{\"schema\": \"warpfront.jobs/1\"}"),
                "`r.json` cannot be shown: its schema is `warpfront.jobs/1`"));
    CHECK(said("{\"schema\": \"warpfront.result/1\",\n \"time_s\": 1e999}")
              .starts_with("r.json:2:12: error: `r.json` is not a result: a number is too large for a double"));
    CHECK(holds(said((std::string(2000, '[') + std::string(2000, ']')).c_str()), "its lists are nested too deeply"));
    CHECK(holds(said("{\"otherData\": {\"schema\": \"x\"}}"), "its schema is `x`"));
    CHECK(holds(said(""), "is not a result"));
    CHECK(holds(said("{}"), "or a timeline of `run --timeline FILE.json`"));
}

TEST_CASE("neither script nor style ends its own element") {
    CHECK_FALSE(holds(page_script(), "</script"));
    CHECK_FALSE(holds(page_script(), "<!--"));
    CHECK_FALSE(holds(page_style(), "</style"));
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
