#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "simulator/input/fault.hpp"
#include "simulator/results/output.hpp"

using namespace warpfront;
using namespace warpfront::results;

namespace {

struct Scratch {
    std::filesystem::path folder;
    Scratch() : folder(std::filesystem::temp_directory_path() / ("warpfront-output-" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() { std::filesystem::remove_all(folder); }
};

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// What `write` puts on stdout, caught in a file.
template <class Write>
std::string on_stdout(const std::filesystem::path& file, Write write) {
    std::fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    const int caught = open(file.c_str(), O_WRONLY | O_CREAT, 0600);
    dup2(caught, STDOUT_FILENO);
    write();
    std::fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(caught);
    close(kept);
    return text_of(file);
}

std::string refusal(const std::filesystem::path& path) {
    try {
        write_atomically(path, "new");
    } catch (const input::BadInput& bad) {
        CHECK(bad.faults().all()[0].kind == input::FaultKind::unwritable_file);
        return bad.faults().all()[0].message;
    }
    return "it was written";
}

}  // namespace

TEST_CASE("a file is written whole, byte by byte") {
    const Scratch scratch;
    write_atomically(scratch.folder / "r.json", std::string_view("a\r\n\0b", 5));
    CHECK(text_of(scratch.folder / "r.json") == std::string_view("a\r\n\0b", 5));
}

TEST_CASE("an earlier file is replaced") {
    const Scratch scratch;
    write_atomically(scratch.folder / "r.json", "the old and longer text");
    write_atomically(scratch.folder / "r.json", "new");
    CHECK(text_of(scratch.folder / "r.json") == "new");
}

TEST_CASE("nothing is left beside the file") {
    const Scratch scratch;
    write_atomically(scratch.folder / "r.json", "new");
    CHECK_FALSE(std::filesystem::exists(scratch.folder / "r.json.part"));
}

TEST_CASE("a folder that is not there is a fault") {
    const Scratch scratch;
    const auto path = scratch.folder / "gone" / "r.json";
    CHECK(refusal(path) == "cannot write `" + path.string() + "`");
}

TEST_CASE("a folder is never replaced by a file") {
    const Scratch scratch;
    std::filesystem::create_directory(scratch.folder / "r.json");
    CHECK(refusal(scratch.folder / "r.json") == "cannot write `" + (scratch.folder / "r.json").string() + "`");
    CHECK(std::filesystem::is_directory(scratch.folder / "r.json"));
}

TEST_CASE("a full disk leaves neither a partial file nor a changed one") {
    const Scratch scratch;
    write_atomically(scratch.folder / "r.json", "old");
    std::filesystem::create_symlink("/dev/full", scratch.folder / "r.json.part");
    CHECK(refusal(scratch.folder / "r.json") == "cannot write `" + (scratch.folder / "r.json").string() + "`");
    CHECK(text_of(scratch.folder / "r.json") == "old");
    CHECK_FALSE(std::filesystem::is_symlink(scratch.folder / "r.json.part"));
}

TEST_CASE("a pipe is written to and stays a pipe") {
    const Scratch scratch;
    const auto path = scratch.folder / "pipe";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
    write_atomically(path, "new");
    std::array<char, 8> read_back{};
    CHECK(read(reader, read_back.data(), read_back.size()) == 3);
    CHECK(std::string(read_back.data()) == "new");
    close(reader);
    CHECK(std::filesystem::is_fifo(path));
}

TEST_CASE("a link stays a link, and the file behind it is replaced") {
    const Scratch scratch;
    write_atomically(scratch.folder / "r.json", "old");
    std::filesystem::create_symlink(scratch.folder / "r.json", scratch.folder / "link");
    write_atomically(scratch.folder / "link", "new");
    CHECK(text_of(scratch.folder / "r.json") == "new");
    CHECK(std::filesystem::is_symlink(scratch.folder / "link"));
}

TEST_CASE("a lone hyphen means stdout") {
    const Scratch scratch;
    CHECK(on_stdout(scratch.folder / "caught", [] { write_output("-", "new"); }) == "new");
}

TEST_CASE("any other target is a file") {
    const Scratch scratch;
    write_output((scratch.folder / "r.json").string(), "new");
    CHECK(text_of(scratch.folder / "r.json") == "new");
}
