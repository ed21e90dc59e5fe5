#include "ingest/stored_batch.hpp"

#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "codec/bits.hpp"
#include "codec/game_codes.hpp"
#include "codec/packed_searches.hpp"
#include "codec/record_block.hpp"
#include "ingest/game_positions.hpp"
#include "replay/game_start.hpp"
#include "replay/stored_swings.hpp"
#include "replay/tag_facts.hpp"
#include "store/broken_game.hpp"
#include "store/game_rows.hpp"
#include "store/store_error.hpp"

namespace fendex::ingest {

namespace {

using store::GameId;

std::optional<std::uint32_t> swing_of_code(std::uint32_t code) {
    return code == 0 ? std::nullopt : std::optional(code - 1);
}

void read_records(store::LocalReader& reader, const KeyRange& keys, store::NewGames& out) {
    store::PositionRecords* const records = reader.records();
    if (records == nullptr) return;
    codec::PackedSearches searches;
    codec::BitWriter scratch;
    records->for_each_from(
        keys.first, [&](const chess::AnyPosition& position, const codec::PositionRecord& record) {
            if (position.key() > keys.last) return false;
            searches.clear();
            for (const codec::Evaluation& each : record.evaluations) searches.add(position, each);
            const std::size_t begin = out.record_bits.size();
            codec::pack_record(position, searches, record.operations, scratch, out.record_bits);
            out.records.push_back({position.key(), {begin, out.record_bits.size() - begin}});
            return true;
        });
}

}  // namespace

OtherDatabase::OtherDatabase(std::string name, store::Store& store, unsigned threads)
    : path(std::move(name)), readers(store, threads + 2) {
    if (!spare_reader().has_current_facts()) return;
    spare_reader().for_each_name(store::NameKind::kOpening,
                                 [&](std::int64_t id, std::string_view text) {
                                     openings.emplace(codec::code_of_id(id), text);
                                 });
}

/// The games of one batch.
class StoredBatchReader::Games {
  public:
    Games(const StoredBatch& batch, store::LocalReader& reader, replay::AnyTrace& trace,
          bool ply_rows)
        : batch_(batch), reader_(reader), trace_(trace), ply_rows_(ply_rows) {}

    store::NewGames read() {
        if (batch_.games.first <= batch_.games.last) read_games();
        if (batch_.in_copyable_segment && !is_damaged_) {
            out_.copied = {{batch_.database, &batch_.database->spare_reader()}, batch_.games.first};
        }
        add_errors();
        return std::move(out_);
    }

  private:
    void read_games() {
        read_swings();
        read_derived();
        GameId next = batch_.games.first;
        try {
            reader_.for_each_annotation(next, [&](GameId id, std::string_view stream) {
                if (id > batch_.games.last) return false;
                annotations_.emplace(id, stream);
                return true;
            });
            if (take_rows()) return;
            reader_.for_each_game(next, [&](GameId id, const store::StoredGame& game) {
                if (id > batch_.games.last) return false;
                add_game(id, game);
                next = id + 1;
                return true;
            });
        } catch (const store::DamageError&) {
            for (; next <= batch_.games.last; ++next) read_alone(next);
        }
    }

    void read_swings() {
        for (const bool white : {true, false}) {
            std::vector<std::uint32_t>& out = white ? white_swings_ : black_swings_;
            out.resize(batch_.games.last - batch_.games.first + 1);
            try {
                reader_.column(
                    white ? store::GameColumn::kWhiteSwing : store::GameColumn::kBlackSwing,
                    batch_.games.first, out);
            } catch (const store::DamageError&) {
                out.assign(out.size(), 0);
            }
        }
    }

    void read_derived() {
        if (!reader_.has_current_facts()) return;
        try {
            openings_.resize(batch_.games.last - batch_.games.first + 1);
            reader_.column(store::GameColumn::kOpening, batch_.games.first, openings_);
            signatures_ = reader_.signatures(batch_.games);
            has_derived_ = true;
        } catch (const store::DamageError&) {
            has_derived_ = false;  // both are made anew
        }
    }

