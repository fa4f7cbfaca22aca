// The choice of an algorithm for a collective, and its reason: rules by size and ranks, and the tables of MPI
// libraries.
#include "simulator/collectives/exchanges.hpp"
#include "tests/preamble.hpp"

using namespace warpfront::collectives;

namespace {

constexpr std::int64_t kDouble = 8;

std::string chosen(const Algorithms& algorithms, const Collective& call, std::uint32_t ranks) {
    return std::string(name_of(algorithms.choose(call, ranks).algorithm));
}

std::string chosen(Library library, Kind kind, std::int64_t bytes, std::uint32_t ranks, std::int64_t element = 1) {
    return chosen(Algorithms::like(library), {kind, 0, {bytes}, {}, {element}}, ranks);
}

std::string open_mpi(Kind kind, std::int64_t bytes, std::uint32_t ranks, std::int64_t element = 1) {
    return chosen(Library::open_mpi, kind, bytes, ranks, element);
}
std::string mpich(Kind kind, std::int64_t bytes, std::uint32_t ranks, std::int64_t element = 1) {
    return chosen(Library::mpich, kind, bytes, ranks, element);
}
std::string smpi(Kind kind, std::int64_t bytes, std::uint32_t ranks) {
    return chosen(Library::smpi, kind, bytes, ranks);
}

std::string reason(const Algorithms& algorithms, const Collective& call, std::uint32_t ranks) {
    return reason_of(algorithms.choose(call, ranks));
}

}  // namespace

TEST_CASE("the first rule of a collective that applies to its size and ranks counts") {
    Algorithms algorithms;
    algorithms.set(Kind::alltoall,
                   {{Algorithm::bruck, Bytes{200}, 16}, {Algorithm::linear, Bytes{200}}, {Algorithm::pairwise}});
    CHECK(chosen(algorithms, {Kind::alltoall, 0, {200}}, 16) == "bruck");
    CHECK(chosen(algorithms, {Kind::alltoall, 0, {200}}, 17) == "linear");
    CHECK(chosen(algorithms, {Kind::alltoall, 0, {201}}, 16) == "pairwise");
}

TEST_CASE("different shares count by their mean; if members do not have all of them, no rule by size applies") {
    Algorithms algorithms;
    for (const Kind kind : {Kind::allgatherv, Kind::alltoallv}) {
        algorithms.set(kind, {{Algorithm::linear, Bytes{20}}, {Algorithm::ring}});
    }
    CHECK(chosen(algorithms, {Kind::allgatherv, 0, {60}, {{0}, {60}, {2}}}, 3) == "linear");  // 62 B / 3
    CHECK(chosen(algorithms, {Kind::allgatherv, 0, {0}, {{0}, {60}, {3}}}, 3) == "ring");     // 63 B / 3
    CHECK(chosen(algorithms, {Kind::alltoallv, 0, {}, {{1}, {1}, {1}}}, 3) == "ring");
}

TEST_CASE("an element is that of the datatype; without one, the largest of 8, 4, 2 and 1 B that divides the size") {
    CHECK(element_of({Kind::bcast, 0, {96}, {}, {4}}, {96}) == Bytes{4});
    CHECK(element_of({Kind::bcast, 0, {96}}, {96}) == Bytes{8});
    CHECK(element_of({Kind::bcast, 0, {100}}, {100}) == Bytes{4});
    CHECK(element_of({Kind::bcast, 0, {7}}, {7}) == Bytes{1});
}

TEST_CASE("the reason of a choice is its rule, with the lower limits that the rules above it give") {
    const Algorithms like = Algorithms::like(Library::open_mpi);
    const auto allreduce = [&](std::int64_t bytes, std::uint32_t ranks) {
        return reason(like, {Kind::allreduce, 0, {bytes}, {}, {kDouble}}, ranks);
    };
    CHECK(allreduce(8, 8) == "Open MPI 4.1: up to 8191 B on 8 to 15 ranks");
    CHECK(allreduce(4096, 2) == "Open MPI 4.1: 4096 to 8191 B on up to 3 ranks");
    CHECK(allreduce(1 << 20, 8) == "Open MPI 4.1: more than 8191 B on 8 to 15 ranks");
    CHECK(allreduce(1 << 20, 5000) == "Open MPI 4.1: more than 32767 B on more than 4095 ranks");
    CHECK(allreduce(56, 40) == "Open MPI 4.1: up to 127 B on 32 to 63 ranks, fewer elements than ranks");
    const Algorithms mpich = Algorithms::like(Library::mpich);
    CHECK(reason(mpich, {Kind::allgather, 0, {100}}, 6) == "MPICH 4: up to 81919 B of all ranks");
    CHECK(reason(mpich, {Kind::barrier}, 6) == "MPICH 4");
    CHECK(reason(Algorithms(), {Kind::barrier}, 6) == "default");
    Algorithms own;
    own.set(Kind::bcast, {{Algorithm::linear, Bytes{100}, 4}, {Algorithm::binomial}});
    CHECK(reason(own, {Kind::bcast, 0, {1}}, 4) == "hardware file: up to 100 B on up to 4 ranks");
    CHECK(reason(own, {Kind::bcast, 0, {1}}, 5) == "hardware file");
}

