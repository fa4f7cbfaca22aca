#include "simulator/engine/parallel/peers.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/state/memory_budget.hpp"

namespace warpfront::engine {

namespace {

enum class FailureKind : std::uint8_t { other, too_large, cost_too_large, no_memory, queues, interrupted, overflow };

struct Failure {
    FailureKind kind = FailureKind::other;
    std::uint16_t site = 0;
    Rank rank{};
};

void put_text(std::string_view text, MessageWriter message) {
    message.put_list(std::vector<char>(text.begin(), text.end()));
}

void write(const Failure& failure, std::string_view text, MessageWriter message) {
    message.put(failure);
    put_text(text, message);
}

void write(const std::exception_ptr& failure, MessageWriter message) {
    try {
        std::rethrow_exception(failure);
    } catch (const TimeOverflow& overflow) {
        write({FailureKind::overflow, overflow.site(), overflow.rank()}, {}, message);
    } catch (const QueuesTooLong&) {
        write({FailureKind::queues}, {}, message);
    } catch (const std::bad_alloc&) {
        write({FailureKind::no_memory}, {}, message);
    } catch (const Interrupted& stopped) {
        write({FailureKind::interrupted}, stopped.what(), message);
    } catch (const std::length_error& size) {
        write({FailureKind::too_large}, size.what(), message);
    } catch (const std::overflow_error& cost) {
        write({FailureKind::cost_too_large}, cost.what(), message);
    } catch (const std::exception& fault) {
        write({FailureKind::other}, fault.what(), message);
    } catch (...) {
        write({FailureKind::other}, "of unknown kind", message);
    }
}

std::string text_of(MessageReader& message) {
    std::vector<char> letters;
    message.get_list(letters);
    return {letters.begin(), letters.end()};
}

[[noreturn]] void rethrow(MessageReader message) {
    const auto failure = message.get<Failure>();
    const std::string text = text_of(message);
    switch (failure.kind) {
        case FailureKind::overflow: throw TimeOverflow(failure.rank, failure.site);
        case FailureKind::queues: throw QueuesTooLong();
        case FailureKind::no_memory: throw std::bad_alloc();
        case FailureKind::interrupted: throw Interrupted(text);
        case FailureKind::too_large: throw std::length_error(text);
        case FailureKind::cost_too_large: throw std::overflow_error(text);
        case FailureKind::other: break;
    }
    throw std::runtime_error(text);
}

constexpr std::byte kGoesOn{0};
constexpr std::byte kFailed{1};
constexpr std::byte kEnds{2};

}  // namespace

Peers::Peers(ProcessGroup* group) : group_(group) {
    if (group != nullptr) {
        index_ = group->index();
        count_ = group->count();
    }
    out_.resize(count_);
    in_.resize(count_);
    begin_round();
}

void Peers::begin_round() {
    for (ProcessGroup::Message& message : out_) message.assign(1, kGoesOn);
}

void Peers::meet() {
    failed_ = false;
    group_->exchange(out_, in_);
    begin_round();
    throw_if_ended();
    throw_failure_before(count_);
}

MessageReader Peers::from(std::uint32_t p) const {
    MessageReader message(in_[p]);
    (void)message.get<std::byte>();
    return message;
}

Ending Peers::ending_of(std::uint32_t p) const {
    MessageReader message = from(p);
    const auto status = message.get<std::int32_t>();
    return {status, text_of(message), p};
}

void Peers::throw_if_ended() {
    for (std::uint32_t p = 0; p < count_; ++p) {
        if (p == index_ || in_[p].front() != kEnds) continue;
        failed_ = true;
        throw PeerEnded(ending_of(p));
    }
}

void Peers::throw_failure_before(std::uint32_t end) {
    for (std::uint32_t p = 0; p < end; ++p) {
        if (p == index_ || in_[p].front() != kFailed) continue;
        failed_ = true;
        rethrow(from(p));
    }
}

void Peers::fail(const std::exception_ptr& failure) {
    if (alone()) std::rethrow_exception(failure);
    for (ProcessGroup::Message& message : out_) {
        message.assign(1, kFailed);
        write(failure, MessageWriter(message));
    }
    group_->exchange(out_, in_);
    begin_round();
    failed_ = true;
    throw_if_ended();
    throw_failure_before(index_);
    std::rethrow_exception(failure);
}

Ending Peers::end(const Ending& mine) {
    if (alone()) return mine;
    for (ProcessGroup::Message& message : out_) {
        message.assign(1, kEnds);
        MessageWriter writer(message);
        writer.put(mine.status);
        put_text(mine.message, writer);
    }
    group_->exchange(out_, in_);
    for (std::uint32_t p = 0; p < count_; ++p) {
        if (p == index_ && mine.status != 0) return mine;
        if (p == index_ || in_[p].front() != kEnds) continue;  // what is still at work fails where this one has
        if (Ending other = ending_of(p); other.status != 0) return other;
    }
    return mine;
}

std::int64_t Peers::least(std::int64_t mine) {
    if (alone()) return mine;
    for (std::uint32_t p = 0; p < count_; ++p) to(p).put(mine);
    meet();
    for (std::uint32_t p = 0; p < count_; ++p) {
        if (p != index_) mine = std::min(mine, from(p).get<std::int64_t>());
    }
    return mine;
}

std::int64_t Peers::sum(std::int64_t mine) {
    if (alone()) return mine;
    for (std::uint32_t p = 0; p < count_; ++p) to(p).put(mine);
    meet();
    for (std::uint32_t p = 0; p < count_; ++p) {
        if (p != index_) mine += from(p).get<std::int64_t>();
    }
    return mine;
}

}  // namespace warpfront::engine
