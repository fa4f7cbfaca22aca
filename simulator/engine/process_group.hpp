// Processes that step one machine together, each a share of its nodes: what the engine needs of them.
//
// All processes have the same program, machine and options, and call `exchange` equally often: it is the only way they
// interact. mpi/mpi_group.hpp implements it by MPI, tests by threads of one process. Processes are of one kind of
// computer: values are sent as they stand in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfront::engine {

class ProcessGroup {
public:
    using Message = std::vector<std::byte>;

    ProcessGroup() = default;
    ProcessGroup(const ProcessGroup&) = delete;
    ProcessGroup& operator=(const ProcessGroup&) = delete;
    virtual ~ProcessGroup() = default;

    /// Of this process, from 0, and how many there are.
    virtual std::uint32_t index() const = 0;
    virtual std::uint32_t count() const = 0;

    /// Of these so many are on this process's computer and share its memory, this one included.
    virtual std::uint32_t on_this_computer() const = 0;

    /// Sends `out[p]` to every other process p and returns once `in[p]` is what each has sent here in the same round. Both
    /// have `count()` entries; those of this process are left alone. One thread at a time.
    virtual void exchange(const std::vector<Message>& out, std::vector<Message>& in) = 0;
};

}  // namespace warpfront::engine
