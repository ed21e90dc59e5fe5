#include "clickhouse/filter_sql.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/key_text.hpp"
#include "base/text_fold.hpp"
#include "chess/setup.hpp"
#include "clickhouse/answer_row.hpp"
#include "clickhouse/fact_conditions.hpp"
#include "clickhouse/posting_sql.hpp"
#include "clickhouse/sql_text.hpp"
#include "clickhouse/tag_conditions.hpp"
#include "replay/opening_names.hpp"
#include "store/capability.hpp"
#include "store/named_codes.hpp"
#include "store/named_sources.hpp"

namespace fendex::clickhouse {

namespace {

using base::fold;
using base::NameWords;
using store::NameKind;

/// The index of players is not used for more names, or if the players have more games.
constexpr std::size_t kMostNames = 1000;
constexpr std::uint64_t kMostListed = FilterSql::kMostSent;

std::string eco_condition(const std::pair<std::string, std::string>& range) {
    std::string out = "eco != '' AND eco >= " + sql_text(range.first);
    if (range.second.empty()) return out;  // no upper end
    return out + " AND substring(eco, 1, " + std::to_string(range.second.size()) +
           ") <= " + sql_text(range.second);
}

std::string event_condition(const std::string& name) {
    if (name == store::kUnknownName) return "event IN ('', " + sql_text(name) + ")";
    return "event = " + sql_text(name);
}

}  // namespace

/// Builds the conditions of one filter.
class FilterBuilder {
  public:
    FilterBuilder(ReadSession& session, store::StoreReader& reader)
        : session_(session), reader_(reader) {
        out_.pushes_ = session.snapshot().sql_pushes();
        out_.present_ = session.snapshot().sql_and_present("id");
    }

    void add(const PlayersOfGame& players) {
        if (players.color) return plays(chess::name_of(*players.color), players.names);
        game(in("white", players.names) + " OR " + in("black", players.names));
        use_index(players.names);
    }

    FilterSql build(const store::GameFilter& filter) {
        out_.facts_ = fact_conditions(filter);
        if (filter.mode) game(sql_one_of("mode", std::vector{*filter.mode}));
        if (filter.modes) game(sql_one_of("mode", *filter.modes));
        if (!filter.plies.is_everything()) {
            game(sql_range("plies", filter.plies.low, filter.plies.high));
        }
        if (filter.eco) game(eco_condition(*filter.eco));
        add_openings(filter);
        add_players(filter);
        if (!filter.event.empty()) game(in("event", words(NameKind::kEvent, filter.event)));
        if (!filter.event_named.empty()) game(event_condition(filter.event_named));
        if (!filter.site.empty()) text("site", site_condition(session_, filter.site));
        if (!filter.termination.empty()) {
            text("termination", termination_condition(session_, filter.termination));
        }
        if (!filter.source.empty()) add_sources(filter.source);
        for (const auto& [name, value] : filter.tags) add_tag(name, value);
        if (!out_.reads_games() && out_.ids_.empty()) out_.fine_sums_ = fine_sum_condition(filter);
        return std::move(out_);
    }

  private:
    void game(const std::string& condition) { out_.in_game_ += " AND (" + condition + ")"; }

    void add_openings(const store::GameFilter& filter) {
        using Fits = std::function<bool(const replay::Opening&)>;
        const auto add = [&](const base::KeyText& question, const Fits& fits) {
            game(in("opening", names_that_fit(session_, NameKind::kOpening, {}, question,
                                              [&](std::string_view text) {
                                                  return fits(replay::opening_of_text(text));
                                              })));
        };
        if (const auto& range = filter.opening_eco) {
            add(base::KeyText("openings by code").add(range->first).add(range->second),
                [&](const replay::Opening& opening) {
                    return store::has_eco(*range, opening.eco);
                });
        }
        if (!filter.opening.empty()) {
            const NameWords asked(filter.opening);
            add(base::KeyText("openings by words").add(filter.opening),
                [&](const replay::Opening& opening) { return asked.fit(fold(opening.name)); });
        }
    }

