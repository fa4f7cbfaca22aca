// Reads any text as a table of a benchmark, and fits the rows of a layer to it.
#include <memory>

#include "tests/fuzz/texts.hpp"
#include "tools/from_code/fitting/layer_costs.hpp"

using namespace warpfront;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto source = std::make_shared<const input::SourceFile>("table.csv", fuzz::text_of(data, size));
    input::Diagnostics faults;
    std::vector<tools::BenchmarkTable> tables;
    tables.push_back(tools::read_benchmark_table(source, faults));
    if (!faults.empty()) return 0;
    try {
        tools::fit_layer("network", std::move(tables), {});
    } catch (const input::BadInput&) {}
    return 0;
}
