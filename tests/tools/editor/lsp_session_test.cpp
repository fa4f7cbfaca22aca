// A session of the Language Server Protocol, message by message.
#include "tools/editor/lsp_session.hpp"

#include <nlohmann/json.hpp>

#include "tests/scratch.hpp"

using namespace warpfront::tools;
using nlohmann::json;
using warpfront::test::Scratch;

namespace {

const std::string kModel =
    "import \"t.psl\"\n"
    "application code {\n"
    "    param wg: time = 2 * 3us\n"
    "    let twice = 2 * wg\n"
    "    iteration k {\n"
    "        compute twice\n"
    "        t(columns)\n"
    "    }\n"
    "}\n";

class Client {
public:
    Client() : uri_(uri_of_path(scratch_.file("code.psl", kModel))) {
        scratch_.file("t.psl", "template t(n: int) { compute 1us * n }\n");
        open(kModel);
    }

    json open(const std::string& text) { return notify("didOpen", {{"uri", uri_}, {"text", text}}, nullptr); }
    json change(const std::string& text) {
        return notify("didChange", {{"uri", uri_}}, json::array({{{"text", text}}}));
    }
    json at(const std::string& method, int line, int character) {
        const json position{{"line", line}, {"character", character}};
        const json params{{"textDocument", {{"uri", uri_}}}, {"position", position}};
        const json request{{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", "textDocument/" + method}, {"params", params}};
        const std::vector<json> answers = session.handle(request);
        REQUIRE(answers.size() == 1);
        CHECK(answers[0].at("id") == id_);
        return answers[0].at("result");
    }
    /// Returns the text of a hover.
    std::string hover(int line, int character) {
        const json shown = at("hover", line, character);
        return shown.is_null() ? "nothing" : shown.at("contents").at("value").get<std::string>();
    }
    std::string uri_of(const std::string& name) const { return uri_of_path(scratch_.folder() / name); }

    LspSession session;

private:
    /// Sends a notification and returns the published message.
    json notify(const std::string& method, const json& document, const json& changes) {
        json params{{"textDocument", document}};
        if (!changes.is_null()) params["contentChanges"] = changes;
        return session.handle({{"jsonrpc", "2.0"}, {"method", "textDocument/" + method}, {"params", params}})[0];
    }

    Scratch scratch_;
    std::string uri_;
    int id_ = 0;
};

json range(int line, int from, int to) {
    return {{"start", {{"line", line}, {"character", from}}}, {"end", {{"line", line}, {"character", to}}}};
}

}  // namespace

TEST_CASE("a client learns what the server can do, and ends the session in two steps") {
    LspSession session;
    const json answer = session.handle({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "initialize"}})[0];
    CHECK(answer.at("result").at("capabilities").at("hoverProvider") == true);
    CHECK(answer.at("result").at("capabilities").at("documentFormattingProvider") == true);
    CHECK(session.handle({{"jsonrpc", "2.0"}, {"method", "initialized"}}).empty());
    CHECK(session.handle({{"jsonrpc", "2.0"}, {"id", 2}, {"method", "shutdown"}})[0].at("result").is_null());
    CHECK(!session.ended());
    CHECK(session.handle({{"jsonrpc", "2.0"}, {"method", "exit"}}).empty());
    CHECK(session.ended());
    CHECK(session.in_order());
}

TEST_CASE("a document is formatted as `check --format` prints it, by one edit of the whole text") {
    Client client;
    CHECK(client.at("formatting", 0, 0) == json::array());  // it is in canonical layout
    std::string loose = kModel;
    loose.replace(loose.find("    let twice = 2 * wg"), 22, "let twice=2*wg // \xf0\x9f\x9a\x80");
    client.change(loose);
    std::string tidy = kModel;
    tidy.replace(tidy.find("2 * wg"), 6, "2 * wg  // \xf0\x9f\x9a\x80");
    const json edits = client.at("formatting", 0, 0);
    REQUIRE(edits.size() == 1);
    CHECK(edits[0].at("range") ==
          json{{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 9}, {"character", 0}}}});
    CHECK(edits[0].at("newText") == tidy);
}

