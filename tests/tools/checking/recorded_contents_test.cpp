// The output of `check` for a recorded run.
#include <doctest/doctest.h>

#include "tools/program/checking/checking.hpp"

using namespace warpfront;

TEST_CASE("a recorded run is described by calls and sizes, by what is left out, refused and cut") {
    trace::RecordedRun run;
    run.name = "run";
    run.format = "recording";
    run.mpi = "Open MPI v4.1.4";
    run.host = "front";
    run.status = "0";
    run.sites.resize(2);
    run.sites[1] = {"a.c", 7, "main"};
    run.has_sites = true;
    run.communicators = {{Rank{0}, Rank{1}}};
    run.ranks.resize(2);
    trace::Event send;
    send.bytes = Bytes{800};
    send.site = 1;
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
                  {"MPI_Put", 1, "the tracer has no form for it", true, 1, 1, 1}};
    const std::string text = tools::contents_text(run);
    CAPTURE(text);
    const auto holds = [&text](const char* part) { return text.find(part) != std::string::npos; };
    CHECK(holds("3 calls of 2 ranks in `run` (recording), 0.003 s"));
    CHECK(holds("mpi             Open MPI v4.1.4\nhost            front\nstatus          0\n"));
    CHECK(holds("from any source"));
    CHECK(holds("2,400"));  // bytes of both sends
    CHECK(holds("computing       0s least, 2ms median, 4ms most, by rank"));
    CHECK(holds("left out        MPI_Iprobe 3 times: the receive behind it waits as long"));
    CHECK(
        holds("refused         MPI_Put once: the tracer has no form for it; the first is of rank 1, behind 1 other "
              "call, a.c:7 in main"));
    CHECK(holds("2  a.c:7 in main"));
    CHECK(holds("incomplete      rank 1: full buffers, which lost 12 calls"));
}
