// Reads any text as a result, or as a timeline in Chrome's format, and writes it as a page does.
#include <memory>

#include "simulator/input/diagnostic.hpp"
#include "tests/fuzz/texts.hpp"
#include "tools/report/page/page.hpp"

using namespace warpfront;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = std::make_shared<const input::SourceFile>("result.json", fuzz::text_of(data, size));
    try {
        const tools::NamedResult read = tools::read_result(file);
        (void)read.result.dump();
    } catch (const input::BadInput&) {}
    return 0;
}
