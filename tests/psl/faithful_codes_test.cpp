// Sweep3D and LU with all their communication: everything that every rank does, against a walk through the codes' own
// loops with the codes' own rank numbers. This file follows ASCI Sweep3D 2.2b and NPB 3.3 LU.
#include "simulator/program/mismatches.hpp"
#include "tests/psl/models.hpp"

using program::Op;

namespace {

/// Returns the share of part `at`, from 0, if `whole` is divided among `parts` parts, of which the first ones get the
/// remainder.
std::int64_t dealt(std::int64_t whole, std::int64_t at, std::int64_t parts) {
    return whole / parts + (at < whole % parts ? 1 : 0);
}

/// Consecutive broadcasts and barriers: their messages depend on the machine's algorithms. No rank has an event of this
/// operation otherwise.
const Event kCollectives{Op::phase};

/// The stream of one rank: messages to ranks that exist, work that takes time, reductions.
struct Stream {
    Events events;

    /// Adds a message. `delta` is the difference of rank numbers; 0 means that there is no such rank.
    void message(Op op, std::int32_t delta, std::int64_t bytes, std::int32_t tag = 0) {
        if (delta != 0) events.push_back({op, op == Op::send ? bytes : 0, delta, tag});
    }
    void work(std::int64_t picoseconds) {
        if (picoseconds > 0) events.push_back({Op::compute, picoseconds});
    }
    void allreduce(std::int64_t bytes) { events.push_back({Op::allreduce, bytes}); }
};

/// Returns the stream of a lowered program.
Events stream_of(const program::Program& code, std::uint32_t rank) {
    Events events;
    for (const Event& each : steps(code, {rank})) {
        if (each.tag >= 0) {
            events.push_back(each);
        } else if (events.empty() || events.back() != kCollectives) {
            events.push_back(kCollectives);
        }
    }
    return events;
}

/// ASCI Sweep3D: cells, blocks and angles of its input, on npi x npj ranks; 7 ns per cell and angle, 2 ns per cell for
/// the error of the flux, 3 ns for the source.
struct Sweep3d {
    std::int64_t npi, npj;
    std::int64_t itg, jtg, kt;
    std::int64_t mk, mmi, mm;
    std::int64_t iterations = 1;

    Run run() const {
        return {static_cast<std::uint32_t>(npi), static_cast<std::uint32_t>(npj), iterations,
                given(fmt::format("nx {}, ny {}, nz {}, mk {}, mmi {}, mmo {}, wg_angle 7ns, wg_flux 2ns, "
                                  "wg_source 3ns",
                                  itg, jtg, kt, mk, mmi, mm))};
    }

    Events stream(std::int64_t rank) const {
        const std::int64_t pi = rank % npi;
        const std::int64_t pj = rank / npi;
        const std::int64_t it = dealt(itg, pi, npi);
        const std::int64_t jt = dealt(jtg, pj, npj);
        Stream stream;
        stream.events.push_back(kCollectives);
        for (std::int64_t iteration = 1; iteration <= iterations; ++iteration) {
            for (int octant = 1; octant <= 8; ++octant) sweep(octant, pi, pj, it, jt, stream);
            stream.allreduce(4);
            stream.work(it * jt * kt * 2000);
            stream.allreduce(8);
            stream.work(it * jt * kt * 3000);
        }
        stream.events.push_back(kCollectives);
        for (int total = 0; total < 8; ++total) stream.allreduce(8);
        return stream.events;
    }

private:
    void sweep(int octant, std::int64_t pi, std::int64_t pj, std::int64_t it, std::int64_t jt, Stream& stream) const {
        const bool westwards = octant <= 4;
        const bool northwards = octant == 1 || octant == 2 || octant == 5 || octant == 6;
        const std::int32_t west = pi > 0 ? -1 : 0;
        const std::int32_t east = pi < npi - 1 ? 1 : 0;
        const std::int32_t north = pj > 0 ? static_cast<std::int32_t>(-npi) : 0;
        const std::int32_t south = pj < npj - 1 ? static_cast<std::int32_t>(npi) : 0;
        const std::int64_t planes = std::min(mk, kt);
        for (std::int64_t angles = 0; angles < mm / mmi; ++angles) {
            for (std::int64_t first = 0; first < kt; first += planes) {
                stream.message(Op::recv, westwards ? east : west, 0);
                stream.message(Op::recv, northwards ? south : north, 0);
                stream.work(it * jt * std::min(planes, kt - first) * mmi * 7000);
                stream.message(Op::send, westwards ? west : east, 8 * jt * planes * mmi);
                stream.message(Op::send, northwards ? north : south, 8 * it * planes * mmi);
            }
        }
    }
};

/// NPB LU on `ranks` ranks and n points each way; 1 ns and 2 ns per point of a sweep, 3 ns per point of the right-hand
/// side.
struct Lu {
    std::int64_t ranks;
    std::int64_t n;
    std::int64_t inorm;
    std::int64_t steps;

    /// Returns the largest divisor of the ranks that is not above their square root.
    std::int64_t ydim() const {
        std::int64_t divisor = 1;
        for (std::int64_t d = 1; d * d <= ranks; ++d) divisor = ranks % d == 0 ? d : divisor;
        return divisor;
    }
    std::int64_t xdim() const { return ranks / ydim(); }

