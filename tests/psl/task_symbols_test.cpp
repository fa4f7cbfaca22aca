// The information of an editor on lists of tasks: every name and every word of them, and the place of a name's
// declaration.
#include "psl/editing/symbols.hpp"
#include "psl/syntax/lexer.hpp"
#include "simulator/input/read_file.hpp"
#include "tests/psl/models.hpp"

namespace {

const std::string kBricksAndTiles =
    "subtask tile(angles: int, one: time): time {\n"
    "    tasks on core take fixed { task angle[a in 1..angles] { compute a * one } }\n"
    "}\n"
    "application bricks {\n"
    "    param n: int = 4\n"
    "    record cells[b in 1..n]: 2 * 3MB given\n"
    "    tasks step[s in 1..2] on node ahead 1 among n {\n"
    "        task brick[b in 1..n] if b < n after brick[s - 1, b..n], step[s - 1] prefer worker - b {\n"
    "            read cells[b]\n"
    "            tasks on core take guided { task pencil[i in 1..8] { compute tile(i, 1us) } }\n"
    "            write cells[b]\n"
    "        }\n"
    "    }\n"
    "}\n";

class Shown {
public:
    explicit Shown(const std::string& text)
        : text_(text), folder_(Texts{{"m.psl", text}}), model_(load(folder_ / "m.psl")) {}

    /// Returns the hover at the beginning of the word `word` after `before`.
    std::string at(const std::string& before, const std::string& word) const {
        const auto symbol = found(before, word);
        return symbol ? symbol->text : "nothing";
    }
    /// Returns the line of the declaration, from 1, and the name there; "nothing" for a declaration of the language.
    std::string declared(const std::string& before, const std::string& word) const {
        const auto symbol = found(before, word);
        if (!symbol || symbol->declared.source == nullptr) return "nothing";
        const auto& [source, offset, length] = symbol->declared;
        return fmt::format("{}: {}", source->position(offset).line, source->text().substr(offset, length));
    }

private:
    std::optional<Symbol> found(const std::string& before, const std::string& word) const {
        const std::size_t at = text_.find(before + word);
        REQUIRE(at != std::string::npos);
        auto symbol = symbol_at(model_, at + before.size());
        if (symbol) CHECK(text_.substr(symbol->range.offset, symbol->range.length) == word);
        return symbol;
    }

    std::string text_;
    Folder folder_;
    Model model_;
};

}  // namespace

TEST_CASE("a list, a task and a record show their declaration, where they are declared and where they are named") {
    const Shown bricks(kBricksAndTiles);
    const std::string list = "tasks step[s in 1..2] on node ahead 1 among n";
    CHECK(bricks.at("tasks ", "step") == list);
    CHECK(bricks.at("b..n], ", "step") == list);
    CHECK(bricks.declared("b..n], ", "step") == "7: step");
    const std::string task = "task brick[b in 1..n] if b < n after brick[s - 1, b..n], step[s - 1] prefer worker - b";
    CHECK(bricks.at("task ", "brick") == task);
    CHECK(bricks.at("after ", "brick") == task);
    CHECK(bricks.declared("after ", "brick") == "8: brick");
    CHECK(bricks.at("record ", "cells") == "record cells[b in 1..n]: 2 * 3MB given  = 6000000 B");
    CHECK(bricks.at("read ", "cells") == "record cells[b in 1..n]: 2 * 3MB given  = 6000000 B");
    CHECK(bricks.declared("write ", "cells") == "6: cells");
}

TEST_CASE("an index shows its bounds and whose it is, in conditions, choices, preferences, reads and costs") {
    const Shown bricks(kBricksAndTiles);
    CHECK(bricks.at("step[", "s") == "s in 1..2  (int, index of step)");
    CHECK(bricks.at("brick[", "s") == "s in 1..2  (int, index of step)");
    CHECK(bricks.declared("brick[", "s") == "7: s");
    const std::string of_brick = "b in 1..n  (int, index of brick)";
    for (const char* before : {"task brick[", "if ", "s - 1, ", "worker - "}) {
        CAPTURE(before);
        CHECK(bricks.at(before, "b") == of_brick);
        CHECK(bricks.declared(before, "b") == "8: b");
    }
    CHECK(bricks.at("read cells[", "b") == of_brick);
    CHECK(bricks.at("record cells[", "b") == "b in 1..n  (int, index of cells)");
    CHECK(bricks.at("tile(", "i") == "i in 1..8  (int, index of pencil)");
    CHECK(bricks.at("prefer ", "worker") == "worker: int, the number of the worker that may take it, from 0");
    CHECK(bricks.declared("prefer ", "worker") == "nothing");
    CHECK(bricks.at("b..", "n") == "param n: int = 4");
    CHECK(Shown("application a { tasks[t in 1..2] on core { task x { compute 1us * t } } }").at("1us * ", "t") ==
          "t in 1..2  (int, index of the list)");
}

