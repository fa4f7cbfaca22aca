// The progress of a run: text, intervals, stream; and of several runs together.
#include "tools/answer/runs/progress.hpp"
#include "tests/preamble.hpp"

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

using namespace warpfront::tools;
using engine::Progress;
using Seconds = ProgressReporter::Seconds;

namespace {

constexpr Wide kOneSecond = 1'000'000'000'000;

/// Returns the progress at 600 of 1000 messages after `elapsed`, 100 of them skipped.
Progress at(double elapsed) {
    return {.simulated = WideTime{kOneSecond * 3 / 2},
            .stepped = 500,
            .skipped = 100,
            .all = 1000,
            .elapsed = Seconds{elapsed}};
}

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A stream and the text written to it.
class Output {
public:
    std::FILE* stream() { return file_.get(); }
    std::string text() {
        std::fflush(file_.get());
        std::string all(static_cast<std::size_t>(std::ftell(file_.get())), '\0');
        std::rewind(file_.get());
        all.resize(std::fread(all.data(), 1, all.size(), file_.get()));
        return all;
    }

private:
    std::unique_ptr<std::FILE, Close> file_{std::tmpfile()};
};

/// The messages that are shown during its lifetime.
class Messages {
public:
    Messages() : before_(spdlog::default_logger()) {
        auto logger = std::make_shared<spdlog::logger>("", std::make_shared<spdlog::sinks::ostream_sink_st>(stream_));
        logger->set_pattern("%v");
        spdlog::set_default_logger(std::move(logger));
    }
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;
    ~Messages() { spdlog::set_default_logger(before_); }

    std::string text() const { return stream_.str(); }

private:
    std::ostringstream stream_;
    const std::shared_ptr<spdlog::logger> before_;
};

}  // namespace

TEST_CASE("simulated time, share done, messages simulated per second and time left") {
    // 500 messages in 10 s are 50 a second; 400 left at that rate take 8 s.
    CHECK(describe(at(10.0)) == "1.500s simulated, 60.0 % done, 50 messages/s, 0:08 left");
}

TEST_CASE("while iterations are expected to recur, the time left is shown for both cases") {
    // 500 messages in 10 s are 50 a second; of 800 expected 300 are left and take 6 s, all 9500 take 190 s.
    Progress progress{.stepped = 500, .all = 10'000, .expected = 800, .elapsed = Seconds{10.0}};
    CHECK(describe(progress).ends_with(", 0:06 left if iterations recur, 3:10 if not"));
    progress.skipped = 9'200;  // they have recurred: the rest is simulated
    CHECK(describe(progress).ends_with(", 0:06 left"));
}

TEST_CASE("hours are shown only if there are any") {
    // 500 messages in 5000 s: 400 left take 4000 s, 1 h 6 min 40 s. In 100 s: 80 s.
    CHECK(describe(at(5000.0)).ends_with(", 1:06:40 left"));
    CHECK(describe(at(100.0)).ends_with(", 1:20 left"));
}

TEST_CASE("no time left is shown before a message was simulated, and one beyond a year is not known yet") {
    CHECK(describe({.all = 1000, .elapsed = Seconds{2.0}}) == "0.000s simulated, 0.0 % done, 0 messages/s");
    const Progress slow{.stepped = 1, .all = ~std::uint64_t{0}, .elapsed = Seconds{1.0}};
    CHECK(describe(slow).ends_with(", time left not known yet"));
}

TEST_CASE("on a terminal one line is rewritten, at most four times a second, and wiped at the end") {
    Output output;
    {
        ProgressReporter reporter(ProgressMode::line, output.stream(), 79);
        for (const double elapsed : {0.1, 0.3, 0.4, 0.5}) reporter.report(at(elapsed));
    }
    const std::string line = describe(at(0.3));
    CHECK(output.text() == "\r" + line + "\r" + std::string(line.size(), ' ') + "\r");
}

TEST_CASE("the rest of a longer line is overwritten") {
    Output output;
    const Progress longer{.stepped = 500, .all = 1000, .elapsed = Seconds{5000.0}};
    const Progress shorter{.stepped = 999, .all = 1000, .elapsed = Seconds{5001.0}};
    {
        ProgressReporter reporter(ProgressMode::line, output.stream(), 79);
        reporter.report(longer);
        reporter.report(shorter);
    }
    const std::string first = describe(longer);
    const std::string second = describe(shorter);
    REQUIRE(second.size() < first.size());
    CHECK(output.text().starts_with("\r" + first + "\r" + second + std::string(first.size() - second.size(), ' ')));
}

TEST_CASE("a line is never longer than the terminal is wide") {
    Output output;
    {
        ProgressReporter reporter(ProgressMode::line, output.stream(), 6);
        reporter.report(at(1.0));
    }
    CHECK(output.text() == "\r1.500s\r      \r");
}

TEST_CASE("off a terminal there is one message every 30 s and nothing in between") {
    const Messages messages;
    ProgressReporter reporter(ProgressMode::heartbeat);
    for (const double elapsed : {0.1, 29.9, 30.0, 45.0, 61.0, 80.0}) reporter.report(at(elapsed));
    CHECK(messages.text() ==
          "running for 0:30: " + describe(at(30.0)) + "\n" + "running for 1:01: " + describe(at(61.0)) + "\n");
}

TEST_CASE("if messages of the level info are not shown, there is no progress") {
    const Messages messages;
    CHECK(progress_mode() != ProgressMode::nothing);
    spdlog::set_level(spdlog::level::warn);
    CHECK(progress_mode() == ProgressMode::nothing);
    Output output;
    {
        ProgressReporter reporter(ProgressMode::nothing, output.stream());
        reporter.report(at(1000.0));
    }
    CHECK(output.text().empty());
    CHECK(messages.text().empty());
}

TEST_CASE("the bar shows the share done of all; results that were found do not count for the time left") {
    JointProgress joint(120, "point", ProgressMode::nothing);
    for (std::size_t run = 0; run < 40; ++run) joint.end(run, false);
    joint.report(41, 0.25);
    joint.report(41, 0.5);
    joint.report(42, 0.5);
    // 40 + 0.5 + 0.5 of 120 are 34.2 %: 8 of 24 marks; 41 took 60 s, so the other 79 take 60 * 79 / 41 = 115.6 s.
    CHECK(joint.describe(Seconds{60}) == "[########----------------] 34.2 %, 40 of 120 points done, 1:56 left");
    JointProgress resumed(120, "point", ProgressMode::nothing);
    for (std::size_t run = 0; run < 41; ++run) resumed.end(run, run < 30);
    CHECK(resumed.describe(Seconds{60}).ends_with(", 7:11 left"));  // 30 were there before: 60 * 79 / 11 = 430.9 s
}

TEST_CASE("before any run has reported no time left is shown; all done, nothing is left") {
    JointProgress joint(1, "run", ProgressMode::nothing);
    CHECK(joint.describe(Seconds{1.0}) == "[------------------------] 0.0 %, 0 of 1 run done");
    joint.end(0, false);
    CHECK(joint.describe(Seconds{1.0}) == "[########################] 100.0 %, 1 of 1 run done, 0:00 left");
}
