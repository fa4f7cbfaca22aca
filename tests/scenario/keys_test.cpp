// The list of a scenario's keys, and the page that shows it, against the keys and defaults of the reader.
#include "simulator/scenario/keys.hpp"

#include <regex>

#include "simulator/scenario/scenario.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront::scenario;

namespace {

using KeySets = std::vector<std::string>;
using Names = std::set<std::string>;

const std::string kModel = "model: code.psl\nplatform: m.yaml\nranks: {columns: 2, rows: 2}\n";
const std::string kTrace = "trace: traces\nplatform: m.yaml\nranks: {columns: 2, rows: 2}\n";
const std::string kUnknown = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq";  // near no key

Scenario read_accepted(const std::string& text, const KeySets& sets) {
    const Scratch scratch;
    return read_scenario(read_document(scratch.file("s.yaml", text), sets));
}

/// Returns the names in backticks.
Names named_in(const std::string& text) {
    static const std::regex name("`([^`]+)`");
    Names names;
    for (std::sregex_iterator found(text.begin(), text.end(), name), end; found != end; ++found) {
        names.insert((*found)[1].str());
    }
    return names;
}

/// Returns the keys that the reader expects at the place of `change`: beside an unknown one, or because one is missing.
Names expected_at(const std::string& text, const std::string& mapping, const std::string& change) {
    Names expected;
    const input::Diagnostics faults = faults_of([&] { read_accepted(text, {change}); });
    for (const input::Diagnostic& fault : faults.all()) {
        if (fault.kind == unknown_key && named_in(fault.message).contains(kUnknown)) {
            expected.merge(named_in(fault.expected));
        }
        const std::string missing = fmt::format("`{}` has no ", mapping);
        if (fault.kind == missing_key && fault.message.starts_with(missing)) {
            expected.merge(named_in(fault.message.substr(missing.size())));
        }
    }
    return expected;
}

/// Adds `path` and every key below it that the reader accepts there, in a mapping or in one that is a list's item.
void explore(const std::string& text, const std::string& path, Names& accepted) {
    accepted.insert(path);
    const std::string mapping = path.substr(path.rfind('.') + 1);
    for (const char* form : {"{}={{{}: 1}}", "{}=[{{{}: 1}}]"}) {
        for (const std::string& key : expected_at(text, mapping, fmt::format(fmt::runtime(form), path, kUnknown))) {
            explore(text, path + "." + key, accepted);
        }
    }
}

Names accepted_keys() {
    Names accepted;
    for (const std::string& text : {kModel, kTrace}) {
        for (const std::string& key : expected_at(text, "", kUnknown + "=1")) explore(text, key, accepted);
    }
    return accepted;
}

std::vector<std::string> lines_of(const std::string& path) {
    std::ifstream file(std::filesystem::path(WARPFRONT_SOURCE_DIR) / path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

Names words_of(const std::string& text) {
    static const std::regex word(R"(\w+)");
    return {std::sregex_token_iterator(text.begin(), text.end(), word), std::sregex_token_iterator()};
}

/// Returns the rows of the page's table under this heading row.
Names rows_under(const std::string& heading) {
    Names rows;
    bool inside = false;
    for (const std::string& line : lines_of("models/README.md")) {
        if (inside && !line.starts_with("|---")) {
            if (!line.starts_with("| ")) break;
            rows.insert(line);
        }
        if (line == heading) inside = true;
    }
    return rows;
}

/// Returns the settings that a scenario must have for the key to exist.
KeySets setting_of(const std::string& path) {
    if (path.starts_with("noise.periodic.")) return {"noise.periodic={period: 10ms, length: 1ms}"};
    if (path.starts_with("noise.interruptions.")) return {"noise.interruptions={per_second: 1, length: 1ms}"};
    if (path == "noise.redrawn" || path == "noise.repeats_after") return {"noise.cv=0.1"};
    if (path == "node.planes" || path == "node.fill") return {"node={columns: 2, rows: 1}"};
    if (path == "workers.joining") return {"workers={}"};
    if (path.starts_with("workers.drawn.")) return {"workers.drawn={every: 1s}"};
    if (path.starts_with("placement.")) return {"placement={fragmentation: 0}"};
    return {};
}

}  // namespace

TEST_CASE("the list of keys is that of the keys that a scenario may have") {
    Names listed;
    for (const Key& key : keys()) listed.insert(std::string(key.path));
    CHECK(listed.size() == keys().size());
    const Names accepted = accepted_keys();
    CHECK(accepted.size() > 30);
    for (const std::string& key : accepted) CHECK_MESSAGE(listed.contains(key), key, " is accepted and not listed");
    for (const std::string& key : listed) CHECK_MESSAGE(accepted.contains(key), key, " is listed and not accepted");
}

TEST_CASE("a default that the list gives is what a scenario means that leaves the key out") {
    int tried = 0;
    for (const Key& key : keys()) {
        if (key.if_left_out.starts_with("required") || key.if_left_out.starts_with("none")) continue;
        if (key.path == "parameters") continue;  // the model's own
        CAPTURE(key.path);
        const std::string& text = key.path == "speed" || key.path == "arrivals" ? kTrace : kModel;
        KeySets sets = setting_of(std::string(key.path));
        const auto left_out = echo(read_accepted(text, sets));
        // `speed` is that of a recorded run behind the semicolon.
        sets.push_back(fmt::format("{}={}", key.path, key.if_left_out.substr(0, key.if_left_out.find(';'))));
        CHECK(echo(read_accepted(text, sets)) == left_out);
        ++tried;
    }
    CHECK(tried > 10);
}

TEST_CASE("a key without a default is missed where it is required, and only there") {
    const std::map<std::string, std::string> mappings{
        {"model.file", "model={kernel: {n: 1}}"},
        {"platform.file", "platform={cores: 2}"},
        {"ranks.columns", "ranks={rows: 2}"},
        {"ranks.rows", "ranks={columns: 2}"},
        {"node.columns", "node={rows: 1}"},
        {"node.rows", "node={columns: 1}"},
        {"noise.periodic.period", "noise.periodic={length: 1us}"},
        {"noise.periodic.length", "noise.periodic={period: 1us}"},
        {"noise.interruptions.per_second", "noise.interruptions={length: 1us}"},
        {"noise.interruptions.length", "noise.interruptions={per_second: 1}"},
        {"workers.drawn.every", "workers.drawn={least: 1}"},
        {"workers.lost.node", "workers.lost=[{at: 1s}]"},
        {"workers.lost.at", "workers.lost=[{node: 0}]"},
        {"heterogeneity.classes.share", "heterogeneity.classes=[{speed: 1}]"},
        {"heterogeneity.classes.speed", "heterogeneity.classes=[{share: 1}]"}};
    for (const Key& key : keys()) {
        const bool at_top = key.path.find('.') == std::string_view::npos;
        if (at_top || !key.if_left_out.starts_with("required")) continue;
        CAPTURE(key.path);
        const auto mapping = mappings.find(std::string(key.path));
        REQUIRE(mapping != mappings.end());
        CHECK(kinds_of(faults_of([&] { read_accepted(kModel, {mapping->second}); })) == Kinds{missing_key});
    }
    for (const std::string key : {"model", "platform", "ranks"}) {
        const std::string rest = std::regex_replace(kModel, std::regex(key + ":.*\n"), "");
        CAPTURE(rest);
        CHECK(kinds_of(faults_of([&] { read_accepted(rest, {}); })) == Kinds{missing_key});
    }
}

TEST_CASE("the page shows every key as the list has it") {
    Names expected;
    for (const Key& key : keys()) {
        expected.insert(fmt::format("| `{}` | {} | {} | {} |", key.path, key.form, key.if_left_out, key.means));
    }
    const Names shown = rows_under("| key | value | if left out | means |");
    for (const std::string& row : expected) CHECK_MESSAGE(shown.contains(row), "models/README.md lacks: ", row);
    for (const std::string& row : shown) CHECK_MESSAGE(expected.contains(row), "models/README.md has no longer: ", row);
}

TEST_CASE("the page shows every parameter of the shipped models, with its type and its default") {
    const Names rows = rows_under("| model | parameter | type | default | means |");
    const auto shown = [&rows](const std::string& model, const std::string& parameter, const std::string& rest) {
        return std::any_of(rows.begin(), rows.end(), [&](const std::string& row) {
            const std::size_t parameters = row.find(" | ");
            return words_of(row.substr(0, parameters)).contains(model) && named_in(row).contains(parameter) &&
                   row.find(rest) != std::string::npos;
        });
    };
    static const std::regex declaration(R"( +param (\w+): (\w+)(?: = ([^/]*[^/ ]))?( *//.*)?)");
    for (const std::string model : {"sweep3d", "chimaera", "lu", "bandwidth"}) {
        std::smatch found;
        for (const std::string& line : lines_of(fmt::format("models/{0}/{0}.psl", model))) {
            if (!std::regex_match(line, found, declaration)) continue;
            const std::string fallback = found[3].matched ? found[3].str() : "required";
            const std::string rest = fmt::format(" | {} | {} | ", found[2].str(), fallback);
            CHECK_MESSAGE(shown(model, found[1].str(), rest), "models/README.md lacks ", line, " of ", model);
        }
    }
}
