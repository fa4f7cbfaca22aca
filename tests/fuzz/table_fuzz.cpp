// Reads any text as a published table: its rows, and the scenarios of the first few.
#include <algorithm>
#include <memory>

#include "simulator/scenario/reference_data.hpp"
#include "tests/fuzz/texts.hpp"

using namespace warpfront;

namespace {

const scenario::ScenarioDocument& base() {
    static const auto source = std::make_shared<const input::SourceFile>(
        "scenario.yaml", "{model: m.psl, platform: p.yaml, ranks: {columns: 2, rows: 2}, parameters: {wg: 1us}}");
    static const scenario::ScenarioDocument document = scenario::parse_document("scenario.yaml", source, {});
    return document;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto source = std::make_shared<const input::SourceFile>("table.csv", fuzz::text_of(data, size));
    input::Diagnostics faults;
    const scenario::ReferenceTable table = scenario::read_reference_table(source, faults);
    for (std::size_t row = 0; row < std::min(table.rows.size(), std::size_t{3}); ++row) {
        try {
            scenario::scenario_of(table.rows[row], scenario::document_of(table.rows[row], base()));
        } catch (const input::BadInput&) {}
    }
    return 0;
}
