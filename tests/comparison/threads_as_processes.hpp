// Threads that stand for the processes of a group, each with a simulation of its own: what they send each other goes
// through memory. For tests of what several processes do, without MPI.
#pragma once

#include <barrier>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "simulator/engine/engine.hpp"

namespace warpfront::test {

class ThreadsAsProcesses {
public:
    explicit ThreadsAsProcesses(std::uint32_t count) : barrier_(count), sent_(count) {
        for (std::uint32_t index = 0; index < count; ++index) members_.emplace_back(*this, index);
    }

    /// Process 0's record; throws what process 0 throws. `others`: whether each other process threw something too.
    record::Record run(const program::Program& program, const machine::Machine& machine, engine::Options options,
                       std::vector<bool>* others = nullptr) {
        std::vector<record::Record> records(members_.size());
        std::vector<std::exception_ptr> thrown(members_.size());
        std::vector<std::jthread> threads;
        for (std::uint32_t index = 0; index < members_.size(); ++index) {
            threads.emplace_back([&, index, own = options]() mutable {
                own.processes = &members_[index];
                try {
                    records[index] = engine::run(program, machine, own);
                } catch (...) {
                    thrown[index] = std::current_exception();
                }
            });
        }
        threads.clear();
        for (std::size_t index = 1; others != nullptr && index < members_.size(); ++index) {
            others->push_back(thrown[index] != nullptr);
        }
        if (thrown.front()) std::rethrow_exception(thrown.front());
        return records.front();
    }

private:
    class Member final : public engine::ProcessGroup {
    public:
        Member(ThreadsAsProcesses& group, std::uint32_t index) : group_(group), index_(index) {}
        Member(Member&& other) noexcept : group_(other.group_), index_(other.index_) {}

        std::uint32_t index() const override { return index_; }
        std::uint32_t count() const override { return static_cast<std::uint32_t>(group_.sent_.size()); }
        std::uint32_t on_this_computer() const override { return count(); }
        void exchange(const std::vector<Message>& out, std::vector<Message>& in) override {
            group_.sent_[index_] = out;
            group_.barrier_.arrive_and_wait();
            for (std::uint32_t from = 0; from < count(); ++from) {
                if (from != index_) in[from] = group_.sent_[from][index_];
            }
            group_.barrier_.arrive_and_wait();
        }

    private:
        ThreadsAsProcesses& group_;
        std::uint32_t index_;
    };

    std::barrier<> barrier_;
    std::vector<std::vector<engine::ProcessGroup::Message>> sent_;  // by sender, then receiver
    std::vector<Member> members_;
};

}  // namespace warpfront::test
