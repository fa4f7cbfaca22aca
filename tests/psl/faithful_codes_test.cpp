// Sweep3D and LU as they communicate: every message of every rank, against a walk through the codes' own loops. What
// stands here follows ASCI Sweep3D 2.2b and NPB 3.3 LU; ranks count along rows, `west` is -1, `north` is -columns.
#include <algorithm>

#include "tests/psl/models.hpp"

using namespace warpfront;
using namespace warpfront::psl;
using program::Op;

namespace {

/// A rank's place in its array, from 0.
struct Place {
    std::int64_t column = 0;
    std::int64_t row = 0;
    std::int64_t columns = 1;
    std::int64_t rows = 1;

    /// Difference of rank numbers, or 0 at the edge.
    std::int32_t neighbour(std::int64_t x, std::int64_t y) const {
        const bool outside = column + x < 0 || column + x >= columns || row + y < 0 || row + y >= rows;
        return outside ? 0 : static_cast<std::int32_t>(x + y * columns);
    }
};

/// The share of place `at` of `parts` when `whole` is dealt out, the first ones getting what is left over.
std::int64_t dealt(std::int64_t whole, std::int64_t at, std::int64_t parts) {
    return whole / parts + (at < whole % parts ? 1 : 0);
}

/// Sends and receives of one rank, and its work.
struct Stream {
    std::vector<Event> events;

    void message(Op op, std::int32_t delta, std::int64_t bytes, std::int32_t tag = 0) {
        if (delta != 0) events.push_back({op, op == Op::send ? bytes : 0, delta, tag});
    }
    void work(std::int64_t picoseconds) {
        if (picoseconds > 0) events.push_back({Op::compute, picoseconds});
    }
};

constexpr std::int64_t kPerAngle = 7000;  // ps

std::vector<Event> sweep3d(const Place& here, std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t mk,
                           std::int64_t mmi, std::int64_t mm) {
    const std::int64_t it = dealt(nx, here.column, here.columns);
    const std::int64_t jt = dealt(ny, here.row, here.rows);
    const std::int64_t blocks = (nz + mk - 1) / mk;
    Stream stream;
    for (std::int64_t octant = 1; octant <= 8; ++octant) {
        const std::int64_t x =
            octant == 1 || octant == 2 || octant == 3 || octant == 4 ? -1 : 1;  // the way of the sweep
        const std::int64_t y = octant == 1 || octant == 2 || octant == 5 || octant == 6 ? -1 : 1;
        for (std::int64_t angles = 0; angles < mm / mmi; ++angles) {
            for (std::int64_t block = 1; block <= blocks; ++block) {
                const std::int64_t computed = std::min(mk, nz - (block - 1) * mk);
                stream.message(Op::recv, here.neighbour(-x, 0), 0);
                stream.message(Op::recv, here.neighbour(0, -y), 0);
                stream.work(it * jt * computed * mmi * kPerAngle);
                stream.message(Op::send, here.neighbour(x, 0), 8 * jt * mk * mmi);
                stream.message(Op::send, here.neighbour(0, y), 8 * it * mk * mmi);
            }
        }
    }
    return stream.events;
}

std::vector<Event> lu(const Place& here, std::int64_t n) {
    const std::int64_t nx = dealt(n, here.row, here.rows);
    const std::int64_t ny = dealt(n, here.column, here.columns);
    const std::int64_t inner_x = nx - (here.row == 0 ? 1 : 0) - (here.row == here.rows - 1 ? 1 : 0);
    const std::int64_t inner_y = ny - (here.column == 0 ? 1 : 0) - (here.column == here.columns - 1 ? 1 : 0);
    const std::int32_t north = here.neighbour(0, -1);
    const std::int32_t south = here.neighbour(0, 1);
    const std::int32_t west = here.neighbour(-1, 0);
    const std::int32_t east = here.neighbour(1, 0);
    Stream stream;
    const auto plane = [&](std::int32_t from_y, std::int32_t from_x, std::int32_t to_y, std::int32_t to_x) {
        stream.work(inner_x * inner_y * 1000);
        stream.message(Op::recv, from_y, 0);
        stream.message(Op::recv, from_x, 0);
        stream.work(inner_x * inner_y * 2000);
        stream.message(Op::send, to_y, 40 * inner_y);
        stream.message(Op::send, to_x, 40 * inner_x);
    };
    for (std::int64_t k = 2; k <= n - 1; ++k) plane(north, west, south, east);
    for (std::int64_t k = n - 1; k >= 2; --k) plane(south, east, north, west);
    const auto exchange = [&](std::int32_t before, std::int32_t after, std::int64_t bytes) {
        for (const auto& [from, to] : {std::pair(before, after), std::pair(after, before)}) {
            stream.message(Op::irecv, from, 0, 1);
            stream.message(Op::send, to, bytes, 1);
            stream.message(Op::wait_recv, from, 0, 1);
        }
    };
    exchange(north, south, 80 * ny * n);
    stream.work(nx * ny * n * 3000);
    exchange(west, east, 80 * nx * n);
    stream.work(nx * ny * n * 3000);
    return stream.events;
}

/// Without the messages of collectives, whose tags no code can use.
std::vector<Event> of_the_code(std::vector<Event> events) {
    std::erase_if(events, [](const Event& each) { return each.tag < 0 || each.op == Op::allreduce; });
    return events;
}

}  // namespace

