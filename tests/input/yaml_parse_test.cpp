#include <doctest/doctest.h>

#include <string>

#include "simulator/input/yaml.hpp"
#include "tests/input/collected.hpp"

using namespace warpfront::input;

namespace {

YamlNode tree(const std::string& text) {
    Diagnostics faults;
    YamlNode node = parse_yaml(source_of(text), faults);
    CHECK(faults.render() == "");
    return node;
}

/// The text in a node's range.
std::string marked(const YamlNode& node) {
    return std::string(node.range.source->text().substr(node.range.offset, node.range.length));
}

/// The fault that ends the parse of `text`.
Diagnostic refusal(const std::string& text) {
    Diagnostics faults;
    try {
        parse_yaml(source_of(text), faults);
    } catch (const BadInput& bad) {
        return only(bad.faults());
    }
    FAIL("the text was accepted");
    return {};
}

std::string refused(const std::string& text) {
    Diagnostics faults;
    try {
        parse_yaml(source_of(text), faults);
    } catch (const BadInput& bad) {
        return bad.what();
    }
    return faults.render();
}

}  // namespace

TEST_CASE("mappings, lists and scalars nest as written") {
    const YamlNode root = tree("ranks: {columns: 2, rows: 3}\nlist:\n  - a\n  - [b, c]\n");
    REQUIRE(root.kind == YamlNode::Kind::mapping);
    REQUIRE(root.entries.size() == 2);
    CHECK(root.find("ranks")->find("rows")->scalar == "3");
    const YamlNode& list = *root.find("list");
    REQUIRE(list.kind == YamlNode::Kind::sequence);
    CHECK(list.items[0].scalar == "a");
    CHECK(list.items[1].items[1].scalar == "c");
}

TEST_CASE("keys keep the order of the file") {
    const YamlNode root = tree("b: 1\na: 2\n");
    CHECK(root.entries[0].key == "b");
    CHECK(root.entries[1].key == "a");
}

TEST_CASE("a key that is absent is not found, in a scalar neither") {
    const YamlNode root = tree("a: 1\n");
    CHECK(root.find("b") == nullptr);
    CHECK(root.find("a")->find("b") == nullptr);
}

TEST_CASE("the range of a scalar is its text, without quotes") {
    const YamlNode root = tree("a: plain text # comment\nb: \"double\"\nc: 'single'\n");
    CHECK(marked(*root.find("a")) == "plain text");
    CHECK(marked(*root.find("b")) == "double");
    CHECK(marked(*root.find("c")) == "single");
}

TEST_CASE("the range of a scalar with escapes is the rest of its line") {
    const YamlNode root = tree("a: \"x\\ty\"\nb: 1\n");
    CHECK(root.find("a")->scalar == "x\ty");
    CHECK(marked(*root.find("a")) == "\"x\\ty\"");
}

TEST_CASE("ranges count bytes behind a byte order mark, accents and DOS line breaks") {
    const YamlNode root = tree("\xEF\xBB\xBFname: \xC3\xA9t\xC3\xA9\r\na: 42\r\n");
    CHECK(marked(*root.find("a")) == "42");
    CHECK(root.find("a")->range.source->position(root.find("a")->range.offset).line == 2);
}

TEST_CASE("a value that is not there is empty and stands at its key") {
    const YamlNode root = tree("a:\nb: 1\n");
    CHECK(root.find("a")->scalar == "");
    CHECK(marked(*root.find("a")) == "a");
}

TEST_CASE("a null that is spelled out is the text it is spelled with") {
    const YamlNode root = tree("a: ~\nb: null\nc:\nnullable: 1\n");
    CHECK(root.find("a")->scalar == "~");
    CHECK(root.find("b")->scalar == "null");
    CHECK(root.find("c")->scalar == "");
    for (const char* key : {"a", "b", "c"}) CHECK(root.find(key)->is_null);
    const YamlNode texts = tree("a: 'null'\nb: \"~\"\nc: ''\n");
    for (const char* key : {"a", "b", "c"}) CHECK_FALSE(texts.find(key)->is_null);
}

TEST_CASE("a document that is a null is no mapping") {
    for (const char* text : {"~", "null", "null  # nothing\n"}) {
        CAPTURE(text);
        CHECK(tree(text).kind == YamlNode::Kind::scalar);
        CHECK(tree(text).is_null);
    }
}

TEST_CASE("an empty document is an empty mapping") {
    for (const char* text : {"", "\n", "# nothing\n", "---\n"}) {
        CAPTURE(text);
        const YamlNode root = tree(text);
        CHECK(root.kind == YamlNode::Kind::mapping);
        CHECK(root.entries.empty());
    }
}

TEST_CASE("a duplicate key is a fault that names the line of the first, whose value stays") {
    Diagnostics faults;
    const YamlNode root = parse_yaml(source_of("a: 1\nb: 2\na: 3\n"), faults);
    CHECK(only(faults).kind == DiagnosticKind::duplicate_key);
    CHECK(faults.render() ==
          "deck.yaml:3:1: error: duplicate key `a`\n"
          "    3 | a: 3\n"
          "      | ^ line 1 has it already\n");
    CHECK(root.find("a")->scalar == "1");
    CHECK(root.entries.size() == 2);
}

