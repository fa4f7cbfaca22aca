// Objects with defaults, and scenarios that replace them.
#include "tests/psl/models.hpp"

using namespace warpfront;
using namespace warpfront::psl;
using Kinds = std::vector<DiagnosticKind>;

namespace {

using Objects = std::map<std::string, std::map<std::string, std::string>>;

Bindings bindings_with(const Objects& objects, const Run& run = {}) {
    Bindings all = run.bindings();
    for (const auto& [object, values] : objects) {
        for (const auto& [name, text] : values) {
            const auto source = std::make_shared<const input::SourceFile>(object + "." + name, text);
            all.objects[object][name] = {text, {source, 0, text.size()}};
        }
    }
    return all;
}

std::vector<std::int64_t> works(const std::string& text, const Objects& objects, const Run& run = {}) {
    const Folder folder(Texts{{"code.psl", text}});
    std::vector<std::int64_t> all;
    const program::Program program = lower(load(folder / "code.psl"), bindings_with(objects, run));
    for (const Event& event : steps(program, {0})) all.push_back(event.amount);
    return all;
}
using Works = std::vector<std::int64_t>;

Refusal refused_objects(const std::string& text, const Objects& objects) {
    const Folder folder(Texts{{"code.psl", text}});
    const Model model = load(folder / "code.psl");
    return refusal(folder, [&] { lower(model, bindings_with(objects)); });
}

const std::string kBlock = "subtask block(cells: int, wg: time = 2us, n: int = 2 * cells) { compute wg * n }\n" +
                           iterating("block(1) block(2, 3us) block(3, 1us, 5)");

}  // namespace

TEST_CASE("a call leaves out values that have defaults, which may use those before them") {
    CHECK(works(kBlock, {}) == Works{4'000'000, 12'000'000, 5'000'000});  // 2 us * 2, 3 us * 4, 1 us * 5
    CHECK(works("function f(n: int = 3): int = n + 1\n" + iterating("compute 1us * f() compute 1us * f(1)"), {}) ==
          Works{4'000'000, 2'000'000});
    CHECK(works("template t(sizes: [bytes] = [8B, 16B]) { for s in sizes { allreduce s } }\n" + iterating("t()"), {}) ==
          Works{8, 16});
    CHECK(works("application a { let w = 3us  subtask s(x: time = w) { compute x }  iteration { s() } }", {}) ==
          Works{3'000'000});
}

TEST_CASE("a scenario replaces defaults, not values that calls give") {
    CHECK(works(kBlock, {{"block", {{"wg", "5us"}}}}) == Works{10'000'000, 12'000'000, 5'000'000});
    CHECK(works(kBlock, {{"block", {{"n", "7"}}}}) == Works{14'000'000, 21'000'000, 5'000'000});
    CHECK(works("template t(sizes: [bytes] = [8B]) { for s in sizes { allreduce s } }\n" + iterating("t()"),
                {{"t", {{"sizes", "[1B, 2B]"}}}}) == Works{1, 2});
}

TEST_CASE("a scenario replaces rates and times of operations of a hardware object") {
    const std::string text =
        "hardware p { processor \"P\" rate = 100Mflops operation MUL = 9ns }\n"
        "subtask block(): time { count MUL 1000 }\n" +
        iterating("block()");
    Run run;
    run.processor = Processor{"P", 100e6};
    CHECK(works(text, {}, run) == Works{9'000'000});
    CHECK(works(text, {{"p", {{"MUL", "5ns"}}}}, run) == Works{5'000'000});
    CHECK(works(text, {{"p", {{"rate", "50Mflops"}}}}, run) == Works{4'500'000});  // 9 ns * 50 / 100
}

TEST_CASE("what a scenario cannot replace is a fault at its value") {
    const Refusal object = refused_objects(kBlock, {{"blok", {{"wg", "5us"}}}});
    CHECK(object.kinds == Kinds{DiagnosticKind::unknown_parameter});
    CHECK(object.text ==
          "blok.wg:1:1: error: the model has no object `blok`\n"
          "    1 | 5us\n"
          "      | ^^^ did you mean `block`?\n");
    const Refusal given = refused_objects(kBlock, {{"block", {{"cells", "5"}}}});
    CHECK(given.kinds == Kinds{DiagnosticKind::unknown_parameter});
    CHECK(given.text.find("`block` has no default `cells` to replace") != std::string::npos);
    CHECK(refused_objects(kBlock, {{"block", {{"n", "5us"}}}}).kinds.size() == 1);
}

TEST_CASE("faults of defaults") {
    CHECK(refused("subtask s(n: int = 1us) { }").kinds == Kinds{DiagnosticKind::wrong_type});
    CHECK(refused("subtask s(n: int = 1, m: int) { }").kinds == Kinds{DiagnosticKind::wrong_arity});
    CHECK(refused("subtask s(n: int = m, m: int = 1) { }").kinds == Kinds{DiagnosticKind::unknown_name});
    const Refusal fault = refused("subtask s(n: int, m: int = 1) { }\n" + iterating("    s()\n"));
    CHECK(fault.kinds == Kinds{DiagnosticKind::wrong_arity});
    CHECK(fault.text.find("expected (n: int, m: int = ...)") != std::string::npos);
    CHECK(refused("subtask s(n: int = 1) { }\n" + iterating("s(1, 2)")).kinds == Kinds{DiagnosticKind::wrong_arity});
}
