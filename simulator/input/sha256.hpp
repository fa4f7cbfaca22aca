// SHA-256 of files and results, as 64 lower-case hexadecimal digits.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace warpfront::input {

/// A hash of input that is added piece by piece, so the whole need never be in memory.
class Sha256 {
public:
    Sha256();
    void update(std::string_view bytes);
    /// Ends the hash and returns it; nothing may be added afterwards.
    std::string hex();

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

std::string sha256_hex(std::string_view bytes);

}  // namespace warpfront::input
