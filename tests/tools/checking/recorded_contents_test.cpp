// The output of `check` for a recorded run.
#include "tests/texts.hpp"
#include "tools/program/checking/checking.hpp"

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
    run.unread = {{"MPI_Iprobe", 3, "the receive after the probe waits as long", false},
                  {"MPI_Put", 1, "the tracer records only the name of this call", true, 1, 1, 1}};
    const std::string text = tools::contents_text(run);
    CHECK(lacking(text, {"3 calls of 2 ranks in `run` (recording), 0.003 s",
                         "mpi             Open MPI v4.1.4\nhost            front\nstatus          0\n",
                         "from any source", "2,400", "computing       0s least, 2ms median, 4ms most, by rank",
                         "left out        MPI_Iprobe 3 times: the receive after the probe waits as long",
                         "refused         MPI_Put once: the tracer records only the name of this call; the first call "
                         "is on rank 1, after 1 other call, a.c:7 in main",
                         "2  a.c:7 in main", "incomplete      rank 1: full buffers, which lost 12 calls"}) == "");
}
