// Several jobs on one machine: each as alone where they share nothing, and how long they wait for each other where they
// do. Figures of fixtures.hpp: an eager message of 900 B has o = 4 us, L = 1 us; a link of 2 ns/B takes it 1.8 us.
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

namespace {

struct OneJob {
    program::Program program;
    machine::Placement placement;  // with the hosts of its nodes
    Time start{};
    variation::JobNoise noise{};
};

program::Program program_of_jobs(const std::vector<OneJob>& jobs) {
    std::vector<program::JobProgram> programs;
    for (const OneJob& job : jobs) programs.push_back({"job", &job.program, job.start});
    return program::side_by_side(programs);
}

record::Record together(const std::vector<OneJob>& jobs, machine::Machine machine) {
    engine::Options options{.replay = engine::Replay::full};
    machine.placement = {};
    for (const OneJob& job : jobs) {
        machine.placement.jobs.push_back(job.placement);
        const std::vector<Host>& hosts = job.placement.host_of;
        machine.placement.host_of.insert(machine.placement.host_of.end(), hosts.begin(), hosts.end());
        options.noise_of_jobs.push_back(job.noise);
    }
    return engine::run(program_of_jobs(jobs), machine, options);
}

record::Record alone(const OneJob& job, machine::Machine machine) {
    machine.placement = job.placement;
    return engine::run(job.program, machine, {.noise = job.noise.noise, .seed = job.noise.seed});
}

/// Returns the ranks of the grid in patches, node k on host `first` + k * `step`.
machine::Placement placed(RankGrid grid, machine::Patch patch, std::uint32_t first, std::uint32_t step = 1) {
    machine::Placement placement = machine::cut(grid, patch);
    for (std::uint32_t node = 0; node < placement.nodes(); ++node) placement.host_of.push_back({first + node * step});
    return placement;
}

/// Returns a ring of `nodes` nodes with links of 2 ns/B, which messages occupy, and no other resource.
machine::Machine ring_of(std::uint32_t nodes) {
    machine::Machine machine = crowded_torus({nodes, 1}, {1, 1});
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_bus = row.holds_nic = false;
    return machine;
}

/// Rank 0 sends 900 B to rank 1.
program::Program message_of_job() { return program_of({2, 1}, {does().send(1, 900), does().recv(-1)}); }

}  // namespace

TEST_CASE("two jobs whose messages cross one link wait for each other there, and nowhere else") {
    // On a ring of 5 nodes the first job has hosts 0 and 2, the second 1 and 3; their messages take the links 0 -> 1,
    // 1 -> 2 and 1 -> 2, 2 -> 3. Alone either leaves at 4, arrives 1 + 1.8 + 0.05 (a link beyond L) = 2.85 later, and
    // is received by 10.85. The second job begins at 0.5: its message leaves at 4.5 and waits for the link 1 -> 2,
    // which the first holds from 4 to 5.8; it arrives at 5.8 + 2.85 = 8.65 and is received by 12.65.
    const machine::Machine machine = ring_of(5);
    const std::vector<OneJob> jobs{{message_of_job(), placed({2, 1}, {}, 0, 2)},
                                   {message_of_job(), placed({2, 1}, {}, 1, 2), Time{500 * ns}}};
    for (const OneJob& job : jobs) CHECK(alone(job, machine).finish == WideTime{Time{10'850 * ns}});
    const record::Record all = together(jobs, machine);
    CHECK(all.rank_finish == at({4 * us, 10'850 * ns, 4'500 * ns, 12'650 * ns}));
    REQUIRE(all.link_waits);
    CHECK(all.link_waits->all == WideTime{Time{1'300 * ns}});
}

TEST_CASE("if messages of two jobs request a link at once, that of the first job goes first") {
    // Both leave at 4: the second is granted the link 1 -> 2 at 5.8 and received by 5.8 + 2.85 + 4 = 12.65.
    const std::vector<OneJob> jobs{{message_of_job(), placed({2, 1}, {}, 0, 2)},
                                   {message_of_job(), placed({2, 1}, {}, 1, 2)}};
    CHECK(together(jobs, ring_of(5)).rank_finish == at({4 * us, 10'850 * ns, 4 * us, 12'650 * ns}));
}

TEST_CASE("a deadlock within the allreduce of a job names ranks of this job") {
    const std::vector<OneJob> jobs{{message_of_job(), placed({2, 1}, {}, 0)},
                                   {program_of({2, 1}, {does().allreduce(8), does().recv(-1)}), placed({2, 1}, {}, 2)}};
    try {
        together(jobs, ring_of(4));
        FAIL("no deadlock");
    } catch (const engine::Deadlock& deadlock) {
        REQUIRE(deadlock.blocked().size() == 2);
        CHECK(deadlock.blocked()[0].rank == Rank{2});
        CHECK(deadlock.blocked()[0].peer == Rank{3});
    }
}