TEST_CASE("Sweep3D sends what the code sends, where neither the grid nor the planes divide") {
    // 11 x 10 x 7 cells on 4 x 3 ranks: shares 3, 3, 3, 2 and 4, 3, 3; blocks of 3 planes, the last of 1.
    const Run run{
        4,
        3,
        1,
        {{"nx", "11"}, {"ny", "10"}, {"nz", "7"}, {"mk", "3"}, {"mmi", "2"}, {"mmo", "6"}, {"wg_angle", "7ns"}}};
    const program::Program code = lowered_model("sweep3d/faithful.psl", run);
    for (std::uint32_t rank = 0; rank < 12; ++rank) {
        CAPTURE(rank);
        CHECK(of_the_code(steps(code, {rank})) == sweep3d({rank % 4, rank / 4, 4, 3}, 11, 10, 7, 3, 2, 6));
    }
}

TEST_CASE("Sweep3D's collectives: broadcasts and barriers before, two reductions in each iteration, nine behind") {
    const Run run{2, 1, 3, {{"nx", "4"}, {"ny", "4"}, {"nz", "4"}, {"wg_angle", "7ns"}}};
    const std::vector<Event> events = steps(lowered_model("sweep3d/faithful.psl", run), {0});
    std::vector<std::int64_t> sizes;  // what rank 0 sends first of all, and its allreduces
    for (const Event& each : events) {
        const bool counts = each.op == Op::allreduce || (each.op == Op::send && each.tag < 0);
        if (counts) sizes.push_back(each.amount);
    }
    const std::vector<std::int64_t> expected{4, 8, 0, 64, 32, 0, 4, 8, 4, 8, 4, 8, 0, 8, 8, 8, 8, 8, 8, 8, 8};
    CHECK(sizes == expected);
}

TEST_CASE("LU sends what the code sends, where the grid does not divide") {
    // 13 points on 3 rows and 4 columns: 5, 4, 4 along i, 4, 3, 3, 3 along j, less the points at the edges.
    const Run run{4, 3, 1, {{"n", "13"}, {"wg_pre", "1ns"}, {"wg", "2ns"}, {"wg_rhs", "3ns"}}};
    const program::Program code = lowered_model("lu/faithful.psl", run);
    for (std::uint32_t rank = 0; rank < 12; ++rank) {
        CAPTURE(rank);
        CHECK(of_the_code(steps(code, {rank})) == lu({rank % 4, rank / 4, 4, 3}, 13));
    }
}

TEST_CASE("LU takes norms every inorm steps and at the last") {
    const Run run{2, 2, 5, {{"n", "12"}, {"inorm", "2"}, {"wg_pre", "1ns"}, {"wg", "2ns"}}};
    const std::vector<Event> events = steps(lowered_model("lu/faithful.psl", run), {0});
    // After the sweeps of steps 2 and 4, and at the ends of steps 2, 4 and 5.
    CHECK(std::count(events.begin(), events.end(), Event{Op::allreduce, 40}) == 5);
}

TEST_CASE("the other codes of the project are matched on any array") {
    for (const char* name : {"jacobi/jacobi.psl", "kripke/kripke.psl", "master_worker/master_worker.psl",
                             "multiphysics/multiphysics.psl", "snap/snap.psl", "sweep3d/groups.psl"}) {
        for (const std::uint32_t columns : {1U, 2U, 5U}) {
            Run run{columns, 3, 2, {}};
            if (std::string_view(name) == "sweep3d/groups.psl") run.parameters = {{"wg", "1us"}, {"nz", "4"}};
            CAPTURE(name);
            CAPTURE(columns);
            const program::Program code = lowered_model(name, run);
            CHECK(program::validate(code).empty());
            CHECK(program::mismatches(code, 1).empty());
        }
    }
    for (const std::uint32_t side : {1U, 2U, 5U}) {
        CHECK(program::mismatches(lowered_model("gradients/gradients.psl", Run{side, side, 2}), 1).empty());
    }
}
