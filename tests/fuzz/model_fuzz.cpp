// Reads any text as a PSL model beside the shipped ones, which it may import: it is read, checked, formatted, searched
// for lints, and lowered for 3 x 2 ranks with the defaults of its parameters. The lowered program must be valid.
#include <cstdlib>
#include <memory>

#include "psl/checking/lints.hpp"
#include "psl/editing/format.hpp"
#include "psl/psl.hpp"
#include "tests/fuzz/texts.hpp"
#include "tests/validation/validate.hpp"

using namespace warpfront;

namespace {

/// Returns a value for every parameter without a default.
std::map<std::string, psl::Binding> parameters_of(const psl::Model& model) {
    static const std::map<std::string, std::string> values{{"time", "1us"}, {"bytes", "8B"}, {"bool", "true"}};
    std::map<std::string, psl::Binding> bound;
    for (const psl::ParameterInfo& parameter : model.parameters()) {
        if (!parameter.required) continue;
        const auto value = values.find(parameter.type);
        bound[parameter.name] = {value == values.end() ? "6" : value->second, {}};
    }
    return bound;
}

void read_model(const std::string& text) {
    const psl::Model model = psl::load_text(WARPFRONT_SOURCE_DIR "/models/sweep3d/fuzzed.psl", text);
    psl::lints(model);
    psl::formatted(std::make_shared<const input::SourceFile>("model.psl", text));
    if (model.name().empty()) return;  // a file of declarations
    psl::Bindings bindings;
    bindings.grid = {3, 2};
    bindings.iterations = 12;
    bindings.parameters = parameters_of(model);
    bindings.processor = psl::Processor{"p", 1e9};
    if (!program::validate(psl::lower(model, bindings)).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        read_model(fuzz::text_of(data, size));
    } catch (const input::BadInput&) {}
    return 0;
}