    /// Returns false if the games must be taken by their tags. Then none was taken.
    bool take_rows() {
        if (!batch_.takes_rows || !has_derived_) return false;
        const std::shared_ptr<store::GameRows> rows = reader_.rows(batch_.games);
        if (rows == nullptr) return false;
        rows->names = {batch_.database, &batch_.database->reader_of_writer()};
        out_.rows = rows;
        std::size_t plies = 0;
        for (const store::GameRows::Game& each : rows->games()) plies += each.facts.plies + 1;
        out_.positions.reserve(plies);
        for (std::size_t i = 0; i < rows->games().size(); ++i) {
            if (!take_row(i)) read_alone(rows->games()[i].id);
        }
        return true;
    }

    /// Takes a game with the standard start whose facts are known.
    bool take_row(std::size_t index) {
        const store::GameRows::Game& row = out_.rows->games()[index];
        const codec::GameFacts facts = reader_.facts(row.id);
        if (row.facts.variant != chess::Variant::kStandard || !row.start.empty() ||
            facts.variant != row.facts.variant || facts.result != row.facts.result ||
            facts.plies != row.facts.plies) {
            return false;
        }
        store::NewGame game;
        const chess::AnyPosition start = chess::Position();
        if (!take_derived(row.id, start, row.moves, facts.plies, game)) return false;
        game.row = index;
        game.facts = facts;
        numbers_.emplace(row.id, out_.games.size());
        out_.games.push_back(game);
        add_annotation(row.id, out_.games.back());
        add_positions(trace_.record(), start, ply_rows_, out_);
        return true;
    }

    /// Reads a game near damage.
    void read_alone(GameId id) {
        store::StoredGame game;
        try {
            if (!reader_.has_game(id)) return;
            if (!reader_.game(id, game)) store::throw_no_game(id);
        } catch (const store::DamageError& damage) {
            return add_damage(id, std::string("was left out: ") + damage.what(), std::nullopt);
        }
        try {
            std::string stream;
            if (!annotations_.contains(id) && reader_.annotation(id, stream)) {
                annotations_.emplace(id, std::move(stream));
            }
        } catch (const store::DamageError& damage) {
            add_damage(id, std::string("has lost its comments: ") + damage.what(),
                       out_.games.size());
        }
        add_game(id, game);
    }

    void add_game(GameId id, const store::StoredGame& stored) {
        const std::size_t first_tag = out_.tags.size();
        add_tags(stored);
        const std::span<const store::TagPair> tags = std::span(out_.tags).subspan(first_tag);
        const replay::GameStart start =
            replay::start_of_stored(tags, stored.moves.facts.variant, stored.moves.start);
        numbers_.emplace(id, out_.games.size());
        store::NewGame& game = out_.games.emplace_back();
        game.tags = {first_tag, tags.size()};
        game.facts.variant = start.variant;
        replay::read_stored_facts(tags, stored.moves.facts.result, game.facts);
        if (start.elsewhere) game.start = out_.owned.emplace_back(replay::stored_fen(start));
        const std::uint32_t plies = stored.moves.facts.plies;
        trace_.clear();
        game.moves.begin = out_.moves.size();
        if (start.position) {
            const std::string& moves = stored.moves.moves;
            if (take_derived(id, *start.position, moves, plies, game)) {
                out_.moves += moves;
            } else {
                derive(*start.position, stored.moves, game);
            }
        }
        game.moves.size = out_.moves.size() - game.moves.begin;
        const replay::GameRecord& record = trace_.record();
        game.facts.plies = static_cast<std::uint32_t>(record.moves().size());
        if (game.facts.plies == plies) {
            add_annotation(id, game);
        } else {
            add_damage(id, "is cut off, and has lost its comments: its moves are damaged",
                       out_.games.size() - 1, game.facts.plies);
        }
        if (start.position) add_positions(record, *start.position, ply_rows_, out_);
    }

    /// Returns false if what is derived from this game is not known, or its moves are damaged.
    bool take_derived(GameId id, const chess::AnyPosition& start, std::string_view moves,
                      std::uint32_t plies, store::NewGame& game) {
        if (!has_derived_) return false;
        const std::size_t number = id - batch_.games.first;
        if (openings_[number] != codec::kNoCode) {
            const auto opening = batch_.database->openings.find(openings_[number]);
            if (opening == batch_.database->openings.end()) return false;
            game.opening = opening->second;
        }
        trace_.replay_known(start, moves, plies);
        if (trace_.record().moves().size() != plies) return false;
        game.signature = signatures_[number];
        return true;
    }

