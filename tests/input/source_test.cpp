#include <sys/stat.h>
#include <unistd.h>

#include "simulator/input/read_file.hpp"
#include "simulator/input/sha256.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "tests/input/collected.hpp"
#include "tests/scratch.hpp"

using namespace warpfront::input;

namespace {

Diagnostic fault_of_reading(const std::filesystem::path& path, const SourceRange& mentioned_at = {}) {
    try {
        read_file(path, mentioned_at);
    } catch (const BadInput& bad) {
        return only(bad.diagnostics());
    }
    FAIL("the file was read");
    return {};
}

}  // namespace

TEST_CASE("lines and columns are counted from 1, in code points, a line break being the end of its line") {
    struct Row {
        const char* text;
        std::size_t offset, line, column;
    };
    for (const Row& each : {Row{"ab\ncd", 0, 1, 1}, Row{"ab\ncd", 4, 2, 2}, Row{"ab\ncd", 2, 1, 3},
                            Row{"ab\ncd", 1000, 2, 3},         // an offset past the end means the end
                            Row{"\xC2\xB5s = 1", 2, 1, 2}}) {  // U+00B5 takes two bytes
        CAPTURE(each.offset);
        const SourceFile source("x", each.text);
        CHECK(source.position(each.offset).line == each.line);
        CHECK(source.position(each.offset).column == each.column);
    }
}

TEST_CASE("a line comes without its break, of either kind, and starts after the one before it") {
    const SourceFile source("x", "unix\ndos\r\nlast");
    CHECK(source.line_text(1) == "unix");
    CHECK(source.line_text(2) == "dos");
    CHECK(source.line_text(3) == "last");
    CHECK(source.line_text(4) == "");
    CHECK(source.line_start(1) == 0);
    CHECK(source.line_start(2) == 5);
    CHECK(source.line_start(4) == 14);  // of a line that is not there, the end
}

TEST_CASE("a file is read whole but for a byte-order mark, and named as the user named it") {
    const test::Scratch scratch;
    const auto path = scratch.file("deck.yaml", std::string("a: 1\r\n\0b", 8));
    CHECK(read_file(path)->name() == path.string());
    CHECK(read_file(path)->text() == std::string_view("a: 1\r\n\0b", 8));
    CHECK(read_file(scratch.file("deck.csv", "\xEF\xBB\xBFranks,seconds\n"))->text() == "ranks,seconds\n");
}

TEST_CASE("files that are read once are the same source for every path to them, also when they are gone") {
    const test::Scratch scratch;
    const auto path = scratch.file("deck.yaml", "a: 1\n");
    FilesReadOnce files;
    const SourceFilePtr source = files.read(path, {});
    std::filesystem::remove(path);
    CHECK(files.read(scratch.folder() / "." / "deck.yaml", {}) == source);
    CHECK_THROWS_AS(files.read(scratch.folder() / "other.yaml", {}), BadInput);
}

