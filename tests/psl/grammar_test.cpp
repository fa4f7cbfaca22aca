// The TextMate grammar, applied in the same way as by an editor: line by line, at each place the pattern that matches
// first; if several match there, the first in the list.
#include <regex>

#include <nlohmann/json.hpp>

#include "psl/editing/format.hpp"
#include "psl/editing/symbols.hpp"
#include "psl/syntax/keywords.hpp"
#include "psl/syntax/lexer.hpp"
#include "psl/syntax/parser.hpp"
#include "tests/psl/models.hpp"
#include "tests/validation/validate.hpp"

using nlohmann::json;

namespace {

std::string text_of_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const json& grammar() {
    static const json read = json::parse(text_of_file(WARPFRONT_SOURCE_DIR "/psl/psl.tmLanguage.json"));
    return read;
}

struct Pattern {
    std::string scope;
    std::regex match;
    bool block = false;  // a comment up to `*/`
};

std::vector<Pattern> patterns() {
    std::vector<Pattern> all;
    for (const json& each : grammar().at("patterns")) {
        const bool block = each.contains("begin");
        all.push_back({each.at("name"), std::regex(each.at(block ? "begin" : "match").get<std::string>()), block});
    }
    return all;
}

/// Returns the scope of every byte.
std::vector<std::string> scopes_of(const std::string& text) {
    const std::vector<Pattern> all = patterns();
    std::vector<std::string> scopes(text.size());
    const auto mark = [&](std::size_t from, std::size_t to, const std::string& scope) {
        for (; from < to; ++from) scopes[from] = scope;
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t line_end = std::min(text.find('\n', at), text.size());
        const auto begin = text.cbegin() + static_cast<std::ptrdiff_t>(at);
        const auto end = text.cbegin() + static_cast<std::ptrdiff_t>(line_end);
        const Pattern* first = nullptr;
        std::smatch best;
        for (const Pattern& each : all) {
            std::smatch found;
            const auto flags = at > 0 ? std::regex_constants::match_prev_avail : std::regex_constants::match_default;
            if (!std::regex_search(begin, end, found, each.match, flags)) continue;
            if (first == nullptr || found.position() < best.position()) {
                first = &each;
                best = found;
            }
        }
        if (first == nullptr) {
            at = line_end + 1;
            continue;
        }
        const std::size_t from = at + static_cast<std::size_t>(best.position());
        at = first->block ? text.find("*/", from) + 2 : from + static_cast<std::size_t>(best.length());
        mark(from, at, first->scope);
    }
    return scopes;
}

/// Returns the words of the grammar's lists whose scope has this beginning.
std::set<std::string> words(const std::string& scope) {
    std::set<std::string> all;
    static const std::regex word("[a-z_0-9]{2,}");
    for (const json& each : grammar().at("patterns")) {
        if (!each.at("name").get<std::string>().starts_with(scope) || !each.contains("match")) continue;
        const std::string list = each.at("match");
        const std::size_t open = list.find('(');
        const std::string inside = list.substr(open, list.find(')') - open);
        for (std::sregex_iterator at(inside.begin(), inside.end(), word); at != std::sregex_iterator(); ++at) {
            all.insert(at->str());
        }
    }
    return all;
}

/// Returns the words that only one of the two has: "`send` `recv` ".
std::string differences(const std::set<std::string>& some, const std::set<std::string>& others) {
    std::vector<std::string> words;
    std::set_symmetric_difference(some.begin(), some.end(), others.begin(), others.end(), std::back_inserter(words));
    std::string all;
    for (const std::string& each : words) all += fmt::format("`{}` ", each);
    return all;
}

std::set<std::string> reserved_words() {
    std::set<std::string> all;
    for (const Keyword& each : keywords()) all.emplace(each.word);
    return all;
}

/// Returns the words at the beginning of texts in backticks.
std::set<std::string> quoted_words(const std::string& text) {
    std::set<std::string> all;
    static const std::regex quoted("`([^`]+)`");
    static const std::regex word("[a-z_0-9]+");
    for (std::sregex_iterator at(text.begin(), text.end(), quoted); at != std::sregex_iterator(); ++at) {
        const std::string inside = (*at)[1];
        std::smatch first;
        if (std::regex_search(inside, first, word, std::regex_constants::match_continuous)) all.insert(first.str());
    }
    return all;
}

/// Returns the words in the paragraph of the language's page with this beginning.
std::set<std::string> words_of_page(const std::string& beginning) {
    const std::string page = text_of_file(WARPFRONT_SOURCE_DIR "/psl/README.md");
    const std::size_t from = page.find("\n" + beginning);
    REQUIRE(from != std::string::npos);
    return quoted_words(page.substr(from, page.find("\n\n", from + 1) - from));
}

}  // namespace

TEST_CASE("the grammar has every word of the language, each once") {
    std::set<std::string> reserved = words("storage.type");
    for (const char* scope : {"keyword.control", "keyword.other", "keyword.operator.word"})
        reserved.merge(words(scope));
    reserved.merge(std::set<std::string>{"true", "false"});
    CHECK(differences(reserved, reserved_words()) == "");
    CHECK(differences(words("support.type"), {kind_names().begin(), kind_names().end()}) == "");
    CHECK(differences(words("support.function"), {function_names().begin(), function_names().end()}) == "");
    std::set<std::string> constants{"true", "false"};
    for (const Builtin& each : builtins()) constants.emplace(each.name);
    CHECK(differences(words("constant.language"), constants) == "");
}

