// Every model in psl/README.md is one that loads, and the complete one runs.
#include "psl/editing/format.hpp"
#include "psl/syntax/lexer.hpp"
#include "tests/psl/models.hpp"

using namespace warpfront;
using namespace warpfront::psl;

namespace {

std::vector<std::string> examples() {
    std::ifstream readme(WARPFRONT_SOURCE_DIR "/psl/README.md");
    std::vector<std::string> all;
    bool inside = false;
    for (std::string line; std::getline(readme, line);) {
        if (line == "```psl") {
            inside = true;
            all.emplace_back();
        } else if (line == "```") {
            inside = false;
        } else if (inside) {
            all.back() += line + "\n";
        }
    }
    return all;
}

}  // namespace

TEST_CASE("every example of the language's description loads, is in canonical layout, and runs if it is a code") {
    REQUIRE(examples().size() >= 5);
    for (const std::string& example : examples()) {
        CAPTURE(example);
        CHECK(refused(example).text == "");
        CHECK(formatted(std::make_shared<const input::SourceFile>("code.psl", example)) == example);
        const Folder folder(Texts{{"code.psl", example}});
        const Model model = load(folder / "code.psl");
        if (model.name().empty()) continue;
        Run run{4, 4, 10};
        run.processor = Processor{"Pentium 3", 110e6};
        for (const ParameterInfo& parameter : model.parameters()) {
            if (parameter.required) run.parameters.emplace_back(parameter.name, "0.5us");
        }
        CHECK(program::validate(lower(model, run.bindings())) == "");
    }
}

TEST_CASE("the description lists every reserved word") {
    std::ifstream readme(WARPFRONT_SOURCE_DIR "/psl/README.md");
    std::string words;
    bool inside = false;
    for (std::string line; std::getline(readme, line) && line.find("They cannot") == std::string::npos;) {
        inside = inside || line == "## Reserved words";
        if (inside && line.find('`') == 0) words += line + " ";
    }
    std::string expected;
    for (const std::string& word : keywords()) expected += "`" + word + "` ";
    CHECK(words == expected);
}

TEST_CASE("the description's complete example is a wavefront code") {
    const program::Program program = lowered(examples()[0], Run{4, 4, 10, {{"wg", "0.5us"}}});
    CHECK(program::validate(program) == "");
    CHECK(program.classes.size() == 9);
    CHECK(program.closed_form.size() == 1);
}
