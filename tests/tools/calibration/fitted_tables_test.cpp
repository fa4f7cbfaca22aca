// The tables that shipped calibrations are fitted to. All other tables are for predictions: a term chosen by looking at
// them would prove nothing by matching them.
#include "tests/preamble.hpp"
#include "tools/study/calibration/plan.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path kModels = fs::path(WARPFRONT_SOURCE_DIR) / "models";

std::set<std::string> fitted_tables() {
    std::set<std::string> tables;
    for (const auto& plan : fs::directory_iterator(kModels / "calibration")) {
        for (const auto& runs : tools::read_calibration_plan(plan.path()).runs) {
            tables.insert(runs.file.lexically_normal().lexically_relative(kModels).generic_string());
        }
    }
    return tables;
}

}  // namespace

TEST_CASE("calibrations are fitted to these tables and no others") {
    CHECK(fitted_tables() == std::set<std::string>{"allreduce/measured/xt4.csv", "chimaera/measured/infiniband.csv",
                                                   "chimaera/measured/xt4.csv", "lu/measured/xt3.csv",
                                                   "sweep3d/measured/pentium3.csv", "sweep3d/measured/xt4.csv"});
}

TEST_CASE("every table of a source that is not fitted is marked in its comment, and no fitted one is") {
    const std::set<std::string> fitted = fitted_tables();
    for (const auto& entry : fs::recursive_directory_iterator(kModels)) {
        if (entry.path().extension() != ".csv" || entry.path().parent_path().filename() == "maps") continue;
        const std::string name = entry.path().lexically_relative(kModels).generic_string();
        std::ifstream file(entry.path());
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        const bool has_runs = text.find("exec") != std::string::npos;
        const bool marked = text.find("never fitted") != std::string::npos;
        CHECK_MESSAGE(!(marked && fitted.contains(name)), name);
        CHECK_MESSAGE((marked || fitted.contains(name) || !has_runs), name);
    }
}