TEST_CASE("an algorithm that needs an even number of ranks, or a power of two, is replaced, with this reason") {
    Algorithms algorithms;
    algorithms.set(Kind::allgather, Algorithm::neighbour_exchange);
    algorithms.set(Kind::alltoall, Algorithm::pairwise_xor);
    CHECK(chosen(algorithms, {Kind::allgather, 0, {8}}, 6) == "neighbour_exchange");
    CHECK(chosen(algorithms, {Kind::allgather, 0, {8}}, 7) == "ring");
    CHECK(reason(algorithms, {Kind::allgather, 0, {8}}, 7) ==
          "hardware file; neighbour_exchange needs an even number of ranks");
    CHECK(chosen(algorithms, {Kind::alltoall, 0, {8}}, 8) == "pairwise_xor");
    CHECK(chosen(algorithms, {Kind::alltoall, 0, {8}}, 6) == "pairwise");
    CHECK(reason(algorithms, {Kind::alltoall, 0, {8}}, 6) ==
          "hardware file; pairwise_xor needs a power of two of ranks");
}

TEST_CASE("the parts of a collective have their own choices") {
    const Collective allreduce{Kind::allreduce, 0, {64}};
    const auto all = descriptions_of(allreduce, Algorithms::like(Library::smpi), 8);
    REQUIRE(all.size() == 3);
    CHECK(all[0].operation == "allreduce");
    CHECK(all[0].algorithm == "reduce_bcast");
    CHECK(all[0].because == "SMPI 3.32");
    CHECK(all[0].bytes == Bytes{64});
    CHECK(all[1].operation == "reduce in allreduce");
    CHECK(all[1].algorithm == "linear");
    CHECK(all[2].operation == "bcast in allreduce");
    CHECK(all[2].algorithm == "binomial");
    const auto scattered = descriptions_of({Kind::reduce_scatter, 0, {64}}, Algorithms::like(Library::smpi), 8);
    REQUIRE(scattered.size() == 3);
    CHECK(scattered[1].bytes == Bytes{8 * 64});
    CHECK_FALSE(scattered[2].bytes.has_value());  // only the root has the sizes of a scatterv
}

// Rows of the tables: `ompi_coll_tuned_*_intra_dec_fixed` of Open MPI 4.1.

TEST_CASE("Open MPI 4.1: allreduce") {
    CHECK(open_mpi(Kind::allreduce, 7, 3) == "ring");
    CHECK(open_mpi(Kind::allreduce, 8, 3) == "recursive_doubling");
    CHECK(open_mpi(Kind::allreduce, 65536, 3) == "ring");  // segmented, with one segment
    CHECK(open_mpi(Kind::allreduce, 262144, 3) == "rabenseifner");
    CHECK(open_mpi(Kind::allreduce, 8191, 8) == "recursive_doubling");
    CHECK(open_mpi(Kind::allreduce, 8192, 8) == "rabenseifner");
    CHECK(open_mpi(Kind::allreduce, 131071, 128) == "reduce_bcast");
    CHECK(open_mpi(Kind::allreduce, 131072, 128) == "recursive_doubling");
    CHECK(open_mpi(Kind::allreduce, 16383, 4096) == "ring");
}

TEST_CASE("Open MPI 4.1: an allreduce of fewer elements than ranks is no ring, nor halved") {
    CHECK(open_mpi(Kind::allreduce, 63, 16) == "ring");
    CHECK(open_mpi(Kind::allreduce, 56, 16, kDouble) == "recursive_doubling");  // 7 elements
    CHECK(open_mpi(Kind::allreduce, 248, 40, kDouble) == "linear");             // 31 elements, fewer than 32
    CHECK(open_mpi(Kind::allreduce, 256, 40, kDouble) == "rabenseifner");
}

