#include "openings.hpp"

#include <memory>
#include <stdexcept>

#include "chess/san.hpp"
#include "pgn/byte_source.hpp"
#include "pgn/reader.hpp"
#include "pgn/splitter.hpp"

namespace fendex::bench {

namespace {

/// A visitor of the PGN reader that collects one game.
class OpeningReader {
  public:
    OpeningReader(std::vector<OpeningMove>& moves, std::deque<std::string>& texts,
                  std::uint32_t max_plies)
        : moves_(moves), texts_(texts), max_plies_(max_plies) {}

    void start() {
        game_ = {};
        game_.first_move = moves_.size();
        position_ = standard_;
        usable_ = true;
    }
    const SourceGame& game() const { return game_; }
    bool usable() const { return usable_; }

    void tag(std::string_view name, std::string_view value) {
        if (name == "FEN" || name == "Variant") usable_ = false;
        for (const auto& [tag_name, member] : kMembers) {
            if (name != tag_name) continue;
            if (pgn::needs_cleaning(value)) value = texts_.emplace_back(pgn::clean_value(value));
            game_.*member = value;
        }
    }

    bool move(std::string_view text, const char*) {
        ++game_.plies;
        if (!usable_ || game_.opening_plies == max_plies_) return usable_;
        chess::SanMove san;
        chess::Move move;
        if (chess::parse_san(text, san) != chess::SanError::kNone ||
            chess::resolve_san(position_, san, move) != chess::SanError::kNone) {
            --game_.plies;
            return false;
        }
        san_.clear();
        chess::append_san(position_, move, san_);
        OpeningMove& opening_move = moves_.emplace_back();
        opening_move.move = move;
        opening_move.san_size = static_cast<std::uint8_t>(san_.copy(opening_move.san, 7));
        position_.play(move);
        ++game_.opening_plies;
        return true;
    }

    void result(std::string_view) {}
    void problem(const char*, std::string_view) {}

  private:
    struct Member {
        std::string_view tag;
        std::string_view SourceGame::*member;
    };
    static constexpr Member kMembers[] = {
        {"Event", &SourceGame::event},
        {"Site", &SourceGame::site},
        {"Date", &SourceGame::date},
        {"Round", &SourceGame::round},
        {"White", &SourceGame::white},
        {"Black", &SourceGame::black},
        {"WhiteElo", &SourceGame::white_elo},
        {"BlackElo", &SourceGame::black_elo},
        {"ECO", &SourceGame::eco},
        {"Result", &SourceGame::result},
    };

    std::vector<OpeningMove>& moves_;
    std::deque<std::string>& texts_;
    std::uint32_t max_plies_;
    const chess::Position standard_;
    chess::Position position_;
    std::string san_;
    SourceGame game_;
    bool usable_ = true;
};

}  // namespace

Openings::Openings(const std::string& path, std::uint32_t min_plies, std::uint32_t max_plies) {
    const std::unique_ptr<pgn::ByteSource> source = pgn::open_source(path);
    pgn::Splitter splitter(*source);
    OpeningReader reader(moves_, texts_, max_plies);
    pgn::Batch batch;
    while (splitter.next(batch)) {
        const std::string_view text = texts_.emplace_back(std::move(batch.text));
        for (const pgn::Extent& extent : batch.extents) {
            if (extent.kind != pgn::Extent::Kind::kGame) continue;
            reader.start();
            pgn::read_game(text.substr(extent.offset, extent.size), extent.truncated, reader);
            if (reader.usable() && reader.game().opening_plies >= min_plies) {
                games_.push_back(reader.game());
            } else {
                moves_.resize(reader.game().first_move);
            }
        }
    }
    if (games_.empty()) throw std::runtime_error(path + ": no game to continue from");
}

}  // namespace fendex::bench
