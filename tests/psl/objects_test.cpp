// Objects with defaults, and scenarios that replace them.
#include "psl/syntax/roles.hpp"
#include "tests/psl/models.hpp"

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
    std::vector<std::int64_t> all;
    for (const Event& event : steps(lowered(text, bindings_with(objects, run)), {0})) all.push_back(event.amount);
    return all;
}
using Works = std::vector<std::int64_t>;

Refusal refused_objects(const std::string& text, const Objects& objects) {
    return refused_run(text, bindings_with(objects));
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

TEST_CASE("replacing what a scenario cannot replace is a fault at its value") {
    CHECK(refused_objects(kBlock, {{"blok", {{"wg", "5us"}}}}).summary ==
          "blok.wg:1:1 unknown_parameter [5us] the model has no object `blok` | did you mean `block`?");
    CHECK(refused_objects(kBlock, {{"code", {{"wg", "5us"}}}}).summary ==
          "code.wg:1:1 unknown_parameter [5us] `code` is the application of the model | expected `parameters.wg`, "
          "which sets a parameter of the application");
    CHECK(
        refused_objects(kBlock, {{"block", {{"cells", "5"}}}}).summary ==
        "block.cells:1:1 unknown_parameter [5] `block` has no default `cells` to replace | expected one of `n`, `wg`");
    CHECK(refused_objects(kBlock, {{"block", {{"n", "5us"}}}}).kinds.size() == 1);
}

TEST_CASE("faults of defaults") {
    CHECK(refused("subtask s(n: int = 1us) { }").kinds == Kinds{wrong_type});
    CHECK(refused("subtask s(n: int = 1, m: int) { }").kinds == Kinds{wrong_arity});
    CHECK(refused("subtask s(n: int = m, m: int = 1) { }").kinds == Kinds{unknown_name});
    CHECK(refused("subtask s(n: int, m: int = 1) { }\n" + iterating("    s()\n")).summary ==
          "4:5 wrong_arity [s()] `s` is given 0 values | expected (n: int, m: int = ...)");
    CHECK(refused("subtask s(n: int = 1) { }\n" + iterating("s(1, 2)")).kinds == Kinds{wrong_arity});
}

// Roles of parameters: the parameter with a role, its binding by a scenario, and the faults of both.

namespace {

Model model_of(const std::string& parameters) {
    return load_text("m.psl", "application m {\n" + parameters + "\niteration { compute 1us }\n}\n");
}

Kinds faults_of_parameters(const std::string& parameters) {
    return kinds_of(faults_of([&] { model_of(parameters); }));
}

Bindings bound_to(Role role, std::map<std::string, Binding> parameters = {}) {
    Bindings bindings;
    bindings.grid = {1, 1};
    bindings.parameters = std::move(parameters);
    bindings.roles.push_back({role, {"120", {}}, "cells_per_rank.x"});
    return bindings;
}

}  // namespace

TEST_CASE("a parameter has the role that it states") {
    const Model model = model_of("param imax: int = 10 as cells_x\nparam w: time = 1us as work");
    CHECK(model.parameter_with(Role::cells_x) == "imax");
    CHECK(model.parameter_with(Role::work) == "w");
    CHECK_FALSE(model.parameter_with(Role::cells_y));
}

TEST_CASE("a parameter with the usual name has the role, unless another states it or it is of another type") {
    CHECK(model_of("param nx: int = 1").parameter_with(Role::cells_x) == "nx");
    CHECK(model_of("param nx: int = 1\nparam imax: int = 1 as cells_x").parameter_with(Role::cells_x) == "imax");
    CHECK_FALSE(model_of("param nx: real = 1").parameter_with(Role::cells_x));
    CHECK_FALSE(model_of("param nx: int = 1 as cells_y").parameter_with(Role::cells_x));
    CHECK(model_of("param htile: int = 1").parameter_with(Role::tile_planes) == "htile");
    CHECK(model_of("param mk: int = 1").parameter_with(Role::tile_planes) == "mk");
}

TEST_CASE("`as` and the names of roles stay names elsewhere") {
    CHECK(model_of("param as: int = 1\nparam work: int = as").parameters().size() == 2);
}

TEST_CASE("faults of roles") {
    CHECK(faults_of_parameters("param n: int = 1 as cells") == Kinds{unknown_name});
    CHECK(faults_of_parameters("param n: time = 1us as cells_x") == Kinds{wrong_type});
    CHECK(faults_of_parameters("param n: int = 1 as cells_x\nparam m: int = 1 as cells_x") == Kinds{duplicate_name});
    CHECK(faults_of_parameters("param n: int = 1 as") == Kinds{psl_syntax});
}

TEST_CASE("a scenario binds a parameter by its role") {
    const Model model =
        load_text("m.psl", "application m {\nparam imax: int as cells_x\niteration { compute imax * 1us }\n}\n");
    const program::Program program = lower(model, bound_to(Role::cells_x));
    CHECK(program.classes[0].code[0].amount == 120'000'000);
}

TEST_CASE("a role that no parameter has, and one whose parameter is bound by name too, are faults of the scenario") {
    const auto refused_for = [](const std::string& parameters, const Bindings& bindings) {
        const Model model = model_of(parameters);
        return faults_of([&] { lower(model, bindings); });
    };
    const input::Diagnostics none = refused_for("param n: int = 1", bound_to(Role::cells_x));
    CHECK(kinds_of(none) == Kinds{unknown_parameter});
    CHECK(none.all()[0].expected == "expected a parameter in the model, such as `param nx: int as cells_x`");
    const input::Diagnostics both =
        refused_for("param imax: int = 1 as cells_x", bound_to(Role::cells_x, {{"imax", {"7", {}}}}));
    CHECK(kinds_of(both) == Kinds{conflicting_keys});
    CHECK(both.all()[0].message == "`cells_per_rank.x` and `parameters.imax` set the same quantity");
}
