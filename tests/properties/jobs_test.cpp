// Any two jobs side by side: each as alone where they share no links, and the same on any number of threads where they
// do.
//
// Not pinned here: times of jobs by hand (tests/engine/jobs_test.cpp).
#include "tests/properties/property.hpp"

namespace {

/// A random program twice, on the same hosts but other nodes of one machine, the second time later.
struct TwoJobs {
    program::Program program;
    machine::Machine machine;
    variation::Noise noise;
    Time start;

    explicit TwoJobs(const Case& each)
        : program(program_of(each)),
          machine(machine_of(each)),
          noise(*any_noise(each.unit)),
          start{*rc::gen::inRange(0, 50) * each.unit} {}

    record::Record alone(Seed seed) const { return engine::run(program, machine, {.noise = noise, .seed = seed}); }
    record::Record together(unsigned threads) const {
        const std::vector<program::JobProgram> jobs{{"first", &program}, {"second", &program, start}};
        machine::Machine both = machine;
        both.placement = {};
        both.placement.jobs = {machine.placement, machine.placement};
        for (const machine::Placement& job : both.placement.jobs) {
            both.placement.host_of.insert(both.placement.host_of.end(), job.host_of.begin(), job.host_of.end());
        }
        return engine::run(
            program::side_by_side(jobs), both,
            {.replay = engine::Replay::full, .threads = threads, .noise_of_jobs = {{noise, {1}}, {noise, {2}}}});
    }
};

}  // namespace

TEST_CASE("two jobs that share no links take the same time as each alone") {
    holds({300, 71}, [] {
        Case each = *any_case();
        each.hardware.links.reset();
        const TwoJobs jobs(each);
        std::vector<WideTime> finish = jobs.alone({1}).rank_finish;
        for (const WideTime of_second : jobs.alone({2}).rank_finish) finish.push_back(of_second + jobs.start);
        RC_ASSERT((jobs.together(1).rank_finish == finish));
    });
}

TEST_CASE("two jobs on shared links take the same picoseconds on any number of threads") {
    holds({300, 72}, [] {
        const TwoJobs jobs(*any_case());
        const record::Record one = jobs.together(1);
        assert_same(jobs.together(2), one);
        assert_same(jobs.together(3), one);
    });
}
