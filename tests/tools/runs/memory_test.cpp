// Available memory: the minimum over the kernel and the limits; and the runs that are refused.
#include "tools/answer/runs/memory.hpp"

#include <atomic>
#include <thread>

#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront::tools;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

/// Returns the available bytes if the kernel has 3000 kB available and the host has these files below /.
std::int64_t available_with(const Files& files) {
    const Scratch scratch;
    scratch.file("proc/meminfo", "MemTotal: 4000 kB\nMemFree: 100 kB\nMemAvailable: 3000 kB\n");
    for (const auto& [name, text] : files) scratch.file(name, text);
    return available_memory(scratch.folder()).count;
}

}  // namespace

TEST_CASE("without limits available memory is that of the kernel") { CHECK(available_with({}) == 3000 * 1024); }

TEST_CASE("a cgroup of version 2 leaves its limit minus the used memory that cannot be dropped") {
    CHECK(available_with({{"proc/self/cgroup", "0::/jobs/7\n"},
                          {"sys/fs/cgroup/jobs/7/memory.max", "1000000\n"},
                          {"sys/fs/cgroup/jobs/7/memory.current", "400000\n"},
                          {"sys/fs/cgroup/jobs/7/memory.stat", "anon 300000\ninactive_file 50000\n"}}) ==
          1'000'000 - (400'000 - 50'000));
}

TEST_CASE("the limit of a cgroup of an ancestor counts as well; one without a limit does not") {
    CHECK(available_with({{"proc/self/cgroup", "0::/jobs/7\n"},
                          {"sys/fs/cgroup/jobs/7/memory.max", "max\n"},
                          {"sys/fs/cgroup/jobs/7/memory.current", "400000\n"},
                          {"sys/fs/cgroup/jobs/memory.max", "900000\n"},
                          {"sys/fs/cgroup/jobs/memory.current", "500000\n"}}) == 900'000 - 500'000);
}

TEST_CASE("a memory cgroup of version 1 is found among the controllers") {
    CHECK(available_with({{"proc/self/cgroup", "5:cpu,memory:/batch\n4:devices:/\n"},
                          {"sys/fs/cgroup/memory/batch/memory.limit_in_bytes", "700000\n"},
                          {"sys/fs/cgroup/memory/batch/memory.usage_in_bytes", "200000\n"}}) == 700'000 - 200'000);
}

TEST_CASE("a cgroup that uses more than its limit leaves nothing") {
    CHECK(available_with({{"proc/self/cgroup", "0::/\n"},
                          {"sys/fs/cgroup/memory.max", "1000\n"},
                          {"sys/fs/cgroup/memory.current", "2000\n"}}) == 0);
}

TEST_CASE("a run that needs more than is available is refused with both sizes, one that just fits is not") {
    // 3 GiB of 2 GiB.
    const input::Diagnostics faults =
        faults_of([] { refuse_beyond({std::int64_t{2} << 30}, {std::int64_t{3} << 30}, {}); });
    CHECK(summary_of(faults) ==
          "too_little_memory the run needs 3 GiB of memory | expected at most 2 GiB, which is available on the host");
    CHECK_NOTHROW(refuse_beyond({4096}, {4096}, {}));
}

TEST_CASE("runs wait for memory that others hold; more than there is at all is refused") {
    MemoryBudget budget(Bytes{100});
    std::atomic<bool> began = false;
    std::jthread second;
    {
        const MemoryBudget::Share held = budget.take(Bytes{60}, {});
        const MemoryBudget::Share beside = budget.take(Bytes{40}, {});
        second = std::jthread([&] {
            const MemoryBudget::Share waited = budget.take(Bytes{50}, {});
            began = true;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        CHECK_FALSE(began);
    }
    second.join();
    CHECK(began);
    CHECK(kinds_of(faults_of([&] { budget.take(Bytes{101}, {}); })) == Kinds{too_little_memory});
}
