// What `check` says of a recorded run.
#include <doctest/doctest.h>

#include "tools/checking/recorded_contents.hpp"

using namespace warpfront;

TEST_CASE("a recorded run is described by calls and sizes, by what is left out, refused and cut") {
    trace::RecordedRun run;
    run.name = "run";
    run.communicators = {{Rank{0}, Rank{1}}};
    run.ranks.resize(2);
    trace::Event send;
    send.bytes = Bytes{800};
    send.work = Time{2'000'000'000};  // 2 ms
    send.end = Time{3'000'000'000};
    run.ranks[0].events = {send, send};
    run.ranks[0].events[1].bytes = Bytes{1600};
    trace::Event receive;
    receive.call = trace::Call::recv;
    receive.any_source = true;
    receive.bytes = Bytes{800};
    run.ranks[1].events = {receive};
    run.ranks[1].complete = false;
    run.ranks[1].lost = 12;
    run.unread = {{"MPI_Iprobe", 3, "the receive behind it waits as long", false},
                  {"MPI_Put", 1, "the tracer has no form for it", true}};
    const std::string text = tools::contents_text(run);
    CAPTURE(text);
    const auto holds = [&text](const char* part) { return text.find(part) != std::string::npos; };
    CHECK(holds("3 calls of 2 ranks in `run`, 0.003 s"));
    CHECK(holds("recv from any source"));
    CHECK(holds("2,400"));  // bytes of both sends
    CHECK(holds("computing of a rank: 0, 0.004, 0.004 s (least, middle, most)"));
    CHECK(holds("left out: MPI_Iprobe 3 times: the receive behind it waits as long"));
    CHECK(holds("refused: MPI_Put once: the tracer has no form for it"));
    CHECK(holds("not recorded to their ends: ranks 1, whose full buffers lost 12 calls"));
}