TEST_CASE("Open MPI 4.1: bcast and reduce") {
    CHECK(open_mpi(Kind::bcast, 31, 2) == "chain");  // a pipeline of one segment
    CHECK(open_mpi(Kind::bcast, 32, 2) == "binary");
    CHECK(open_mpi(Kind::bcast, 64, 4) == "binomial_doubling");
    CHECK(open_mpi(Kind::bcast, 7, 8) == "knomial");
    CHECK(open_mpi(Kind::bcast, 32768, 8) == "linear");
    CHECK(open_mpi(Kind::bcast, 1048576, 16) == "scatter_allgather");
    CHECK(open_mpi(Kind::bcast, 16384, 256) == "split_binary");
    CHECK(open_mpi(Kind::reduce, 7, 2) == "rabenseifner");
    CHECK(open_mpi(Kind::reduce, 7, 2, 7) == "sequential");
    CHECK(open_mpi(Kind::reduce, 262144, 4) == "sequential");
    CHECK(open_mpi(Kind::reduce, 4096, 4) == "chain");
    CHECK(open_mpi(Kind::reduce, 8191, 8) == "binary");
    CHECK(open_mpi(Kind::reduce, 8192, 8) == "binomial");
    CHECK(open_mpi(Kind::reduce, 8192, 256) == "in_order_binary");
}

TEST_CASE("Open MPI 4.1: allgather and allgatherv") {
    CHECK(open_mpi(Kind::allgather, 8, 2) == "ring");  // two processes exchange
    CHECK(open_mpi(Kind::allgather, 1 << 20, 16) == "recursive_doubling");
    CHECK(open_mpi(Kind::allgather, 1 << 20, 15) == "bruck");
    CHECK(open_mpi(Kind::allgather, 1024, 32) == "neighbour_exchange");
    CHECK(open_mpi(Kind::allgather, 1024, 33) == "ring");
    CHECK(open_mpi(Kind::allgather, 65536, 32) == "ring");
    const Algorithms like = Algorithms::like(Library::open_mpi);
    const auto allgatherv = [&](std::int64_t bytes, std::uint32_t ranks) {
        return chosen(like, {Kind::allgatherv, 0, {}, std::vector<Bytes>(ranks, {bytes})}, ranks);
    };
    CHECK(allgatherv(255, 4) == "gather_bcast");
    CHECK(allgatherv(256, 4) == "neighbour_exchange");
    CHECK(allgatherv(16384, 4) == "bruck");
    CHECK(allgatherv(262144, 16) == "ring");
}

TEST_CASE("Open MPI 4.1: alltoall and alltoallv") {
    CHECK(open_mpi(Kind::alltoall, 8, 2) == "pairwise");
    CHECK(open_mpi(Kind::alltoall, 65536, 2) == "linear");
    CHECK(open_mpi(Kind::alltoall, 524288, 7) == "pairwise");
    CHECK(open_mpi(Kind::alltoall, 1048576, 7) == "linear");
    CHECK(open_mpi(Kind::alltoall, 3, 16) == "linear");
    CHECK(open_mpi(Kind::alltoall, 4, 16) == "bruck");
    CHECK(open_mpi(Kind::alltoall, 512, 16) == "linear");
    CHECK(open_mpi(Kind::alltoall, 262144, 64) == "pairwise");
    CHECK(open_mpi(Kind::alltoallv, 0, 3) == "pairwise");
    CHECK(open_mpi(Kind::alltoallv, 0, 63) == "linear");
    CHECK(open_mpi(Kind::alltoallv, 0, 64) == "pairwise");
}

TEST_CASE("Open MPI 4.1: reduce_scatter, by the bytes of all results") {
    CHECK(open_mpi(Kind::reduce_scatter, 1, 7) == "reduce_then_scatterv");  // 7 B
    CHECK(open_mpi(Kind::reduce_scatter, 2, 7) == "recursive_halving");
    CHECK(open_mpi(Kind::reduce_scatter, 32767, 8) == "recursive_halving");
    CHECK(open_mpi(Kind::reduce_scatter, 32768, 8) == "ring");
    CHECK(open_mpi(Kind::reduce_scatter, 64, 32) == "butterfly");
}

TEST_CASE("Open MPI 4.1: barrier, gather, scatter, and what coll/basic does") {
    CHECK(open_mpi(Kind::barrier, 0, 3) == "recursive_doubling");
    CHECK(open_mpi(Kind::barrier, 0, 4) == "linear");
    CHECK(open_mpi(Kind::barrier, 0, 64) == "dissemination");
    CHECK(open_mpi(Kind::barrier, 0, 256) == "binomial");
    CHECK(open_mpi(Kind::gather, 131072, 2) == "linear_sync");
    CHECK(open_mpi(Kind::gather, 1024, 4) == "sequential");
    CHECK(open_mpi(Kind::gather, 1024, 8) == "binomial");
    CHECK(open_mpi(Kind::scatter, 2048, 4) == "sequential");
    CHECK(open_mpi(Kind::scatter, 16384, 8) == "linear");
    CHECK(open_mpi(Kind::gatherv, 8, 8) == "sequential");
    CHECK(open_mpi(Kind::scan, 8, 8) == "chain");
}

