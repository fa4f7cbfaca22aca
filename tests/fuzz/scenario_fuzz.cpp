// Reads any text as a scenario and echoes it. A line `#set PATH=VALUE`, a comment of YAML, is also an argument of
// --set.
#include <memory>

#include "simulator/scenario/scenario.hpp"
#include "tests/fuzz/texts.hpp"

using namespace warpfront;

namespace {

std::vector<std::string> sets_in(const std::string& text) {
    static const std::string kMark = "#set ";
    std::vector<std::string> sets;
    for (std::size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at)) {
        at += kMark.size();
        sets.push_back(text.substr(at, text.find('\n', at) - at));
    }
    return sets;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = fuzz::text_of(data, size);
    try {
        const auto source = std::make_shared<const input::SourceFile>("scenario.yaml", text);
        scenario::echo(scenario::read_scenario(scenario::parse_document("scenario.yaml", source, sets_in(text))));
    } catch (const input::BadInput&) {}
    return 0;
}
