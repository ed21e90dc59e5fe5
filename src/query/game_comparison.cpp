#include "query/game_comparison.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "codec/game_codes.hpp"
#include "query/same_game.hpp"
#include "store/game_identity.hpp"

namespace fendex::query {

namespace {

using base::NameFit;
using store::GameColumn;
using store::GameId;
using store::JoinedNames;
using store::NameKind;

/// Players that are kept in memory.
constexpr std::size_t kMostPlayers = 50'000;

std::string known(std::optional<std::string_view> text) {
    return text && says_something(*text) ? std::string(*text) : std::string();
}

bool is_address(std::string_view site) { return site.find("://") != std::string_view::npos; }

/// Returns whether two rounds differ. "5" may be "5.1".
bool are_other_rounds(std::string_view a, std::string_view b) {
    if (a.empty() || b.empty() || a == b) return false;
    const auto is_part = [](std::string_view whole, std::string_view part) {
        return whole.size() > part.size() && whole.starts_with(part) && whole[part.size()] == '.';
    };
    return !is_part(a, b) && !is_part(b, a);
}

bool are_other_results(codec::Result a, codec::Result b) {
    return a != b && a != codec::Result::kUnknown && b != codec::Result::kUnknown;
}

NameFit fit_of_players(const ComparedPlayer& a, const ComparedPlayer& b) {
    return a.code == b.code && !a.name.is_unknown() ? NameFit::kSame : names_fit(a.name, b.name);
}

/// Places that fit say as much as events, but other places say nothing.
TextFit fit_of_sites(std::string_view a, std::string_view b) {
    const TextFit sites = texts_fit(a, b);
    if (sites == TextFit::kUnknown || sites == TextFit::kOther) return TextFit::kOther;
    return is_address(a) && a != b ? TextFit::kOther : sites;
}

/// Returns how the moves end after so many shared plies.
std::optional<MovesFit> fit_of_moves(std::uint32_t shared, const ComparedGame& a,
                                     const ComparedGame& b) {
    const auto [shorter, longer] = std::minmax({a.values.plies(), b.values.plies()});
    if (shared == longer) return MovesFit::kSame;
    if (shared == shorter) return MovesFit::kCutShort;
    return shared + 1 == shorter ? std::optional(MovesFit::kOtherLastMove) : std::nullopt;
}

}  // namespace

GameComparison::GameComparison(store::LocalReader& reader)
    : reader_(reader),
      joined_players_(JoinedNames::of(reader, NameKind::kPlayer)),
      joined_events_(JoinedNames::of(reader, NameKind::kEvent)),
      joined_sites_(JoinedNames::of(reader, NameKind::kSite)) {}

ComparedGame GameComparison::game(GameId id, const ComparedValues& values) {
    return {id, values, player(values.white), player(values.black), nullptr};
}

std::optional<unsigned> GameComparison::compare(ComparedGame& a, ComparedGame& b) {
    const ComparedValues& shorter = a.values.plies() <= b.values.plies() ? a.values : b.values;
    HeaderFit headers;
    headers.drawn = shorter.result() == codec::Result::kDraw;
    headers.other_result = are_other_results(a.values.result(), b.values.result());
    headers.date = dates_fit(a.values.date, b.values.date);
    // Most pairs end here, before names are compared and games are read.
    const auto is_too_short = [&] {
        const auto needed = plies_needed(headers, MovesFit::kSame);
        return !needed || shorter.plies() < *needed;
    };
    if (is_too_short()) return std::nullopt;
    headers.white = fit_of_players(*a.white, *b.white);
    headers.black = fit_of_players(*a.black, *b.black);
    if (is_too_short()) return std::nullopt;
    const ComparedGame::Content& of_a = content_of(a);
    const ComparedGame::Content& of_b = content_of(b);
    if (of_a.start != of_b.start || of_a.variant != of_b.variant) return std::nullopt;
    const auto shared = static_cast<std::uint32_t>(
        std::ranges::mismatch(of_a.moves, of_b.moves).in1 - of_a.moves.begin());
    const std::optional<MovesFit> moves = fit_of_moves(shared, a, b);
    if (!moves) return std::nullopt;
    headers.event = std::max(texts_fit(of_a.event, of_b.event), fit_of_sites(of_a.site, of_b.site));
    headers.other_round = are_other_rounds(of_a.round, of_b.round);
    headers.other_address =
        is_address(of_a.site) && is_address(of_b.site) && of_a.site != of_b.site;
    const auto needed = plies_needed(headers, *moves);
    if (!needed || shared < *needed) return std::nullopt;
    return certainty(shared, *needed);
}

std::uint64_t GameComparison::rank(GameId game) {
    const auto& [headers, moves] = spelling_of(game);
    const std::uint64_t hash = std::hash<std::string>{}(headers) ^
                               store::hash_of_moves(moves.facts, moves.start, moves.moves);
    const std::uint64_t plies = moves.facts.plies;
    constexpr unsigned kHashBits = 48;
    return ~plies << kHashBits | hash >> (64 - kHashBits);
}

std::string GameComparison::text(GameId game) {
    const auto& [headers, moves] = spelling_of(game);
    return headers + store::text_of_moves(moves.facts, moves.start, moves.moves);
}

const GameComparison::Spelling& GameComparison::spelling_of(GameId game) {
    store::GameHeader header;
    if (!reader_.header(game, header)) store::throw_no_game(game);
    spelling_.headers.clear();
    for (const auto& value :
         {header.white, header.black, header.event, header.site, header.date, header.round}) {
        const std::string_view text = value.value_or("");
        spelling_.headers.append(std::to_string(text.size())).append(1, ' ').append(text);
    }
    spelling_.headers += codec::result_text(header.result);
    if (!reader_.moves(game, spelling_.moves)) store::throw_no_game(game);
    return spelling_;
}

std::uint64_t GameComparison::surname_order(std::uint32_t code) {
    const std::shared_ptr<const ComparedPlayer> of_code = player(code);
    const std::string& sound = of_code->name.surname_sound();
    std::uint64_t order = 0;
    for (std::size_t i = 0; i < sizeof order; ++i) {
        order = order << 8 | (i < sound.size() ? static_cast<unsigned char>(sound[i]) : 0U);
    }
    return order;
}

std::shared_ptr<const ComparedPlayer> GameComparison::player(std::uint32_t code) {
    code = joined_players_->canonical(code);
    const auto found = players_.find(code);
    if (found != players_.end()) return found->second;
    if (players_.size() >= kMostPlayers) players_.clear();
    const auto id = codec::id_of_code(code);
    const auto text = id ? reader_.name(NameKind::kPlayer, *id) : std::nullopt;
    const auto made = std::make_shared<const ComparedPlayer>(
        ComparedPlayer{code, base::PersonName(text.value_or(""))});
    return players_.emplace(code, made).first->second;
}

const ComparedGame::Content& GameComparison::content_of(ComparedGame& game) {
    if (game.content) return *game.content;
    store::GameHeader header;
    if (!reader_.header(game.id, header)) store::throw_no_game(game.id);
    game.content = std::make_unique<ComparedGame::Content>();
    ComparedGame::Content& content = *game.content;
    content.event = known(header.event);
    content.site = known(header.site);
    content.round = known(header.round);
    replace_joined(game.id, GameColumn::kEvent, NameKind::kEvent, *joined_events_, content.event);
    replace_joined(game.id, GameColumn::kSite, NameKind::kSite, *joined_sites_, content.site);
    store::StoredMoves stored;
    if (!reader_.moves(game.id, stored)) store::throw_no_game(game.id);
    content.variant = stored.facts.variant;
    content.start = stored.start;
    content.moves = moves_of(game.id, stored, stored.facts.plies);
    return content;
}

/// Replaces the name of an event or site by the name that stands for it.
void GameComparison::replace_joined(GameId game, GameColumn column, NameKind kind,
                                    const JoinedNames& joined, std::string& name) {
    if (joined.empty()) return;
    const std::uint32_t code = store::value_in(reader_, column, game);
    const std::uint32_t canonical = joined.canonical(code);
    if (canonical == code) return;
    if (const auto id = codec::id_of_code(canonical)) name = known(reader_.name(kind, *id));
}

}  // namespace fendex::query