    void plays(std::string_view colour, const std::shared_ptr<const Names>& names) {
        game(in(std::string(colour), names));
        use_index(names);
    }

    void add_players(const store::GameFilter& filter) {
        const auto player = [&](const std::string& typed) {
            return words(NameKind::kPlayer, typed);
        };
        if (!filter.white.empty()) plays("white", player(filter.white));
        if (!filter.black.empty()) plays("black", player(filter.black));
        if (!filter.white_named.empty()) {
            plays("white", players_named(session_, filter.white_named));
        }
        if (!filter.black_named.empty()) {
            plays("black", players_named(session_, filter.black_named));
        }
        if (!filter.opponent.empty()) {
            const auto one = player(filter.player);
            const auto other = player(filter.opponent);
            game(in("white", one) + " AND " + in("black", other) + " OR " + in("white", other) +
                 " AND " + in("black", one));
            use_index(one);
            use_index(other);
        } else if (!filter.player.empty()) {
            add({player(filter.player)});
        }
    }

    /// Adds the condition that a game is one of these players', so that the servers read only those
    /// games; unless there are so many that reading all is as fast. Without names no game fits.
    void use_index(const std::shared_ptr<const Names>& names) {
        if (names->empty() || names->size() > kMostNames) return;
        const std::string rows = session_.snapshot().sql_pushes() + " AND " + in("name", names);
        if (games_of(*names, rows) > kMostListed) return;
        game("id IN (SELECT game FROM " + session_.table_of_shard("player") + " WHERE " + rows +
             ")");
        out_.uses_index_ = out_.lists_games_ = true;
    }

    /// Returns the number of games of players, which is kept in the snapshot's cache.
    std::uint64_t games_of(const Names& names, const std::string& rows) {
        base::KeyText question("games of players");
        for (const std::string& name : names) question.add(name);
        return session_.snapshot().kept_number(question, [&] {
            return read_count(session_.connection(), "player",
                              "SELECT count() FROM player WHERE " + rows, out_.tables_);
        });
    }

    std::shared_ptr<const Names> words(NameKind kind, const std::string& typed) {
        const NameWords asked(typed);
        return names_that_fit(
            session_, kind, asked,
            base::KeyText("words").add(static_cast<std::uint64_t>(kind)).add(typed),
            [&](std::string_view name) { return asked.fit(fold(name)); });
    }

    /// Returns the condition that a column has one of the names.
    std::string in(const std::string& column, const std::shared_ptr<const Names>& names) {
        if (names->empty()) return "0";
        std::string& table = known_tables_[names];
        if (table.empty()) {
            RowWriter rows;
            for (const std::string& name : *names) rows.string(name);
            table = add_table("text String", rows.bytes());
        }
        return column + " IN " + table;
    }

    std::string add_table(const std::string& structure, const std::string& rows) {
        std::string name = "filter" + std::to_string(out_.tables_.size());
        out_.tables_.push_back({name, structure, rows});
        return name;
    }

    void text(const std::string& column, const TextCondition& condition) {
        game(condition.ascii + " OR " + in(column, condition.names));
    }

    void add_sources(const std::string& asked) {
        std::string any = "0";
        for (const store::StoredSource& source : store::sources_named(reader_, asked)) {
            if (source.games == 0) continue;
            any += " OR " + sql_range("?", source.first_game, source.first_game + source.games - 1);
        }
        out_.ids_.push_back("(" + any + ")");
    }

    void add_tag(const std::string& name, const std::string& value) {
        TagCondition condition = tag_condition(session_, name, value);
        std::string any = condition.decided;
        if (!condition.games->empty()) {
            RowWriter rows;
            for (const store::GameId id : *condition.games) rows.u64(id);
            any += " OR id IN " + add_table("game UInt64", rows.bytes());
        }
        game(any);
    }

