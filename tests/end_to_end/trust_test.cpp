// The README's table of errors against measurements is what `compare` finds. The tables of thousands of ranks take
// minutes and are left out here.
#include <cmath>
#include <map>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;
using nlohmann::json;

namespace {

/// Mean absolute errors by method.
std::map<std::string, double> errors_of(const std::string& scenario, const std::string& table) {
    const json result = json_of(
        fmt::format("compare models/{} --against models/{} --engines event,analytic --threads 2", scenario, table));
    std::map<std::string, double> errors;
    for (const json& method : result.at("statistics")) {
        errors[method.at("method").get<std::string>()] = method.at("mean_absolute_error_pct").get<double>();
    }
    return errors;
}

void check_row(const std::string& name, const std::map<std::string, double>& errors) {
    const std::string page = text_of(kRoot / "README.md");
    const std::size_t row = page.find("\n| " + name + " |");
    REQUIRE(row != std::string::npos);
    const std::string line = page.substr(row + 1, page.find('\n', row + 1) - row - 1);
    for (const char* method : {"event", "analytic"}) {
        CAPTURE(method);
        CHECK_MESSAGE(holds(line, fmt::format("| {:.2f} % |", errors.at(method))), line, errors.at(method));
    }
}

}  // namespace

TEST_CASE("the README has the errors of each code on its machine") {
    check_row("LU, XT3", errors_of("lu/lu.yaml", "lu/measured/xt3.csv"));
    check_row("Sweep3D, Pentium 3", errors_of("sweep3d/pentium3.yaml", "sweep3d/measured/pentium3.csv"));
    check_row("Chimaera, XT4", errors_of("chimaera/chimaera.yaml", "chimaera/measured/xt4.csv"));
    check_row("Allreduce, XT4", errors_of("allreduce/allreduce.yaml", "allreduce/measured/xt4.csv"));
}

TEST_CASE("every allreduce on the XT4 is within 5 % of its measurement") {
    const json result =
        json_of("compare models/allreduce/allreduce.yaml --against models/allreduce/measured/xt4.csv --engines event");
    for (const json& row : result.at("rows")) {
        CHECK(std::abs(row.at("difference_pct").at("event/exec").get<double>()) < 5.0);
    }
}
