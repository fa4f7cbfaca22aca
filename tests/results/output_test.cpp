
#include <csignal>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "simulator/input/read_file.hpp"
#include "simulator/results/output.hpp"
#include "tests/results/caught.hpp"

using namespace warpfront::results;

namespace {

/// A limit that makes writes fail as on a full disk during its lifetime: no file may have a byte.
class FullDisk {
public:
    FullDisk() {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit none{0, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &none);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_{};
};

std::string refusal(const std::filesystem::path& path) {
    return refusal_of([&] { write_atomically(path, "new"); });
}

std::string cannot_write(const std::filesystem::path& path, const std::string& why) {
    return "error: cannot write `" + path.string() + "`: " + why + "\n";
}

/// Returns the names in a folder.
std::set<std::string> names_in(const std::filesystem::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename());
    return names;
}

}  // namespace

TEST_CASE("a file is written whole, byte by byte, in place of an earlier one, with nothing left beside it") {
    const Scratch scratch;
    write_atomically(scratch.folder() / "r.json", "the old and longer text");
    write_atomically(scratch.folder() / "r.json", std::string_view("a\r\n\0b", 5));
    CHECK(text_of(scratch.folder() / "r.json") == std::string_view("a\r\n\0b", 5));
    CHECK(names_in(scratch.folder()) == std::set<std::string>{"r.json"});
}

TEST_CASE("a folder that is not there is a fault, and a folder is never replaced by a file") {
    const Scratch scratch;
    const auto inside = scratch.folder() / "gone" / "r.json";
    const std::string why = "there is no folder `" + (scratch.folder() / "gone").string() + "`";
    CHECK(refusal(inside) == cannot_write(inside, why));
    CHECK(refusal_of([&] { Output output(inside); }) == cannot_write(inside, why));
    const auto path = scratch.folder() / "r.json";
    std::filesystem::create_directory(path);
    CHECK(refusal(path) == cannot_write(path, "is a directory"));
    CHECK(refusal_of([&] { Output output(path); }) == cannot_write(path, "it is a directory"));
    CHECK(std::filesystem::is_directory(path));
}

TEST_CASE("a full disk leaves neither a partial file nor a changed one") {
    const Scratch scratch;
    const auto path = scratch.folder() / "r.json";
    write_atomically(path, "old");
    {
        const FullDisk full;
        CHECK(refusal(path) == cannot_write(path, "file too large"));
    }
    CHECK(text_of(path) == "old");
    CHECK(names_in(scratch.folder()) == std::set<std::string>{"r.json"});
}

TEST_CASE("a file is checked for writing without leaving one, or changing one") {
    const Scratch scratch;
    const Output new_file(scratch.folder() / "new.json");
    CHECK(names_in(scratch.folder()).empty());
    write_atomically(scratch.folder() / "r.json", "old");
    const Output old_file(scratch.folder() / "r.json");
    CHECK(text_of(scratch.folder() / "r.json") == "old");
    CHECK(names_in(scratch.folder()) == std::set<std::string>{"r.json"});
}

TEST_CASE("a file that this program did not write is kept while foreign files are") {
    const Scratch scratch;
    const auto foreign = scratch.file("notes.txt", "schema: warpfront.result/1\n");
    const auto own = scratch.file("r.json", "{\n  \"schema\": \"warpfront.result/1\"\n}\n");
    const auto empty = scratch.file("empty.json", "");
    CHECK_FALSE(is_own_file(foreign));
    CHECK(is_own_file(own));
    CHECK(is_own_file(empty));
    CHECK(is_own_file(scratch.folder() / "none.json"));
    CHECK_FALSE(is_own_file(scratch.folder()));
    CHECK(refusal_of([&] { Output output(foreign); }) == "it was written");
    const ForeignFilesKept kept;
    CHECK(refusal_of([&] { Output output(foreign); }) ==
          cannot_write(foreign, "it exists, and warpfront did not write it; expected another name, or `--force`"));
    for (const auto& file : {own, empty, scratch.folder() / "none.json"}) {
        CHECK(refusal_of([&] { Output output(file); }) == "it was written");
    }
}

TEST_CASE("files of a folder are kept, unless its list is there, which is written last") {
    const Scratch scratch;
    scratch.file("rank-0.txt", "a list of mine\n");
    const auto fill = [&] {
        OutputFolder(scratch.folder()).fill("traces.txt", [](const auto& where) {
            write_atomically(where / "rank-0.txt", "0 init\n");
            write_atomically(where / "traces.txt", "rank-0.txt\n");
        });
    };
    const ForeignFilesKept kept;
    CHECK(refusal_of(fill) ==
          cannot_write(scratch.folder() / "rank-0.txt",
                       "it exists, and warpfront did not write it; expected another name, or `--force`"));
    CHECK(text_of(scratch.folder() / "rank-0.txt") == "a list of mine\n");
    CHECK(names_in(scratch.folder()) == std::set<std::string>{"rank-0.txt"});
    scratch.file("traces.txt", "rank-0.txt\n");
    CHECK(refusal_of(fill) == "it was written");
    CHECK(text_of(scratch.folder() / "rank-0.txt") == "0 init\n");
}

