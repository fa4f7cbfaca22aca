#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

#include "simulator/input/read_file.hpp"
#include "simulator/input/source.hpp"
#include "tests/input/collected.hpp"

using namespace warpfront::input;

namespace {

/// A temporary folder of the test.
struct Scratch {
    std::filesystem::path folder;
    Scratch() : folder(std::filesystem::temp_directory_path() / ("warpfront-source-" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() { std::filesystem::remove_all(folder); }
};

Diagnostic fault_of_reading(const std::filesystem::path& path, const SourceRange& mentioned_at = {}) {
    try {
        read_file(path, mentioned_at);
    } catch (const BadInput& bad) {
        return only(bad.faults());
    }
    FAIL("the file was read");
    return {};
}

}  // namespace

TEST_CASE("lines and columns are counted from 1") {
    const SourceFile source("x", "ab\ncd");
    CHECK(source.position(0).line == 1);
    CHECK(source.position(0).column == 1);
    CHECK(source.position(4).line == 2);
    CHECK(source.position(4).column == 2);
}

TEST_CASE("a line break belongs to the line it ends") {
    const SourceFile source("x", "ab\ncd");
    CHECK(source.position(2).line == 1);
    CHECK(source.position(2).column == 3);
}

TEST_CASE("an offset past the end means the end") {
    const SourceFile source("x", "ab\ncd");
    CHECK(source.position(1000).line == 2);
    CHECK(source.position(1000).column == 3);
}

TEST_CASE("a column is a code point, however many bytes it has") {
    const SourceFile source("x", "\xC2\xB5s = 1");  // U+00B5 takes two bytes
    CHECK(source.position(2).column == 2);
}

TEST_CASE("a line comes without its break, of either kind") {
    const SourceFile source("x", "unix\ndos\r\nlast");
    CHECK(source.line_text(1) == "unix");
    CHECK(source.line_text(2) == "dos");
    CHECK(source.line_text(3) == "last");
    CHECK(source.line_text(4) == "");
}

TEST_CASE("a line starts after the break before it") {
    const SourceFile source("x", "ab\ncd");
    CHECK(source.line_start(1) == 0);
    CHECK(source.line_start(2) == 3);
    CHECK(source.line_start(3) == 5);
}

TEST_CASE("a file is read whole and named as the user named it") {
    const Scratch scratch;
    const auto path = scratch.folder / "deck.yaml";
    std::ofstream(path, std::ios::binary) << "a: 1\r\n" << std::string(1, '\0') << "b";
    const SourceFilePtr source = read_file(path);
    CHECK(source->name() == path.string());
    CHECK(source->text() == std::string_view("a: 1\r\n\0b", 8));
}

TEST_CASE("a byte-order mark is not part of the text") {
    const Scratch scratch;
    const auto path = scratch.folder / "deck.csv";
    std::ofstream(path, std::ios::binary) << "\xEF\xBB\xBFranks,seconds\n";
    CHECK(read_file(path)->text() == "ranks,seconds\n");
}

TEST_CASE("a missing file is reported where it was mentioned") {
    const SourceFilePtr scenario = source_of("model: gone.psl\n", "scenario.yaml");
    const Diagnostic fault = fault_of_reading("gone.psl", {scenario, 7, 8});
    CHECK(fault.kind == DiagnosticKind::unreadable_file);
    Diagnostics faults;
    faults.add(fault.kind, fault.range, fault.message, fault.expected);
    CHECK(faults.render() ==
          "scenario.yaml:1:8: error: cannot read `gone.psl`\n"
          "    1 | model: gone.psl\n"
          "      |        ^^^^^^^^ no such file\n");
}

TEST_CASE("a folder is not a file") {
    const Scratch scratch;
    const Diagnostic fault = fault_of_reading(scratch.folder);
    CHECK(fault.kind == DiagnosticKind::unreadable_file);
    CHECK(fault.expected == "it is a directory");
}

TEST_CASE("a path through a file leads nowhere") {
    const Scratch scratch;
    std::ofstream(scratch.folder / "deck.yaml") << "a: 1\n";
    CHECK(fault_of_reading(scratch.folder / "deck.yaml" / "more").expected == "no such file");
}

TEST_CASE("a pipe is refused, since it may never be written to") {
    const Scratch scratch;
    const auto path = scratch.folder / "pipe";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    CHECK(fault_of_reading(path).expected == "it is not a regular file");
}

TEST_CASE("a file of more than 64 MiB is refused unread") {
    const Scratch scratch;
    const auto path = scratch.folder / "huge";
    std::ofstream(path) << "";
    std::filesystem::resize_file(path, kLargestFile + 1);
    const Diagnostic fault = fault_of_reading(path);
    CHECK(fault.kind == DiagnosticKind::file_too_large);
    CHECK(fault.expected == "at most 67108864 bytes are read");
}
