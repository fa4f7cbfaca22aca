// Roles of parameters: which parameter has one, how a scenario binds it, and the faults of both.
#include "psl/syntax/roles.hpp"

#include <doctest/doctest.h>

#include "tests/faults.hpp"
#include "tests/psl/models.hpp"

using namespace warpfront;
using namespace warpfront::psl;
using namespace warpfront::test;
using input::DiagnosticKind;

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
    CHECK(faults_of_parameters("param n: int = 1 as cells") == Kinds{DiagnosticKind::unknown_name});
    CHECK(faults_of_parameters("param n: time = 1us as cells_x") == Kinds{DiagnosticKind::wrong_type});
    CHECK(faults_of_parameters("param n: int = 1 as cells_x\nparam m: int = 1 as cells_x") ==
          Kinds{DiagnosticKind::duplicate_name});
    CHECK(faults_of_parameters("param n: int = 1 as") == Kinds{DiagnosticKind::psl_syntax});
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
    CHECK(kinds_of(none) == Kinds{DiagnosticKind::unknown_parameter});
    CHECK(none.all()[0].expected == "expected one in the model, such as `param nx: int as cells_x`");
    const input::Diagnostics both =
        refused_for("param imax: int = 1 as cells_x", bound_to(Role::cells_x, {{"imax", {"7", {}}}}));
    CHECK(kinds_of(both) == Kinds{DiagnosticKind::conflicting_keys});
    CHECK(both.all()[0].message == "`cells_per_rank.x` beside `parameters.imax`");
}
