#include "simulator/mpi/mpi_group.hpp"

#include <algorithm>
#include <cstring>

namespace warpfront::mpi {

namespace {

constexpr int kFirst = 0;  // tags
constexpr int kRest = 1;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // MPI counts in int

}  // namespace

MpiGroup::MpiGroup() {
    int index = 0;
    int count = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &index);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    index_ = static_cast<std::uint32_t>(index);
    count_ = static_cast<std::uint32_t>(count);
    MPI_Comm computer = MPI_COMM_NULL;
    int here = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &computer);
    MPI_Comm_size(computer, &here);
    MPI_Comm_free(&computer);
    on_this_computer_ = static_cast<std::uint32_t>(here);
    sent_.resize(count_);
    received_.resize(count_);
    receives_.assign(count_, MPI_REQUEST_NULL);
}

void MpiGroup::exchange(const std::vector<Message>& out, std::vector<Message>& in) {
    sends_.clear();
    for (std::uint32_t p = 0; p < count_; ++p) {
        if (p == index_) continue;
        MPI_Irecv(&received_[p], sizeof(Piece), MPI_BYTE, static_cast<int>(p), kFirst, MPI_COMM_WORLD, &receives_[p]);
    }
    for (std::uint32_t p = 0; p < count_; ++p) {
        if (p != index_) send(p, out[p]);
    }
    for (std::uint32_t p = 0; p < count_; ++p) {
        if (p == index_) continue;
        MPI_Wait(&receives_[p], MPI_STATUS_IGNORE);
        in[p].resize(received_[p].length);
        std::memcpy(in[p].data(), received_[p].bytes.data(), std::min(in[p].size(), kFirstPiece));
        receive_rest(p, in[p]);
    }
    MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
}

void MpiGroup::send(std::uint32_t to, const Message& message) {
    Piece& piece = sent_[to];
    const std::size_t first = std::min(message.size(), kFirstPiece);
    piece.length = message.size();
    std::memcpy(piece.bytes.data(), message.data(), first);
    const auto bytes = static_cast<int>(offsetof(Piece, bytes) + first);
    MPI_Isend(&piece, bytes, MPI_BYTE, static_cast<int>(to), kFirst, MPI_COMM_WORLD, &sends_.emplace_back());
    for (std::size_t at = first; at < message.size(); at += kMostAtOnce) {
        const auto length = static_cast<int>(std::min(kMostAtOnce, message.size() - at));
        MPI_Isend(message.data() + at, length, MPI_BYTE, static_cast<int>(to), kRest, MPI_COMM_WORLD,
                  &sends_.emplace_back());
    }
}

void MpiGroup::receive_rest(std::uint32_t from, Message& message) {
    for (std::size_t at = kFirstPiece; at < message.size(); at += kMostAtOnce) {
        const auto length = static_cast<int>(std::min(kMostAtOnce, message.size() - at));
        MPI_Recv(message.data() + at, length, MPI_BYTE, static_cast<int>(from), kRest, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    }
}

}  // namespace warpfront::mpi

warpfront::engine::ProcessGroup* warpfront_mpi_group() {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
    if (level < MPI_THREAD_SERIALIZED) return nullptr;
    static warpfront::mpi::MpiGroup group;
    return &group;
}

void warpfront_mpi_end() { MPI_Finalize(); }
