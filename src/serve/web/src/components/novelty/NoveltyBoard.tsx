// Where a game of a file left the games of the database, on the board.
import { t } from "../../i18n";
import { href } from "../../state";
import type { NoveltyRow } from "../../types";
import { Board } from "../Board";
import { GameHeading } from "../GameCells";
import { GameList } from "../GameList";
import { numberedMove } from "../moves";
import { useInSight } from "../sight";
import { endsOf } from "../squares";
import { PlayedBefore } from "./PlayedBefore";

export function NoveltyBoard({ row, flipped }: { row: NoveltyRow; flipped: boolean }) {
    const section = useInSight<HTMLElement>(row.game);
    const fresh = row.novelty;
    const fen = row.fen;
    const arrows = [
        ...row.played.slice(0, 3).map((move) => ({ ...endsOf(move.uci), kind: "hint" as const })),
        ...(fresh ? [{ ...endsOf(fresh.uci), kind: "fresh" as const }] : []),
    ].flatMap(({ from, to, kind }) => (from ? [{ from, to, kind }] : []));
    return (
        <section ref={section} class="game-board" aria-label={t("newMove")}>
            <header>
                <GameHeading game={row} />
                {row.errors.map((error, index) => (
                    <p class="failure" key={index}>
                        {t("errorsInGame", { reason: error.reason })}
                    </p>
                ))}
            </header>
            {fen && <Board fen={fen} orientation={flipped ? "black" : "white"} arrows={arrows} />}
            <p class="novelty-move">
                {fresh
                    ? t("newMoveIs", { move: numberedMove(fresh.ply, fresh.san) })
                    : t("nothingNew")}
            </p>
            <p>{row.games === 1 ? t("knownInOne") : t("knownIn", { n: row.games })}</p>
            {row.played.length > 0 && row.ply !== null && <PlayedBefore row={row} ply={row.ply} />}
            {row.ended > 0 && <p class="quiet">{t("endedBefore", { n: row.ended })}</p>}
            {row.last && row.last_ref && (
                <>
                    <h3>{t("lastPlayedBy")}</h3>
                    <GameList
                        games={[{ ...row.last, ref: row.last_ref }]}
                        label={t("lastPlayedBy")}
                        link={(game) => ({ view: "games", game: game.ref, ply: row.ply })}
                    />
                </>
            )}
            {fen && (
                <p class="ways">
                    <a href={href({ view: "explorer", fen, play: null, at: null })}>
                        {t("openInExplorer")}
                    </a>
                </p>
            )}
        </section>
    );
}
