// Which measured tables the shipped calibrations may read: the list stands here, so that another one is a decision.
#include <regex>

#include <doctest/doctest.h>

#include "tests/repository/files.hpp"

using namespace warpfront::repository;

namespace {

const std::set<std::string> kFittedTables = {
    "models/allreduce/measured/xt4.csv", "models/chimaera/measured/infiniband.csv", "models/chimaera/measured/xt4.csv",
    "models/lu/measured/xt3.csv",        "models/sweep3d/measured/pentium3.csv",    "models/sweep3d/measured/xt4.csv",
};

std::set<std::string> tables_of_plans() {
    static const std::regex against(R"(against:\s*([^,}\s]+))");
    std::set<std::string> tables;
    for (const std::string& plan : files_below("models/calibration", {".yaml"})) {
        const std::string text = text_of(root() / plan);
        for (std::sregex_iterator at(text.begin(), text.end(), against), end; at != end; ++at) {
            tables.insert((std::filesystem::path(plan).parent_path() / (*at)[1].str()).lexically_normal().string());
        }
    }
    return tables;
}

bool is_never_fitted(const std::string& table) {
    return text_of(root() / table).find("never fitted") != std::string::npos;
}

}  // namespace

TEST_CASE("calibrations are fitted to these tables alone") { CHECK(tables_of_plans() == kFittedTables); }

TEST_CASE("no calibration is fitted to a table marked never fitted") {
    CHECK(is_never_fitted("models/sources/mudalige-2009/table-4.13.csv"));
    for (const std::string& table : tables_of_plans()) {
        CAPTURE(table);
        CHECK_FALSE(is_never_fitted(table));
    }
}