TEST_CASE("a list in a subtask shows its indices and the subtask's parameters, a call of it the subtask") {
    const Shown bricks(kBricksAndTiles);
    CHECK(bricks.at("compute ", "a") == "a in 1..angles  (int, index of angle)");
    CHECK(bricks.declared("compute ", "a") == "2: a");
    CHECK(bricks.at("a in 1..", "angles") == "angles: int");
    CHECK(bricks.declared("a * ", "one") == "1: one");
    CHECK(bricks.at("compute ", "tile") == "subtask tile(angles: int, one: time): time");
    CHECK(bricks.declared("compute ", "tile") == "1: tile");
}

TEST_CASE("the hover of words of lists of tasks has their meaning, and that of names their declaration") {
    const Shown bricks(kBricksAndTiles);
    CHECK(bricks.at("ahead 1 ", "among") ==
          "among: workers choose among this number of the first tasks that are not taken");
    CHECK(bricks.at("take ", "guided").starts_with("guided: a worker takes ceil(R / P) tasks at once"));
    CHECK(bricks.at("3MB ", "given") == "given: the records exist from the beginning");
    CHECK(bricks.declared("3MB ", "given") == "nothing");
    CHECK(bricks.at("1..n] ", "if") == "nothing");
    const Shown farm("application a { param task: time = 1us tasks on core { task take { compute task } } }");
    CHECK(farm.at("compute ", "task") == "param task: time = 1us");
    CHECK(farm.at("task ", "take") == "task take");
    CHECK(farm.at("{ ", "task").starts_with("task: a task for each value of its indices"));
}

TEST_CASE("completion offers lists, tasks, records with their declarations, and each index once") {
    const Folder folder(Texts{{"m.psl",
                               "application a {\n"
                               "    record data: 8B given\n"
                               "    tasks step[s in 1..2] on core { task x[i in 1..3] {} task y[i in 1..3] {} }\n"
                               "}\n"}});
    const Model model = load(folder / "m.psl");
    std::multiset<std::string> offered;
    for (const Word& each : words(&model)) offered.insert(each.text + " - " + each.detail);
    for (const char* each :
         {"step - tasks step[s in 1..2] on core", "x - task x[i in 1..3]", "data - record data: 8B given",
          "s - s in 1..2", "i - i in 1..3", "worker - int, in `prefer`"}) {
        CAPTURE(each);
        CHECK(offered.count(each) == 1);
    }
}

TEST_CASE("every name and every word of lists of tasks in the shipped models shows something, a name its declaration") {
    std::size_t shown = 0;
    for (const char* folder : {"models/ppm", "models/tasks"}) {
        for (const auto& entry :
             std::filesystem::directory_iterator(std::filesystem::path(WARPFRONT_SOURCE_DIR) / folder)) {
            if (entry.path().extension() != ".psl") continue;
            const Model model = load(entry.path());
            const input::SourceFilePtr source = input::read_file(entry.path());
            input::Diagnostics none;
            bool in_closed_form = false;
            for (const Token& token : tokens(source, 0, none)) {
                if (token.text == "closed_form") in_closed_form = true;  // the last block of its model
                const bool is_type = kind_named(token.text).has_value();
                if (token.form != Token::Form::name || is_type || in_closed_form) continue;
                CAPTURE(entry.path().string());
                CAPTURE(source->position(token.span.offset).line);
                CAPTURE(std::string(token.text));
                const auto symbol = symbol_at(model, token.span.offset);
                REQUIRE(symbol);
                CHECK(source->text().substr(symbol->range.offset, symbol->range.length) == token.text);
                ++shown;
                if (symbol->declared.source == nullptr) continue;
                const std::string_view declared = symbol->declared.source->text();
                CHECK(declared.substr(symbol->declared.offset, symbol->declared.length) == token.text);
            }
        }
    }
    CHECK(shown > 300);
}
