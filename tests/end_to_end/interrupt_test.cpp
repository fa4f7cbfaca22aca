// Ctrl-C and termination: their exit statuses, a message on stderr, no incomplete file. And the progress line of a
// terminal.
#include <sys/stat.h>

#include <thread>

#include "tests/end_to_end/child.hpp"

using namespace std::chrono_literals;

TEST_CASE(
    "Ctrl-C, SIGTERM and SIGHUP end a run with 128 and their number, and no result is written, begun or changed") {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        CAPTURE(signal);
        const Scratch scratch;
        const auto file = scratch.file("result.json", "earlier");
        Words words = endless_run();
        words.insert(words.end(), {"--force", "--json", file.string()});
        Child child(words);
        std::this_thread::sleep_for(kUnderWay);
        child.send(signal);
        const Outcome outcome = child.end();
        CHECK(outcome.status == 128 + signal);
        CHECK(holds(outcome.err, "interrupted after "));
        CHECK(text_of(file) == "earlier");
        std::filesystem::remove(file);
        CHECK(std::filesystem::is_empty(scratch.folder()));
    }
}

TEST_CASE("a second Ctrl-C ends the program whatever it waits for") {
    // Opening a pipe without a reader blocks for ever, and the first Ctrl-C does not interrupt the writing of a result.
    const Scratch scratch;
    const auto pipe = scratch.folder() / "pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    Child child({"run", "models/lu/lu.yaml", "--quiet", "--json", pipe.string()});
    std::this_thread::sleep_for(kUnderWay);
    child.send(SIGINT);
    std::this_thread::sleep_for(200ms);
    REQUIRE(child.goes_on());
    child.send(SIGINT);
    CHECK(child.end().status == 130);
}

TEST_CASE("a program that was started with interrupts ignored continues to ignore them") {
    const std::string run =
        quoted(WARPFRONT_PROGRAM) + " run " + kSmall + "--quiet --replay full --set iterations=1000";
    const Outcome outcome = run_in(kRoot, fmt::format("trap '' INT; {} & sleep 0.1; kill -INT $!; wait $!", run));
    CHECK(outcome.status == 0);
}

TEST_CASE("on a terminal progress is reported, and Ctrl-C wipes it and reports that the run was interrupted") {
    OnTerminal terminal(endless_run());
    const std::string line = terminal.read_until(" left");
    CHECK(holds(line, "s simulated, "));
    CHECK(holds(line, " % done, "));
    CHECK(holds(line, " messages/s, "));
    terminal.type("\x03");
    CHECK(holds(terminal.read_until("interrupted after "), " \rinterrupted after "));
}

TEST_CASE("a quiet run reports no progress on a terminal either") {
    Words words = endless_run();
    words.push_back("--quiet");
    OnTerminal terminal(words);
    std::this_thread::sleep_for(kUnderWay);
    terminal.type("\x03");
    CHECK_FALSE(holds(terminal.read_until("interrupted after "), "simulated"));
}