TEST_CASE("before a folder is filled, its foreign files are refused; records of a run are own files") {
    const Scratch scratch;
    const auto events = scratch.file("rank-0.events", "events of mine\n");
    const OutputFolder folder(scratch.folder());
    folder.keep_foreign("rank-0.events", {"rank-0.events", "rank-1.events"});  // foreign files are not kept
    const ForeignFilesKept kept;
    CHECK(refusal_of([&] {
              folder.keep_foreign("rank-0.events", {"rank-0.events", "rank-1.events"});
          }) == cannot_write(events, "it exists, and warpfront did not write it; expected another name, or `--force`"));
    CHECK(refusal_of([&] { folder.keep_foreign("rank-0.events", {"rank-1.events"}); }) == "it was written");
    scratch.file("rank-0.events", "warpfront recording 1\n");
    CHECK(is_own_file(events));
    CHECK(refusal_of([&] { folder.keep_foreign("rank-0.events", {"rank-0.events"}); }) == "it was written");
}

TEST_CASE("the file of an output is no input of the run, until it is written") {
    const Scratch scratch;
    const auto file = scratch.file("r.json", "old");
    std::filesystem::create_symlink(file, scratch.folder() / "link.json");
    const Output output(file);
    for (const auto& name : {file, scratch.folder() / "link.json", scratch.folder() / "." / "r.json"}) {
        CHECK(refusal_of([&] { input::read_file(name); }) ==
              cannot_write(name, "it is an input of this run; expected another name"));
    }
    output.write("new");
    CHECK(input::read_file(file)->text() == "new");
    const Output may_be_read(file, Output::AsInput::allowed);
    CHECK(input::read_file(file)->text() == "new");
}

TEST_CASE("every write is attempted, and all failures are reported") {
    const Scratch scratch;
    const auto gone = scratch.folder() / "gone";
    const std::string said = refusal_of([&] {
        write_each({[&] { write_atomically(gone / "a", "a"); }, [&] { write_atomically(scratch.folder() / "b", "b"); },
                    [&] { write_atomically(gone / "c", "c"); }});
    });
    CHECK(text_of(scratch.folder() / "b") == "b");
    const std::string why = "there is no folder `" + gone.string() + "`";
    CHECK(said == cannot_write(gone / "a", why) + cannot_write(gone / "c", why));
}

TEST_CASE("a stdout that takes nothing is a fault") {
    const Scratch scratch;
    std::string said;
    with_stdout_to("/dev/full", [&] { said = refusal_of([] { write_stdout("new"); }); });
    CHECK(said == "error: cannot write `stdout`: no space left on device\n");
}

TEST_CASE("a folder is filled, and files of other names in it stay") {
    const Scratch scratch;
    const auto folder = scratch.folder() / "a" / "b";
    const auto put = [](const std::string& name, const std::string& text) {
        return [name, text](const std::filesystem::path& where) {
            write_atomically(where / "list", text);
            write_atomically(where / name, text);
        };
    };
    OutputFolder(folder).fill("list", put("one", "1"));
    OutputFolder(folder).fill("list", put("two", "2"));
    CHECK(names_in(folder) == std::set<std::string>{"list", "one", "two"});
    CHECK(text_of(folder / "list") == "2");
}

TEST_CASE("a folder whose filling fails is unchanged") {
    const Scratch scratch;
    const auto folder = scratch.folder() / "traces";
    const auto fill = [&folder] {
        OutputFolder(folder).fill("list", [](const auto& where) { write_atomically(where / "list", "new"); });
    };
    {
        const FullDisk full;
        CHECK(refusal_of(fill) != "it was written");
    }
    CHECK_FALSE(std::filesystem::exists(folder));
    fill();
    {
        const FullDisk full;
        CHECK(refusal_of(fill) != "it was written");
    }
    CHECK(names_in(folder) == std::set<std::string>{"list"});
    CHECK(text_of(folder / "list") == "new");
}

TEST_CASE("a folder that cannot be made is refused before it is filled, and nothing is made") {
    const Scratch scratch;
    write_atomically(scratch.folder() / "file", "text");
    const auto inside = scratch.folder() / "file" / "traces";
    CHECK(refusal_of([&] { OutputFolder output(inside); }) ==
          cannot_write(inside, "`" + (scratch.folder() / "file").string() + "` is not a folder"));
    CHECK(refusal_of([] { OutputFolder output(""); }) == "error: cannot write ``: a folder needs a name\n");
    const OutputFolder makeable(scratch.folder() / "new");
    CHECK(names_in(scratch.folder()) == std::set<std::string>{"file"});
}

TEST_CASE("a pipe is written to and stays a pipe") {
    const Scratch scratch;
    const auto path = scratch.folder() / "pipe";
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
    write_atomically(scratch.folder() / "r.json", "old");
    std::filesystem::create_symlink(scratch.folder() / "r.json", scratch.folder() / "link");
    write_atomically(scratch.folder() / "link", "new");
    CHECK(text_of(scratch.folder() / "r.json") == "new");
    CHECK(std::filesystem::is_symlink(scratch.folder() / "link"));
}
TEST_CASE("a lone hyphen means stdout, any other target a file, which needs a name") {
    const Scratch scratch;
    CHECK(on_stdout(scratch.folder() / "caught", [] { Output("-").write("new"); }) == "new");
    Output(scratch.folder() / "r.json").write("new");
    CHECK(text_of(scratch.folder() / "r.json") == "new");
    CHECK(refusal_of([] { Output output(""); }) == "error: cannot write ``: a file needs a name\n");
}
