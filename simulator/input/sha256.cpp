#include "simulator/input/sha256.hpp"

#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <openssl/evp.h>

namespace warpfront::input {

namespace {

void demand(int outcome) {
    if (outcome != 1) throw std::runtime_error("libcrypto refuses to compute SHA-256");
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) { demand(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr)); }

void Sha256::update(std::string_view bytes) { demand(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size())); }

std::string Sha256::hex() {
    std::array<unsigned char, 32> digest{};
    demand(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr));
    return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string sha256_hex(std::string_view bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.hex();
}

}  // namespace warpfront::input