    ReadSession& session_;
    store::StoreReader& reader_;
    FilterSql out_;
    std::map<std::shared_ptr<const Names>, std::string> known_tables_;
};

namespace {

FilterBuilder builder_for(ReadSession& session, store::StoreReader& reader,
                          const store::GameFilter& filter) {
    if (filter.has_swing()) static_cast<void>(require(reader, store::Capability::kSwings));
    return {session, reader};
}

}  // namespace

FilterSql filter_sql(ReadSession& session, store::StoreReader& reader,
                     const store::GameFilter& filter) {
    return builder_for(session, reader, filter).build(filter);
}

FilterSql filter_sql(ReadSession& session, store::StoreReader& reader,
                     const store::GameFilter& filter, const PlayersOfGame& players) {
    FilterBuilder builder = builder_for(session, reader, filter);
    builder.add(players);
    return builder.build(filter);
}

std::string FilterSql::and_ids(std::string_view column) const {
    std::string out;
    for (const std::string& each : ids_) {
        out += " AND ";
        for (const char c : each) {
            if (c == '?') {
                out += column;
            } else {
                out += c;
            }
        }
    }
    return out;
}

std::string FilterSql::games() const {
    return pushes_ + present_ + facts_ + in_game_ + and_ids("id");
}

std::string FilterSql::and_game_fits(std::string_view column) const {
    if (facts_.empty() && in_game_.empty()) return and_ids(column);
    return and_ids(column) + " AND " + std::string(column) +
           " GLOBAL IN (SELECT id FROM game WHERE " + pushes_ + facts_ + in_game_ + and_ids("id") +
           ")";
}

std::string FilterSql::and_posting_fits(const std::string& reached) const {
    std::string own = facts_ + and_ids("game");
    if (in_game_.empty()) return own;
    return own + and_listed("posting", reached + own, (lists_games_ ? facts_ : "") + in_game_);
}

std::string FilterSql::and_variation_fits(const std::string& reached) const {
    std::string own = and_ids("game");
    if (facts_.empty() && in_game_.empty()) return own;
    return own + and_listed("variation", reached + own, facts_ + in_game_);
}

void FilterSql::send_fewer(ReadSession& session, std::span<const std::uint64_t> keys,
                           std::uint64_t most_sent) {
    if (in_game_.empty() || lists_games_ || keys.empty()) return;
    const PlaceOfKeys place = session.place_of(keys);
    // Positions of few games have no sums, and need none.
    const std::uint64_t reached =
        read_count(place.connection, kPositionSums,
                   "SELECT sum(total_games) FROM " + place.table(kPositionSums) + " WHERE " +
                       sql_keys(keys) + " AND " + pushes_);
    if (reached <= most_sent) return;
    const std::string sql = "SELECT count() FROM game WHERE " + games();
    base::KeyText question("games that fit");
    question.add(sql);
    for (const ExternalTable& table : tables_) question.add(table.rows);
    const auto fitting = session.snapshot().kept_number(
        question, [&] { return read_count(session.connection(), "game", sql, tables_); });
    lists_games_ = fitting < reached;
}

/// Returns a condition that reads table game only for the ids of the rows. These are few for a
/// position, but a filter may accept most games. If fewer games fit than have reached the position,
/// all games that fit are read.
std::string FilterSql::and_listed(const std::string& table, const std::string& rows,
                                  const std::string& conditions) const {
    if (lists_games_) {
        return " AND game GLOBAL IN (SELECT id FROM game WHERE " + pushes_ + conditions +
               and_ids("id") + ")";
    }
    return " AND game GLOBAL IN (SELECT id FROM game WHERE " + pushes_ +
           " AND id GLOBAL IN (SELECT game FROM " + table + " WHERE " + rows + ")" + conditions +
           ")";
}

}  // namespace fendex::clickhouse