TEST_CASE("a part that was not built is a fault that names its package") {
    try {
        refuse_without("libeigen3-dev", "`calibrate`");
    } catch (const BadInput& bad) {
        CHECK(std::string(bad.what()) ==
              "error: `calibrate` needs the package `libeigen3-dev`, and this program was built without it: install "
              "the package and build the program again\n");
    }
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

TEST_CASE("what is no file is refused with the reason: a folder, a path through a file, a named pipe, a locked file") {
    const test::Scratch scratch;
    const auto deck = scratch.file("deck.yaml", "a: 1\n");
    const auto named_pipe = scratch.folder() / "pipe";  // which may never be written to
    REQUIRE(mkfifo(named_pipe.c_str(), 0600) == 0);
    CHECK(fault_of_reading(scratch.folder()).kind == DiagnosticKind::unreadable_file);
    CHECK(fault_of_reading(scratch.folder()).expected == "it is a directory");
    CHECK(fault_of_reading(deck / "more").expected == "no such file");
    CHECK(fault_of_reading(named_pipe).expected == "it is not a regular file");
    const std::string write_only = "/proc/sys/vm/compact_memory";  // for every user
    if (std::filesystem::exists(write_only)) CHECK(fault_of_reading(write_only).expected == "permission denied");
}

TEST_CASE("a pipe that the process has been given, as by the shell for <(command), is read once and kept") {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    REQUIRE(write(ends[1], "a: 1\n", 5) == 5);
    close(ends[1]);
    const std::string path = "/dev/fd/" + std::to_string(ends[0]);
    CHECK(read_file(path)->text() == "a: 1\n");
    CHECK(read_file(path)->text() == "a: 1\n");
    close(ends[0]);
}

TEST_CASE("a file of more than 64 MiB is refused unread") {
    const test::Scratch scratch;
    const auto path = scratch.file("huge", "");
    std::filesystem::resize_file(path, kLargestFile + 1);
    const Diagnostic fault = fault_of_reading(path);
    CHECK(fault.kind == DiagnosticKind::file_too_large);
    CHECK(fault.expected == "expected at most 67108864 bytes");
}

namespace {

ParsedFile parsed(const std::string& name, const std::string& text, Diagnostics& faults) {
    return parse_once(std::make_shared<SourceFile>(name, text), faults);
}

}  // namespace

TEST_CASE("a file is parsed once; another text of that name, or another name, is another file") {
    Diagnostics faults;
    const ParsedFile first = parsed("a.yaml", "k: 1\n", faults);
    const ParsedFile again = parsed("a.yaml", "k: 1\n", faults);
    CHECK(again.source == first.source);
    CHECK(again.tree.find("k")->range.source == again.source);
    CHECK(parsed("a.yaml", "k: 2\n", faults).tree.find("k")->scalar == "2");
    CHECK(parsed("b.yaml", "k: 1\n", faults).source->name() == "b.yaml");
    CHECK(faults.empty());
}

TEST_CASE("a file with faults has them every time") {
    for (int time = 0; time < 2; ++time) {
        Diagnostics faults;
        parsed("a.yaml", "k: 1\nk: 2\n", faults);
        CHECK(faults.count() == 1);
    }
}

// Expected digests: FIPS 180-4, the examples published with it ("abc" and the message of 448 bits), and RFC 6234.

TEST_CASE("the published examples of SHA-256, whole or in pieces") {
    CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    Sha256 pieces;
    for (const char* piece : {"a", "", "bc"}) pieces.update(piece);
    CHECK(pieces.hex() == sha256_hex("abc"));
}

TEST_CASE("a UTF-8 sequence has one to four bytes, or none where bytes are forbidden") {
    CHECK(utf8_sequence("a") == 1);
    CHECK(utf8_sequence("\xC3\xA9") == 2);          // U+00E9
    CHECK(utf8_sequence("\xE2\x82\xAC") == 3);      // U+20AC
    CHECK(utf8_sequence("\xF0\x9F\x98\x80") == 4);  // U+1F600
    CHECK(utf8_sequence("") == 0);
    CHECK(utf8_sequence("\x80") == 0);              // a continuation without a start
    CHECK(utf8_sequence("\xC3") == 0);              // cut short
    CHECK(utf8_sequence("\xC3(") == 0);             // no continuation
    CHECK(utf8_sequence("\xC0\xAF") == 0);          // overlong '/'
    CHECK(utf8_sequence("\xE0\x80\xAF") == 0);      // overlong '/'
    CHECK(utf8_sequence("\xF0\x80\x80\xAF") == 0);  // overlong '/'
    CHECK(utf8_sequence("\xED\xA0\x80") == 0);      // half of a UTF-16 pair
    CHECK(utf8_sequence("\xF4\x90\x80\x80") == 0);  // beyond U+10FFFF
}

TEST_CASE("control characters are replaced, tabs are kept") {
    CHECK(escaped("a\tb", 9) == "a\tb");
    CHECK(escaped("a\nb\x7F", 9) ==
          "a\xEF\xBF\xBD"
          "b\xEF\xBF\xBD");
    CHECK(escaped("\xC2\x9B", 9) == "\xEF\xBF\xBD");  // U+009B, which starts a terminal command
}

TEST_CASE("text is cut by code points") {
    CHECK(escaped("\xC3\xA9\xC3\xA9\xC3\xA9", 2) == "\xC3\xA9\xC3\xA9...");
    CHECK(escaped("\xC3\xA9\xC3\xA9", 2) == "\xC3\xA9\xC3\xA9");
    CHECK(escaped(std::string(1 << 20, 'x'), 3) == "xxx...");
}