TEST_CASE("the same key in two mappings is not a duplicate") {
    CHECK(tree("a: {x: 1}\nb: {x: 1}\n").entries.size() == 2);
}

TEST_CASE("text that is not YAML is reported with the expectation") {
    CHECK(refusal("a: [1, 2\nb: 3\n").kind == DiagnosticKind::yaml_syntax);
    CHECK(refused("a: b: c\n") ==
          "deck.yaml:1:5: error: illegal map value\n"
          "    1 | a: b: c\n"
          "      |     ^ expected a value; a text that contains `: ` needs quotes\n");
    CHECK(refused("a: 'x") ==
          "deck.yaml:1:6: error: illegal EOF in scalar\n"
          "    1 | a: 'x\n"
          "      |      ^ expected a closing quote\n");
}

TEST_CASE("a tab that indents a line is refused at its range, whatever the parser reports") {
    CHECK(refused("ranks:\n\tcolumns: 2\n") ==
          "deck.yaml:2:1: error: a tab indents this line\n"
          "    2 | \tcolumns: 2\n"
          "      | ^ expected spaces, as YAML demands\n");
    CHECK(refusal("a: 1\n\tb: 2\n").message == "a tab indents this line");
    CHECK(refusal("a:\n  b: 1\n \tc: 2\n").range.offset == 11);  // past `a:`, `  b: 1` and a space
}

TEST_CASE("tabs elsewhere are blanks") {
    const YamlNode root = tree("a:\t1\nb: {\n\tc: 2}\n");
    CHECK(root.find("a")->scalar == "1");
    CHECK(root.find("b")->find("c")->scalar == "2");
}

TEST_CASE("faults found before the text breaks off are reported too") {
    Diagnostics faults;
    CHECK_THROWS_AS(parse_yaml(source_of("a: 1\na: 2\nb: 'x"), faults), BadInput);
    CHECK(faults.count() == 2);
}

TEST_CASE("a second document is refused") {
    CHECK(refusal("a: 1\n---\nb: 2\n").kind == DiagnosticKind::yaml_syntax);
    CHECK(refused("a: 1\n---\nb: 2\n") ==
          "deck.yaml:2:1: error: a second document\n"
          "    2 | ---\n"
          "      | ^ expected one document per file\n");
}

TEST_CASE("tags are refused, since nothing would use them") {
    CHECK(refused("a: !!str 5\n") ==
          "deck.yaml:1:4: error: tags are not accepted\n"
          "    1 | a: !!str 5\n"
          "      |    ^ expected a plain value\n");
}

TEST_CASE("a key is a plain name") {
    CHECK(refusal("[a]: 1\n").message == "a key that is not a plain name");
    CHECK(refusal("{a: 1}: 1\n").message == "a key that is not a plain name");
    CHECK(refusal(": 1\n").message == "a key is missing");
}

TEST_CASE("anchors and aliases are refused: a file stays what it shows") {
    const Diagnostic fault = refusal("a: &x 1\nb: *x\n");
    CHECK(fault.kind == DiagnosticKind::yaml_alias);
    CHECK(refused("a: &x 1\nb: *x\n") ==
          "deck.yaml:1:4: error: anchors and aliases are not accepted\n"
          "    1 | a: &x 1\n"
          "      |    ^ expected the value itself\n");
}

TEST_CASE("32 mappings or lists may nest, not 33") {
    const auto nested = [](unsigned depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    CHECK(tree(nested(kDeepestYaml)).kind == YamlNode::Kind::sequence);
    const Diagnostic fault = refusal(nested(kDeepestYaml + 1));
    CHECK(fault.kind == DiagnosticKind::yaml_too_deep);
    CHECK(fault.message == "nested more than 32 deep");
    CHECK(fault.range.offset == 32);
}

TEST_CASE("nesting by the hundred thousand ends in a fault, not on the stack") {
    for (const std::string step : {"[", "{a: ", "- ", "? "}) {
        std::string text;
        while (text.size() < 500'000) text += step;
        CHECK_THROWS_AS(tree(text), BadInput);
    }
}

TEST_CASE("a file of more than 1 MiB is refused") {
    const Diagnostic fault = refusal("# " + std::string(kLargestYaml, 'x'));
    CHECK(fault.kind == DiagnosticKind::file_too_large);
    CHECK(fault.message == "a YAML file of 1048578 bytes");
}

TEST_CASE("bytes that are not text are refused at their range") {
    CHECK(refusal("a: \xFF\n").message == "byte 0xff is not text");
    CHECK(refusal("a: \xFF\n").range.offset == 3);
    CHECK(refusal(std::string("a: 1\n\0b", 7)).message == "byte 0x00 is not text");
    CHECK(refusal("a: \x04\n").message == "byte 0x04 is not text");
    CHECK(refusal("\xFF\xFE"
                  "a")
              .range.offset == 0);  // a UTF-16 file
}
