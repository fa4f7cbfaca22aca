
#include "simulator/input/yaml.hpp"
#include "tests/faults.hpp"
#include "tests/input/collected.hpp"

using namespace warpfront::input;

namespace {

YamlNode tree(const std::string& text) {
    Diagnostics faults;
    YamlNode node = parse_yaml(source_of(text), faults);
    CHECK(faults.render() == "");
    return node;
}

/// Returns the text in a node's range.
std::string marked(const YamlNode& node) {
    return std::string(node.range.source->text().substr(node.range.offset, node.range.length));
}

/// Returns the fault that ends the parse of `text`.
Diagnostic refusal(const std::string& text) {
    Diagnostics faults;
    try {
        parse_yaml(source_of(text), faults);
    } catch (const BadInput& bad) {
        return only(bad.diagnostics());
    }
    FAIL("the text was accepted");
    return {};
}

std::string refused(const std::string& text) {
    Diagnostics faults;
    try {
        parse_yaml(source_of(text), faults);
    } catch (const BadInput& bad) {
        return test::summary_of(bad.diagnostics());
    }
    return test::summary_of(faults);
}

}  // namespace

TEST_CASE("mappings, lists and scalars nest as written, keys in the order of the file") {
    const YamlNode root = tree("ranks: {columns: 2, rows: 3}\nlist:\n  - a\n  - [b, c]\n");
    REQUIRE(root.kind == YamlNode::Kind::mapping);
    REQUIRE(root.entries.size() == 2);
    CHECK(root.entries[0].key == "ranks");
    CHECK(root.find("ranks")->find("rows")->scalar == "3");
    const YamlNode& list = *root.find("list");
    REQUIRE(list.kind == YamlNode::Kind::sequence);
    CHECK(list.items[0].scalar == "a");
    CHECK(list.items[1].items[1].scalar == "c");
    CHECK(list.find("b") == nullptr);
    CHECK(root.find("b") == nullptr);
    CHECK(tree("b: 1\na: 2\n").entries[0].key == "b");
    CHECK(tree("a: 1\n").find("a")->find("b") == nullptr);  // a scalar has no keys
}

TEST_CASE("the range of a scalar is its text, without quotes; with escapes the rest of its line; of none its key") {
    const YamlNode root = tree("a: plain text # comment\nb: \"double\"\nc: 'single'\nd: \"x\\ty\"\ne:\nf: 1\n");
    CHECK(marked(*root.find("a")) == "plain text");
    CHECK(marked(*root.find("b")) == "double");
    CHECK(marked(*root.find("c")) == "single");
    CHECK(root.find("d")->scalar == "x\ty");
    CHECK(marked(*root.find("d")) == "\"x\\ty\"");
    CHECK(root.find("e")->scalar == "");
    CHECK(marked(*root.find("e")) == "e");
}

TEST_CASE("ranges count bytes behind a byte order mark, accents and DOS line breaks") {
    const YamlNode root = tree("\xEF\xBB\xBFname: \xC3\xA9t\xC3\xA9\r\na: 42\r\n");
    CHECK(marked(*root.find("a")) == "42");
    CHECK(root.find("a")->range.source->position(root.find("a")->range.offset).line == 2);
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
    for (const std::string text : {"~", "null", "null  # nothing\n"}) {
        CAPTURE(text);
        CHECK(tree(text).kind == YamlNode::Kind::scalar);
        CHECK(tree(text).is_null);
    }
}

TEST_CASE("an empty document is an empty mapping") {
    for (const std::string text : {"", "\n", "# nothing\n", "---\n"}) {
        CAPTURE(text);
        const YamlNode root = tree(text);
        CHECK(root.kind == YamlNode::Kind::mapping);
        CHECK(root.entries.empty());
    }
}

TEST_CASE("a duplicate key is a fault that names the line of the first, whose value stays") {
    Diagnostics faults;
    const YamlNode root = parse_yaml(source_of("a: 1\nb: 2\na: 3\n"), faults);
    CHECK(only(faults).kind == duplicate_key);
    CHECK(test::summary_of(faults) ==
          "deck.yaml:3:1 duplicate_key [a] duplicate key `a` | line 1 has this key already");
    CHECK(root.find("a")->scalar == "1");
    CHECK(root.entries.size() == 2);
}

