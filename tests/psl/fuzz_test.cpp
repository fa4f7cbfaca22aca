// Mutated models are loaded and lowered, or refused; they never crash or hang. The mutations are fixed: they come from
// a counter-based generator, so that a failure names the mutation that caused it.
#include "psl/checking/lints.hpp"
#include "psl/editing/format.hpp"
#include "tests/psl/draws.hpp"
#include "tests/psl/models.hpp"
#include "tests/validation/validate.hpp"

namespace {

std::string text_of(const std::string& path) {
    std::ifstream file(std::string(WARPFRONT_SOURCE_DIR "/models/") + path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Returns the text with one change: a stretch removed, doubled or moved, a byte changed, or a word of the language
/// inserted.
std::string mutated(std::string text, Draws& draws) {
    static const std::vector<std::string> words = each_of(
        "k|column|rank|if | else |repeat |for i in 1..k { |}|{|(|)|9223372036854775807|-1|0|1e400us|0us|"
        "8B| * | / | % |[|]|\"|//|\n|corners|west|nobody|share(|1..| and |not |tag 3|var v = 1 |"
        "v = v + k |while v < k { |[k]|^|/*|length(|function f(n: int): int = n ",
        "|");
    const std::size_t at = draws.below(text.size() + 1);
    const std::size_t length = std::min(draws.below(12), text.size() - at);
    switch (draws.below(5)) {
        case 0: return text.erase(at, length);
        case 1: return text.insert(at, text.substr(at, length));
        case 2: return text.insert(draws.below(text.size() + 1), text.substr(at, length));
        case 3: return text.insert(at, 1, static_cast<char>(draws.below(256)));
        default: return text.insert(at, words[draws.below(words.size())]);
    }
}

std::string laid_out(const std::string& text) {
    return formatted(std::make_shared<const input::SourceFile>("code.psl", text));
}

}  // namespace

TEST_CASE("no mutation of a model does more than be refused") {
    const std::vector<std::string> paths{"sweep3d/sweep3d.psl", "chimaera/chimaera.psl", "lu/lu.psl"};
    const std::string pipeline = text_of("pipeline.psl");
    const std::string halo = text_of("halo.psl");
    std::size_t sound = 0;
    std::set<DiagnosticKind> kinds;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        CAPTURE(seed);
        Draws draws(seed);
        std::string code = text_of(paths[seed % paths.size()]);
        for (std::size_t at = code.find("../"); at != std::string::npos; at = code.find("../")) code.erase(at, 3);
        Texts texts{{"code.psl", code}, {"pipeline.psl", pipeline}, {"halo.psl", halo}};
        for (std::size_t change = draws.below(3) + 1; change > 0; --change) {
            const char* const names[]{"code.psl", "code.psl", "pipeline.psl", "halo.psl"};
            std::string& text = texts[names[draws.below(4)]];
            text = mutated(text, draws);
        }
        const Folder folder(texts);
        const Refusal fault = refusal(folder, [&] {
            const Model model = load(folder / "code.psl");
            lints(model);  // of any model that loads
            const std::string once = laid_out(texts["code.psl"]);
            CHECK(laid_out(once) == once);
            if (model.name().empty()) return;
            const program::Program program =
                lower(model, Run{3, 2, 12, {{"wg", "1us"}, {"nx", "9"}, {"ny", "8"}, {"nz", "7"}}}.bindings());
            CHECK(program::validate(program) == "");
            ++sound;
        });
        kinds.insert(fault.kinds.begin(), fault.kinds.end());
    }
    CHECK(sound > 100);       // the mutations are mild enough to reach the lowering
    CHECK(kinds.size() > 8);  // and strong enough to be refused in many ways
}