TEST_CASE("the grammar, completion and the page have the words of one kind of block, too") {
    std::set<std::string> block_words;
    std::set<std::string> with_types = words("keyword.block");
    with_types.merge(words("support.type"));
    std::set<std::string> completed;
    for (const Word& each : psl::words(nullptr)) CHECK(completed.insert(each.text).second);
    for (const BlockWord& each : kBlockWords) {
        block_words.emplace(each.word);
        CHECK(with_types.contains(std::string(each.word)));
        CHECK(completed.contains(std::string(each.word)));
    }
    for (const std::string& each : words("keyword.block")) CHECK(block_words.contains(each));
    block_words.insert("hardware");
    CHECK(differences(words_of_page("The words of one kind of block"), block_words) == "");
}

TEST_CASE("completion and the page have every reserved word") {
    std::set<std::string> completed;
    for (const Word& each : psl::words(nullptr)) {
        if (each.kind == Word::Kind::keyword && find_block_word(each.text) == nullptr) completed.insert(each.text);
    }
    CHECK(differences(completed, reserved_words()) == "");
    CHECK(differences(words_of_page("The reserved words"), reserved_words()) == "");
}

TEST_CASE("the words of the fuzzer have every word of the language") {
    const std::string fuzzed = text_of_file(WARPFRONT_SOURCE_DIR "/tests/fuzz/words/model.txt");
    for (const Word& each : psl::words(nullptr)) {
        CAPTURE(each.text);
        CHECK(fuzzed.find(fmt::format("\"{}\"\n", each.text)) != std::string::npos);
    }
}

TEST_CASE("the words that the parser expects in a block of each kind are words of the language") {
    for (std::string text : {"?", "application a { ? }", "application a { iteration { ? } }", "hardware h { ? }",
                             "subtask s(): time { ? }", "subtask s() { ? }"}) {
        CAPTURE(text);
        text.replace(text.find('?'), 1, "zzz 1");
        input::Diagnostics faults;
        parse(std::make_shared<const input::SourceFile>("m.psl", text), 0, faults);
        REQUIRE(!faults.empty());
        const std::set<std::string> expected = quoted_words(faults.all().front().expected);
        CHECK(!expected.empty());
        for (const std::string& each : expected) {
            CAPTURE(each);
            CHECK((find_keyword(each) != nullptr || find_block_word(each) != nullptr));
        }
    }
}

TEST_CASE("a word of one kind of block has its colour there, and as a name that of a name") {
    const std::string text =
        "application a {\n    param count: int = 1\n    note count > 1, \"many\"\n"
        "    subtask s(): time {\n        loop count {\n            flops 2\n        }\n        case { }\n    }\n}\n";
    const std::vector<std::string> scopes = scopes_of(text);
    CHECK(scopes[text.find("note")] == "keyword.block.psl");
    CHECK(scopes[text.find("loop")] == "keyword.block.psl");
    CHECK(scopes[text.find("flops")] == "keyword.block.psl");
    CHECK(scopes[text.find("case")] == "keyword.block.psl");
    for (std::size_t at = text.find("count"); at != std::string::npos; at = text.find("count", at + 1)) {
        CHECK(scopes[at] == "variable.other.psl");
    }
}

TEST_CASE("every token of the shipped models has the scope of its form") {
    std::size_t tokens_seen = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(WARPFRONT_SOURCE_DIR "/models")) {
        if (entry.path().extension() != ".psl") continue;
        CAPTURE(entry.path());
        const auto source = std::make_shared<const input::SourceFile>("code.psl", text_of_file(entry.path()));
        const std::vector<std::string> scopes = scopes_of(std::string(source->text()));
        input::Diagnostics faults;
        for (const Token& token : tokens(source, 0, faults)) {
            if (token.form == Token::Form::end) continue;
            const std::string& scope = scopes[token.span.offset];
            CAPTURE(token.text);
            ++tokens_seen;
            CHECK(scopes[token.span.offset + token.span.length - 1] == scope);
            switch (token.form) {
                case Token::Form::number: CHECK(scope == "constant.numeric.psl"); break;
                case Token::Form::string: CHECK(scope == "string.quoted.double.psl"); break;
                case Token::Form::name:
                    CHECK((!scope.starts_with("keyword") || find_block_word(token.text) != nullptr));
                    break;
                case Token::Form::keyword: CHECK(!scope.starts_with("variable")); break;
                default: CHECK((scope.empty() || scope == "keyword.operator.psl")); break;
            }
        }
    }
    CHECK(tokens_seen > 1000);
}

TEST_CASE("comments of both kinds hide what they contain") {
    const std::vector<std::string> scopes = scopes_of("let a = 1 /* let\nlet */ let b = 2 // let\n");
    CHECK(scopes[0] == "storage.type.psl");
    CHECK(scopes[13] == "comment.block.psl");
    CHECK(scopes[17] == "comment.block.psl");
    CHECK(scopes[24] == "storage.type.psl");
    CHECK(scopes[37] == "comment.line.double-slash.psl");
}

// Every model in psl/README.md can be loaded, and the complete one runs.

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

TEST_CASE("the description's complete example is a wavefront code") {
    const program::Program program = lowered(examples()[0], Run{4, 4, 10, {{"wg", "0.5us"}}});
    CHECK(program::validate(program) == "");
    CHECK(program.classes.size() == 9);
    CHECK(program.closed_form.size() == 1);
}
