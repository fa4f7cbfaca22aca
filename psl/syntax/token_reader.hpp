// The tokens of a file, for the parser. Inspects tokens, takes expected ones, and continues after a statement with an
// error.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "psl/syntax/lexer.hpp"

namespace warpfront::psl {

/// Thrown to end the parsing of a statement after its error has been reported.
struct GiveUp {};

class TokenReader {
public:
    TokenReader(const SourceFilePtr& source, std::uint32_t file, Diagnostics& faults)
        : source_(source), tokens_(tokens(source, file, faults)), faults_(faults) {}

    const Token& now() const { return tokens_[at_]; }
    Span last() const { return tokens_[at_ == 0 ? 0 : at_ - 1].span; }
    std::size_t position() const { return at_; }
    bool at_end() const { return now().form == Token::Form::end; }
    bool at(std::string_view text) const;             // true at this keyword or sign
    bool at_block_word(std::string_view word) const;  // true at this word, which is one of kBlockWords
    bool at_name_then(std::string_view sign) const;
    /// Returns true at a name that is followed by a name or a number.
    bool at_name_then_value() const;
    /// Returns true at `(` if these brackets contain a comma, as in the arguments of a call.
    bool at_arguments() const;
    /// Returns the number without a unit just before the current token, if it is on the same line. Returns null
    /// otherwise.
    const Token* number_before() const;
    bool accept(std::string_view text);
    Token take();
    /// Takes the expected token. If it is missing, the message is "expected " and `what`.
    Token expect(std::string_view text, std::string_view what);
    Name expect_name(std::string_view what);
    /// Takes the `{` of a block.
    Token expect_block();
    /// Takes the closing bracket that belongs to `open`.
    Token expect_closing(std::string_view text, const Token& open);

    [[noreturn]] void fail(std::string expected);
    void fault(DiagnosticKind kind, Span span, std::string message, std::string expected = {});
    /// Skips the rest of a statement, with its blocks. Stops at the first token of a following line, or at the `}` of
    /// the enclosing block. `start` is the position at which the statement began.
    void skip_statement(std::size_t start);
    /// Returns true at the beginning of a line with a declaration that no block of statements contains. Then a `}` is
    /// missing before the line.
    bool at_declaration() const;
    /// Parses the text before a block. After a GiveUp, continues at the `{` of that line, so that errors in the block
    /// are found too.
    template <class Parse>
    void before_block(unsigned& depth, Parse parse) {
        const unsigned outer = depth;
        try {
            parse();
        } catch (const GiveUp&) {
            depth = outer;
            if (!skip_to_block()) throw;
        }
    }
    /// Parses one element of a block. After a GiveUp, continues with the next one. `depth` is the depth of nesting
    /// outside the element.
    template <class Parse>
    void recovering(unsigned& depth, Parse parse) {
        const std::size_t start = position();
        const unsigned outer = depth;
        try {
            parse();
        } catch (const GiveUp&) {
            depth = outer;
            skip_statement(start);
        }
    }

private:
    bool skip_to_block();

    SourceFilePtr source_;
    std::vector<Token> tokens_;
    Diagnostics& faults_;
    std::size_t at_ = 0;
    std::optional<std::size_t> unexpected_;  // index of the last unexpected token, so that it is reported only once
};

/// Counts the depth of nesting. Throws GiveUp beyond kDeepestNesting.
class Nesting {
public:
    Nesting(unsigned& depth, TokenReader& reader);
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

private:
    unsigned& depth_;
};

}  // namespace warpfront::psl
