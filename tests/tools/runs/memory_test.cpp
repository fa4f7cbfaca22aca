// Available memory: the minimum over the kernel and the limits. Which runs are refused.
#include "tools/runs/memory.hpp"

#include <doctest/doctest.h>

#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront;
using namespace warpfront::tools;
using namespace warpfront::test;
using input::DiagnosticKind;

namespace {

constexpr std::string_view kMeminfo = "MemTotal: 4000 kB\nMemFree: 100 kB\nMemAvailable: 3000 kB\n";

}  // namespace

TEST_CASE("without limits available memory is that of the kernel") {
    const Scratch scratch;
    scratch.file("proc/meminfo", kMeminfo);
    CHECK(available_memory(scratch.folder()) == Bytes{3000 * 1024});
}

TEST_CASE("a cgroup of version 2 leaves its limit less what is used and cannot be dropped") {
    const Scratch scratch;
    scratch.file("proc/meminfo", kMeminfo);
    scratch.file("proc/self/cgroup", "0::/jobs/7\n");
    scratch.file("sys/fs/cgroup/jobs/7/memory.max", "1000000\n");
    scratch.file("sys/fs/cgroup/jobs/7/memory.current", "400000\n");
    scratch.file("sys/fs/cgroup/jobs/7/memory.stat", "anon 300000\ninactive_file 50000\n");
    CHECK(available_memory(scratch.folder()) == Bytes{1'000'000 - (400'000 - 50'000)});
}

TEST_CASE("the limit of a cgroup of an ancestor counts as well; one without a limit does not") {
    const Scratch scratch;
    scratch.file("proc/meminfo", kMeminfo);
    scratch.file("proc/self/cgroup", "0::/jobs/7\n");
    scratch.file("sys/fs/cgroup/jobs/7/memory.max", "max\n");
    scratch.file("sys/fs/cgroup/jobs/7/memory.current", "400000\n");
    scratch.file("sys/fs/cgroup/jobs/memory.max", "900000\n");
    scratch.file("sys/fs/cgroup/jobs/memory.current", "500000\n");
    CHECK(available_memory(scratch.folder()) == Bytes{900'000 - 500'000});
}

TEST_CASE("a memory cgroup of version 1 is found among the controllers") {
    const Scratch scratch;
    scratch.file("proc/meminfo", kMeminfo);
    scratch.file("proc/self/cgroup", "5:cpu,memory:/batch\n4:devices:/\n");
    scratch.file("sys/fs/cgroup/memory/batch/memory.limit_in_bytes", "700000\n");
    scratch.file("sys/fs/cgroup/memory/batch/memory.usage_in_bytes", "200000\n");
    CHECK(available_memory(scratch.folder()) == Bytes{700'000 - 200'000});
}

TEST_CASE("a cgroup that uses more than its limit leaves nothing") {
    const Scratch scratch;
    scratch.file("proc/self/cgroup", "0::/\n");
    scratch.file("sys/fs/cgroup/memory.max", "1000\n");
    scratch.file("sys/fs/cgroup/memory.current", "2000\n");
    CHECK(available_memory(scratch.folder()) == Bytes{0});
}

TEST_CASE("a run that needs more than is available is refused with both figures") {
    // 3 GiB of 2 GiB.
    const input::Diagnostics faults =
        faults_of([] { refuse_beyond({std::int64_t{2} << 30}, {std::int64_t{3} << 30}, {}); });
    CHECK(kinds_of(faults) == Kinds{DiagnosticKind::too_little_memory});
    CHECK(faults.all()[0].message == "the run needs 3 GiB of memory");
    CHECK(faults.all()[0].expected == "expected at most 2 GiB, which is what this computer has available");
}

TEST_CASE("a run that just fits is not refused") { CHECK_NOTHROW(refuse_beyond({4096}, {4096}, {})); }