    void derive(const chess::AnyPosition& start, const store::StoredMoves& moves,
                store::NewGame& game) {
        trace_.replay(start, moves.moves, moves.facts.plies);
        const replay::GameRecord& record = trace_.record();
        game.signature = record.signature();
        record.packed_moves().append_to(out_.moves);
        add_opening(record, game);
    }

    /// The text of all tag pairs is one piece of memory.
    void add_tags(const store::StoredGame& stored) {
        std::string& text = out_.owned.emplace_back();
        std::size_t size = 0;
        for (const auto& [name, value] : stored.tags) size += name.size() + value.size();
        text.reserve(size);
        const auto add = [&](std::string_view part) {
            text += part;
            return std::string_view(text).substr(text.size() - part.size());
        };
        for (const auto& [name, value] : stored.tags) {
            const std::string_view added = add(name);
            out_.tags.push_back({added, add(value)});
        }
    }

    void add_annotation(GameId id, store::NewGame& game) {
        const auto found = annotations_.find(id);
        if (found != annotations_.end()) {
            game.annotation = {out_.annotations.size(), found->second.size()};
            out_.annotations += found->second;
            game.swings =
                replay::swings_of_stored({game.facts, std::string(game.start), {}}, found->second);
            return;
        }
        // An import that left the comments out has read their evaluations.
        game.swings = {swing_of_code(white_swings_[id - batch_.games.first]),
                       swing_of_code(black_swings_[id - batch_.games.first])};
    }

    void add_damage(GameId id, const std::string& what, std::optional<std::size_t> game,
                    std::optional<std::uint32_t> ply = std::nullopt) {
        is_damaged_ = true;
        store::NewError& error = out_.errors.emplace_back();
        error.game = game;
        error.error.ply = ply;
        error.error.reason =
            "game " + std::to_string(id) + " of " + batch_.database->path + " " + what;
    }

    void add_errors() {
        std::set<GameId> has_text;
        for (const store::StoredError& each : batch_.errors) {
            store::NewError& error = out_.errors.emplace_back();
            error.error = each.error;
            if (!each.game) continue;
            const auto number = numbers_.find(*each.game);
            if (number == numbers_.end()) continue;
            error.game = number->second;
            const std::uint32_t plies = out_.games[number->second].facts.plies;
            if (error.error.ply && *error.error.ply > plies) error.error.ply = plies;
            if (each.error.warning || !has_text.insert(*each.game).second) continue;
            error.error.pgn = broken_text(each.id);
        }
    }

    std::string broken_text(std::int64_t error) {
        try {
            const std::optional<std::string> text = reader_.broken_game(error);
            return text ? store::pack_broken_game(*text) : std::string();
        } catch (const store::DamageError&) {
            return {};
        }
    }

    const StoredBatch& batch_;
    store::LocalReader& reader_;
    replay::AnyTrace& trace_;
    const bool ply_rows_;
    store::NewGames out_;
    bool is_damaged_ = false;
    std::unordered_map<GameId, std::string> annotations_;
    std::unordered_map<GameId, std::size_t> numbers_;  // ids there -> indexes in out_.games
    std::vector<std::uint32_t> white_swings_;          // codes, from the first game on
    bool has_derived_ = false;
    std::vector<std::uint32_t> openings_;  // codes there, from the first game on
    std::vector<codec::GameSignature> signatures_;
    std::vector<std::uint32_t> black_swings_;
};

store::NewGames StoredBatchReader::read(const StoredBatch& batch, unsigned thread, bool ply_rows) {
    store::LocalReader& reader = batch.database->readers[thread];
    if (!batch.records) {
        store::NewGames games = Games(batch, reader, trace_, ply_rows).read();
        games.is_of_records = batch.is_of_records;
        return games;
    }
    store::NewGames records;
    records.is_of_records = true;
    read_records(reader, *batch.records, records);
    return records;
}

}  // namespace fendex::ingest
