// The text of --moves, after the start of any variant or after a FEN: it must lead to a position or
// be refused, and must lead to the same position as its parts.
//
// The first byte chooses the variant; a FEN and a newline may come before the moves.
#include <iostream>

#include "chess/fen.hpp"
#include "cli/options/typed_moves.hpp"
#include "cli/verbs/questions.hpp"
#include "fuzz.hpp"

namespace {

using namespace fendex;

/// Silences messages about ambiguous moves.
class Quiet {
  public:
    Quiet() : buffer_(std::cerr.rdbuf(nullptr)) {}
    ~Quiet() {
        std::cerr.rdbuf(buffer_);
        std::cerr.clear();
    }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

  private:
    std::streambuf* buffer_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const auto variant = static_cast<chess::Variant>(data[0] % (chess::kVariants));
    if (variant == chess::Variant::kOther) return 0;
    std::string_view text = fuzz::text_of(data + 1, size - 1);
    const Quiet quiet;
    try {
        chess::AnyPosition start = cli::start_asked(variant);
        if (const std::size_t line = text.find('\n'); line != std::string_view::npos) {
            start = cli::position_of(std::string(text.substr(0, line)), std::nullopt);
            text.remove_prefix(line + 1);
        }
        const chess::AnyPosition end = cli::position_after(start, "--moves", std::string(text));
        fuzz::require(end.variant() == start.variant());
        const auto again =
            chess::any_position(chess::parse_any_fen(chess::to_fen(end), end.variant()));
        fuzz::require(again && again->same_as(end) && again->key() == end.key());
    } catch (const cli::UsageError& error) {
        fuzz::require(*error.what() != 0);
    }
    return 0;
}
