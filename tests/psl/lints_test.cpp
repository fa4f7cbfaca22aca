// Notes on declarations that a model never uses, and on statements that are never executed.
#include "psl/checking/lints.hpp"

#include "tests/psl/models.hpp"

namespace warpfront::psl {

namespace {

using Notes = std::vector<std::string>;

Notes noted(const Texts& files) {
    const Folder folder(files);
    Notes notes;
    for (const std::string& note : lints(load(folder / "code.psl"))) notes.push_back(folder.shortened(note));
    return notes;
}
Notes noted(const std::string& text) { return noted(Texts{{"code.psl", text}}); }

/// Returns the notes on an application with one line before its iteration and one within; both begin in column 1.
Notes noted(const std::string& item, const std::string& statement) {
    return noted("application code {\n" + item + "\niteration {\n" + statement + "\n} }\n");
}

}  // namespace

TEST_CASE("a parameter that nothing mentions is noted at its name; what it uses, a model has no notes on") {
    CHECK(noted("param wg: time", "compute 1us") == Notes{"code.psl:2:7: parameter `wg` is never used"});
    CHECK(noted("param wg: time\nlet twice = 2 * wg", "compute twice") == Notes{});
}

TEST_CASE("a record that no task reads or writes is noted, what indices and conditions of tasks mention is used") {
    CHECK(noted("application a {\nrecord r: 8B given\ntasks on node { task x { compute 1us } }\n}\n") ==
          Notes{"code.psl:2:8: record `r` is neither read nor written"});
    CHECK(noted("application a {\nparam n: int = 2\nparam near: int = 1\nrecord r[i in 1..n]: 8B given\n"
                "tasks on node { task x[i in 1..n] after x[i - near] { read r[i] } }\n}\n") == Notes{});
}

TEST_CASE("lists, tasks and records that are never there are noted, and references without values") {
    const auto noted_list = [](const std::string& list) { return noted("application a {\n" + list + "\n}\n"); };
    CHECK(noted_list("tasks on core { }") == Notes{"code.psl:2:1: the list has no tasks"});
    CHECK(noted_list("tasks L[s in 4..1] on core { task t after t[[]] { } }") ==
          Notes{"code.psl:2:14: `s` has no values: the list has no tasks"});
    CHECK(noted_list("tasks on core { task t[i in 4..1] { } }") ==
          Notes{"code.psl:2:29: `i` has no values: there is no such task"});
    CHECK(noted_list("tasks on core { task t if 1 > 2 { } }") ==
          Notes{"code.psl:2:27: the condition is always false: there is no such task"});
    CHECK(noted_list("tasks L[s in 1..2] on core { task t[i in 1..2] after t[s - 1, []] { } }") ==
          Notes{"code.psl:2:63: the list of indices is empty: nothing is waited for"});
    CHECK(noted_list("record r[k in 2..1]: 8B given\ntasks on node { task t { read r[[]] } }") ==
          Notes{"code.psl:2:15: `k` has no values: there is no such record",
                "code.psl:3:33: the list of indices is empty: nothing is read"});
    CHECK(noted_list("param n: int = 0\ntasks L[s in 1..n] on core { task t[i in 1..n] after t[s - 1, [i]] { } }") ==
          Notes{});
}

TEST_CASE("a model mentions the number of iterations or not") {
    const auto mentions = [](const std::string& text) { return mentions_iterations(load_text("code.psl", text)); };
    CHECK(mentions("application a { tasks L[s in 1..iterations] on core { task t { } } }"));
    CHECK(mentions("function f(n: int): int = n * iterations\napplication a { iteration { compute 1us * f(2) } }"));
    CHECK_FALSE(mentions("application a { param n: int = 2 tasks L[s in 1..n] on core { task t { } } }"));
}

TEST_CASE("a requirement, the closed form and an inner subtask each use what they mention") {
    CHECK(noted("param n: int = 1\nrequire n > 0, \"n\"", "compute 1us") == Notes{});
    CHECK(noted("param wg: time\nsubtask work() { compute wg }", "work()") == Notes{});
    CHECK(noted("application code { param w: time\niteration { compute 1us }\n"
                "closed_form { work = w  tiles = 1  east_west = 1B  north_south = 1B  corners = [northwest] } }") ==
          Notes{});
}

TEST_CASE("a variable that nothing mentions is noted") {
    CHECK(noted("let n = 2", "compute 1us") == Notes{"code.psl:2:5: variable `n` is never used"});
    CHECK(noted("", "let n = 2\ncompute 1us") == Notes{"code.psl:4:5: variable `n` is never used"});
}

TEST_CASE("a loop whose variable is not used is noted with the simpler loop") {
    CHECK(noted("", "for i in 1..3 { compute 1us }") ==
          Notes{"code.psl:4:5: variable `i` is never used: `repeat` does the same"});
    CHECK(noted("", "for c in [northwest] { compute 1us }") == Notes{"code.psl:4:5: variable `c` is never used"});
}

TEST_CASE("the name of the iteration is used by its body or by the closed form") {
    const std::string closed = "tiles = 1  east_west = 1B  north_south = 1B  corners = [northwest] }";
    CHECK(noted("application code {\niteration k { compute 1us } }") ==
          Notes{"code.psl:2:11: variable `k` is never used: `iteration` needs no name"});
    CHECK(noted("application code { iteration k { compute k * 1us } }") == Notes{});
    CHECK(noted("application code { iteration k { compute 1us } closed_form { work = k * 1us " + closed + "}") ==
          Notes{});
}

TEST_CASE("a parameter of a template or subtask that its body does not mention is noted") {
    CHECK(noted("subtask work(t: time, n: int) { compute t }") ==
          Notes{"code.psl:1:23: parameter `n` of `work` is never used"});
}

TEST_CASE("a template or subtask that no call from the application reaches is noted") {
    CHECK(noted("subtask a() { compute 1us }\nsubtask b() { a() }\napplication code { iteration { compute 1us } }") ==
          Notes{"code.psl:1:9: subtask `a` is never called", "code.psl:2:9: subtask `b` is never called"});
    CHECK(noted("template t() { allreduce 8B }", "compute 1us") ==
          Notes{"code.psl:2:10: template `t` is never called"});
    CHECK(noted("subtask a() { compute 1us }\nsubtask b() { a() }\napplication code { iteration { b() } }") == Notes{});
}

TEST_CASE("an import of which nothing is called is noted, and so is a second one of the same file") {
    const std::string library = "template t() { allreduce 8B }";
    CHECK(noted(Texts{{"t.psl", library},
                      {"code.psl", "import \"t.psl\"\napplication c { iteration { compute 1us } }"}}) ==
          Notes{"code.psl:1:8: nothing from `t.psl` is called"});
    CHECK(noted(Texts{{"t.psl", library},
                      {"code.psl", "import \"t.psl\"\nimport \"./t.psl\"\napplication c { iteration { t() } }"}}) ==
          Notes{"code.psl:2:8: `./t.psl` is imported already"});
}

TEST_CASE("an imported file, and one without an application, is not examined, since it serves other models") {
    const std::string library = "template t() { allreduce 8B }\ntemplate unused(n: int) { allreduce 8B }";
    CHECK(noted(Texts{{"t.psl", library}, {"code.psl", "import \"t.psl\"\napplication c { iteration { t() } }"}}) ==
          Notes{});
    CHECK(noted("template t() { allreduce 8B }") == Notes{});
}

TEST_CASE("a branch with a constant condition is noted") {
    CHECK(noted("", "if 1 > 2 { compute 1us }") ==
          Notes{"code.psl:4:4: the condition is always false: the block is never executed"});
    CHECK(noted("", "if true { compute 1us } else { compute 2us }") ==
          Notes{"code.psl:4:4: the condition is always true: the `else` is never executed"});
    CHECK(noted("", "compute if false then 1us else 2us") ==
          Notes{"code.psl:4:12: the condition is always false: the value after `then` is never used"});
}

TEST_CASE("a condition is constant through variables, and the deciding side of `and` and `or` is enough") {
    CHECK(noted("let debug = false\nlet extra = debug and rows > 1", "if extra { compute 1us }") ==
          Notes{"code.psl:5:4: the condition is always false: the block is never executed"});
    CHECK(noted("", "if rows > 1 and column > 1 { compute 1us }") == Notes{});
}

TEST_CASE("a condition of parameters, of ranks or of iterations, and arithmetic that fails, is not constant") {
    CHECK(noted("param n: int = 0", "if n > 0 { compute 1us }") == Notes{});
    for (const char* condition : {"exists(west)", "iterations > 3", "quotient(1, 0) > 0"}) {
        CAPTURE(condition);
        CHECK(noted("", "if " + std::string(condition) + " { compute 1us }") == Notes{});
    }
}

TEST_CASE("a loop without iterations is noted at its number of iterations") {
    const std::string text = ": the loop has no iterations: its body is never executed";
    CHECK(noted("", "repeat 0 { compute 1us }") == Notes{"code.psl:4:8" + text});
    CHECK(noted("", "for i in 3..2 { compute i * 1us }") == Notes{"code.psl:4:10" + text});
    CHECK(noted("let corners = []", "for c in corners { recv from upstream_x(c) }") == Notes{"code.psl:4:10" + text});
}

TEST_CASE("work of zero time and messages to `nobody` are noted") {
    CHECK(noted("", "compute 2 * 0us") == Notes{"code.psl:4:9: this work takes no time: the statement does nothing"});
    CHECK(noted("", "analytic 2 * 0us") == Notes{"code.psl:4:10: this work takes no time: the statement does nothing"});
    CHECK(noted("", "send 8B to nobody") ==
          Notes{"code.psl:4:12: messages to `nobody` do not exist: this statement does nothing"});
    CHECK(noted("", "recv from nobody") ==
          Notes{"code.psl:4:11: messages from `nobody` do not exist: this statement does nothing"});
}

TEST_CASE("a long chain of variables is examined in linear time") {
    std::string lets = "let v0 = 1\n";
    for (int k = 1; k < 3000; ++k)
        lets +=
            "let v" + std::to_string(k) + " = min(v" + std::to_string(k - 1) + ", v" + std::to_string(k - 1) + ")\n";
    CHECK(noted(lets, "if v2999 > 1 { compute 1us }").size() == 1);
}

TEST_CASE("the parameters that nothing uses are known by name") {
    const Folder folder(
        Texts{{"code.psl", "application c { param a: int = 1  param b: int = 1  iteration { compute a * 1us } }"}});
    CHECK(unused_parameters(load(folder / "code.psl")) == std::vector<std::string>{"b"});
}

TEST_CASE("the shipped files have no notes, and at most 60 lines each") {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(WARPFRONT_SOURCE_DIR "/models")) {
        if (entry.path().extension() != ".psl") continue;
        CAPTURE(entry.path());
        ++files;
        const Model model = load(entry.path());
        CHECK(lints(model) == Notes{});
        const std::string_view text = model.sources().front()->text();
        CHECK(std::count(text.begin(), text.end(), '\n') <= 60);
    }
    CHECK(files > 20);
}

TEST_CASE("a collective over what is the same on all ranks is noted") {
    CHECK(noted("application code { iteration { allreduce 8B over rows } }") ==
          Notes{"code.psl:1:50: this value is the same on all ranks, so all ranks take part: expected `over row`, "
                "`over column`, or no `over`"});
    CHECK(noted("application code { iteration { allreduce 8B over row } }") == Notes{});
}

}  // namespace warpfront::psl
