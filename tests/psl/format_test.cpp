// The canonical layout of models.
#include "psl/editing/format.hpp"

#include "psl/syntax/lexer.hpp"
#include "tests/psl/draws.hpp"
#include "tests/psl/models.hpp"

namespace {

std::string canonical(const std::string& text) {
    return formatted(std::make_shared<const input::SourceFile>("code.psl", text));
}

/// Returns the texts of all tokens, and those of comments.
std::vector<std::string> tokens_of(const std::string& text) {
    const auto source = std::make_shared<const input::SourceFile>("code.psl", text);
    input::Diagnostics faults;
    std::vector<std::string> all;
    for (const Token& token : tokens(source, 0, faults)) all.emplace_back(token.text);
    REQUIRE(faults.empty());
    return all;
}

std::vector<std::string> texts_of_models() {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(WARPFRONT_SOURCE_DIR "/models")) {
        if (entry.path().extension() != ".psl") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        all.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return all;
}

}  // namespace

TEST_CASE("one statement on a line, blanks as in the shipped models") {
    CHECK(canonical("import \"a.psl\" application  code{param nx:int=3 let a=[1,2] iteration k{if k==1{send 8B*nx to "
                    "east tag 1}else if not(k>2){compute-1us*-a[ 1 ]^2}else{}for i in 1 .. nx-1{t(i,( 2+3 )*4)}}}\n"
                    "template t(n:int,m:int=2){allreduce 8B*n*m}") ==
          "import \"a.psl\"\n"
          "application code {\n"
          "    param nx: int = 3\n"
          "    let a = [1, 2]\n"
          "    iteration k {\n"
          "        if k == 1 {\n"
          "            send 8B * nx to east tag 1\n"
          "        } else if not (k > 2) {\n"
          "            compute -1us * -a[1] ^ 2\n"
          "        } else { }\n"
          "        for i in 1..nx - 1 {\n"
          "            t(i, (2 + 3) * 4)\n"
          "        }\n"
          "    }\n"
          "}\n"
          "\n"
          "template t(n: int, m: int = 2) {\n"
          "    allreduce 8B * n * m\n"
          "}\n");
}

TEST_CASE("costs and hardware have the layout of other blocks") {
    CHECK(canonical("hardware p{processor \"P\" rate=1Mflops operation MUL=9ns}subtask s(n:int):time{time(1us+2us)loop "
                    "(n){count MUL (n+1) case{0.5{flops n}}}}function f(n:int):int=(n)") ==
          "hardware p {\n"
          "    processor \"P\"\n"
          "    rate = 1Mflops\n"
          "    operation MUL = 9ns\n"
          "}\n"
          "\n"
          "subtask s(n: int): time {\n"
          "    time (1us + 2us)\n"
          "    loop (n) {\n"
          "        count MUL (n + 1)\n"
          "        case {\n"
          "            0.5 {\n"
          "                flops n\n"
          "            }\n"
          "        }\n"
          "    }\n"
          "}\n"
          "\n"
          "function f(n: int): int = (n)\n");
}

TEST_CASE("comments stay where they belong, and those of neighbouring lines begin in one column") {
    CHECK(canonical(
              "// of the file\n\n\n\n/* two\n   lines */\ntemplate t(n: int) { // head\n\n  // first\n  let a = n // "
              "short\n"
              "  let longer = a       // long\n\n\n  compute 1us * /* within */ longer +   // of the operator\n 2us\n"
              "  // last\n}   // end\n// after\n") ==
          "// of the file\n"
          "\n"
          "/* two\n   lines */\n"
          "template t(n: int) {  // head\n"
          "    // first\n"
          "    let a = n       // short\n"
          "    let longer = a  // long\n"
          "\n"
          "    compute 1us * /* within */ longer +  // of the operator\n"
          "        2us\n"
          "    // last\n"
          "}  // end\n"
          "// after\n");
}

TEST_CASE("a line of more than 120 columns breaks after a comma or before an operator") {
    const std::string term = "a_rather_long_name_of_a_parameter";
    const std::string text = canonical("template t(" + term + ": int) { compute 1us * (" + term + " + " + term + " + " +
                                       term + " + " + term + ") }");
    CHECK(text == "template t(" + term + ": int) {\n    compute 1us * (" + term + " + " + term + "\n        + " + term +
                      " + " + term + ")\n}\n");
}

TEST_CASE("comments and line breaks anywhere leave the layout stable") {
    const std::vector<std::string> texts = texts_of_models();
    const std::vector<std::string> inserted{" // c\n", "/* c */", "\n\n\n", "\n// own\n", "\n/* own */\n", " \t"};
    std::size_t sound = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Draws draws(seed);
        std::string text = texts[draws.below(texts.size())];
        for (std::size_t change = draws.below(4) + 1; change > 0; --change) {
            std::size_t at = draws.below(text.size());
            while (at < text.size() && text[at] != ' ' && text[at] != '\n') ++at;
            text.insert(at, inserted[draws.below(inserted.size())]);
        }
        if (!refused(text).kinds.empty() && refused(text).kinds[0] != unreadable_file) {
            continue;  // a line break in a comment
        }
        ++sound;
        const std::string once = canonical(text);
        CAPTURE(seed);
        CHECK(canonical(once) == once);
        CHECK(tokens_of(once) == tokens_of(text));
        const auto comments = [](const std::string& all) { return std::count(all.begin(), all.end(), '/'); };
        CHECK(comments(once) == comments(text));
    }
    CHECK(sound > 200);
}

TEST_CASE("the shipped models are in canonical layout") {
    REQUIRE(texts_of_models().size() >= 8);
    for (const std::string& text : texts_of_models()) CHECK(canonical(text) == text);
}

TEST_CASE("a text that does not parse is refused") { CHECK_THROWS_AS(canonical("application a {"), input::BadInput); }
