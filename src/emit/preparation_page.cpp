#include "emit/preparation_page.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/joined.hpp"
#include "chess/fen.hpp"
#include "emit/svg_board.hpp"

namespace fendex::emit {

namespace {

using query::PlayerScore;

constexpr std::string_view kStyle = R"(
@page{size:A4;margin:14mm}
body{font:14px/1.4 system-ui,"DejaVu Sans",sans-serif;color:#111;background:#fff;max-width:190mm;margin:2em auto;padding:0 1em}
h1{font-size:1.6em;margin:0 0 .2em}h2{font-size:1.2em;margin:1.6em 0 .4em;border-bottom:1px solid #999}
p{margin:.3em 0}.small{color:#555;font-size:.9em}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600;border-bottom:1px solid #999}
td,th{padding:.1em .5em .1em 0;vertical-align:top}
td.n,th.n{text-align:right;white-space:nowrap}td:first-child{white-space:nowrap}tr:nth-child(even) td{background:#f6f4ef}
.own{font-weight:600}.spot{display:flex;gap:1.2em;margin:1em 0;break-inside:avoid}
.spot>svg{flex:0 0 62mm}.spot>div{flex:1}.board{width:62mm;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.board text{font-size:13px;text-anchor:middle;fill:#555}
.fen{font:11px monospace;color:#555;overflow-wrap:anywhere}
@media print{body{margin:0;max-width:none;padding:0;font-size:11px}tr:nth-child(even) td{background:none}}
@media(max-width:40em){.spot{display:block}}
)";

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string percent(double value) { return std::to_string(std::lround(value)) + " %"; }

std::string percent(const PlayerScore& score) {
    return score.decided() == 0 ? std::string() : percent(score.percent());
}

std::string year(codec::Date date) {
    return date.year() == 0 ? std::string() : std::to_string(date.year());
}

/// "+12 =5 −3".
std::string results(const PlayerScore& score) {
    return "+" + std::to_string(score.wins) + " =" + std::to_string(score.draws) + " \xE2\x88\x92" +
           std::to_string(score.losses);
}

std::string score(const std::optional<query::Verdict>& verdict) {
    return verdict ? query::score_text(verdict->score) : std::string();
}

std::string cell(const std::string& text) { return "<td>" + text + "</td>"; }
std::string number_cell(const std::string& text) { return "<td class=\"n\">" + text + "</td>"; }

class Page {
  public:
    Page(const PreparationTitle& title, const query::Preparation& preparation,
         store::StoreReader& reader)
        : title_(title), preparation_(preparation), reader_(reader) {}

    std::string make() {
        begin();
        add_repertoire();
        add_weak_spots();
        add_games("Latest games", preparation_.recent);
        add_games("Latest losses", preparation_.lost);
        return std::move(out_) + "</body></html>\n";
    }

  private:
    bool is_white() const { return title_.color == chess::Color::kWhite; }
    chess::Color opponent() const {
        return is_white() ? chess::Color::kBlack : chess::Color::kWhite;
    }

    void begin() {
        const std::string heading = escaped(base::joined(", ", title_.names)) +
                                    (is_white() ? " with White" : " with Black");
        out_ +=
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
            "name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>" +
            heading + "</title><style>" + std::string(kStyle) + "</style></head><body>\n" +
            svg_pieces() + "<h1>" + heading + "</h1>\n";
        const query::WeightedScore& total = preparation_.total;
        out_ += "<p>" + std::to_string(total.score.games) + " games";
        if (preparation_.first_date != 0) {
            out_ += ", " + year(preparation_.first_date) + "\xE2\x80\x93" + year(total.last_date);
        }
        out_ += ": " + results(total.score) + ", " + percent(total.score) +
                "; recent games weighing more, " + percent(total.percent()) + ".</p>\n" +
                "<p class=\"small\">Shares and scores below are weighted: a game of three years "
                "before the latest one counts half. All scores are this player's.</p>\n";
    }

    void add_repertoire() {
        out_ +=
            "<h2>What to expect</h2>\n<table><tr><th>Move</th><th class=\"n\">share</th><th "
            "class=\"n\">games</th><th class=\"n\">weighted score</th><th "
            "class=\"n\">last</th>" +
            evaluation_heading() + "<th>Opening</th></tr>\n";
        for (const query::PreparedMove& move : preparation_.repertoire) {
            const bool white = move.before.side_to_move() == chess::Color::kWhite;
            out_ += "<tr><td style=\"padding-left:" + std::to_string(move.depth) + "em\"" +
                    (move.by_player ? " class=\"own\">" : ">") +
                    std::to_string(move.before.fullmove_number()) + (white ? "." : "\xE2\x80\xA6") +
                    escaped(move.san) + "</td>" + number_cell(percent(100 * move.share)) +
                    number_cell(std::to_string(move.score.score.games)) +
                    number_cell(percent(move.score.percent())) +
                    number_cell(year(move.score.last_date)) + evaluation_cell(move.verdict) +
                    cell(move.opening ? escaped(move.opening->name) : std::string()) + "</tr>\n";
        }
        out_ += "</table>\n<p class=\"small\">Moves of this player are bold.</p>\n";
    }

    void add_weak_spots() {
        if (preparation_.weak_spots.empty()) return;
        out_ += "<h2>Where the results are worst</h2>\n";
        for (const query::WeakSpot& spot : preparation_.weak_spots) add_weak_spot(spot);
    }

    void add_weak_spot(const query::WeakSpot& spot) {
        out_ += "<div class=\"spot\">" + svg_board(spot.position, opponent()) + "<div><p><b>" +
                escaped(spot.line) + "</b></p>";
        if (spot.opening) {
            out_ += "<p>" + escaped(spot.opening->eco) + " " + escaped(spot.opening->name) + "</p>";
        }
        out_ += "<p>" + std::to_string(spot.score.score.games) + " games, " +
                results(spot.score.score) + ", weighted score " + percent(spot.score.percent()) +
                ", last " + year(spot.score.last_date) +
                (spot.verdict ? ", evaluation " + score(spot.verdict) : "") + "</p>";
        out_ +=
            "<table><tr><th>Played</th><th class=\"n\">in these games</th><th "
            "class=\"n\">player's score</th><th class=\"n\">in all games</th><th class=\"n\">score "
            "of the move</th><th class=\"n\">last</th>" +
            evaluation_heading() + "</tr>";
        for (const query::OtherMove& move : spot.moves) {
            out_ +=
                "<tr>" + cell(escaped(move.san)) + number_cell(std::to_string(move.against.games)) +
                number_cell(percent(move.against)) + number_cell(std::to_string(move.tally.games)) +
                number_cell(percent_of_mover(move.tally)) +
                number_cell(year(move.tally.last_date)) + evaluation_cell(move.verdict) + "</tr>";
        }
        out_ += "</table><p class=\"fen\">" + chess::to_fen(spot.position) + "</p></div></div>\n";
    }

    /// The column is there if an evaluation is known.
    std::string evaluation_heading() const {
        return preparation_.has_verdicts ? "<th class=\"n\">eval</th>" : "";
    }
    std::string evaluation_cell(const std::optional<query::Verdict>& verdict) const {
        return preparation_.has_verdicts ? number_cell(score(verdict)) : std::string();
    }

    std::string percent_of_mover(const codec::Tally& tally) const {
        return percent(PlayerScore{.games = tally.games,
                                   .wins = tally.results.wins_of(opponent()),
                                   .draws = tally.results.draws(),
                                   .losses = tally.results.wins_of(~opponent())});
    }

    void add_games(std::string_view heading, const std::vector<store::GameId>& games) {
        if (games.empty()) return;
        out_ += "<h2>" + std::string(heading) +
                "</h2>\n<table><tr><th>Date</th><th>White</th><th>Black</th><th>Result</th><th>"
                "Event</th><th class=\"n\">Number</th></tr>\n";
        reader_.headers(games, [&](const store::GameHeader& game) {
            const auto text = [](const std::optional<std::string_view>& value) {
                return cell(escaped(value.value_or("?")));
            };
            out_ += "<tr>" + text(game.date) + text(game.white) + text(game.black) +
                    cell(std::string(codec::result_text(game.result))) + text(game.event) +
                    number_cell(std::to_string(game.id)) + "</tr>\n";
        });
        out_ += "</table>\n";
    }

    const PreparationTitle& title_;
    const query::Preparation& preparation_;
    store::StoreReader& reader_;
    std::string out_;
};

}  // namespace

std::string preparation_page(const PreparationTitle& title, const query::Preparation& preparation,
                             store::StoreReader& reader) {
    return Page(title, preparation, reader).make();
}

}  // namespace fendex::emit