TEST_CASE("the same key in two mappings is not a duplicate") {
    CHECK(tree("a: {x: 1}\nb: {x: 1}\n").entries.size() == 2);
}

TEST_CASE("text that is not YAML, or YAML that no file needs, is refused at its place") {
    struct Row {
        std::string text;
        const char* summary;
    };
    for (const Row& each : {
             Row{"a: b: c\n",
                 "1:5 yaml_syntax [] illegal map value | expected a value; a text that contains `: ` needs quotes"},
             Row{"a: 'x", "1:6 yaml_syntax [] illegal EOF in scalar | expected a closing quote"},
             Row{"ranks:\n\tcolumns: 2\n",
                 "2:1 yaml_syntax [	] a tab indents this line | expected spaces, as YAML demands"},
             Row{"a: 1\n---\nb: 2\n", "2:1 yaml_syntax [] this is a second document | expected one document per file"},
             Row{"a: !!str 5\n", "1:4 yaml_syntax [] tags are not accepted | expected a plain value"},
             Row{"a: &x 1\nb: *x\n",
                 "1:4 yaml_alias [] anchors and aliases are not accepted | expected the value itself"},
         }) {
        CAPTURE(each.text);
        CHECK(refused(each.text) == std::string("deck.yaml:") + each.summary);
    }
    CHECK(refusal("a: [1, 2\nb: 3\n").kind == yaml_syntax);
    CHECK(refusal("a: &x 1\n").kind == yaml_alias);
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

TEST_CASE("a key is a plain name") {
    CHECK(refusal("[a]: 1\n").message == "a list or a mapping cannot be a key");
    CHECK(refusal("{a: 1}: 1\n").message == "a list or a mapping cannot be a key");
    CHECK(refusal(": 1\n").message == "a key is missing");
}

TEST_CASE("32 mappings or lists may nest, not 33") {
    const auto nested = [](unsigned depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    CHECK(tree(nested(kDeepestYaml)).kind == YamlNode::Kind::sequence);
    const Diagnostic fault = refusal(nested(kDeepestYaml + 1));
    CHECK(fault.kind == yaml_too_deep);
    CHECK(fault.message == "nested more than 32 levels deep");
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
    CHECK(fault.kind == file_too_large);
    CHECK(fault.message == "this YAML file has 1048578 bytes");
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

namespace {

/// A mapping that is being read: a small example of a library that reads a file.
struct Reading {
    Diagnostics faults;
    YamlNode root;
    MappingReader reader;
    explicit Reading(const std::string& text)
        : root(parse_yaml(source_of(text), faults)), reader(root, "a scenario", faults) {}
};

const std::vector<std::string> kRules = {"block", "linear"};

}  // namespace

TEST_CASE("values are read by key in the requested type") {
    Reading deck(
        "model: x.psl\nranks: 64\nfactor: 0.5\nwg: 0.414us\nsize: 1KiB\nG: 2us/B\nlink: 6GBps\nnoise: off\n"
        "placement: linear\n");
    CHECK(deck.reader.text("model") == "x.psl");
    CHECK(deck.reader.integer("ranks", 1, 100) == 64);
    CHECK(deck.reader.real("factor") == 0.5);
    CHECK(deck.reader.time("wg") == Time{414'000});
    CHECK(deck.reader.bytes("size") == Bytes{1024});
    CHECK(deck.reader.gap("G") == Gap{2e-6});
    CHECK(deck.reader.bandwidth("link") == Bandwidth{6e9});
    CHECK(deck.reader.flag("noise") == false);
    CHECK(deck.reader.choice("placement", kRules) == 1);
    deck.reader.finish();
    CHECK(deck.faults.render() == "");
}

TEST_CASE("an absent key is nothing, and no fault unless it is required") {
    Reading deck("a: 1\n");
    CHECK(deck.reader.take("b") == nullptr);
    CHECK_FALSE(deck.reader.text("b"));
    CHECK_FALSE(deck.reader.time("b"));
    CHECK_FALSE(deck.reader.flag("b"));
    CHECK_FALSE(deck.reader.has("b"));
    CHECK(deck.reader.has("a"));
    CHECK(deck.faults.empty());
}

TEST_CASE("a required key that is missing is reported at its mapping") {
    Reading deck("a: 1\n");
    CHECK(deck.reader.require("ranks") == nullptr);
    CHECK(only(deck.faults).kind == missing_key);
    CHECK(test::summary_of(deck.faults) == "deck.yaml:1:1 missing_key [] a scenario has no `ranks`");
}

TEST_CASE("every key that is not requested is unknown, with the nearest requested key") {
    Reading deck("ranks: 4\nplacment: block\n");
    deck.reader.integer("ranks", 1, 9);
    deck.reader.choice("placement", kRules);
    deck.reader.finish();
    CHECK(only(deck.faults).kind == unknown_key);
    CHECK(test::summary_of(deck.faults) ==
          "deck.yaml:2:1 unknown_key [placment] unknown key `placment` in a scenario | did you mean `placement`?");
}

TEST_CASE("a scalar where keys are expected is one fault, whatever the number of requests") {
    Diagnostics faults;
    const YamlNode root = parse_yaml(source_of("node: 4\n"), faults);
    MappingReader node(*root.find("node"), "`node`", faults);
    node.require("columns");
    node.require("rows");
    node.finish();
    CHECK(only(faults).kind == wrong_yaml_type);
    CHECK(test::summary_of(faults) ==
          "deck.yaml:1:7 wrong_yaml_type [4] `node` is a single value | expected keys and values");
}

TEST_CASE("a mapping, a list or nothing where a single value is expected is a fault") {
    Reading deck("a: {x: 1}\nb: [1]\nc:\n");
    CHECK_FALSE(deck.reader.text("a"));
    CHECK_FALSE(deck.reader.integer("b", 1, 9));
    CHECK_FALSE(deck.reader.time("c"));
    REQUIRE(deck.faults.count() == 3);
    for (const Diagnostic& fault : deck.faults.all()) CHECK(fault.kind == wrong_yaml_type);
    CHECK(deck.faults.all()[0].message == "`a` is a mapping");
    CHECK(deck.faults.all()[1].message == "`b` is a list");
    CHECK(deck.faults.all()[2].message == "`c` has no value");
}

TEST_CASE("a null that is spelled out is no value, in quotes it is a text") {
    Reading deck("a: null\nb: ~\nc: 'null'\n");
    CHECK_FALSE(deck.reader.text("a"));
    CHECK_FALSE(deck.reader.flag("b"));
    REQUIRE(deck.faults.count() == 2);
    CHECK(deck.faults.all()[0].message == "`a` has no value");
    CHECK(deck.faults.all()[1].message == "`b` has no value");
    CHECK(deck.reader.text("c") == "null");
}

TEST_CASE("a bad value is marked within its line, a quoted one within its quotes, and read as nothing") {
    Reading deck("parameters: {wg: 0.414 usec, t: \"3 uss\"}\n");
    MappingReader parameters(*deck.reader.take("parameters"), "`parameters`", deck.faults);
    CHECK_FALSE(parameters.time("wg"));
    CHECK_FALSE(parameters.time("t"));
    CHECK(test::summary_of(deck.faults) ==
          "deck.yaml:1:24 unknown_unit [usec] unknown unit `usec` | expected one of `ps`, `ns`, `us`, `ms`, `s`, "
          "`min`, `h`\n"
          "deck.yaml:1:36 unknown_unit [uss] unknown unit `uss` | did you mean `us`?");
}

TEST_CASE("on, true and yes are the same, as are off, false and no") {
    Reading deck("a: on\nb: true\nc: yes\nd: off\ne: false\nf: no\n");
    for (const char* key : {"a", "b", "c"}) CHECK(deck.reader.flag(key) == true);
    for (const char* key : {"d", "e", "f"}) CHECK(deck.reader.flag(key) == false);
}

TEST_CASE("a flag and a choice are one of their names") {
    Reading deck("noise: maybe\nplacement: blok\n");
    CHECK_FALSE(deck.reader.flag("noise"));
    CHECK_FALSE(deck.reader.choice("placement", kRules));
    CHECK(test::summary_of(deck.faults) ==
          "deck.yaml:1:8 bad_choice [maybe] `noise` cannot be `maybe` | expected `on` or `off`\n"
          "deck.yaml:2:12 bad_choice [blok] `placement` cannot be `blok` | did you mean `block`?");
}

TEST_CASE("the range of a key is that of its value, or of the mapping if it is absent") {
    Reading deck("a: 1\n");
    CHECK(deck.reader.range_of("a").offset == 3);
    CHECK(deck.reader.range_of("b").offset == 0);
}