TEST_CASE("a document with a syntax fault is not formatted, one with another fault is") {
    Client client;
    client.change("application  code {\n    iteration k {\n");
    CHECK(client.at("formatting", 0, 0) == json::array());
    client.change("application  code {\n    iteration k {\n        compute unknown\n    }\n}\n");
    CHECK(client.at("formatting", 0, 0).size() == 1);
}

TEST_CASE("all syntax faults of a document are published at once") {
    Client client;
    const json published = client.change(
        "application code(n: int) {\n"
        "    let a 1\n"
        "    iteration k {\n"
        "        if columns = 2 {\n"
        "            send 8B west\n"
        "        }\n"
        "    }\n"
        "}\n");
    std::vector<int> lines;
    for (const json& each : published.at("params").at("diagnostics")) {
        lines.push_back(each.at("range").at("start").at("line"));
    }
    CHECK(lines == std::vector<int>{0, 1, 3, 4});
}

TEST_CASE("faults are published with their ranges as the text changes, and vanish with their cause") {
    Client client;
    std::string faulty = kModel;
    faulty.replace(faulty.find("compute twice"), 13, "compute twise");
    const json published = client.change(faulty);
    CHECK(published.at("method") == "textDocument/publishDiagnostics");
    const json& faults = published.at("params").at("diagnostics");
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].at("range") == range(5, 16, 21));
    CHECK(faults[0].at("message") == "unknown name `twise`: expected a parameter or a variable; did you mean `twice`?");
    CHECK(client.change(kModel).at("params").at("diagnostics").empty());
}

TEST_CASE("hover shows declaration, type and value") {
    Client client;
    CHECK(client.hover(5, 18) == "let twice = 2 * wg  (time)");
    CHECK(client.at("hover", 5, 18).at("range") == range(5, 16, 21));
    CHECK(client.hover(3, 20) == "param wg: time = 2 * 3us  = 6 us");
    CHECK(client.hover(6, 8) == "template t(n: int)");
    CHECK(client.hover(6, 12) == "columns: int");
    CHECK(client.hover(4, 0) == "nothing");
}

TEST_CASE("hover shows the statement of a request, and of the source that is answered") {
    Client client;
    client.open(
        "application code {\n"
        "    iteration {\n"
        "        irecv asking from any tag 1\n"
        "        wait asking\n"
        "        isend answer 8B to asking tag 2\n"
        "        wait answer\n"
        "    }\n"
        "}\n");
    CHECK(client.hover(3, 14) == "irecv asking from any tag 1");
    CHECK(client.hover(4, 28) == "irecv asking from any tag 1");
    CHECK(client.hover(5, 14) == "isend answer 8B to asking tag 2");
}

TEST_CASE("names of phases and fields, and the path of a trace, declare nothing") {
    Client client;
    client.open(
        "application code {\n"
        "    param wg: time = 3us\n"
        "    iteration {\n"
        "        phase sweeps { analytic wg }\n"
        "        analytic {\n"
        "            work = wg tiles = 1 east_west = 8B north_south = 8B corners = [northwest]\n"
        "        }\n"
        "        trace \"setup\"\n"
        "    }\n"
        "}\n");
    CHECK(client.hover(3, 32) == "param wg: time = 3us");
    CHECK(client.hover(3, 16) == "nothing");
    CHECK(client.hover(5, 13) == "nothing");
    CHECK(client.hover(7, 17) == "nothing");
}

TEST_CASE("a name leads to its declaration, also in another file") {
    Client client;
    CHECK(client.at("definition", 5, 18) == json{{"uri", client.uri_of("code.psl")}, {"range", range(3, 8, 13)}});
    CHECK(client.at("definition", 6, 8) == json{{"uri", client.uri_of("t.psl")}, {"range", range(0, 9, 10)}});
    CHECK(client.at("definition", 6, 12).is_null());  // of the language
}