// maint/tuning/coll/mpir/generic.json of MPICH 4.

TEST_CASE("MPICH 4: allreduce, reduce and bcast") {
    CHECK(mpich(Kind::allreduce, 8, 16) == "recursive_doubling");
    CHECK(mpich(Kind::allreduce, 9, 8) == "halving_doubling");
    CHECK(mpich(Kind::allreduce, 120, 16, kDouble) == "recursive_doubling");  // 15 elements
    CHECK(mpich(Kind::allreduce, 128, 31, kDouble) == "halving_doubling");    // 16
    CHECK(mpich(Kind::reduce, 2048, 16) == "binomial");
    CHECK(mpich(Kind::reduce, 2049, 16) == "halving_doubling");
    CHECK(mpich(Kind::bcast, 1 << 22, 7) == "binomial");
    CHECK(mpich(Kind::bcast, 12288, 8) == "binomial");
    CHECK(mpich(Kind::bcast, 12289, 8) == "scatter_allgather");
    CHECK(mpich(Kind::bcast, 524289, 8) == "scatter_ring");
    CHECK(mpich(Kind::bcast, 12289, 9) == "scatter_ring");
}

TEST_CASE("MPICH 4: allgather by the bytes of all, alltoall by those of one") {
    CHECK(mpich(Kind::allgather, 65535, 8) == "recursive_doubling");
    CHECK(mpich(Kind::allgather, 65536, 8) == "ring");
    CHECK(mpich(Kind::allgather, 9102, 9) == "bruck");  // 81,918 B
    CHECK(mpich(Kind::allgather, 9103, 9) == "ring");
    CHECK(mpich(Kind::alltoall, 32768, 7) == "scattered");
    CHECK(mpich(Kind::alltoall, 32769, 7) == "pairwise");
    CHECK(mpich(Kind::alltoall, 32769, 4) == "pairwise_xor");
    CHECK(mpich(Kind::alltoall, 256, 8) == "bruck");
    CHECK(mpich(Kind::alltoall, 257, 8) == "scattered");
    CHECK(mpich(Kind::alltoallv, 0, 8) == "scattered");
}

TEST_CASE("MPICH 4: the others") {
    CHECK(mpich(Kind::reduce_scatter, 65535, 8) == "recursive_halving");
    CHECK(mpich(Kind::reduce_scatter, 65536, 8) == "pairwise");
    CHECK(mpich(Kind::gather, 8, 8) == "binomial");
    CHECK(mpich(Kind::gatherv, 8, 8) == "linear");
    CHECK(mpich(Kind::barrier, 0, 8) == "dissemination");
    CHECK(mpich(Kind::exscan, 8, 8) == "hypercube");
}

// The selector `default` of SMPI 3.32.

TEST_CASE("SMPI 3.32: an alltoall by Open MPI's table, a reduce_scatter by its shares and elements") {
    CHECK(smpi(Kind::alltoall, 100, 13) == "linear");
    CHECK(smpi(Kind::alltoall, 511, 16) == "bruck");
    CHECK(smpi(Kind::alltoall, 512, 16) == "linear");
    CHECK(smpi(Kind::alltoall, 262144, 64) == "pairwise_xor");
    CHECK(smpi(Kind::reduce_scatter, 1 << 20, 8) == "reduce_then_scatterv");
    const Algorithms like = Algorithms::like(Library::smpi);
    const auto unequal = [&](std::int64_t first, std::int64_t element) {
        return chosen(like, {Kind::reduce_scatter, 0, {}, {{first}, {8}}, {element}}, 2);
    };
    CHECK(unequal(512 * 1024 - 8, 1) == "recursive_doubling");
    CHECK(unequal(512 * 1024, 1) == "pairwise");
    CHECK(unequal(8 * 512 * 1024 - 8, kDouble) == "recursive_doubling");  // it counts elements
    CHECK(unequal(8 * 512 * 1024, kDouble) == "pairwise");
    CHECK(smpi(Kind::barrier, 0, 8) == "linear");
    CHECK(smpi(Kind::bcast, 8, 8) == "binomial");
    CHECK(smpi(Kind::allreduce, 8, 8) == "reduce_bcast");
}