    Run run() const {
        return {static_cast<std::uint32_t>(xdim()), static_cast<std::uint32_t>(ydim()), steps,
                given(fmt::format("n {}, inorm {}, wg_pre 1ns, wg 2ns, wg_rhs 3ns", n, inorm))};
    }

    Events stream(std::int64_t rank) const {
        const std::int64_t row = rank % xdim();
        const std::int64_t col = rank / xdim();
        const std::int64_t nx = dealt(n, row, xdim());
        const std::int64_t ny = dealt(n, col, ydim());
        const std::int64_t inner_x = nx - (row == 0 ? 1 : 0) - (row == xdim() - 1 ? 1 : 0);
        const std::int64_t inner_y = ny - (col == 0 ? 1 : 0) - (col == ydim() - 1 ? 1 : 0);
        const std::int32_t north = row > 0 ? -1 : 0;
        const std::int32_t south = row < xdim() - 1 ? 1 : 0;
        const std::int32_t west = col > 0 ? static_cast<std::int32_t>(-xdim()) : 0;
        const std::int32_t east = col < ydim() - 1 ? static_cast<std::int32_t>(xdim()) : 0;
        Stream stream;
        const auto plane = [&](std::int32_t from_i, std::int32_t from_j, std::int32_t to_i, std::int32_t to_j) {
            stream.work(inner_x * inner_y * 1000);
            stream.message(Op::recv, from_i, 0);
            stream.message(Op::recv, from_j, 0);
            stream.work(inner_x * inner_y * 2000);
            stream.message(Op::send, to_i, 40 * inner_y);
            stream.message(Op::send, to_j, 40 * inner_x);
        };
        for (std::int64_t step = 1; step <= steps; ++step) {
            for (std::int64_t k = 2; k <= n - 1; ++k) plane(north, west, south, east);
            for (std::int64_t k = n - 1; k >= 2; --k) plane(south, east, north, west);
            if (step % inorm == 0) stream.allreduce(40);
            exchange(north, south, 80 * ny * n, stream);
            stream.work(nx * ny * n * 3000);
            exchange(west, east, 80 * nx * n, stream);
            stream.work(nx * ny * n * 3000);
            if (step % inorm == 0 || step == steps) stream.allreduce(40);
        }
        return stream.events;
    }

private:
    static void exchange(std::int32_t before, std::int32_t after, std::int64_t bytes, Stream& stream) {
        for (const auto& [from, to] : {std::pair(before, after), std::pair(after, before)}) {
            stream.message(Op::irecv, from, 0, 1);
            stream.message(Op::send, to, bytes, 1);
            stream.message(Op::wait_recv, from, 0, 1);
        }
    }
};

template <class Code>
void check_every_rank(const std::string& model, const Code& code) {
    const program::Program lowered = lowered_model(model, code.run());
    for (std::uint32_t rank = 0; rank < lowered.grid.ranks(); ++rank) {
        CAPTURE(rank);
        CHECK(stream_of(lowered, rank) == code.stream(rank));
    }
}

}  // namespace

TEST_CASE("Sweep3D does what the code does, where neither the grid nor the planes divide") {
    // 11 x 10 x 7 cells on 4 x 3 ranks: shares 3, 3, 3, 2 and 4, 3, 3; blocks of 3 planes, the last of 1.
    check_every_rank("sweep3d/faithful.psl", Sweep3d{4, 3, 11, 10, 7, 3, 2, 6, 3});
}

TEST_CASE("Sweep3D with fewer planes than a block has") {
    // One block of 5 planes instead of 8, which is sent as 5.
    check_every_rank("sweep3d/faithful.psl", Sweep3d{3, 2, 7, 5, 5, 8, 1, 3});
}

TEST_CASE("Sweep3D with blocks that divide the planes, and ranks in one line") {
    check_every_rank("sweep3d/faithful.psl", Sweep3d{5, 1, 13, 4, 6, 3, 6, 6});
    check_every_rank("sweep3d/faithful.psl", Sweep3d{1, 5, 4, 13, 6, 3, 6, 6});
}

TEST_CASE("Sweep3D's collectives: broadcasts and barriers before, two reductions in each iteration, nine behind") {
    const Run run{2, 1, 3, {{"nx", "4"}, {"ny", "4"}, {"nz", "4"}, {"wg_angle", "7ns"}}};
    const Events events = steps(lowered_model("sweep3d/faithful.psl", run), {0});
    std::vector<std::int64_t> sizes;  // the first sends of rank 0, and its allreduces
    for (const Event& each : events) {
        const bool counts = each.op == Op::allreduce || (each.op == Op::send && each.tag < 0);
        if (counts) sizes.push_back(each.amount);
    }
    const std::vector<std::int64_t> expected{4, 8, 0, 64, 32, 0, 4, 8, 4, 8, 4, 8, 0, 8, 8, 8, 8, 8, 8, 8, 8};
    CHECK(sizes == expected);
}

TEST_CASE("LU does what the code does, where the grid does not divide") {
    // 12 ranks are 4 in i and 3 in j; 13 points on them 4, 3, 3, 3 and 5, 4, 4, less those at the edges.
    // Norms after the sweeps of steps 2 and 4, and at the ends of steps 2, 4 and 5.
    check_every_rank("lu/faithful.psl", Lu{12, 13, 2, 5});
}

TEST_CASE("LU on ranks in one line, each with points at both edges of j") {
    // 5 is a prime: 5 ranks in i and 1 in j.
    check_every_rank("lu/faithful.psl", Lu{5, 16, 1, 2});
}