TEST_CASE("completion offers the language, the file's names and those it imports") {
    Client client;
    const json items = client.at("completion", 5, 8);
    const auto detail = [&](const std::string& label) {
        const auto found =
            std::find_if(items.begin(), items.end(), [&](const json& i) { return i.at("label") == label; });
        return found == items.end() ? std::string("none") : found->at("detail").get<std::string>();
    };
    CHECK(detail("compute") == "reserved word");
    CHECK(detail("share") == "two ints, bytes and an int, or bytes twice");
    CHECK(detail("rows") == "int");
    CHECK(detail("twice") == "time");
    CHECK(detail("t") == "template t(n: int)");
    CHECK(detail("twise") == "none");
}

TEST_CASE("a byte-order mark at the start of a document is no fault, and places count it") {
    Client client;
    const json published = client.change(
        "\xef\xbb\xbf"
        "application a { iteration { compute twise } }\n");
    REQUIRE(published.at("params").at("diagnostics").size() == 1);
    CHECK(published.at("params").at("diagnostics")[0].at("range") == range(0, 37, 42));
    CHECK(client.change("\xef\xbb\xbf" + kModel).at("params").at("diagnostics").empty());
    CHECK(client.hover(5, 18) == "let twice = 2 * wg  (time)");
}

TEST_CASE("completion offers `note`, and hover shows the names in it") {
    Client client;
    client.open(
        "application code {\n    param n: int = 2\n    note n > 1, \"{} of them\", n\n"
        "    iteration { compute 1us }\n}\n");
    CHECK(client.hover(2, 9) == "param n: int = 2");
    CHECK(client.hover(2, 30) == "param n: int = 2");
    const json items = client.at("completion", 2, 4);
    CHECK(std::any_of(items.begin(), items.end(), [](const json& each) {
        return each.at("label") == "note" && each.at("detail") == "in an application, beside its iteration";
    }));
}

TEST_CASE("with faults the names of the last sound text remain") {
    Client client;
    client.change(kModel + "application");
    CHECK(client.hover(5, 18) == "let twice = 2 * wg  (time)");
}

TEST_CASE("characters are counted in UTF-16 units") {
    const std::string text = "// \xc3\xa9\xf0\x9f\x98\x80 x\ny";  // e with an accent, and a code point of two units
    CHECK(position_of(text, 10) == json{{"line", 0}, {"character", 7}});
    CHECK(offset_of(text, {{"line", 0}, {"character", 7}}) == 10);
    CHECK(offset_of(text, {{"line", 0}, {"character", 99}}) == 11);
    CHECK(offset_of(text, {{"line", 9}, {"character", 0}}) == text.size());
    CHECK(path_of_uri("file:///a%20b/c.psl") == "/a b/c.psl");
    CHECK(uri_of_path("/a b/c.psl") == "file:///a%20b/c.psl");
}

TEST_CASE("messages that are no requests of the protocol are refused, and end nothing") {
    LspSession session;
    const auto code = [&](const json& message) { return session.handle(message).at(0).at("error").at("code"); };
    CHECK(code({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "textDocument/rename"}}) == -32601);
    CHECK(code({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "textDocument/hover"}}) == -32602);
    CHECK(code({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "textDocument/hover"}, {"params", nullptr}}) == -32602);
    CHECK(code(json::array()) == -32600);
    CHECK(code(json(json::value_t::discarded)) == -32600);
    CHECK(session.handle({{"jsonrpc", "2.0"}, {"method", "$/cancelRequest"}}).empty());
    CHECK(session.handle({{"jsonrpc", "2.0"}, {"method", "textDocument/didOpen"}}).empty());
    CHECK(!session.ended());
}
